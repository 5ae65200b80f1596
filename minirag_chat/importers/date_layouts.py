"""Splits dates with month names into layout and numbers, so that only one of each layout is parsed."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from minirag_chat.lazy_patterns import lazy

_NUMBER = lazy(r"\d+")
_CLOCK = lazy(
    r"(?<![\d:.,+-])(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
    r"(?P<half>\s?[AaPp][Mm]\b)?(?P<offset>\s?(?:UTC|GMT)?[+-]\d\d:?\d\d)?(?![\w:.])"
)
_THE_CLOCK = "\0"  # stands for the clock time; no date has this character
_NUMBERS = 2  # of a date whose month is a name: day and year
_IN_FULL = 4  # digits of a year
_MONTHS, _HOURS, _NOON = 12, 24, 12
_IN_EACH_MONTH = 28  # days that each month has


class SplitDate(NamedTuple):
    """A written date: its ``layout``, which other dates share, and its own day, year and time of day.

    ``at_midnight`` is the date as text with the clock time 0:00, ``past`` the time since midnight. ``year``
    is None if it has two digits, which are then a part of the layout.
    """

    layout: str
    at_midnight: str
    day: int
    year: int | None
    past: timedelta

    @property
    def in_each_month(self) -> bool:
        """Whether each month has this day. Others are no examples: a 31 November may be parsed as October."""
        return self.day <= _IN_EACH_MONTH

    def fits(self, parsed: datetime) -> bool:
        """Whether ``parsed``, the result for ``at_midnight``, has this day and year."""
        midnight = (parsed.hour, parsed.minute, parsed.second, parsed.microsecond) == (0, 0, 0, 0)
        return midnight and parsed.day == self.day and self.year in (None, parsed.year)

    def moment(self, like: datetime) -> datetime:
        """Return this date, given a parsed one of its layout. Raises ``ValueError`` if it does not exist."""
        return like.replace(year=self.year or like.year, day=self.day) + self.past


def split_date(written: str) -> SplitDate | None:
    """Split a date; None if it is not certain which number is the day.

    Days of one digit, two-digit days up to 12 and days above 12 have different layouts, since a parser may
    take only a number up to 12 for a month.
    """
    clock = _CLOCK.search(written)
    past, midnight = _clock(clock) if clock else (timedelta(), "")
    rest = _CLOCK.sub(_THE_CLOCK, written, count=1) if clock else written
    numbers = [*_NUMBER.finditer(rest)]
    if past is None or len(numbers) != _NUMBERS:
        return None
    day, year = sorted(numbers, key=lambda number: len(number[0]) == _IN_FULL)
    in_full = len(year[0]) == _IN_FULL
    if len(day[0]) > 2 or len(year[0]) not in (2, 4) or (not in_full and day[0] == year[0]):  # noqa: PLR2004 - digits
        return None
    kind = len(day[0]) + (int(day[0]) > _MONTHS)
    shape = {day.start(): "d" * kind, year.start(): "y" if in_full else year[0]}
    layout = _NUMBER.sub(lambda number: f"<{shape[number.start()]}>", rest)
    return SplitDate(
        f"{layout}{_THE_CLOCK}{midnight}",
        rest.replace(_THE_CLOCK, midnight),
        int(day[0]),
        int(year[0]) if in_full else None,
        past,
    )


def _clock(match: re.Match[str]) -> tuple[timedelta | None, str]:
    """Return the time since midnight, None if it is not valid, and midnight written in the same form."""
    hour, half = int(match["hour"]), match["half"] or ""
    seconds = "" if match["second"] is None else ":00"
    if half:
        if not 1 <= hour <= _NOON:
            return None, ""
        hour = hour % _NOON + (_NOON if "p" in half.casefold() else 0)
        start, half = "12", half.replace("P", "A").replace("p", "a")
    elif hour >= _HOURS:
        return None, ""
    else:
        start = "0" * len(match["hour"])
    past = timedelta(hours=hour, minutes=int(match["minute"]), seconds=int(match["second"] or 0))
    return past, f"{start}:00{seconds}{half}{match['offset'] or ''}"

"""The hard facts of a short text: dates, clock times, weekdays, numbers; and the remaining words.

A fact is either right or wrong, and has many spellings: ``20260307_18:00``, "March 7th at 6 PM".
Times are read by ``minirag_chat.times``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.names import split_camel_case
from minirag_chat.records import TimeSpan
from minirag_chat.times import find_times
from minirag_chat.times.calendar_names import weekday_number, weekday_numbers
from minirag_chat.times.hanzi import number_of
from minirag_chat.times.number_words import ENGLISH, TENS, TO_TWELVE
from minirag_chat.times.patterns import SHORT_DAYS

ONE_MINUTE = timedelta(minutes=1)
LONGEST_DAYS = 10  # "8 and 9 April" are days; a longer span is a month or a season
HALF_DAY = 12
_MONTH = any_case(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\u6708|\d{8}|\d[-/.]\d")
_NO_YEAR = lazy(r"\d\d?/\d\d?")  # of the year around its message only
_YEAR = lazy(r"(?<!\d)(?:19|20)\d\d")
STAMP = lazy(r"\b\d{8}_\d\d:?\d\d\b")
_AM_PM = any_case(r"\d\s*[ap]\.?m\b|noon|midday|midnight")
_NUMBER = lazy(r"(?<![A-Za-z\d.])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
_CHINESE_UNITS = (  # Chinese units after a number: month, day, hour, day, week, year, kilo, piece, time, ...
    "\u6708\u53f7\u65e5\u70b9\u5929\u5468\u5e74\u516c\u4e2a\u6b21\u5c81\u5206\u74f6\u53ea\u5143"
)
_CHINESE_NUMBER = lazy(f"[零一二三四五六七八九十两]{{1,3}}(?=[{_CHINESE_UNITS}])")
_CHINESE_HOUR = lazy(
    r"(\u4e0a\u5348|\u4e0b\u5348|\u665a\u4e0a|\u4e2d\u5348|\u65e9\u4e0a)?(\d{1,2})\u70b9(\u534a)?"
)
_AFTERNOON = {"\u4e0b\u5348", "\u665a\u4e0a", "\u4e2d\u5348"}
_DURATION = any_case(r"\b(\d+(?:\.\d+)?)\s+(week|fortnight)s?\b")
_UNIT_SIZES = {"week": 7, "fortnight": 14}
VALUES = {**ENGLISH, "once": 1, "twice": 2}
LARGE = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000}
_LARGE_MARK = "\ue000"  # marks a number written in words: a smaller one after it is added
_SUM = lazy(rf"(\d+){_LARGE_MARK}\s+(?:and\s+)?(\d+)(?![.,]?\d)({_LARGE_MARK}?)")
_MULTIPLIED = any_case(rf"\b(?:(\d+(?:\.\d+)?)\s+|an?\s+)?({'|'.join(LARGE)})\b")
_SPELLED = any_case(
    rf"\b(?:({'|'.join(TENS)})[- ]({'|'.join(TO_TWELVE[:9])})|({'|'.join(VALUES)}))\b",
)


_NO_DAY = any_case(  # "twelve pots", "25 hours", "Josh's 18th"
    rf"\b(?:{'|'.join(VALUES)}|\d\d?)\s+[a-z]{{3,}}s\b|['\u2019]s\s+\d\d?(?:st|nd|rd|th)\b",
)


@dataclass(frozen=True, slots=True)
class Day:
    """A calendar day; ``year`` is None if the text has none."""

    month: int
    day: int
    year: int | None
    weekday: int | None

    def same(self, other: Day) -> bool:
        """Whether both may be one day."""
        years = self.year is None or other.year is None or self.year == other.year
        return years and (self.month, self.day) == (other.month, other.day)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of the day; ``sure`` if it cannot be 12 hours off (AM or PM is known)."""

    hour: int
    minute: int
    sure: bool

    def same(self, other: Clock) -> bool:
        """Whether both may be one time: "5:30" may be 17:30, "6 AM" is never "6 PM"."""
        if (self.hour, self.minute) == (other.hour, other.minute):
            return True
        either = not (self.sure and other.sure)
        return either and self.minute == other.minute and (self.hour - other.hour) % HALF_DAY == 0


@dataclass(frozen=True, slots=True)
class Facts:
    """The hard facts of a text, and ``rest``: the text without them."""

    days: tuple[Day, ...]
    clocks: tuple[Clock, ...]
    months: frozenset[int]
    weekdays: frozenset[int]
    numbers: frozenset[float]
    rest: str


def read_facts(text: str, now: datetime) -> Facts:
    """Find the facts of ``text``; ``now`` gives the year of dates without one."""
    days: list[Day] = []
    clocks: list[Clock] = []
    months: set[int] = set()
    rest = _CHINESE_NUMBER.sub(lambda match: str(number_of(match[0])), split_camel_case(text))
    for span in find_times(rest, now):
        days += _days(span)
        clocks += _clocks(span)
        if _is_month(span):
            months.add(span.start.month)
        if _days(span) or _clocks(span) or _is_month(span):
            rest = rest.replace(span.phrase, " ", 1)
    rest, hours = _chinese_hours(rest)
    weekdays = weekdays_in(text)
    rest = _weekday().sub(" ", rest)
    numbers, rest = _numbers(rest)
    return Facts(
        days=tuple(days),
        clocks=(*clocks, *hours),
        months=frozenset(months),
        weekdays=weekdays,
        numbers=numbers,
        rest=rest,
    )


def day_numbers(text: str) -> frozenset[float]:
    """The numbers that may be a day of a month: "the 12th", not "12 pots", "25 hours" or "Josh's 18th"."""
    return read_facts(_NO_DAY.sub(" ", text), datetime(2000, 1, 1)).numbers


def weekdays_in(text: str) -> frozenset[int]:
    """The weekdays that a text names, from 0 for Monday, in the languages of ``calendar_names``."""
    return frozenset(weekday_number(found["name"]) for found in _weekday().finditer(text))


@cache
def _weekday() -> re.Pattern[str]:
    names = "|".join((*weekday_numbers(), *SHORT_DAYS))
    return re.compile(rf"\b(?P<name>{names})s?\b", re.IGNORECASE)


def _days(span: TimeSpan) -> list[Day]:
    if _NO_YEAR.fullmatch(span.phrase):
        return []
    if not _MONTH.search(span.phrase) or span.end - span.start > timedelta(days=LONGEST_DAYS):
        return []
    dated = _YEAR.search(span.phrase) is not None
    last = max(span.start, span.end - ONE_MINUTE)
    count = (last.date() - span.start.date()).days + 1
    moments = (span.start + timedelta(days=n) for n in range(count))
    return [
        Day(m.month, m.day, m.year if dated else None, m.weekday() if dated else None)
        for m in moments
    ]


def _is_month(span: TimeSpan) -> bool:
    """Whether the span is one calendar month that the phrase names."""
    first = span.start.day == span.end.day == 1
    return (
        first and (span.end - span.start).days in range(28, 32) and bool(_MONTH.search(span.phrase))
    )


def _clocks(span: TimeSpan) -> list[Clock]:
    sure = _AM_PM.search(span.phrase) is not None
    if span.end - span.start == ONE_MINUTE:
        moments: tuple[datetime, ...] = (span.start,)
    elif span.end - span.start < timedelta(days=1) and re.search(r"\d", span.phrase):
        moments = (span.start, span.end)
    else:
        return []
    stamped = STAMP.search(span.phrase) is not None
    return [Clock(m.hour, m.minute, sure or stamped or m.hour > HALF_DAY) for m in moments]


def _chinese_hours(text: str) -> tuple[str, list[Clock]]:
    found = []
    for part, hour, half in _CHINESE_HOUR.findall(text):
        value = int(hour) + HALF_DAY * (part in _AFTERNOON and int(hour) < HALF_DAY)
        found.append(Clock(value % 24, 30 if half else 0, bool(part) or value > HALF_DAY))
    return _CHINESE_HOUR.sub(" ", text), found


def _numbers(text: str) -> tuple[frozenset[float], str]:
    """The numbers, in digits or words, and the text without them; "two weeks" are also 14."""
    lone = len(text.split()) <= 2  # noqa: PLR2004 - "one" is a number only where it stands alone
    digits = _SPELLED.sub(lambda m: _spelled(m, lone=lone), text)
    digits = _composed(_MULTIPLIED.sub(_multiplied, digits))
    found = {float(n.replace(",", "")) for n in _NUMBER.findall(digits)}
    found |= {float(n) * _UNIT_SIZES[unit.lower()] for n, unit in _DURATION.findall(digits)}
    return frozenset(found), _NUMBER.sub(" ", digits)


def _multiplied(match: re.Match[str]) -> str:
    return f"{float(match[1] or 1) * LARGE[match[2].lower()]:.0f}{_LARGE_MARK}"


def _composed(text: str) -> str:
    """``text`` with one number for "300 and 50" and "2000 300" that were written in words."""

    def added(match: re.Match[str]) -> str:
        large, small = int(match[1]), int(match[2])
        fits = large % 10 ** len(match[2]) == 0
        return f"{large + small}{match[3]}" if fits else match[0]

    while (summed := _SUM.sub(added, text)) != text:
        text = summed
    return text.replace(_LARGE_MARK, "")


def _spelled(match: re.Match[str], *, lone: bool) -> str:
    tens, unit, word = match.groups()
    if word and word.lower() == "one" and not lone:
        return match.group()
    value = VALUES[word.lower()] if word else VALUES[tens.lower()] + VALUES[unit.lower()]
    return f" {value} "


def clock_of(number: float) -> Iterator[Clock]:
    """A bare number as the full hour that it may mean: "around 7"."""
    if number == int(number) and 0 <= number <= 24:  # noqa: PLR2004 - hours of a day
        moment = time(int(number) % 24)
        yield Clock(moment.hour, 0, moment.hour > HALF_DAY)

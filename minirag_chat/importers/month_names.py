"""Parses dates with month names, in English or any other language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone, tzinfo

import regex

from minirag_chat.importers.base import DateOrder
from minirag_chat.importers.cldr_months import ENGLISH, MonthWords
from minirag_chat.importers.clocks import half_of
from minirag_chat.importers.date_layouts import split_date
from minirag_chat.importers.zones import with_plain_offset
from minirag_chat.lazy_patterns import lazy, lazy_regex

_LETTER = lazy_regex(r"\p{L}")
_NUMBER = lazy(r"\d+")
_HALF = lazy(
    r"(?<=\d:\d\d)(?P<seconds>:\d\d)?\s*(?P<mark>[^\W\d_][^\d:]{0,20}?)(?P<zone> (?:UTC|GMT))?$"
)
_SPELLED_CLOCK = lazy(r"(?<!\d)(\d{1,2}) h (\d\d)(?: min (\d\d) s\b)?")  # in Canada
_EASTERN_DATE = lazy(
    "(\\d{4})[\u5e74\ub144] ?(1[0-2]|0?[1-9])[\u6708\uc6d4] ?(\\d{1,2})[\u65e5\uc77c]"
)
_EASTERN_CLOCK = lazy(
    "(\\d{1,2}) ?[\u6642\u65f6\u70b9\uc2dc] ?(\\d{1,2}) ?[\u5206\ubd84](?: ?(\\d{1,2}) ?[\u79d2\ucd08])?"
)
_THAI_CLOCK = lazy(  # and in Lao
    r"(\d{1,2}) ?(?:นาฬิกา|ໂມງ) ?(\d{1,2}) ?(?:นาที|ນາທີ)(?: ?(\d{1,2}) ?(?:วินาที|ວິນາທີ))?"
)
_EASTERN_HALF = lazy(
    r"(?P<mark>[\u3400-\u9fff\uac00-\ud7a3]{2}) ?(?P<clock>\d{1,2}:\d\d(?::\d\d)?)(?!\d)"
)
_DOTTED_CLOCK = lazy_regex(r"(?<=\d{4}\D{1,12})(\d\d?)\.([0-5]\d)(?:\.([0-5]\d))?(?=\s|$)")
_NUMBERS = range(2, 9)  # at least day and year; at most also hour, minute, second and an offset
_MOST_WORDS = 14
_MOST_COMMON = 20  # layouts of a column by which its language is known
# Cache of dates without their minutes and seconds.
_MINUTES = lazy(r"(?<=\d:)(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?!\d)")
_MOST_KNOWN = 10_000
# Where dateutil fills in a missing day, month or year, these two give different results.
_DEFAULTS = (datetime(2001, 1, 1), datetime(2002, 2, 2))


class Layouts:
    """The layouts of a column's dates with month names, and a date of each."""

    def __init__(self) -> None:
        self._examples: dict[str, str] = {}
        self._times = Counter[str]()

    def see(self, cell: str) -> None:
        """Add the next cell of the column."""
        layout = _NUMBER.sub("0", cell) if _may_be_date(cell) else ""
        if layout in self._examples or (layout and len(self._examples) < _MOST_KNOWN):
            self._examples.setdefault(layout, cell)
            self._times[layout] += 1

    def most_common(self) -> list[str]:
        """Return a date of each of the most common layouts."""
        return [self._examples[layout] for layout, _ in self._times.most_common(_MOST_COMMON)]


class MonthNames:
    """Parses one date of each layout, computes the others from it, and remembers their language.

    ``order`` is the order of day, month and year if a date has all as numbers. A date must have all three.
    ``common`` dates tell the language: "listopada" is October in Croatian, and November in Polish.
    """

    def __init__(self, order: DateOrder, common: Iterable[str] = ()) -> None:
        self._order = order
        self._words = MonthWords()
        self._known: dict[str, datetime | None] = {}
        # One parsed date of each layout; None: not to be used.
        self._layouts: dict[str, datetime | None] = {}
        for cell in common:
            self.read(cell)
        self._known.clear()
        self._layouts.clear()

    def read(self, cell: str) -> datetime | None:
        """Return the time in a short text, with its offset if it has one, or None."""
        if not _may_be_date(cell):
            return None
        cell = _EASTERN_DATE.sub(_named_month, _with_plain_digits(cell))
        cell = _DOTTED_CLOCK.sub(_clock, _SPELLED_CLOCK.sub(_clock, cell))
        cell = _THAI_CLOCK.sub(_clock, _EASTERN_CLOCK.sub(_clock, cell))
        cell = _EASTERN_HALF.sub(_half_behind, cell)
        cell = _HALF.sub(_english_half, with_plain_offset(cell))
        return self._by_layout(cell)

    def _by_layout(self, cell: str) -> datetime | None:
        date = split_date(cell)
        if date is None or not (date.in_each_month or date.layout in self._layouts):
            return self._in_minutes(cell)
        if date.layout not in self._layouts:
            found = self._in_any_language(date.at_midnight)
            if found is None:
                return None
            if len(self._layouts) >= _MOST_KNOWN:
                self._layouts.clear()
            self._layouts[date.layout] = found if date.fits(found) else None
        like = self._layouts[date.layout]
        try:
            return self._in_minutes(cell) if like is None else date.moment(like)
        except ValueError:  # no such day
            return self._in_minutes(cell)

    def _in_minutes(self, cell: str) -> datetime | None:
        minutes = [*_MINUTES.finditer(cell)]
        if len(minutes) != 1:
            return self._in_any_language(cell)
        whole = _MINUTES.sub(lambda match: "00:00" if match["second"] else "00", cell)
        if whole not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[whole] = self._in_any_language(whole)
        hour = self._known[whole]
        past = timedelta(minutes=int(minutes[0]["minute"]), seconds=int(minutes[0]["second"] or 0))
        return None if hour is None else hour + past

    def _in_any_language(self, cell: str) -> datetime | None:
        found = _english(cell, day_first=self._order == "dmy")
        if found is None and (translated := self._words.in_english(cell)):
            found = _english(translated, day_first=True)
        return found


def _may_be_date(cell: str) -> bool:
    """Whether a text can be a date with a month name."""
    named = _LETTER.search(cell) is not None
    return named and len(_NUMBER.findall(cell)) in _NUMBERS and len(cell.split()) <= _MOST_WORDS


def _with_plain_digits(cell: str) -> str:
    """Return a text with digits of any script, such as Arabic, as 0 to 9."""
    if cell.isascii():
        return cell
    return "".join(str(int(c)) if c.isdecimal() else c for c in cell)


def _clock(match: re.Match[str] | regex.Match[str]) -> str:
    return ":".join(part.zfill(2) for part in match.groups() if part)


def _named_month(match: re.Match[str]) -> str:
    return f"{match[3]} {ENGLISH[int(match[2]) - 1]} {match[1]} "


def _half_behind(match: re.Match[str]) -> str:
    """Return "12:07 AM" for "上午12:07"."""
    half = half_of(match["mark"])
    return f"{match['clock']} {half.upper()}" if half else match[0]


def _english_half(match: re.Match[str]) -> str:
    """Return AM or PM for a mark in any language; any other word after the time stays."""
    half = half_of(match["mark"])
    return f"{match['seconds'] or ''} {half.upper()}{match['zone'] or ''}" if half else match[0]


def _english(cell: str, *, day_first: bool) -> datetime | None:
    """Return the time of a date with an English month; None if day, month or year is missing."""
    from dateutil import parser

    try:
        first, second = (
            parser.parse(cell, default=default, dayfirst=day_first, tzinfos=_no_zone)
            for default in _DEFAULTS
        )
    except (ValueError, ArithmeticError, TypeError):
        return None
    return first if first == second else None


def _no_zone(_name: str | None, offset: int | None) -> tzinfo | None:
    """Return the zone of an offset; names such as IST are ignored, since they are ambiguous."""
    return None if offset is None else timezone(timedelta(seconds=offset))

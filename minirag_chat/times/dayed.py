"""A weekday with its date in digits: "friday 27.11", "Sat 12/12", "Sa. 14.3.", "venerdì (27.11)".

The date is read only if the weekday falls on it: "friday 28.11", if that is a Saturday, names no certain
day. "Friday 7.30" has a clock time, and so has "friday 5.12" unless 5 December is near.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.spans import DAY, Prefer, Span, first_moment, full_year, midnight

# From Monday on, in English, German, Spanish, French, Italian, Dutch and Portuguese.
_NAMES = """
monday tuesday wednesday thursday friday saturday sunday
mon tue wed thu fri sat sun
mon tues weds thurs fri sat sun
mon tue wed thur fri sat sun
montag dienstag mittwoch donnerstag freitag samstag sonntag
mo di mi do fr sonnabend so
mo di mi do fr sa so
lunes martes miércoles jueves viernes sábado domingo
lunes martes miercoles jueves viernes sabado domingo
lun mar mié jue vie sáb dom
lundi mardi mercredi jeudi vendredi samedi dimanche
lun mar mer jeu ven sam dim
lunedì martedì mercoledì giovedì venerdì sabato domenica
lunedi martedi mercoledi giovedi venerdi sabato domenica
lun mar mer gio ven sab dom
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
ma di wo do vr za zo
segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo
segunda terça quarta quinta sexta sábado domingo
seg ter qua qui sex sáb dom
"""
_DAY_OF = {name: day for row in _NAMES.split("\n") for day, name in enumerate(row.split())}
_BRIEF = 2  # letters: "do" is a word of many languages
_LONGER = sorted((name for name in _DAY_OF if len(name) > _BRIEF), key=len, reverse=True)
_SHORT = "|".join(name for name in _DAY_OF if len(name) == _BRIEF)
LONG_NAMES = frozenset(name for name in _LONGER if len(name) > _BRIEF + 1)
_ENGLISH = 4  # rows
_ABROAD = LONG_NAMES - {*" ".join(_NAMES.strip().split("\n")[:_ENGLISH]).split()}
ABROAD = tuple(sorted(_ABROAD, key=len, reverse=True))
"""The long names of weekdays in other languages than English."""
_NAME = (  # "Do 3.12", "do. 3.12" and "do 3.12.", but not "do 3.12"
    rf"(?:(?:{'|'.join(_LONGER)})\b|(?-i:{'|'.join(name.title() for name in _SHORT.split('|'))})\b"
    rf"|(?:{_SHORT})(?:(?=\.)|\b(?=[\s,(-][^\n]{{0,9}}\d\.(?!\d))))\.?"
)
_TO = r"(?:\s?[-\u2013\u2014]\s?|\s+(?:to|till?|until|through|bis(?:\s+zum)?|au|al)\s+)"
_D = r"(?:3[01]|[12]\d|0?[1-9])"
_M = r"(?:1[0-2]|0?[1-9])"
_Y = r"(?:(?:19|20)\d\d|\d\d)"
_DOTTED = rf"{_D}\.(?:{_M}\.\s?(?:19|20)\d\d|{_M}\.\d\d|\s?{_M}\.|{_M})"
_SLASHED = rf"(?!24/7\b){_D}/{_D}(?:/{_Y})?"
_DATE = rf"(?:{_DOTTED}|{_SLASHED}|(?:3[01]|2\d|1[3-9])-{_M}(?:-{_Y})?)(?!\d)"
_DATES = rf"(?:(?:{_DATE}|{_D}\.?){_TO})?{_DATE}"
_UNITS = r"km|kg|hrs?|h|hours?|uhr|euros?|miles?|points?|percent"
_END = rf"(?![\w\u00b0%\u20ac\u00a3$]|[./:,-]\d|\s?(?:[ap]\.?m\b|[%\u20ac\u00a3$]|(?:{_UNITS})\b))"
_THEN = r"(?:[,:]\s*|\s+[-\u2013]\s+|\s+)(?:(?:the|den|dem|le|el|il|on)\s+)?"
DAYED = rf"{_NAME}(?:{_TO}{_NAME})?(?:{_THEN}{_DATES}{_END}|\s*\(\s*{_DATES}\s*\))"
DATE_FIRST = (  # "27.11 fri", "27/11 (fri)", but not "at 4.12 fri"
    rf"(?<![\w.,/:\u20ac\u00a3$-])(?:(?:(?:3[01]|2[4-9])\.{_M}|{_SLASHED})\s+{_NAME}"
    rf"|(?:{_DATE}),\s+{_NAME}|(?:{_DATE})\s?\((?:{_NAME}|(?:{_SHORT})\b)\))(?![\w-])"
)
_WEEKDAYS = lazy(rf"(?<!\w)(?:{'|'.join([*_LONGER, *_SHORT.split('|')])})(?!\w)")
_WRITTEN = lazy(rf"(?:({_DATE}|{_D}\.?){_TO})?({_DATE})")
_PARTS = lazy(rf"(\d\d?)(?:([./-])\s?(\d\d?)(?:\2\s?({_Y}))?)?\.?")
_CLOCK = lazy(r"(?:[01]?\d|2[0-3])\.\d\d|(?:1\d|2[0-4])-\d\d?")
_SOON = timedelta(days=31)
_PAST, _AHEAD = timedelta(days=200), timedelta(days=366)
_NEAR = timedelta(days=100)
"""So far ahead may be a date that may also be a clock time; and past no more than ``_SOON``."""


class _Digits(NamedTuple):
    """A date in digits: its days with their months, its year, and whether it may be a clock time."""

    readings: tuple[tuple[int, int], ...]  # day, month
    year: int | None
    may_be_clock: bool


def weekday_abroad(phrase: str) -> int | None:
    """The weekday, from 0 for Monday, that a phrase in small letters begins with in another language."""
    named = next((name for name in ABROAD if phrase.startswith(name)), None)
    return None if named is None else _DAY_OF[named]


def read_dayed(phrase: str, now: datetime, _prefer: Prefer) -> Span | None:
    """Read "friday 27.11", "fri 27.11-29.11" or "friday to sunday 29.11", if the weekdays fit."""
    weekdays, dates = _weekdays(phrase), _dates(phrase, now)
    if len(dates) == 1:
        day = _fitting(dates[0], weekdays[-1], now)
        return (day - (day.weekday() - weekdays[0]) % 7 * DAY, day + DAY) if day else None
    first = _fitting(dates[0], weekdays[0], now)
    ends = _candidates(dates[1], first) if first else []
    last = [
        day for day in ends if first and first < day < first + _SOON and _is_on(day, weekdays[1:])
    ]
    return (first, last[0] + DAY) if first and len(last) == 1 else None


def before_clock(phrase: str, now: datetime) -> bool:
    """Whether the digits behind the weekday are rather a clock time: "friday 7.10" in January."""
    dates = _dates(phrase, now)
    return all(date.may_be_clock and not _pool(date, now) for date in dates)


def _weekdays(phrase: str) -> list[int]:
    return [_DAY_OF[name] for name in _WEEKDAYS.findall(phrase)]


def _dates(phrase: str, now: datetime) -> list[_Digits]:
    """The one or two dates of a phrase; the first of "27.-29.11" gets the month of the second."""
    found = _WRITTEN.search(phrase)
    written = [_PARTS.fullmatch(one) for one in found.groups() if one] if found else []
    known = [one for one in written if one]
    sign, month = known[-1].group(2, 3)
    return [_digits(one, sign, month, now) for one in known]


def _digits(found: re.Match[str], sign: str, month: str, now: datetime) -> _Digits:
    first, second = int(found[1]), int(found[3] or month)
    either = (found[2] or sign) == "/"
    year = full_year(found[4], now) if found[4] else None
    readings = dict.fromkeys([(first, second), *([(second, first)] if either else [])])
    return _Digits(tuple(readings), year, _CLOCK.fullmatch(found[0]) is not None)


def _candidates(date: _Digits, now: datetime) -> list[datetime]:
    """The days of this year, the last and the next that a date may be."""
    years = [date.year] if date.year else [now.year + n for n in (-1, 0, 1)]
    days = (first_moment(year, month, day) for year in years for day, month in date.readings)
    return [day for day in days if day]


def _pool(date: _Digits, now: datetime) -> list[datetime]:
    """The days that are near enough, or of its year; only those within a month, if there are any."""
    days = _candidates(date, now)
    today = midnight(now)
    if date.year:  # "Thu 03/12/2026" may be a Thursday in March too
        return [day for day in days if abs(day - today) <= _SOON] or days
    before, ahead = (_SOON, _NEAR) if date.may_be_clock else (_PAST, _AHEAD)
    days = [day for day in days if today - before <= day <= today + ahead]
    return [day for day in days if abs(day - today) <= _SOON] or days


def _fitting(date: _Digits, weekday: int, now: datetime) -> datetime | None:
    """The only day of a date that is on ``weekday``."""
    days = [day for day in _pool(date, now) if day.weekday() == weekday]
    return days[0] if len(days) == 1 else None


def _is_on(day: datetime, weekdays: list[int]) -> bool:
    return not weekdays or day.weekday() in weekdays

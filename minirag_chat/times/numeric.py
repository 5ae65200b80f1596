"""Dates in digits: 16.6.2026, 2026-06-16, 20260616. In 3/4/2026 either number may be the month.

20/6 is a date only in questions, only after a word such as "on", and where its clause ends or goes on with a
word of a sentence: "on 9/10 occasions" has none, nor "open 24/7". 9/11 is left to its event. After a word of
a language that has the day first ("el 5/4", "op 27-9-2026") it is first. Two digits behind points are a year
only after a word such as "am": "22.04.03" may be a version. In "on 8.9." the day is first, as in German.

In a message 3/4 is a date if the order is known, after such a word or before a time of day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Literal

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.quoted import unquoted
from minirag_chat.times.spans import first_moment, full_year
from minirag_chat.ui_text import day

NumericOrder = Literal["dmy", "mdy"]
_SLASHED = lazy(r"(?<![\w./-])(\d\d?)/(\d\d?)/((?:\d\d)?\d\d)(?![\w/-])")
_DIGITS = r"(?<![\w./-])(?P<date>\d\d?/\d\d?/(?:\d\d)?\d\d)(?![\w/-])"
_BEFORE_TIME = lazy(rf"{_DIGITS}[\s,(]*(?:(?:at|from|by|um|@)\s*)?\Z", re.IGNORECASE)
_AFTER_TIME = lazy(rf"[\s,)]*(?:on\s+|am\s+)?{_DIGITS}", re.IGNORECASE)
_WEEKDAY = lazy(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*[\s,.(]*\Z", re.IGNORECASE)
_BESIDE = 40  # characters of a text beside a time of day in which its date is looked for
_SHORT = lazy(r"(?<!\d)(\d\d?)/(\d\d?)(?!\d)")
_HOUR = r"\d\d?(?:[:.]\d\d)?\s?[ap]\.?m\b|\d\d?:\d\d\b"
_CLOCK_TIME = rf"(?:(?:at\s+|@\s*)?(?:{_HOUR})|(?:at\s+|@\s*)\d\d?\.[0-5]\d\b(?!\s+each\b))"
_THEN_TIME = rf",?\s+{_CLOCK_TIME}"
_AT_TIME = lazy(_THEN_TIME, re.IGNORECASE)
# In messages 3/4 is a part or a score as easily: "we're on 4/6", "open 24/7", "9/10 at 8 pm", "3/4 at 8 pm".
_ON = r"(?<![\u2019'](?:m|s) )(?<![\u2019']re )(?<!\b(?:am|im|up) )(?<!\bare )on"
_WEEK_OF = r"w/c|(?:week|wk)\s+(?:of|commencing|starting)"
_LED_IN_MESSAGE = rf"\b(?P<led>{_ON}|due(?:\s+(?:on|by))?|until|till?|{_WEEK_OF})\s+"
_NO_DATE = r"(?!9/11\b|24/7\b|7/24\b)(?(led)|(?![1-4]/[2-5]\b|\d\d?/10\b))"
_ENDS = (
    r"(?![\w/%$\u20ac\u00a3-]|[.:,]\d)"
    r"(?=\W*\Z|\s*[,;.!?)\n]|\s+(?:at|and|or|but|so|if|for|with|in|to|from|we|i|it|is|@)\b)"
)
_SHORT_IN_MESSAGE = lazy(
    rf"(?:{_LED_IN_MESSAGE})?(?<![\w./:$\u20ac\u00a3-])(?P<date>{_NO_DATE}\d\d?/\d\d?)"
    rf"(?:(?={_THEN_TIME})|(?(led){_ENDS}|(?!)))",
    re.IGNORECASE,
)
_TO = r"\s*(?:[-\u2013]|\b(?:and|or|to|till?|until|und|oder|bis)\b)\s*"
_LED = lazy(
    rf"\b(?:on|am|since|seit|until|till|bis|(?P<pair>from|between|vom|zwischen)(?=\s+\d\d?/\d\d?{_TO}))\s+"
    rf"(?!9/11\b)\d\d?/\d\d?(?:{_TO}\d\d?/\d\d?)*"
    r"(?=\s*(?:[?!;,)]|\.(?!\d)|$)|\s+(?:at|in|by|with|from|about|between|did|do|does|was|were|what|who"
    r"|where|when|im|um|mit|von)\b)",
    re.IGNORECASE,
)
# Words of languages in which the day stands first. What may follow is listed: "le 3/4 des gens".
_DAY_FIRST = (
    r"(?<![\w'\u2019])(?:el|le|il|op|em|del|du|dal|al|au|ao|vanaf|sinds|tot|desde|hasta|até|depuis"
    r"|d[ií]a|dall['\u2019](?=\d)|l['\u2019](?=\d))"
)
_ABROAD = lazy(
    rf"{_DAY_FIRST}\s*(?P<date>(?!9/11\b)\d\d?/\d\d?|\d\d?(?P<mark>[-/])\d\d?(?P=mark)(?:\d\d)?\d\d)(?![\w/-])"
    r"(?=\s*(?:[?!;,)\u00bf]|\.(?!\d)|$)|\s+(?:sobre|con|com|en|em|a|al|au|à|y|e|et|avec|sur|chez|dans|su|met|over|om"
    r"|bij|in|no|na|hasta|até|tot|fino|del?\s+\d{4}|por|para|pour|per|cuando|quando|quand)\b)",
    re.IGNORECASE,
)
_DASHED = lazy(r"(?<![\w./-])(\d\d?)-(\d\d?)-((?:19|20)\d\d)(?![\w/-]|[t ]\d\d?:\d)", re.IGNORECASE)
_LEAP_YEAR = 2000  # has every day that a year may have
_CLOCK = r"(?![\w/-]|[.:,]\d|[t ]\d\d?:\d)"  # a date with a time of day stays as it is
_YEAR = r"((?:19|20)\d\d)"
_SORTABLE = lazy(
    rf"(?<![\w./-])(?:{_YEAR}([-/])(\d\d?)\2(\d\d?)|{_YEAR}(\d\d)(\d\d)){_CLOCK}", re.IGNORECASE
)
_DOTTED = lazy(rf"(?<![\w./-])(\d\d?)\.(\d\d?)\.{_YEAR}{_CLOCK}", re.IGNORECASE)
_DOTTED_SHORT = lazy(
    rf"(?:\b(?:am|vom|zum|bis|seit|ab|de[mn])\s+|{_DAY_FIRST}\s*)(?P<date>(\d\d?)\.(\d\d?)\.(\d\d)){_CLOCK}",
    re.IGNORECASE,
)
_DOTTED_DAY = lazy(r"\bon\s+(?P<date>(\d\d?)\.(\d\d?)\.)(?=\s*(?:[?!,;)]|$))", re.IGNORECASE)
"""A day without a year behind "on": a number of another kind has no point behind it."""


def is_ambiguous(phrase: str, now: datetime) -> bool:
    """Whether a whole phrase is an ambiguous date, and its two readings are different days."""
    found = _SLASHED.fullmatch(phrase)
    return found is not None and _readings(found, now) is not None


def is_of_doubtful_day(text: str, left: int, right: int, now: datetime) -> bool:
    """Whether an ambiguous date stands right before or after a time of day: "moved to 3/4/2026 at 15:40"."""
    before = _BEFORE_TIME.search(text, max(0, left - _BESIDE), left)
    found = before or _AFTER_TIME.match(text, right)
    return found is not None and is_ambiguous(found["date"], now)


def in_order(text: str, now: datetime, order: NumericOrder) -> tuple[str, list[tuple[int, int]]]:
    """A message's text with its ambiguous dates in the ``order`` written as 3.4.2026, which has one reading.

    A weekday before a date goes before the order: "Mon 07/12/2026" is 7 December 2026. Of the dates without
    a year only those are read that are surely some: "moved to 7/12 at 15:40", "due 7/12", "w/c 7/12".
    With it come the places where these end in the new text, each with how much longer the text is up to it.
    """
    pieces, done, longer = list[str](), 0, 0
    places: list[tuple[int, int]] = []
    for start, end, written in sorted(
        (*_with_year(text, now, order), *_without_year(text, now, order))
    ):
        pieces += [text[done:start], written]
        longer += len(written) - (end - start)
        places.append((end + longer, longer))
        done = end
    return "".join([*pieces, text[done:]]), places


def _with_year(text: str, now: datetime, order: NumericOrder) -> Iterator[tuple[int, int, str]]:
    """Where the ambiguous dates of a message are, and each written as 3.4.2026."""
    for found in _SLASHED.finditer(text):
        if not (days := _readings(found, now)):
            continue
        weekday = _WEEKDAY.search(text, max(0, found.start() - _BESIDE), found.start())
        told = [one for one in days if weekday and f"{one:%a}".lower() == weekday[1].lower()]
        one = told[0] if len(told) == 1 else days[0 if order == "dmy" else 1]
        yield (*found.span(), f"{one.day}.{one.month}.{one.year}")


def _without_year(text: str, now: datetime, order: NumericOrder) -> Iterator[tuple[int, int, str]]:
    """Where the dates of a message that have no year are, and each written as "3 April"."""
    for found in _SHORT_IN_MESSAGE.finditer(text) if "/" in text else ():
        start, end = found.span("date")
        short = _SHORT.match(text, start, end)
        weekend = short is not None and int(short[2]) - int(short[1]) == 1  # "free on 5/6?"
        timed = _AT_TIME.match(text, end)
        if short and (timed or not weekend) and (days := _possible(short, now)):
            yield start, end, f"{(one := days[-1 if order == 'mdy' else 0]).day} {one:%B}"


def spelled_out(text: str, now: datetime, order: NumericOrder | None = None) -> str:
    """``text`` with each date in digits outside quotes written like the dates of messages: "16 June 2026".

    ``now`` is the reference time, which tells the century of a year of two digits. Without an ``order`` an
    ambiguous date stays as it is.
    """
    plain = unquoted(text)
    for found in sorted(_found(plain, now, order), key=lambda place: -place[0]):
        start, end, one = found
        text = f"{text[:start]}{_written(text[start:end], one)}{text[end:]}"
    return text


def _written(digits: str, one: date) -> str:
    """A day as messages have it; without its year if the ``digits`` have none."""
    yearless = _SHORT.fullmatch(digits) or digits.endswith(".")
    return f"{one.day} {one:%B}" if yearless else day(one)


def _found(text: str, now: datetime, order: NumericOrder | None) -> Iterator[tuple[int, int, date]]:
    """Where the dates in digits of a text begin and end, and their days."""
    abroad = {found.span("date") for found in _ABROAD.finditer(text)}
    for found in (*_slashed(text, now), *_DASHED.finditer(text)):
        if found.span() in abroad:
            continue
        days = _possible(found, now)
        if len(days) == 1:
            yield (*found.span(), days[0])
        elif days and order:
            yield (*found.span(), days[0 if order == "dmy" else 1])
    yield from _day_first(text, now, abroad)
    yield from _in_order(text, now)


def _day_first(
    text: str, now: datetime, places: set[tuple[int, int]]
) -> Iterator[tuple[int, int, date]]:
    """The days of dates of which the first number is the day."""
    for start, end in places:
        number, month, *years = re.findall(r"\d+", text[start:end])
        if one := first_moment(_year(years, now), int(month), int(number)):
            yield start, end, one


def _in_order(text: str, now: datetime) -> Iterator[tuple[int, int, date]]:
    """Places and days of dates whose separators tell which number is the day: "2026-06-16", "16.6.2026"."""
    for found in _SORTABLE.finditer(text):
        parts = [int(part) for part in (found[1], *found.group(3, 4, 5, 6, 7)) if part]
        if one := first_moment(*parts):
            yield (*found.span(), one)
    for found in _DOTTED.finditer(text):
        if one := first_moment(*map(int, found.group(3, 2, 1))):
            yield (*found.span(), one)
    for found in _DOTTED_SHORT.finditer(text):
        if one := first_moment(full_year(found[4], now), int(found[3]), int(found[2])):
            yield (*found.span("date"), one)
    for found in _DOTTED_DAY.finditer(text):
        if one := first_moment(_LEAP_YEAR, int(found[3]), int(found[2])):
            yield (*found.span("date"), one)


def doubt(text: str, now: datetime) -> str:
    """The first ambiguous date of ``text`` outside quotes, with its two readings; empty if none is there.

    ``now`` is the reference time, as in ``spelled_out``.
    """
    plain = unquoted(text)
    abroad = {found.span("date") for found in _ABROAD.finditer(plain)}
    for found in _slashed(plain, now):
        days = _readings(found, now)
        if days and found.span() not in abroad:
            either = (_written(found[0], one) for one in days)
            return f"{found[0]} may be {' or '.join(either)}"
    return ""


def _slashed(text: str, now: datetime) -> Iterator[re.Match[str]]:
    """The dates with slashes, and those without a year after a word such as "on".

    From "from" and "between" one of the two must be a certain date: "from 7/10 to 9/10" may be points.
    """
    yield from _SLASHED.finditer(text)
    for led in _LED.finditer(text):
        short = list(_SHORT.finditer(text, *led.span()))
        if not led["pair"] or any(len(_possible(found, now)) == 1 for found in short):
            yield from short


def _readings(found: re.Match[str], now: datetime) -> tuple[date, date] | None:
    """The day with the first number as day, and with the second; None if only one is possible."""
    days = _possible(found, now)
    return (days[0], days[1]) if len(days) > 1 else None


def _possible(found: re.Match[str], now: datetime) -> list[date]:
    """The days that a date with slashes may be, with the first number as day before the second."""
    first, second, *years = found.groups()
    year = _year(years, now)
    days = (first_moment(year, *map(int, others)) for others in ((second, first), (first, second)))
    return list(dict.fromkeys(one for one in days if one))


def _year(years: Sequence[str | None], now: datetime) -> int:
    """The year of a date; a leap year if it has none."""
    return full_year(years[0], now) if years and years[0] else _LEAP_YEAR

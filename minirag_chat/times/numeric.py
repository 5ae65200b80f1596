"""Dates in digits: 16.6.2026, 2026-06-16, 20260616. In 3/4/2026 either number may be the month."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Literal

from minirag_chat.times.quoted import unquoted
from minirag_chat.times.spans import first_moment
from minirag_chat.ui_text import day

NumericOrder = Literal["dmy", "mdy"]
_SLASHED = re.compile(r"(?<![\w./-])(\d\d?)/(\d\d?)/((?:\d\d)?\d\d)(?![\w/-])")
_CLOCK = r"(?![\w/-]|[.:,]\d|[t ]\d\d?:\d)"  # a date with a time of day stays as it is
_YEAR = r"((?:19|20)\d\d)"
_SORTABLE = re.compile(
    rf"(?<![\w./-])(?:{_YEAR}([-/])(\d\d?)\2(\d\d?)|{_YEAR}(\d\d)(\d\d)){_CLOCK}", re.IGNORECASE
)
_DOTTED = re.compile(rf"(?<![\w./-])(\d\d?)\.(\d\d?)\.{_YEAR}{_CLOCK}", re.IGNORECASE)


def is_ambiguous(phrase: str) -> bool:
    """Whether a whole phrase is an ambiguous date, and its two readings are different days."""
    found = _SLASHED.fullmatch(phrase)
    return found is not None and _readings(found) is not None


def spelled_out(text: str, order: NumericOrder | None = None) -> str:
    """``text`` with each date in digits outside quotes written like the dates of messages: "16 June 2026".

    Without an ``order`` an ambiguous date stays as it is.
    """
    plain = unquoted(text)
    for found in sorted(_found(plain, order), key=lambda place: -place[0]):
        start, end, one = found
        text = f"{text[:start]}{day(one)}{text[end:]}"
    return text


def _found(text: str, order: NumericOrder | None) -> Iterator[tuple[int, int, date]]:
    """Where the dates in digits of a text begin and end, and their days."""
    for found in _SLASHED.finditer(text):
        days = _possible(found)
        if len(days) == 1:
            yield (*found.span(), days[0])
        elif days and order:
            yield (*found.span(), days[0 if order == "dmy" else 1])
    for found in _SORTABLE.finditer(text):
        parts = [int(part) for part in (found[1], *found.group(3, 4, 5, 6, 7)) if part]
        if one := first_moment(*parts):
            yield (*found.span(), one)
    for found in _DOTTED.finditer(text):
        if one := first_moment(*map(int, found.group(3, 2, 1))):
            yield (*found.span(), one)


def doubt(text: str) -> str:
    """The first ambiguous date of ``text`` outside quotes, with its two readings; empty if none is there."""
    for found in _SLASHED.finditer(unquoted(text)):
        if days := _readings(found):
            return f"{found[0]} may be {day(days[0])} or {day(days[1])}"
    return ""


def _readings(found: re.Match[str]) -> tuple[date, date] | None:
    """The day with the first number as day, and with the second; None if only one is possible."""
    days = _possible(found)
    return (days[0], days[1]) if len(days) > 1 else None


def _possible(found: re.Match[str]) -> list[date]:
    """The days that a date with slashes may be, with the first number as day before the second."""
    first, second, year = found.groups()
    year = year if len(year) > 2 else f"20{year}"  # noqa: PLR2004 - two digits
    days = (
        first_moment(*map(int, (year, *others))) for others in ((second, first), (first, second))
    )
    return list(dict.fromkeys(one for one in days if one))

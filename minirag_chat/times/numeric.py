"""Ambiguous dates in digits, where either number may be the month: 3/4/2026 is 3 April or 4 March."""

from __future__ import annotations

import re
from datetime import date
from typing import Literal

from minirag_chat.times.quoted import unquoted
from minirag_chat.ui_text import day

NumericOrder = Literal["dmy", "mdy"]
MONTHS = 12
_SLASHED = re.compile(r"(?<![\w./-])(\d\d?)/(\d\d?)/((?:\d\d)?\d\d)(?![\w/-])")


def is_ambiguous(phrase: str) -> bool:
    """Whether a whole phrase is an ambiguous date, and its two readings are different days."""
    found = _SLASHED.fullmatch(phrase)
    return found is not None and _readings(found) is not None


def spelled_out(text: str, order: NumericOrder) -> str:
    """``text`` with the month of each ambiguous date outside quotes as a word, read in that order."""
    for found in reversed(list(_SLASHED.finditer(unquoted(text)))):
        if days := _readings(found):
            written = day(days[0 if order == "dmy" else 1])
            text = text[: found.start()] + written + text[found.end() :]
    return text


def doubt(text: str) -> str:
    """The first ambiguous date of ``text`` outside quotes, with its two readings; empty if none is there."""
    for found in _SLASHED.finditer(unquoted(text)):
        if days := _readings(found):
            return f"{found[0]} may be {day(days[0])} or {day(days[1])}"
    return ""


def _readings(found: re.Match[str]) -> tuple[date, date] | None:
    """The day with the first number as day, and with the second; None if only one is possible."""
    first, second, year = map(int, found.groups())
    year = year if len(found[3]) > 2 else 2000 + year  # noqa: PLR2004 - two digits
    if first == second or not (1 <= first <= MONTHS and 1 <= second <= MONTHS and year):
        return None
    return date(year, second, first), date(year, first, second)

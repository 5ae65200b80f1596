"""Dates that no calendar has: 31 February, 2026-02-30, 29.2.2025."""

from __future__ import annotations

import re
from calendar import isleap

from minirag_chat.times.patterns import MONTHS, SHORT

_NTH = r"(?:st|nd|rd|th)?"
_WRITTEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\w./-])(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.(?:\s?(?P<year>\d{4})\b|(?!\d))",
        r"(?<![\w./-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])",
        rf"(?<![\w./-])(?P<day>\d\d?){_NTH}\.?\s(?:of\s)?(?P<month>{SHORT})(?:,?\s(?P<year>\d{{4}})\b)?",
        rf"\b(?P<month>{SHORT})\s(?:the\s)?(?P<day>\d\d?){_NTH}\b(?![.:]\d)(?:,?\s(?P<year>\d{{4}})\b)?",
    )
)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LONGEST = 31
_FEBRUARY, _LEAP_DAY = 2, 29


def no_such_day(text: str) -> str:
    """The first date of ``text`` that no calendar has, as it is written; empty if there is none."""
    missing = (found for one in _WRITTEN for found in one.finditer(text) if not _exists(found))
    first = min(missing, key=re.Match.start, default=None)
    return "" if first is None else first[0].strip()


def _exists(found: re.Match[str]) -> bool:
    """Whether there is such a day; numbers that are no day of any month are not taken for a date."""
    day, month = int(found["day"]), _month(found["month"])
    if not (1 <= day <= _LONGEST and 1 <= month <= len(_DAYS)):
        return True
    if (month, day) == (_FEBRUARY, _LEAP_DAY) and found["year"]:
        return isleap(int(found["year"]))
    return day <= _DAYS[month - 1]


def _month(written: str) -> int:
    if written.isdecimal():
        return int(written)
    return next(n for n, name in enumerate(MONTHS, 1) if name.startswith(written[:3].lower()))

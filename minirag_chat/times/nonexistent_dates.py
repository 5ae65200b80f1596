"""Dates that no calendar has: 31 February, 2026-02-30, 29.2.2025."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.patterns import SHORT, month_of
from minirag_chat.times.quoted import unquoted
from minirag_chat.times.spans import first_moment

_NTH = r"(?:st|nd|rd|th)?"
_BEFORE_DATES = ("on", "since", "until", "before", "after", "am")
_AFTER = "(?:" + "|".join(rf"(?<=\b{word}\s)" for word in _BEFORE_DATES) + ")"
_END = r"(?=\s*(?:[?.!,;)]|$))"  # "in April 31 people" is no date
_YEAR = r",?\s(?P<year>(?:19|20)\d\d)\b"
_NUMBERS = r"(?<![\w./-])(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\."
_DAY_MONTH = rf"(?P<day>\d\d?){_NTH}\.?\s(?:of\s)?(?P<month>{SHORT})"
_MONTH_DAY = rf"\b(?P<month>{SHORT})\s(?:the\s)?(?P<day>\d\d?){_NTH}\b"
_WRITTEN = tuple(
    lazy(pattern, re.IGNORECASE | re.ASCII)
    for pattern in (
        rf"{_NUMBERS}\s?(?P<year>(?:19|20)\d\d)\b",
        rf"{_AFTER}{_NUMBERS}(?!\d)",
        r"(?<![\w./-])(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])",
        rf"{_AFTER}(?P<sure>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])",
        r"(?<![\w./-])(?P<day>\d\d?)/(?P<month>\d\d?)/(?P<year>(?:19|20)\d\d)(?![\w/-])",
        rf"{_AFTER}(?P<day>3[01])/(?P<month>1[0-2]|0?[1-9]){_END}",
        rf"(?<![\w./-]){_DAY_MONTH}{_YEAR}",
        rf"(?<![\w./-]){_DAY_MONTH}{_END}",
        rf"{_MONTH_DAY}{_YEAR}",
        rf"{_MONTH_DAY}{_END}",
    )
)
_MOST_DAYS, _MOST_MONTHS = 31, 12
_LEAP_YEAR = 2000  # has every day that a year may have


def no_such_day(text: str) -> str:
    """The first date of ``text`` that no calendar has, as it is written; empty if there is none.

    What is quoted may be what somebody wrote, and counts as no date.
    """
    asked = unquoted(text)
    missing = (found for one in _WRITTEN for found in one.finditer(asked) if not _exists(found))
    first = min(missing, key=re.Match.start, default=None)
    return "" if first is None else first[0].strip()


def _exists(found: re.Match[str]) -> bool:
    """Whether there is such a day; numbers that are no day of any month are not taken for a date.

    They are after "on" or "since": 2026-13-01.
    """
    parts = found.groupdict()
    day, month, year = (
        int(parts["day"]),
        _month(parts["month"]),
        int(parts.get("year") or parts.get("sure") or _LEAP_YEAR),
    )
    if "/" in found[0]:  # either number may be the month
        return bool(first_moment(year, month, day) or first_moment(year, day, month))
    may_be_date = "sure" in parts or (1 <= day <= _MOST_DAYS and 1 <= month <= _MOST_MONTHS)
    return not may_be_date or first_moment(year, month, day) is not None


def _month(written: str) -> int:
    return int(written) if written.isdecimal() else month_of(written)

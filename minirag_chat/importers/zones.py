"""Time zones as they are written behind a time: offsets from UTC, abbreviations and names of regions."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from minirag_chat.importers.clocks import half_of
from minirag_chat.lazy_patterns import lazy

# Of abbreviations only those that are one zone to nearly everybody: not CST (also China's), IST (India,
# Israel, Ireland), BST (Britain, Bangladesh) or AST (Canada, Arabia).
_HOURS = {
    "HST": -10, "AKST": -9, "AKDT": -8, "PST": -8, "PDT": -7, "MST": -7, "MDT": -6, "CDT": -5, "EST": -5,
    "EDT": -4, "WET": 0, "WEST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3,
    "SGT": 8, "HKT": 8, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}  # fmt: skip
_UTC = ("UTC", "GMT")
# dateutil reads "UTC+2" as two hours west of it.
_OF_UTC = lazy(
    r" ?\(?\b(?:UTC|GMT) ?(?P<sign>[+\u2212-])(?P<hour>\d{1,2}):?(?P<minute>[0-5]\d)?\)?(?: \([^()]*\))?$"
)
# At the end, or before the year as in Java: "Mon Jan 13 15:05:11 CET 2025".
_ABBREVIATION = lazy(
    r"(?P<clock>\d:\d\d(?:[.,]\d{1,9})?(?: ?[AaPp]\.?[Mm]\.?)?) ?\(?(?P<name>[A-Z]{3,5})\)?(?= \d{4}$|$)"
)
_REGION = lazy(
    r"(?P<time>.*(?:\d|Z|[AaPp]\.?[Mm]\.?)) ?"
    r"[\[(]?(?P<name>[A-Z][A-Za-z]{1,20}(?:/[A-Z][A-Za-z_-]{1,30}){1,2})[\])]?"
)
_WITH_OFFSET = lazy(r".*(?:[+-]\d\d:?\d\d|Z)")


def with_plain_offset(cell: str) -> str:
    """Return a time with "+02:00" in place of "UTC+2", "(UTC+02:00)", "CEST", or "GMT+0200 (Central …)"."""
    return _ABBREVIATION.sub(_offset_of_name, _OF_UTC.sub(_plain_offset, cell))


def ambiguous_zone(cell: str) -> str:
    """Return the abbreviation behind a time that is no zone known for certain; empty if there is none."""
    found = _ABBREVIATION.search(cell)
    name = found["name"] if found else ""
    return "" if name in _HOURS or name in _UTC or half_of(name or None) is not None else name


def without_region(cell: str) -> tuple[str, ZoneInfo | None]:
    """Return a time without ``[Europe/Berlin]`` behind it, and this zone; none if the time has an offset."""
    match = _REGION.fullmatch(cell)
    if match is None:
        return cell, None
    time = match["time"].rstrip()
    try:
        zone = ZoneInfo(match["name"])
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return cell, None
    return time, None if _WITH_OFFSET.fullmatch(time) else zone


def _plain_offset(match: re.Match[str]) -> str:
    sign = "+" if match["sign"] == "+" else "-"
    return f" {sign}{match['hour']:0>2}:{match['minute'] or '00'}"


def _offset_of_name(match: re.Match[str]) -> str:
    hours = _HOURS.get(match["name"])
    return match[0] if hours is None else f"{match['clock']} {hours:+03d}:00"

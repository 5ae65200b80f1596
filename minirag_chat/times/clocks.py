"""Times of the day: clock times, ranges of hours, mornings and evenings.

They are read on the day of ``now``; ``ranges`` moves them to the day that the text names.
"""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

from dateutil import parser as clock_parser

from minirag_chat.times.patterns import JOIN
from minirag_chat.times.spans import DAY, Prefer, Span, around, midnight

PARTS = {"morning": (6, 6), "afternoon": (12, 6), "evening": (18, 6), "night": (18, 12)}


def part_of_day(part: str, day: datetime) -> Span:
    """Return the morning (6-12), afternoon (12-18), evening (18-24) or night (18-6) of a day."""
    hour, hours = PARTS[part]
    return day + timedelta(hours=hour), day + timedelta(hours=hour + hours)


def clock_time(phrase: str, day: datetime) -> datetime | None:
    """Return a clock time on a day; midnight is the end of the day."""
    if phrase == "midnight":
        return day + DAY
    if phrase in {"noon", "midday"}:
        return datetime.combine(day, time(12))
    dotted = re.sub(r"(\d)\.(\d)", r"\1:\2", phrase).replace(".", "")
    try:
        return clock_parser.parse(dotted, default=day)
    except (ValueError, OverflowError):
        return None


def read_clock(phrase: str, now: datetime, _prefer: Prefer) -> Span | None:
    """Read "6 PM", "18:30" or "noon" as the minute that it names."""
    moment = clock_time(phrase, midnight(now))
    return around(moment, "time") if moment else None


def read_clocks(phrase: str, now: datetime, _prefer: Prefer) -> Span | None:
    """Read "3 to 5 pm" and "11-1 pm": the first time gets the AM or PM that fits."""
    first, last = re.split(JOIN, phrase, maxsplit=1)
    end = clock_time(last, midnight(now))
    half = "".join(re.findall(r"[ap]\.?m", last))
    starts = [
        clock_time(f"{first}{half}", midnight(now)),
        clock_time(first + "am", midnight(now)),
    ]
    if not half:
        starts = [clock_time(first, midnight(now))]
    start = next((s for s in starts if s and end and s < end), None)
    return (start, end) if start and end else None


def read_daypart(phrase: str, now: datetime, _prefer: Prefer) -> Span | None:
    """Read "in the morning" or "night"."""
    return part_of_day(phrase.rsplit(maxsplit=1)[-1], midnight(now))

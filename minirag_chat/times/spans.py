"""Spans on the calendar: the day, week or month around a moment, and yearly recurrences.

A span is a pair (start inclusive, end exclusive) of wall-clock datetimes.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from dateutil.relativedelta import relativedelta

if TYPE_CHECKING:
    from collections.abc import Callable

Span = tuple[datetime, datetime]
Prefer = Literal["past", "future"]
Mode = Literal["past", "future", "last", "this", "next"]
BEGINNING = datetime.min
FOREVER = datetime.max
GRACE = timedelta(days=92)  # a date without a year that passed less than this ago is of this year
DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_MONTH = timedelta(days=31)
HALF_CENTURY = 50
"""A year of two digits is at most so far from now: 26 is 2026 and 98 is 1998 in 2020."""


def midnight(moment: datetime) -> datetime:
    """Return the start of the day of ``moment``."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def new_year(year: int) -> datetime:
    """Return the first moment of a year."""
    return datetime(year, 1, 1)


def first_moment(year: int, month: int, day: int) -> datetime | None:
    """Return the first moment of a day; None if no calendar has it."""
    try:
        return datetime(year, month, day)
    except ValueError:
        return None


def full_year(written: str, now: datetime) -> int:
    """Return the year that is written, with two digits the one at most half a century from ``now``."""
    first = now.year - HALF_CENTURY
    return first + (int(written) - first) % 100 if len(written) == 2 else int(written)  # noqa: PLR2004 - as "98"


def stretch(number: int, unit: str) -> relativedelta:
    """Return a duration; ``unit`` is one of minutes, hours, days, weeks, months, years."""
    return relativedelta(**{unit: number})  # type: ignore[arg-type]  # the units are its parameters


def around(moment: datetime, unit: str) -> Span:
    """Return the minute, day, ISO week (or its weekend), month, quarter or year around ``moment``."""
    day = midnight(moment)
    monday = day - day.weekday() * DAY
    start, length = {
        "time": (moment.replace(second=0, microsecond=0), relativedelta(minutes=1)),
        "week": (monday, relativedelta(weeks=1)),
        "weekend": (monday + 5 * DAY, relativedelta(days=2)),
        "month": (day.replace(day=1), relativedelta(months=1)),
        "quarter": (
            day.replace(day=1, month=day.month - (day.month - 1) % 3),
            relativedelta(months=3),
        ),
        "year": (new_year(day.year), relativedelta(years=1)),
    }.get(unit, (day, relativedelta(days=1)))
    return start, start + length


def recurring(in_year: Callable[[int], Span | None], day: datetime, mode: Mode) -> Span | None:
    """Return the span, in the year that is meant, of a name that recurs every year.

    "past" takes the latest that has begun, "last" the latest that is over, "next" the first that
    has not begun, "this" the one that is not over yet, or else the one of this year, and "future" the
    first that is not over or ended less than ``GRACE`` ago.
    """
    if mode == "this":
        before = in_year(day.year - 1)
        return before if before and before[1] > day else in_year(day.year)
    ahead = mode in {"future", "next"}
    years = range(day.year - 1, day.year + 9) if ahead else range(day.year, day.year - 9, -1)
    for year in years:
        span = in_year(year)
        if span is None:
            continue
        start, end = span
        fits = {
            "past": start <= day,
            "last": end <= day,
            "next": start > day,
            "future": end > day - GRACE,
        }
        if fits[mode]:
            return span
    return None


def thirds(span: Span, which: str) -> Span:
    """Return the early, mid or late part of a month (days 1-10, 11-20, 21 and later) or a year.

    The beginning and the end of a year are three months of it, its other parts four.
    """
    start, end = span
    step = relativedelta(days=10)
    if end - start > _MONTH:
        step = relativedelta(months=4)
        if which in {"beginning", "start"}:
            return start, start + relativedelta(months=3)
        if which == "end":
            return end - relativedelta(months=3), end
    if which in {"early", "beginning", "start"}:
        return start, start + step
    if which in {"mid", "middle"}:
        return start + step, start + 2 * step
    return start + 2 * step, end


def nth_part(span: Span, nth: int, unit: str) -> Span:
    """Return the ``nth`` week, half, weekend or weekday (0 is Monday) of a month; -1 is the last.

    For a year, return its ``nth`` half or quarter.
    """
    start, end = span
    if end - start > _MONTH:
        step = relativedelta(months=3 if unit == "quarter" else 6)
        return (end - step, end) if nth < 0 else (start + (nth - 1) * step, start + nth * step)
    if unit == "half":
        middle = start + 15 * DAY
        return (start, middle) if nth == 1 else (middle, end)
    if unit == "week":
        return (end - _WEEK, end) if nth < 0 else (start + (nth - 1) * _WEEK, start + nth * _WEEK)
    weekday = 5 if unit == "weekend" else int(unit)
    length = 2 * DAY if unit == "weekend" else DAY
    if nth < 0:
        last = end - DAY
        first = last - (last.weekday() - weekday) % 7 * DAY
    else:
        first = start + (weekday - start.weekday()) % 7 * DAY + (nth - 1) * _WEEK
    return first, first + length

"""The time next to one that was asked about: "and the month before?", after "How many messages in March?"."""

from __future__ import annotations

from datetime import datetime

from minirag_chat.lazy_patterns import any_case
from minirag_chat.times.spans import DAY, around, stretch

_NEIGHBOUR = any_case(
    r"(?:(?:in|on|during|for) )?(?:the )?"
    r"(?:(?P<unit>day|weekend|week|month|year) (?P<way>before|after)(?: that)?"
    r"|(?P<side>previous|preceding|following|next) (?P<of>day|weekend|week|month|year)"
    r"|(?P<bare>next|following|previous)(?: one)?|one (?P<one>before|after)(?: that)?)\W*$",
)
_SATURDAY = 5
_BEFORE = frozenset({"before", "previous", "preceding"})


def neighbouring_time(rest: str, start: datetime, end: datetime) -> str:
    """The time that ``rest`` means, beside the one from ``start`` to ``end``; empty if it means none.

    "The month before" is a whole month; "the year before" of a month is the same month a year earlier.
    """
    found = _NEIGHBOUR.match(rest)
    if found is None:
        return ""
    unit = (found["unit"] or found["of"] or _unit(start, end)).casefold()
    if not unit:
        return ""
    way = found["way"] or found["side"] or found["bare"] or found["one"]
    back = way.casefold() in _BEFORE
    if unit == "weekend":
        return _weekend(start, end, back=back)
    step = stretch(1, f"{unit}s")
    first, last = (start, end) if end - start >= DAY else around(start, "day")
    try:
        if last < first + step and unit != "year":
            first, last = around(first, unit)
        if last > first + step and unit != "year":  # the day after a month
            moved = (first - step, first) if back else (last, last + step)
        else:
            moved = (first - step, last - step) if back else (first + step, last + step)
    except (OverflowError, ValueError):
        return ""  # before the year 1
    return _in_words(*moved)


def _unit(start: datetime, end: datetime) -> str:
    """What kind of time this is: a day, a weekend, a week, a month or a year; or empty."""
    if start.weekday() == _SATURDAY and end - start == 2 * DAY:
        return "weekend"
    units = ("day", "week", "month", "year")
    return next((unit for unit in units if (start, end) == around(start, unit)), "")


def _weekend(start: datetime, end: datetime, *, back: bool) -> str:
    """The last weekend before the week in which a time begins, or the first that begins after the time."""
    if back:
        saturday = around(start, "week")[0] - 2 * DAY
    else:
        saturday = around(end - datetime.resolution, "week")[0] + 5 * DAY
        saturday += 7 * DAY if saturday < end else 0 * DAY
    return _in_words(saturday, saturday + 2 * DAY)


def _in_words(start: datetime, end: datetime) -> str:
    """A time with its preposition: "in May 2026", "on 3 May 2026", "from 4 May 2026 to 10 May 2026"."""
    if (start, end) == around(start, "year"):
        return f"in {start:%Y}"
    if (start, end) == around(start, "month"):
        return f"in {start:%B %Y}"
    first, last = (f"{at.day} {at:%B %Y}" for at in (start, end - datetime.resolution))
    return f"on {first}" if first == last else f"from {first} to {last}"

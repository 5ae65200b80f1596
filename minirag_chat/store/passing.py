"""Which messages pass filters, as SQL for both databases."""

from __future__ import annotations

from minirag_chat.records import Filters, Repeated
from minirag_chat.store.rows import marks
from minirag_chat.store.sql import Sql

DAYS = 7
Condition = tuple[str, list[object]]
"""A condition on ``messages m``, and its values."""


def passing(connection: Sql, filters: Filters) -> Condition:
    """The messages that pass. What is in the trash is in no session."""
    parts: list[str] = ["m.session_id IS NOT NULL"]
    values: list[object] = []
    if filters.people:
        parts.append(
            "m.sender_id IN (SELECT id FROM entities "
            f"WHERE COALESCE(same_as, id) IN ({marks(filters.people)}))"
        )
        values += filters.people
    if filters.chats:
        parts.append(f"m.chat_id IN ({marks(filters.chats)})")
        values += filters.chats
    for sign, time in ((">=", filters.since), ("<", filters.until)):
        if time:
            parts.append(f"m.sent_at {sign} ?")
            values.append(time.isoformat())
    timed, of_times = at_times(connection, filters)
    return " AND ".join([*parts, *timed]), [*values, *of_times]


def at_times(connection: Sql, filters: Filters) -> tuple[list[str], list[object]]:
    """Conditions for the periods and the repeated times of the filters; none without them."""
    parts: list[str] = []
    values: list[object] = []
    if filters.periods:
        one = "(m.sent_at >= ? AND m.sent_at < ?)"
        parts.append(f"({' OR '.join([one] * len(filters.periods))})")
        values += [end.isoformat() for span in filters.periods for end in (span.start, span.end)]
    if filters.repeated != Repeated():
        condition, of_repeated = _repeated(connection, filters.repeated)
        parts.append(condition)
        values += of_repeated
    return parts, values


def _repeated(connection: Sql, repeated: Repeated) -> Condition:
    days, clock = repeated.weekdays or frozenset(range(DAYS)), "substr(m.sent_at, 12, 5)"
    weekday = f"{connection.weekday('m.sent_at')} IN ({marks(days)})"
    since, until = (
        f"{minutes // 60:02}:{minutes % 60:02}" for minutes in (repeated.since, repeated.until)
    )
    if repeated.since < repeated.until:
        return f"({weekday} AND {clock} >= ? AND {clock} < ?)", [*sorted(days), since, until]
    next_days = sorted((day + 1) % DAYS for day in days)
    return (
        f"(({weekday} AND {clock} >= ?) OR ({weekday} AND {clock} < ?))",
        [*sorted(days), since, *next_days, until],
    )

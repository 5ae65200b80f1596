"""From when "yesterday" and "on Friday" in a question are counted."""

from __future__ import annotations

from datetime import datetime, timedelta

RECENT = timedelta(days=7)


def reference_time(newest: datetime | None) -> datetime:
    """Now, if the newest message is at most a week old; otherwise its time, since the chats are older ones.

    Who asks on Saturday about chats that end on Friday means this Friday by "yesterday"; of a chat that ended
    years ago "last week" is its last one. ``datetime.min`` if there are no messages.
    """
    now = _now()
    if newest is None:
        return datetime.min
    return now if timedelta(0) <= now - newest <= RECENT else newest


def _now() -> datetime:
    return datetime.now().replace(second=0, microsecond=0)

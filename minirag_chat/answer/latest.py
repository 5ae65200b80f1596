"""Who wrote at the latest time of a night, which ends at five in the morning."""

from __future__ import annotations

from datetime import datetime, timedelta

from minirag_chat.answer.counted import SHOWN, sources
from minirag_chat.answer.scope import in_times, of_chats
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import day, joined

_MORNING = timedelta(hours=5)
"""Before it a message is late, after it early."""


def latest_at_night(
    store: Store, filters: Filters, _plan: Metadata
) -> tuple[str, tuple[Source, ...]]:
    """The people by the latest time of a night at which each wrote, with this message."""
    found: dict[int, tuple[timedelta, int]] = {}
    for message, person, sent_at in store.message_counts.moments(filters):
        found[person] = max(
            found.get(person, (timedelta(), 0)), (_into_the_night(sent_at), message)
        )
    ordered = sorted(found.values(), reverse=True)[:SHOWN]
    cited = sources(store, [message for _time, message in ordered])
    where = f"{of_chats(store, filters)}{in_times(filters)}"
    first, *rest = (f"at {one.sent_at:%H:%M} on {day(one.sent_at)} [{one.number}]" for one in cited)
    names = [one.message.shown_sender for one in cited]
    text = f"{names[0]} wrote latest at night{where}, {first}."
    then = joined([f"{name} {at}" for name, at in zip(names[1:], rest, strict=True)])
    return f"{text} Then {then}." if then else text, cited


def _into_the_night(sent_at: datetime) -> timedelta:
    """How long after five in the morning it is."""
    clock = timedelta(hours=sent_at.hour, minutes=sent_at.minute)
    return (clock - _MORNING) % timedelta(days=1)

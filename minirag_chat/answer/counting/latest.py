"""Who wrote at the latest time of a night, which lasts from ten in the evening to five in the morning."""

from __future__ import annotations

from datetime import datetime, timedelta

from minirag_chat.answer.counting.counted import SHOWN, sources
from minirag_chat.answer.scope import where_and_when
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import day, joined

_NIGHT, _LASTS = timedelta(hours=22), timedelta(hours=7)


def latest_at_night(
    store: Store, filters: Filters, _plan: Metadata
) -> tuple[str, tuple[Source, ...]]:
    """Those who wrote at night, by the latest time at which each did, with this message."""
    latest: dict[int, tuple[timedelta, int]] = {}
    for message, person, sent_at in store.message_counts.moments(filters):
        into = _into_the_night(sent_at)
        if into < _LASTS:
            latest[person] = max(latest.get(person, (into, message)), (into, message))
    where = where_and_when(store, filters)
    if not latest:
        return f"Nobody wrote between 22:00 and 05:00{where}.", ()
    ordered = sorted(latest.values(), reverse=True)[:SHOWN]
    cited = sources(store, [message for _into, message in ordered])
    first, *rest = (
        (one.message.shown_sender, f"at {one.sent_at:%H:%M} on {day(one.sent_at)} [{one.number}]")
        for one in cited
    )
    text = f"{first[0]} wrote latest at night{where}, {first[1]}."
    then = [f"{name} {at}" for name, at in rest]
    return f"{text} Then {joined(then)}." if then else text, cited


def _into_the_night(sent_at: datetime) -> timedelta:
    """How long after ten in the evening it is."""
    clock = timedelta(hours=sent_at.hour, minutes=sent_at.minute)
    return (clock - _NIGHT) % timedelta(days=1)

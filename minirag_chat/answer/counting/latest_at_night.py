"""Who wrote at the latest time of a night, which lasts from ten in the evening to five in the morning."""

from __future__ import annotations

from datetime import datetime, timedelta

from minirag_chat.answer.counting.cited import sources
from minirag_chat.answer.counting.ranking import SHOWN
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.ui_text import day, joined

_NIGHT, _LASTS = timedelta(hours=22), timedelta(hours=7)


def latest_at_night(request: CountRequest) -> Told:
    """Those who wrote at night, by the latest time at which each did, with this message."""
    latest: dict[int, tuple[timedelta, int]] = {}
    for message, person, sent_at in request.counts.moments(request.filters):
        into = _into_the_night(sent_at)
        if into < _LASTS:
            latest[person] = max(latest.get(person, (into, message)), (into, message))
    if not latest:
        return f"Nobody wrote between 22:00 and 05:00{request.where}.", ()
    ordered = sorted(latest.values(), reverse=True)[:SHOWN]
    cited = sources(request.store, [message for _into, message in ordered])
    first, *rest = (
        (one.message.shown_sender, f"at {one.sent_at:%H:%M} on {day(one.sent_at)} [{one.number}]")
        for one in cited
    )
    text = f"{first[0]} wrote latest at night{request.where}, {first[1]}."
    then = [f"{name} {at}" for name, at in rest]
    return f"{text} Then {joined(then)}." if then else text, cited


def _into_the_night(sent_at: datetime) -> timedelta:
    """How long after ten in the evening it is."""
    clock = timedelta(hours=sent_at.hour, minutes=sent_at.minute)
    return (clock - _NIGHT) % timedelta(days=1)

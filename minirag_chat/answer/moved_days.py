"""The day that something planned is moved to, and what moved of a topic: "has the quiz moved?"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise

from minirag_chat.answer.later_change import LONGEST, changes_of, days_named, days_no_longer
from minirag_chat.lazy_patterns import any_case
from minirag_chat.records import Message, Source
from minirag_chat.store import Store
from minirag_chat.store.arrays import Ids
from minirag_chat.store.columns import is_among
from minirag_chat.times import message_times

MOST_READ = 60  # messages about a topic, the newest
_MOVED_TO = any_case(  # "on 3 December has been moved to 7 December"
    r"[^.!?]{0,80}\b(?:moved|moves|postponed|rescheduled|changed|pushed|put back|brought forward|verschoben"
    r"|verlegt)\b[^.!?,;]{0,40}\b(?:to|until|till|auf)\s+(?:the\s+|den\s+)?\Z"
)
_NOT_THEN = any_case(r"\b(?:can['\u2019]?t|cannot|can not|not free|busy)\b[^.!?,;\n]{0,20}\Z")
_AS_BEFORE = any_case(r"\b(?:as (?:before|planned|it was)|unchanged)\b")


def new_days(
    planned: Sequence[tuple[date, Message]], changes: Mapping[int, Source]
) -> dict[int, date]:
    """By message id the day that holds instead of the one for which it was listed, where one is certain.

    The message says so itself, or the later one of ``changes`` names just one other day, and it is not one
    of several days of this message that may be meant.
    """
    found = (
        (message.id, _new_day(day, message, changes.get(message.id))) for day, message in planned
    )
    return {message: day for message, day in found if day is not None}


def _new_day(day: date, message: Message, change: Source | None) -> date | None:
    """The day that one is moved to; None if none is, or it is not certain which."""
    own = dict(_moved_within(message)).get(day)
    if change is None or not _can_move(day, message) or _AS_BEFORE.search(change.quote):
        return own
    planned = {one for one in days_named(message, message.text) if one > message.sent_at.date()}
    said = days_named(change.message, change.quote)
    others = said - planned - days_no_longer(change.quote, planned | said)
    ahead = [one for one in others if one >= change.sent_at.date()]
    certain = len(ahead) == 1 and (day in said or len(planned - {own}) == 1)
    return ahead[0] if certain else own


def _can_move(day: date, message: Message) -> bool:
    """Whether what a message names for a day can be moved: no feast, and not "I can't on the 14th"."""
    text = message.text[:LONGEST]
    times = message_times(text, message.sent_at, order=message.date_order)
    return all(
        "holiday" not in one.kinds and not _NOT_THEN.search(text[: one.left])
        for one in times
        if one.one_day and one.start.date() == day
    )


def _moved_within(message: Message) -> Iterator[tuple[date, date]]:
    """The days that a message moves, and where to: "that on 3 December has been moved to 7 December"."""
    text = message.text[:LONGEST]
    times = message_times(text, message.sent_at, order=message.date_order)
    days = sorted((one for one in times if one.one_day), key=lambda one: one.left)
    for old, new in pairwise(days):
        if _MOVED_TO.match(text[old.right : new.left]) and old.start.date() != new.start.date():
            yield old.start.date(), new.start.date()


def moves_about(store: Store, about: Ids | None) -> list[tuple[Message, Source]]:
    """The messages about something that plan a day, each with the later one that may move it.

    Those moved last come first, and each change once, with the last message that it changes. Call it inside
    ``reading()``.
    """
    ids = store.columns.naming_days(date.min.isoformat(), date.max.isoformat())
    named = ids if about is None else about[is_among(about, ids)]
    messages = store.messages.by_ids(named[-MOST_READ:].tolist())
    by_change = {
        change.message_id: (messages[one], change)
        for one, change in changes_of(store, [*messages.values()]).items()
    }
    return sorted(by_change.values(), key=lambda pair: pair[1].sent_at, reverse=True)

"""The evidence for one event of a question that compares or counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.event_dates import when_happened
from minirag_chat.records import EventEvidence, Evidence, Message, TimeSpan
from minirag_chat.retrieve.base import Retriever, Search
from minirag_chat.retrieve.evidence import one_a_session
from minirag_chat.retrieve.ranking import passes

EventUse = Literal["compared", "counted"]
CANDIDATES: dict[EventUse, int] = {"compared": 3, "counted": 8}
AROUND: dict[EventUse, int] = {"compared": 1, "counted": 2}
"""Messages before and after a candidate that are read with it."""
TOLD_WITHIN = timedelta(days=7)
"""Most messages about an event are sent within this time after it: "yesterday", "on Friday"."""

_OF_OTHERS = lazy(
    r"\b(?:we|us|our|you|your|he|she|they|him|her|his|them|their|let['\u2019]?s)\b"
    r"|我们|咱|你|您|他|她",
    re.IGNORECASE,
)


def event_evidence(search: Search, rank: Retriever, text: str, use: EventUse) -> EventEvidence:
    """The candidates for the event ``text``, for which ``search`` was made, with their windows.

    For counting, the event must be in the time that the question names, and the message, which may be sent
    later, about the person who acts in it. For comparing, messages about that person are used if there are
    any, else all.
    """
    if use == "counted":
        times = search.question.times
        search.question = replace(search.question, times=tuple(map(_and_later, times)))
        found = one_a_session(search, rank(search), with_event_words=True)
        found = [
            e for e in found if _was_in(times, text, e.message) and _of_actors(search, e.message)
        ]
    else:
        found = one_a_session(search, rank(search))
        found = [e for e in found if _of_actors(search, e.message)] or found
    candidates = found[: CANDIDATES[use]]
    return EventEvidence(
        text,
        tuple(candidates),
        tuple(_window(search, candidate, AROUND[use]) for candidate in candidates),
        search.store.words.rarity(text),
        float(search.likeness.max(initial=0.0)),
        more=len(candidates) == CANDIDATES[use],
    )


def _and_later(time: TimeSpan) -> TimeSpan:
    """A period with the days after it, in which people still write about its events."""
    return replace(time, end=min(time.end, datetime.max - TOLD_WITHIN) + TOLD_WITHIN)


def _was_in(times: Sequence[TimeSpan], event: str, message: Message) -> bool:
    at, _end = when_happened(event, message)
    return not times or any(time.start <= at < time.end for time in times)


def _of_actors(search: Search, message: Message) -> bool:
    """Whether a message can be about who acts: by them, naming them, or saying "we", "you" or "she".

    What others say about themselves ("Visited Grandpa today") or about somebody else by name is not; and
    what somebody said ("How often did Ann thank me?") is only in messages by them.
    """
    if quoted := {entity.id for entity in search.question.quoted_speakers}:
        return message.sender_id in quoted
    actors = {entity.id for entity in search.question.speakers}
    if not actors or message.sender_id in actors:
        return True
    found = search.store.people.index().find(message.text)
    named = {owner for _start, _end, owners in found for owner in owners}
    return not actors.isdisjoint(named) or (not named and bool(_OF_OTHERS.search(message.text)))


def _window(search: Search, candidate: Evidence, around: int) -> tuple[Message, ...]:
    message = candidate.message
    near = search.store.messages.around(message, around)
    return tuple(m for m in near if m.session_id == message.session_id and passes(search, m))

"""What is found for one event of a question that compares dates, counts or asks for a sender."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from minirag_chat.records import EventEvidence, Evidence, Message, ScoredChunk
from minirag_chat.retrieve.base import Search
from minirag_chat.retrieve.evidence import one_a_sender, one_a_session

Asked = Literal["compared", "counted", "sender"]
CANDIDATES: dict[Asked, int] = {"compared": 3, "counted": 8, "sender": 3}
AROUND: dict[Asked, int] = {"compared": 1, "counted": 2, "sender": 0}
"""Messages before and after a candidate that are read with it."""


def event_evidence(
    search: Search, ranked: Sequence[ScoredChunk], text: str, asked: Asked
) -> EventEvidence:
    """The candidates for the event ``text``, for which ``search`` was made, with their windows."""
    pick = one_a_sender if asked == "sender" else one_a_session
    candidates = pick(search, ranked, CANDIDATES[asked])
    return EventEvidence(
        text,
        tuple(candidates),
        tuple(_window(search, candidate, AROUND[asked]) for candidate in candidates),
        search.store.index.rare_words(text),
        float(search.cosine.max(initial=0.0)),
        more=len(candidates) == CANDIDATES[asked],
    )


def _window(search: Search, candidate: Evidence, around: int) -> tuple[Message, ...]:
    message = candidate.message
    near = search.store.messages.around(message, around) if around else [message]
    return tuple(m for m in near if m.session_id == message.session_id)

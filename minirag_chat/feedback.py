"""Likes and dislikes of answers: kept in the database, and nowhere else.

Only the question, the verdict and the ids of the cited messages are kept, never an answer's text; what
cites a deleted message goes with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from minirag_chat.records import Answer
from minirag_chat.store import Store

_KEY = "feedback"


@dataclass(frozen=True, slots=True)
class Rating:
    """A verdict on one answer. ``messages`` are the ids of what it showed."""

    question: str
    liked: bool
    model: str
    confidence: float
    messages: tuple[int, ...]


def rate(store: Store, answer: Answer, *, liked: bool | None) -> None:
    """Keep a verdict in place of an earlier one on the same question; None takes it back."""
    shown = tuple(s.message_id for s in answer.sources or answer.closest)
    with store.transaction():
        kept = [rating for rating in ratings(store) if rating.question != answer.question]
        if liked is not None:
            kept.append(Rating(answer.question, liked, answer.model, answer.confidence, shown))
        _keep(store, kept)


def ratings(store: Store) -> list[Rating]:
    """All verdicts, the newest last."""
    return [
        Rating(**{**row, "messages": tuple(row["messages"])})
        for row in json.loads(store.meta(_KEY) or "[]")
    ]


def forget_deleted(store: Store) -> None:
    """Drop the verdicts on answers that showed a message which is gone; inside a transaction."""
    kept = [
        r for r in ratings(store) if len(store.messages.by_ids(r.messages)) == len(set(r.messages))
    ]
    _keep(store, kept)


def _keep(store: Store, kept: list[Rating]) -> None:
    rows = [{name: getattr(r, name) for name in Rating.__slots__} for r in kept]
    store.set_meta(_KEY, json.dumps(rows))

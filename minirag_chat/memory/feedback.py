"""Likes and dislikes of answers, stored in the database and nowhere else.

Only the question, the verdict and the ids of the cited messages are kept, never an answer's text. A
verdict is deleted with any message that its answer cites.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from minirag_chat.records import Answer
from minirag_chat.store import Store
from minirag_chat.store.text import terms, words

_KEY = "feedback"


@dataclass(frozen=True, slots=True)
class Rating:
    """A verdict on one answer. ``messages`` are the ids of the messages that it showed."""

    question: str
    liked: bool
    model: str
    confidence: float
    messages: tuple[int, ...]


def rate(store: Store, answer: Answer, *, liked: bool | None) -> None:
    """Store a verdict, in place of an earlier one on the same question; None removes it."""
    shown = tuple(s.message_id for s in answer.shown)
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


def asked_words(store: Store, texts: Iterable[str]) -> frozenset[str]:
    """The words of questions with a verdict that ``texts`` have, which are read only where there are any."""
    asked = {word for rating in ratings(store) for word in terms(rating.question)}
    found: set[str] = set()
    for text in texts if asked else ():
        found |= asked.intersection(words(text))
    return frozenset(found)


def forget_deleted(store: Store, gone: Collection[str]) -> None:
    """Drop the verdicts that depend on deleted messages; call it inside a transaction.

    These showed a message that is deleted for good, not just in the trash, or their question has a word that
    only deleted messages had. ``gone`` are the words that these had, as ``asked_words`` found them before.
    """
    kept = ratings(store)
    if not kept:
        return
    left = [
        rating
        for rating in kept
        if {*rating.messages}
        <= {*store.messages.by_ids(rating.messages), *store.trash.holds(rating.messages)}
        and not any(
            word in gone and not len(store.words.bm25("messages", word).rows)
            for word in terms(rating.question)
        )
    ]
    _keep(store, left)


def reword(store: Store, questions: Mapping[str, str]) -> None:
    """Replace questions of verdicts (old → new); call it inside a transaction."""
    if questions:
        kept = ratings(store)
        _keep(store, [replace(r, question=questions.get(r.question, r.question)) for r in kept])


def _keep(store: Store, kept: list[Rating]) -> None:
    rows = [{name: getattr(r, name) for name in Rating.__slots__} for r in kept]
    store.set_meta(_KEY, json.dumps(rows))

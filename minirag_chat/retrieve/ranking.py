"""The trained ranker's order: of the messages that were found, which state the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from minirag_chat.names import split_joined
from minirag_chat.records import STATES, Evidence, Message
from minirag_chat.retrieve.base import Search, standardised

POOL = 80  # messages that the ranker reads
FOUND = 0.5  # what retrieval's z-score counts beside the ranker's
LONGEST, LONGEST_BEFORE = 400, 160  # characters


def reranked(search: Search, found: Sequence[Evidence]) -> list[Evidence]:
    """``found`` in the order of the ranker and of retrieval together; its first ``POOL`` change place.

    A message's score becomes the sum of the ranker's z-score over the pool and half of retrieval's; what
    the ranker said is its signal ``STATES``.
    """
    pool, rest = found[:POOL], found[POOL:]
    if search.ranker is None or not pool:
        return list(found)
    before = search.store.messages.before([item.message for item in pool])
    passages = [passage(item.message, before.get(item.message.id)) for item in pool]
    states = search.ranker.scores(search.question.text, passages).astype(np.float64)
    found_by = standardised(np.array([item.score for item in pool]))
    scores = standardised(states) + FOUND * found_by
    again = [
        replace(
            pool[i], score=float(scores[i]), signals={**pool[i].signals, STATES: float(states[i])}
        )
        for i in np.argsort(-scores, kind="stable")
    ]
    return [*again, *(replace(item, score=again[-1].score) for item in rest)]


def passage(message: Message, before: Message | None) -> str:
    """A message as the ranker reads it: its day, its sender, its words, and the message before it."""
    own = f"{message.sent_at:%A} {message.sent_at.day} {message.sent_at:%B %Y}, {_said(message, LONGEST)}"
    return f"{own} | after {_said(before, LONGEST_BEFORE)}" if before else own


def _said(message: Message, longest: int) -> str:
    return f"{split_joined(message.sender)}: {' '.join(message.text.split())[:longest]}"

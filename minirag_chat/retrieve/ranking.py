"""The trained ranker's order: of the messages that were found, which state the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from minirag_chat.records import STATES, Evidence, Message
from minirag_chat.retrieve.base import Search, standardised
from minirag_chat.store.columns import is_among
from minirag_chat.wording import day, one_line

POOL = 80  # messages that the ranker reads
POOL_OF_MANY = 28  # the same in a long history, where it has seldom read one before
FOUND = 0.5  # what retrieval's z-score counts beside the ranker's
CHAT = 0.3  # what BM25 of a message's whole chat counts beside them
LONGEST, LONGEST_BEFORE = 400, 160  # characters
NEIGHBOURS_OF = 12  # of so many of the best messages the neighbours are read too
BESIDE = 2.0  # by how much these are worse at most


def reranked(search: Search, found: Sequence[Evidence]) -> list[Evidence]:
    """``found`` in the order of the ranker and of retrieval together; only its first ones change place.

    A message's score becomes the sum of the ranker's z-score over the pool, half of retrieval's and
    ``CHAT`` of its chat's BM25: where there are many chats, a question is mostly about one. What the
    ranker said is its signal ``STATES``.
    """
    size = POOL_OF_MANY if search.store.nearest.many() else POOL
    pool, rest = found[:size], found[size:]
    if search.ranker is None or not pool:
        return list(found)
    before = search.store.messages.before([item.message for item in pool])
    passages = [passage(item.message, before.get(item.message.id)) for item in pool]
    states = search.ranker.scores(search.question.text, passages).astype(np.float64)
    found_by = standardised(np.array([item.score for item in pool]))
    chats = search.bm25_of_chats(np.array([item.message.chat_id for item in pool]))
    scores = standardised(states) + FOUND * found_by + CHAT * chats
    again = [
        replace(
            pool[i], score=float(scores[i]), signals={**pool[i].signals, STATES: float(states[i])}
        )
        for i in np.argsort(-scores, kind="stable")
    ]
    return [*again, *(replace(item, score=again[-1].score) for item in rest)]


def with_neighbours(search: Search, found: Sequence[Evidence]) -> list[Evidence]:
    """``found`` with the messages right before and after the best ones in their conversation, in order.

    Such a neighbour is at most ``BESIDE`` worse: "ok the 20th then" has no word of a question about the
    trip, and is where the plan changed.
    """
    best = {item.message.id: item for item in found}
    beside: dict[int, Evidence] = {}
    for item in found[:NEIGHBOURS_OF]:
        score = item.score - BESIDE
        for message in search.store.messages.around(item.message, 1):
            if message.session_id != item.message.session_id or not _passes(search, message):
                continue
            if message.id in best:
                known = best[message.id]
                best[message.id] = replace(known, score=max(known.score, score))
            else:
                beside.setdefault(message.id, Evidence(message, score, 0, {}))
    chunks = {message: chunk for chunk, message in search.store.index.chunks_of(beside)}
    own = (replace(item, chunk_id=chunks.get(number, 0)) for number, item in beside.items())
    return sorted([*best.values(), *own], key=lambda item: -item.score)


def _passes(search: Search, message: Message) -> bool:
    """Whether a message is among those that the question was narrowed to."""
    return search.allowed is None or bool(is_among(np.array([message.id]), search.allowed)[0])


def passage(message: Message, before: Message | None) -> str:
    """A message as the ranker reads it: its day, its sender, its words, and the message before it."""
    own = f"{message.sent_at:%A} {day(message.sent_at)}, {_said(message, LONGEST)}"
    return f"{own} | after {_said(before, LONGEST_BEFORE)}" if before else own


def _said(message: Message, longest: int) -> str:
    return f"{message.shown_sender}: {one_line(message.text)[:longest]}"

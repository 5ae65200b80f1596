"""Ranked chunks → messages: what ``retrieve`` returns, and what a model is given to read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minirag_chat.records import Evidence, Message, ScoredChunk
from minirag_chat.retrieve.base import Search
from minirag_chat.retrieve.ranking import reranked, stem_set, with_neighbours
from minirag_chat.store.columns import is_among

WORDS, SPEAKER = 1.0, 0.5
PROMPT_WORDS, PROMPT_SPEAKER = 2.0, 1.0  # added to a chunk's score, which is a sum of z-scores
PROMPT_CHUNKS = 40
CHUNKS_FOR_EACH = 4  # chunks looked at for each message asked for


def best_messages(search: Search, ranked: Sequence[ScoredChunk], count: int) -> list[Evidence]:
    """The ``count`` best messages of the ranked chunks, reranked if there is a ranker."""
    if search.ranker is None:
        return diverse_messages(search, ranked, count)
    order = reranked(search, by_message(search, ranked))
    if len(order) < count:
        known = {found.message.id for found in order}
        more = diverse_messages(search, ranked, count)
        order += [found for found in more if found.message.id not in known]
    return _clamped(order[:count])


def diverse_messages(search: Search, ranked: Sequence[ScoredChunk], count: int) -> list[Evidence]:
    """The ``count`` best messages of the ranked chunks.

    First the best message of each session, in the order of the sessions' best chunks, so that a few
    messages show all that was found; then the other messages of the same chunks. Within a chunk, messages
    are ranked by their own words and by whether the question asks about their sender.
    """
    chunks = ranked[: max(CHUNKS_FOR_EACH * count, 20)]
    members = search.store.index.members([chunk.chunk_id for chunk in chunks])
    messages = search.store.messages.by_ids(sorted({m for ids in members.values() for m in ids}))
    local = _local_scores(search, messages)
    first: list[Evidence] = []
    further: list[Evidence] = []
    seen: set[int] = set()
    sessions: set[int] = set()
    for chunk in chunks:
        candidates = [i for i in members[chunk.chunk_id] if i in local and i not in seen]
        for identity in sorted(candidates, key=lambda i: -local[i]):
            seen.add(identity)
            found = Evidence(messages[identity], chunk.score, chunk.chunk_id, chunk.signals)
            (further if chunk.session_id in sessions else first).append(found)
            sessions.add(chunk.session_id)
    return _clamped([*first, *further][:count])


def prompt_order(search: Search, ranked: Sequence[ScoredChunk]) -> list[Evidence]:
    """The messages of the best chunks, in the order in which they get a place in the prompt."""
    order = reranked(search, by_message(search, ranked))
    if search.ranker is None or not search.settings.does("neighbours"):
        return order
    return with_neighbours(search, order)


def by_message(search: Search, ranked: Sequence[ScoredChunk]) -> list[Evidence]:
    """The messages of the best chunks, each with a score of its own, best first.

    The score is the sum of its chunk's score, one for its own words, and one if the question asks about
    its sender.
    """
    does = search.settings.does
    chunks = ranked[:PROMPT_CHUNKS]
    members = search.store.index.members([chunk.chunk_id for chunk in chunks])
    messages = search.store.messages.by_ids(sorted({m for ids in members.values() for m in ids}))
    local = _local_scores(
        search, messages, PROMPT_WORDS, PROMPT_SPEAKER if does("speakers") else 0.0
    )
    best: dict[int, Evidence] = {}
    for chunk in chunks:
        for identity in members[chunk.chunk_id]:
            if identity not in local:
                continue
            message = messages[identity]
            score = chunk.score + local[identity]
            if identity not in best or best[identity].score < score:
                best[identity] = Evidence(message, score, chunk.chunk_id, chunk.signals)
    return sorted(best.values(), key=lambda found: -found.score)


def _local_scores(
    search: Search,
    messages: dict[int, Message],
    word_weight: float = WORDS,
    speaker_weight: float = SPEAKER,
) -> dict[int, float]:
    ids = np.array(list(messages), dtype=np.int64)
    found = search.store.words.bm25("messages", search.question.query).of(ids)
    words = dict(zip(messages, found.tolist(), strict=True))
    highest = max(words.values(), default=0.0) or 1.0
    wanted = {entity.id for entity in search.question.writers}
    passing = np.ones(len(ids), bool) if search.allowed is None else is_among(ids, search.allowed)
    return {
        i: word_weight * words[i] / highest + speaker_weight * (message.sender_id in wanted)
        for (i, message), passes in zip(messages.items(), passing, strict=True)
        if passes
    }


def _clamped(evidence: list[Evidence]) -> list[Evidence]:
    """Clamp each score to the one before it, so that the scores never rise."""
    lowest = float("inf")
    result = []
    for item in evidence:
        lowest = min(lowest, item.score)
        result.append(Evidence(item.message, lowest, item.chunk_id, item.signals))
    return result


def one_a_session(
    search: Search, ranked: Sequence[ScoredChunk], *, with_event_words: bool = False
) -> list[Evidence]:
    """The best message of each session, best session first: the occurrences of an event.

    ``with_event_words`` prefers a message with a word of the event to one without. A file without text
    shows no event.
    """
    wanted = stem_set(search.question.query) if with_event_words else frozenset()
    best: dict[int, Evidence] = {}
    for found in by_message(search, ranked):
        if found.message.wordless:
            continue
        kept = best.setdefault(found.message.session_id, found)
        if wanted & stem_set(found.message.text) and not wanted & stem_set(kept.message.text):
            best[found.message.session_id] = found
    return list(best.values())

"""Ranked chunks → messages: what ``retrieve`` returns, and what a model is given to read."""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.records import Evidence, Message, ScoredChunk
from minirag_chat.retrieve.base import Search

WORDS, SPEAKER = 1.0, 0.5
READING_WORDS, READING_SPEAKER = 2.0, 1.0  # beside a chunk's score, which is a sum of z-scores
CHUNKS_READ = 40
CHUNKS_FOR_EACH = 4  # chunks looked at for each message asked for


def one_a_message(search: Search, ranked: Sequence[ScoredChunk], count: int) -> list[Evidence]:
    """The ``count`` best messages of the ranked chunks.

    First the best message of each session, sessions by their best chunk, so that a few messages
    show all that was found; then the further messages of the same chunks. Within a chunk a message
    counts for its own words and for being by someone whom the question asks about.
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
    return _falling([*first, *further][:count])


def reading_order(search: Search, ranked: Sequence[ScoredChunk]) -> list[Evidence]:
    """The messages of the best chunks in the order in which they deserve a place in the prompt.

    A message counts for its chunk, for its own words and for being by someone whom the question
    asks about: with the same budget, 2 to 3 points more answers stand in what is read than when
    whole chunks are taken (docs/measured.md).
    """
    chunks = ranked[:CHUNKS_READ]
    members = search.store.index.members([chunk.chunk_id for chunk in chunks])
    messages = search.store.messages.by_ids(sorted({m for ids in members.values() for m in ids}))
    local = _local_scores(search, messages, READING_WORDS, READING_SPEAKER)
    best: dict[int, Evidence] = {}
    for chunk in chunks:
        for identity in members[chunk.chunk_id]:
            score = chunk.score + local.get(identity, 0.0)
            if identity not in best or best[identity].score < score:
                found = Evidence(messages[identity], score, chunk.chunk_id, chunk.signals)
                best[identity] = found
    return sorted(best.values(), key=lambda found: -found.score)


def _local_scores(
    search: Search,
    messages: dict[int, Message],
    word_weight: float = WORDS,
    speaker_weight: float = SPEAKER,
) -> dict[int, float]:
    words = search.store.index.bm25("message_text", search.question.text)
    highest = max((words.get(i, 0.0) for i in messages), default=0.0) or 1.0
    wanted = {entity.id for entity in search.question.speakers or search.question.people}
    allowed = search.allowed
    return {
        i: word_weight * words.get(i, 0.0) / highest
        + speaker_weight * (message.sender_id in wanted)
        for i, message in messages.items()
        if allowed is None or i in allowed
    }


def _falling(found: list[Evidence]) -> list[Evidence]:
    """Scores that fall with the rank: a further message is at most as good as the one before it."""
    lowest = float("inf")
    result = []
    for item in found:
        lowest = min(lowest, item.score)
        result.append(Evidence(item.message, lowest, item.chunk_id, item.signals))
    return result


def one_a_session(search: Search, ranked: Sequence[ScoredChunk], count: int) -> list[Evidence]:
    """The best message of each of the ``count`` best sessions: the occurrences of an event."""
    best: dict[int, Evidence] = {}
    for found in reading_order(search, ranked):
        best.setdefault(found.message.session_id, found)
    return list(best.values())[:count]

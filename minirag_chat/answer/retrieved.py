"""What was found for a question: all that an answer needs from the database before reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from minirag_chat.answer.cite import coverage
from minirag_chat.answer.word_overlap import stem_weights
from minirag_chat.records import STATES, EventEvidence, Evidence, Message, Question, ScoredChunk
from minirag_chat.store import Store

CHUNKS_SHOWN = 12
CHUNKS_FOR_SIGNALS = 5
CLOSE = 2.5  # a message may answer as well as the best one if its log-odds (ranker) are at most this lower
FAR = 3.5  # one whose score is this much lower than the best one's hardly ever answers


@dataclass(frozen=True, slots=True)
class RetrievedEvidence:
    """The evidence for a question ``question_text``, best first, and numbers about it.

    ``history`` is the earlier exchange that a follow-up refers to, ``chunk_of`` the chunk that each message
    was found in, ``weights`` the rarity of the question's words, ``scores`` the ranker's scores by message
    id, ``nearly_best`` the ids of the messages that may answer as well as the best one, and ``unlikely`` of
    those that hardly ever do. With ``no_message_passes`` the filters leave no message. ``signals`` are
    ``coverage``, ``cosine`` and, with a ranker, ``states``.
    """

    question_text: str
    history: tuple[tuple[str, str], ...]
    candidates: tuple[Message, ...]
    chunk_of: Mapping[int, int]
    weights: Mapping[str, float]
    scores: Mapping[int, float]
    nearly_best: frozenset[int]
    unlikely: frozenset[int]
    signals: Mapping[str, float]
    events: tuple[EventEvidence, ...]
    no_message_passes: bool = False


def gather(
    store: Store,
    question: Question,
    ranked: Sequence[ScoredChunk],
    evidence: Sequence[Evidence],
    *,
    question_text: str,
    history: Sequence[tuple[str, str]],
    cosine: float,
    events: Sequence[EventEvidence] = (),
    no_message_passes: bool = False,
) -> RetrievedEvidence:
    """Collect what was found; call it inside ``Store.reading()``. The result needs no transaction."""
    chunks = [chunk.chunk_id for chunk in ranked[:CHUNKS_SHOWN]]
    members = store.index.members(chunks)
    messages = store.messages.by_ids(sorted({m for chunk in chunks for m in members[chunk]}))
    windows = [[messages[m] for m in members[chunk]] for chunk in chunks[:CHUNKS_FOR_SIGNALS]]
    weights = stem_weights(store.words.rarity(question.text))
    signals = {"coverage": coverage(question.text, windows, weights), "cosine": cosine}
    judged = {item.message.id: item.signals[STATES] for item in evidence if STATES in item.signals}
    if judged:
        signals[STATES] = max(judged.values())
    scores = {item.message.id: item.score for item in evidence} if judged else {}
    best = max(scores.values(), default=0.0)
    return RetrievedEvidence(
        question_text=question_text,
        history=tuple(history),
        candidates=tuple(item.message for item in evidence),
        chunk_of=_chunk_of(members, chunks, evidence, events),
        weights=weights,
        scores=scores,
        nearly_best=frozenset(
            m for m, states in judged.items() if states > signals[STATES] - CLOSE
        ),
        unlikely=frozenset(m for m, score in scores.items() if score <= best - FAR),
        signals=signals,
        events=tuple(events),
        no_message_passes=no_message_passes,
    )


def _chunk_of(
    members: Mapping[int, Sequence[int]],
    chunks: Sequence[int],
    evidence: Sequence[Evidence],
    events: Sequence[EventEvidence],
) -> dict[int, int]:
    """The chunk of each message: the one in which it was found, else the first that has it."""
    chunk_of = {message: chunk for chunk in reversed(chunks) for message in members[chunk]}
    chunk_of.update({item.message.id: item.chunk_id for item in evidence})
    for event in events:
        chunk_of.update({item.message.id: item.chunk_id for item in event.candidates})
    return chunk_of

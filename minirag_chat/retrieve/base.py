"""The input and output of every retrieval method."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minirag_chat.models.protocols import Embedder, Ranker, Vectors
from minirag_chat.records import Question, ScoredChunk
from minirag_chat.retrieve.nearby import LOOKED_AT, Nearby
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.store.arrays import Ids
from minirag_chat.store.bm25 import Scored, Unit
from minirag_chat.store.columns import is_among
from minirag_chat.store.index import ChunkMatrix, ChunkRows
from minirag_chat.store.summaries import SummaryMatrix

MOST_CHUNKS = 200
Scores = NDArray[np.float64]


@dataclass
class Search:
    """One question against one store. Scores are arrays of shape (chunks,), computed once."""

    question: Question
    store: Store
    embedder: Embedder
    settings: Settings
    ranker: Ranker | None = None

    @cached_property
    def rows(self) -> ChunkRows:
        """All chunks."""
        return self.store.index.rows()

    @cached_property
    def matrix(self) -> ChunkMatrix:
        """All chunks with their vectors: loads all of them into memory, however many there are."""
        return self.store.index.matrix()

    @cached_property
    def vector(self) -> Vectors:
        """The question's unit vector, shape (dimension,)."""
        return self.embedder.embed_question(self.question.query)

    @cached_property
    def cosine(self) -> Scores:
        """Cosine of question and chunk; the mean for a chunk that is not embedded yet."""
        return self.matrix.cosine(self.vector)

    @cached_property
    def _nearby(self) -> Nearby | None:
        """Only the cosines worth computing; None if there are few enough chunks to compare with all."""
        if not self.store.nearest.many():
            return None
        return Nearby(self.store, self.rows, self.vector)

    @property
    def likeness(self) -> Scores:
        """The cosines, shape (chunks,); with very many chunks, only those of the nearest are exact."""
        return self.cosine if self._nearby is None else self._nearby.values

    def likeness_beside(self, others: Scores) -> Scores:
        """The z-score of each chunk's cosine, to be added to its other scores."""
        if self._nearby is None:
            return standardised(self.cosine)
        self._nearby.look_at(highest(others, self._passing(), LOOKED_AT))
        return self._nearby.standardised()

    @cached_property
    def chunk_bm25(self) -> Scores:
        """BM25 of each chunk."""
        return self._spread("chunks", self.rows.chunk_ids)

    @cached_property
    def session_bm25(self) -> Scores:
        """BM25 of each chunk's whole session."""
        return self._spread("sessions", self.rows.session_ids)

    @cached_property
    def chat_bm25(self) -> Scores:
        """BM25 of each chunk's whole chat."""
        return self.bm25_of_chats(self.store.columns.chats_of(self.rows.session_ids))

    def bm25_of_chats(self, chats: Ids) -> Scores:
        """BM25 of whole chats, shape (len(chats),); 0 if this step is switched off."""
        return self._chats.of(chats) if self.settings.does("chats") else np.zeros(len(chats))

    @cached_property
    def _chats(self) -> Scored:
        return self.store.words.bm25("chats", self.question.query)

    @cached_property
    def allowed(self) -> Ids | None:
        """The messages that pass the question's filters, in order; None where all do."""
        return self.store.columns.allowed(self.question.filters)

    def _spread(self, unit: Unit, ids: Ids) -> Scores:
        return self.store.words.bm25(unit, self.question.query).of(ids)

    def by_chunk(self, values: Mapping[int, float]) -> Scores:
        """Values by chunk id as an array of shape (chunks,); 0 for a chunk without a value."""
        return np.array([values.get(int(i), 0.0) for i in self.rows.chunk_ids])

    def by_summary(self, summaries: SummaryMatrix, values: Mapping[int, float]) -> Scores:
        """For each chunk the highest value of its summaries, lowered if it belongs to one only in part."""
        best: dict[int, float] = defaultdict(float)
        for summary, value in values.items():
            for chunk, weight in summaries.members[summary].items():
                best[chunk] = max(best[chunk], value * weight**0.5)
        return self.by_chunk(best)

    def ranked(self, scores: Scores, **signals: Scores) -> list[ScoredChunk]:
        """The best chunks, best first, with the parts of their score."""
        return [
            ScoredChunk(
                chunk_id=int(self.rows.chunk_ids[i]),
                session_id=int(self.rows.session_ids[i]),
                score=float(scores[i]),
                signals={name: float(values[i]) for name, values in signals.items()},
            )
            for i in highest(scores, self._passing(), MOST_CHUNKS)
        ]

    def _passing(self) -> Ids:
        """The row numbers of the chunks with a message that passes the filters."""
        ids = self.rows.chunk_ids
        if self.allowed is None:
            return np.arange(len(ids))
        return np.flatnonzero(is_among(ids, self.store.columns.chunks_with(self.allowed)))


Retriever = Callable[[Search], list[ScoredChunk]]


def highest(scores: Scores, among: Ids, count: int) -> Ids:
    """The ``count`` positions in ``among`` with the highest scores, best first; ties keep their order."""
    values = scores[among]
    if len(values) > count:  # sort only those that can be among the best
        enough = values >= np.partition(values, -count)[-count]
        among, values = among[enough], values[enough]
    return among[np.argsort(-values, kind="stable")[:count]]


def standardised(values: Scores) -> Scores:
    """Values as z-scores (mean 0, standard deviation 1), so that signals can be added."""
    deviation = float(values.std())
    return (values - values.mean()) / deviation if deviation > 0 else np.zeros_like(values)

"""What every retrieval method gets and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minirag_chat.models.protocols import Embedder, Ranker, Vectors
from minirag_chat.records import Question, ScoredChunk
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.store.index import ChunkMatrix, TextTable

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

    @property
    def ranks(self) -> bool:
        """Whether a ranker orders what is found."""
        return self.ranker is not None and self.settings.does("ranker")

    @cached_property
    def matrix(self) -> ChunkMatrix:
        """All chunks."""
        return self.store.index.matrix()

    @cached_property
    def vector(self) -> Vectors:
        """The question's unit vector, shape (dimension,)."""
        vector: Vectors = self.embedder.embed([self.question.text])[0]
        return vector

    @cached_property
    def cosine(self) -> Scores:
        """Cosine of question and chunk; 0 for a chunk that is not embedded yet."""
        if not self.matrix.vectors.size:
            return np.zeros(len(self.matrix.chunk_ids))
        return np.asarray(self.matrix.vectors @ self.vector, dtype=np.float64)

    @cached_property
    def chunk_bm25(self) -> Scores:
        """BM25 of each chunk."""
        return self._spread("chunk_text", self.matrix.chunk_ids)

    @cached_property
    def session_bm25(self) -> Scores:
        """BM25 of each chunk's whole session."""
        return self._spread("session_text", self.matrix.session_ids)

    @cached_property
    def allowed(self) -> frozenset[int] | None:
        """The messages that pass the question's filters; None where all do."""
        return self.store.index.allowed(self.question.filters)

    def _spread(self, table: TextTable, ids: NDArray[np.int64]) -> Scores:
        scores = self.store.index.bm25(table, self.question.text)
        return np.array([scores.get(int(i), 0.0) for i in ids])

    def ranked(self, scores: Scores, **signals: Scores) -> list[ScoredChunk]:
        """The best chunks, best first, with the parts of their score."""
        order = np.argsort(-scores, kind="stable")
        if self.allowed is not None:
            order = self._passing(order)
        return [
            ScoredChunk(
                chunk_id=int(self.matrix.chunk_ids[i]),
                session_id=int(self.matrix.session_ids[i]),
                score=float(scores[i]),
                signals={name: float(values[i]) for name, values in signals.items()},
            )
            for i in order[:MOST_CHUNKS]
        ]

    def _passing(self, order: NDArray[np.int64]) -> NDArray[np.int64]:
        allowed = self.allowed or frozenset()
        members = self.store.index.members([int(i) for i in self.matrix.chunk_ids])
        keep = [i for i in order if not allowed.isdisjoint(members[int(self.matrix.chunk_ids[i])])]
        return np.array(keep, dtype=np.int64)


Retriever = Callable[[Search], list[ScoredChunk]]


def standardised(values: Scores) -> Scores:
    """Values as z-scores: mean 0 and deviation 1 over all chunks, so that signals can be added."""
    deviation = float(values.std())
    return (values - values.mean()) / deviation if deviation > 0 else np.zeros_like(values)

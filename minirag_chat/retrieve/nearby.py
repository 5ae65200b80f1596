"""The cosines that are worth computing, if the database finds the nearest vectors itself.

With a long history, not all vectors are in memory. A chunk that is far from the best in meaning and in
all other signals cannot be among the best in their sum. So cosines are computed only for the chunks
nearest to the question and for those best in the other signals; all others get the mean cosine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minirag_chat.models.protocols import Vectors
from minirag_chat.store import Store
from minirag_chat.store.arrays import Ids, places
from minirag_chat.store.index import ChunkRows

CLOSEST = 100  # chunks that are nearest by meaning
LOOKED_AT = 2000  # chunks that are best in the other signals


class Nearby:
    """``values``, shape (chunks,), are the cosines; where not computed, the mean cosine of a sample."""

    def __init__(self, store: Store, rows: ChunkRows, vector: Vectors) -> None:
        self._store = store
        self._rows = rows
        self._vector = vector
        sampled = store.index.sample() @ vector
        self._mean = float(sampled.mean()) if len(sampled) else 0.0
        self._deviation = float(sampled.std()) if len(sampled) else 0.0
        self.values = np.full(len(rows.chunk_ids), self._mean)
        found, there = places(store.nearest.closest(vector, CLOSEST), rows.chunk_ids)
        self.look_at(found[there])

    def look_at(self, chunks: Ids) -> None:
        """Compute the cosines of the chunks with these row numbers."""
        chunks = np.sort(chunks)
        vectors = self._store.index.vectors_of(self._rows.chunk_ids[chunks])
        embedded = vectors.any(axis=1)  # the others keep the mean
        self.values[chunks[embedded]] = vectors[embedded] @ self._vector

    def standardised(self) -> NDArray[np.float64]:
        """The cosines as z-scores; mean and deviation over all chunks are estimated by a sample."""
        above = self.values - self._mean
        return above / self._deviation if self._deviation > 0 else np.zeros_like(above)

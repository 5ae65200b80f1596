"""The cosines that are worth computing, where the database finds the nearest vectors itself.

Of a long history not all vectors are in memory. A chunk that is far from the best ones by its meaning and
by everything else is not among the best by the sum of both: so cosines are computed for the chunks
nearest to the question and for those that are best otherwise, and all others count as usual ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minirag_chat.models.protocols import Vectors
from minirag_chat.store import Store
from minirag_chat.store.arrays import Ids, places
from minirag_chat.store.index import ChunkRows

CLOSEST = 100  # chunks that are nearest by meaning
LOOKED_AT = 2000  # chunks that are best otherwise


class Nearby:
    """``values``, shape (chunks,), are cosines where they are known, and elsewhere their mean."""

    def __init__(self, store: Store, rows: ChunkRows, vector: Vectors) -> None:
        self._store = store
        self._rows = rows
        self._vector = vector
        usual = store.index.sample() @ vector
        self._mean = float(usual.mean()) if len(usual) else 0.0
        self._deviation = float(usual.std()) if len(usual) else 0.0
        self.values = np.full(len(rows.chunk_ids), self._mean)
        found, there = places(store.nearest.closest(vector, CLOSEST), rows.chunk_ids)
        self.look_at(found[there])

    def look_at(self, chunks: Ids) -> None:
        """Compute the cosines of the chunks at these places."""
        chunks = np.sort(chunks)
        self.values[chunks] = (
            self._store.index.vectors_of(self._rows.chunk_ids[chunks]) @ self._vector
        )

    def standardised(self) -> NDArray[np.float64]:
        """The cosines as z-scores over all chunks, as far as a sample tells."""
        above = self.values - self._mean
        return above / self._deviation if self._deviation > 0 else np.zeros_like(above)

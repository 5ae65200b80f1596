"""Finds the chunks nearest to a question in large databases, without comparing all vectors.

Up to ``EXACT`` chunks all vectors are in memory and compared, which is exact and takes tens of milliseconds.
Beyond, only the signs of each vector are in memory, one bit for each number: the vectors whose signs agree
best with the question's are candidates, and only these are read and compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minirag_chat.store.arrays import Ids
from minirag_chat.store.cache import Cache
from minirag_chat.store.index import IndexTables

EXACT = 100_000  # chunks
SPARE = 20  # candidates for each requested chunk
IN_MEMORY = "all compared, in memory"
BY_SIGNS = "found by their signs, in memory, then compared"
_WORD = 64  # bits that are counted at once


@dataclass(frozen=True, slots=True)
class _Signs:
    """Which numbers of each vector are above the mean: shape (d / 64, n), a bit each."""

    chunk_ids: Ids
    mean: NDArray[np.float32]
    bits: NDArray[np.uint64]

    def of(self, vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
        """The signs of vectors, shape (n, d)."""
        return _packed(vectors > self.mean)

    def differing(self, vector: NDArray[np.float32]) -> NDArray[np.uint16]:
        """The Hamming distance of each vector's signs from those of this one."""
        found = np.zeros(len(self.chunk_ids), dtype=np.uint16)
        for ours, its in zip(self.bits, self.of(vector[None])[:, 0], strict=True):
            found += np.bitwise_count(ours ^ its)
        return found


class SignsInMemory:
    """Compares by the signs of the vectors, in memory, cached until the database changes.

    Its subclasses have an index of vectors in the database; here there is none to build.
    """

    def __init__(self, index: IndexTables, cache: Cache) -> None:
        self._index = index
        self._cache = cache

    def many(self) -> bool:
        """Whether there are too many vectors to compare them all."""
        missing, chunks = self._index.missing_vectors()
        return chunks - missing > EXACT

    def closest(self, vector: NDArray[np.float32], count: int) -> Ids:
        """Candidate chunks with nearly all of the ``count`` nearest to a unit vector."""
        signs = self._cache.get("signs", self._read_signs)
        wanted = min(SPARE * count, len(signs.chunk_ids))
        return signs.chunk_ids[np.argpartition(signs.differing(vector), wanted - 1)[:wanted]]

    def _read_signs(self) -> _Signs:
        """Read in blocks, so that the vectors are never all in memory."""
        mean = self._index.sample().mean(axis=0)
        ids, bits = [], []
        for chunks, vectors in self._index.each_vector():
            ids.append(chunks)
            bits.append(_packed(vectors > mean))
        return _Signs(np.concatenate(ids), mean, np.concatenate(bits, axis=1))

    def due(self) -> bool:
        """Whether to build an index: there are many chunks, and the database supports it."""
        return False

    def prepare(self) -> None:
        """Create what the index requires; in a separate transaction. Raises ``StoreError``."""

    def make(self) -> None:
        """Build the index, which takes minutes; inside a transaction. Raises ``StoreError``."""

    def drop(self) -> None:
        """Drop it, before vectors of another dimension are stored; inside a transaction."""

    def described(self) -> str:
        """How vectors are compared, for people."""
        return BY_SIGNS if self.many() else IN_MEMORY


def _packed(above: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Bits of shape (n, d) as whole words, shape (d / 64, n); what is missing to a word is 0."""
    wide = np.pad(above, ((0, 0), (0, -above.shape[1] % _WORD)))
    return np.ascontiguousarray(np.packbits(wide, axis=1).view(np.uint64).T)

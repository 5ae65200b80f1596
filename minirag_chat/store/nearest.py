"""The chunks nearest to a question, where the database has an index of their vectors.

Up to ``EXACT`` chunks all vectors are in memory, and each is compared: that is exact and takes some tens of
milliseconds. Beyond, they would fill the memory of every process that answers.
"""

from __future__ import annotations

from typing import Protocol

from numpy import float32
from numpy.typing import NDArray

from minirag_chat.store.arrays import Ids

EXACT = 200_000  # chunks
IN_MEMORY = "all compared, in memory"


class NearestVectors(Protocol):
    """What a database can tell of vectors without handing all of them over."""

    def indexed(self) -> bool:
        """Whether there is an index that is to be asked in place of comparing all vectors."""

    def closest(self, vector: NDArray[float32], count: int) -> Ids:
        """Nearly all of the ``count`` chunks nearest to a unit vector, nearest first."""

    def due(self) -> bool:
        """Whether an index is to be made: there are many chunks, and the database knows how."""

    def prepare(self) -> None:
        """Make what the index needs; in a transaction of its own. Raises ``StoreError``."""

    def make(self) -> None:
        """Make the index, which takes minutes; inside a transaction. Raises ``StoreError``."""

    def drop(self) -> None:
        """Drop it, before vectors of another dimension come; inside a transaction."""

    def described(self) -> str:
        """How vectors are compared, for people."""


class AllInMemory:
    """SQLite has no index of vectors: all of them are compared."""

    def indexed(self) -> bool:
        """There is none."""
        return False

    def closest(self, vector: NDArray[float32], count: int) -> Ids:
        """Nobody asks."""
        raise NotImplementedError

    def due(self) -> bool:
        """None is made."""
        return False

    def prepare(self) -> None:
        """Nothing."""

    def make(self) -> None:
        """Nothing."""

    def drop(self) -> None:
        """Nothing."""

    def described(self) -> str:
        """How vectors are compared, for people."""
        return IN_MEMORY

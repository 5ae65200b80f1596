"""A stand-in for the embedder, so that a history of 300,000 messages is indexed in minutes."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from minirag_chat.models.protocols import Vectors

SHARED = 0.5  # how much all vectors have in common, as a real embedder's do


class StandInEmbedder:
    """Unit vectors by chance, the same for the same text; they say nothing about meaning.

    It goes by the name of the embedder whose place it takes, so that this one's vectors of questions
    are compared with its own: for measuring time and memory alone.
    """

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension
        self._common = _normal(b"common", dimension)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension)."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = SHARED * self._common + _normal(text.encode(), self.dimension)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / norms, dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Four tokens for three words, about what a tokenizer makes of English."""
        return [len(text.split()) * 4 // 3 + 1 for text in texts]


def _normal(key: bytes, dimension: int) -> Vectors:
    return np.random.default_rng(crc32(key)).standard_normal(dimension, dtype=np.float32)

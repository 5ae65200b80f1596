"""A stand-in for the embedder, so that a history of 300,000 messages is indexed in minutes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np

from minirag_chat.lazy_patterns import lazy
from minirag_chat.models.protocols import Vectors

SHARED = 4.0  # how much all vectors have in common, as a real embedder's do
WORDS_KEPT = 50_000  # words whose vectors are cached
_WORD = lazy(r"\w+")


class StandInEmbedder:
    """Embeds a text as the sum of a random vector for each word: texts with the same words are similar.

    The vectors have no meaning: it is only for measuring time and memory. It has the name of the embedder
    that it replaces, so that vectors of the real one for questions are accepted.
    """

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension
        self._word = lru_cache(WORDS_KEPT)(self._drawn)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension)."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = SHARED * self._word("")
            for word in set(_WORD.findall(text.lower())):
                vectors[row] += self._word(word)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / norms, dtype=np.float32)

    def embed_question(self, question: str) -> Vectors:
        """Its unit vector, shape (dimension,)."""
        vector: Vectors = self.embed([question])[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Four tokens for three words, about what a tokenizer makes of English."""
        return [len(text.split()) * 4 // 3 + 1 for text in texts]

    def _drawn(self, word: str) -> Vectors:
        drawn = np.random.default_rng(crc32(word.encode()))
        return drawn.standard_normal(self.dimension, dtype=np.float32)

"""The two plain methods: BM25 over chunks, and cosine over chunks (NaiveRAG in the paper)."""

from __future__ import annotations

from minirag_chat.records import ScoredChunk
from minirag_chat.retrieve.base import Search


def bm25(search: Search) -> list[ScoredChunk]:
    """Rank by words alone (BM25)."""
    return search.ranked(search.chunk_bm25, bm25=search.chunk_bm25)


def dense(search: Search) -> list[ScoredChunk]:
    """Rank by meaning alone (cosine)."""
    return search.ranked(search.likeness, dense=search.likeness)

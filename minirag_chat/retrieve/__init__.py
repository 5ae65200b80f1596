"""A mapped question → ranked chunks → evidence. One module per method; all return the same records."""

from __future__ import annotations

from minirag_chat.errors import NotFound
from minirag_chat.retrieve.base import Retriever, Search
from minirag_chat.retrieve.baselines import bm25, dense
from minirag_chat.retrieve.evidence import best_messages, prompt_order
from minirag_chat.retrieve.graphrag import graphrag_global, graphrag_local
from minirag_chat.retrieve.hipporag import hipporag
from minirag_chat.retrieve.hybrid import hybrid
from minirag_chat.retrieve.lightrag import lightrag
from minirag_chat.retrieve.minirag import minirag
from minirag_chat.retrieve.raptor import raptor
from minirag_chat.retrieve.required_indexes import NEEDS, is_built

METHODS: dict[str, Retriever] = {
    "hybrid": hybrid,
    "minirag": minirag,
    "bm25": bm25,
    "dense": dense,
    "hipporag": hipporag,
    "lightrag": lightrag,
    "raptor": raptor,
    "graphrag-local": graphrag_local,
    "graphrag-global": graphrag_global,
}

RANKED = frozenset({"hybrid"})
"""Our own methods: the trained ranker reranks what they find."""


def retriever(name: str) -> Retriever:
    """The retrieval method called ``name``. Raises ``NotFound``."""
    if name not in METHODS:
        raise NotFound(f"There is no retrieval method {name!r}: use one of {', '.join(METHODS)}.")
    return METHODS[name]


__all__ = [
    "METHODS",
    "NEEDS",
    "RANKED",
    "Retriever",
    "Search",
    "best_messages",
    "is_built",
    "prompt_order",
    "retriever",
]

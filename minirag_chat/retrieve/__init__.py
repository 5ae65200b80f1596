"""A mapped question → ranked chunks → evidence. One module a method; all give the same records."""

from __future__ import annotations

from minirag_chat.retrieve.base import Retriever, Search
from minirag_chat.retrieve.evidence import one_a_message, one_a_sender, one_a_session, reading_order
from minirag_chat.retrieve.hybrid import hybrid
from minirag_chat.retrieve.minirag import minirag
from minirag_chat.retrieve.single import bm25, dense

METHODS: dict[str, Retriever] = {
    "hybrid": hybrid,
    "minirag": minirag,
    "bm25": bm25,
    "dense": dense,
}

__all__ = [
    "METHODS",
    "Retriever",
    "Search",
    "one_a_message",
    "one_a_sender",
    "one_a_session",
    "reading_order",
]

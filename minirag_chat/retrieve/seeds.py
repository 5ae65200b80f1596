"""V̂_s: where a question enters the graph, of both extractors."""

from __future__ import annotations

import numpy as np

from minirag_chat.retrieve.base import Search

NEAREST, CLOSE = 5, 0.35
"""Entities of the model that are taken for being like the question, and how like they must be."""


def seeds(search: Search) -> list[tuple[int, float]]:
    """``(node, ω_v)``: what the question names (1), and what is most like it (the cosine).

    Entities of the model have negative ids, as in ``walk``.
    """
    found = {entity.id: 1.0 for entity in search.question.entities}
    near = [(e, similar) for e, similar in like_question(search, NEAREST) if similar >= CLOSE]
    nodes = search.store.walks.nodes_of([entity for entity, _similar in near])
    for entity, similarity in near:
        found.setdefault(nodes[entity].id, similarity)
    return list(found.items())


def like_question(search: Search, count: int) -> list[tuple[int, float]]:
    """The model's entities that are most like the question, with their cosine, best first."""
    table = search.store.slm.entity_vectors()
    if not len(table.ids):
        return []
    similar = table.vectors @ search.embedder.embed([search.question.text])[0]
    best = np.argsort(-similar)[:count]
    return [(int(table.ids[i]), float(similar[i])) for i in best]

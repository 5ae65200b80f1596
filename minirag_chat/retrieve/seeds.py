"""V̂_s: where a question enters the graph, of both extractors."""

from __future__ import annotations

import numpy as np

from minirag_chat.records import Entity
from minirag_chat.retrieve.base import Search

NEAREST, CLOSE = 5, 0.35
"""Entities of the model that are taken for being like the question, and how like they must be."""


def seeds(search: Search) -> list[tuple[int, float]]:
    """``(node, ω_v)`` of each seed. Entities of the model have negative ids, as in ``walk``."""
    return [(entity.id, similarity) for entity, similarity in seed_entities(search)]


def seed_entities(search: Search) -> list[tuple[Entity, float]]:
    """Each seed with ω_v: what the question names (1), and what is most like it (the cosine)."""
    found = {entity.id: (entity, 1.0) for entity in search.question.entities}
    near = [(e, similar) for e, similar in like_question(search, NEAREST) if similar >= CLOSE]
    nodes = search.store.walks.nodes_of([entity for entity, _similar in near])
    for entity, similarity in near:
        if entity in nodes:
            found.setdefault(nodes[entity].id, (nodes[entity], similarity))
    return list(found.values())


def like_question(search: Search, count: int) -> list[tuple[int, float]]:
    """The model's entities that are most like the question, with their cosine, best first."""
    table = search.store.slm.entity_vectors()
    if not len(table.ids):
        return []
    similar = table.vectors @ search.vector
    best = np.argsort(-similar)[:count]
    return [(int(table.ids[i]), float(similar[i])) for i in best]

"""V̂_s: the graph nodes at which a question starts, from the rules and from the language model."""

from __future__ import annotations

import numpy as np

from minirag_chat.models.protocols import Vectors
from minirag_chat.records import Entity
from minirag_chat.retrieve.base import Search
from minirag_chat.store.slm import VectorTable

SEED_CHUNKS = 5
NEAREST, CLOSE = 5, 0.35
"""The model's entities most similar to the question: at most how many, and the least cosine."""


def seeds(search: Search) -> list[tuple[int, float]]:
    """``(node, ω_v)`` of each seed. The model's entities have negative ids, as in ``graph/walk.py``."""
    return [(entity.id, similarity) for entity, similarity in seed_entities(search)]


def seed_entities(search: Search) -> list[tuple[Entity, float]]:
    """Each seed with ω_v: what the question names (1), and the entities most similar to it (the cosine)."""
    found = {entity.id: (entity, 1.0) for entity in search.question.entities}
    near = most_like(search.store.slm.vectors("entities"), search.vector, NEAREST)
    close = {entity: similarity for entity, similarity in near.items() if similarity >= CLOSE}
    nodes = search.store.graph.nodes_of(list(close))
    for entity, similarity in close.items():
        if entity in nodes:
            found.setdefault(nodes[entity].id, (nodes[entity], similarity))
    return list(found.values())


def nearest(search: Search) -> list[tuple[Entity, float]]:
    """The entities in the chunks nearest to the question, with the cosine of the best such chunk."""
    best = np.argsort(-search.cosine)[:SEED_CHUNKS]
    members = search.store.index.members([int(search.rows.chunk_ids[i]) for i in best])
    found: dict[int, tuple[Entity, float]] = {}
    for i in best:
        messages = members[int(search.rows.chunk_ids[i])]
        for _message, entity, name, kind, _start, _end in search.store.index.named_in(messages):
            found.setdefault(entity, (Entity(entity, name, kind), float(search.cosine[i])))
    return list(found.values())


def most_like(table: VectorTable, vectors: Vectors, count: int) -> dict[int, float]:
    """The ids of the rows most similar to a vector, or to any of several, with their cosine, best first."""
    if not len(table.ids):
        return {}
    similar = table.vectors @ vectors.T
    if similar.ndim > 1:
        similar = similar.max(axis=1)
    return {int(table.ids[i]): float(similar[i]) for i in np.argsort(-similar)[:count]}

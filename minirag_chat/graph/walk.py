"""Entities and chunks as one graph, and the walk over it that HippoRAG ranks by.

Nodes are the chunks and the entities of both extractors, in which people are merged. This is the only
method that needs the whole graph in memory: a sparse matrix, cached until the database changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minirag_chat.store import Store

STEPS, CLOSE = 50, 1e-8
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WalkGraph:
    """The graph for random walks. ``moves`` is column-stochastic, shape (n, n), sparse.

    ``entities`` and ``chunks`` map ids to rows; ``spread`` is the number of chunks that name an entity.
    Entities of a language model have negative ids.
    """

    moves: Any
    entities: Mapping[int, int]
    chunks: Mapping[int, int]
    spread: Mapping[int, int]


def walk_graph(store: Store) -> WalkGraph:
    """The graph of all entities and chunks; cached until the database changes."""
    return store.cache.get("walk graph", lambda: _build(store))


def _build(store: Store) -> WalkGraph:
    from scipy.sparse import coo_array

    named = store.graph.chunk_entities()
    related = store.graph.related()
    chunk_ids = sorted({chunk for chunk, _entity, _times in named})
    entity_ids = sorted({e for _c, e, _t in named} | {e for a, b, _w in related for e in (a, b)})
    chunks = {chunk: row for row, chunk in enumerate(chunk_ids)}
    entities = {entity: len(chunks) + row for row, entity in enumerate(entity_ids)}
    spread: dict[int, int] = dict.fromkeys(entity_ids, 0)
    edges: list[tuple[int, int, float]] = []
    for chunk, entity, _times in named:
        spread[entity] += 1
        edges.append((chunks[chunk], entities[entity], 1.0))
    edges += [(entities[a], entities[b], weight) for a, b, weight in related]
    size = len(chunks) + len(entities)
    rows, columns, weights = (np.array(part) for part in zip(*edges, strict=True)) if edges else (
        np.zeros(0, dtype=int), np.zeros(0, dtype=int), np.zeros(0)
    )  # fmt: skip
    both = coo_array(
        (np.tile(weights, 2), (np.concatenate([rows, columns]), np.concatenate([columns, rows]))),
        shape=(size, size),
    ).tocsc()
    out = both.sum(axis=0)
    scale = np.divide(1.0, out, out=np.zeros(size), where=out > 0)
    return WalkGraph(both.multiply(scale[None, :]).tocsr(), entities, chunks, spread)


def personalised_pagerank(moves: Any, start: Scores, damping: float) -> Scores:
    """The distribution of a random walk that restarts at ``start`` with probability 1 - ``damping``.

    ``start`` has shape (n,) and sums to 1; so does the result. The walk also restarts at nodes without
    edges.
    """
    here = start
    for _ in range(STEPS):
        moved = damping * (moves @ here)
        following = moved + (1 - moved.sum()) * start
        if np.abs(following - here).sum() < CLOSE:
            return np.asarray(following)
        here = following
    return np.asarray(here)

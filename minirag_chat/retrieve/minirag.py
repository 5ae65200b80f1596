"""The paper's retrieval: seeds, key relationships (Eq. 2), reasoning paths (Eq. 3), then chunks."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from minirag_chat.graph import answer_nodes, best_paths, edge_scores, key_edges, subgraph
from minirag_chat.records import Entity, ScoredChunk
from minirag_chat.retrieve.base import Scores, Search

SEED_CHUNKS = 5
MOST_SEEDS = 8
SUBGRAPH_HOPS = 2
PATH_WEIGHT = 0.2  # what full path support adds to a cosine


def minirag(search: Search) -> list[ScoredChunk]:
    """Rank the chunks tied to the best paths by cosine and path support; the rest follow."""
    support = path_support(search)
    total = search.cosine + PATH_WEIGHT * support + (support > 0)
    return search.ranked(total, dense=search.cosine, path=support)


def path_support(search: Search) -> Scores:
    """How well the paths of Eq. 3 support each chunk, in [0, 1]; 0 for those on no path."""
    seeds = _seeds(search)
    found = np.zeros(len(search.matrix.chunk_ids))
    if not seeds:
        return found
    graph = subgraph(search.store, [seed for seed, _ in seeds], SUBGRAPH_HOPS)
    answers = answer_nodes(graph, search.question.answer_types)
    keys = key_edges(edge_scores(graph, answers | {seed.id for seed, _ in seeds}))
    weight: dict[int, float] = defaultdict(float)
    for seed, similarity in seeds:
        paths = best_paths(
            graph, seed.id, similarity, keys, answers,
            longest=search.settings.hops, count=search.settings.paths,
        )  # fmt: skip
        for path in paths:
            for node in path.nodes:
                weight[node] = max(weight[node], path.score)
        weight[seed.id] = max(weight[seed.id], similarity)
    chunks: dict[int, float] = defaultdict(float)
    for chunk, entity in search.store.index.chunks_naming(weight):
        chunks[chunk] += weight[entity]
    found = np.array([chunks.get(int(i), 0.0) for i in search.matrix.chunk_ids])
    highest = found.max(initial=0.0)
    return found / highest if highest > 0 else found


def _seeds(search: Search) -> list[tuple[Entity, float]]:
    """V̂_s with ω_v: what the question names (1), else what the nearest chunks name (their cosine)."""
    named = [(entity, 1.0) for entity in search.question.entities]
    if named:
        return named[:MOST_SEEDS]
    best = np.argsort(-search.cosine)[:SEED_CHUNKS]
    members = search.store.index.members([int(search.matrix.chunk_ids[i]) for i in best])
    found: dict[int, tuple[Entity, float]] = {}
    for i in best:
        messages = members[int(search.matrix.chunk_ids[i])]
        for _message, entity, name, kind, _start, _end in search.store.index.named_in(messages):
            found.setdefault(entity, (Entity(entity, name, kind), float(search.cosine[i])))
    return list(found.values())[:MOST_SEEDS]

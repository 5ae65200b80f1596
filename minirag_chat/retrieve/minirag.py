"""The paper's retrieval (3.2): seeds, key relationships (Eq. 2), paths (Eq. 3), then chunks.

Each part can be switched off to measure its effect: by its name ``minirag-…`` in ``Settings.without``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from minirag_chat.graph import (
    Edge,
    answer_nodes,
    best_paths,
    edge,
    edge_scores,
    key_edges,
    subgraph,
)
from minirag_chat.records import Entity, ScoredChunk
from minirag_chat.retrieve.base import Scores, Search
from minirag_chat.retrieve.seeds import nearest, seed_entities

MOST_SEEDS = 8
SUBGRAPH_HOPS = 2
PATH_WEIGHT = 0.2  # added to a cosine at full path support
# chunks that are ranked together with the descriptions of their edges (d_eβ in the paper)
READ_WITH_EDGES = 8
LONGEST_DESCRIPTION = 160  # characters of d_eβ that are used with a chunk


@dataclass(frozen=True, slots=True)
class Reached:
    """What the paths of a question reach: the best ω_p by node, and Ê_α, the key relationships."""

    nodes: Mapping[int, float]
    keys: Collection[Edge]


def minirag(search: Search) -> list[ScoredChunk]:
    """Rank the chunks on the best paths by cosine and path support; the other chunks follow."""
    reached = _reached(search)
    support, key = chunk_support(search, reached)
    like = _likeness(search, reached, support, key)
    total = like + PATH_WEIGHT * support + (support > 0)
    return search.ranked(total, dense=like, path=support, key=key)


def _reached(search: Search) -> Reached:
    """Seeds V̂_s, answer nodes V̂_a, key relationships (Eq. 2) and the paths from the seeds (Eq. 3)."""
    seeds = _seeds(search)
    if not seeds:
        return Reached({}, ())
    without = search.settings.without
    graph = subgraph(search.store, [seed for seed, _ in seeds], SUBGRAPH_HOPS)
    answers = answer_nodes(graph, search.question.answer_types)
    keys: dict[Edge, float] = {}
    if "minirag-edges" not in without:
        keys = key_edges(edge_scores(graph, answers | {seed.id for seed, _ in seeds}))
    weight: dict[int, float] = defaultdict(float)
    for seed, similarity in seeds:
        paths = best_paths(
            graph, seed.id, similarity, keys, answers,
            longest=search.settings.hops, count=search.settings.paths,
        )  # fmt: skip
        for path in paths:
            score = 1.0 if "minirag-paths" in without else path.score
            for node in path.nodes:
                weight[node] = max(weight[node], score)
        weight[seed.id] = max(weight[seed.id], similarity)
    return Reached(weight, frozenset(keys))


def chunk_support(search: Search, reached: Reached) -> tuple[Scores, Scores]:
    """Each chunk's support by the paths (V_c), in [0, 1]; and 1 if it also states a key relationship."""
    inside: dict[int, set[int]] = defaultdict(set)
    for chunk, node in search.store.graph.naming(reached.nodes):
        inside[chunk].add(node)
    ids = [int(i) for i in search.rows.chunk_ids]
    found = np.array(
        [sum(reached.nodes[n] for n in inside.get(i, ())) for i in ids], dtype=np.float64
    )
    highest = found.max(initial=0.0)
    stated = [float(_states(inside.get(i, set()), reached.keys)) for i in ids]
    return found / highest if highest > 0 else found, np.array(stated)


def _states(nodes: Collection[int], keys: Collection[Edge]) -> bool:
    """Whether the nodes of a chunk include both ends of a key relationship."""
    return any(edge(a, b) in keys for a in nodes for b in nodes if a < b)


def _likeness(search: Search, reached: Reached, support: Scores, key: Scores) -> Scores:
    """Cosine of the question and the chunk; for the candidates, of the chunk together with its d_eβ.

    Candidates are chunks on a path, first those that also state a key relationship. The vectors of both
    texts are added: embedding the joined text would take ten times as long.
    """
    without = search.settings.without
    if "minirag-chunks" in without:
        return np.zeros(len(support))
    if "minirag-descriptions" in without or not reached.nodes:
        return search.cosine
    order = np.argsort(-(search.cosine + PATH_WEIGHT * support + (support > 0) + key * 1e-3))
    best = [i for i in order[:READ_WITH_EDGES] if support[i] > 0]
    if not best:
        return search.cosine
    descriptions = _descriptions(search, reached, [int(search.rows.chunk_ids[i]) for i in best])
    question = search.vector
    joined = search.matrix.some(best) + search.embedder.embed(descriptions)
    lengths = np.linalg.norm(joined, axis=1)
    like = search.cosine.copy()
    like[best] = np.maximum(like[best], (joined @ question) / np.where(lengths > 0, lengths, 1.0))
    return like


def _descriptions(search: Search, reached: Reached, chunks: Sequence[int]) -> list[str]:
    """What each chunk's edges say about the entities on the paths, those of the best paths first."""
    scores: dict[int, dict[str, float]] = defaultdict(dict)
    for chunk, node, text in search.store.graph.descriptions_in(chunks):
        if node in reached.nodes:
            scores[chunk][text] = max(scores[chunk].get(text, 0.0), reached.nodes[node])
    return [
        " ".join(sorted(scores[c], key=lambda text: -scores[c][text]))[:LONGEST_DESCRIPTION]
        for c in chunks
    ]


def _seeds(search: Search) -> list[tuple[Entity, float]]:
    """V̂_s with ω_v: what the question names (1), and the model's entities most similar to it (the cosine).

    If there are none, or the index by names is switched off (-I): the entities in the nearest chunks.
    """
    if "minirag-index" not in search.settings.without and (named := seed_entities(search)):
        return named[:MOST_SEEDS]
    return nearest(search)[:MOST_SEEDS]

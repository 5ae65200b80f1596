"""A question's part of the graph: k-hop subgraph, edge scores (Eq. 2), path scores (Eq. 3).

G = ({V_c, V_e}, {E_α, (e_β, d_eβ)}) is stored as rows (paper 3.1). Only the neighbourhood of a
question's entities is loaded, so the cost does not grow with the corpus.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minirag_chat.records import Entity, EntityType
from minirag_chat.store import Store

if TYPE_CHECKING:
    import networkx as nx

FANOUT = 12  # neighbours followed from a node: those most often named together with it
MOST_NODES = 120
MOST_STEPS = 4000  # partial paths explored from one seed
KEY_EDGES = 40

Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ScoredPath:
    """An acyclic path of entity ids and its ω_p."""

    nodes: tuple[int, ...]
    score: float


def subgraph(store: Store, seeds: Iterable[Entity], hops: int) -> nx.Graph[int]:
    """The entities within ``hops`` edges of the seeds.

    Nodes carry ``name`` and ``type``; edges ``weight`` (messages that name both, or the strength that
    the model gave) and ``message``. Entities that only the model found have negative ids.
    """
    import networkx as nx  # takes .3 s, and only some methods need it

    graph: nx.Graph[int] = nx.Graph()
    frontier = []
    for seed in seeds:
        graph.add_node(seed.id, name=seed.shown_name, type=seed.type)
        frontier.append(seed.id)
    for _ in range(hops):
        following = []
        for node in frontier:
            for other, name, kind, times, message in neighbours(store, node, FANOUT):
                if other not in graph:
                    if graph.number_of_nodes() >= MOST_NODES:
                        continue
                    graph.add_node(
                        other, name=store.people.joined_names.shown(other, name), type=kind
                    )
                    following.append(other)
                graph.add_edge(node, other, weight=times, message=message)
        frontier = following
        if graph.number_of_nodes() >= MOST_NODES:
            break
    return graph


def neighbours(store: Store, node: int, limit: int) -> list[tuple[int, str, EntityType, int, int]]:
    """``(node, name, type, weight, a message)`` of entities named with it, or related by the model."""
    named = store.index.neighbours(node, limit) if node > 0 else []
    return [*store.graph.related_to(node, limit), *named]


def answer_nodes(graph: nx.Graph[int], types: Collection[EntityType]) -> set[int]:
    """V̂_a: the nodes of the subgraph that have one of the answer's types."""
    return {node for node, data in graph.nodes(data=True) if data["type"] in types}


def edge_scores(graph: nx.Graph[int], marked: Collection[int], hops: int = 1) -> dict[Edge, float]:
    """Eq. 2: ω_e(e) = Σ over v̂ in V̂_s ∪ V̂_a of [v̂ lies in the k-hop subgraph around e]."""
    import networkx as nx

    near = {
        node: set(nx.single_source_shortest_path_length(graph, node, cutoff=hops))
        for node in marked
    }
    scores: dict[Edge, float] = {}
    for a, b in graph.edges:
        scores[edge(a, b)] = float(sum(a in reach or b in reach for reach in near.values()))
    return scores


def key_edges(scores: Mapping[Edge, float]) -> dict[Edge, float]:
    """Ê_α: the edges with the highest ω_e."""
    best = heapq.nlargest(KEY_EDGES, scores.items(), key=lambda item: (item[1], item[0]))
    return {e: score for e, score in best if score > 0}


def best_paths(
    graph: nx.Graph[int],
    seed: int,
    similarity: float,
    keys: Mapping[Edge, float],
    answers: Collection[int],
    *,
    longest: int,
    count: int,
) -> list[ScoredPath]:
    """The ``count`` best acyclic paths of up to ``longest`` edges from ``seed``, best first.

    Eq. 3: ω_p = ω_v(v̂_s|v_q) · (1 + Σ_{e ∈ p ∩ Ê_α} ω_e(e) + Σ_{v ∈ p ∩ V̂_a} 1).
    """
    found: list[ScoredPath] = []
    queue: list[tuple[float, tuple[int, ...]]] = [(-1.0, (seed,))]
    steps = 0
    while queue and steps < MOST_STEPS:
        steps += 1
        negative, nodes = heapq.heappop(queue)
        if len(nodes) > 1:
            found.append(ScoredPath(nodes, similarity * -negative))
        if len(nodes) > longest:
            continue
        for other in graph.neighbors(nodes[-1]):
            if other not in nodes:
                gain = keys.get(edge(nodes[-1], other), 0.0) + (other in answers)
                heapq.heappush(queue, (negative - gain, (*nodes, other)))
    return heapq.nlargest(count, found, key=lambda path: path.score)


def edge(a: int, b: int) -> Edge:
    """An undirected edge as a key."""
    return (a, b) if a < b else (b, a)

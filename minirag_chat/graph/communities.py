"""Leiden communities of the graph, from wide to narrow, for GraphRAG's reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

SEED = 20
SMALLEST, LARGEST = 3, 24  # entities; larger communities are split further
RESOLUTION = 1.0


@dataclass(frozen=True, slots=True)
class Community:
    """Entities that belong together. ``level`` 0 is the widest."""

    level: int
    entities: frozenset[int]


def communities(
    edges: Iterable[tuple[int, int, float]], without: Collection[int] = ()
) -> list[Community]:
    """The communities of a weighted graph at every level, the widest first.

    ``without`` are nodes to leave out: a person in every chat would connect all communities.
    """
    from graspologic_native import hierarchical_leiden

    left_out = frozenset(without)
    kept = [
        (str(a), str(b), float(weight))
        for a, b, weight in edges
        if a != b and not left_out & {a, b}
    ]
    if not kept:
        return []
    clusters = hierarchical_leiden(
        kept, resolution=RESOLUTION, max_cluster_size=LARGEST, seed=SEED, iterations=2
    )
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    for item in clusters:
        found[item.level, item.cluster].add(int(item.node))
    return [
        Community(level, frozenset(nodes))
        for (level, _cluster), nodes in sorted(found.items())
        if len(nodes) >= SMALLEST
    ]

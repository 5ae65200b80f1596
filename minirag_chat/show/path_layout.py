"""Which nodes of a reasoning path are drawn, and where: columns from the question to the messages.

Positions are in layers and rows, not pixels; ``path_graph.js`` fits them to the window. Nothing
here depends on pyvis or HTML.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass

from minirag_chat.records import PathEdge, PathNode, ReasoningPath

MAX_NODES = 40
MAX_ROWS = 8
_SWEEPS = 4


@dataclass(frozen=True, slots=True)
class Drawing:
    """The drawn part of a path. ``layer`` counts columns from 0; ``row`` is centred around 0."""

    path: ReasoningPath
    layer: Mapping[str, int]
    row: Mapping[str, float]
    left_out: int = 0


def lay_out(path: ReasoningPath) -> Drawing:
    """Choose at most ``MAX_NODES`` nodes and place them."""
    clean = _without_strays(path)
    kept = trimmed(_without_loose_topics(clean))
    layer = layers(kept)
    layer, row = folded(layer, rows(kept, layer))
    return Drawing(kept, layer, row, len(clean.nodes) - len(kept.nodes))


def trimmed(path: ReasoningPath) -> ReasoningPath:
    """The path with at most ``MAX_NODES`` nodes.

    Kept first: the question, its entities, the cited messages and their neighbours; then the rest by
    the best ω_e among a node's edges.
    """
    if len(path.nodes) <= MAX_NODES:
        return path
    near = _neighbours(path)
    types = {node.id: node.type for node in path.nodes}
    score: dict[str, float] = defaultdict(float)
    for edge in path.edges:
        for end in (edge.source, edge.target):
            score[end] = max(score[end], edge.score)

    def rank(node: PathNode) -> tuple[int, float]:
        around = {types[other] for other in near[node.id]}
        if node.type == "question":
            tier = 0
        elif "question" in around:
            tier = 1
        elif node.type == "message":
            tier = 2
        else:
            tier = 3 if "message" in around else 4
        return tier, -score[node.id]

    chosen = {node.id for node in sorted(path.nodes, key=rank)[:MAX_NODES]}
    return _only(path, chosen)


def layers(path: ReasoningPath) -> dict[str, int]:
    """Each node's column: by steps from the question, then the messages, then what only they name.

    Edges are followed forwards; a node that only leads into the path is placed just before its target.
    """
    messages = {node.id for node in path.nodes if node.type == "message"}
    starts = [n.id for n in path.nodes if n.type == "question"] or [n.id for n in path.nodes][:1]
    layer = dict.fromkeys(starts, 0)
    inner = [e for e in path.edges if not messages & {e.source, e.target}]
    _spread_forwards(layer, [(e.source, e.target) for e in inner])
    _place_before(layer, [(e.source, e.target) for e in inner])
    _spread_forwards(layer, [(end, start) for e in inner for start, end in _both(e)])
    last = max((d for n, d in layer.items() if n not in messages), default=0) + 1
    layer.update(dict.fromkeys(messages, last))
    named = [node.id for node in path.nodes if node.id not in layer]
    layer.update(dict.fromkeys(named, last + 1 if messages else last))
    return {node.id: layer[node.id] for node in path.nodes}


def _both(edge: PathEdge) -> tuple[tuple[str, str], tuple[str, str]]:
    return (edge.source, edge.target), (edge.target, edge.source)


def _spread_forwards(layer: dict[str, int], steps: list[tuple[str, str]]) -> None:
    """Place each node reachable from the placed ones at its shortest distance (breadth first)."""
    following: dict[str, list[str]] = defaultdict(list)
    for source, target in steps:
        following[source].append(target)
    queue = deque(sorted(layer, key=lambda name: layer[name]))
    while queue:
        here = queue.popleft()
        for other in following[here]:
            if other not in layer:
                layer[other] = layer[here] + 1
                queue.append(other)


def _place_before(layer: dict[str, int], steps: list[tuple[str, str]]) -> None:
    """Place a node that only leads to placed ones one column before them."""
    found: dict[str, int] = {}
    for source, target in steps:
        if source not in layer and target in layer:
            before = max(0, layer[target] - 1)
            found[source] = min(found.get(source, before), before)
    layer.update(found)


def rows(path: ReasoningPath, layer: Mapping[str, int]) -> dict[str, float]:
    """Each node's row, by a few barycentre sweeps: neighbours are close, few edges cross."""
    near = _neighbours(path)
    columns: dict[int, list[str]] = defaultdict(list)
    for node in path.nodes:
        columns[layer[node.id]].append(node.id)
    row: dict[str, float] = {}
    for ids in columns.values():
        row.update(_spread(ids))
    order = sorted(columns)
    for sweep in range(_SWEEPS):
        for column in order if sweep % 2 == 0 else reversed(order):
            ids = columns[column]
            pull = {i: _mean([row[o] for o in near[i] if layer[o] != column], row[i]) for i in ids}
            ids.sort(key=lambda i: (pull[i], row[i]))
            row.update(_spread(ids))
    return row


def folded(
    layer: Mapping[str, int], row: Mapping[str, float]
) -> tuple[dict[str, int], dict[str, float]]:
    """Split columns of more than ``MAX_ROWS`` rows into several side by side, in the same order."""
    columns: dict[int, list[str]] = defaultdict(list)
    for name in sorted(layer, key=lambda n: row[n]):
        columns[layer[name]].append(name)
    new_layer: dict[str, int] = {}
    new_row: dict[str, float] = {}
    next_free = 0
    for column in sorted(columns):
        ids = columns[column]
        parts = -(-len(ids) // MAX_ROWS)
        for part in range(parts):
            new_row.update(_spread(ids[part::parts]))
            new_layer.update(dict.fromkeys(ids[part::parts], next_free + part))
        next_free += parts
    return new_layer, new_row


def _spread(ids: list[str]) -> dict[str, float]:
    """Consecutive rows centred around 0."""
    return {name: place - (len(ids) - 1) / 2 for place, name in enumerate(ids)}


def _mean(values: list[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _neighbours(path: ReasoningPath) -> dict[str, set[str]]:
    near: dict[str, set[str]] = {node.id: set() for node in path.nodes}
    for edge in path.edges:
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
    return near


def _without_loose_topics(path: ReasoningPath) -> ReasoningPath:
    """Without topics that are linked only to a message: they lead nowhere and hide other nodes."""
    near = _neighbours(path)
    types = {node.id: node.type for node in path.nodes}
    loose = {
        node.id
        for node in path.nodes
        if node.type == "topic" and {types[other] for other in near[node.id]} == {"message"}
    }
    return _only(path, set(types) - loose)


def _without_strays(path: ReasoningPath) -> ReasoningPath:
    """Each node once, and no edge to a missing node."""
    once = {node.id: node for node in reversed(path.nodes)}
    nodes = tuple(node for node in path.nodes if once[node.id] is node)
    return _only(ReasoningPath(nodes, path.edges), set(once))


def _only(path: ReasoningPath, ids: set[str]) -> ReasoningPath:
    edges: dict[tuple[str, str, str], PathEdge] = {}
    for edge in path.edges:
        if edge.source in ids and edge.target in ids and edge.source != edge.target:
            edges.setdefault((edge.source, edge.target, edge.label), edge)
    nodes = tuple(node for node in path.nodes if node.id in ids)
    return ReasoningPath(nodes, tuple(edges.values()))

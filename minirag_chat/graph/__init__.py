"""The graph of entities: a question's paths through it (Eq. 2, Eq. 3), walks over it, its communities."""

from __future__ import annotations

from minirag_chat.graph.paths import (
    Edge,
    ScoredPath,
    answer_nodes,
    best_paths,
    edge,
    edge_scores,
    key_edges,
    neighbours,
    subgraph,
)

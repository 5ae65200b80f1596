"""HippoRAG: personalised PageRank over entities and chunks, started at what the question names.

Needs only the index of an import; what a language model extracted is part of the graph if it exists.
Entities named in few chunks get more start weight (node specificity), and every chunk gets a little
by its cosine with the question, as in HippoRAG 2.
"""

from __future__ import annotations

import numpy as np

from minirag_chat.graph.walk import personalised_pagerank, walk_graph
from minirag_chat.records import ScoredChunk
from minirag_chat.retrieve.base import Scores, Search
from minirag_chat.retrieve.seeds import seeds

DAMPING = 0.5
CHUNKS_START = 0.3  # share of the start weight for chunks; all if the question names nothing
CLOSEST = 50


def hipporag(search: Search) -> list[ScoredChunk]:
    """Rank chunks by their PageRank; ties (chunks that the walk does not reach) by cosine."""
    walked = walk_scores(search)
    highest = walked.max(initial=0.0) or 1.0
    total = walked / highest + 1e-6 * search.cosine
    return search.ranked(total, walk=walked / highest, dense=search.cosine)


def walk_scores(search: Search) -> Scores:
    """The PageRank of each chunk, shape (chunks,)."""
    graph = walk_graph(search.store)
    start = np.zeros(len(graph.chunks) + len(graph.entities))
    for entity, similarity in seeds(search):
        if entity in graph.entities:
            start[graph.entities[entity]] += similarity / max(graph.spread[entity], 1)
    total = start.sum()
    share = CHUNKS_START if total > 0 else 1.0
    start *= (1 - share) / (total or 1.0)
    near = np.argsort(-search.cosine)[:CLOSEST]
    pull = np.clip(search.cosine[near], 0.0, None)
    ids = search.rows.chunk_ids
    for place, weight in zip(near, pull / (pull.sum() or 1.0), strict=True):
        row = graph.chunks.get(int(ids[place]))
        if row is not None:
            start[row] += share * weight
    if not start.any():
        return np.zeros(len(ids))
    reached = personalised_pagerank(graph.moves, start / start.sum(), DAMPING)
    return np.array([reached[graph.chunks[int(i)]] if int(i) in graph.chunks else 0.0 for i in ids])

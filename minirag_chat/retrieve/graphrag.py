"""GraphRAG's two methods, local and global search. Both need the reports on the graph's communities.

``local`` starts at entities and ranks the chunks that name them and their neighbours; a community whose
report fits the question raises its chunks. ``global`` gives every report points for how well it fits the
question and takes the chunks of the best; in overviews, a language model gives the points.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from minirag_chat.graph import neighbours
from minirag_chat.models.protocols import Vectors
from minirag_chat.records import ScoredChunk
from minirag_chat.retrieve.base import Scores, Search
from minirag_chat.retrieve.required_indexes import check_built
from minirag_chat.retrieve.seeds import nearest, seeds
from minirag_chat.store.summaries import SummaryMatrix

MOST_NEIGHBOURS, NEIGHBOUR_WEIGHT = 10, 0.3  # neighbours of a seed that count, and their weight
REPORT_WEIGHT = 0.5  # weight of a report, added to a cosine
BEST_REPORTS = 12
POINTS = 100.0  # the most that a report gets


def graphrag_local(search: Search) -> list[ScoredChunk]:
    """Rank chunks by their entities, their community's report and their own cosine."""
    check_built(search.store, "graphrag-local")
    entities, reports = _entity_scores(search), report_points(search) / POINTS
    total = search.cosine + entities + REPORT_WEIGHT * reports
    return search.ranked(total, entities=entities, report=reports, dense=search.cosine)


def graphrag_global(search: Search) -> list[ScoredChunk]:
    """Rank chunks by the points of their report, and within a report by their own cosine."""
    check_built(search.store, "graphrag-global")
    points = report_points(search)
    return search.ranked(points / POINTS + 0.5 * search.cosine, points=points, dense=search.cosine)


def report_points(search: Search) -> Scores:
    """For each chunk the points, 0 to 100, of the best report that rests on it."""
    matrix = search.store.summaries.matrix("report")
    similar = _report_vectors(search, matrix) @ search.vector
    best = np.argsort(-similar)[:BEST_REPORTS]
    points = {int(matrix.ids[i]): POINTS * max(float(similar[i]), 0.0) for i in best}
    return search.by_summary(matrix, points)


def _report_vectors(search: Search, matrix: SummaryMatrix) -> Vectors:
    """The reports' vectors, shape (n, d). Those of reports that an overview wrote are computed lazily."""
    if matrix.vectors.size or not len(matrix.ids):
        return matrix.vectors
    store = search.store
    return store.cache.get(
        "report vectors",
        lambda: search.embedder.embed([report.text for report in store.summaries.all("report")]),
    )


def _entity_scores(search: Search) -> Scores:
    """How much of the question's entities and their neighbours each chunk names, in [0, 1]."""
    weight: dict[int, float] = {}
    closest = float(search.cosine.max(initial=0.0))
    start = seeds(search) or [(entity.id, closest) for entity, _cosine in nearest(search)]
    for node, similarity in start:
        weight[node] = max(weight.get(node, 0.0), similarity)
        for other, *_rest in neighbours(search.store, node, MOST_NEIGHBOURS):
            weight.setdefault(other, NEIGHBOUR_WEIGHT * similarity)
    chunks: dict[int, float] = defaultdict(float)
    for chunk, node in search.store.graph.naming(weight):
        chunks[chunk] += weight[node]
    found = search.by_chunk(chunks)
    highest = found.max(initial=0.0)
    return found / highest if highest > 0 else found

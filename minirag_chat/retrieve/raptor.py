"""RAPTOR: a tree of summaries over the chunks, searched as one flat collection.

Needs the tree (``summaries/tree.py``). A summary that is similar to the question raises the chunks that
it summarises; among these, the chunk's own cosine decides.
"""

from __future__ import annotations

from minirag_chat.records import ScoredChunk
from minirag_chat.retrieve.base import Scores, Search
from minirag_chat.retrieve.required_indexes import check_built

TREE_WEIGHT = 0.5  # weight of the best summary over a chunk; the chunk's own cosine has 1


def raptor(search: Search) -> list[ScoredChunk]:
    """Rank chunks by their own cosine and that of the best summary over them."""
    check_built(search.store, "raptor")
    tree = tree_scores(search)
    return search.ranked(search.cosine + TREE_WEIGHT * tree, dense=search.cosine, tree=tree)


def tree_scores(search: Search) -> Scores:
    """The best cosine of a summary over each chunk, shape (chunks,); 0 for chunks under none."""
    matrix = search.store.summaries.matrix("tree")
    similar = matrix.vectors @ search.vector
    likeness = zip(matrix.ids.tolist(), similar.tolist(), strict=True)
    return search.by_summary(matrix, dict(likeness))

"""RAPTOR's tree: chunks in soft clusters, a summary of each, clusters of summaries, and so on.

Clusters are Gaussian mixtures over the reduced vectors, first wide ones, then narrow ones inside
each; the Bayesian information criterion chooses how many narrow ones. A chunk may belong to several.
RAPTOR reduces by UMAP; here it is by principal components, which need no further library.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from minirag_chat.errors import IndexMissing
from minirag_chat.models.protocols import Embedder, Vectors
from minirag_chat.records import Cancelled, Progress, Report, never
from minirag_chat.store import Store
from minirag_chat.store.summaries import Summary
from minirag_chat.summaries.summarise import Made, Summariser

DIMENSIONS = 10
WIDE = 120  # nodes in a wide cluster, about
NARROW = (5, 8, 12)  # sizes of narrow clusters that are tried
BELONGS = 0.15  # least probability with which a node belongs to a cluster
FEW = 8  # nodes at the top of the tree
MOST_LEVELS = 5
SEED = 7
STEP = "tree"


def build_tree(
    store: Store,
    embedder: Embedder,
    summariser: Summariser,
    progress: Report,
    cancelled: Cancelled = never,
) -> Made:
    """Build the tree again; empty if ``cancelled``. The store is not locked while a model writes."""
    with store.reading():
        matrix = store.index.matrix()
    if not len(matrix.chunk_ids):
        raise IndexMissing("There are no chunks to summarise: import messages first.")
    vectors: Vectors = matrix.vectors.astype(np.float32)
    leaves = {int(c): v for c, v in zip(matrix.chunk_ids, vectors, strict=True)}
    nodes: list[Mapping[int, float]] = [{chunk: 1.0} for chunk in leaves]
    found: list[Summary] = []
    embedded: list[Vectors] = []
    for level in range(1, MOST_LEVELS + 1):
        if len(nodes) <= FEW:
            break
        groups = soft_clusters(vectors)
        above: list[Summary] = []
        for done, group in enumerate(groups):
            if cancelled():
                return Made("tree")
            progress(Progress(f"{STEP}, level {level}", done, len(groups)))
            chunks = _joined([(nodes[i], share) for i, share in group.items()])
            ids = list(chunks)
            text = summariser.of_chunks(ids, np.array([leaves[c] for c in ids]))
            above.append(Summary(level, "", text, chunks))
        progress(Progress(f"{STEP}, level {level}", len(groups), len(groups)))
        if len(above) >= len(nodes):
            break
        vectors = embedder.embed([summary.text for summary in above])
        nodes = [summary.chunks for summary in above]
        found += above
        embedded.append(vectors)
    if not found:  # a handful of chunks: one summary over all
        chunks = dict.fromkeys(leaves, 1.0)
        found = [Summary(1, "", summariser.of_chunks(list(chunks), vectors), chunks)]
        embedded = [embedder.embed([found[0].text])]
    return Made("tree", tuple(found), np.vstack(embedded), embedder.name)


def soft_clusters(vectors: Vectors) -> list[dict[int, float]]:
    """Clusters of nodes with each member's probability; every node is in at least one."""
    from sklearn.decomposition import PCA

    size = min(DIMENSIONS, *vectors.shape)
    reduced = np.asarray(PCA(size, random_state=SEED).fit_transform(vectors), dtype=np.float64)
    _criterion, wide = _fitted(reduced, max(round(len(vectors) / WIDE), 1))
    found: list[dict[int, float]] = []
    for members in filter(None, wide):
        ids = list(members)
        inside = reduced[ids]
        counts = sorted({max(round(len(ids) / each), 1) for each in NARROW})
        narrow = min((_fitted(inside, n) for n in counts), key=lambda fitted: fitted[0])[1]
        found += [{ids[i]: share for i, share in group.items()} for group in narrow]
    return [group for group in found if group]


def _fitted(points: NDArray[np.float64], count: int) -> tuple[float, list[dict[int, float]]]:
    """A mixture's information criterion (lower is better), and its clusters."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    count = min(count, len(points))
    if count <= 1:
        return np.inf, [dict.fromkeys(range(len(points)), 1.0)]
    mixture = GaussianMixture(
        count, covariance_type="diag", reg_covar=1e-4, max_iter=60, random_state=SEED
    )
    with warnings.catch_warnings():
        # for identical points, which still give clusters
        warnings.simplefilter("ignore", ConvergenceWarning)
        mixture.fit(points)
    shares = mixture.predict_proba(points)
    best = shares.argmax(axis=1)
    groups = [
        {
            i: float(shares[i, c])
            for i in range(len(points))
            if shares[i, c] >= BELONGS or best[i] == c
        }
        for c in range(count)
    ]
    return float(mixture.bic(points)), groups


def _joined(parts: Sequence[tuple[Mapping[int, float], float]]) -> dict[int, float]:
    """The chunks below several nodes; a chunk below two of them has the larger share."""
    found: dict[int, float] = {}
    for chunks, share in parts:
        for chunk, weight in chunks.items():
            found[chunk] = max(found.get(chunk, 0.0), weight * share)
    return found

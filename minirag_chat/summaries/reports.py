"""GraphRAG's reports: one on each Leiden community of the graph, at every level."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from minirag_chat.errors import IndexMissing
from minirag_chat.graph.communities import Community, communities
from minirag_chat.graph.telling import telling_words, word_counts
from minirag_chat.models.protocols import Embedder, never
from minirag_chat.names import split_joined
from minirag_chat.records import Message, Progress
from minirag_chat.store import Store
from minirag_chat.store.summaries import Summary
from minirag_chat.summaries.summarise import Made, Summariser

LEAST_SHARE = 0.34  # of a chunk's entities that must be in the community
MOST_CHUNKS = 400
TITLE_WORDS, TITLE_NAMES = 3, 2
NO_TITLE = frozenset(("time", "amount", "link"))
STEP = "reports"
Report = Callable[[Progress], None]


def build_reports(
    store: Store,
    embedder: Embedder,
    summariser: Summariser,
    progress: Report,
    cancelled: Callable[[], bool] = never,
) -> Made:
    """Write all reports anew; none where ``cancelled``. The store is free while a model writes."""
    named: dict[int, set[int]] = defaultdict(set)
    often: Counter[int] = Counter()
    with store.reading():
        owner = store.messages.owner()
        for chunk, entity, times in store.walks.chunk_entities():
            if entity != owner:
                named[chunk].add(entity)
                often[entity] += times
        related = store.walks.related()
        matrix = store.index.matrix()
        vectors = {int(c): v for c, v in zip(matrix.chunk_ids, matrix.vectors, strict=True)}
        names = {n: name for n, (name, kind) in store.walks.names().items() if kind not in NO_TITLE}
        everything = _said(store, list(vectors))
    groups = communities(related, () if owner is None else (owner,))
    counts = word_counts(everything.values())
    found = []
    for done, group in enumerate(groups):
        if cancelled():
            return Made("report")
        progress(Progress(STEP, done, len(groups)))
        chunks = _chunks(group, named)
        if len(chunks) > 1:
            ids = list(chunks)
            text = summariser.of_chunks(ids, np.array([vectors[c] for c in ids]))
            with store.reading():
                said = _said(store, ids).values()
            words = telling_words(word_counts(said), counts, len(everything))
            title = _title(group, often, names, words)
            found.append(
                Summary("report", group.level, title, f"{title}\n{text}", chunks, group.entities)
            )
    progress(Progress(STEP, len(groups), len(groups)))
    if not found:
        raise IndexMissing(
            "The messages name too little together for reports: import more, or read them with "
            "`minirag-chat index --slm`."
        )
    return Made("report", tuple(found), embedder.embed([s.text for s in found]))


def _chunks(group: Community, named: Mapping[int, set[int]]) -> dict[int, float]:
    """The chunks that are about a community, with the share of their entities that are in it."""
    shares = {
        chunk: len(entities & group.entities) / len(entities) for chunk, entities in named.items()
    }
    about = {chunk: share for chunk, share in shares.items() if share >= LEAST_SHARE}
    best = sorted(about.items(), key=lambda item: (-item[1], item[0]))[:MOST_CHUNKS]
    return dict(best)


def _said(store: Store, chunks: Sequence[int]) -> dict[int, Message]:
    members = store.index.members(chunks)
    return store.messages.by_ids(sorted({m for ids in members.values() for m in ids}))


def _title(
    group: Community,
    often: Mapping[int, int],
    names: Mapping[int, str],
    words: Mapping[str, float],
) -> str:
    """What is said most of all, and by or of whom."""
    known = sorted(group.entities & names.keys(), key=lambda e: (-often.get(e, 0), e))
    shown = [split_joined(names[entity]) for entity in known[:TITLE_NAMES]]
    taken = {part for name in shown for part in name.casefold().split()}
    telling = [word for word in words if word not in taken][:TITLE_WORDS]
    return ", ".join([*telling, *shown])

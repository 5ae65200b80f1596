"""GraphRAG's reports: one on each Leiden community of the graph, at every level."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from minirag_chat.errors import IndexMissing
from minirag_chat.graph.communities import Community, communities
from minirag_chat.graph.keywords import counted, keywords, word_counts
from minirag_chat.models.protocols import Embedder
from minirag_chat.question.stop_words import foreign_stop_words
from minirag_chat.records import Cancelled, Progress, Report, never
from minirag_chat.store import Store
from minirag_chat.store.arrays import places
from minirag_chat.store.summaries import Summary
from minirag_chat.summaries.summarise import Made, Summariser

LEAST_SHARE = 0.34  # of a chunk's entities that must be in the community
MOST_CHUNKS = 400
TITLE_WORDS, TITLE_NAMES = 3, 2
NO_TITLE = frozenset(("time", "amount", "link"))
STEP = "reports"


def build_reports(
    store: Store,
    embedder: Embedder | None,
    summariser: Summariser,
    progress: Report,
    cancelled: Cancelled = never,
) -> Made:
    """Write all reports again; none if ``cancelled``. The store is not locked while a model writes.

    Without an ``embedder`` they get no vectors; overviews do not need any.
    """
    with store.reading():
        owner = store.messages.owner()
        named = _named(store, owner)
        related = store.graph.related()
        matrix = store.index.matrix()
        names = {
            n: store.people.joined_names.shown(n, name)
            for n, (name, kind) in store.graph.names().items()
            if kind not in NO_TITLE
        }
        counts, total = counted(store, foreign_stop_words)
    groups = communities(related, () if owner is None else (owner,))
    found = []
    for done, group in enumerate(groups):
        if cancelled():
            return Made("report")
        progress(Progress(STEP, done, len(groups)))
        chunks = _chunks(group, named)
        if len(chunks) > 1:
            ids = list(chunks)
            place, _there = places(np.array(ids), matrix.chunk_ids)
            text = summariser.of_chunks(ids, matrix.some(place))
            with store.reading():
                said = word_counts(store.index.texts(ids))
            title = _title(group, named.often, names, keywords(said, counts, total))
            found.append(Summary(group.level, title, f"{title}\n{text}", chunks, group.entities))
    progress(Progress(STEP, len(groups), len(groups)))
    if not found:
        raise IndexMissing(
            "The messages name too little together for reports: import more, or read them with "
            "`minirag-chat index --slm`."
        )
    texts = [summary.text for summary in found]
    vectors = embedder.embed(texts) if embedder else np.zeros((len(texts), 0), dtype=np.float32)
    return Made("report", tuple(found), vectors, embedder.name if embedder else None)


@dataclass(frozen=True, slots=True)
class _Named:
    """The chunks of each entity, the number of entities of each chunk, and the mentions of each entity."""

    chunks: Mapping[int, Collection[int]]
    entities: Mapping[int, int]
    often: Mapping[int, int]


def _named(store: Store, owner: int | None) -> _Named:
    """The entities that chunks name, without the owner, who is in every chat."""
    chunks: dict[int, set[int]] = defaultdict(set)
    entities: Counter[int] = Counter()
    often: Counter[int] = Counter()
    for chunk, entity, times in store.graph.chunk_entities():
        if entity != owner:
            often[entity] += times
            chunks[entity].add(chunk)
            entities[chunk] += 1
    return _Named(chunks, entities, often)


def _chunks(group: Community, named: _Named) -> dict[int, float]:
    """The chunks that are about a community, with the share of their entities that are in it."""
    inside = Counter(chain.from_iterable(named.chunks.get(e, ()) for e in group.entities))
    shares = {chunk: count / named.entities[chunk] for chunk, count in inside.items()}
    about = {chunk: share for chunk, share in shares.items() if share >= LEAST_SHARE}
    best = sorted(about.items(), key=lambda item: (-item[1], item[0]))[:MOST_CHUNKS]
    return dict(best)


def _title(
    group: Community,
    often: Mapping[int, int],
    names: Mapping[int, str],
    words: Mapping[str, float],
) -> str:
    """The keywords of a community, then its most frequent names."""
    known = sorted(group.entities & names.keys(), key=lambda e: (-often.get(e, 0), e))
    shown = [names[entity] for entity in known[:TITLE_NAMES]]
    taken = {part for name in shown for part in name.casefold().split()}
    others = [word for word in words if word not in taken][:TITLE_WORDS]
    return ", ".join([*others, *shown])

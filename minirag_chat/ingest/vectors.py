"""Chunks → vectors, in batches that are kept: an interrupted index goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from minirag_chat.models.protocols import Embedder, never
from minirag_chat.records import Progress
from minirag_chat.store import Store

EMBED_BATCH = 256
Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """The progress callback of a caller that shows none."""


def embed_pending(
    store: Store,
    embedder: Embedder,
    progress: Report = silent,
    cancelled: Callable[[], bool] = never,
    turn: AbstractContextManager[object] | None = None,
) -> int:
    """Embed the chunks that have no vector yet, batch by batch; returns how many were done.

    ``turn`` is held to read and to write each batch, so that others get theirs in between; what they
    changed meanwhile is left for another time.
    """
    turn = turn or nullcontext()
    if store.meta("embedder") not in (None, embedder.name):
        with store.transaction():
            store.index.drop_vectors()
            store.slm.drop_vectors()
            store.summaries.drop()
    pending = store.index.without_vector()
    done = 0
    while done < len(pending) and not cancelled():
        progress(Progress("embedding", done, len(pending)))
        batch = pending[done : done + EMBED_BATCH]
        with turn:
            texts = _texts(store, batch)
        vectors = embedder.embed(texts)
        with turn, store.transaction():
            same = [i for i, text in enumerate(_texts(store, batch)) if text and text == texts[i]]
            store.index.add_vectors([batch[i] for i in same], vectors[same])
            store.set_meta("embedder", embedder.name)
        done += len(batch)
    if pending:
        progress(Progress("embedding", done, len(pending)))
    return done


def _texts(store: Store, chunks: Sequence[int]) -> list[str]:
    """What each chunk says; empty for one that is gone."""
    members = store.index.members(chunks)
    messages = store.messages.by_ids(sorted({m for ids in members.values() for m in ids}))
    return [
        "\n".join(f"{messages[m].sender}: {messages[m].text}" for m in members[chunk])
        for chunk in chunks
    ]

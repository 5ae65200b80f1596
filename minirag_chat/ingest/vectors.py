"""Chunks → vectors, in batches that are kept: an interrupted index goes on where it stopped."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import numpy as np

from minirag_chat.errors import StoreError
from minirag_chat.ingest.workers import at_work, telling, with_the_others
from minirag_chat.models.protocols import Embedder, Vectors, never
from minirag_chat.records import Progress, Report, silent
from minirag_chat.store import Store

EMBED_BATCH = 256
KEPT = "the messages are kept, and `minirag-chat index` completes their index"
COMPARED = "the vectors are kept, and compared one by one"
_EMBEDDER = "embedder"


def embed_pending(
    store: Store,
    embedder: Embedder,
    progress: Report = silent,
    cancelled: Callable[[], bool] = never,
) -> int:
    """Embed the chunks that have no vector yet, batch by batch; returns how many were done.

    Others read and write in between; what they changed meanwhile is left for another time, and what
    another process is embedding to that one, where the database knows.
    """
    progress = with_the_others(store, "embedding", progress)
    _make_room(store, embedder)
    with store.reading(only_own=True):
        pending = store.index.without_vector()
    done = embedded = 0
    with telling(store, "embedding") as tell:
        while done < len(pending) and not cancelled():
            progress(Progress("embedding", done, len(pending)))
            batch = pending[done : done + EMBED_BATCH]
            with store.claimed("embedding", batch) as ours:
                embedded += _embed(store, embedder, ours)
            done += len(batch)
            tell(embedded)
    if pending:
        progress(Progress("embedding", done, len(pending)))
    if not cancelled():
        make_nearest(store, progress)
    return embedded


def make_nearest(store: Store, progress: Report = silent) -> None:
    """Let the database index the vectors, where there are many and it knows how.

    Where there are users, whoever owns the tables does, with `minirag-chat index`.
    """
    if store.connection.user:
        return
    with store.reading():
        due = store.nearest.due()
    if not due:
        return
    progress(Progress("indexing the vectors", 0))
    with contextlib.suppress(StoreError), store.transaction():
        store.nearest.prepare()  # the server's administrator may have to: `doctor` says so
    with store.transaction(otherwise=COMPARED):
        store.nearest.make()


def _embed(store: Store, embedder: Embedder, chunks: Sequence[int]) -> int:
    """Embed those of the chunks that nobody did, and keep what did not change meanwhile; how many."""
    if not chunks:
        return 0
    with store.reading(only_own=True):
        said = store.index.said(store.index.still_without_vector(chunks))
    there = [chunk for chunk in chunks if chunk in said]
    if not there:
        return 0
    vectors = embedder.embed([said[chunk] for chunk in there])
    with store.transaction(otherwise=KEPT):
        now = store.index.said(there)
        same = [i for i, chunk in enumerate(there) if now.get(chunk) == said[chunk]]
        store.index.add_vectors([there[i] for i in same], vectors[same])
        store.set_meta(_EMBEDDER, embedder.name)
    return len(same)


def _make_room(store: Store, embedder: Embedder) -> None:
    """Forget the vectors of another embedder."""
    with store.reading():
        made_by = store.meta(_EMBEDDER)
    if made_by not in (None, embedder.name):
        if store.connection.user:
            raise StoreError(
                f"The embedder of {store.path} is {made_by}, for all its users: set "
                f"MINIRAG_CHAT_EMBEDDER={made_by}."
            )
        with store.transaction(otherwise=KEPT):
            store.nearest.drop()
            store.index.drop_vectors()
            store.slm.drop_vectors()
            store.summaries.drop()
            store.set_meta(_EMBEDDER, embedder.name)


def made_vectors_of(store: Store, embedder: Embedder) -> bool:
    """Whether the vectors in the store are this embedder's."""
    return store.meta(_EMBEDDER) == embedder.name


def index_note(store: Store, embedder: Embedder | None = None) -> str:
    """What a question does not see yet, with the command that completes it; empty where all is there.

    A question never waits for that: making the vectors of a long history takes an hour.
    """
    missing, total = store.index.missing_vectors()
    if missing < total and embedder is not None and not made_vectors_of(store, embedder):
        return (
            f"The index was made by the embedder {store.meta(_EMBEDDER)}: messages are found by their "
            "words alone until `minirag-chat index` has made it anew."
        )
    if missing:
        others = at_work(store, "embedding")
        doing = f"{others}" if others else "a running import does that, or `minirag-chat index`"
        return (
            f"{missing:,} of {total:,} passages are found by their words alone until they are indexed by "
            f"their meaning: {doing}."
        )
    return ""


class NoVectors:
    """Stands for an embedder that did not make the vectors of a store: nothing is like anything."""

    def __init__(self, embedder: Embedder, dimension: int) -> None:
        self.name = embedder.name
        self.dimension = dimension
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Zeros, shape (len(texts), dimension)."""
        return np.zeros((len(texts), self.dimension), dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """As the embedder counts them."""
        return self._embedder.count_tokens(texts)

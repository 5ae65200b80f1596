"""Chunks → vectors, in batches that are committed one by one: an interrupted index is resumed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

import numpy as np

from minirag_chat.errors import StoreError
from minirag_chat.ingest.workers import at_work, publishing_progress, with_the_others
from minirag_chat.models.protocols import Embedder, Vectors
from minirag_chat.records import Cancelled, Progress, Report, never, silent
from minirag_chat.store import Store
from minirag_chat.store.database import EMBEDDER

EMBED_BATCH = 64  # chunks: some seconds on a slow processor, after which a job can stop
KEPT = "the messages are kept, and `minirag-chat index` completes their index"
COMPARED = "the vectors are kept, and compared one by one"


def embed_pending(
    store: Store, embedder: Embedder, progress: Report = silent, cancelled: Cancelled = never
) -> int:
    """Embed the chunks that have no vector yet, batch by batch; returns how many were done.

    Other processes can read and write between batches; chunks that they add are embedded too. Chunks that
    another process is embedding are left to it, if the database supports claims.
    """
    progress = with_the_others(store, "embedding", progress)
    _drop_other_vectors(store, embedder)
    seen: set[int] = set()
    embedded = 0
    with publishing_progress(store, "embedding") as publish:
        while not cancelled() and (pending := _unseen(store, seen)):
            done = 0
            while done < len(pending) and not cancelled():
                progress(Progress("embedding", done, len(pending)))
                batch = pending[done : done + EMBED_BATCH]
                with store.claimed("embedding", batch) as ours:
                    embedded += _embed(store, embedder, ours)
                done += len(batch)
                publish(embedded)
            progress(Progress("embedding", done, len(pending)))
            seen.update(pending)
    if not cancelled():
        make_nearest(store, progress)
    return embedded


def _unseen(store: Store, seen: set[int]) -> list[int]:
    """The chunks without a vector that are not in ``seen``."""
    with store.reading(only_own=True):
        return [chunk for chunk in store.index.without_vector() if chunk not in seen]


def make_nearest(store: Store, progress: Report = silent) -> None:
    """Create the database's index of vectors, if there are many and it supports one.

    In a database with users the owner of the tables does this, with `minirag-chat index`.
    """
    if store.connection.user:
        return
    with store.reading():
        due = store.nearest.due()
    if not due:
        return
    progress(Progress("indexing the vectors", 0))
    with contextlib.suppress(StoreError), store.transaction():
        store.nearest.prepare()  # fails if only an administrator may do it; `doctor` reports that
    with store.transaction(otherwise=COMPARED):
        store.nearest.make()


def _embed(store: Store, embedder: Embedder, chunks: Sequence[int]) -> int:
    """Embed those chunks that still have no vector and store those that did not change; returns how many."""
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
        store.take_embedder(embedder.name)
        store.index.add_vectors([there[i] for i in same], vectors[same])
    return len(same)


def each_vector(store: Store, sessions: Sequence[int]) -> Iterator[tuple[bytes, bytes]]:
    """Yield ``(digest of embedder and text, vector)`` for each chunk of the sessions.

    Call it in a transaction, before the sessions are dropped or their messages change, and :func:`reuse`
    afterwards.
    """
    for start in range(0, len(sessions), EMBED_BATCH):
        stored = store.index.stored_vectors(sessions[start : start + EMBED_BATCH])
        for first in range(0, len(stored), EMBED_BATCH):
            batch = dict(stored[first : first + EMBED_BATCH])
            yield from ((key, batch[chunk]) for chunk, key in _digests(store, list(batch)).items())


def reuse(store: Store, vectors: Mapping[bytes, bytes]) -> None:
    """Give chunks without a vector the vector of the same text, if it is in ``vectors``; in a transaction."""
    pending = store.index.without_vector() if vectors else []
    for start in range(0, len(pending), EMBED_BATCH):
        keys = _digests(store, pending[start : start + EMBED_BATCH])
        store.index.reuse_vectors([(c, vectors[key]) for c, key in keys.items() if key in vectors])


def _digests(store: Store, chunks: Sequence[int]) -> dict[int, bytes]:
    embedder = store.meta(EMBEDDER) or ""
    return {
        chunk: blake2b(f"{embedder}\n{text}".encode(), digest_size=16).digest()
        for chunk, text in store.index.said(chunks).items()
    }


def _drop_other_vectors(store: Store, embedder: Embedder) -> None:
    """Delete the vectors of another embedder."""
    with store.reading():
        made_by = store.meta(EMBEDDER)
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
            store.set_meta(EMBEDDER, embedder.name)


def made_vectors_of(store: Store, embedder: str) -> bool:
    """Whether the vectors in the store are those of the embedder with this name."""
    return store.meta(EMBEDDER) == embedder


def index_note(store: Store, embedder: str = "", absent: str | None = None) -> str:
    """Which part of the index is missing, with the command that completes it; empty if nothing is.

    ``absent`` is the embedder that made the index, if this machine could get it. A question does not
    wait for the index: embedding a long history takes an hour.
    """
    missing, total = store.index.missing_vectors()
    if missing < total and embedder and not made_vectors_of(store, embedder):
        return (
            f"The index was made by the embedder {store.meta(EMBEDDER)}: messages are found by their "
            f"words alone until {_fetched(absent)}`minirag-chat index` has rebuilt it."
        )
    if missing:
        others = at_work(store, "embedding")
        doing = f"{others}" if others else "a running import does that, or `minirag-chat index`"
        return (
            f"{missing:,} of {total:,} passages are found by their words alone until they are indexed by "
            f"their meaning: {doing}."
        )
    return ""


def _fetched(absent: str | None) -> str:
    return f"`minirag-chat models get {absent}` has fetched that embedder, or " if absent else ""


class NoVectors:
    """Replaces an embedder whose vectors are not those of the store: every cosine is zero."""

    def __init__(self, embedder: Embedder, dimension: int) -> None:
        self.name = embedder.name
        self.dimension = dimension
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Zeros, shape (len(texts), dimension)."""
        return np.zeros((len(texts), self.dimension), dtype=np.float32)

    def embed_question(self, question: str) -> Vectors:
        """Zeros, shape (dimension,)."""
        zeros: Vectors = self.embed([question])[0]
        return zeros

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """As the embedder counts them."""
        return self._embedder.count_tokens(texts)

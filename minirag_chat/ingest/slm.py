"""Chunks → entities and relations by a language model: one call per chunk, each stored immediately.

Questions can be asked meanwhile: the database is locked only for writing, and the model answers questions
first. If it is stopped, only the current chunk is lost. The output for a chunk is kept and reused, even if
the index was rebuilt meanwhile.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from minirag_chat.extract.slm import (
    FORMAT,
    extraction_turns,
    grammar_for,
    is_repeating,
    merge_key,
    parse_reply,
    passage,
    shown_name,
    stating_message,
)
from minirag_chat.ingest.chunk import windows
from minirag_chat.ingest.vectors import EMBED_BATCH
from minirag_chat.ingest.workers import publishing_progress, with_the_others
from minirag_chat.models.protocols import ChatModel, Embedder, GrammarModel
from minirag_chat.records import (
    Cancelled,
    ChunkExtraction,
    EntityType,
    Message,
    Progress,
    Report,
    SlmCost,
    SlmRun,
    never,
    silent,
)
from minirag_chat.store import Store
from minirag_chat.store.slm import EMBEDDED, Embedded, Rows, StoredExtraction

CHUNK_MESSAGES, CHUNK_TOKENS = 8, 320
"""Limits of a chunk for a model: whole messages, no overlap; larger than the chunks of the search."""
READ_TOKENS = 384
"""Tokens that a model writes about a chunk, at most."""
CHARACTERS_A_TOKEN = 3
STEP = "extracting"
KEPT = "what was read before is kept, and the same command continues"


@dataclass(frozen=True, slots=True)
class SlmChunk:
    """The input of one call of the model; ``hash`` is of the messages' ids and text."""

    hash: str
    messages: tuple[Message, ...]
    text: str


def slm_chunks(store: Store) -> list[SlmChunk]:
    """All chunks of the store, in the order of time."""
    sessions = store.slm.sessions()
    found: list[SlmChunk] = []
    for start in range(0, len(sessions), 100):
        members = store.messages.of_sessions(sessions[start : start + 100])
        for messages in members.values():
            said = [m for m in messages if not m.deleted and m.text.strip()]
            found += _cut(said)
    return found


def _cut(messages: list[Message]) -> Iterator[SlmChunk]:
    if not messages:
        return
    for window in windows(
        messages,
        size=CHUNK_MESSAGES,
        overlap=0,
        limit=CHUNK_TOKENS,
        count_tokens=lambda texts: [len(text) // CHARACTERS_A_TOKEN + 1 for text in texts],
    ):
        text = passage(window)
        key = f"{[m.id for m in window]}\n{text}"
        yield SlmChunk(hashlib.sha256(key.encode()).hexdigest()[:32], tuple(window), text)


def slm_cost(store: Store, model: str) -> SlmCost:
    """The cost of extraction from all chunks with ``model`` (its name)."""
    reader = _reader(model)
    chunks = slm_chunks(store)
    known = store.slm.extractions(reader)
    left = sum(chunk.hash not in known for chunk in chunks)
    return SlmCost(model, len(chunks), left, store.slm.seconds_each(reader))


def extract_pending(
    store: Store,
    model: ChatModel,
    progress: Report = silent,
    cancelled: Cancelled = never,
    *,
    limit: int | None = None,
    at_once: int = 1,
) -> SlmRun:
    """Extract from the chunks that ``model`` has not read yet, ``limit`` of them at most.

    A server gets ``at_once`` requests at the same time. The store is not locked while the model reads.
    Chunks that another process is reading are left to it, if the database supports such claims. Raises
    ``ModelError``.
    """
    reader = _reader(model.name)
    with store.reading(only_own=True):
        chunks = slm_chunks(store)
        known = store.slm.extractions(reader)
    for chunk in chunks:
        if chunk.hash in known and not known[chunk.hash].active:
            _activate(store, chunk, known[chunk.hash])
    left = [chunk for chunk in chunks if chunk.hash not in known]
    run = _ExtractionRun(store, model, cancelled)
    begun = time.perf_counter()
    wanted = min(len(left), limit or len(left))
    progress = with_the_others(store, "reading", progress)
    size = 1 if isinstance(model, GrammarModel) else at_once
    with publishing_progress(store, "reading") as publish, ThreadPoolExecutor(size) as pool:
        for start in range(0, len(left), size):
            if run.read >= wanted or cancelled():
                break
            progress(Progress(STEP, run.read, wanted))
            run.extract(left[start : start + min(size, wanted - run.read)], pool)
            publish(run.read)
    progress(Progress(STEP, run.read, wanted))
    with store.reading():
        now = store.slm.extractions(reader)
    return SlmRun(
        model=model.name,
        read=run.read,
        cached=len(chunks) - len(left),
        left=sum(chunk.hash not in now for chunk in left),
        seconds=time.perf_counter() - begun,
        failures=run.failures,
        dropped_lines=run.dropped,
        stopped=cancelled(),
    )


class _ExtractionRun:
    """One run of extraction, with its counts."""

    def __init__(self, store: Store, model: ChatModel, cancelled: Cancelled) -> None:
        self._store = store
        self._model = model
        self._cancelled = cancelled
        self.read = self.failures = self.dropped = 0

    def extract(self, chunks: Sequence[SlmChunk], pool: Executor) -> None:
        """Extract from those chunks that no other process reads or has read, in parallel."""
        of = {chunk.messages[0].id: chunk for chunk in chunks}  # each message is in one chunk only
        with self._store.claimed("reading", list(of)) as ours:
            with self._store.reading():
                wanted = [of[i] for i in ours if not self._done(of[i])]
            for chunk, text, seconds in pool.map(self._timed, wanted):
                if not self._cancelled():
                    self._keep(chunk, text, seconds)

    def _done(self, chunk: SlmChunk) -> bool:
        return self._store.slm.has_extraction(_reader(self._model.name), chunk.hash)

    def _timed(self, chunk: SlmChunk) -> tuple[SlmChunk, str, float]:
        started = time.perf_counter()
        return chunk, _read(self._model, chunk, self._cancelled), time.perf_counter() - started

    def _keep(self, chunk: SlmChunk, text: str, seconds: float) -> None:
        found = parse_reply(text)
        with _merging(self._store) as merging:
            if self._done(chunk) or not _is_unchanged(self._store, chunk):
                return
            kept = self._store.slm.add_extraction(
                _reader(self._model.name), chunk.hash, text, [m.id for m in chunk.messages], seconds
            )
            merging.keep(kept, chunk, found)
        self.read += 1
        self.failures += not found.entities
        self.dropped += found.dropped


def _activate(store: Store, chunk: SlmChunk, kept: StoredExtraction) -> None:
    """Use a stored extraction again, unless a message of its chunk has changed."""
    with _merging(store) as merging:
        if _is_unchanged(store, chunk):
            merging.keep(kept.id, chunk, parse_reply(kept.text))


def activate_stored_extractions(store: Store, reader: str) -> None:
    """Use the stored extractions of ``reader`` whose chunks did not change; in a transaction."""
    known = store.slm.extractions(reader)
    merging = _Merging(store)
    for chunk in slm_chunks(store):
        kept = known.get(chunk.hash)
        if kept is not None and not kept.active:
            merging.keep(kept.id, chunk, parse_reply(kept.text))


def _is_unchanged(store: Store, chunk: SlmChunk) -> bool:
    """Whether all messages of a chunk still exist with the same text."""
    now = store.messages.by_ids([m.id for m in chunk.messages])
    return all(m.id in now and now[m.id].text == m.text for m in chunk.messages)


def embed_extracted(store: Store, embedder: Embedder) -> int:
    """Embed the entities and relations that have no vector; returns how many.

    Those that another process changes meanwhile are embedded again.
    """
    done = 0
    for table in EMBEDDED:
        while pending := _to_embed(store, table):
            for start in range(0, len(pending), EMBED_BATCH):
                done += _embed(store, embedder, table, pending[start : start + EMBED_BATCH])
    return done


def _to_embed(store: Store, table: Embedded) -> Rows:
    with store.reading(only_own=True):
        return store.slm.to_embed(table)


def _embed(store: Store, embedder: Embedder, table: Embedded, rows: Rows) -> int:
    """Embed entities or relations and store those that did not change meanwhile; how many."""
    vectors = embedder.embed([text for _id, text in rows])
    with store.transaction(otherwise=KEPT):
        store.take_embedder(embedder.name)
        now = set(store.slm.to_embed(table, [number for number, _text in rows]))
        same = [place for place, row in enumerate(rows) if row in now]
        store.slm.set_vectors(table, [rows[place][0] for place in same], vectors[same])
    return len(same)


def _read(model: ChatModel, chunk: SlmChunk, cancelled: Cancelled) -> str:
    turns = extraction_turns(chunk.text)
    if isinstance(model, GrammarModel):
        grammar = grammar_for(chunk.text, dict.fromkeys(map(shown_name, chunk.messages)))
        pieces = model.write(turns, grammar, max_new_tokens=READ_TOKENS, cancelled=cancelled)
    else:  # a server: lines in a wrong format are dropped and counted
        pieces = model.stream(turns, max_new_tokens=READ_TOKENS, cancelled=cancelled)
    text = ""
    for piece in pieces:
        text += piece
        if "\n" in piece and is_repeating(text):
            break
    return text


def _reader(model: str) -> str:
    return f"{model} {FORMAT}"


@contextmanager
def _merging(store: Store) -> Iterator[_Merging]:
    """A transaction for one extraction; lists of people are read once, as none is merged or deleted in it."""
    with store.transaction(otherwise=KEPT):
        merging = _Merging(store)
        with store.cache.keeping("people", "participants"):
            yield merging


class _Merging:
    """Writes extractions into the graph and merges names of the same entity; in one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._people = store.people.index()
        self._groups = store.messages.participants()

    def keep(self, kept: int, chunk: SlmChunk, extraction: ChunkExtraction) -> None:
        """Write an extraction into the graph."""
        slm = self._store.slm
        slm.activate(kept, [m.id for m in chunk.messages])
        named: dict[str, int] = {}
        for item in extraction.entities:
            message = stating_message(item.name, item.about, chunk.messages)
            entity = named[item.name.casefold()] = self._entity(item.name, item.type, message)
            slm.add_mention(entity, message.id, kept, item.name, item.about)
        for relation in extraction.relations:
            message = stating_message(relation.source, relation.about, chunk.messages)
            ends = []
            for name in (relation.source, relation.target):
                entity = named.get(name.casefold()) or self._entity(name, "topic", message)
                ends.append(entity)
                if name.casefold() not in named:  # named by the relation only
                    named[name.casefold()] = entity
                    slm.add_mention(entity, message.id, kept, name, relation.about)
            if ends[0] != ends[1]:
                words = ", ".join(relation.keywords)
                slm.add_relation(
                    (ends[0], ends[1]), message.id, kept, relation.about, words, relation.strength
                )

    def _entity(self, name: str, kind: EntityType, message: Message) -> int:
        present = frozenset(self._groups.get(message.chat_id, ()))
        key, person = merge_key(name, kind, message.sent_at, self._people, present)
        return self._store.slm.ensure(key, "person" if person else kind, name, person)

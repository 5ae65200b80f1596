"""Parsed exports → the store: chats and people recognised, sessions cut, chunks and graph written.

One transaction: after a failure, an interruption or ``kill -9`` the database is as it was, or
complete. Vectors follow in batches of their own (``embed_pending``) and resume where they stopped.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path

from minirag_chat.chunk import sessions, windows
from minirag_chat.extract.structure import mentions
from minirag_chat.models.protocols import Embedder
from minirag_chat.names import spelling_key
from minirag_chat.records import (
    ImportReport,
    Message,
    ParsedChat,
    ParsedExport,
    ParsedMessage,
    Progress,
    Skipped,
)
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.store.messages import DIRECT_SIZE, Pending, most_present

SAME_CHAT = 0.5  # share of an export's messages that a chat must hold already to be the same chat
INSIDE_GROUP = 0.8  # share of those who write who must belong to a group for it to be theirs
ALIKE_GROUP = 0.5  # or: people in both, as a share of the people in either
EMBED_BATCH = 256
Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """The progress callback of a caller that shows none."""


@dataclass(slots=True)
class _Tally:
    """What has been counted so far in one import."""

    read: int = 0
    sessions: int = 0
    files: int = 0
    system: int = 0
    media: int = 0
    times: list[datetime] = field(default_factory=list)
    formats: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def ingest(
    store: Store,
    exports: Iterable[tuple[Path, ParsedExport | Skipped]],
    settings: Settings,
    embedder: Embedder,
    zone: tzinfo,
    progress: Report = silent,
) -> ImportReport:
    """Store what is new in the exports, and index it up to the vectors; returns the report."""
    begun = time.monotonic()
    tally = _Tally()
    chats = _read(exports, tally)
    with store.transaction():
        writer = _Writer(store, settings, embedder, zone)
        added, touched = writer.store_messages(chats, progress)
        writer.index(touched, progress)
        tally.sessions = writer.sessions_read(chats)
    for spelling, name in writer.links:
        if spelling_key(spelling).replace(" ", "") != spelling_key(name).replace(" ", ""):
            tally.notes.append(
                f"{spelling} was taken to be {name}; undo with "
                f"`minirag-chat people split {spelling!r}`."
            )
    titles = store.messages.titles()
    people = sorted({m.sender for chat in chats for m in chat.messages}, key=str.casefold)
    return ImportReport(
        messages_read=tally.read,
        messages_added=added,
        sessions=tally.sessions,
        chats=tuple(titles[chat] for chat in writer.seen_chats),
        people=tuple(people),
        first=min(tally.times, default=None),
        last=max(tally.times, default=None),
        files=tally.files,
        formats=dict(tally.formats),
        system_lines=tally.system,
        media=tally.media,
        skipped=tuple(tally.skipped),
        notes=tuple(dict.fromkeys(tally.notes)),
        seconds=time.monotonic() - begun,
    )


def reindex(store: Store, chat: int, settings: Settings, embedder: Embedder, zone: tzinfo) -> None:
    """Write the index of a chat that lost it, up to the vectors; inside a transaction."""
    found = next(c for c in store.messages.chats() if c.id == chat)
    if found.first and found.last:
        writer = _Writer(store, settings, embedder, zone)
        writer.index({chat: (found.first, found.last)}, silent)


def embed_pending(
    store: Store,
    embedder: Embedder,
    progress: Report = silent,
    cancelled: Callable[[], bool] = lambda: False,
    turn: AbstractContextManager[object] | None = None,
) -> int:
    """Embed the chunks that have no vector yet, batch by batch; returns how many were done.

    ``turn`` is held for each batch, so that others get theirs in between.
    """
    turn = turn or nullcontext()
    if store.meta("embedder") not in (None, embedder.name):
        with store.transaction():
            store.index.drop_vectors()
    pending = store.index.without_vector()
    done = 0
    while done < len(pending) and not cancelled():
        progress(Progress("embedding", done, len(pending)))
        batch = pending[done : done + EMBED_BATCH]
        with turn:
            members = store.index.members(batch)
            messages = store.messages.by_ids(sorted({m for ids in members.values() for m in ids}))
            texts = [
                "\n".join(f"{messages[m].sender}: {messages[m].text}" for m in members[chunk])
                for chunk in batch
            ]
            vectors = embedder.embed(texts)
            with store.transaction():
                store.index.add_vectors(batch, vectors)
                store.set_meta("embedder", embedder.name)
        done += len(batch)
    if pending:
        progress(Progress("embedding", done, len(pending)))
    return done


def fingerprints(messages: Sequence[ParsedMessage]) -> list[bytes]:
    """What makes a message the same one in another export of the chat.

    Its time, sender and text; equal ones are numbered in order, so that two "ok" stay two.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for message in messages:
        key = (message.sent_at.isoformat(), spelling_key(message.sender), message.text)
        seen[key] += 1
        text = "\x1f".join((*key, str(seen[key])))
        found.append(
            hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        )
    return found


def _read(
    exports: Iterable[tuple[Path, ParsedExport | Skipped]], tally: _Tally
) -> list[ParsedChat]:
    chats: list[ParsedChat] = []
    for _path, export in exports:
        if isinstance(export, Skipped):
            tally.skipped.append(export)
            continue
        tally.files += 1
        tally.formats[export.format] += 1
        tally.system += export.system_lines
        tally.media += export.media
        tally.skipped += export.skipped
        tally.notes += export.notes
        for chat in export.chats:
            tally.read += len(chat.messages)
            if chat.messages:
                chats.append(chat)
                tally.times += [
                    min(m.sent_at for m in chat.messages),
                    max(m.sent_at for m in chat.messages),
                ]
    return chats


class _Writer:
    """Writes one import inside its transaction."""

    def __init__(self, store: Store, settings: Settings, embedder: Embedder, zone: tzinfo) -> None:
        self._store = store
        self._settings = settings
        self._embedder = embedder
        self._zone = zone
        self._gap = timedelta(minutes=settings.session_gap_minutes)
        self._groups: dict[int, set[int]] = {
            chat: set(people) for chat, people in store.messages.participants().items()
        }
        self._owner: int | None = None
        self.seen_chats: dict[int, None] = {}
        self.links: list[tuple[str, str]] = []

    def store_messages(
        self, chats: Sequence[ParsedChat], progress: Report
    ) -> tuple[int, dict[int, tuple[datetime, datetime]]]:
        """Store the new messages; returns their number and, by chat, the period they span."""
        ids = self._sender_ids(chats)
        self.links = self._store.people.link_spellings()
        person = self._store.people.canonical()
        people = [frozenset(person[ids[m.sender]] for m in chat.messages) for chat in chats]
        self._owner = most_present([*map(frozenset, self._groups.values()), *people])
        # The largest rounds first: they show who is in a group before only some of it write.
        order = sorted(range(len(chats)), key=lambda i: -len(people[i]))
        added = done = 0
        total = sum(len(chat.messages) for chat in chats)
        touched: dict[int, tuple[datetime, datetime]] = {}
        for i in order:
            progress(Progress("storing", done, total))
            chat = chats[i]
            done += len(chat.messages)
            prints = fingerprints(chat.messages)
            chat_id = self._chat(chat, people[i], prints)
            self.seen_chats[chat_id] = None
            self._groups.setdefault(chat_id, set()).update(people[i])
            new = self._store.messages.add(chat_id, self._pending(chat, ids, prints))
            added += len(new)
            if new:
                when = [m.sent_at for m in chat.messages]
                low, high = touched.get(chat_id, (min(when), max(when)))
                touched[chat_id] = (min(low, *when), max(high, *when))
        return added, touched

    def index(self, touched: dict[int, tuple[datetime, datetime]], progress: Report) -> None:
        """Cut the touched periods into sessions anew, and write chunks, full text and mentions."""
        store = self._store
        store.messages.forget_titles()
        done = 0
        for chat_id, (low, high) in touched.items():
            loose = store.messages.loose(chat_id, low - self._gap, high + self._gap)
            store.index.drop_sessions(sorted({m.session_id for m, _ in loose if m.session_id}))
            for session in sessions(loose, self._gap):
                progress(Progress("indexing", done))
                done += len(session)
                session_id = store.messages.add_session(session)
                cut = windows(
                    session,
                    size=self._settings.chunk_messages,
                    overlap=self._settings.chunk_overlap,
                    limit=self._settings.chunk_tokens,
                    count_tokens=self._embedder.count_tokens,
                )
                store.index.add_chunks(session_id, cut)
                store.index.add_mentions(self._mentions(session))

    def sessions_read(self, chats: Sequence[ParsedChat]) -> int:
        """How many conversations the exports hold, whether new or not."""
        total = 0
        for chat in chats:
            keys = {m.session for m in chat.messages if m.session is not None}
            loose = [m.sent_at for m in chat.messages if m.session is None]
            pauses = sum(b - a > self._gap for a, b in pairwise(loose))
            total += len(keys) + bool(loose) + pauses
        return total

    def _sender_ids(self, chats: Sequence[ParsedChat]) -> dict[str, int]:
        names = Counter(m.sender for chat in chats for m in chat.messages)
        return {name: self._store.people.ensure("person", name) for name, _ in names.most_common()}

    def _pending(
        self, chat: ParsedChat, ids: dict[str, int], prints: Sequence[bytes]
    ) -> Iterable[Pending]:
        for message, fingerprint in zip(chat.messages, prints, strict=True):
            instant = int(message.sent_at.replace(tzinfo=self._zone).timestamp())
            yield Pending(message, ids[message.sender], instant, fingerprint)

    def _chat(self, chat: ParsedChat, people: frozenset[int], prints: Sequence[bytes]) -> int:
        """The stored chat that an exported one is, made if there is none."""
        tables = self._store.messages
        known = tables.known_chats(chat.platform)
        if chat.key is not None:
            same = [i for i, key, _ in known if key == chat.key]
        else:
            holding = tables.chats_holding(chat.platform, prints)
            same = [i for i, count in holding.items() if count >= SAME_CHAT * len(prints)]
            if not same and chat.title is not None:
                title = spelling_key(chat.title)
                same = [i for i, _, t in known if t is not None and spelling_key(t) == title]
            if not same and chat.title is None:
                same = self._by_people(
                    [i for i, key, t in known if key is None and t is None], people
                )
        if same:
            return same[0]
        return tables.add_chat(chat.platform, chat.key, chat.title, chat.kind)

    def _by_people(self, known: Sequence[int], people: frozenset[int]) -> list[int]:
        """Nameless chats are told apart by who writes in them; the owner is in all of them."""
        own = people - {self._owner}
        if len(people) <= DIRECT_SIZE:
            pairs = [i for i in known if len(self._groups[i]) <= DIRECT_SIZE]
            return [i for i in pairs if own and self._groups[i] - {self._owner} == own]
        ranked: dict[int, tuple[float, float]] = {}
        for i in known:
            group = self._groups[i] - {self._owner}
            inside = len(group & own) / len(own)
            alike = len(group & own) / len(group | own)
            if len(self._groups[i]) > DIRECT_SIZE and (
                inside >= INSIDE_GROUP or alike >= ALIKE_GROUP
            ):
                ranked[i] = (inside, alike)
        return [max(ranked, key=lambda i: ranked[i])] if ranked else []

    def _mentions(self, session: Sequence[Message]) -> Iterable[tuple[int, int, int, int]]:
        people = self._store.people
        index = people.index()
        names = {person: spellings[0] for person, spellings in people.spellings().items()}
        present = frozenset(self._groups[session[0].chat_id])
        for message in session:
            yield message.sender_id, message.id, 0, len(message.text)
            for mention in mentions(message, index, present, names):
                entity = people.ensure(mention.type, mention.name)
                yield entity, message.id, mention.start, mention.end

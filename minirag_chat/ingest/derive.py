"""New messages of a chat → sessions, chunks, full text and mentions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from minirag_chat.extract.structure import mentions
from minirag_chat.ingest.chunk import sessions, windows, with_parents
from minirag_chat.ingest.language import LanguageSample
from minirag_chat.models.protocols import Embedder
from minirag_chat.records import EntityType, Message, Progress, Report, silent
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.store.rows import DATES_READ_IN, YEARLESS_TOO, in_parts
from minirag_chat.times.in_messages import FEW, date_before
from minirag_chat.times.numeric import in_order

_MOST_ENTITIES = 100_000  # size of the cache of ids by name
_REPORT_EVERY = 200  # messages between two reports: some tenths of a second


class Deriver:
    """Cuts new messages into sessions and indexes them, inside the import's transaction."""

    def __init__(
        self, store: Store, settings: Settings, embedder: Embedder, gap: timedelta
    ) -> None:
        self._store = store
        self._settings = settings
        self._embedder = embedder
        self._gap = gap
        self._index = store.people.index()
        self._names = {person: names[0] for person, names in store.people.spellings().items()}
        self._groups = {c: frozenset(p) for c, p in store.messages.participants().items()}
        self._entities: dict[tuple[EntityType, str], int] = {}
        self._sample = LanguageSample()
        self._report: Report = silent
        self._done = self._total = 0

    def chats(self, chats: Sequence[int], progress: Report = silent) -> None:
        """Index the messages of chats that are in no session yet, and rebuild the sessions near them.

        ``progress`` is called every few hundred messages; an exception that it raises stops the indexing.
        """
        store = self._store
        for chat in chats:
            near = store.staging.sessions_near_new(chat, self._gap.total_seconds())
            store.index.drop_sessions(near)
        self._report, self._done = progress, 0
        self._total = sum(map(store.messages.count_without_session, chats))
        self._report_progress()
        for chat in chats:
            self._chat(chat)
        self._report_progress()

    def _chat(self, chat: int) -> None:
        store = self._store
        for session in sessions(store.messages.without_session(chat), self._gap):
            session_id = store.messages.add_session(session)
            said = [message for message in session if not message.deleted]
            store.index.add_chunks(session_id, self._chunks(said))
            store.index.add_mentions(self._mentions(said))
            self._sample.take(message.text for message in said)
            self._count(len(session) - len(said))

    def dates(self) -> None:
        """Index the dates in digits of older messages, if these were indexed before their order was known."""
        store = self._store
        order = store.messages.date_order()
        read_in = f"{order}, {YEARLESS_TOO}"
        if order is None or store.meta(DATES_READ_IN) == read_in:
            return
        slashed = store.messages.with_slashes()
        wanted = sorted({session for session, at, text in slashed if in_order(text, at, order)[1]})
        for part in in_parts(wanted):
            for session in store.messages.of_sessions(part).values():
                said = [message for message in session if not message.deleted]
                store.index.add_mentions(self._mentions(said))
        store.set_meta(DATES_READ_IN, read_in)

    def language_note(self) -> str | None:
        """What to do if the messages are not in the embedder's language."""
        return self._sample.note(self._embedder)

    def _chunks(self, session: Sequence[Message]) -> list[list[Message]]:
        if not session:
            return []
        limit, count_tokens = self._settings.chunk_tokens, self._embedder.count_tokens
        cut = windows(
            session,
            size=self._settings.chunk_messages,
            overlap=self._settings.chunk_overlap,
            limit=limit,
            count_tokens=count_tokens,
        )
        wanted = sorted({message.reply_to for message in session if message.reply_to})
        if not wanted:
            return cut
        parents = self._store.messages.by_ids(wanted)
        return [with_parents(w, parents, limit=limit, count_tokens=count_tokens) for w in cut]

    def _mentions(self, session: Sequence[Message]) -> Iterator[tuple[int, int, int, int]]:
        said: deque[tuple[str, datetime]] = deque(maxlen=FEW)
        for message in session:
            yield message.sender_id, message.id, 0, len(message.text)
            present = self._groups.get(message.chat_id, frozenset())
            after = date_before(said, message.text, message.sent_at, message.date_order)
            said.append((message.text, message.sent_at))
            for mention in mentions(message, self._index, present, self._names, after):
                entity = self._entity(mention.type, mention.name)
                yield entity, message.id, mention.start, mention.end
            self._count(1)

    def _count(self, messages: int) -> None:
        """Count messages as done, and report every ``_REPORT_EVERY`` of them."""
        before, self._done = self._done, self._done + messages
        if self._done // _REPORT_EVERY > before // _REPORT_EVERY:
            self._report_progress()

    def _report_progress(self) -> None:
        self._report(Progress("indexing", self._done, self._total))

    def _entity(self, kind: EntityType, name: str) -> int:
        found = self._entities.get((kind, name))
        if found is None:
            if len(self._entities) >= _MOST_ENTITIES:
                self._entities.clear()
            found = self._entities[kind, name] = self._store.people.ensure(kind, name)
        return found

"""The open database: consistent reads, and atomic writes, one at a time."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from minirag_chat.errors import DatabaseLocked, DatabaseReadOnly, DiskFull, StoreError
from minirag_chat.settings import is_address
from minirag_chat.store.arrivals import ArrivalTables
from minirag_chat.store.bm25 import WordTables
from minirag_chat.store.cache import Cache
from minirag_chat.store.chat_overlap import ChatOverlapTables
from minirag_chat.store.columns import ColumnTables
from minirag_chat.store.connection import UNCHANGED, damaged
from minirag_chat.store.explore import ExploreTables
from minirag_chat.store.forgetting import ForgettingTables
from minirag_chat.store.full_text import Fts5, FullText, Tokenizer
from minirag_chat.store.graph import GraphTables
from minirag_chat.store.index import IndexTables
from minirag_chat.store.me import MeTable
from minirag_chat.store.media import MediaTables
from minirag_chat.store.message_counts import MessageCounts
from minirag_chat.store.messages import DATE_ORDERS, DateOrder, MessageTables
from minirag_chat.store.nearest import SignsInMemory
from minirag_chat.store.nicknames import NicknameTable
from minirag_chat.store.opening import OnStatus, connect, ignore_status, report_long_statements
from minirag_chat.store.people import PeopleTables
from minirag_chat.store.postgres.connection import PostgresConnection
from minirag_chat.store.postgres.full_text import TsVectors
from minirag_chat.store.postgres.nearest import Hnsw
from minirag_chat.store.postgres.opening import connect as connect_to_server
from minirag_chat.store.replaced_names import ReplacedNames
from minirag_chat.store.rows import read_meta, write_meta
from minirag_chat.store.shares import ShareTables
from minirag_chat.store.slm import SlmTables
from minirag_chat.store.spelling_suggestions import SpellingSuggestions
from minirag_chat.store.sql import Sql, Work
from minirag_chat.store.staging import StagingTables
from minirag_chat.store.summaries import SummaryTables
from minirag_chat.store.told_apart import ToldApartTable
from minirag_chat.store.trash import TrashTables
from minirag_chat.store.versions import VersionTables
from minirag_chat.store.wiping import Wiping
from minirag_chat.store.writers import WriterTables
from minirag_chat.system.passphrase import give

PATIENCE_SECONDS = 600.0
"""How long a change waits for another process that writes; an import takes minutes."""
READERS_SECONDS = 30.0
"""How long a wiping waits for another process that still reads what was deleted."""
EMBEDDER = "embedder"  # the key of the fact which one made the vectors
MOVING = (
    "moving"  # the key of the fact that `move` has not completed this copy; it tells what is copied
)
ASK_EVERY = 0.1  # seconds between two looks at whether it is our turn
DELETED = "what was deleted is gone, but its words are in the file until the next command wipes it"

Started = TypeVar("Started")


def not_now() -> None:
    """Pass this as ``waiting`` to give up at once, for work that can be done later."""
    raise DatabaseLocked("Another process is writing.")


def full_text(connection: Sql, tokenizer: Tokenizer) -> FullText:
    """The full text of a database."""
    if isinstance(connection, PostgresConnection):
        return TsVectors(connection, tokenizer.each)
    return Fts5(connection)


def nearest_vectors(connection: Sql, cache: Cache, index: IndexTables) -> SignsInMemory:
    """What finds the nearest vectors of a database."""
    if isinstance(connection, PostgresConnection):
        return Hnsw(connection, cache)
    return SignsInMemory(index, cache)


class Store:
    """One open database. Safe in threads: a read or a change is one thread's at a time.

    ``on_status`` is given a sentence when something takes long: waiting for another process, wiping.
    """

    def __init__(self, connection: Sql, path: Path, on_status: OnStatus = ignore_status) -> None:
        self.path = path
        self.lock = threading.RLock()
        self.on_status = on_status
        self.connection = connection
        self.cache = Cache(connection)
        tokenizer = Tokenizer()
        self._tokenizer = tokenizer
        self.text = text = full_text(connection, tokenizer)
        self.wiping = Wiping(connection, text)
        self.people = PeopleTables(connection, self.cache)
        self.messages = MessageTables(connection, self.cache, self.people.joined_names)
        self.me = MeTable(connection, self.cache, self.people)
        self.nicknames = NicknameTable(connection, self.cache, self.people)
        self.told_apart = ToldApartTable(connection, self.people)
        self.replaced_names = ReplacedNames(connection)
        self.index = IndexTables(connection, self.cache)
        self.nearest = nearest_vectors(connection, self.cache, self.index)
        self.spelling_suggestions = SpellingSuggestions(connection, self.cache)
        self.columns = ColumnTables(connection, self.cache)
        self.words = WordTables(connection, self.cache, self.columns, text, tokenizer)
        self.explore = ExploreTables(connection)
        self.message_counts = MessageCounts(connection)
        self.staging = StagingTables(connection)
        self.chat_overlap = ChatOverlapTables(connection)
        self.versions = VersionTables(connection, self.wiping)
        self.writers = WriterTables(connection)
        self.slm = SlmTables(connection)
        self.summaries = SummaryTables(connection)
        self.graph = GraphTables(connection)
        self.forgetting = ForgettingTables(connection, self.cache, text)
        self.trash = TrashTables(connection)
        self.media = MediaTables(connection)
        self.arrivals = ArrivalTables(connection)
        self.shares = ShareTables(connection)

    @classmethod
    def open(
        cls,
        path: str | Path,
        on_status: OnStatus = ignore_status,
        passphrase: str | None = None,
        *,
        user: str | None = "",
    ) -> Self:
        """Open or create the database at ``path`` (``:memory:`` for one that is not kept).

        An interrupted wiping is finished, unless another process is at work in the file. With a
        ``passphrase`` a new one is encrypted; what opens an encrypted one otherwise, ``passphrase.py``
        finds. A database of PostgreSQL that has users is opened for one of them; None is whoever owns
        it. Raises ``NotFound``, ``DatabaseTooNew``, ``DatabaseLocked``, ``DatabaseReadOnly``,
        ``DatabaseDamaged``, ``DatabaseEncrypted`` or ``StoreError``.
        """
        if is_address(path):
            connection = connect_to_server(str(path), user)
            return cls(connection, connection.path, on_status)
        if user:
            raise StoreError(
                f"{path} has no users: several people share a PostgreSQL database (docs/users.md)."
            )
        path = Path(path)
        store = cls(connect(path, on_status, passphrase), path, on_status)
        if passphrase is not None:
            give(path, passphrase)  # only now: it opens the file
        try:
            store.wipe_if_free()
        except BaseException:
            store.close()
            raise
        return store

    def again(self) -> Self:
        """The same database, opened once more."""
        where = self.connection
        if isinstance(where, PostgresConnection):
            store = type(self).open(where.address, self.on_status, user=where.user_name)
        else:
            store = type(self).open(self.path, self.on_status)
        store.messages.given_date_order = self.messages.given_date_order
        return store

    def close(self) -> None:
        """Close the file, with a wiping that is due. Closing twice is fine."""
        with self.lock:
            with contextlib.suppress(StoreError):
                self.wipe_if_free()
            self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading and changing -----------------------------------------------------------------------

    @contextmanager
    def reading(self, *, only_own: bool = False) -> Iterator[None]:
        """Reads inside see one state of the database, whoever writes meanwhile.

        Inside a change they see what it wrote. ``only_own`` leaves out what other users share, as
        a change does: for what is read in order to change it.
        """
        with self.lock:
            if self.connection.in_transaction:
                yield
                return
            try:
                self.connection.begin_reading(only_own=only_own)
                self.cache.follow()
                yield
            except (ValueError, LookupError, TypeError) as error:
                if not self.connection.whole():
                    raise damaged(self.path) from error
                raise
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("COMMIT")

    @contextmanager
    def transaction(
        self, otherwise: str = UNCHANGED, waiting: Callable[[], None] | None = None
    ) -> Iterator[None]:
        """All of the block's writes, or none of them: also after a crash or ``kill -9``.

        While another process writes it waits for its turn, and calls ``waiting`` again and again,
        which may raise to give up. ``otherwise`` says what is true where the change fails. Raises
        ``DatabaseLocked`` when the patience is over.
        """
        with self._exclusively(self.connection.begin_writing, otherwise, waiting):
            with self.connection.failing(otherwise):
                self.cache.follow()
                yield
                self.text.catch_up()
                self.connection.execute("COMMIT")
            self._settle()

    def must_be_free(self, seconds: float) -> None:
        """Raise ``DatabaseLocked`` if a change would wait longer than this for another process."""
        with self._exclusively(self.connection.begin_writing, UNCHANGED, patience=seconds):
            self.connection.execute("ROLLBACK")

    def _settle(self) -> None:
        """Let the file alone be the whole database again: it may be copied or moved without its log."""
        with (
            contextlib.suppress(StoreError),
            self.connection.at_once(),
        ):  # the change is made in any case
            self.connection.empty_log()

    @contextmanager
    def _exclusively(
        self,
        begin: Callable[[], Started],
        otherwise: str,
        waiting: Callable[[], None] | None = None,
        patience: float | None = None,
    ) -> Iterator[Started]:
        """Hold the lock and ``begin``; while another process is at it, wait without the lock.

        Whatever ends the block early, also an interrupt while it begins, leaves no transaction open.
        """
        until = time.monotonic() + (PATIENCE_SECONDS if patience is None else patience)
        announced = False
        while True:
            with self.lock:
                if self.connection.in_transaction:
                    raise RuntimeError("a change inside a read, or inside another change")
                try:
                    try:
                        with self.connection.at_once(), self.connection.failing(otherwise):
                            started = begin()
                    except DatabaseLocked:
                        if time.monotonic() >= until:
                            raise
                    else:
                        yield started
                        return
                except BaseException:
                    if self.connection.in_transaction:
                        self.connection.execute("ROLLBACK")
                    self.cache.empty()
                    raise
            if not announced:
                self.on_status(f"Another process is using {self.path}: waiting for its turn.")
                announced = True
            if waiting is not None:
                waiting()
            time.sleep(ASK_EVERY)

    # --- wiping --------------------------------------------------------------------------------------

    def wipe(self) -> None:
        """Wipe what was forgotten from the file, where that is due; waits for its turn.

        Where it cannot be done it stays due, and the error says so. Raises ``StoreError``.
        """
        with self.reading():
            due = self.wiping.due() and self.connection.can_write_anew
        if due:
            self.compact()

    def wipe_if_free(self) -> None:
        """Like ``wipe``, but only if no other process uses the file; otherwise the wiping stays due."""
        begun = False
        try:
            with self.lock:
                with self.reading():
                    due = self.wiping.due() and self.connection.can_write_anew
                if due:
                    self.on_status(f"Rewriting {self.path} to remove deleted text.")
                    begun = True
                    with (
                        self.connection.at_once(),
                        report_long_statements(self.connection, self.on_status),
                    ):
                        self.wiping.settle(self.wiping.rewrite())
        except (DatabaseLocked, DatabaseReadOnly, DiskFull) as error:
            if begun:
                self.on_status(f"Deleted text is still in the file: {error}")

    def compact(self) -> None:
        """Write the file anew, as small as it can be and with nothing that was deleted."""
        with self._exclusively(self.wiping.rewrite, DELETED) as asked:
            pass  # other processes may still read the old state: the lock is not held while waiting for them
        settle = partial(self.wiping.settle, asked)
        with self._exclusively(settle, DELETED, patience=READERS_SECONDS):
            self._settle()

    @contextmanager
    def claimed(self, work: Work, ids: Sequence[int]) -> Iterator[list[int]]:
        """Claim the ids that no other process is working on, until the block ends.

        They may have been finished a moment before.
        """
        ours = list(ids)  # until it is known: to release what is not ours does nothing
        try:
            with self.lock:
                ours = self.connection.claim(work, ids)
            yield ours
        finally:
            with self.lock, contextlib.suppress(StoreError):  # with the connection they are gone
                self.connection.release(work, ours)

    # --- facts ---------------------------------------------------------------------------------------

    @property
    def has_users(self) -> bool:
        """Whether several people have chats in it."""
        return isinstance(self.connection, PostgresConnection) and self.connection.has_users

    @property
    def size_bytes(self) -> int:
        """The size of the database, in bytes."""
        return self.connection.size_bytes

    def stems(self, words: Iterable[str]) -> frozenset[str]:
        """The tokens under which words are indexed."""
        return frozenset(self._tokenizer.each([" ".join(words)])[0])

    def values(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Each table with all texts and blobs in it, value by value, but for the full text.

        A file has them side by side, where the end of one and the beginning of another make words.
        """
        for table in self.connection.tables():
            rows = self.connection.execute(f'SELECT * FROM "{table}"')
            there = (value for row in rows for value in row if isinstance(value, str | bytes))
            yield table, (b"\0" + _bytes(value) for value in there)

    def note(self, event: str, detail: str) -> None:
        """Write down in the audit log what a user did, without what a message says."""
        if self.connection.user:
            with self.transaction():
                self.shares.note(event, detail)

    def meta(self, key: str) -> str | None:
        """A remembered fact about the database, e.g. which embedder made its vectors."""
        return read_meta(self.connection, key)

    def set_meta(self, key: str, value: str) -> None:
        """Remember a fact; inside a transaction."""
        write_meta(self.connection, key, value)

    def learn_date_orders(self, orders: Iterable[str]) -> None:
        """Remember in which orders exports write day and month, "dmy" and "mdy"; inside a transaction."""
        known = (self.meta(DATE_ORDERS) or "").split()
        if found := {*orders} - {*known}:
            self.set_meta(DATE_ORDERS, " ".join(sorted({*known, *found})))

    def date_order(self) -> DateOrder | None:
        """The one order of day and month in the exports; None if it is not known, or if both occur."""
        return self.messages.exports_date_order()

    def must_be_complete(self) -> None:
        """Raise ``StoreError`` if this is a copy that was not completed, or is still being made."""
        with self.reading():
            if self.meta(MOVING) is not None:
                raise StoreError(not_complete(self.path))

    def take_embedder(self, name: str) -> None:
        """Remember whose vectors a transaction writes. Raises ``StoreError`` if others are another's."""
        made_by = self.meta(EMBEDDER)
        if made_by not in (None, name):
            raise StoreError(
                f"The vectors in {self.path} are those of the embedder {made_by}: set "
                f"MINIRAG_CHAT_EMBEDDER={made_by}, or let `minirag-chat index` make them anew; "
                f"{self.connection.otherwise}."
            )
        self.set_meta(EMBEDDER, name)


def not_complete(path: Path) -> str:
    """The sentence about a copy that `move` has not completed."""
    return (
        f"{path} is a copy that is not complete: run `minirag-chat move` once more with the same two "
        "names, which continues it."
    )


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()

"""SQLite's connection; its errors become ours, each a sentence that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import psutil

from minirag_chat.errors import (
    DatabaseDamaged,
    DatabaseLocked,
    DatabaseReadOnly,
    DiskFull,
    StoreError,
)
from minirag_chat.store.full_text import FULL_TEXT, PLACES
from minirag_chat.store.sql import TOGETHER, InBoth, Work, many_rows

BUSY_SECONDS = 5.0
UNCHANGED = "nothing was changed"
MEMORY_SHARE = 0.5  # of what is available, for the copy of a database that is written anew
_DAMAGED = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT))
_BUSY = "{path} is being written by another process: wait for it to finish, then try again"
_READ_ONLY = (
    "{path} cannot be written (read-only disk, or no permission): choose another place with --db"
)
_ERRORS: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_BUSY: (DatabaseLocked, _BUSY),
    sqlite3.SQLITE_LOCKED: (DatabaseLocked, _BUSY),
    sqlite3.SQLITE_READONLY: (DatabaseReadOnly, _READ_ONLY),
    sqlite3.SQLITE_CANTOPEN: (DatabaseReadOnly, _READ_ONLY),
    sqlite3.SQLITE_PERM: (DatabaseReadOnly, _READ_ONLY),
    sqlite3.SQLITE_FULL: (DiskFull, "The disk that holds {path} is full: free some space"),
    sqlite3.SQLITE_IOERR: (
        StoreError,
        "The disk that holds {path} cannot be read or written ({error}): it may be full or failing",
    ),
}


if TYPE_CHECKING:
    _AnyConnection = sqlite3.Connection
    _AnyCursor = sqlite3.Cursor
else:  # SQLite's own, or SQLCipher's: each is another class of C
    _AnyConnection = _AnyCursor = object


class OurConnection(InBoth, _AnyConnection):
    """A connection to ``path``. ``otherwise`` is appended to errors: what is true if a statement fails.

    ``identity`` is the device and inode of its file. ``failures`` are the exceptions of the library.
    """

    as_list = "GROUP_CONCAT({})"
    """SQL that joins a column of integers into one text, separated by commas."""

    path = Path(":memory:")
    otherwise = UNCHANGED
    encrypted = False
    user = 0  # a file has no users
    only_own = False
    identity: tuple[int, int] | None = None
    failures: tuple[type[Exception], ...] = (sqlite3.Error,)
    unreadable: tuple[type[Exception], ...] = (sqlite3.Error, UnicodeDecodeError)
    cursors: type[OurCursor]

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open. Raises ``StoreError`` where the connection is closed."""
        try:
            return bool(super().in_transaction)
        except self.failures as error:
            raise our_error(error, self.path) from error

    def close(self) -> None:
        """Close it; its file is no longer in use by it."""
        self.identity = None
        super().close()

    def cursor(self, factory: Any = None) -> Any:
        """A cursor whose errors are ours."""
        return super().cursor(factory or self.cursors)

    def later(self, column: str, seconds: str) -> str:
        """SQL for a column with an ISO time plus an interval: the parameter is such as "-60 seconds"."""
        return f"strftime('%Y-%m-%dT%H:%M:%S', {column}, {seconds})"

    def weekday(self, column: str) -> str:
        """SQL for the day of the week of a column with an ISO time, from 0 for Monday."""
        return f"((strftime('%w', {column}) + 6) % 7)"

    def begin_reading(self, *, only_own: bool = False) -> None:
        """Begin a read transaction with one snapshot."""
        del only_own
        self.execute("BEGIN")

    def begin_writing(self) -> None:
        """Begin a write transaction. Raises ``DatabaseLocked`` if another process is in one."""
        self.execute("BEGIN IMMEDIATE")

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Inside the block a lock of another process is an error immediately, without waiting."""
        self.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            self.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")

    def changes(self) -> tuple[int, int]:
        """Counters of the changes by others and by this connection."""
        return self.number("PRAGMA data_version"), self.own_changes

    @property
    def own_changes(self) -> int:
        """How many rows this connection wrote, also into temporary tables."""
        return int(self.total_changes)

    def claim(self, work: Work, ids: Sequence[int]) -> list[int]:  # noqa: ARG002 - as in PostgreSQL
        """All of them: SQLite has no claims, so two processes may do the same work."""
        return list(ids)

    def release(self, work: Work, ids: Sequence[int]) -> None:
        """Nothing: there are no claims."""

    def publish_progress(self, work: Work | None, done: int = 0, a_second: float = 0.0) -> None:
        """Nothing: no other process could read it."""

    def worker_progress(self) -> list[tuple[Work, int, float]]:
        """Nothing: a file does not know the processes that use it."""
        return []

    def survey(self, table: str) -> None:
        """Update the planner's statistics of a table into which this transaction wrote much."""
        # Not needed for SQLite: the statements fix the order of its joins.

    @contextmanager
    def filling(self, table: str) -> Iterator[None]:
        """Inside the block, which is inside a transaction, many rows are inserted into a table.

        If it is empty, its indexes are made after the block: sorted once, instead of row by row. Those of
        its constraints stay.
        """
        named = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql <> ''"
        empty = self.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is None
        indexes = self.execute(named, (table,)).fetchall() if empty else []
        for name, _ in indexes:
            self.execute(f"DROP INDEX {name}")
        yield
        for _, made in indexes:
            self.execute(made)

    def highest(self, table: str) -> int:
        """The highest id that a row of a table ever had, including deleted rows."""
        counted = self.number("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
        return max(self.number(f"SELECT MAX(id) FROM {table}"), counted)

    def count_on(self, table: str, highest: int) -> None:
        """Continue the ids of a table after this one."""
        done = self.execute(
            "UPDATE sqlite_sequence SET seq = MAX(seq, ?) WHERE name = ?", (highest, table)
        )
        if not done.rowcount and "AUTOINCREMENT" in self._made_by(table):
            self.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, highest))

    def _made_by(self, table: str) -> str:
        return str(self.value("SELECT sql FROM sqlite_master WHERE name = ?", (table,)))

    def tables(self) -> list[str]:
        """The tables with messages and data derived from them, except for the full-text index."""
        rows = self.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        )
        return [row[0] for row in rows if not row[0].endswith(("_data", "_idx"))]

    def own_names(self) -> list[str]:
        """The names of tables and columns."""
        return self.column(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL "
            "UNION SELECT k FROM message_text_config"
        )

    @property
    def can_write_anew(self) -> bool:
        """Whether the file can be rewritten."""
        return True

    def free_pages(self) -> int:
        """The number of unused pages of the file."""
        return self.number("PRAGMA freelist_count")

    def whole(self) -> bool:
        """Whether the file is undamaged, as far as a quick look tells."""
        return bool(self.value("PRAGMA quick_check(1)") == "ok")

    @property
    def size_bytes(self) -> int:
        """The size of the database, in bytes."""
        return self.number("PRAGMA page_count") * self.number("PRAGMA page_size")

    def write_anew(self) -> None:
        """Write the file without what was deleted from its tables.

        SQLite makes a copy, which needs as much room as the file: in memory, or if that is short in a file
        without a name, where SQLite keeps temporary files; encrypted as the database is.
        """
        if self.size_bytes < psutil.virtual_memory().available * MEMORY_SHARE:
            self.execute("VACUUM")
            return
        try:
            self.execute("PRAGMA temp_store = FILE")
            self.execute("VACUUM")
        finally:
            self.execute("PRAGMA temp_store = MEMORY")
            self.show_words()  # all that is temporary went

    def show_words(self) -> None:
        """Create the temporary view of the full-text index's words and positions."""
        self.execute(f"CREATE VIRTUAL TABLE {PLACES} USING fts5vocab (main, {FULL_TEXT}, instance)")

    def empty_log(self) -> bool:
        """Checkpoint and truncate the write-ahead log.

        Returns False if another process uses the file: the log then keeps its content.
        """
        busy, _pages, _moved = self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """Run a statement. Raises ``StoreError`` and its children."""
        found: sqlite3.Cursor = self.cursor().execute(sql, parameters)
        return found

    def executemany(self, sql: str, parameters: Iterable[Any]) -> sqlite3.Cursor:
        """Run a statement once for each row. Raises ``StoreError`` and its children.

        Plain inserts are batched into statements with many rows, which saves a third of the time.
        """
        cursor: sqlite3.Cursor = self.cursor()
        if many_rows(sql, 1) is None:
            return cursor.executemany(sql, parameters)
        rows = iter(parameters)
        while some := list(islice(rows, TOGETHER)):
            cursor.execute(many_rows(sql, len(some)) or sql, [*chain.from_iterable(some)])
        return cursor

    def insert(self, sql: str, parameters: Any = ()) -> int | None:
        """Insert a row; returns its id, or None if the statement skips existing rows and this is one."""
        rows = self.execute(f"{sql} RETURNING id", parameters).fetchall()
        return int(rows[0][0]) if rows else None


class OurCursor(_AnyCursor):
    """Statements and their rows. A row may fail too: it is read only when it is asked for."""

    connection: OurConnection

    def execute(self, sql: str, parameters: Any = ()) -> Self:
        """Run a statement."""
        try:
            return super().execute(sql, parameters)
        except self.connection.unreadable as error:
            raise self._ours(error) from error

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Self:
        """Run a statement once for each row; exceptions of the iterator are passed on."""
        try:
            return super().executemany(sql, parameters)
        except self.connection.failures as error:
            raise self._ours(error) from error

    def fetchone(self) -> Any:
        """The next row, or None."""
        try:
            return super().fetchone()
        except self.connection.unreadable as error:
            raise self._ours(error) from error

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        try:
            return super().fetchall()
        except self.connection.unreadable as error:
            raise self._ours(error) from error

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        """The next rows, up to ``size``."""
        try:
            return super().fetchmany(size)
        except self.connection.unreadable as error:
            raise self._ours(error) from error

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]  # rows, whoever counts them
        rows = super().__iter__()
        while True:
            try:
                row = next(rows, None)
            except self.connection.unreadable as error:
                raise self._ours(error) from error
            if row is None:
                return
            yield row

    def _ours(self, error: Exception) -> StoreError:
        return our_error(error, self.connection.path, self.connection.otherwise)


class Cursor(OurCursor, sqlite3.Cursor):
    """A cursor of SQLite's own library."""


class Connection(OurConnection, sqlite3.Connection):
    """A connection of SQLite's own library."""

    cursors = Cursor


def our_error(error: Exception, path: Path, otherwise: str = UNCHANGED) -> StoreError:
    """Translate an error of SQLite or the disk into one of ours.

    Names and text that are not valid UTF-8 were not written by us: the file is damaged.
    """
    if isinstance(error, OSError):
        return StoreError(
            f"{path} cannot be used ({error.strerror}): choose another place with --db."
        )
    if "closed database" in str(error):
        return StoreError(f"The memory of {path} is closed: open it again.")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if isinstance(error, UnicodeDecodeError) or "not decode" in str(error) or code in _DAMAGED:
        return damaged(path)
    kind, said = _ERRORS.get(code, (StoreError, "The database {path} reported: {error}"))
    return kind(said.format(path=path, error=error) + f"; {otherwise}.")


def damaged(path: Path) -> DatabaseDamaged:
    """The error for a file that is not a database of ours, or is damaged."""
    return DatabaseDamaged(
        f"{path} is not a MiniRAG Chat database, or is damaged: put a copy of it back, or choose "
        "another file (`--db`) and import the exports again."
    )


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` in the block when SQLite reports Ctrl-C as an interrupted statement."""
    try:
        yield
    except StoreError as error:
        if getattr(error.__cause__, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from error
        raise

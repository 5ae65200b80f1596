"""SQLite's connection, whose every failure is one of our errors: one sentence that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from minirag_chat.errors import (
    DatabaseDamaged,
    DatabaseLocked,
    DatabaseReadOnly,
    DiskFull,
    StoreError,
)

UNCHANGED = "nothing was changed"
_DAMAGED = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT))
_WRITTEN = "{path} is being written by another process: wait for it to finish, then try again"
_CLOSED = (
    "{path} cannot be written (read-only disk, or no permission): choose another place with --db"
)
_SAID: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_BUSY: (DatabaseLocked, _WRITTEN),
    sqlite3.SQLITE_LOCKED: (DatabaseLocked, _WRITTEN),
    sqlite3.SQLITE_READONLY: (DatabaseReadOnly, _CLOSED),
    sqlite3.SQLITE_CANTOPEN: (DatabaseReadOnly, _CLOSED),
    sqlite3.SQLITE_PERM: (DatabaseReadOnly, _CLOSED),
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


class OurConnection(_AnyConnection):
    """A connection to ``path``. ``otherwise`` is what is true where a statement fails now.

    ``identity`` is its file's device and number. ``failures`` are what the library below raises.
    """

    path = Path(":memory:")
    otherwise = UNCHANGED
    encrypted = False
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

    @contextmanager
    def failing(self, otherwise: str) -> Iterator[None]:
        """What is true where a statement of the block fails."""
        before, self.otherwise = self.otherwise, otherwise
        try:
            yield
        finally:
            self.otherwise = before

    def cursor(self, factory: Any = None) -> Any:
        """A cursor whose errors are ours."""
        return super().cursor(factory or self.cursors)

    def empty_log(self) -> bool:
        """Move what the log has into the file, which then is the whole database, and empty it.

        Returns False where another process is at work: then the log keeps what it has.
        """
        busy, _pages, _moved = self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """Run a statement. Raises ``StoreError`` and its children."""
        found: sqlite3.Cursor = self.cursor().execute(sql, parameters)
        return found

    def executemany(self, sql: str, parameters: Iterable[Any]) -> sqlite3.Cursor:
        """Run a statement once for each row. Raises ``StoreError`` and its children."""
        found: sqlite3.Cursor = self.cursor().executemany(sql, parameters)
        return found


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
        """Run a statement once for each row; what making the rows raises is passed on."""
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
    """What SQLite or the disk reported, as one of our errors.

    Names and text that are no UTF-8 were not written by us: the file is damaged.
    """
    if isinstance(error, OSError):
        return StoreError(
            f"{path} cannot be used ({error.strerror}): choose another place with --db."
        )
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if isinstance(error, UnicodeDecodeError) or "not decode" in str(error) or code in _DAMAGED:
        return damaged(path)
    kind, said = _SAID.get(code, (StoreError, "The database {path} reported: {error}"))
    return kind(said.format(path=path, error=error) + f"; {otherwise}.")


def damaged(path: Path) -> DatabaseDamaged:
    """The error of a file that is no database of ours, or no longer a whole one."""
    return DatabaseDamaged(
        f"{path} is not a MiniRAG Chat database, or is damaged: put a copy of it back, or choose "
        "another file with --db and import the exports again."
    )


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, Ctrl-C is Ctrl-C again where SQLite reports it as an interrupted statement."""
    try:
        yield
    except StoreError as error:
        if getattr(error.__cause__, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from error
        raise

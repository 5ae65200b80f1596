"""Opens the database file, brings it up to date, and turns SQLite's errors into ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Self

from minirag_chat.errors import DatabaseLocked, DatabaseReadOnly, DatabaseTooNew, StoreError
from minirag_chat.store.acquaintance import AcquaintanceTables
from minirag_chat.store.explore import ExploreTables
from minirag_chat.store.index import IndexTables
from minirag_chat.store.messages import MessageTables
from minirag_chat.store.people import PeopleTables
from minirag_chat.store.slm import SlmTables
from minirag_chat.store.staging import StagingTables
from minirag_chat.store.summaries import SummaryTables
from minirag_chat.store.versions import VersionTables
from minirag_chat.store.walks import WalkTables

MIGRATIONS = ("m001_initial.sql", "m002_marks.sql", "m003_versions.sql", "m004_slm.sql")
BUSY_SECONDS = 5.0


class Store:
    """One open database. Not for use from two threads at once: the engine holds a lock."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self.messages = MessageTables(connection)
        self.people = PeopleTables(connection)
        self.index = IndexTables(connection)
        self.explore = ExploreTables(connection)
        self.staging = StagingTables(connection)
        self.versions = VersionTables(connection)
        self.acquaintance = AcquaintanceTables(connection)
        self.slm = SlmTables(connection)
        self.summaries = SummaryTables(connection)
        self.walks = WalkTables(connection)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open or create the database at ``path`` (``:memory:`` for one that is not kept).

        Raises ``DatabaseTooNew``, ``DatabaseLocked``, ``DatabaseReadOnly`` or ``StoreError``.
        """
        path = Path(path)
        with _translated(path):
            if str(path) != ":memory:":
                path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA secure_delete = ON")
                connection.execute("PRAGMA temp_store = MEMORY")
                _migrate(connection, path)
            except BaseException:
                connection.close()
                raise
        return cls(connection, path)

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the block's writes, or none of them: also after a crash or ``kill -9``."""
        with _translated(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Reads inside see one state, and SQLite's errors come out as ours."""
        with _translated(self.path):
            yield

    def compact(self) -> None:
        """Give the space of deleted rows back, so that no deleted text stays in the file."""
        with _translated(self.path):
            for table in ("chunk_text", "session_text", "message_text"):
                # table is one of the three names above, never input
                self._connection.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")
            self._connection.execute("VACUUM")

    @property
    def connection(self) -> sqlite3.Connection:
        """SQLite's own connection, for the other modules of the store."""
        return self._connection

    @property
    def size_bytes(self) -> int:
        """The size of the database, in bytes."""
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        (size,) = self._connection.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(size)

    def meta(self, key: str) -> str | None:
        """A remembered fact about the database, e.g. which embedder made its vectors."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Remember a fact; inside a transaction."""
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise DatabaseTooNew(
            f"{path} was written by a newer release (layout {version}, this one knows up to "
            f"{len(MIGRATIONS)}): update with `pip install --upgrade minirag-chat`."
        )
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StoreError(f"{path} is a database of another program: choose another file with --db.")
    for number, name in enumerate(MIGRATIONS[version:], start=version + 1):
        script = files("minirag_chat.store").joinpath(name).read_text(encoding="utf-8")
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;"
        )


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _our_error(error, path) from error
    except OSError as error:
        raise StoreError(
            f"{path} cannot be used ({error.strerror}): choose another place with --db."
        ) from error


def _our_error(error: sqlite3.Error, path: Path) -> StoreError:
    text = str(error).lower()
    if "locked" in text or "busy" in text:
        return DatabaseLocked(
            f"{path} is being written by another process: wait for it to finish, then try again."
        )
    if "readonly" in text or "read-only" in text or "unable to open" in text:
        return DatabaseReadOnly(
            f"{path} cannot be written (read-only disk, or no permission): "
            "choose another place with --db."
        )
    if "full" in text:
        return StoreError(
            f"The disk that holds {path} is full: nothing was changed; free some space."
        )
    if "not a database" in text or "malformed" in text:
        return StoreError(
            f"{path} is not a MiniRAG Chat database, or is damaged: choose another file with --db."
        )
    return StoreError(f"The database {path} reported: {error}; nothing was changed.")

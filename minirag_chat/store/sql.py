"""The protocol of a database connection, for SQL that both SQLite and PostgreSQL understand.

Parameters are written ``?``, ``?1`` or ``:name``. Methods cover what differs between the two. SQLite's
planner hints (``CROSS JOIN … ON``, ``INDEXED BY``) are removed for PostgreSQL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol

from minirag_chat.errors import StoreError

TABLES = (
    "meta", "chats", "entities", "sessions", "messages", "chunks", "chunk_messages", "vectors", "mentions",
    "slm_readings", "slm_reading_messages", "slm_entities", "slm_mentions", "slm_relations", "summaries",
    "summary_chunks", "summary_entities", "deletions", "deleted_rows", "arrivals", "media",
)  # fmt: skip
"""All tables except the full-text index, each after the tables that it references."""
OWNER = "owner"
"""The column with the owner of a row in databases with users; SQLite does not have it."""

TOGETHER = 20
"""Rows in one statement, where many are inserted."""
_ONE_ROW = re.compile(
    r"(INSERT INTO .* VALUES )(\([^()]*\))( ON CONFLICT(?: \([^()]*\))? DO NOTHING)?"
)

Work = Literal["embedding", "reading"]
"""Jobs that several processes can share: embedding chunks, and reading with a model."""


@lru_cache(maxsize=1024)
def many_rows(sql: str, count: int) -> str | None:
    """The statement that inserts ``count`` rows at once; None if ``sql`` is not a plain insert.

    An upsert must not get the same row twice.
    """
    found = _ONE_ROW.fullmatch(sql)
    return found and f"{found[1]}{', '.join([found[2]] * count)}{found[3] or ''}"


class Rows(Protocol):
    """The result rows of a statement; ``rowcount`` is the number of rows written."""

    @property
    def rowcount(self) -> int:
        """How many rows the statement wrote."""

    @property
    def description(self) -> Any:
        """A tuple for each column, its name first."""

    def fetchone(self) -> Any:
        """The next row, or None."""

    def fetchmany(self, size: int = 1, /) -> list[Any]:
        """The next rows, up to ``size``."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""

    def __iter__(self) -> Iterator[Any]:
        """The rows that are left."""


class Sql(Protocol):
    """A connection. All errors are ``StoreError`` and its children.

    ``otherwise`` is appended to errors: what is true if a statement fails.
    """

    path: Path
    otherwise: str
    encrypted: bool
    user: int
    """The id of the user whose rights apply; 0 without users."""
    only_own: bool
    """Whether this transaction hides chats shared by other users."""
    as_list: str
    """SQL that joins a column of integers into one text, separated by commas."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""

    @property
    def own_changes(self) -> int:
        """How many rows this connection wrote."""

    @property
    def size_bytes(self) -> int:
        """The size of the database, in bytes."""

    def execute(self, sql: str, parameters: Any = ()) -> Rows:
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Rows:
        """Run a statement once for each row."""

    def column(self, sql: str, parameters: Any = ()) -> list[Any]:
        """The first column of all rows that a statement gives."""

    def value(self, sql: str, parameters: Any = ()) -> Any:
        """The first column of the first row; None without a row."""

    def number(self, sql: str, parameters: Any = ()) -> int:
        """The same as an int; 0 where there is none."""

    def insert(self, sql: str, parameters: Any = ()) -> int | None:
        """Insert a row; returns its id, or None if the statement skips existing rows and this is one."""

    def new(self, sql: str, parameters: Any = ()) -> int:
        """Insert a new row; returns its id."""

    def later(self, column: str, seconds: str) -> str:
        """SQL for a column with an ISO time plus an interval: the parameter is such as "-60 seconds"."""

    def begin_reading(self, *, only_own: bool = False) -> None:
        """Begin a read transaction with one snapshot, or one that only sees the user's own rows."""

    def begin_writing(self) -> None:
        """Begin a write transaction. Raises ``DatabaseLocked`` if another process is in one."""

    def at_once(self) -> AbstractContextManager[None]:
        """Inside the block a lock of another process is an error immediately, without waiting."""

    def failing(self, otherwise: str) -> AbstractContextManager[None]:
        """Errors inside the block say ``otherwise``: what is true if a statement fails."""

    def changes(self) -> tuple[int, int]:
        """Counters of the changes by others and by this connection."""

    def claim(self, work: Work, ids: Sequence[int]) -> list[int]:
        """Claim ids for this work; returns those that no other process has claimed.

        A killed process has no claims, and finished work is no longer claimed: check after the claim what
        is still to do. SQLite has no claims: there, two processes may do the same work.
        """

    def release(self, work: Work, ids: Sequence[int]) -> None:
        """Release claims."""

    def tell(self, work: Work | None, done: int = 0, a_second: float = 0.0) -> None:
        """Publish the progress of this process to others while it lives; None ends that."""

    def told(self) -> list[tuple[Work, int, float]]:
        """The published progress of all processes on this database, this one included."""

    def survey(self, table: str) -> None:
        """Update the planner's statistics of a table into which this transaction wrote much."""

    def filling(self, table: str) -> AbstractContextManager[None]:
        """Inside the block, which is inside a transaction, many rows are inserted into a table."""

    def highest(self, table: str) -> int:
        """The highest id that a row of a table ever had, including deleted rows."""

    def count_on(self, table: str, highest: int) -> None:
        """Continue the ids of a table after this one."""

    def tables(self) -> list[str]:
        """The tables with messages and data derived from them, except for the full-text index."""

    def own_names(self) -> list[str]:
        """The names of tables and columns."""

    @property
    def can_write_anew(self) -> bool:
        """Whether this connection may rewrite the tables."""

    def free_pages(self) -> int:
        """The number of unused pages of the file."""

    def whole(self) -> bool:
        """Whether the database is undamaged, as far as a quick look tells."""

    def write_anew(self) -> None:
        """Rewrite the tables without deleted rows."""

    def empty_log(self) -> bool:
        """Empty the write-ahead log; False if another process uses the database."""

    def set_progress_handler(self, handler: Callable[[], int] | None, n: int, /) -> None:
        """Call ``handler`` repeatedly while a statement runs, if the database supports it."""

    def close(self) -> None:
        """Close it."""


class InBoth:
    """The methods that are the same in both connections."""

    def column(self: Sql, sql: str, parameters: Any = ()) -> list[Any]:
        """The first column of all rows that a statement gives."""
        return [row[0] for row in self.execute(sql, parameters).fetchall()]

    def value(self: Sql, sql: str, parameters: Any = ()) -> Any:
        """The first column of the first row; None without a row."""
        row = self.execute(sql, parameters).fetchone()
        return None if row is None else row[0]

    def number(self: Sql, sql: str, parameters: Any = ()) -> int:
        """The same as an int; 0 where there is none."""
        return int(self.value(sql, parameters) or 0)

    def new(self: Sql, sql: str, parameters: Any = ()) -> int:
        """Insert a new row; returns its id."""
        identity = self.insert(sql, parameters)
        if identity is None:
            raise StoreError(f"The database {self.path} did not take a row; {self.otherwise}.")
        return identity

    @contextmanager
    def failing(self: Sql, otherwise: str) -> Iterator[None]:
        """Errors inside the block say ``otherwise``: what is true if a statement fails."""
        before, self.otherwise = self.otherwise, otherwise
        try:
            yield
        finally:
            self.otherwise = before

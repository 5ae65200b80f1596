"""A database connection, for SQL that both SQLite and PostgreSQL understand.

Parameters are written ``?``, ``?1`` or ``:name``. Both connections have the same methods, which cover what
differs. SQLite's planner hints (``CROSS JOIN … ON``, ``INDEXED BY``) are removed for PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from minirag_chat.errors import StoreError
from minirag_chat.lazy_patterns import lazy

if TYPE_CHECKING:
    from minirag_chat.store.connection import OurConnection
    from minirag_chat.store.postgres.connection import PostgresConnection

TABLES = (
    "meta", "chats", "entities", "sessions", "messages", "chunks", "chunk_messages", "vectors", "mentions",
    "slm_readings", "slm_reading_messages", "slm_entities", "slm_mentions", "slm_relations", "summaries",
    "summary_chunks", "summary_entities", "deletions", "deleted_rows", "arrivals", "media",
)  # fmt: skip
"""All tables except the full-text index, each after the tables that it references."""
OWNER = "owner"
"""The column with the owner of a row in databases with users; SQLite does not have it."""

_BOOLEAN = frozenset(("edited", "deleted", "active", "changed"))

TOGETHER = 20
"""Rows in one statement, where many are inserted."""
_ONE_ROW = lazy(r"(INSERT INTO .* VALUES )(\([^()]*\))( ON CONFLICT(?: \([^()]*\))? DO NOTHING)?")

Work = Literal["embedding", "reading"]
"""Jobs that several processes can share: embedding chunks, and reading with a model."""


def truth(column: str, value: Any) -> Any:
    """A column's value, as a boolean where the column is one: SQLite stores 0 and 1."""
    return bool(value) if column in _BOOLEAN else value


@lru_cache(maxsize=1024)
def many_rows(sql: str, count: int) -> str | None:
    """The statement that inserts ``count`` rows at once; None if ``sql`` is not a plain insert.

    An upsert must not get the same row twice.
    """
    found = _ONE_ROW.fullmatch(sql)
    return found and f"{found[1]}{', '.join([found[2]] * count)}{found[3] or ''}"


Sql: TypeAlias = "OurConnection | PostgresConnection"
"""A connection. All its errors are ``StoreError`` and its children."""


class InBoth:
    """What is the same in both connections.

    ``otherwise`` is appended to errors: what is true if a statement fails.
    """

    path: Path
    otherwise: str
    if TYPE_CHECKING:

        @property
        def in_transaction(self) -> bool:
            """Whether a transaction is open."""

        def execute(self, sql: str, parameters: Any = ()) -> Any:
            """Run a statement."""

        def insert(self, sql: str, parameters: Any = ()) -> int | None:
            """Insert a row; returns its id, or None if it is there already."""

    def column(self, sql: str, parameters: Any = ()) -> list[Any]:
        """The first column of all rows that a statement gives."""
        return [row[0] for row in self.execute(sql, parameters).fetchall()]

    def value(self, sql: str, parameters: Any = ()) -> Any:
        """The first column of the first row; None without a row."""
        row = self.execute(sql, parameters).fetchone()
        return None if row is None else row[0]

    def number(self, sql: str, parameters: Any = ()) -> int:
        """The same as an int; 0 where there is none."""
        return int(self.value(sql, parameters) or 0)

    def new(self, sql: str, parameters: Any = ()) -> int:
        """Insert a new row; returns its id."""
        identity = self.insert(sql, parameters)
        if identity is None:
            raise StoreError(f"The database {self.path} did not take a row; {self.otherwise}.")
        return identity

    @contextmanager
    def atomic(self, begin: Callable[[], object]) -> Iterator[None]:
        """Make all changes of the block, or none, in the transaction that ``begin`` begins."""
        try:
            begin()
            yield
            self.execute("COMMIT")
        finally:
            if self.in_transaction:
                self.execute("ROLLBACK")

    @contextmanager
    def failing(self, otherwise: str) -> Iterator[None]:
        """Errors inside the block say ``otherwise``: what is true if a statement fails."""
        before, self.otherwise = self.otherwise, otherwise
        try:
            yield
        finally:
            self.otherwise = before

"""What the tables need of a database: statements in the SQL that SQLite and PostgreSQL both know.

A parameter is written ``?``, ``?1`` or ``:name``. What only one of them has is a method here, and its
planner's hints (``CROSS JOIN … ON``, ``INDEXED BY``) are left out by the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, Protocol

TABLES = (
    "meta", "chats", "entities", "sessions", "messages", "chunks", "chunk_messages", "vectors", "mentions",
    "slm_readings", "slm_reading_messages", "slm_entities", "slm_mentions", "slm_relations", "summaries",
    "summary_chunks", "summary_entities", "deletions", "deleted_rows", "arrivals", "media",
)  # fmt: skip
"""All tables but the full text, each after those that its rows point to."""
OWNER = "owner"
"""The column that says whose a row is, where there are users; SQLite does not have it."""

Work = Literal["embedding", "reading"]
"""What several processes may share: vectors of chunks, and what a model reads in the messages."""


class Rows(Protocol):
    """The rows that a statement gives; ``rowcount`` are those that it wrote."""

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

    ``otherwise`` is what is true where a statement fails now.
    """

    path: Path
    otherwise: str
    encrypted: bool
    user: int
    """The number of the user whose database it is to be taken for; 0 where there are no users."""
    only_own: bool
    """Whether this transaction sees nothing that other users share."""
    as_list: str
    """How a column of integers is asked for as one text, with commas between."""

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

    def insert(self, sql: str, parameters: Any = ()) -> int | None:
        """Insert a row; returns its id, or None where the statement leaves out what is there already."""

    def new(self, sql: str, parameters: Any = ()) -> int:
        """Insert a row that is not there; returns its id."""

    def later(self, column: str, seconds: str) -> str:
        """A column with a time in ISO's form, so many seconds later: the parameter is "-60 seconds"."""

    def begin_reading(self, *, only_own: bool = False) -> None:
        """Let all statements until COMMIT see one state of the database, or only what is one's own in it."""

    def begin_writing(self) -> None:
        """Begin a change. Raises ``DatabaseLocked`` where another process is in the middle of one."""

    def at_once(self) -> AbstractContextManager[None]:
        """Inside the block a lock of another process is an error immediately, without waiting."""

    def failing(self, otherwise: str) -> AbstractContextManager[None]:
        """Errors inside the block say ``otherwise``: what is true if a statement fails."""

    def changes(self) -> tuple[int, int]:
        """What counts the changes of others, and what counts our own."""

    def claim(self, work: Work, ids: Sequence[int]) -> list[int]:
        """Claim ids for this work; returns those that no other process has claimed.

        A killed process has no claims, and finished work is no longer claimed: check after the claim what
        is still to do. SQLite has no claims: there, two processes may do the same work.
        """

    def release(self, work: Work, ids: Sequence[int]) -> None:
        """Give up claims."""

    def tell(self, work: Work | None, done: int = 0, a_second: float = 0.0) -> None:
        """Let others see what this process does and how far it is, as long as it lives; None ends that."""

    def told(self) -> list[tuple[Work, int, float]]:
        """What the processes at work on this database say of themselves, this one too."""

    def survey(self, table: str) -> None:
        """Update the planner's statistics of a table into which this transaction wrote much."""

    def highest(self, table: str) -> int:
        """The highest id that a row of a table ever had; it may be deleted, or in the trash."""

    def count_on(self, table: str, highest: int) -> None:
        """Let new rows of a table have higher ids."""

    def tables(self) -> list[str]:
        """The tables that have what people wrote, but for the full text."""

    def own_names(self) -> list[str]:
        """What the program itself calls tables and columns."""

    @property
    def can_write_anew(self) -> bool:
        """Whether who is connected may write the tables anew."""

    def free_pages(self) -> int:
        """Pages of the file that nothing is in any more."""

    def whole(self) -> bool:
        """Whether the database is undamaged, as far as a quick look tells."""

    def write_anew(self) -> None:
        """Write the tables without what was deleted from them."""

    def empty_log(self) -> bool:
        """Empty the log of earlier writes; False where another process is at work."""

    def set_progress_handler(self, handler: Callable[[], int] | None, n: int, /) -> None:
        """Call ``handler`` again and again while a statement runs, where the database can."""

    def close(self) -> None:
        """Close it."""

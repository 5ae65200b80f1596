"""Helpers for rows of tables: parameters, metadata, times, and the texts in a row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeVar

from minirag_chat.records import clamped
from minirag_chat.store.sql import Sql

Row = dict[str, Any]
T = TypeVar("T")
Values = TypeVar("Values", bound=tuple[Any, ...])
LARGEST = 2**63 - 1  # the largest integer that both databases can store
_AT_ONCE = 500
DATES_READ_IN = "dates read in"  # the key of the fact in which order 3/4/2026 was indexed
YEARLESS_TOO = "7/12 too"  # what is said there since dates without a year are read as well
PERSONAL = frozenset(
    ("me", "feedback", "nicknames", "told_apart", "calls_owner", "export_owners", "replaced_names")
) | {DATES_READ_IN}
"""Metadata about the user, not the database: each user has their own."""


def marks(values: Iterable[object]) -> str:
    """A question mark for each value, for ``IN (…)``; without values, an expression that matches nothing."""
    return ",".join("?" for _ in values) or "NULL"


def in_parts(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """The values in batches that one statement can take."""
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]


def span(chat: str) -> str:
    """SQL for the first and the last time of a chat; of both in one query SQLite would read all messages."""
    times = f"(SELECT {{}}(sent_at) FROM messages WHERE chat_id = {chat}) AS {{}}"
    return f"{times.format('MIN', 'since')}, {times.format('MAX', 'until')}"


def read_meta(connection: Sql, key: str) -> str | None:
    """A stored fact about the database, e.g. which embedder made its vectors."""
    found = connection.value("SELECT value FROM meta WHERE key = ?", (_key(connection, key),))
    return None if found is None else str(found)


def write_meta(connection: Sql, key: str, value: str) -> None:
    """Store a fact about the database; inside a transaction."""
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_key(connection, key), value),
    )


def delete_meta(connection: Sql, key: str) -> None:
    """Delete a fact about the database; inside a transaction."""
    connection.execute("DELETE FROM meta WHERE key = ?", (_key(connection, key),))


def _key(connection: Sql, key: str) -> str:
    return f"{key} of user {connection.user}" if connection.user and key in PERSONAL else key


def moment(text: str | None) -> datetime | None:
    """A stored time, clamped to the range that can be calculated with."""
    return None if text is None else clamped(datetime.fromisoformat(text))


def whole(rows: list[Values]) -> list[Values]:
    """Rows without NULLs. Raises ``ValueError`` otherwise: the file is damaged."""
    if any(None in row for row in rows):
        raise ValueError("a value is missing that every row has")
    return rows


def texts_of(row: Row) -> Iterator[str]:
    """The text and names in a row."""
    for column in ("text", "heard", "title", "name", "forwarded_from"):
        if row.get(column):
            yield str(row[column])
    for column in ("attachments", "reactions"):
        for first, second in json.loads(row.get(column) or "[]"):
            yield from filter(None, (first if column == "attachments" else second,))

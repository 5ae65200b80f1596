"""Rows of tables: as the trash keeps them, what people wrote in them, and whether they are whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeVar

Row = dict[str, Any]
Values = TypeVar("Values", bound=tuple[Any, ...])


def whole(rows: list[Values]) -> list[Values]:
    """Rows in which nothing may be missing. Raises ``ValueError``: then the file is damaged."""
    if any(None in row for row in rows):
        raise ValueError("a value is missing that every row has")
    return rows


def texts_of(row: Row) -> Iterator[str]:
    """What people wrote or are called in a row: its text, and the names that stand in it."""
    for column in ("text", "heard", "title", "name", "forwarded_from"):
        if row.get(column):
            yield str(row[column])
    for column in ("attachments", "reactions"):
        for first, second in json.loads(row.get(column) or "[]"):
            yield from filter(None, (first if column == "attachments" else second,))

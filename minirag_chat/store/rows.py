"""Rows as the trash keeps them, and what people wrote in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]


def texts_of(row: Row) -> Iterator[str]:
    """What people wrote or are called in a row: its text, and the names that stand in it."""
    for column in ("text", "heard", "title", "name", "forwarded_from"):
        if row.get(column):
            yield str(row[column])
    for column in ("attachments", "reactions"):
        for first, second in json.loads(row.get(column) or "[]"):
            yield from filter(None, (first if column == "attachments" else second,))

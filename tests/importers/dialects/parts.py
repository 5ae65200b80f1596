"""What the writers of dialects share. The conversation and all that is in it are made up."""

from __future__ import annotations

import csv
import html
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import StringIO
from typing import Any

Conversation = tuple[tuple[datetime, str, str], ...]
Files = dict[str, str]
Writer = Callable[[Conversation], Files]

IDS = {"Ann Miller": "1001", "Bob": "1002"}


class Part(tuple[tuple[datetime, str, str], ...]):  # noqa: SLOT001 - it has one attribute
    """A part of a conversation that begins with its message number ``first``."""

    first = 0


def part(talk: Conversation, start: int, end: int) -> Part:
    found = Part(talk[start:end])
    found.first = start
    return found


def numbered(talk: Conversation) -> Iterator[tuple[int, tuple[datetime, str, str]]]:
    """Number the messages as in the whole conversation: their ids do not change."""
    return enumerate(talk, getattr(talk, "first", 0))


def seconds(when: datetime) -> int:
    return int(when.replace(tzinfo=UTC).timestamp())


def mojibake(text: str) -> str:
    return text.encode().decode("latin-1")


def lines(records: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records)


def table(header: str, rows: list[list[object]]) -> str:
    out = StringIO()
    csv.writer(out).writerows([header.split(","), *rows])
    return out.getvalue()


def attributes(**values: object) -> str:
    return " ".join(
        f'{key}="{html.escape(str(value)).replace(chr(10), "&#10;")}"'
        for key, value in values.items()
    )

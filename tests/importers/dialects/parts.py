"""What the writers of dialects share. The conversation and all that is in it are made up."""

from __future__ import annotations

import csv
import html
import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from typing import Any

Conversation = tuple[tuple[datetime, str, str], ...]
Files = dict[str, str]
Writer = Callable[[Conversation], Files]

IDS = {"Ann Miller": "1001", "Bob": "1002"}


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

"""What a run writes: records as lines of JSON, each flushed, so that a stop loses at most one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from minirag_chat.system.private import make_folder


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One question's retrieval: ``ranks`` of its evidence sessions (from 1; 0: not found).

    ``message_ranks`` are those of its evidence messages, among single messages.
    """

    id: str
    type: str
    method: str
    ranks: tuple[int, ...]
    seconds: float
    message_ranks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer with what it took. ``cited``: it cites a message of an evidence session.

    ``timings`` are seconds by step, none where a reply was known from before; ``prompt_tokens`` is
    the longest prompt that the model read for it, ``read_tokens`` the sum over all of its prompts.
    """

    id: str
    type: str
    question: str
    gold: str
    answer: str
    abstained: bool
    confidence: float
    reason: str | None
    cited: bool | None
    model: str
    prompt_tokens: int = 0
    read_tokens: int = 0
    timings: Mapping[str, float] = field(default_factory=dict)
    signals: Mapping[str, float] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """Identifies the answer's text, for verdicts that belong to it and to no other."""
        return answer_hash(self.answer)


def answer_hash(text: str) -> str:
    """Sixteen digits of SHA-256 over the text, in which blanks do not count."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


R = TypeVar("R", Retrieved, Answered)


def read_lines(file: Path, kind: type[R]) -> list[R]:
    """The records of a file; a line that a stop cut off is left out, a later one of an id wins.

    What was retrieved has one record for each method.
    """
    names = {f.name for f in fields(kind)}
    latest = {(row.get("id"), row.get("method")): row for row in read_rows(file)}
    return [
        kind(**{key: value for key, value in row.items() if key in names})
        for row in latest.values()
    ]


def read_rows(file: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines; broken lines are left out."""
    if not file.is_file():
        return
    for line in file.read_text(encoding="utf-8").split("\n"):  # not what else ends a line: U+2028
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


@contextmanager
def appending(file: Path) -> Iterator[Appender]:
    """Open a file to add lines to; what a stop left of a line is closed first."""
    make_folder(file.parent)
    broken = file.is_file() and file.stat().st_size > 0 and not file.read_bytes().endswith(b"\n")
    with file.open("a", encoding="utf-8") as opened:
        if broken:
            opened.write("\n")
        yield Appender(opened)


class Appender:
    """Adds records to a file, one line each, flushed."""

    def __init__(self, opened: Any) -> None:
        self._opened = opened

    def add(self, record: Any) -> None:
        """Write one record or mapping."""
        row = dict(record) if isinstance(record, Mapping) else asdict(record)
        self._opened.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._opened.flush()

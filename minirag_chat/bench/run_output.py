"""A run's output: records as lines of JSON, each flushed, so that a stopped run loses at most one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from minirag_chat.system.private_folders import make_folder


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

    ``timings`` are seconds by step, empty if a reply was taken from the cache; ``prompt_tokens`` is the
    longest prompt that the model read for it, ``read_tokens`` the sum over all its prompts.
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
        """Identifies the answer's text, so that a verdict belongs to this text only."""
        return answer_hash(self.answer)


def answer_hash(text: str) -> str:
    """Sixteen digits of SHA-256 over the text with whitespace normalised."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


R = TypeVar("R", Retrieved, Answered)


def read_lines(file: Path, kind: type[R]) -> list[R]:
    """The records of a file. A cut-off line is skipped; if an id occurs twice, the last record counts.

    Retrieval has one record for each id and method.
    """
    names = {f.name for f in fields(kind)}
    latest = {(row.get("id"), row.get("method")): row for row in read_rows(file)}
    return [
        kind(**{key: value for key, value in row.items() if key in names})
        for row in latest.values()
    ]


def read_rows(file: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines; broken lines are skipped."""
    if not file.is_file():
        return
    for line in file.read_text(encoding="utf-8").split("\n"):  # splitlines() splits at U+2028
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


@contextmanager
def appending(file: Path) -> Iterator[Appender]:
    """Open a file to append lines to; a cut-off last line is ended first."""
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

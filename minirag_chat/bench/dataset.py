"""A benchmark's data: a folder with messages and ``questions.csv`` → a ``Dataset``.

Two layouts are read: ``Id,Question,Gold Answer,Evidence,Type`` (LiHuaWorld's, with or without the
Id) and ``id,question,answer,evidence,type``. Evidence is the session headers, joined by ``<and>``:
``20260106_18:00``, with or without ``Time:`` and the colon. Messages are in ``data``, ``log`` or
``chats`` beside the questions.
"""

from __future__ import annotations

import csv
import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from dateutil import parser as date_parser

from minirag_chat.bench.judge import unanswerable
from minirag_chat.errors import ImportFailed, NotFound

FOLDERS = ("data", "log", "chats")
QUESTION_FILES = ("questions.csv", "questions_dev.csv", "query_set.csv", "qa/query_set.csv")
COLUMNS = {
    "id": ("id",),
    "question": ("question",),
    "gold": ("gold answer", "answer", "gold"),
    "evidence": ("evidence",),
    "type": ("type",),
    "chat": ("chat",),
}
REQUIRED = ("question", "gold")
UNKNOWN = "Insufficient information"
"""The gold answer to a question that the messages do not answer."""
_HEADER = "{:%Y%m%d_%H:%M}".format  # of a session, as evidence


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """A question with its gold answer; ``evidence`` are the times of the sessions that contain it.

    If ``chat`` is named, only that chat is asked.
    """

    id: str
    text: str
    gold: str
    type: str
    evidence: tuple[datetime, ...] = ()
    chat: str = ""

    @property
    def answerable(self) -> bool:
        """Whether the messages contain an answer."""
        return not unanswerable(self.gold)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A folder of messages with questions. The hashes are SHA-256, of 16 hexadecimal digits."""

    name: str
    folder: Path
    messages: Path
    questions: tuple[BenchQuestion, ...]
    messages_hash: str
    questions_hash: str

    def chosen(self, types: Sequence[str] = (), count: int | None = None, seed: int = 1) -> Dataset:
        """The same corpus with some of its questions: of these types, ``count`` drawn at random.

        With one seed, a smaller sample is part of a larger one. Raises ``NotFound``.
        """
        wanted = {kind.casefold() for kind in types}
        known = {question.type.casefold(): question.type for question in self.questions}
        unknown = wanted - set(known)
        if unknown:
            raise NotFound(
                f"No question of {self.name} is of type {min(unknown)!r}: the types are "
                f"{', '.join(known.values())}."
            )
        left = [q for q in self.questions if not wanted or q.type.casefold() in wanted]
        if count is not None and count < len(left):
            drawn = random.Random(seed).sample(range(len(left)), len(left))[:count]  # noqa: S311 - no secret
            left = [left[i] for i in sorted(drawn)]
        return replace(self, questions=tuple(left))


def load_dataset(folder: Path) -> Dataset:
    """Read a corpus. Raises ``ImportFailed``, which says what is missing and where to put it."""
    if not folder.is_dir():
        raise NotFound(f"{folder} is no folder: name one with questions.csv and messages.")
    file = next((folder / name for name in QUESTION_FILES if (folder / name).is_file()), None)
    if file is None:
        raise ImportFailed(
            f"{folder} has no questions.csv: put one there with the columns "
            "Id,Question,Gold Answer,Evidence,Type."
        )
    messages = next((folder / name for name in FOLDERS if (folder / name).is_dir()), None)
    if messages is None:
        raise ImportFailed(
            f"{folder} has no messages beside its questions: put the exports in {folder / 'log'}."
        )
    return Dataset(
        name=folder.resolve().name,
        folder=folder,
        messages=messages,
        questions=_questions(file),
        messages_hash=_hash(sorted(p for p in messages.rglob("*") if p.is_file())),
        questions_hash=_hash([file]),
    )


def write_csv(file: Path, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write messages or questions as a table that an import or :func:`load_dataset` reads."""
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(titles)
        writer.writerows(rows)


def write_questions(folder: Path, questions: Iterable[BenchQuestion]) -> None:
    """Write ``questions.csv``."""
    titles = ("Id", "Question", "Gold Answer", "Evidence", "Type", "Chat")
    rows = (
        (q.id, q.text, q.gold, "<and>".join(map(_HEADER, q.evidence)), q.type, q.chat)
        for q in questions
    )
    write_csv(folder / "questions.csv", titles, rows)


def _questions(file: Path) -> tuple[BenchQuestion, ...]:
    with file.open(encoding="utf-8-sig", newline="") as opened:
        reader = csv.DictReader(opened)
        names = {(name or "").strip().casefold(): name for name in reader.fieldnames or ()}
        columns = {
            key: next((names[alias] for alias in aliases if alias in names), None)
            for key, aliases in COLUMNS.items()
        }
        lacking = [key for key in REQUIRED if columns[key] is None]
        if lacking:
            raise ImportFailed(
                f"{file} has no column for the {lacking[0]}: its columns are to be "
                "Id,Question,Gold Answer,Evidence,Type."
            )
        rows = [
            {key: str(row.get(name) or "").strip() for key, name in columns.items() if name}
            for row in reader
        ]
    found = [_question(number, row) for number, row in enumerate(rows, start=1) if row["question"]]
    twice = [name for name, count in Counter(q.id for q in found).items() if count > 1]
    if twice:
        raise ImportFailed(f"{file} has the id {min(twice)!r} twice: renumber its questions.")
    return tuple(found)


def _question(number: int, row: dict[str, str]) -> BenchQuestion:
    gold = row["gold"].removeprefix("Answer:").split("\t")[0].strip()  # evidence may follow a tab
    moments = [read_moment(part) for part in row.get("evidence", "").split("<and>")]
    return BenchQuestion(
        id=row.get("id") or str(number),
        text=row["question"].removeprefix("Question:").strip(),
        gold=gold,
        type=row.get("type") or ("Null" if unanswerable(gold) else "All"),
        evidence=tuple(dict.fromkeys(moment for moment in moments if moment is not None)),
        chat=row.get("chat", ""),
    )


def _hash(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def read_moment(text: str) -> datetime | None:
    """A session header in any of the forms that benchmarks write: ``20260426_1330``, ISO."""
    compact = re.search(r"(\d{4})-?(\d\d)-?(\d\d)[_T ]+(\d\d):?(\d\d)", text)
    if compact:
        return datetime(*(int(part) for part in compact.groups()))  # type: ignore[arg-type]  # five parts
    try:
        return date_parser.parse(text) if re.search(r"\d{4}", text) else None
    except (ValueError, OverflowError):
        return None

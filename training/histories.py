"""The made-up message histories that the reader and the ranker are trained on, and their check.

A history is a folder of ``chats/`` with two text files, one record per line, fields separated by ``|``:

``messages.txt``  number | YYYY-MM-DD HH:MM | chat | sender | text
``questions.txt`` kind | question | answer | evidence | also

``evidence`` are the numbers of the messages that together state the answer, separated by commas;
``also`` (optional) are further messages that give the answer away. An unanswerable question has the kind
``none``, the answer ``-``, and as evidence the messages that come closest to an answer.

``python training/histories.py [NAME …]`` checks the histories and prints their contents.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from minirag_chat.bench.dataset import write_csv

CHATS = Path(__file__).parent / "chats"
TEST_CHATS = Path(__file__).parent / "test-chats"
"""Chats that nothing is trained or tuned on."""
HELD_OUT = (
    "freelancer-days", "kleingarten", "lvxing-pengyou", "sunday-team", "two-friends-stage",
    "small-bbq-plans", "small-boardgames", "small-coworkers-lunch", "small-house-sitting",
    "small-kitchen-reno", "small-lost-cat", "small-moped-repair", "small-sick-week",
    "heldout-duo-accordion", "heldout-duo-loons", "heldout-hen-coop", "heldout-phone-oswin",
    "heldout-phone-parisa", "heldout-soapbox",
)  # fmt: skip
"""A fifth of the histories: for validation and calibration, never trained on."""
KINDS = frozenset(
    "fact who when where why amount list opinion feeling suggestion yesno change reply infer none".split()
)
LONGEST_ANSWER = 30  # words, or Chinese characters
FEWEST_NONE, MOST_NONE = 0.27, 0.42
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Line:
    """One message."""

    number: int
    sent_at: datetime
    chat: str
    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One question; ``answer`` is empty where the messages do not say."""

    kind: str
    question: str
    answer: str
    evidence: tuple[int, ...]
    also: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The messages of one made-up person, and questions about them."""

    name: str
    messages: tuple[Line, ...]
    questions: tuple[Asked, ...]


class BadHistory(ValueError):
    """A line that cannot be read; the message names file, line and remedy."""


def names(folder: Path = CHATS) -> list[str]:
    """All histories of a folder, by name."""
    return sorted(path.parent.name for path in folder.glob("*/questions.txt"))


def load(name: str) -> History:
    """Read a history. Raises ``BadHistory``."""
    folder = next((f / name for f in (CHATS, TEST_CHATS) if (f / name).is_dir()), CHATS / name)
    messages = tuple(_message(*row) for row in _rows(folder / "messages.txt", 5))
    questions = tuple(_asked(*row) for row in _rows(folder / "questions.txt", 4))
    return History(name, messages, questions)


def write_messages(history: History, file: Path) -> None:
    """Write the messages as a table that ``minirag-chat add`` reads."""
    rows = (
        (f"{line.sent_at:%Y-%m-%d %H:%M}", line.sender, line.text, line.chat)
        for line in history.messages
    )
    write_csv(file, ("sent_at", "sender", "text", "chat"), rows)


def _rows(file: Path, fields: int) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{file.parent.name}/{file.name}:{number}"
        row = [field.strip() for field in line.split("|", 4)]
        if len(row) < fields:
            raise BadHistory(f"{where}: {len(row)} fields, {fields} are needed: {line[:80]}")
        yield where, row


def _message(where: str, row: list[str]) -> Line:
    try:
        return Line(int(row[0]), datetime.strptime(row[1], "%Y-%m-%d %H:%M"), *row[2:5])
    except ValueError as error:
        raise BadHistory(f"{where}: {error}") from error


def _asked(where: str, row: list[str]) -> Asked:
    kind, question, answer = row[:3]
    if kind not in KINDS:
        raise BadHistory(f"{where}: the kind {kind!r} is none of {', '.join(sorted(KINDS))}")
    if (kind == "none") != (answer == "-"):
        raise BadHistory(f"{where}: 'none' has the answer '-', and nothing else has it")
    try:
        evidence, also = (_numbers(field) for field in (*row[3:], "")[:2])
    except ValueError as error:
        raise BadHistory(f"{where}: {error}") from error
    return Asked(kind, question, "" if kind == "none" else answer, evidence, also)


def _numbers(field: str) -> tuple[int, ...]:
    return tuple(int(part) for part in field.split(",") if part.strip() not in ("", "-"))


def faults(history: History) -> Iterator[str]:
    """What is wrong with a history, one sentence each."""
    known = {line.number: line for line in history.messages}
    if len(known) < len(history.messages):
        yield "message numbers are used twice"
    times = [line.sent_at for line in history.messages]
    if times != sorted(times):
        late = next(b for a, b in pairwise(times) if b < a)
        yield f"messages are not in the order of time, at {late}"
    twice = [
        q for q, n in Counter(q.question.casefold() for q in history.questions).items() if n > 1
    ]
    if twice:
        yield f"asked twice: {twice[:3]}"
    for asked in history.questions:
        missing = [n for n in (*asked.evidence, *asked.also) if n not in known]
        if missing:
            yield f"{asked.question!r}: there is no message {missing}"
        if not asked.evidence:
            yield f"{asked.question!r}: no evidence (for 'none': the nearest messages)"
        if len(asked.answer.split()) > LONGEST_ANSWER:
            yield f"{asked.question!r}: the answer is longer than {LONGEST_ANSWER} words"
    share = sum(not asked.answer for asked in history.questions) / len(history.questions)
    if not FEWEST_NONE <= share <= MOST_NONE:
        yield f"{share:.0%} are 'none'; {FEWEST_NONE:.0%} to {MOST_NONE:.0%} are wanted"


def doubts(history: History) -> Iterator[str]:
    """What a person should check: numbers in an answer that its messages do not contain."""
    known = {line.number: line for line in history.messages}
    for asked in history.questions:
        there = " ".join(
            f"{known[n].text} {known[n].sent_at:%d %Y}" for n in asked.evidence if n in known
        )
        digits = set(_NUMBER.findall(there)) | {n.lstrip("0") for n in _NUMBER.findall(there)}
        for number in _NUMBER.findall(asked.answer):
            if number not in digits and number not in there:
                yield f"{asked.question!r} → {asked.answer!r}: {number} is not in {asked.evidence}"


def main(wanted: list[str]) -> int:
    """Check and describe; returns the number of histories with faults."""
    bad = 0
    for name in wanted or [*names(), *names(TEST_CHATS)]:
        try:
            history = load(name)
            found = list(faults(history))
        except (BadHistory, OSError) as error:
            history, found = None, [str(error)]
        bad += bool(found)
        for fault in found:
            sys.stdout.write(f"{name}: FAULT {fault}\n")
        if history is None:
            continue
        for doubt in doubts(history):
            sys.stdout.write(f"{name}: look again: {doubt}\n")
        kinds = Counter(asked.kind for asked in history.questions)
        sys.stdout.write(
            f"{name}: {len(history.messages)} messages, {len(history.questions)} questions "
            f"({', '.join(f'{kind} {n}' for kind, n in kinds.most_common())})\n"
        )
    return bad


if __name__ == "__main__":
    raise SystemExit(min(main(sys.argv[1:]), 1))

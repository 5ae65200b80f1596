"""Measures whether what answers follow-ups is found, and whether other questions are left alone.

``follow-ups/`` has questions that are asked right after another one, each with the times of the messages that
answer it: follow-ups that name nobody ("who came along?"), that have a pronoun, and fragments; and complete
questions after an unrelated one. Nothing is trained on them. Each is asked with the question before it and
its answer, without a language model, and then with every complete question taken alone.

``python training/measure_follow_ups.py [NAME …]``
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest.mock import patch

import histories

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.dataset import read_moment

FOLDER = Path(__file__).parent / "follow-ups"
CORPORA = {"leeds-lot": "leeds-lot/chats", "osselmere": "osselmere/log"}
Row = Mapping[str, str]


def messages_of(name: str, folder: Path) -> Path:
    """The messages of a sample corpus or a history, as something to import."""
    if name in CORPORA:
        return Path(__file__).parent.parent / "corpora" / CORPORA[name]
    table = folder / "messages.csv"
    histories.write_messages(histories.load(name), table)
    return table


def verdict(memory: ChatMemory, row: Row) -> str:
    """Whether a message of the evidence is shown for a question."""
    before = memory.ask(row["before"], history=())
    answer = memory.ask(row["question"], history=[(row["before"], before.text)])
    times = {read_moment(part) for part in row["evidence"].split("<and>")}
    if answer.abstained:
        return "silent"
    return "right" if any(one.message.sent_at in times for one in answer.sources) else "wrong"


def verdicts(memory: ChatMemory, rows: list[Row]) -> Counter[tuple[str, str]]:
    """How often each verdict is given for each kind of question."""
    return Counter((row["kind"], verdict(memory, row)) for row in rows)


def lines(name: str) -> Iterator[str]:
    """The rows of the table for one corpus."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows: list[Row] = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.make(db=Path(folder) / "chats.db", model="extractive")
        with ChatMemory.open(settings.db, settings) as memory:
            memory.add(messages_of(name, Path(folder)))
            found = verdicts(memory, rows)
            with patch("minirag_chat.memory.asking.leans", return_value=False):
                alone = verdicts(memory, rows)
    for kind, asked in Counter(row["kind"] for row in rows).items():
        shown = [
            ", ".join(str(each[kind, one]) for one in ("right", "wrong", "silent"))
            for each in (found, alone)
        ]
        yield f"| {name} | {kind} | {asked} | {shown[0]} | {shown[1]} |"


def main(wanted: list[str]) -> None:
    """Print the table of these corpora, or of all."""
    names = wanted or sorted(file.stem for file in FOLDER.glob("*.csv"))
    sys.stdout.write("| corpus | kind | asked | right, wrong, silent | taken alone |\n")
    sys.stdout.write("|---|---|---|---|---|\n")
    for name in names:
        sys.stdout.writelines(f"{line}\n" for line in lines(name))


if __name__ == "__main__":
    main(sys.argv[1:])

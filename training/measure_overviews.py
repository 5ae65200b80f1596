"""Measures how much the messages say that overviews of a month show.

A message says as much as there are answerable questions of its history that rest on it. Printed is the mean
of the messages shown for "What did we talk about in March 2024?", as a multiple of the mean of that month's
messages, over the months with ``LEAST`` messages or more of the histories that nothing is trained on.

``python training/measure_overviews.py [NAME …]``
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import histories

from minirag_chat import ChatMemory, Settings
from minirag_chat.records import Message

LEAST = 25


def key(message: Message | histories.Line) -> tuple[str, str, str]:
    """What a message is recognised by: minute, sender and words."""
    return f"{message.sent_at:%Y-%m-%d %H:%M}", message.sender, " ".join(message.text.split())


def multiples(history: histories.History) -> Iterator[float]:
    """For each month by how much more the messages shown say than its messages do on average."""
    rests = Counter(number for one in history.questions if one.answer for number in one.evidence)
    by_month: dict[str, list[histories.Line]] = {}
    for line in history.messages:
        by_month.setdefault(f"{line.sent_at:%B %Y}", []).append(line)
    often = {key(line): rests[line.number] for line in history.messages}
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.make(db=Path(folder) / "chats.db", model="extractive")
        histories.write_messages(history, Path(folder) / "messages.csv")
        with ChatMemory.open(settings.db, settings) as memory:
            memory.add(Path(folder) / "messages.csv")
            for month, lines in by_month.items():
                usual = mean(rests[line.number] for line in lines)
                if len(lines) < LEAST or not usual:
                    continue
                answer = memory.ask(f"What did we talk about in {month}?", history=())
                yield mean(often.get(key(one.message), 0) for one in answer.sources) / usual


def main(chosen: list[str]) -> None:
    """Print a line for each history, and the mean of all months."""
    known = [*histories.HELD_OUT, *histories.names(histories.TEST_CHATS)]
    found: list[float] = []
    for name in chosen or known:
        of_months = list(multiples(histories.load(name)))
        found += of_months
        sys.stdout.write(f"{name}: {', '.join(f'{one:.2f}' for one in of_months)}\n")
    sys.stdout.write(f"{len(found)} months, mean {mean(found):.2f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])

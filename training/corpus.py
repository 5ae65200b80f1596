"""Histories as corpora that ``minirag-chat bench`` reads.

``python training/corpus.py OUT [NAME …]`` writes a folder for each history, by default for all that are
held out or only for measuring. Adapters are compared on them, and silence and confidence fitted:

    minirag-chat bench OUT/NAME --only answers --set abstain_below=0 --out RUN
    minirag-chat bench fit RUN…
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from examples import HELD_OUT
from histories import TEST_CHATS, History, load, names

UNKNOWN = "Insufficient information"


def write(history: History, to: Path) -> None:
    """Write messages and questions; the evidence of a question is named by the messages' times."""
    (to / "log").mkdir(parents=True, exist_ok=True)
    times = {line.number: line.sent_at for line in history.messages}
    with (to / "log" / "messages.csv").open("w", encoding="utf-8", newline="") as opened:
        rows = csv.writer(opened)
        rows.writerow(("sent_at", "sender", "text", "chat"))
        for line in history.messages:
            rows.writerow((f"{line.sent_at:%Y-%m-%d %H:%M}", line.sender, line.text, line.chat))
    with (to / "questions.csv").open("w", encoding="utf-8", newline="") as opened:
        rows = csv.writer(opened)
        rows.writerow(("Id", "Question", "Gold Answer", "Evidence", "Type"))
        for number, asked in enumerate(history.questions, start=1):
            moments = dict.fromkeys(f"{times[n]:%Y%m%d_%H:%M}" for n in asked.evidence)
            shown = "<and>".join(moments) if asked.answer else ""
            rows.writerow((number, asked.question, asked.answer or UNKNOWN, shown, asked.kind))


def main(out: Path, wanted: list[str]) -> None:
    """Write the wanted histories."""
    for name in wanted or [*HELD_OUT, *names(TEST_CHATS)]:
        write(load(name), out / name)
        sys.stdout.write(f"{out / name}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

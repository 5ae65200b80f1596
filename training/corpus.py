"""Histories as corpora that ``minirag-chat bench`` reads.

``python training/corpus.py OUT [NAME …]`` writes a folder for each history, by default for all that are
held out or only for measuring. Adapters are compared on them, and silence and confidence fitted:

    minirag-chat bench OUT/NAME --only answers --set abstain_below=0 --out RUN
    minirag-chat bench fit RUN…
"""

from __future__ import annotations

import sys
from pathlib import Path

from histories import HELD_OUT, TEST_CHATS, History, load, names, write_messages

from minirag_chat.bench.dataset import UNKNOWN, write_csv


def write(history: History, to: Path) -> None:
    """Write messages and questions; the evidence of a question is named by the messages' times."""
    (to / "log").mkdir(parents=True, exist_ok=True)
    write_messages(history, to / "log" / "messages.csv")
    times = {line.number: line.sent_at for line in history.messages}
    rows = []
    for number, asked in enumerate(history.questions, start=1):
        moments = dict.fromkeys(f"{times[n]:%Y%m%d_%H:%M}" for n in asked.evidence)
        shown = "<and>".join(moments) if asked.answer else ""
        rows.append((str(number), asked.question, asked.answer or UNKNOWN, shown, asked.kind))
    write_csv(to / "questions.csv", ("Id", "Question", "Gold Answer", "Evidence", "Type"), rows)


def main(out: Path, wanted: list[str]) -> None:
    """Write the wanted histories."""
    for name in wanted or [*HELD_OUT, *names(TEST_CHATS)]:
        write(load(name), out / name)
        sys.stdout.write(f"{out / name}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

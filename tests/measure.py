"""Measure import, storage and retrieval on LiHuaWorld: ``python tests/measure.py FOLDER``.

FOLDER holds ``data/`` and a questions file. Prints the Markdown table of docs/measured.md. A
benchmark, not a test: run it on a quiet machine and compare figures of one run.
"""

from __future__ import annotations

import csv
import re
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from minirag_chat import ChatMemory, Settings

METHODS = ("hybrid", "minirag", "bm25", "dense")
HEADER = re.compile(r"(\d{8})_(\d\d):?(\d\d)")


def questions(folder: Path) -> list[tuple[str, set[str]]]:
    """The answerable questions with the session headers that hold their answer."""
    (file,) = folder.glob("questions*.csv")
    with file.open(encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    found = [
        (row["Question"], {f"{d}_{h}:{m}" for d, h, m in HEADER.findall(row["Evidence"])})
        for row in rows
    ]
    return [(question, gold) for question, gold in found if gold]


def score(memory: ChatMemory, asked: list[tuple[str, set[str]]], method: str) -> list[float]:
    """hit@1, hit@5, recall@5, MRR over sessions; median and 95th percentile in milliseconds."""
    hit1 = hit5 = recall = rank = 0.0
    seconds = []
    for question, gold in asked:
        begun = time.perf_counter()
        found = memory.retrieve(question, method=method, k=10)
        seconds.append(time.perf_counter() - begun)
        sessions = list(dict.fromkeys(f"{e.message.sent_at:%Y%m%d_%H:%M}" for e in found))
        ranks = [sessions.index(header) + 1 for header in gold if header in sessions]
        hit1 += 1 in ranks
        hit5 += any(r <= 5 for r in ranks)
        recall += len(gold & set(sessions[:5])) / len(gold)
        rank += 1 / min(ranks) if ranks else 0
    times = [1000 * median(seconds), 1000 * quantiles(seconds, n=20)[-1]]
    return [*(value / len(asked) for value in (hit1, hit5, recall, rank)), *times]


def main(folder: Path) -> None:
    """Import, then ask every question with every method."""
    with tempfile.TemporaryDirectory() as work:
        settings = Settings(db=Path(work) / "chats.db", model="extractive")
        with ChatMemory.open(settings.db, settings) as memory:
            begun = time.perf_counter()
            report = memory.add(folder / "data")
            out(
                f"import with index: {report.messages_added} messages, {report.sessions} sessions, "
            )
            out(
                f"{time.perf_counter() - begun:.0f} s, {settings.db.stat().st_size / 1e6:.1f} MB\n\n"
            )
            out(
                "| method | hit@1 | hit@5 | recall@5 | MRR | median ms | 95% ms |\n|---|---|---|---|---|---|---|\n"
            )
            asked = questions(folder)
            memory.retrieve("warm up")
            for method in METHODS:
                *shares, middle, high = score(memory, asked, method)
                cells = " | ".join(f"{share:.3f}" for share in shares)
                out(f"| {method} | {cells} | {middle:.0f} | {high:.0f} |\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    out(f"\n{len(asked)} questions; peak memory {peak:.2f} GB\n")


def out(text: str) -> None:
    """Print at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

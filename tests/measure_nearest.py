"""Measures what is lost and won by an index of vectors, on a PostgreSQL database of `bench stores`.

    python tests/measure_nearest.py postgresql://me@localhost/minirag_scale_100000 100000 40

asks 40 of the history's questions and 40 of those about planted messages, with all vectors in memory and with
the index, and prints how many of the first 40 messages of the one are among those of the other, the seconds
(by the clock, medians and 95th percentiles), the share of planted messages found, and the memory. Not a test.
"""

from __future__ import annotations

import multiprocessing
import sys
import time

import numpy as np

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.fake_embedder import StandInEmbedder
from minirag_chat.bench.peak_memory import peak_mib
from minirag_chat.bench.synthetic_history import HistoryPlan, planted, questions
from minirag_chat.ingest.vectors import make_nearest
from minirag_chat.store import Store, nearest

POOL = 40
DIMENSION = 384


def asked(address: str, messages: int, count: int, exact: int) -> tuple[list[list[int]], str]:
    """The messages found for each question, and what it took, in words."""
    nearest.EXACT = exact
    plan = HistoryPlan(messages=messages)
    hidden = planted(plan)[:count]
    texts = [*questions(plan, count), *(one.question for one in hidden)]
    settings = Settings.make(model="extractive", without=["ranker"], embedder="stand-in")
    embedder = StandInEmbedder("stand-in", DIMENSION)
    found, took = [], []
    with ChatMemory.open(address, settings, embedder=embedder) as memory:
        memory.retrieve(texts[0])
        for text in texts:
            begun = time.perf_counter()
            found.append(memory.retrieve(text, k=POOL))
            took.append(time.perf_counter() - begun)
        how = memory.info().vectors
    there = [
        one.text in {evidence.message.text for evidence in each}
        for one, each in zip(hidden, found[count:], strict=True)
    ]
    return (
        [[evidence.message.id for evidence in each] for each in found],
        (
            f"{how}: {np.median(took):.3f} s, 95% {np.percentile(took, 95):.3f} s, planted found "
            f"{np.mean(there):.2f}, peak {peak_mib():.0f} MiB"
        ),
    )


def main(address: str, messages: int, count: int) -> None:
    """Make the index where there is none, measure, and print."""
    nearest.EXACT = 0
    with Store.open(address) as store:
        begun = time.perf_counter()
        make_nearest(store)
        sys.stdout.write(f"index made in {time.perf_counter() - begun:.0f} s\n")
    context = multiprocessing.get_context("spawn")
    each = []
    for exact in (10**9, 0):
        with context.Pool(1) as pool:
            found, said = pool.apply(asked, (address, messages, count, exact))
        each.append(found)
        sys.stdout.write(f"{said}\n")
    for name, part in (("questions", slice(count)), ("planted", slice(count, None))):
        shares = [
            len(set(a) & set(b)) / len(a)
            for a, b in zip(each[0][part], each[1][part], strict=True)
            if a
        ]
        sys.stdout.write(f"{name}: recall@{POOL} {np.mean(shares):.4f}, least {min(shares):.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

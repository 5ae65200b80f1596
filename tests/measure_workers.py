"""Measures how much faster two index workers are than one, over a PostgreSQL of its own.

    python tests/measure_workers.py 4000 12

embeds 4,000 chunks with an embedder that takes 12 ms for each and no processor (as one on another machine
does): first by one process, then by two. What the workers wait for is then the database's share: claims,
reading what the chunks say, writing the vectors. Not a test.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from postgres_server import PostgresServer

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.fake_embedder import StandInEmbedder
from minirag_chat.bench.synthetic_history import HistoryPlan, write_history
from minirag_chat.ingest import embed_pending
from minirag_chat.models.protocols import Vectors
from minirag_chat.store import Store

DIMENSION = 384
MESSAGES_A_CHUNK = 2
_PROCESSES = multiprocessing.get_context("forkserver")


class Elsewhere(StandInEmbedder):
    """Takes its time, and no processor."""

    def __init__(self, seconds: float) -> None:
        super().__init__("stand-in", DIMENSION)
        self._seconds = seconds
        self._made = super().embed(["a vector"])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The same unit vector for each text, shape (len(texts), dimension)."""
        time.sleep(self._seconds * len(texts))
        return self._made.repeat(len(texts), axis=0)


def work(address: str, seconds: float) -> None:
    """A worker: embed what nobody else does."""
    with Store.open(address) as store:
        embed_pending(store, Elsewhere(seconds))


def seconds_of(workers: int, address: str, each: float) -> float:
    """The time until everything is embedded."""
    with Store.open(address) as store, store.transaction():
        store.index.drop_vectors()
    started = [_PROCESSES.Process(target=work, args=(address, each)) for _ in range(workers)]
    begun = time.perf_counter()
    for process in started:
        process.start()
    for process in started:
        process.join()
    with Store.open(address) as store, store.reading():
        assert store.index.missing_vectors()[0] == 0
    return time.perf_counter() - begun


def main(chunks: int, milliseconds: float) -> None:
    """Measure, and print a line for each."""
    with PostgresServer.running() as server, tempfile.TemporaryDirectory() as folder:
        address, export = server.address(), Path(folder) / "history.jsonl"
        write_history(export, HistoryPlan(messages=MESSAGES_A_CHUNK * chunks))
        with ChatMemory.open(address, Settings.make(), embedder=Elsewhere(0)) as memory:
            memory.add(export, time_zone="Etc/UTC")
            there = memory.info().chunks
        took = {n: seconds_of(n, address, milliseconds / 1000) for n in (1, 2)}
    for workers, seconds in took.items():
        a_second = there / seconds
        sys.stdout.write(
            f"{workers} at work: {there:,} chunks in {seconds:.1f} s, {a_second:.1f}/s\n"
        )
    sys.stdout.write(f"two are {took[1] / took[2]:.2f} times one\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))

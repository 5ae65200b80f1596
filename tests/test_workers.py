"""Index workers as real processes, killed in the middle: nothing is lost, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from random import Random
from typing import Any

import pytest
from commands import FORKING
from fakes import WordEmbedder
from places import write_log
from postgres_server import PostgresServer
from test_slm import ReadingModel

from minirag_chat import ChatMemory, Settings
from minirag_chat.ingest import embed_pending, index_note
from minirag_chat.ingest import vectors as embedding
from minirag_chat.ingest.slm import extract_pending, slm_chunks
from minirag_chat.ingest.workers import at_work
from minirag_chat.models.protocols import Vectors
from minirag_chat.records import Progress, Turn
from minirag_chat.store import Store

pytest.importorskip("psycopg", reason="psycopg is not installed")
KILLS = 20
LONGEST = 240  # seconds


class SlowEmbedder(WordEmbedder):
    """Takes a while for each text."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        time.sleep(0.004 * len(texts))
        return super().embed(texts)


@pytest.fixture(scope="module")
def unread(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with 240 chunks that are not embedded, and 120 that no model has read. Only copied."""
    address, folder = postgres.address(), tmp_path_factory.mktemp("unread")
    settings = Settings.make(model="extractive", model_dir=folder / "models")
    with ChatMemory.open(address, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(folder / "log", long_log()))
    with Store.open(address) as store, store.transaction():
        store.index.drop_vectors()
    return address


@pytest.fixture
def address(postgres: PostgresServer, unread: str) -> str:
    """A copy of it."""
    return postgres.copy(unread)


def long_log() -> dict[str, tuple[str, ...]]:
    who = ("AnnaBerg", "TomHill", "SamOrtiz")
    return {
        f"2026{month:02}{day:02}_1000": tuple(
            f"{who[n % 3]}: on day {day} of {month} Tile {n} of Bonn fell by Harbour Hall"
            for n in range(9)
        )
        for month in range(1, 6)
        for day in range(1, 13)
    }


def work(address: str, begun: Event) -> None:
    """A worker's whole life: embed and read what nobody else does."""
    embedding.EMBED_BATCH = 4
    with Store.open(address) as store:
        begun.set()
        embed_pending(store, SlowEmbedder())
        extract_pending(store, ReadingModel(pause=0.003))


def start(address: str) -> BaseProcess:
    begun = FORKING.Event()
    worker = FORKING.Process(target=work, args=(address, begun), daemon=True)
    worker.start()
    assert begun.wait(LONGEST)
    return worker


def count_writes(address: str) -> None:
    """Let the database itself note each vector and each reading that is kept, also over another one."""
    with Store.open(address) as store, store.transaction():
        run = store.connection.execute
        run("CREATE TABLE kept (what TEXT)")
        for table, key in (("vectors", "chunk_id"), ("slm_readings", "hash")):
            keep = f"INSERT INTO kept VALUES ('{table}' || NEW.{key})"  # noqa: S608 - names of ours
            run(
                f"CREATE FUNCTION keep_{table}() RETURNS TRIGGER LANGUAGE plpgsql AS $$ "
                f"BEGIN {keep}; RETURN NULL; END $$"
            )
            columns = "vector" if table == "vectors" else "text"
            run(
                f"CREATE TRIGGER keep_{table} AFTER INSERT OR UPDATE OF {columns} ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION keep_{table}()"
            )


def graph(store: Store) -> list[tuple[object, ...]]:
    """What was read, without the numbers that its order gives."""
    return store.connection.execute(
        "SELECT e.key, n.message_id, n.name, n.description FROM slm_mentions n "
        "JOIN slm_entities e ON e.id = n.entity_id "
        "UNION ALL SELECT s.key, r.message_id, t.key, r.description FROM slm_relations r "
        "JOIN slm_entities s ON s.id = r.source_id JOIN slm_entities t ON t.id = r.target_id "
        "ORDER BY 1, 2, 3, 4"
    ).fetchall()


@pytest.mark.slow
@pytest.mark.process
def test_a_worker_killed_at_twenty_moments_loses_nothing_and_does_nothing_twice(
    address: str, postgres: PostgresServer
) -> None:
    count_writes(address)
    moments = Random(21)  # noqa: S311 - no secret
    killed = 0
    for _ in range(KILLS):
        worker = start(address)
        worker.join(moments.uniform(0.0, 0.25))
        if worker.is_alive():
            os.kill(worker.pid or 0, signal.SIGKILL)
            killed += 1
        worker.join(LONGEST)
    last = [start(address), start(address)]
    for worker in last:
        worker.join(LONGEST)
        assert worker.exitcode == 0
    assert killed == KILLS, "the work was done before the last kill"
    with Store.open(address) as store, store.reading():
        chunks = store.index.chunk_ids()
        assert store.index.missing_vectors() == (0, len(chunks))
        said = store.index.said(chunks)
        matrix = store.index.matrix()
        wanted = WordEmbedder().embed([said[i] for i in matrix.chunk_ids.tolist()])
        assert (abs(matrix.vectors - wanted) < 1e-3).all()
        assert store.slm.counts()["readings"] == len(slm_chunks(store))
        twice = "SELECT what, COUNT(*) FROM kept GROUP BY what HAVING COUNT(*) > 1"
        assert store.connection.execute(twice).fetchall() == []
        found = graph(store)
    with Store.open(address) as store:  # the same, read by one that nobody killed
        with store.transaction():
            store.connection.execute("DELETE FROM slm_readings")
        extract_pending(store, ReadingModel())
        assert graph(store) == found


@pytest.mark.slow
def test_workers_share_what_a_model_reads(address: str) -> None:
    models = [ReadingModel(pause=0.002), ReadingModel(pause=0.002)]
    with Store.open(address) as one, Store.open(address) as other:
        with ThreadPoolExecutor(2) as pool:
            started = [
                pool.submit(extract_pending, store, model)
                for store, model in zip((one, other), models, strict=True)
            ]
            runs = [run.result() for run in started]
        chunks = len(slm_chunks(one))
        assert sum(run.read for run in runs) == sum(model.calls for model in models) == chunks
        assert all(run.read for run in runs)


def test_all_see_who_is_at_work_and_how_fast(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "EMBED_BATCH", 50)
    seen: list[str] = []
    with Store.open(address) as worker, Store.open(address) as looks:

        def look(_: Progress) -> None:
            with looks.reading():
                seen.append(index_note(looks))

        embed_pending(worker, WordEmbedder(), look)
        assert "`minirag-chat index`" in seen[0]
        assert "1 worker, " in seen[1]
        assert "a minute" in seen[1]
        assert not seen[-1]
        assert at_work(looks, "embedding") is None


@pytest.mark.slow
def test_a_server_reads_several_chunks_at_the_same_time(address: str) -> None:
    class Server(ReadingModel):
        """Knows no grammar; remembers how many it was asked at once."""

        write = None  # type: ignore[assignment]  # no GrammarModel
        busy = most = 0

        def stream(self, turns: Sequence[Turn], **options: Any) -> Iterator[str]:
            self.busy += 1
            self.most = max(self.most, self.busy)
            time.sleep(0.01)
            yield from ReadingModel.write(self, turns, "", **options)
            self.busy -= 1

    model = Server()
    with Store.open(address) as store:
        run = extract_pending(store, model, at_once=4, limit=30)
        assert run.read == 30
        assert 2 <= model.most <= 4
        assert extract_pending(store, model).left == 0

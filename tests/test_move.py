"""Moving a database between SQLite and PostgreSQL: everything, either way, and proved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run_command
from fakes import WordEmbedder
from places import SMALL, write_log
from postgres_server import PostgresServer

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import StoreError
from minirag_chat.records import Progress
from minirag_chat.store import Store, moving
from minirag_chat.store.database_status import database_status
from minirag_chat.store.moving import move

pytest.importorskip("psycopg", reason="psycopg is not installed")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with people who were merged, a chat in the trash and an answer's model index."""
    path = tmp_path / "chats.db"
    with opened(path) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        memory.merge_people("SamOrtiz", "TomHill")
        memory.delete(chats=[min(memory.chats(), key=lambda chat: chat.messages).id])
    return path


def opened(place: Path | str) -> ChatMemory:
    settings = Settings.make(model="extractive", abstain_below=0)
    return ChatMemory.open(place, settings, embedder=WordEmbedder())


def moved(source: Path | str, target: Path | str) -> list[moving.Moved]:
    with Store.open(source) as old, Store.open(target) as new:
        return move(old, new)


@pytest.mark.slow
def test_there_and_back_again_is_the_same(
    file: Path, tmp_path: Path, postgres: PostgresServer
) -> None:
    address, back = postgres.address(), tmp_path / "back.db"
    assert moved(file, address) == moved(address, back)
    question = "What is the piano tuner called?"
    with opened(file) as one, opened(address) as two, opened(back) as three:
        texts = [memory.ask(question, history=[]).text for memory in (one, two, three)]
        assert "Walter Quint" in texts[0]
        assert texts[0] == texts[1] == texts[2]
        for memory in (two, three):
            assert [p.spellings for p in memory.people()] == [p.spellings for p in one.people()]
            memory.restore()
            assert len(memory.chats()) == 2
            memory.add(
                write_log(tmp_path / "new", {"20260301_1000": ("AnnaBerg: The cat is back.",)})
            )
            assert memory.search("cat")


@pytest.mark.parametrize("after", [1, 5, 12])
def test_what_was_stopped_goes_on(
    file: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr(moving, "BLOCK", 2)
    address, seen = postgres.address(), []

    def stop(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == after:
            raise KeyboardInterrupt

    with Store.open(file) as old, Store.open(address) as new:
        with pytest.raises(KeyboardInterrupt):
            move(old, new, stop)
        assert move(old, new)
    assert moved(address, file.with_name("back.db"))


def test_a_copy_that_is_not_complete_is_not_opened(file: Path) -> None:
    copy = file.with_name("copy.db")

    def stop(progress: Progress) -> None:
        if progress.step == "moving messages":
            raise KeyboardInterrupt

    with Store.open(file) as old, Store.open(copy) as new, pytest.raises(KeyboardInterrupt):
        move(old, new, stop)
    with pytest.raises(StoreError, match=r"not complete: run `minirag-chat move`"):
        opened(copy)
    with pytest.raises(StoreError, match="not complete"):
        moved(copy, file.with_name("second.db"))
    assert "not complete" in database_status(copy).problem
    assert moved(file, copy)
    assert opened(copy).info().messages
    assert database_status(copy).problem == ""


def test_messages_that_are_there_are_not_mixed_with_others(
    file: Path, tmp_path: Path, postgres: PostgresServer
) -> None:
    address = postgres.address()
    with opened(address) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        before = [message.text for message in memory.messages()]
    with pytest.raises(StoreError, match="has messages already"):
        moved(file, address)
    with opened(address) as memory:
        assert [message.text for message in memory.messages()] == before


def test_a_copy_that_is_not_the_same_is_refused(file: Path, postgres: PostgresServer) -> None:
    address = postgres.address()
    with Store.open(file) as old, Store.open(address) as new:

        def change(progress: Progress) -> None:
            if progress.step == "moving mentions":
                new.connection.execute("UPDATE messages SET text = 'other' WHERE id = 1")

        with pytest.raises(StoreError, match=r"not the same .*messages"):
            move(old, new, change)


@pytest.mark.process
def test_the_command_says_what_was_moved(file: Path, postgres: PostgresServer) -> None:
    done = run_command("move", str(file), postgres.address(), "--json")
    assert done.returncode == 0, done.stderr
    tables = {one["table"]: one["rows"] for one in json.loads(done.stdout)["tables"]}
    assert tables["messages"] == 6
    assert tables["deleted_rows"]

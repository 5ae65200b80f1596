"""What is deleted, edited or taken back leaves the file: words, vectors, graph, readings, summaries."""

from __future__ import annotations

import multiprocessing
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from fakes import WordEmbedder
from neighbour import Neighbour
from places import write_log
from stored import contents, opened, raw
from test_slm import ReadingModel

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import DatabaseLocked, DiskFull
from minirag_chat.memory.asking import Asking
from minirag_chat.memory.deletion_scope import DeletionRequest
from minirag_chat.memory.trash import Indexing, wipe
from minirag_chat.store import Store
from minirag_chat.store.wiping import Wiping

pytestmark = pytest.mark.process

KILLS = 10
SECRET = "xylophone77"  # noqa: S105 - no secret
WHO = "KatyaMoor"
FORK = multiprocessing.get_context("fork")


def long_history(folder: Path, days: int = 28) -> Path:
    """A chat that stays, and one whose every message has words of its own."""
    stays = {
        f"202602{day:02}_{hour:02}00": tuple(
            f"{who}: Day {day} hour {hour}, the boat is number {day * hour + n}."
            for n, who in enumerate(("AnnaBerg", "TomHill") * 5)
        )
        for day in range(1, days + 1)
        for hour in (8, 18)
    }
    goes = {
        f"202603{day:02}_{hour:02}00": tuple(
            f"{who}: {SECRET} {SECRET}a{day}b{hour}c{n} lies in Secretville{day * hour + n}."
            for n, who in enumerate((WHO, "NinaVale") * 5)
        )
        for day in range(1, days + 1)
        for hour in (8, 18)
    }
    write_log(folder / "log", stays)
    return write_log(folder / "log", goes)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("history")
    with opened(folder) as memory:
        memory.add(long_history(folder))
    assert SECRET.encode() in raw(folder / "chats.db")
    return folder / "chats.db"


def delete(database: Path) -> None:
    with closing(Store.open(database)) as store:
        chat = next(c for c in store.messages.chats() if WHO in c.participants)
        wipe(store, DeletionRequest(chats=[chat.id]), Indexing(Settings(db=database), WordEmbedder))


def killed_while_deleting(database: Path, seconds: float) -> None:
    """Delete in another process, which is killed after ``seconds``."""
    process = FORK.Process(target=delete, args=(database,))
    process.start()
    time.sleep(seconds)
    process.kill()
    process.join()


def test_a_deletion_that_was_killed_is_finished_by_the_next_command(
    history: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "whole.db"
    shutil.copyfile(history, copy)
    begun = time.monotonic()
    process = FORK.Process(target=delete, args=(copy,))
    process.start()
    process.join()
    whole = time.monotonic() - begun
    assert SECRET.encode() not in raw(copy)
    for kill in range(KILLS):
        database = tmp_path / f"{kill}.db"
        shutil.copyfile(history, database)
        killed_while_deleting(database, whole * (kill + 1) / KILLS)
        with closing(Store.open(database)) as store:
            chats = [c for c in store.messages.chats() if WHO in c.participants]
            count = store.messages.count()
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if chats:
            assert count == 1120, "killed before the deletion: nothing is missing"
            continue
        assert count == 560
        for word in (SECRET, "Secretville", WHO, "NinaVale"):
            assert word.casefold().encode() not in raw(database).lower(), (kill, word)
        assert b"the boat is number" in raw(database)


def test_everything_that_came_of_a_chat_goes_with_it(settings: Settings, tmp_path: Path) -> None:
    log = write_log(
        tmp_path / "log",
        {
            "20260301_1000": (
                f"{WHO}: My {SECRET} is in Secretville.",
                "AnnaBerg: In Secretville?",
            ),
            "20260302_1000": (f"{WHO}: The {SECRET} is broken.", "AnnaBerg: Poor thing."),
            "20260401_1000": ("TomHill: The van is sold.", "NinaVale: Finally!"),
        },
    )
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ReadingModel()
    ) as memory:
        memory.add(log)
        memory.index_slm()
        memory.build("raptor")
        memory.ask(f"What overview is there of {SECRET}?")
        memory.rate(memory.ask(f"Where is the {SECRET}?"), liked=True)
        assert SECRET.encode() in raw(settings.db)
        memory.delete_chat(memory.search(SECRET)[0].message.chat_id)
        for word in (SECRET, "Secretville", WHO):
            assert word.casefold().encode() not in raw(settings.db).lower(), word
        assert memory.part(Asking).remembered() == []
        orphans = {
            "vectors": "SELECT COUNT(*) FROM vectors WHERE chunk_id NOT IN (SELECT id FROM chunks)",
            "readings": "SELECT COUNT(*) FROM slm_readings WHERE id NOT IN (SELECT reading_id FROM slm_reading_messages)",
            "summaries": "SELECT COUNT(*) FROM summaries WHERE id NOT IN (SELECT summary_id FROM summary_chunks)",
            "entities": "SELECT COUNT(*) FROM slm_entities WHERE id NOT IN (SELECT entity_id FROM slm_mentions)",
        }
        for name, query in orphans.items():
            assert memory._store.connection.execute(query).fetchone() == (0,), name
    assert SECRET.encode() not in raw(settings.db)


TELEGRAM = """{{"name": "Pia", "type": "personal_chat", "id": 7, "messages": [
 {{"id": 1, "type": "message", "date": "2026-03-01T10:00:00", "date_unixtime": "1772359200", "from": "Pia", "from_id": "user1", "text": "{first}"{edited}}},
 {{"id": 2, "type": "message", "date": "2026-03-01T10:01:00", "date_unixtime": "1772359260", "from": "Tom", "from_id": "user2", "text": "Which one?"}},
 {{"id": 3, "type": "message", "date": "2026-03-01T10:02:00", "date_unixtime": "1772359320", "from": "Pia", "from_id": "user1", "text": "The blue one."}}
]}}"""
EDITED = ', "edited": "2026-03-01T11:00:00", "edited_unixtime": "1772362800"'


def export(folder: Path, first: str, *, edited: bool) -> Path:
    folder.mkdir()
    (folder / "result.json").write_text(
        TELEGRAM.format(first=first, edited=EDITED if edited else ""), encoding="utf-8"
    )
    return folder / "result.json"


def test_the_old_words_of_an_edited_message_leave_the_file(
    settings: Settings, tmp_path: Path
) -> None:
    old = export(tmp_path / "old", f"I hid the {SECRET} in Secretville.", edited=False)
    new = export(tmp_path / "new", "I hid nothing.", edited=True)
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ReadingModel()
    ) as memory:
        memory.add(old)
        memory.index_slm()
        memory.build("raptor")
        assert SECRET.encode() in raw(settings.db)
        assert memory.add(new).messages_updated == 1
        assert memory.search("hid nothing")
        for word in (SECRET, "Secretville"):
            assert word.casefold().encode() not in raw(settings.db).lower(), word
        memory.add(old)
        assert SECRET.encode() not in raw(settings.db), "also where the old export comes again"
        assert memory.search("hid nothing")


def test_an_import_that_replaces_nothing_wipes_nothing(settings: Settings, tmp_path: Path) -> None:
    old = export(tmp_path / "old", "I hid the key.", edited=False)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(old)
        memory.add(old)
        assert memory._store.wiping.requests() == 0


def test_a_reader_only_delays_the_wiping(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.store.database.READERS_SECONDS", 0.2)
    database = tmp_path / "chats.db"
    shutil.copyfile(history, database)
    with closing(sqlite3.connect(database, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM messages").fetchone()
        with pytest.raises(DatabaseLocked, match=r"is gone.*until the next command wipes it"):
            delete(database)
        reader.execute("COMMIT")
    Store.open(database).close()
    assert SECRET.encode() not in raw(database)


def test_the_wiping_waits_for_a_reader_that_ends(history: Path, tmp_path: Path) -> None:
    database = tmp_path / "chats.db"
    shutil.copyfile(history, database)
    with closing(
        sqlite3.connect(database, isolation_level=None, check_same_thread=False)
    ) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM messages").fetchone()
        ended = threading.Timer(0.5, lambda: reader.execute("COMMIT"))
        ended.start()
        delete(database)
        ended.join()
    assert SECRET.encode() not in raw(database)


def test_another_process_forgets_what_it_said_of_deleted_messages(
    settings: Settings, small: ChatMemory
) -> None:
    small.ask("Who is the piano tuner?")
    with Neighbour(settings.db) as other:
        other.does("memory.ask('Who is the piano tuner?').text")
        assert other.does("len(memory.part(Asking).remembered())") == "1"
        small.delete_chat(small.search("piano")[0].message.chat_id)
        assert other.does("len(memory.part(Asking).remembered())") == "0"
    assert small.part(Asking).remembered() == []


def test_deleting_leaves_the_other_chats_as_they_were(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as memory:
        memory.add(long_history(tmp_path, 3))
        memory.delete_chat(memory.search(SECRET)[0].message.chat_id)
    shutil.rmtree(tmp_path / "log")
    write_log(
        tmp_path / "log",
        {
            f"202602{day:02}_{hour:02}00": tuple(
                f"{who}: Day {day} hour {hour}, the boat is number {day * hour + n}."
                for n, who in enumerate(("AnnaBerg", "TomHill") * 5)
            )
            for day in range(1, 4)
            for hour in (8, 18)
        },
    )
    with opened(tmp_path / "b") as memory:
        memory.add(tmp_path / "log")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_wiping_that_fails_is_not_said_to_have_been_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> int:
        raise DiskFull("The disk is full: free some space.")

    Store.open(tmp_path / "chats.db").close()
    monkeypatch.setattr(Wiping, "due", lambda _: True)
    monkeypatch.setattr(Wiping, "rewrite", full)
    told: list[str] = []
    Store.open(tmp_path / "chats.db", told.append).close()
    assert told[0].startswith("Rewriting ")
    assert told[-1].endswith("is still in the file: The disk is full: free some space.")

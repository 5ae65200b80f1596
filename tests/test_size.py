"""What the file holds of each message: its words once; older files become smaller, also when killed."""

from __future__ import annotations

import multiprocessing
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from places import write_log
from stored import contents, made_older, opened, raw
from test_wiping import SECRET, long_history

from minirag_chat import ChatMemory
from minirag_chat.bench.stored import size_by_part, text_bytes
from minirag_chat.store import Store
from minirag_chat.store.opening import NEWEST

FORK = multiprocessing.get_context("fork")
KILLS = 8


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("history")
    with opened(folder) as memory:
        memory.add(long_history(folder))
    return folder / "chats.db"


def words_of(memory: ChatMemory) -> dict[tuple[str, int], list[int]]:
    """Where each word stands, by the full text."""
    found: dict[tuple[str, int], list[int]] = {}
    for term, doc, offset in memory._store.connection.execute(
        "SELECT term, doc, offset FROM temp.message_text_words"
    ):
        found.setdefault((term, doc), []).append(offset)
    return found


@pytest.mark.slow
def test_the_text_of_a_message_is_in_the_file_once(history: Path) -> None:
    word = f"{SECRET}a9b8c3".encode()
    assert raw(history).count(word) == 1
    with closing(Store.open(history)) as store:
        assert size_by_part(store)["full text"] < 1.5 * text_bytes(store)


def test_the_full_text_is_that_of_the_messages_whatever_happens_to_them(tmp_path: Path) -> None:
    log = {"20260101_1000": ("AnnaBerg: The van is blue.", "TomHill: It was green once, KimBo.")}
    with opened(tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", log))
        run = memory._store.connection.execute
        run("UPDATE messages SET text = 'The van is red, PayPal' WHERE id = 1")
        assert [e.message.id for e in memory.search("red")] == [1]
        assert [e.message.id for e in memory.search("pay")] == [1]
        assert memory.search("blue") == []
        run("UPDATE messages SET deleted = 1 WHERE id = 1")
        assert memory.search("van") == []
        run("UPDATE messages SET deleted = 0 WHERE id = 1")
        assert memory.search("van")
        run("DELETE FROM sessions")
        assert words_of(memory) == {}
        assert run("SELECT COUNT(*) FROM message_text_docsize").fetchone() == (0,)


@pytest.mark.slow
def test_another_program_cannot_change_a_message_and_leave_its_words(history: Path) -> None:
    with closing(sqlite3.connect(history)) as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute("UPDATE messages SET text = '' WHERE id = 1")


def test_a_merge_and_a_split_are_found_at_once_by_the_persons_name(tmp_path: Path) -> None:
    log = {"20260101_1000": ("AnnaBerg: The van is blue.", "Kay: Yes."), "20260102_1000": ("Kay: No.",)}  # fmt: skip
    with opened(tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", log))
        before = words_of(memory)
        memory.merge_people("Kay", "AnnaBerg")
        assert {e.message.text for e in memory.search("Anna")} == {
            "The van is blue.",
            "Yes.",
            "No.",
        }
        memory.split_person("Kay")
        assert {e.message.text for e in memory.search("Anna")} == {"The van is blue."}
        assert words_of(memory) == before


# --- older files -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_file_of_an_earlier_release_becomes_smaller_and_says_the_same(
    history: Path, tmp_path: Path
) -> None:
    database = tmp_path / "chats.db"
    shutil.copyfile(history, database)
    before, new = contents(history.parent), database.stat().st_size
    made_older(database)
    old = database.stat().st_size
    heard: list[str] = []
    Store.open(database, heard.append).close()
    assert database.stat().st_size < 0.8 * old
    assert database.stat().st_size <= 1.05 * new
    assert contents(tmp_path) == before
    assert [sentence.split()[0] for sentence in heard] == ["Bringing", "Rewriting"]
    heard.clear()
    Store.open(database, heard.append).close()
    assert heard == [], "it is done once"


def bring_up_to_date(database: Path) -> None:
    Store.open(database).close()


@pytest.mark.slow
def test_a_file_that_was_killed_on_its_way_is_whole_and_the_next_command_goes_on(
    history: Path, tmp_path: Path
) -> None:
    older = tmp_path / "older.db"
    shutil.copyfile(history, older)
    made_older(older)
    before = contents(history.parent)
    begun = time.monotonic()
    shutil.copyfile(older, tmp_path / "chats.db")
    bring_up_to_date(tmp_path / "chats.db")
    whole = time.monotonic() - begun
    small = (tmp_path / "chats.db").stat().st_size
    for kill in range(KILLS):
        for file in tmp_path.glob("chats.db*"):
            file.unlink()
        shutil.copyfile(older, tmp_path / "chats.db")
        process = FORK.Process(target=bring_up_to_date, args=(tmp_path / "chats.db",))
        process.start()
        time.sleep(whole * (kill + 0.5) / KILLS)
        process.kill()
        process.join()
        with closing(sqlite3.connect(tmp_path / "chats.db")) as connection:
            assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
            assert connection.execute("PRAGMA user_version").fetchone()[0] in (6, NEWEST)
        bring_up_to_date(tmp_path / "chats.db")
        assert contents(tmp_path) == before
        assert (tmp_path / "chats.db").stat().st_size <= small


def test_words_that_were_deleted_before_are_not_brought_along(
    history: Path, tmp_path: Path
) -> None:
    with opened(tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", {"20260101_1000": ("AnnaBerg: The van is blue.",)}))
    database = tmp_path / "chats.db"
    made_older(database)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("INSERT INTO chunk_text (rowid, text) VALUES (99, 'marzipanfarm')")
        connection.execute("DELETE FROM chunk_text WHERE rowid = 99")
    assert b"marzipanfarm" in raw(database)
    Store.open(database).close()
    assert b"marzipanfarm" not in raw(database)

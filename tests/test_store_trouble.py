"""A full disk, a damaged file, a file that others may read: each says what is true, and what to do."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_log
from stored import import_by_one_connection, opened, raw
from test_shared_file import PUBLIC
from test_wiping import SECRET, WHO, long_history

from minirag_chat import ChatMemory, MiniRagChatError, Settings
from minirag_chat.errors import DatabaseDamaged, DiskFull, StoreError
from minirag_chat.records import Progress
from minirag_chat.store import Store, driver
from minirag_chat.store.database_status import is_our_database
from minirag_chat.store.opening import MIGRATIONS, NEWEST
from minirag_chat.store.text import searchable

pytestmark = pytest.mark.slow

# --- a full disk -----------------------------------------------------------------------------------


def room_for(memory: ChatMemory, more_pages: int) -> None:
    """Let the database grow by so many pages and no more, as on a disk that is nearly full."""
    connection = memory._store.connection
    (now,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {now + more_pages}")


def test_a_disk_that_is_full_while_messages_come_in_changes_nothing(
    small: ChatMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_by_one_connection(small, monkeypatch)
    room_for(small, 20)
    with pytest.raises(DiskFull, match=r"is full: free some space; nothing was changed"):
        small.add(long_history(tmp_path))
    assert small.info().messages == 9
    room_for(small, 100_000)
    assert small.add(tmp_path / "log").messages_added == 1120


def test_a_disk_that_is_full_while_vectors_are_made_keeps_the_messages(
    memory: ChatMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_by_one_connection(memory, monkeypatch)

    def progress(now: Progress) -> None:
        if now.step == "embedding":
            room_for(memory, 2)

    with pytest.raises(DiskFull, match=r"the messages are kept, and `minirag-chat index`"):
        memory.add(long_history(tmp_path), progress=progress)
    assert memory.info().messages == 1120
    assert "found by their words alone" in memory.info().note
    assert memory.search(SECRET)
    room_for(memory, 100_000)
    assert memory.index() > 0
    assert memory.info().note == ""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 10 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=10m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, check=False).returncode:
        pytest.skip("a small disk can be made by an administrator only")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path, leave: int) -> Path:
    """Fill a disk but for ``leave`` bytes."""
    filler = folder / "filler"
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
    filler.write_bytes(bytes(max(free - leave, 0)))
    return filler


@pytest.mark.parametrize("leave", [0, 50_000, 200_000, 800_000, 1_500_000, 2_500_000])
def test_a_deletion_on_a_full_disk_says_whether_it_was_made(small_disk: Path, leave: int) -> None:
    with opened(small_disk) as memory:
        memory.add(long_history(small_disk, 14))
    fill(small_disk, leave)
    said = ""
    try:
        with opened(small_disk) as memory:
            memory.delete_chat(memory.search(SECRET)[0].message.chat_id)
    except StoreError as error:
        said = str(error)
    (small_disk / "filler").unlink()
    with closing(sqlite3.connect(small_disk / "chats.db")) as connection:
        (count,) = connection.execute("SELECT COUNT(*) FROM messages").fetchone()
    if "nothing was changed" in said:
        assert count == 560
    else:
        assert count == 280
        assert not said or "what was deleted is gone" in said
        Store.open(small_disk / "chats.db").close()
        assert SECRET.encode() not in raw(small_disk / "chats.db")


@pytest.mark.parametrize("leave", [100_000, 600_000, 1_200_000, 2_400_000])
def test_an_import_on_a_full_disk_says_what_is_kept(small_disk: Path, leave: int) -> None:
    log = long_history(small_disk, 14)
    said = ""
    with opened(small_disk) as memory:
        fill(small_disk, leave)
        try:
            memory.add(log)
        except StoreError as error:
            said = str(error)
    (small_disk / "filler").unlink()
    with opened(small_disk) as memory:
        kept = memory.info().messages
        assert ("the messages are kept" in said or not said) if kept else "nothing was" in said
        memory.add(log)
        assert memory.info().messages == 560
        assert memory.info().note == ""


# --- a damaged file ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    with opened(folder) as memory:
        memory.add(long_history(folder, 4))
    return folder / "chats.db"


def used(database: Path) -> list[str]:
    """Use every public method that reads; returns what was refused. Only our errors may come."""
    refused = []
    chosen = Settings(db=database, model="extractive", model_dir=database.parent)
    try:
        memory = ChatMemory.open(
            database, chosen, embedder=WordEmbedder(), chat_model=ScriptedModel()
        )
    except StoreError as error:
        return [str(error)]
    with memory:
        for look in (*PUBLIC.values(), _change):
            try:
                look(memory)
            except MiniRagChatError as error:
                refused.append(str(error))
    return refused


def _change(memory: ChatMemory) -> Any:
    return memory.delete_chat(memory.search(SECRET)[0].message.chat_id if memory.chats() else 1)


def test_a_damaged_schema_is_one_clear_sentence(whole: Path, tmp_path: Path) -> None:
    database = tmp_path / "chats.db"
    data = bytearray(whole.read_bytes())
    for table in (
        b"CREATE TABLE messages",
        b"CREATE TABLE chats",
        b"CREATE INDEX messages_session",
    ):
        at = data.index(table)
        data[at : at + 12] = b"\xff\xfe\xb0\x9c\xe2\x28\xa1\xf0\x28\x8c\xbc\xff"
        database.write_bytes(data)
        with pytest.raises(DatabaseDamaged, match="is damaged"):
            Store.open(database).close()


def test_a_damaged_page_is_one_clear_sentence(whole: Path, tmp_path: Path) -> None:
    drawn = random.Random(7)  # noqa: S311 - no secret
    data = whole.read_bytes()
    pages = len(data) // 4096
    told = 0
    for trial in range(40):
        database = tmp_path / f"{trial}.db"
        harmed = bytearray(data)
        for page in drawn.sample(range(1, pages), max(pages // 10, 1)):
            at = page * 4096 + (0 if trial % 2 else drawn.randrange(3000))
            harmed[at : at + 400] = drawn.randbytes(400)
        database.write_bytes(harmed)
        told += any("damaged" in sentence for sentence in used(database))
    assert told > 20


# --- who may read it ---------------------------------------------------------------------------------


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_files_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = tmp_path / "folder" / "chats.db"
        with ChatMemory.open(
            database, Settings(db=database, model="extractive"), embedder=WordEmbedder()
        ) as memory:
            memory.add(write_log(tmp_path / "log", {"20260301_1000": (f"{WHO}: Hi.", "Al: Hi.")}))
            files = sorted(path.name for path in database.parent.iterdir())
            assert files == ["chats.db", "chats.db-shm", "chats.db-wal"]
            assert {mode(path) for path in database.parent.iterdir()} == {0o600}
        assert mode(database.parent) == 0o700
        assert [path.name for path in database.parent.iterdir()] == ["chats.db"]
    finally:
        os.umask(before)


# --- older layouts, disks that are read only -------------------------------------------------------


def test_a_database_of_every_earlier_layout_is_brought_up_to_date(tmp_path: Path) -> None:
    folder = Path(__file__).parents[1] / "minirag_chat" / "store"
    for layout in range(1, NEWEST):
        database = tmp_path / f"{layout}.db"
        with closing(sqlite3.connect(database)) as connection:
            connection.create_function("searchable", 1, searchable)
            for name in MIGRATIONS[:layout]:
                connection.executescript((folder / name).read_text(encoding="utf-8"))
            connection.execute(f"PRAGMA user_version = {layout}")
        with closing(Store.open(database)) as store:
            assert store.connection.execute("PRAGMA user_version").fetchone() == (NEWEST,)
            assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert store.messages.count() == 0


def test_the_file_alone_is_the_whole_database_between_changes(
    small: ChatMemory, settings: Settings, tmp_path: Path
) -> None:
    shutil.copyfile(settings.db, tmp_path / "copy.db")
    with ChatMemory.open(tmp_path / "copy.db", settings, embedder=WordEmbedder()) as copied:
        assert copied.info().messages == 9
        assert copied.search("piano tuner")


def test_a_database_on_a_disk_that_is_read_only_can_be_asked(whole: Path, small_disk: Path) -> None:
    shutil.copyfile(whole, small_disk / "chats.db")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with opened(small_disk) as memory:
        assert memory.ask("What is the boat's number?").sources
        with pytest.raises(StoreError, match="cannot be written"):
            memory.delete_chat(memory.chats()[0].id)


def test_a_look_does_not_wait_for_a_database_that_another_program_has_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, waits = tmp_path / "browser.db", list[float]()

    def noted(path: Path, uri: str, *, timeout: float) -> Any:
        waits.append(timeout)
        return driver.open_connection(path, uri, timeout=timeout)

    monkeypatch.setattr("minirag_chat.store.database_status.open_connection", noted)
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE x (y)")
        other.execute("BEGIN EXCLUSIVE")
        assert not is_our_database(file)
    assert max(waits) <= 1, "seconds; an import waits longer for its turn"

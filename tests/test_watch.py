"""Watched folders: what arrives is imported once it lies still, whatever else lies there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest
from commands import run_command
from neighbour import Neighbour
from stored import opened, raw

from minirag_chat import ChatMemory
from minirag_chat.errors import MiniRagChatError
from minirag_chat.memory.importing import Importing
from minirag_chat.memory.watching import Watcher
from minirag_chat.records import Arrival, ImportReport

WAIT = 300.0  # seconds: other work may hold the machine
CHAT = (
    "05/01/2026, 10:00 - Ann Berg: The piano tuner is called Walter Quint.\n"
    "05/01/2026, 10:01 - Tom Hill: Is he expensive?\n"
)
MORE = "05/01/2026, 10:02 - Ann Berg: Ninety euros, he comes by ferry.\n"
OTHER = (
    "06/01/2026, 09:00 - Nina Vale: The boat leaves at six.\n06/01/2026, 09:05 - Tom Hill: Fine.\n"
)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Looking:
    """A watcher whose looks a test asks for."""

    def __init__(self, memory: ChatMemory, *folders: Path) -> None:
        self.clock = Clock()
        self.heard: list[Arrival] = []
        self._watcher = Watcher(
            memory._store, folders, memory.add, lambda _path, what: self.heard.append(what),
            memory.part(Importing)._own_paths(), settle_seconds=5, clock=self.clock,
        )  # fmt: skip

    def look(self, after: float = 0.0) -> bool:
        self.clock.now += after
        return self._watcher.check(threading.Event())

    def arrivals(self) -> list[tuple[str, str]]:
        return [(arrival.state, arrival.name) for arrival in self.heard]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[ChatMemory]:
    with opened(tmp_path / "data") as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "in"
    made.mkdir()
    return made


def texts(memory: ChatMemory) -> list[str]:
    return [message.text for message in memory.messages()]


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)


def test_a_file_is_imported_once_it_lies_still(memory: ChatMemory, folder: Path) -> None:
    watcher = Looking(memory, folder)
    file = folder / "chat.txt"
    file.write_text(CHAT[:60], encoding="utf-8")
    assert watcher.look()
    file.write_text(CHAT, encoding="utf-8")  # still being written
    assert watcher.look(after=4)
    assert watcher.look(after=4), "it changed four seconds ago"
    assert watcher.arrivals() == []
    assert not watcher.look(after=5)
    assert watcher.arrivals() == [("imported", "chat.txt")]
    assert len(texts(memory)) == 2
    assert not watcher.look(after=60)
    assert len(watcher.heard) == 1, "what did not change is not imported again"


def test_a_file_that_grows_brings_what_is_new(memory: ChatMemory, folder: Path) -> None:
    watcher = Looking(memory, folder)
    (folder / "chat.txt").write_text(CHAT, encoding="utf-8")
    watcher.look()
    watcher.look(after=6)
    (folder / "chat.txt").write_text(CHAT + MORE, encoding="utf-8")
    watcher.look()
    watcher.look(after=6)
    assert [(a.messages_read, a.messages_added) for a in watcher.heard] == [(2, 2), (3, 1)]
    assert [a.messages_added for a in memory.arrivals()] == [1, 2], "the latest first"


def test_after_a_new_start_nothing_is_imported_again(tmp_path: Path, folder: Path) -> None:
    (folder / "chat.txt").write_text(CHAT, encoding="utf-8")
    for expected in (1, 0):
        with opened(tmp_path / "data") as memory:
            watcher = Looking(memory, folder)
            watcher.look()
            watcher.look(after=6)
            assert len(watcher.heard) == expected


@pytest.mark.parametrize("first", [True, False])
def test_two_watchers_of_a_folder_list_a_file_once_with_what_it_brought(
    memory: ChatMemory, folder: Path, first: bool
) -> None:
    one, two = Looking(memory, folder), Looking(memory, folder)

    def meanwhile(path: Path) -> ImportReport:
        if first:
            one.look(after=6)
            return memory.add(path)
        report = memory.add(path)
        one.look(after=6)
        return report

    two._watcher.add = meanwhile
    (folder / "chat.txt").write_text(CHAT, encoding="utf-8")
    one.look()
    two.look()
    two.look(after=6)
    assert [(a.name, a.messages_added) for a in memory.arrivals()] == [("chat.txt", 2)]
    if first:
        assert (len(one.heard), len(two.heard)) == (1, 0)


def test_downloads_that_are_not_finished_wait(memory: ChatMemory, folder: Path) -> None:
    watcher = Looking(memory, folder)
    (folder / "chat.txt").write_text("", encoding="utf-8")  # Firefox makes it first
    (folder / "chat.txt.part").write_text(CHAT, encoding="utf-8")
    (folder / "other.txt.crdownload").write_text(OTHER, encoding="utf-8")
    (folder / "export").mkdir()
    (folder / "export" / "chat.txt").write_text(OTHER, encoding="utf-8")
    (folder / "export" / "more.zip.partial").write_bytes(b"PK")
    watcher.look()
    watcher.look(after=60)
    assert watcher.heard == []
    (folder / "chat.txt.part").replace(folder / "chat.txt")
    (folder / "export" / "more.zip.partial").unlink()
    watcher.look()
    watcher.look(after=6)
    assert sorted(watcher.arrivals()) == [("imported", "chat.txt"), ("imported", "export")]


def test_hidden_files_media_databases_and_our_own_are_left_alone(
    memory: ChatMemory, folder: Path
) -> None:
    for name in (".chat.txt", "photo.jpg", "voice.opus", "~$list.txt", "chats.db", "desktop.ini"):
        (folder / name).write_text(CHAT, encoding="utf-8")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "chat.txt").write_text(CHAT, encoding="utf-8")
    (folder / "empty").mkdir()
    watcher = Looking(memory, folder)
    assert not watcher.look()
    assert not watcher.look(after=60)
    assert watcher.heard == []
    beside = Looking(memory, memory._store.path.parent)
    assert not beside.look()
    assert not beside.look(after=60)
    assert beside.heard == [], "the folder of the database itself may be watched"


def test_links_to_files_are_read_and_those_to_folders_are_not(
    memory: ChatMemory, folder: Path, tmp_path: Path
) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (away / "chat.txt").write_text(CHAT, encoding="utf-8")
    (folder / "linked.txt").symlink_to(away / "chat.txt")
    (folder / "linked").symlink_to(away, target_is_directory=True)
    (folder / "gone.txt").symlink_to(away / "nothing.txt")
    watcher = Looking(memory, folder)
    watcher.look()
    watcher.look(after=6)
    assert watcher.arrivals() == [("imported", "linked.txt")]


def test_a_file_that_fails_is_told_once_and_tried_again_when_it_changes(
    memory: ChatMemory, folder: Path
) -> None:
    with ZipFile(folder / "whole.zip", "w") as archive:
        archive.writestr("_chat.txt", CHAT)
    whole = (folder / "whole.zip").read_bytes()
    (folder / "whole.zip").rename(folder / "chat.zip")
    (folder / "chat.zip").write_bytes(whole[: len(whole) // 2])
    watcher = Looking(memory, folder)
    for _ in range(3):
        watcher.look(after=6)
    assert watcher.arrivals() == [("failed", "chat.zip")]
    assert "zip" in watcher.heard[0].said
    (folder / "chat.zip").write_bytes(whole)
    watcher.look()
    watcher.look(after=6)
    assert watcher.arrivals()[1:] == [("imported", "chat.zip")]


def test_what_is_no_export_is_left_alone_and_leaves_the_trash_as_it_is(
    memory: ChatMemory, folder: Path
) -> None:
    (folder / "chat.txt").write_text(CHAT + OTHER, encoding="utf-8")
    watcher = Looking(memory, folder)
    watcher.look()
    watcher.look(after=6)
    memory.delete(people=["Nina Vale"])
    (folder / "setup.bin").write_bytes(os.urandom(200))
    (folder / "notes").mkdir()
    (folder / "notes" / "list.md").write_text("# Milk\n\n- bread\n", encoding="utf-8")
    watcher.look()
    watcher.look(after=6)
    assert sorted(watcher.arrivals()[1:]) == [("other", "notes"), ("other", "setup.bin")]
    assert len(memory.arrivals()) == 1, "only exports are listed"
    assert memory.restore().messages == 1, "nothing was imported: the deletion can be undone"


def test_names_of_files_are_forgotten_with_what_is_deleted(
    memory: ChatMemory, folder: Path
) -> None:
    (folder / "WhatsApp Chat with Zebulon Quix.txt").write_text(
        CHAT.replace("Tom Hill", "Zebulon Quix"), encoding="utf-8"
    )
    watcher = Looking(memory, folder)
    watcher.look()
    watcher.look(after=6)
    proof = memory.delete(everything=True, now=True, prove=True).proof
    assert proof is not None
    assert proof.leaks == ()
    assert b"zebulon" not in raw(memory._store.path).lower()
    assert [(a.name, a.messages_added) for a in memory.arrivals()] == [("", 2)]
    assert not watcher.look(after=60), "what was deleted does not come back by itself"
    assert texts(memory) == []


def test_a_folder_that_goes_away_and_comes_back_is_watched_on(
    memory: ChatMemory, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    watcher = Looking(memory, stick)
    assert not watcher.look()
    stick.rmdir()
    assert not watcher.look(after=6)
    stick.mkdir()
    (stick / "chat.txt").write_text(CHAT, encoding="utf-8")
    watcher.look()
    watcher.look(after=6)
    assert watcher.arrivals() == [("imported", "chat.txt")]


def test_a_folder_that_is_not_there_is_told(memory: ChatMemory, tmp_path: Path) -> None:
    with pytest.raises(MiniRagChatError, match="is no folder"):
        memory.watch([tmp_path / "nowhere"])
    with pytest.raises(MiniRagChatError, match="Say which folder"):
        memory.watch([])


# --- as a process ------------------------------------------------------------------------------------


@contextmanager
def watching(tmp_path: Path, *command: str) -> Iterator[subprocess.Popen[str]]:
    environment = {
        **os.environ, "MINIRAG_CHAT_MODEL": "extractive", "NO_COLOR": "1", "COLUMNS": "200",
        "MINIRAG_CHAT_MODEL_DIR": str(tmp_path / "models"),
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "minirag_chat", "--db", str(tmp_path / "data" / "chats.db"), "watch", *command],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.process
def test_two_folders_are_watched_beside_another_process_until_ctrl_c(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    (tmp_path / "data").mkdir()
    with (
        Neighbour(tmp_path / "data" / "chats.db") as page,
        watching(tmp_path, str(first), str(second), "--still", "0.3") as process,
    ):
        (first / "chat.txt").write_text(CHAT, encoding="utf-8")
        until(lambda: page.does("len(memory.messages())") == "2")
        (second / "boat.txt").write_text(OTHER, encoding="utf-8")
        until(lambda: page.does("len(memory.messages())") == "4")
        names = "[a.name for a in memory.arrivals()]"
        until(lambda: page.does(names) == "['boat.txt', 'chat.txt']")
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=WAIT)
    assert process.returncode == 0, errors
    assert "chat.txt: 2 new." in said
    assert "2 imported, 4 new messages" in errors
    assert "Traceback" not in errors


def test_once_ends_when_all_is_imported(memory: ChatMemory, folder: Path) -> None:
    (folder / "chat.txt").write_text(CHAT, encoding="utf-8")
    heard: list[Arrival] = []
    memory.watch([folder], once=True, still=0.2, heard=lambda _path, what: heard.append(what))
    assert [(a.state, a.messages_added) for a in heard] == [("imported", 2)]
    memory.watch([folder], once=True, still=0.2, heard=lambda _path, what: heard.append(what))
    assert len(heard) == 1


@pytest.mark.process
def test_once_fails_if_an_export_could_not_be_imported(folder: Path, tmp_path: Path) -> None:
    """So that a script sees it."""
    (folder / "result.json").write_text(
        '{"name": "Boats", "messages": [{"id": 1, ', encoding="utf-8"
    )
    done = run_command(
        "--db", str(tmp_path / "chats.db"), "watch", "--once", "--still", "0.2", str(folder), "--json",
    )  # fmt: skip
    said = json.loads(done.stdout)
    assert done.returncode == 1
    assert "result.json was not imported" in said["error"]
    assert [arrival["state"] for arrival in said["arrivals"]] == ["failed"]


@pytest.mark.parametrize("name", ["empty.txt", "chat.txt.part", "chat.txt.crdownload"])
def test_once_does_not_wait_for_what_may_never_be_complete(
    memory: ChatMemory, folder: Path, name: str
) -> None:
    (folder / name).write_text("" if name == "empty.txt" else "half")
    (folder / "chat.txt").write_text(CHAT, encoding="utf-8")
    watching = threading.Thread(
        target=memory.watch, args=([folder],), kwargs={"once": True, "still": 0.1}, daemon=True
    )
    watching.start()
    watching.join(WAIT / 5)
    assert not watching.is_alive()
    assert memory.info().messages == 2


@pytest.mark.slow
def test_a_stop_ends_a_watch_that_waits(memory: ChatMemory, folder: Path) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=lambda: memory.watch([folder], stop=stop, still=0.2))
    thread.start()
    (folder / "chat.txt").write_text(CHAT, encoding="utf-8")
    until(lambda: len(memory.arrivals()) == 1)
    stop.set()
    thread.join(WAIT)
    assert not thread.is_alive()

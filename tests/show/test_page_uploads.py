"""Files that the browser sends: from the page itself only, not without end, and gone afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from needed import needed

gradio = needed("gradio")
from browsing import free_port
from places import SMALL, write_log
from served import Served

from minirag_chat.show.page_uploads import make_folder
from minirag_chat.system import temporary as temporary_module
from minirag_chat.system.temporary import own_folder, remove_leftovers, remove_own_folder

pytestmark = pytest.mark.process

LINE = b"03.04.26, 18:05 - Nina Vale: The PIN of the safe is 47114711.\n"
PAGE = """
import sys
from pathlib import Path
from minirag_chat import ChatMemory, Settings
from minirag_chat.show.page import launch
folder = Path(sys.argv[1])
settings = Settings(db=folder / "chats.db", model_dir=folder, model="extractive")
with ChatMemory.open(settings.db, settings) as memory:
    launch(memory, port=int(sys.argv[2]))
"""


READING = """
import sys, time
from pathlib import Path
from zipfile import ZipFile
from minirag_chat import ChatMemory, Settings
from minirag_chat.models.media_transcriber import transcribe_stored
from minirag_chat.records import StoredMedia
from minirag_chat.show.page import launch
from minirag_chat.show.page_job import task

class Slow:
    def read(self, kind, path):
        time.sleep(600)

folder = Path(sys.argv[1])
with ZipFile(folder / "export.zip", "w") as export:
    export.writestr("PTT-20260105-WA0001.opus", "The PIN of the safe is 47114711.")
voice = StoredMedia(1, 0, str(folder / "export.zip"), "PTT-20260105-WA0001.opus", "voice", "new")
reading = task("Reading voice notes", lambda **_: transcribe_stored(Slow(), voice))
settings = Settings(db=folder / "chats.db", model_dir=folder, model="extractive")
with ChatMemory.open(settings.db, settings) as memory:
    launch(memory, job=reading, port=int(sys.argv[2]))
"""


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    begun = Served(tmp_path_factory.mktemp("private"))
    yield begun
    gradio.close_all()


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    begun = Served(tmp_path_factory.mktemp("public"), public=True)
    yield begun
    gradio.close_all()


def send(address: str, text: bytes = LINE, origin: str | None = None) -> httpx.Response:
    headers = {"Origin": origin} if origin else {}
    files = {"files": ("WhatsApp Chat with Nina.txt", text, "text/plain")}
    return httpx.post(f"{address}gradio_api/upload", files=files, headers=headers, timeout=120)


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1.evil.example"],
)
def test_another_site_can_neither_upload_nor_ask(private: Served, origin: str) -> None:
    assert send(private.address, origin=origin).status_code == 403
    asked = httpx.post(
        f"{private.address}gradio_api/call/ask",
        json={"data": ["Who is the piano tuner?"]},
        headers={"Origin": origin},
    )
    assert asked.status_code == 403
    assert httpx.get(private.address, headers={"Origin": origin}).status_code == 403


def test_the_page_itself_and_programs_may(private: Served) -> None:
    assert send(private.address, origin=private.address.rstrip("/")).status_code == 200
    assert send(private.address).status_code == 200


def test_visitors_cannot_fill_the_disk(public: Served) -> None:
    megabyte = LINE * 15_000  # a file may have one; some wait for their import, and not without end
    answers = [send(public.address, megabyte + b"%d" % n).status_code for n in range(8)]
    assert answers[0] == 200
    assert answers[-1] == 413


def test_an_upload_that_does_not_say_its_size_is_refused(public: Served) -> None:
    """Otherwise it would not count against what visitors may have waiting."""
    pieces = iter([b"--x\r\n", LINE * 15_000, b"\r\n--x--\r\n"])
    answer = httpx.post(
        f"{public.address}gradio_api/upload",
        content=pieces,
        headers={"Content-Type": "multipart/form-data; boundary=x"},
        timeout=120,
    )
    assert answer.status_code == 411


def test_a_running_page_keeps_its_uploads_when_another_begins_and_told_to_end_leaves_none_behind(
    tmp_path: Path,
) -> None:
    with started(tmp_path) as (page, temporary, address):
        assert send(address).status_code == 200
        with pytest.MonkeyPatch.context() as patch:
            begun = psutil.Process.create_time
            patch.setattr(tempfile, "tempdir", str(temporary))
            # as after the clock was set
            patch.setattr(psutil.Process, "create_time", lambda process: begun(process) + 2)
            patch.setattr(temporary_module, "_own", {})
            make_folder()
            assert waiting(temporary)
            remove_own_folder()
        assert waiting(temporary)
        page.send_signal(signal.SIGTERM)
        page.wait(120)
        assert not waiting(temporary)


def test_what_a_killed_page_leaves_goes_with_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started(tmp_path) as (page, temporary, address):
        assert send(address).status_code == 200
        page.kill()
        page.wait(120)
        assert waiting(temporary)
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        monkeypatch.setattr(temporary_module, "_own", {})
        mine = make_folder()
        assert not waiting(temporary)
        assert len(list(temporary.glob("minirag-chat*"))) == 1
        remove_leftovers()
        assert mine.is_dir()  # a page that runs keeps its own
        if os.name == "posix":
            assert mine.stat().st_mode & 0o777 == 0o700
            assert own_folder().stat().st_mode & 0o777 == 0o700
        remove_own_folder()
        assert not list(temporary.glob("minirag-chat*"))


def test_a_page_that_is_told_to_end_leaves_no_voice_note_behind_that_it_was_reading(
    tmp_path: Path,
) -> None:
    with started(tmp_path, READING) as (page, temporary, _address):
        for _ in range(600):
            if waiting(temporary):
                break
            time.sleep(0.1)
        assert waiting(temporary)
        page.send_signal(signal.SIGTERM)
        page.wait(120)
        assert not list(temporary.glob("minirag-chat*"))


def test_a_folder_of_somebody_else_keeps_no_page_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    theirs = tmp_path / "minirag-chat-tmp-theirs" / "files"
    theirs.mkdir(parents=True)
    (theirs.parent / "lock").mkdir()  # as little to be opened as another user's file
    (tmp_path / "minirag-chat-tmp-linked").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setattr(temporary_module, "_own", {})
    assert make_folder().is_dir()
    assert theirs.is_dir()
    remove_own_folder()


def waiting(temporary: Path) -> list[Path]:
    """Uploads, and whatever else of one is left in a temporary folder."""
    return [f for f in temporary.rglob("*") if f.is_file() and b"47114711" in f.read_bytes()]


class started:  # noqa: N801 - read as a word in a with statement
    """A page in a process of its own, with a temporary folder of its own."""

    def __init__(self, folder: Path, page: str = PAGE) -> None:
        write_log(folder / "log", SMALL)
        self._temporary = folder / "tmp"
        self._temporary.mkdir()
        port = free_port()
        self._address = f"http://127.0.0.1:{port}/"
        self._page = subprocess.Popen(
            [sys.executable, "-c", page, str(folder), str(port)],
            env={**os.environ, "TMPDIR": str(self._temporary)},
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> tuple[subprocess.Popen[bytes], Path, str]:
        for _ in range(600):
            try:
                httpx.get(self._address)
            except httpx.TransportError:
                assert self._page.poll() is None, "the page has ended"
                time.sleep(0.1)
            else:
                return self._page, self._temporary, self._address
        raise AssertionError("the page does not come up")

    def __exit__(self, *_: object) -> None:
        self._page.kill()
        self._page.wait()

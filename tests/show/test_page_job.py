"""Imports and downloads of the page: what is uploaded, what fails, how far a job is, and stopping it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from places import write_log

from minirag_chat import ChatMemory
from minirag_chat.errors import ImportStopped
from minirag_chat.records import ImportReport, Progress
from minirag_chat.show import page_side
from minirag_chat.show.page_do import Commands
from minirag_chat.show.page_job import Job, JobState
from minirag_chat.show.page_tabs import Sessions


@pytest.fixture
def sessions(small: ChatMemory) -> Sessions:
    return Sessions(small)


def test_an_upload_comes_in_and_its_file_goes(sessions: Sessions, tmp_path: Path) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    log = write_log(
        tmp_path / "log2",
        {"20260301_1000": ("NinaVale: The boat is blue.", "AnnaBerg: Dark blue?")},
    )
    file = Path(shutil.make_archive(str(tmp_path / "up"), "zip", log))
    commands.upload(tab, [str(file)])
    assert tab.job is not None
    assert tab.job.wait(120)
    shown = page_side.job(tab.job.shown())
    assert "2 new messages" in shown
    assert not file.exists()
    assert sessions.tab("two").job is tab.job  # the same person's other tab watches too
    commands.do(tab, "closejob", "")
    assert page_side.job(None if tab.job is None else tab.job.shown()) == ""


def test_an_upload_that_is_no_chat_says_so(sessions: Sessions, tmp_path: Path) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    file = tmp_path / "<img src=x onerror=alert(1)>.txt"
    file.write_text("milk\neggs\n", encoding="utf-8")
    commands.upload(tab, [str(file)])
    assert tab.job is not None
    assert tab.job.wait(120)
    shown = page_side.job(tab.job.shown())
    assert "Failed" in shown
    assert "not recognised" in shown
    assert "<img" not in shown
    assert not file.exists()


def test_while_a_job_runs_another_is_refused_with_its_name(
    sessions: Sessions, tmp_path: Path
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    ends = Event()

    def wait(*_: object) -> list[ImportReport]:
        ends.wait(30)
        return []

    sessions.begin(tab, Job("Boats.txt", wait))
    try:
        file = tmp_path / "more.txt"
        file.write_text("x", encoding="utf-8")
        told = [
            commands.upload(tab, [str(file)]),
            commands.do(tab, "get", "qwen"),
            commands.do(tab, "readmedia", ""),
        ]
        assert {str(one and one["text"]) for one in told} == {
            "\u201cBoats.txt\u201d is still running: wait for it, or cancel it."
        }
        assert not file.exists()
    finally:
        ends.set()


def test_a_file_that_waits_for_its_turn_is_not_where_gradio_removes_it(
    sessions: Sessions, tmp_path: Path
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    file = tmp_path / "WhatsApp Chat with Nina.txt"
    file.write_text("03.04.26, 18:05 - Nina Vale: The boat is blue.\n", encoding="utf-8")
    with sessions.own._store.transaction():  # another program's import
        commands.upload(tab, [str(file)])
        end = time.monotonic() + 120
        while file.exists():
            assert time.monotonic() < end
            time.sleep(0.01)
    assert tab.job is not None
    assert tab.job.wait(120)
    assert "1 new message" in page_side.job(tab.job.shown())
    assert list(tmp_path.rglob("import-*")) == []


def test_one_bad_file_of_several_does_not_keep_the_others_out(
    sessions: Sessions, tmp_path: Path
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.4")
    chat = tmp_path / "chat.csv"
    chat.write_text("sent_at,sender,text\n2026-03-01 10:00,Nina,The boat is blue.\n", "utf-8")
    commands.upload(tab, [str(tmp_path / name) for name in ("empty.txt", "paper.pdf", "chat.csv")])
    assert tab.job is not None
    assert tab.job.wait(120)
    state = tab.job.shown()
    assert (state.outcome, len(state.reports)) == ("done", 1)
    assert [problem.split()[0] for problem in state.problems] == ["empty.txt", "paper.pdf"]
    assert tab.corpus.memory.search("boat")
    assert not chat.exists()


def test_a_job_can_be_cancelled_and_tells_how_long_it_takes() -> None:
    def work(
        progress: Callable[[Progress], None], cancelled: Callable[[], bool]
    ) -> tuple[ImportReport, ...]:
        for done in range(10_000):
            progress(Progress("embedding", done, 10_000))
            time.sleep(0.01)
            if cancelled():
                raise ImportStopped("The import was stopped: nothing was added.")
        return ()

    job = Job("big.zip", work).start()
    while (shown := job.shown()).left < 10:
        assert not job.wait(0.05)
    assert " left</p>" in page_side.job(shown)
    assert "messages/s" not in page_side.job(shown)
    job.stop()
    assert job.wait(60)
    assert "nothing was added" in page_side.job(job.shown())


def downloaded(first: int, then: int) -> JobState:
    """How a download of 1,000 MB stands that went from ``first`` to ``then`` in a second."""
    reported = Event()

    def work(
        progress: Callable[[Progress], None], cancelled: Callable[[], bool]
    ) -> tuple[ImportReport, ...]:
        progress(Progress("downloading MB", first, 1000))
        time.sleep(1.1)
        progress(Progress("downloading MB", then, 1000))
        reported.set()
        while not cancelled():
            time.sleep(0.01)
        return ()

    job = Job("Getting a model", work).start()
    assert reported.wait(120)
    state = job.shown()
    job.stop()
    return state


def test_the_time_left_is_right_where_most_was_done_by_an_earlier_run() -> None:
    assert downloaded(900, 910).left > 9  # 10 MB took a second: 90 MB are left


def test_a_download_that_is_larger_than_announced_is_at_its_end_and_not_past_it() -> None:
    shown = page_side.job(downloaded(0, 1010))
    assert 'aria-valuenow="100"' in shown
    assert "left" not in shown

"""Imports and downloads of the page: what is uploaded, what fails, how far a job is, and stopping it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread

import pytest
from fakes import WordEmbedder
from places import write_log

from minirag_chat import ChatMemory
from minirag_chat.errors import ImportStopped, ModelMissing
from minirag_chat.ingest import vectors
from minirag_chat.models.protocols import Vectors
from minirag_chat.records import ImportReport, Progress
from minirag_chat.show import page_side
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_job import Job, JobState, stop_all_jobs
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_views import left


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


def test_an_upload_is_read_with_the_chosen_order_of_dates_and_zone(
    sessions: Sessions, tmp_path: Path
) -> None:
    tab = sessions.tab("one")
    file = tmp_path / "WhatsApp Chat with Nina.txt"
    file.write_text("03/04/26, 18:05 - Nina Vale: The boat is blue.\n", encoding="utf-8")
    Commands(sessions).upload(tab, [str(file)], {"date_order": "mdy", "time_zone": "Asia/Tokyo"})
    assert tab.job is not None
    assert tab.job.wait(120)
    shown = page_side.job(tab.job.shown())
    assert "Asia/Tokyo" in shown
    assert "Please check" not in shown
    (nina,) = [chat for chat in tab.tuned_memory().chats() if "Nina" in chat.title]
    assert f"{nina.first:%Y-%m-%d}" == "2026-03-04"


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


def held(title: str, ends: Event, *, fails: bool = False, **options: bool) -> Job:
    """A job that lasts until ``ends``, or until it is cancelled."""

    def work(_: object, cancelled: Callable[[], bool]) -> list[ImportReport]:
        while not ends.wait(0.01):
            if cancelled():
                raise ImportStopped("The import was stopped: nothing was added.")
        if fails:
            raise ModelMissing("The download broke off.")
        return []

    return Job(title, work, **options)


def until_cancelled(title: str, *steps: Progress, pause: float = 0.0) -> Job:
    """A job that has reported these steps, ``pause`` seconds apart, and lasts until it is cancelled."""
    reported = Event()

    def work(
        progress: Callable[[Progress], None], cancelled: Callable[[], bool]
    ) -> tuple[ImportReport, ...]:
        progress(steps[0])
        for step in steps[1:]:
            time.sleep(pause)
            progress(step)
        reported.set()
        while not cancelled():
            time.sleep(0.01)
        return ()

    job = Job(title, work).start()
    assert reported.wait(120)
    return job


def chat_file(folder: Path, name: str) -> Path:
    file = folder / name
    file.write_text("03.04.26, 18:05 - Nina Vale: The boat is blue.\n", encoding="utf-8")
    return file


def test_what_is_dropped_while_a_job_runs_is_imported_after_it(
    sessions: Sessions, tmp_path: Path
) -> None:
    commands, tab, ends = Commands(sessions), sessions.tab("one"), Event()
    sessions.begin(tab, held("The sample corpus", ends, internal=True))
    file = chat_file(tmp_path, "WhatsApp Chat with Nina.txt")
    assert commands.upload(tab, [str(file)]) is None
    assert tab.job is not None
    assert tab.job.shown().title == "The sample corpus"
    assert "After that: WhatsApp Chat with Nina.txt" in page_side.job(tab.job.shown())
    assert sessions.own.search("boat") == []
    ends.set()
    assert tab.job.wait(20)
    shown = page_side.job(tab.job.shown())
    assert "Done</b> · WhatsApp Chat with Nina.txt" in shown
    assert "The sample corpus" not in shown, (
        "what is done for the page itself is not what they added"
    )
    assert "1 new message" in shown
    assert sessions.own.search("boat")
    assert list(tmp_path.glob("*.txt")) + list(tmp_path.glob("import-*")) == []


def test_the_report_of_several_files_is_two_lines_and_the_rest_is_folded(
    sessions: Sessions, tmp_path: Path
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    files = [str(chat_file(tmp_path, f"WhatsApp Chat with Friend {n}.txt")) for n in range(6)]
    commands.upload(tab, files)
    assert tab.job is not None
    assert tab.job.wait(60)
    shown = page_side.job(tab.job.shown())
    over, folded = shown.split("<details>", 1)
    assert over.count("<p") == 2
    assert "6 files · " in over
    assert "new message" in over
    assert "please check" in over, "3 April or 4 March: that is said without unfolding"
    assert "Please check" in folded
    assert all(f"Friend {n}.txt" in folded for n in range(6))


def test_what_was_imported_before_is_folded(sessions: Sessions, tmp_path: Path) -> None:
    tab = sessions.tab("one")
    Commands(sessions).upload(tab, [str(chat_file(tmp_path, "WhatsApp Chat with Nina.txt"))])
    assert tab.job is not None
    assert tab.job.wait(60)
    before = tab.job.shown()
    shown = page_side.job(JobState("Boats.zip", "running", "import", 0.5, ended=(before,)))
    assert "<summary><p><b>Done</b> · WhatsApp Chat with Nina.txt" in shown
    assert shown.index("</details>") < shown.index("Boats.zip")


def test_cancelling_ends_what_runs_and_what_waits_goes_on(
    sessions: Sessions, tmp_path: Path
) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    sessions.begin(tab, held("Boats.zip", Event()))
    commands.upload(tab, [str(chat_file(tmp_path, "nina.txt"))])
    commands.do(tab, "stopjob", "")
    assert tab.job is not None
    assert tab.job.wait(20)
    shown = page_side.job(tab.job.shown())
    assert "Stopped</b> · Boats.zip" in shown
    assert "Done</b> · nina.txt" in shown
    assert sessions.own.search("boat")


def test_an_import_cancelled_while_it_is_indexed_keeps_its_messages_and_is_completed_by_a_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "EMBED_BATCH", 1)
    begun, cancelled = Event(), Event()

    class Slow(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            begun.set()
            assert cancelled.wait(20)
            return super().embed(texts)

    with ChatMemory.open(tmp_path / "own.db", embedder=Slow()) as memory:
        sessions = Sessions(memory)
        commands, tab = Commands(sessions), sessions.tab("one")
        days = {f"202603{day:02}_1000": (f"NinaVale: Boat number {day}.",) for day in range(1, 9)}
        log = Path(
            shutil.make_archive(str(tmp_path / "up"), "zip", write_log(tmp_path / "l", days))
        )
        commands.upload(tab, [str(log)])
        assert tab.job is not None
        assert begun.wait(20)
        commands.do(tab, "stopjob", "")
        assert "Stopping \u2026" in page_side.job(tab.job.shown())
        cancelled.set()
        assert tab.job.wait(20)
        shown = page_side.job(tab.job.shown())
        assert "Stopped</b>" in shown
        assert "8 new messages" in shown
        assert "is kept" in shown
        assert "Complete the index" in left(sessions, tab)["corpora"]
        commands.do(tab, "index", "")
        assert tab.job.wait(20)
        assert memory.info().note == ""
        assert "Complete the index" not in left(sessions, tab)["corpora"]


def test_the_failure_of_one_part_stays_beside_its_title(sessions: Sessions, tmp_path: Path) -> None:
    commands, tab, ends = Commands(sessions), sessions.tab("one"), Event()
    sessions.begin(tab, held("Getting a model", ends, fails=True, imports=False))
    commands.upload(tab, [str(chat_file(tmp_path, "nina.txt"))])
    ends.set()
    assert tab.job is not None
    assert tab.job.wait(20)
    shown = page_side.job(tab.job.shown())
    first, then = shown.split("Done</b> · nina.txt")
    assert "Failed</b> · Getting a model" in first
    assert "The download broke off." in first
    assert "1 new message" in then


def test_a_download_that_is_pressed_twice_is_done_once(sessions: Sessions) -> None:
    tab, ends = sessions.tab("one"), Event()
    for _press in range(3):
        sessions.begin(tab, held("Getting a model", ends, imports=False))
    assert tab.job is not None
    assert tab.job.shown().waiting == ()
    ends.set()
    assert tab.job.wait(20)


def test_a_visitor_does_not_wait_for_the_page_and_nobody_sees_their_files(
    small: ChatMemory, tmp_path: Path
) -> None:
    ends = Event()
    sessions = Sessions(
        small, [("Sample", small)], public=True, job=held("The sample corpus", ends, internal=True)
    )
    Thread(target=sessions.begin_work, daemon=True).start()
    tab, other = sessions.tab("one"), sessions.tab("two")
    Commands(sessions).upload(tab, [str(chat_file(tmp_path, "private.txt"))])
    assert tab.job is not None
    assert tab.job.wait(20)
    assert other.job is not None
    assert "private" not in page_side.job(other.job.shown())
    sessions.begin(tab, held("One", Event()))
    sessions.begin(tab, held("Two", Event()))
    job = tab.job
    sessions.leave("one")
    assert job.wait(20), "who leaves waits for nothing any more"
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


def test_each_report_of_several_files_names_its_file(sessions: Sessions, tmp_path: Path) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")

    def dropped(*files: Path) -> str:
        commands.upload(tab, [str(file) for file in files])
        assert tab.job is not None
        assert tab.job.wait(120)
        shown = page_side.job(tab.job.shown())
        commands.do(tab, "closejob", "")
        return shown

    other = tmp_path / "<b>boats.csv"
    other.write_text("sent_at,sender,text\n2026-03-01 10:00,Nina,It is red.\n", "utf-8")
    shown = dropped(chat_file(tmp_path, "nina.txt"), other)
    assert shown.count("1 new message") == 2
    assert "<b><bdi>nina.txt</bdi></b>: 1 new message" in shown
    assert "<b><bdi>&lt;b&gt;boats.csv</bdi></b>: 1 new message" in shown
    alone = dropped(chat_file(tmp_path, "nina.txt"))
    assert "<bdi>nina.txt" not in alone, "the title names it"


@pytest.mark.slow
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


def test_what_runs_and_what_waits_ends_with_the_page() -> None:
    beyond = Event()
    job = until_cancelled("Getting a model", Progress("downloading MB", 1, 10))
    job.add(Job("big.zip", lambda _, cancelled: [][cancelled() or beyond.set() :]))
    stop_all_jobs(60)
    assert not job.running
    assert not beyond.is_set()


def test_reading_a_file_says_how_many_messages_it_has_read() -> None:
    job = until_cancelled("big.zip", Progress("import", 5000))
    assert "Reading · 5,000 messages" in page_side.job(job.shown())
    job.stop()
    assert job.wait(60)


def downloaded(first: int, then: int) -> JobState:
    """How a download of 1,000 MB stands that went from ``first`` to ``then`` in a second."""
    steps = (Progress("downloading MB", done, 1000) for done in (first, then))
    job = until_cancelled("Getting a model", *steps, pause=1.1)
    state = job.shown()
    job.stop()
    return state


@pytest.mark.slow
def test_the_time_left_is_right_where_most_was_done_by_an_earlier_run() -> None:
    assert downloaded(900, 910).left > 9  # 10 MB took a second: 90 MB are left


@pytest.mark.slow
def test_a_download_that_is_larger_than_announced_is_at_its_end_and_not_past_it() -> None:
    shown = page_side.job(downloaded(0, 1010))
    assert 'aria-valuenow="100"' in shown
    assert "left" not in shown

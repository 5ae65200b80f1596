"""What visitors of a public page may do, and what they cost each other; no Gradio, no browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from canned import asked
from fakes import WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import FULL_TABS, Sessions


@pytest.fixture
def public(small: ChatMemory, settings: object) -> Iterator[Sessions]:
    with small.beside(":memory:") as own:
        yield Sessions(own, [("Sample", small)], public=True)


def test_many_visitors_and_programs_do_not_cost_anybody_an_upload(
    public: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.show.page_sessions.MOST_TABS", 5)
    uploaded = public.own_corpus(public.tab("in the background")).memory
    for number in range(9):
        public.tab(f"visitor {number}")
    for _ in range(9):
        with public.visit() as tab:
            assert tab.corpus.memory.info().messages
    assert public.tab("visitor 8").corpora, "it is still there"
    assert uploaded.info().messages == 0, "it is still open"
    assert public.own_corpus(public.tab("in the background")).memory is uploaded


def test_a_call_of_a_program_leaves_no_tab(public: Sessions) -> None:
    with public.visit():
        assert public.in_use
    assert not public.in_use


def test_a_tab_whose_upload_is_being_read_keeps_nobody_waiting_when_it_is_given_up(
    public: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.show.page_sessions.MOST_TABS", 1)
    public.own_corpus(public.tab("first"))
    closes, read = Event(), Event()

    def close(_: ChatMemory) -> None:
        closes.set()
        assert read.wait(60)

    with monkeypatch.context() as patched, ThreadPoolExecutor(2) as threads:
        patched.setattr(ChatMemory, "close", close)
        second = threads.submit(public.tab, "second")
        assert closes.wait(60)
        try:
            assert threads.submit(public.tab, "second").result(30).corpora
        finally:
            read.set()
        second.result(60)


def test_strangers_see_the_sample_and_their_own_upload_only(
    public: Sessions, tmp_path: Path
) -> None:
    commands = Commands(public)
    one, two = public.tab("one"), public.tab("two")
    log = write_log(
        tmp_path / "log2", {"20260301_1000": ("NinaVale: My PIN is 4711.", "AnnaBerg: Noted.")}
    )
    file = Path(shutil.make_archive(str(tmp_path / "up"), "zip", log))
    commands.upload(one, [str(file)])
    assert one.job is not None
    assert one.job.wait(120)
    assert [c.title for c in one.corpora.values()] == ["Sample", "Your upload"]
    assert one.tuned_memory().search("4711")
    assert [c.title for c in two.corpora.values()] == ["Sample"]
    assert two.job is None
    for corpus in two.corpora.values():
        assert not corpus.memory.search("4711")
    upload = one.corpora["upload"].memory
    public.leave("one")
    with pytest.raises(Exception, match="closed"):
        upload.info()


def test_a_stranger_uploads_no_more_than_is_allowed_in_all(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "own.db", public=True, public_file_mb=1, model="extractive")
    with ChatMemory.open(":memory:", settings, embedder=WordEmbedder()) as own:
        public = Sessions(own, [("Sample", own)], public=True)
        commands, tab = Commands(public), public.tab("one")
        lines = f"03.04.26, 18:05 - Nina Vale: {'4711 ' * 6_000}\n" * 20  # 0.6 MiB
        told = []
        for n in range(2):
            file = tmp_path / f"WhatsApp Chat with {n}.txt"
            file.write_text(lines, encoding="utf-8")
            told.append(commands.upload(tab, [str(file)]))
            assert tab.job is not None
            assert tab.job.wait(120)
            assert not file.exists()
        assert told[0] is None
        assert told[1] is not None
        assert "1 MiB in all" in str(told[1]["text"])


def test_a_strangers_zip_counts_as_what_it_unpacks_to(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "own.db", public=True, public_file_mb=1, model="extractive")
    with ChatMemory.open(":memory:", settings, embedder=WordEmbedder()) as own:
        public = Sessions(own, [("Sample", own)], public=True)
        lines = "03.04.26, 18:05 - Nina Vale: My PIN is 4711.\n" * 30_000  # 1.3 MiB, packed 5 KiB
        file = tmp_path / "WhatsApp Chat with Nina.zip"
        with ZipFile(file, "w", ZIP_DEFLATED) as packed:
            packed.writestr("WhatsApp Chat with Nina.txt", lines)
        assert file.stat().st_size < 100_000
        told = Commands(public).upload(public.tab("one"), [str(file)])
        assert told is not None
        assert "1 MiB in all" in str(told["text"])
        assert public.tab("one").job is None
        assert not file.exists()


def test_what_could_not_be_imported_does_not_count_as_a_strangers_upload(
    public: Sessions, tmp_path: Path
) -> None:
    tab = public.tab("one")
    good, bad = tmp_path / "WhatsApp Chat with Nina.txt", tmp_path / "no export.bin"
    good.write_text("03.04.26, 18:05 - Nina Vale: My PIN is 4711.\n")
    size = good.stat().st_size
    for _ in range(2):
        bad.write_bytes(bytes(range(256)) * 4096)
        Commands(public).upload(tab, [str(bad)])
        assert tab.job is not None
        assert tab.job.wait(60)
        assert tab.job.shown().outcome == "failed"
    assert Commands(public).upload(tab, [str(good)]) is None
    assert tab.job.wait(60)
    assert public.own_corpus(tab).memory.info().messages == 1
    assert tab.sent == size


def test_all_strangers_together_do_not_fill_the_memory(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "own.db", public=True, public_file_mb=1, model="extractive")
    with ChatMemory.open(":memory:", settings, embedder=WordEmbedder()) as own:
        public = Sessions(own, [("Sample", own)], public=True)
        a_visitors = 1024 * 1024
        visitors = [public.tab(f"visitor {n}") for n in range(FULL_TABS + 1)]
        told = [public.refusal(tab, a_visitors) for tab in visitors]
        assert told[:-1] == [None] * FULL_TABS
        assert told[-1] is not None
        assert "other visitors" in told[-1]
        public.leave("visitor 0")
        assert public.refusal(visitors[-1], a_visitors) is None


def test_strangers_can_neither_delete_nor_choose_a_model(public: Sessions) -> None:
    commands, tab = Commands(public), public.tab("one")
    chat = tab.tuned_memory().chats()[0].id
    for word, value in (
        ("delete", str(chat)),
        ("wipe", ""),
        ("undo", ""),
        ("get", "smollm3-3b"),
        ("use", "auto"),
    ):
        told = commands.do(tab, word, value)
        assert told is not None
        assert told["do"] == "say"
    assert tab.tuned_memory().deletions() == []


def test_conversations_of_strangers_stay_apart(public: Sessions, sessions: Sessions) -> None:
    asked(public.tab("one"))
    public.remember(public.tab("one"))
    assert public.tab("two").exchanges == []
    asked(sessions.tab("one"))
    sessions.remember(sessions.tab("one"))
    assert len(sessions.tab("a reload").exchanges) == 1  # one person's: goes on after a reload


def test_tabs_do_not_pile_up(public: Sessions) -> None:
    first = public.tab("first")
    for n in range(600):
        public.tab(str(n))
    assert public.tab("first") is not first

"""Deleting on the page, by its presses: shown, confirmed, undone, wiped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event

import pytest
from fakes import ScriptedModel, WordEmbedder
from test_forgetting import CANARY, EXPORT, PLACE, found_in

from minirag_chat import ChatMemory, Settings
from minirag_chat.models.protocols import Vectors
from minirag_chat.show import page_delete, page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_job import Job
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import Exchange, Tab
from minirag_chat.show.page_views import sources
from minirag_chat.store.wiping import Wiping


@pytest.fixture
def boats(settings: Settings, tmp_path: Path) -> Iterator[ChatMemory]:
    (tmp_path / "result.json").write_text(EXPORT, encoding="utf-8")
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
    ) as memory:
        memory.add(tmp_path / "result.json")
        yield memory


def person(tab: Tab, name: str) -> str:
    return next(str(p.id) for p in tab.tuned_memory().people() if p.name == name)


def press_time(commands: Commands, tab: Tab) -> None:
    commands.do(tab, "until", "2026-03-02")
    commands.do(tab, "delshown", "")
    commands.do(tab, "delyes", "")


def press_person(commands: Commands, tab: Tab) -> None:
    commands.do(tab, "delperson", person(tab, "Olga Prizzle"))
    commands.do(tab, "delyes", "")


def press_message(commands: Commands, tab: Tab) -> None:
    commands.do(tab, "delmessage", "1")
    commands.do(tab, "delyes", "")


def press_all(commands: Commands, tab: Tab) -> None:
    commands.do(tab, "delall", "")
    commands.do(tab, "delyes", "")


def press_chat(commands: Commands, tab: Tab) -> None:
    commands.do(tab, "delete", str(tab.tuned_memory().chats()[0].id))


def wiped(tab: Tab) -> bool:
    assert tab.job is not None
    return tab.job.wait(60) and tab.job.shown().outcome == "done"


PRESSES = [press_message, press_time, press_person, press_chat, press_all]


@pytest.mark.parametrize("press", PRESSES)
def test_nothing_is_left_of_what_is_deleted_for_good(
    boats: ChatMemory, settings: Settings, press: Callable[[Commands, Tab], None]
) -> None:
    sessions = Sessions(boats)
    commands, tab, other = Commands(sessions), sessions.tab("one"), sessions.tab("two")
    for each in (tab, other):
        answer = each.tuned_memory().ask(f"Where is the {CANARY}?")
        each.exchanges = [Exchange("Where?", answer.text, answer)]
        sessions.remember(each)
    press(commands, tab)
    assert boats.search(CANARY) == []
    assert "Undo" in page_views.left(sessions, tab)["lists"]
    commands.do(tab, "undo", "")
    assert boats.search(CANARY)
    press(commands, tab)
    commands.do(tab, "wipe", "")
    assert wiped(tab)
    assert found_in(settings.db, CANARY, PLACE) == []
    assert [tab.exchanges, other.exchanges, sessions.tab("a reload").exchanges] == [[], [], []]


def test_every_tab_says_that_messages_are_being_deleted_for_good(
    boats: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = Sessions(boats)
    commands, tab, other = Commands(sessions), sessions.tab("one"), sessions.tab("two")
    rewrites, may_end, rewrite = Event(), Event(), Wiping.rewrite

    def slowly(wiping: Wiping) -> int:
        rewrites.set()
        assert may_end.wait(60)
        return rewrite(wiping)

    monkeypatch.setattr(Wiping, "rewrite", slowly)
    press_message(commands, tab)
    try:
        assert commands.do(tab, "wipe", "") == {"do": "focus"}, "the press is not waited for"
        assert rewrites.wait(60)
        for each in (tab, other):
            shown = page_views.left(sessions, each)
            assert "Deleting for good" in shown["job"]
            assert "Cancel" not in shown["job"], "it cannot be stopped"
            assert "imported or deleted" in shown["corpora"]
        told = commands.do(other, "delall", "")
        assert told is not None
        assert "wait" in str(told["text"])
    finally:
        may_end.set()
        assert wiped(tab)
    assert "4 messages" in page_views.left(sessions, other)["corpora"]


def test_a_deletion_is_shown_before_it_is_done_and_can_be_kept(boats: ChatMemory) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "delperson", person(tab, "Tom Hill"))
    shown = page_views.middle(sessions, tab)["chips"]
    assert "Tom Hill" in shown
    assert "2 messages, 1 Mar 2026 to 5 Mar 2026" in shown
    commands.do(tab, "delno", "")
    assert "2 messages, 1 Mar 2026" not in page_views.middle(sessions, tab)["chips"]
    commands.do(tab, "delyes", "")
    assert boats.info().messages == 5


def test_the_question_says_in_which_title_the_name_stays(boats: ChatMemory, tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Olga Prizzle.txt"
    export.write_text(
        "01/03/2026, 10:00 - Olga Prizzle: hi\n01/03/2026, 10:01 - Tom Hill: hello\n", "utf-8"
    )
    boats.add(export)
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    for name, told in (("Olga Prizzle", True), ("Tom Hill", False)):
        commands.do(tab, "delperson", person(tab, name))
        asked = page_views.middle(sessions, tab)["chips"]
        assert ("The name stays in the title" in asked) is told


def test_replacing_a_name_says_first_which_deletions_can_no_longer_be_undone(
    boats: ChatMemory,
) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    olga = person(tab, "Olga Prizzle")
    for deleted, told in ((0, False), (1, True)):
        if deleted:
            boats.delete(messages=[2])
        commands.do(tab, "delperson", olga)
        assert "final" not in page_views.middle(sessions, tab)["chips"], "deleting ends none"
        commands.do(tab, "someone", olga)
        commands.do(tab, "rename", "Person 7")
        asked = page_views.middle(sessions, tab)["chips"]
        assert ("This makes 1 earlier deletion final." in asked) is told
        assert boats.preview_name(int(olga), "Person 7").makes_final == deleted
    assert len(boats.deletions()) == 1


def test_an_undo_that_comes_too_late_says_so(boats: ChatMemory) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    number = str(boats.delete(messages=[1]).number)
    assert commands.do(tab, "undo", number) == {"do": "focus"}
    assert commands.do(tab, "undo", number) == {"do": "focus"}, "its button was pressed twice"
    number = str(boats.delete(messages=[1]).number)
    boats.empty_trash()
    told = commands.do(tab, "undo", number)
    assert told is not None
    assert "deleted for good" in str(told.get("text"))


def test_much_that_must_be_embedded_again_is_left_to_a_job(
    boats: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_delete, "MOST_AT_ONCE", 0)
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    press_message(commands, tab)
    assert tab.job is not None
    assert tab.job.title == "Completing the index"
    assert tab.job.wait(120)
    assert boats.index_left() == 0
    commands.do(tab, "undo", "")
    assert boats.info().messages == 5


class Gate(WordEmbedder):
    """Waits with every text, once it is closed, until it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.open = Event(), Event()
        self.open.set()

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not self.open.is_set():
            self.reached.set()
            assert self.open.wait(120)
        return super().embed(texts)


def test_a_deletion_while_the_index_is_completed_is_completed_too(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_delete, "MOST_AT_ONCE", 0)
    (tmp_path / "result.json").write_text(EXPORT, encoding="utf-8")
    gate = Gate()
    with ChatMemory.open(
        settings.db, settings, embedder=gate, chat_model=ScriptedModel()
    ) as memory:
        memory.add(tmp_path / "result.json")
        sessions = Sessions(memory)
        commands, tab = Commands(sessions), sessions.tab("one")
        gate.open.clear()
        press_message(commands, tab)
        job = tab.job
        assert job is not None
        assert gate.reached.wait(120)
        commands.do(tab, "delmessage", "2")
        commands.do(tab, "delyes", "")
        assert memory.info().messages == 3
        gate.open.set()
        assert job.wait(120)
        assert memory.index_left() == 0


def test_nothing_is_deleted_while_a_model_is_downloaded(boats: ChatMemory) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    over = Event()
    sessions.begin(tab, Job("A model", lambda *_: [][over.wait(120) :], imports=False))
    try:
        told = commands.do(tab, "delall", "")
        assert told is not None
        assert "imported, downloaded or deleted" in str(told["text"])
        assert tab.asking is None
    finally:
        over.set()


def test_the_keyboard_goes_on_where_the_pressed_button_is_gone(boats: ChatMemory) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    assert commands.do(tab, "delall", "") == {"do": "focus on", "name": "delno"}
    assert commands.do(tab, "delyes", "") == {"do": "focus on", "name": "undo"}
    assert commands.do(tab, "undo", "") == {"do": "focus"}


def test_a_name_is_replaced_in_place_of_the_messages(boats: ChatMemory, settings: Settings) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "someone", person(tab, "Olga Prizzle"))
    commands.do(tab, "rename", "Person 7")
    assert "\u2192 Person 7</bdi>?" in page_views.middle(sessions, tab)["chips"]
    commands.do(tab, "delyes", "")
    assert boats.info().messages == 5
    commands.do(tab, "wipe", "")
    assert wiped(tab)
    assert found_in(settings.db, "prizzle") == []
    assert "Person 7" in {p.name for p in boats.people()}


def test_the_bins_are_there_and_a_strange_press_does_nothing(boats: ChatMemory) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    lists = page_views.left(sessions, tab)["lists"]
    assert lists.count('data-do="delperson"') == 3
    assert 'data-do="delall"' in lists
    commands.do(tab, "open", "1:5")
    assert sources(tab).count('data-do="delmessage"') == 5
    for word, value in [("delmessage", "99"), ("delmessage", "x"), ("delperson", "77"), ("rename", "x"),
                        ("delshown", ""), ("delyes", "")]:  # fmt: skip
        commands.do(tab, word, value)
    assert boats.info().messages == 5
    assert boats.deletions() == []


def test_a_public_page_deletes_nothing(boats: ChatMemory) -> None:
    with boats.beside(":memory:") as own:
        sessions = Sessions(own, [("Sample", boats)], public=True)
        commands, tab = Commands(sessions), sessions.tab("one")
        for word, value in [
            ("delmessage", "1"),
            ("delperson", "1"),
            ("delall", ""),
            ("delyes", ""),
            ("wipe", ""),
        ]:
            told = commands.do(tab, word, value)
            assert told is not None
            assert told["do"] == "say"
        shown = page_views.left(sessions, tab)["lists"] + page_views.middle(sessions, tab)["chips"]
        assert 'data-do="del' not in shown
    assert boats.info().messages == 5


def test_undo_that_is_pressed_twice_brings_back_one_deletion(boats: ChatMemory) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    press_message(commands, tab)
    commands.do(tab, "delmessage", "2")
    commands.do(tab, "delyes", "")
    latest = boats.deletions()[0].number
    assert f'data-do="undo" data-value="{latest}"' in page_views.left(sessions, tab)["lists"]
    for _ in range(2):
        commands.do(tab, "undo", str(latest))
    assert boats.info().messages == 4
    assert len(boats.deletions()) == 1


def test_only_the_deletion_that_was_seen_is_done(boats: ChatMemory) -> None:
    sessions = Sessions(boats)
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "delmessage", "1")
    seen = str(tab.asking.number)
    assert f'data-do="delyes" data-value="{seen}"' in page_views.middle(sessions, tab)["chips"]
    commands.do(tab, "delall", "")  # its question comes just when the first one is confirmed
    told = commands.do(tab, "delyes", seen)
    assert told is not None
    assert "read it again" in str(told["text"])
    assert boats.info().messages == 5
    assert "everything" in page_views.middle(sessions, tab)["chips"].casefold()
    commands.do(tab, "delyes", str(tab.asking.number))
    assert boats.info().messages == 0

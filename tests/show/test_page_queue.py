"""Questions asked while an answer is written, and what a change of messages leaves: no browser."""

from __future__ import annotations

from pathlib import Path
from threading import Event

from places import SMALL, write_log

from minirag_chat import ChatMemory
from minirag_chat.show import page_views
from minirag_chat.show.page_commands import MOST_WAITING, Commands
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import SHOWN, Exchange, Tab


def answering(sessions: Sessions) -> Tab:
    tab = sessions.tab("one")
    tab.running = Event()
    tab.exchanges = [Exchange("Who is slow?", live=True)]
    return tab


def test_a_question_waits_while_an_answer_is_written_and_can_be_cancelled(
    small: ChatMemory,
) -> None:
    sessions = Sessions(small)
    commands, tab = Commands(sessions), answering(sessions)
    assert commands.prepare(tab, "ask", " Who parked the <van>? ") is None
    assert commands.prepare(tab, "ask", "Who is the tuner?") is None
    assert (tab.waiting, tab.pending) == (["Who parked the <van>?", "Who is the tuner?"], None)
    shown = page_views.middle(sessions, tab)["chips"]
    assert "parked the &lt;van&gt;?" in shown
    assert 'data-do="unask" data-value="Who parked the &lt;van&gt;?"' in shown
    for _ in range(2):  # a second press, before the first one is seen to have worked
        commands.do(tab, "unask", "Who parked the <van>?")
    assert tab.waiting == ["Who is the tuner?"]
    for number in range(MOST_WAITING):
        told = commands.prepare(tab, "ask", f"Who is number {number}?")
    assert told is not None
    assert "waiting already" in str(told["text"])
    assert len(tab.waiting) == MOST_WAITING
    commands.do(tab, "new", "")
    assert tab.waiting == []


def test_a_question_that_is_pressed_again_before_it_is_answered_is_asked_once(
    small: ChatMemory,
) -> None:
    sessions = Sessions(small)
    commands, tab = Commands(sessions), answering(sessions)
    for question in ("Who is slow?", "Who is the tuner?", "Who is the tuner? "):
        assert commands.prepare(tab, "ask", question) is None
    assert tab.waiting == ["Who is the tuner?"]
    commands.do(tab, "new", "")
    assert commands.prepare(tab, "ask", "Who is slow?") is None
    assert tab.waiting == ["Who is slow?"], "the earlier conversation does not count"


def test_an_answer_that_other_messages_interrupted_is_not_being_written_for_ever(
    small: ChatMemory,
) -> None:
    with small.beside(":memory:") as own:
        sessions = Sessions(own, [("Sample", small)])
        commands, tab = Commands(sessions), answering(sessions)
        before = tab.corpus.key
        commands.do(tab, "corpus", "own")
        commands.do(tab, "corpus", before)
        assert [(told.question, told.live) for told in tab.exchanges] == [("Who is slow?", False)]
        assert "interrupted" in page_views.middle(sessions, tab)["log"]


def test_nothing_is_deleted_under_an_answer(small: ChatMemory) -> None:
    sessions = Sessions(small)
    tab = answering(sessions)
    told = Commands(sessions).do(tab, "delete", str(small.chats()[0].id))
    assert told is not None
    assert "stop it with Esc" in str(told["text"])
    assert small.info().messages == 9


def test_other_messages_begin_with_an_empty_conversation_also_after_an_upload_and_a_reload(
    small: ChatMemory, tmp_path: Path
) -> None:
    with small.beside(":memory:") as own:
        sessions = Sessions(own, [("Sample", small)])
        commands, tab = Commands(sessions), sessions.tab("one")
        assert tab.corpus.title == "Sample"
        tab.exchanges = [Exchange("Who is the tuner?", "Walter")]
        tab.picked, tab.waiting = 0, ["And who pays?"]
        sessions.remember(tab)
        assert sessions.tab("two").corpus.title == "Sample", "whose conversation it is"
        assert sessions.tab("two").exchanges
        log = write_log(tmp_path / "own", SMALL) / "20260105_1000.txt"
        assert commands.upload(tab, [str(log)]) is None
        assert (tab.corpus.title, tab.exchanges, tab.waiting) == ("Your messages", [], [])
        assert tab.picked is None
        assert tab.job is not None
        assert tab.job.wait(60)
        assert sessions.tab("three").exchanges == []


def test_earlier_questions_are_shown_where_they_are_asked_for_until_the_next_question(
    small: ChatMemory,
) -> None:
    sessions = Sessions(small)
    commands, tab = Commands(sessions), sessions.tab("one")
    tab.exchanges = [Exchange(f"Question {n}?", "Walter") for n in range(SHOWN + 7)]
    assert "Question 6?" not in page_views.middle(sessions, tab)["log"]
    assert commands.do(tab, "earlier", "") == {"do": "earlier", "id": 7}  # stay with that one
    assert "Question 0?" in page_views.middle(sessions, tab)["log"]
    assert commands.do(tab, "earlier", "") == {"do": "earlier", "id": 0}
    assert tab.earlier == 7
    commands.do(tab, "new", "")
    assert tab.earlier == 0

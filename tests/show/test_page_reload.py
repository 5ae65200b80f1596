"""A reload, a second tab, and what other programs delete meanwhile; no Gradio, no browser."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_log

from minirag_chat import ChatMemory
from minirag_chat.show import page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import Exchange, Tab, TabFilters


def opened(sessions: Sessions, session: str, key: str) -> Tab:
    """A tab after the page was loaded: ``key`` is that of the browser's tab."""
    sessions.resume(session, key)
    return sessions.tab(session)


def asked(sessions: Sessions, tab: Tab, question: str) -> Exchange:
    answer = tab.tuned_memory().ask(question)
    tab.exchanges.append(Exchange(question, answer.text, answer))
    tab.picked = len(tab.exchanges) - 1
    sessions.remember(tab)
    return tab.exchanges[-1]


def beside(memory: ChatMemory) -> ChatMemory:
    """The same database in another program."""
    return ChatMemory.open(
        memory.settings.db,
        memory.settings,
        embedder=WordEmbedder(),
        chat_model=ScriptedModel(),
    )


def test_each_tab_continues_its_own_conversation_after_a_reload(sessions: Sessions) -> None:
    one, two = opened(sessions, "1", "a"), opened(sessions, "2", "b")
    asked(sessions, two, "Who is the piano tuner?")
    one.exchanges, one.filters = [], TabFilters(since="2026-01-02")
    asked(sessions, one, "When is the concert?")
    sessions.leave("2")
    again = opened(sessions, "3", "b")
    assert [exchange.question for exchange in again.exchanges] == ["Who is the piano tuner?"]
    assert (again.picked, again.filters) == (0, TabFilters())
    first = opened(sessions, "4", "a")  # before the browser says that the old page is gone
    assert [exchange.question for exchange in first.exchanges] == ["When is the concert?"]
    assert first.filters == TabFilters(since="2026-01-02")
    assert len(opened(sessions, "5", "new").exchanges) == 1, "a new tab has the latest one"


def test_a_reload_shows_the_sources_of_the_last_answer(sessions: Sessions) -> None:
    tab = opened(sessions, "1", "a")
    first = asked(sessions, tab, "Who is the piano tuner?")
    assert first.answer is not None
    tab.exchanges.append(Exchange("When?", problem="No calendar has a 31 June."))
    tab.picked = 1
    sessions.remember(tab)
    hints = page_views.right(tab)
    for part in ("sources", "why", "how"):
        assert "Press Why below an answer to see this." in hints[part]
    for again in (opened(sessions, "2", "a"), opened(sessions, "3", "another tab")):
        assert again.picked == 0
        assert "mc-source" in page_views.right(again)["sources"]
    tab = opened(sessions, "4", "a")
    tab.exchanges = [Exchange("When?", problem="No calendar has a 31 June.")]
    again = opened(sessions, "5", "a")
    assert again.picked == 0
    assert "Ask a question to see this." in page_views.right(again)["sources"]


def test_questions_that_wait_still_wait_after_a_reload(sessions: Sessions) -> None:
    tab = opened(sessions, "1", "a")
    stop = tab.running = Event()
    tab.exchanges = [Exchange("Who is the tuner?", live=True)]
    tab.waiting = ["And who pays?", "When?"]
    again = opened(sessions, "2", "a")
    assert stop.is_set()
    assert again.waiting == ["And who pays?", "When?"]
    assert tab.waiting == []
    assert [(one.question, one.live) for one in again.exchanges] == [("Who is the tuner?", False)]


@pytest.mark.parametrize("left_first", [False, True])
def test_a_question_whose_turn_had_not_come_is_asked_after_a_reload(
    sessions: Sessions, left_first: bool
) -> None:
    tab = opened(sessions, "1", "a")
    tab.pending, tab.running = "Who is the tuner?", Event()
    tab.exchanges = [Exchange("Who is the tuner?", live=True)]
    if left_first:
        sessions.leave("1")
    again = opened(sessions, "2", "a")
    assert (again.exchanges, again.picked) == ([], None)
    assert again.waiting == ["Who is the tuner?"]


def test_strangers_cannot_continue_the_tab_of_another(small: ChatMemory) -> None:
    with small.beside(":memory:") as own:
        public = Sessions(own, [("Sample", small)], public=True)
        tab = opened(public, "1", "a")
        tab.exchanges = [Exchange("Who is the tuner?", "Walter")]
        assert opened(public, "2", "a").exchanges == []


def test_an_answer_goes_once_its_messages_are_gone_for_good(
    sessions: Sessions, tmp_path: Path
) -> None:
    tab = opened(sessions, "1", "a")
    asked(sessions, tab, "Who is the piano tuner?")
    tab.exchanges.append(Exchange("What is this?", problem="It was refused."))
    sessions.remember(tab)
    with beside(sessions.own) as other:
        other.delete(everything=True)
        assert not sessions.forget_gone(), "it can be restored"
        assert len(tab.exchanges) == 2
        other.add(write_log(tmp_path / "more", {"20300101_1000": ("Ann: Later",)}))
    assert sessions.forget_gone()
    assert [exchange.question for exchange in tab.exchanges] == ["What is this?"]
    assert [one.question for one in sessions.tab("new").exchanges] == ["What is this?"]


def test_answers_go_with_a_name_that_was_replaced_for_good(sessions: Sessions) -> None:
    tab = opened(sessions, "1", "a")
    told = asked(sessions, tab, "Who is the piano tuner?")
    sessions.forget_gone()
    name = told.shown[0].sender
    with beside(sessions.own) as other:
        other.replace_name(name, "Somebody")
        assert not sessions.forget_gone(), "it can be undone"
        other.restore()
        assert not sessions.forget_gone()
        assert tab.exchanges == [told]
        other.replace_name(name, "Somebody", now=True)
    assert sessions.forget_gone()
    assert tab.exchanges == []


def test_an_answer_goes_although_the_messages_were_in_use_at_first(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = opened(sessions, "1", "a")
    asked(sessions, tab, "Who is the piano tuner?")
    sessions.forget_gone()
    sessions.own.delete(everything=True, now=True)
    with monkeypatch.context() as busy:
        busy.setattr(type(sessions.own), "idle", lambda *_: False)
        assert not sessions.forget_gone()
    assert sessions.forget_gone()
    assert tab.exchanges == []


def test_a_text_that_was_interrupted_and_questions_that_quote_go_too(sessions: Sessions) -> None:
    tab = opened(sessions, "1", "a")
    found = sessions.own.search("tuner")[0].message
    other = next(m for m in sessions.own.messages() if m.id != found.id)
    tab.exchanges = [
        Exchange("Who is it?", "It is Walter", context_messages=(found,)),
        Exchange(
            "And who else?", "Nobody", context_messages=(other,), follow_ups=("Who tunes it?",)
        ),
    ]
    sessions.forget_gone()
    again = opened(sessions, "2", "a")
    sessions.own.delete(messages=[found.id], now=True)
    assert sessions.forget_gone()
    assert [(one.question, one.follow_ups) for one in again.exchanges] == [("And who else?", ())]


def test_an_answer_that_is_being_written_goes_when_it_is_done(sessions: Sessions) -> None:
    tab = opened(sessions, "1", "a")
    asked(sessions, tab, "Who is the piano tuner?")
    tab.running = Event()
    tab.exchanges.append(Exchange("And who pays?", live=True))
    with beside(sessions.own) as other:
        other.delete(everything=True, now=True)
    sessions.forget_gone()
    assert len(tab.exchanges) == 2, "its place in the list is still needed"
    tab.running = None
    sessions.forget_gone()
    assert [exchange.question for exchange in tab.exchanges] == ["And who pays?"]


def test_the_samples_answers_stay(small: ChatMemory) -> None:
    with small.beside(":memory:") as own:
        sessions = Sessions(own, [("Sample", small)])
        tab = opened(sessions, "1", "a")
        assert tab.corpus.title == "Sample"
        asked(sessions, tab, "Who is the piano tuner?")
        assert not sessions.forget_gone()
        assert len(tab.exchanges) == 1


def test_the_page_follows_when_another_program_joins_two_people(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("1")
    before = page_views.listed(tab)
    ann, bob = sessions.own.people()[:2]
    tab.filters = TabFilters(people=(ann.id, bob.id), since="2026-01-02")
    with beside(sessions.own) as other:
        other.merge_people(bob.name, ann.name)
    assert page_views.listed(tab) != before
    told = commands.prepare(tab, "ask", "Who is the tuner?")
    assert told is not None
    assert "no longer limited" in str(told["text"])
    assert tab.pending is None, "the question stays in its box"
    assert tab.filters.since == "2026-01-02"
    assert len(tab.filters.people) == 1
    assert commands.prepare(tab, "ask", "Who is the tuner?") is None
    assert tab.pending == "Who is the tuner?"


@pytest.mark.parametrize("word", ["delmessage", "delperson", "delete", "open"])
def test_what_another_tab_deleted_is_said_to_be_gone(sessions: Sessions, word: str) -> None:
    commands, tab = Commands(sessions), sessions.tab("1")
    message = sessions.own.search("tuner")[0].message
    value = {"delmessage": message.id, "open": message.id, "delete": message.chat_id}
    sessions.own.delete(everything=True)
    told = commands.do(tab, word, str(value.get(word, message.sender_id)))
    assert told is not None
    said = str(told["text"])
    assert "`" not in said, "no advice for the command line"
    assert "no such message is left" in said or said == "This message was deleted."

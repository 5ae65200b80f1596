"""Earlier conversations: kept, opened again, forgotten, and gone with their messages; no Gradio, no browser."""

from __future__ import annotations

import re

import pytest
from canned import asked

from minirag_chat import ChatMemory
from minirag_chat.show import page_past, page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import Exchange, Tab


def listed(sessions: Sessions, tab: Tab) -> list[tuple[str, str]]:
    """The numbers and titles in the menu of the page's head."""
    head = page_views.head(sessions, tab)
    return re.findall(r'data-do="resume" data-value="(\d+)".*?<span>(.*?)</span>', head)


def begin(sessions: Sessions, tab: Tab, *questions: str) -> None:
    """A new conversation, in which questions were asked."""
    Commands(sessions).do(tab, "new", "")
    tab.exchanges.extend(Exchange(question, "Yes.", live=True) for question in questions)


def test_a_new_conversation_keeps_the_one_before_it(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    assert "Earlier conversations" not in page_views.head(sessions, tab), "there is none yet"
    before = asked(tab)
    begin(sessions, tab, "Who has the van key?", "Since when?")
    commands.do(tab, "new", "")
    commands.do(tab, "new", "")  # nothing was asked: nothing to keep
    assert tab.exchanges == []
    (van, title), (piano, _) = listed(sessions, tab)
    assert title == "Who has the van key?"
    commands.do(tab, "resume", piano)
    assert tab.exchanges[0].answer == before.answer
    assert "In the basement." in page_views.middle(sessions, tab)["log"]
    assert [number for number, _ in listed(sessions, tab)] == [van]
    commands.do(tab, "resume", van)
    assert [exchange.question for exchange in tab.exchanges] == [
        "Who has the van key?",
        "Since when?",
    ]
    assert not any(exchange.live for exchange in tab.exchanges), "nobody writes it any more"
    assert len(listed(sessions, tab)) == 1, "the one before it is kept"


def test_another_tab_and_a_reload_have_them_too_and_a_copy_is_kept_once(sessions: Sessions) -> None:
    tab = sessions.tab("one")
    begin(sessions, tab, "Who has the van key?")
    sessions.remember(tab)
    other = sessions.tab("two")  # continues the latest conversation
    Commands(sessions).do(tab, "new", "")
    Commands(sessions).do(other, "new", "")
    ((number, _),) = listed(sessions, other)
    sessions.leave("one")
    Commands(sessions).do(other, "forget", number)
    assert listed(sessions, sessions.tab("three")) == []


@pytest.mark.parametrize("word", ["resume", "forget"])
@pytest.mark.parametrize("value", ["7", "", "x", "\u0663", "9" * 16])
def test_one_that_is_gone_is_said_to_be(sessions: Sessions, word: str, value: str) -> None:
    tab = sessions.tab("one")
    asked(tab)
    told = Commands(sessions).do(tab, word, value)
    assert told is not None
    assert "no longer there" in str(told["text"])
    assert len(tab.exchanges) == 1


def test_they_go_with_their_messages(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    exchange = asked(tab)
    assert exchange.answer is not None
    message = (exchange.answer.sources or exchange.answer.closest)[0].message
    begin(sessions, tab, "Nothing that quotes")
    commands.do(tab, "new", "")
    sessions.forget_gone()
    commands.do(tab, "delete", str(message.chat_id))
    assert len(listed(sessions, tab)) == 2, "it can be undone"
    commands.do(tab, "wipe", "")
    assert tab.job is not None
    assert tab.job.wait(60)
    sessions.forget_gone()
    assert [title for _, title in listed(sessions, tab)] == ["Nothing that quotes"]


def test_each_corpus_has_its_own(small: ChatMemory, piano: ChatMemory) -> None:
    sessions = Sessions(small, [("Sample", piano)])
    tab = sessions.tab("one")
    begin(sessions, tab, "Who is the piano tuner?")
    Commands(sessions).do(tab, "new", "")
    Commands(sessions).do(tab, "corpus", "sample0")
    assert listed(sessions, tab) == []
    begin(sessions, tab, "When is the concert?")
    Commands(sessions).do(tab, "new", "")
    assert [title for _, title in listed(sessions, tab)] == ["When is the concert?"]


def test_strangers_do_not_see_each_others(small: ChatMemory) -> None:
    sessions = Sessions(small, [("Sample", small)], public=True)
    one, two = sessions.tab("one"), sessions.tab("two")
    begin(sessions, one, "Who is the piano tuner?")
    Commands(sessions).do(one, "new", "")
    assert len(listed(sessions, one)) == 1
    assert listed(sessions, two) == []


def test_the_oldest_are_dropped_and_a_title_is_only_text(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_past, "MOST_KEPT", 2)
    tab = sessions.tab("one")
    for question in ("first", "second", '"><script>alert(1)</script>' + "x" * 500):
        begin(sessions, tab, question)
    Commands(sessions).do(tab, "new", "")
    titles = [title for _, title in listed(sessions, tab)]
    assert titles[1] == "second"
    assert "<script" not in page_views.head(sessions, tab)
    assert len(titles[0]) < 120


def test_one_that_is_resumed_while_messages_are_wiped_goes_too(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken up between the look at the earlier ones and the look at the tabs."""
    commands, tab = Commands(sessions), sessions.tab("one")
    exchange = asked(tab)
    assert exchange.answer is not None
    message = (exchange.answer.sources or exchange.answer.closest)[0].message
    commands.do(tab, "new", "")
    sessions.forget_gone()
    commands.do(tab, "delete", str(message.chat_id))
    ((number, _),) = listed(sessions, tab)
    looked = page_past.PastConversations.filter

    def resumed_before(self: page_past.PastConversations, corpus: str, some: object) -> None:
        commands.do(tab, "resume", number)
        looked(self, corpus, some)  # type: ignore[arg-type]  # what forget_gone gives

    monkeypatch.setattr(page_past.PastConversations, "filter", resumed_before)
    commands.do(tab, "wipe", "")
    assert tab.job is not None
    assert tab.job.wait(60)
    sessions.forget_gone()
    assert tab.exchanges == []
    assert listed(sessions, tab) == []

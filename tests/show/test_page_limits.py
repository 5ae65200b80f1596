"""What a question was limited to stands under it: in the conversation, after a reload, in what is exported."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from browsing import free_port
from canned import answered, asked
from page_script import PageScript

from minirag_chat import ChatMemory
from minirag_chat.show import page_views
from minirag_chat.show.export import answers_markdown
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_limits import limits
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import Tab, TabFilters

QUESTION = "Who is the piano tuner?"


def limited(sessions: Sessions, tab: Tab) -> str:
    """Ask only a person and a day; returns the name."""
    someone = tab.tuned_memory().people()[0]
    filters = TabFilters(people=(someone.id,), since="2026-01-06")
    said = limits(filters, tab.corpus.memory)
    asked(tab)
    tab.exchanges[-1] = replace(tab.exchanges[-1], filters=filters, limits=said)
    sessions.remember(tab)
    return someone.shown_name


def test_the_same_question_twice_says_what_each_was_asked_of(sessions: Sessions) -> None:
    tab = sessions.tab("one")
    asked(tab)
    name = limited(sessions, tab)
    for shown in (tab, sessions.tab("a reload")):
        log = page_views.middle(sessions, shown)["log"]
        first, second = log.split("<section")[1:]
        assert "Only" not in first
        assert f"Only <bdi>{name}</bdi> · <bdi>from 2026-01-06</bdi>" in second


def test_a_time_is_said_in_one_way_and_one_that_is_reversed_at_once(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "since", "2026-01-06")
    commands.do(tab, "until", "2026-02-03")
    assert limits(tab.filters, tab.corpus.memory) == ("from 2026-01-06 to 2026-02-03",)
    chips = page_views.middle(sessions, tab)["chips"]
    assert "from 2026-01-06 ✕" in chips
    assert "to 2026-02-03 ✕" in chips
    refused = "This ends before it begins: change one of the two."
    assert refused not in page_views.left(sessions, tab)["lists"]
    commands.do(tab, "until", "2026-01-06")
    assert refused not in page_views.left(sessions, tab)["lists"], "one day"
    commands.do(tab, "until", "2026-01-05")
    fields = page_views.left(sessions, tab)["lists"].partition('<div class="mc-days">')[2]
    assert refused in fields.partition("</div>")[0]
    commands.do(tab, "since", "")
    assert refused not in page_views.left(sessions, tab)["lists"]


def test_an_export_says_it_too(sessions: Sessions) -> None:
    commands, tab = Commands(sessions), sessions.tab("one")
    asked(tab)
    name = limited(sessions, tab)
    line = f"*Only {name} · from 2026\\-01\\-06*"
    for word in ("save", "saveone"):
        told = commands.do(tab, word, "md")
        assert told is not None
        head, said = str(told["text"]).split(line)
        assert head.rstrip().endswith("## Who is the piano tuner?")
        assert "Only" not in head + said
    marked = answers_markdown([answered("Who?")], limits=[("<b>*Al*</b>",)])
    assert "*Only \\<b\\>\\*Al\\*\\</b\\>*" in marked


def test_a_name_that_was_deleted_for_good_does_not_stay_under_a_question(
    sessions: Sessions,
) -> None:
    tab = sessions.tab("one")
    name = limited(sessions, tab)
    tab.exchanges[-1] = replace(tab.exchanges[-1], answer=None, text="")
    sessions.remember(tab)
    sessions.forget_gone()
    sessions.own.delete(people=[name])
    sessions.own.empty_trash()
    assert sessions.forget_gone()
    for shown in (tab, sessions.tab("a reload")):
        log = page_views.middle(sessions, shown)["log"]
        assert name not in log
        assert "a deleted person" in log


@pytest.mark.process
def test_the_page_notes_the_filters_that_a_question_is_asked_with(
    piano: ChatMemory, page_of_piano: Any
) -> None:
    chat = piano.chats()[0]
    _, address, _ = page_of_piano.launch(
        server_port=free_port(), prevent_thread_lock=True, quiet=True, ssr_mode=False
    )
    with PageScript(address, "one") as script:
        script.press("chat", f"{chat.id}:1")
        assert f"Only <bdi>{chat.title}</bdi>" in script.ask(QUESTION)

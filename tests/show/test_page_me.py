"""Who asks, on the page: asked once over the question box, changed under the people."""

from __future__ import annotations

from minirag_chat import ChatMemory
from minirag_chat.show import page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import Sessions


def test_the_page_asks_who_you_are_once_and_shows_it_under_the_people(small: ChatMemory) -> None:
    sessions = Sessions(small)
    commands, tab = Commands(sessions), sessions.tab("one")
    asked = page_views.middle(sessions, tab)["chips"]
    assert "Which of these is you?" in asked
    tom = next(p for p in small.people() if p.name == "TomHill")
    assert f'data-do="me" data-value="{tom.id}"' in asked
    assert commands.do(tab, "me", str(tom.id)) is None
    assert "Which of these" not in page_views.middle(sessions, tab)["chips"]
    assert "You are <bdi>Tom Hill</bdi>" in page_views.left(sessions, tab)["lists"]
    commands.do(tab, "whoami", "")
    assert "Which of these is you?" in page_views.middle(sessions, tab)["chips"]
    commands.do(tab, "keepme", "")
    assert "Which of these" not in page_views.middle(sessions, tab)["chips"], "left as it is"
    assert small.me is not None
    commands.do(tab, "whoami", "")
    commands.do(tab, "nobody", "")
    assert "Which of these" not in page_views.middle(sessions, tab)["chips"], "skipped, and kept so"
    assert small.me is None


def test_nobody_is_asked_over_a_sample_or_an_empty_page(
    small: ChatMemory, memory: ChatMemory
) -> None:
    with small.beside(":memory:") as own:
        sessions = Sessions(own, [("Sample", small)])
        tab = sessions.tab("one")
        assert "is you" not in page_views.middle(sessions, tab)["chips"]
        told = Commands(sessions).do(tab, "me", "1")
        assert told is not None
        assert "sample" in str(told["text"])
        Commands(sessions).do(tab, "corpus", "own")
        assert "is you" not in page_views.middle(sessions, tab)["chips"], "nobody wrote yet"


def test_a_person_that_is_not_there_is_told(small: ChatMemory) -> None:
    sessions = Sessions(small)
    for value in ("", "x", "9999", "\u0663"):
        told = Commands(sessions).do(sessions.tab("one"), "me", value)
        assert told is not None
        assert told["do"] == "say"

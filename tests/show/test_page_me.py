"""Who asks, on the page: asked once over the question box, changed under the people."""

from __future__ import annotations

from pathlib import Path

from canned import asked

from minirag_chat import ChatMemory
from minirag_chat.show import page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import Exchange
from minirag_chat.ui_text import CALLED_SO, WHO_IS_I, on_the_page


def test_the_page_asks_who_you_are_once_and_shows_it_under_the_people(small: ChatMemory) -> None:
    sessions = Sessions(small)
    commands, tab = Commands(sessions), sessions.tab("one")
    box = page_views.middle(sessions, tab)["chips"]
    assert "Which of these is you?" in box
    tom = next(p for p in small.people() if p.name == "TomHill")
    assert f'data-do="me" data-value="{tom.id}"' in box
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


def test_a_note_on_the_page_says_where_on_the_page_who_asks_is_said(small: ChatMemory) -> None:
    sessions = Sessions(small)
    commands, tab = Commands(sessions), sessions.tab("one")
    assert small.ask("Where did I park the van?").note == WHO_IS_I, "what others show"
    asked(tab, "Where did I park the van?")
    log = page_views.middle(sessions, tab)["log"]
    saved = commands.do(tab, "save", "md")
    assert saved is not None
    for shown in (log, str(saved["text"]).replace("\\", "")):
        assert "say it once, under “Which of these is you?”, or under People." in shown
        assert "`" not in shown
        assert "set_me" not in shown


def test_a_note_over_a_sample_asks_for_nothing_that_cannot_be_done_there(
    small: ChatMemory, memory: ChatMemory
) -> None:
    answers = [
        small.ask(text)
        for text in ("Where did I park the van?", "How many messages did Zelda send?")
    ]
    with small.beside(":memory:") as own:
        over_sample = Sessions(own, [("Sample", small)]).tab("one")
        over_own = Sessions(small).tab("one")
        notes = []
        for answer in answers:
            exchange = Exchange(answer.question, answer=answer)
            assert over_own.noted(exchange) is exchange
            noted = over_sample.noted(exchange).answer
            assert noted is not None
            notes.append(on_the_page(noted.note))
    assert notes[0] == "The question says “I” or “my”, and none of these messages are yours."
    assert answers[1].note.endswith(CALLED_SO)
    assert notes[1]
    assert "pencil" not in notes[1]


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


def test_a_name_that_is_only_what_an_export_calls_its_owner_is_asked_about(
    memory: ChatMemory, tmp_path: Path
) -> None:
    chat = tmp_path / "Luka.txt"
    chat.write_text(
        "Oct 07, 2025  3:50:00 PM\nMe\ndid you eat\n\nOct 07, 2025  3:58:00 PM\nLuka\nye\n"
    )
    memory.add(chat)
    sessions = Sessions(memory)
    commands, tab = Commands(sessions), sessions.tab("one")
    assert "Which of these" not in page_views.middle(sessions, tab)["chips"], "Luka writes to Me"
    assert "You are <bdi>Me</bdi>" in page_views.left(sessions, tab)["lists"]
    chat = tmp_path / "WhatsApp Chat with Boats.txt"
    chat.write_text("01/09/2025, 19:00 - Dora: oars\n02/09/2025, 19:00 - Huw: kites\n")
    memory.add(chat)
    lists, box = page_views.left(sessions, tab)["lists"], page_views.middle(sessions, tab)["chips"]
    assert "You are <bdi>Me" not in lists
    assert "you are only called \u201cMe\u201d: your name is not set" in lists
    assert "In iMessage you are only called \u201cMe\u201d: that is joined" in box
    dora = next(p for p in memory.people() if p.name == "Dora")
    told = commands.do(tab, "me", str(dora.id))
    assert told is not None
    assert "\u201cMe\u201d in your exports and Dora are one person." in str(told["text"])
    assert "You are <bdi>Dora</bdi>" in page_views.left(sessions, tab)["lists"]
    assert "Which of these" not in page_views.middle(sessions, tab)["chips"]

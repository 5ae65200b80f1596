"""A greeting or thanks is no question: it is answered at once, with what can be asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes import ScriptedModel
from three_chats import memory_of, opened
from typer.testing import CliRunner

from minirag_chat.cli import app
from minirag_chat.question import is_small_talk
from minirag_chat.show import page_log
from minirag_chat.show.page_tabs import Exchange


@pytest.mark.parametrize(
    "text",
    ["hi", "Hello!", "Hi! What can you do?", "thanks \U0001f64f", "Okay, thanks!", "Who are you?",
     "Hallo!", "\u4f60\u597d", "Qui es-tu ?", "good morning!!!", "ok thanks", "cheers mate", "Ok cheers!", "hi there who are you",
     "remind me to pay Will", "please translate la boda into English", "send tom a message", "set an alarm for 7",
     "can you write Ann a short reply?", "delete my chat with Wiremu", "please rename the chess group",
     "Lovely, thank you.", "Many thanks, my dear.", "Goodbye for now, my dear.", "Thank you, that will be all.", "Yes please",
     "You've been most helpful", "hello dear how are you today", "Cheerio"],
)  # fmt: skip
def test_small_talk_is_known_in_any_spelling(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    ["Hi, when is the wedding?", "Who said hello?", "What do you know about Tom?", "Nice", "Help me move the sofa",
     "Thanks to whom did we get the cabin?", "?!", "", "hi " * 5000,
     "ok thanks, who is coming?", "dear", "lovely day", "good friday", "who are you thanking", "okay dress",
     "remind me when the wedding is", "who sent Tom a message?", "send me the list of guests", "did Ann write a letter?",
     "write me what Ann said", "write a text summary of november",
     "write a message count for each person", "remind me to whom I owe money", "Translate what Jonas said",
     "Deleted messages from Ann?", "remove the stain how?", "which chats did Ann delete"],
)  # fmt: skip
def test_what_asks_about_messages_is_none(text: str) -> None:
    assert not is_small_talk(text)


def test_it_is_answered_with_questions_that_the_messages_suggest(tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Kim.txt"
    export.write_text(
        "03/05/2024, 10:00 - Kim: How much does the old boathouse cost?\n"
        "03/05/2024, 10:02 - Lou: 450 euros a month\n",
        encoding="utf-8",
    )
    model = ScriptedModel()
    with memory_of(tmp_path, "Lou", export, model=model) as memory:
        answer = memory.ask("Hello!")
        assert (answer.abstained, answer.reason) == (True, "no_question")
        assert "questions about your messages" in answer.text
        assert "\u201cHow much does the old boathouse cost?\u201d" in answer.text
        assert not model.asked, "no model has to read anything for it"
        shown = page_log.log([Exchange("Hello!", text="", answer=answer)], 0)
        assert "questions about your messages" in shown
        assert "Closest" not in shown


def test_thanks_between_two_questions_do_not_end_the_conversation(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.ask("How many messages did Ollie write in 2024?")
        memory.ask("thanks!")
        assert "1 message" in memory.ask("And in 2025?").text


def test_the_command_line_shows_neither_messages_nor_a_probability(tmp_path: Path) -> None:
    with opened(tmp_path):
        pass
    asked = ["--db", str(tmp_path / "chats.db"), "ask", "hello", "--model", "extractive"]
    said = CliRunner().invoke(app, asked, env={"COLUMNS": "200"}).stdout
    assert "questions about your messages" in said
    assert "closest" not in said.lower()
    assert "probability" not in said
    record = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert record["reason"] == "no_question"


@pytest.mark.parametrize(
    "text", ["help", "What can I ask?", "Was kann ich fragen?", "Hi, what can you do?"]
)
def test_who_asks_what_can_be_asked_is_told_each_kind_with_an_example(
    tmp_path: Path, text: str
) -> None:
    with opened(tmp_path) as memory:
        memory.set_me("Ollie")
        answer = memory.ask(text)
        head, *lines = answer.text.split("\n")
    assert answer.reason == "no_question"
    assert "questions about your messages" in head
    assert 6 <= len(lines) <= 8
    kinds = [line.removeprefix("- ").split(":")[0] for line in lines]
    for kind in ("Who said what", "Plans", "Lists", "Counts", "Overviews", "Silence"):
        assert kind in kinds
    assert any(kind.startswith("Follow-ups") for kind in kinds)
    assert all("\u201c" in line and len(line) < 130 for line in lines), "each has an example"
    assert not any("Ollie" in line for line in lines), "nobody asks about themselves"
    shown = page_log.log([Exchange(text, text="", answer=answer)], 0)
    assert shown.count("<li") == len(lines)

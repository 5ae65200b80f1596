"""Questions about the program itself are answered by what is so in it, and not looked up in the chats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import ScriptedModel
from three_chats import asked, opened
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli import app
from minirag_chat.importers import IMPORTERS
from minirag_chat.memory.about_program import asked_of_program


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("program")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Which model are you using?", "None: I quote the messages that fit best."),
        ("are you an AI", "None: I quote"),
        ("Where is my data stored?", ".db"),
        ("where do you keep my messages", "In one database file on this machine"),
        (
            "Do you send my messages anywhere?",
            "Everything is done on this machine, and no message leaves it.",
        ),
        ("delete my chat with Wiremu", "On the page by the bin"),
        ("Are my chats private?", "Everything is done on this machine, and no message leaves it."),
        ("Can I delete what you know about me?", "minirag-chat delete --person"),
        ("How do I delete a chat?", "the bin of a chat"),
        ("hey, how can I remove a person please?", "the bin of a chat"),
        ("How do I import a WhatsApp chat?", "Export chat (Android)"),
        ("how do i import chats from telegram", "Telegram Desktop"),
        ("How do I add another chat?", "\u201cminirag-chat formats\u201d"),
        ("What formats can you import?", f"{len(IMPORTERS)} formats"),
        ("What languages do you understand?", "English"),
        ("How sure are you?", "the confidence"),
    ],
)
def test_what_is_asked_of_the_program(chats: ChatMemory, question: str, says: str) -> None:
    answer = asked(chats, question)
    assert says in answer.text
    assert (answer.reason, answer.sources, answer.closest) == ("no_question", (), ())


@pytest.mark.parametrize(
    "question",
    [
        "Which model of car did Ollie rent?",
        "Where are the keys kept?",
        "Where is Ollie's data stored?",
        "How do I import a ginger chat?",
        "Did Ollie delete the chat?",
        "How sure is Ollie?",
        "Do you send the parcel to Tom?",
        "What languages does Dana understand?",
        "how do I remove a stain",
        "Who can delete messages in the Cabin Crew chat?",
    ],
)
def test_what_is_asked_of_the_chats(question: str) -> None:
    assert asked_of_program(question) is None


def test_the_commands_that_it_names_exist(chats: ChatMemory) -> None:
    known = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).stdout
    questions = (
        "Which model are you using?", "Where is my data stored?", "How do I delete a chat?",
        "How do I import a chat?", "What formats can you import?",
    )  # fmt: skip
    text = " ".join(asked(chats, question).text for question in questions)
    commands = {*re.findall("\u201cminirag-chat ([a-z]+)", text)}
    assert commands == {"models", "delete", "trash", "add", "formats"}
    assert all(f" {command} " in known for command in commands)


def test_on_a_public_page_it_tells_what_becomes_of_an_upload(chats: ChatMemory) -> None:
    public = chats.tuned(public=True)
    for question in (
        "Where is my data stored?",
        "How do I delete a chat?",
        "Are my chats private?",
    ):
        assert "gone when you close the tab" in asked(public, question).text
    assert "minirag-chat" not in asked(public, "Which model are you using?").text


def test_it_names_the_model_that_reads_and_does_not_ask_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    model = ScriptedModel()
    with opened(tmp_path_factory.mktemp("model"), model) as memory:
        assert asked(memory, "Which model do you use?").text.startswith(f"{model.name} reads")
        assert not model.asked


def test_a_conversation_goes_on_after_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    with opened(tmp_path_factory.mktemp("goes on")) as memory:
        memory.ask("How many messages did Ollie write in 2024?")
        memory.ask("Where is my data stored?")
        assert "1 message" in memory.ask("And in 2025?").text


def test_how_sure_you_are_is_asked_of_the_answer_before(chats: ChatMemory) -> None:
    first = asked(chats, "How many messages did Ollie write?")
    after = chats.ask("how sure are you?", history=[(first.question, first.text)])
    assert "Each answer has its own number" not in after.text


def test_it_is_told_before_there_are_messages(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "chats.db", model="extractive")
    with ChatMemory.open(settings.db, settings) as memory:
        assert "Drop the export" in memory.ask("How do I import a chat?").text
        assert str(settings.db) in memory.ask("where is my data stored?").text


@pytest.mark.parametrize("which", ["chat messages", "text messages", "google messages"])
def test_a_word_that_names_no_app_gets_no_apps_way(chats: ChatMemory, which: str) -> None:
    assert "formats” lists them" in asked(chats, f"how do I import {which}?").text


@pytest.mark.both_stores
def test_where_the_database_is_another_program_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        text = asked(memory, "Are my chats private?").text
        server = "PostgreSQL database that the settings name" in text
        assert server == bool(memory.settings.postgres)
        assert server != ("no message leaves it" in text)

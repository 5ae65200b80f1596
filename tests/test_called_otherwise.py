"""People whom a question names otherwise than the messages: "theo" for theo_hx, "mum" for Mama."""

from __future__ import annotations

from pathlib import Path

import pytest
from three_chats import asked, memory_of, opened

from minirag_chat import Answer
from minirag_chat.question.otherwise_called import first_of_handle

CHATS = {
    "theo_hx": """\
03/05/2026, 18:00 - theo_hx: are you at the lake
03/05/2026, 18:02 - Nora Keller: on my way with the oars
04/05/2026, 19:00 - theo_hx: the boat is ours
""",
    "Mama 💛": """\
05/05/2026, 10:00 - Mama 💛: theo called, bring the big suitcase
06/05/2026, 10:02 - Nora Keller: I will
07/05/2026, 10:00 - Mama 💛: book the train early
""",
    "coffee_corner": """\
08/05/2026, 10:00 - coffee_corner: your order is ready
08/05/2026, 10:02 - Nora Keller: the coffee was cold
""",
}


def told(folder: Path, question: str, nickname: tuple[str, str] | None = None) -> Answer:
    with opened(folder, chats=CHATS, me="Nora Keller") as memory:
        if nickname is not None:
            memory.set_nickname(*nickname)
        return asked(memory, question)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("theo_hx", "theo"), ("theo.hx", "theo"), ("theo-hx", "theo"), ("theoHX99", "theo"), ("zuri.k", "zuri"),
        ("Theo_HX", "theo"), ("jessica99", "jessica"), ("_theo_hx 🎸", "theo"), ("jürgen_b", "jürgen"),
        ("the_real_x", ""), ("mr.x", ""), ("mrs_x", ""), ("user_12", ""), ("theo", ""), ("Theo Hill", ""),
        ("Jean-Luc", ""), ("SmileDent", ""), ("iPhone", ""), ("theo@example.org", ""), ("theo.example.org", ""),
        ("amazon.de", ""), ("+44 7700 900123", ""), ("a1b2c3", ""), ("will_s", ""), ("💛", ""), ("theo_", ""),
    ],
)  # fmt: skip
def test_the_first_word_of_a_handle_may_be_a_name(name: str, word: str) -> None:
    assert first_of_handle(name) == word


@pytest.mark.parametrize("named", ["", "theo"])
@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("when did i last hear from theo", "The last message is from theo_hx, Monday, 4 May"),
        ("how many messages did Theo send", "theo_hx sent 2 messages"),
        ("what time of day does theo message me", "18:00 to 19:00 [1] had the most"),
        ("summarise my chat with theo", "- theo_hx, 3 May 2026"),
        ("summarise what happened with theo", "- theo_hx, 3 May 2026"),
        ("tell me about theo", "theo_hx wrote 2 messages"),
        ("what did mama say about theo", "1 message with “theo” from Mama 💛"),
    ],
)
def test_a_handle_is_found_by_its_first_word_or_a_nickname(
    tmp_path: Path, question: str, begin: str, named: str
) -> None:
    answer = told(tmp_path, question, (named, "theo_hx") if named else None)
    assert answer.text.startswith(begin)
    assert "Nobody is called" not in answer.note


def test_a_common_word_that_a_handle_begins_with_is_no_name(tmp_path: Path) -> None:
    assert told(tmp_path, "how many messages mention coffee").text.startswith(
        "Nora Keller wrote “coffee” 1 time"
    )
    assert "coffee_corner" not in told(tmp_path, "who wrote about coffee").text


def test_who_has_the_name_is_meant_and_not_the_handle(tmp_path: Path) -> None:
    chats = {**CHATS, "Theo Hill": "09/05/2026, 10:00 - Theo Hill: hello\n"}
    with opened(tmp_path, chats=chats, me="Nora Keller") as memory:
        assert asked(memory, "how many messages did theo send").text.startswith("Theo Hill sent 1")
        assert {person.name for person in memory.people()} >= {"theo_hx", "Theo Hill"}


@pytest.mark.parametrize(
    ("question", "begin", "word"),
    [
        ("when did mum last write", "The last message is from Mama 💛, Thursday, 7 May", "mum"),
        ("How many messages did my mom send?", "Mama 💛 sent 2 messages", "mom"),
        ("what did my mum say about the train", "1 message with “train” from Mama 💛", "mum"),
        ("Wie viele Nachrichten hat meine Mutter geschrieben?", "Mama 💛 sent 2", "Mutter"),
        ("recap of my chat with mum", "- Mama 💛, 5 May 2026", "mum"),
    ],
)
def test_another_word_for_a_relative_is_the_only_contact_called_so(
    tmp_path: Path, question: str, begin: str, word: str
) -> None:
    answer = told(tmp_path, question)
    assert answer.text.startswith(begin)
    assert f"Nobody is called {word!r}: read as 'Mama 💛'." in answer.note
    assert answer.confidence <= 0.8


@pytest.mark.parametrize(
    ("question", "contact"),
    [("how often does my dad write", "Baba"), ("how often does grandma write", "Oma 🌷"),
     ("how often does my granddad write", "Nonno"), ("how often does mummy write", "Mum")],
)  # fmt: skip
def test_each_relative_has_words_of_several_languages(
    tmp_path: Path, question: str, contact: str
) -> None:
    chat = tmp_path / f"WhatsApp Chat with {contact}.txt"
    chat.write_text(
        f"01/03/2026, 10:00 - {contact}: hi\n02/03/2026, 10:00 - Nora: hello\n", "utf-8"
    )
    with memory_of(tmp_path, "Nora", chat) as memory:
        assert f"read as {contact!r}." in asked(memory, question).note


def test_of_two_who_may_be_meant_none_is(tmp_path: Path) -> None:
    chats = {**CHATS, "Mutti": "09/05/2026, 10:00 - Mutti: hallo\n"}
    with opened(tmp_path, chats=chats, me="Nora Keller") as memory:
        assert asked(memory, "when did mum last write").note.startswith("Nobody is called 'mum'")
        assert asked(memory, "when did mutti last write").text.startswith(
            "The last message is from Mutti"
        )


@pytest.mark.parametrize(
    "question",
    ["what did theo's mum say about the train", "what did his mum say about the train",
     "how many messages did your mum send", "what did aunt theo say"],
)  # fmt: skip
def test_the_relative_of_somebody_else_is_not_the_askers(tmp_path: Path, question: str) -> None:
    assert "read as" not in told(tmp_path, question).note


def test_first_names_of_joined_names_are_found_beside_other_words(tmp_path: Path) -> None:
    log = tmp_path / "20260105_1000.txt"
    log.write_text("Time: 20260105_10:00\nWolfgangSchulz: hello\nMama: hi\nAnnHill: hi\n", "utf-8")
    with memory_of(tmp_path, "Ann Hill", log) as memory:
        assert asked(memory, "How many messages did Wolfgang send?").text.startswith(
            "Wolfgang Schulz sent"
        )
        memory.set_nickname("wolfie", "WolfgangSchulz")
        assert asked(memory, "How many messages did Wolfgang send?").text.startswith(
            "Wolfgang Schulz sent"
        )


def test_a_word_that_asks_is_not_misspelt(tmp_path: Path) -> None:
    assert "Read 'summarise'" not in told(tmp_path, "summarise my chat with mama").note

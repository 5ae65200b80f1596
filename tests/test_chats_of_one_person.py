"""Somebody whom two apps call by two names is one person, and the chats with them count together."""

from __future__ import annotations

from pathlib import Path

import pytest

from minirag_chat import ChatMemory

BOTH = "in \u201cRui T.\u201d and \u201cRui Tavares\u201d"


@pytest.fixture
def joined(memory: ChatMemory, tmp_path: Path) -> ChatMemory:
    """Two chats of Ann with Rui, of six and four messages, one with Olga and one of three."""
    months = {"Rui T.": "03", "Rui Tavares": "05", "Olga Prizzle": "03"}
    for name, pairs in (("Rui T.", 3), ("Rui Tavares", 2), ("Olga Prizzle", 4)):
        said = [
            f"{day:02}/{months[name]}/2024, 10:0{n} - {who}: oars {day}\n"
            for day in range(1, pairs + 1)
            for n, who in enumerate((name, "Ann Hill"))
        ]
        file = tmp_path / f"WhatsApp Chat with {name}.txt"
        file.write_text("".join(said), encoding="utf-8")
        memory.add(file)
    group = tmp_path / "WhatsApp Chat with Boats.txt"
    names = ("Rui T.", "Ann Hill", "Olga Prizzle")
    group.write_text(
        "".join(f"0{n}/06/2024, 09:00 - {w}: hi\n" for n, w in enumerate(names, 1)), "utf-8"
    )
    memory.add(group)
    memory.set_me("Ann Hill")
    memory.merge_people("Rui T.", "Rui Tavares")
    return memory


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what percentage of messages in the rui chat are mine?", ("50%", "5 of 10", BOTH)),
        (
            "what percentage of messages are with Rui?",
            (f"48% of the messages are {BOTH}: 10 of 21;",),
        ),
        (
            "what share of my messages are to Rui?",
            (f"50% of the messages from Ann Hill are {BOTH}: 5 of 10;",),
        ),
        (
            "what share of my messages was sent to Rui in May 2024?",
            ("100% of the messages from Ann Hill are in",),
        ),
        (
            "how many words with Rui?",
            (f"20 words {BOTH}: Rui Tavares (10) [1] and Ann Hill (10) [2].",),
        ),
        ("how many messages are in the Rui chat?", ("10 messages", BOTH)),
        ("who wrote most in the rui chat?", (BOTH,)),
        ("how many messages are in the Rui Tavares chat?", ("4 messages",)),
        (
            "how many messages per month with rui?",
            ("10 messages", "March 2024 (6)", "May 2024 (4)"),
        ),
        ("messages with Rui per month", ("10 messages", "March 2024 (6)")),
        ("how many messages did Rui and I exchange per month?", ("10 messages",)),
        ("monthly messages with rui", ("10 messages",)),
        ("average messages per day with Rui", ("10 messages",)),
        ("how many messages did Rui send per month?", ("6 messages from Rui Tavares",)),
        ("longest gap between messages with rui", ("longest silence", BOTH)),
        ("biggest gap between messages with Olga", ("longest silence", "Olga Prizzle")),
        ("longest pause with Olga", ("longest silence", "Olga Prizzle")),
    ],
)
def test_all_chats_with_one_person_count_and_are_named(
    joined: ChatMemory, question: str, said: tuple[str, ...]
) -> None:
    answer = joined.ask(question)
    for words in said:
        assert words in answer.text
    assert "Olga" in question or "Olga" not in answer.text


def test_chats_of_two_people_are_not_taken_together(joined: ChatMemory) -> None:
    joined.split_person("Rui T.")
    with pytest.raises(Exception, match="More than one chat has this in its title"):
        joined.ask("what percentage of messages in the rui chat are mine?")

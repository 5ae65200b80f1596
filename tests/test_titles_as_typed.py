"""Chats whose titles are typed without their accents, in another language, or asked for in German."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from places import write_table
from three_chats import asked, memory_of

from minirag_chat import ChatMemory
from minirag_chat.errors import BadQuestion

ROWS = (
    ("2026-11-03 08:15", "Ivy", "the toaster works", "Repair Café Nordend"),
    ("2026-11-03 08:20", "Tom", "well done", "Repair Café Nordend"),
    ("2026-11-04 08:25", "Ivy", "and the lamp", "Repair Café Nordend"),
    ("2026-11-05 20:10", "Moe", "who brings cake?", "Familie \U0001f3e1"),
    ("2026-11-05 20:30", "Tom", "me", "Familie \U0001f3e1"),
    ("2026-11-06 09:00", "Ivy", "hello", "Ivy"),
    ("2026-11-06 09:01", "Tom", "hello Ivy", "Ivy"),
    ("2026-11-07 09:01", "Moe", "we land at ten", "Lisbon"),
)
CAFE, FAMILY = ROWS[0][3], ROWS[3][3]


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder: Path = tmp_path_factory.mktemp("titles")
    with memory_of(folder, "Tom", write_table(folder / "chats.csv", *ROWS)) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("how many messages are in the repair cafe chat", "3 messages"),
        ("How many messages are in the Repair Café chat?", "3 messages"),
        ("who wrote most in repair cafe nordend", "Ivy [1] wrote the most in \u201cRepair"),
        ("who wrote most in the repair cafe", "Ivy [1] wrote the most in \u201cRepair"),
        ("how many messages are in the family chat", "2 messages"),
        ("how many messages are in our family group", "2 messages"),
        ("how many people are in Familie", "2 people"),
        ("list the members of familie", "2 people"),
        ("show the members of Lisbon", "1 person"),
        ("wer ist in familie", "2 people"),
        ("Wer ist alles in der Gruppe Familie?", "2 people"),
        ("Wer ist in der Gruppe Repair Cafe?", "2 people"),
        ("wie viele Leute sind in der Familie-Gruppe?", "2 people"),
    ],
)
def test_a_chat_is_found_by_its_title_as_people_type_it(
    chats: ChatMemory, question: str, begin: str
) -> None:
    assert asked(chats, question).text.startswith(begin)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Summarize the repair cafe chat in November", CAFE),
        ("What happened in repair cafe nordend?", CAFE),
        ("What did we talk about in the repair cafe?", CAFE),
        ("Summarize the family chat", FAMILY),
    ],
)
def test_an_overview_is_of_the_chat_that_is_typed_without_accents(
    chats: ChatMemory, question: str, title: str
) -> None:
    answer = asked(chats, question)
    assert {source.chat for source in answer.sources} == {title}, answer.text


def test_another_cafe_is_still_unknown(chats: ChatMemory) -> None:
    with pytest.raises(BadQuestion, match="no chat 'pottery cafe'"):
        asked(chats, "how many messages are in the pottery cafe chat")


def test_those_in_a_place_are_not_the_members_of_its_chat(chats: ChatMemory) -> None:
    assert "1 person" not in asked(chats, "who was in Lisbon?").text


def test_the_beginning_of_a_word_of_one_title_is_read_as_that_chat(chats: ChatMemory) -> None:
    answer = asked(chats, "how many messages are in the lisb group")
    assert answer.text.startswith("Moe sent 1 message")
    assert "read as 'Lisbon'" in answer.note
    with pytest.raises(BadQuestion, match="There is no chat 'boat'"):
        asked(chats, "how many messages are in the boat group")


def test_a_group_is_known_by_what_it_writes_about(tmp_path: Path) -> None:
    said = (
        ("Lea Valley Plodders", "Ivy", ("I ran 8k", "who runs on sunday", "running late", "my run is off")),
        ("Lea Valley Plodders", "Moe", ("nice run", "sore knees")),
        ("Props & Paint", "Ivy", ("the tap is running", "the sea is painted", "who has the gold leaf")),
        ("Props & Paint", "Tom", ("me", "and the rope")),
        ("Props & Paint", "Moe", ("good",)),
        ("Ivy", "Ivy", ("run with me", "a run?", "run!")),  # no group
        ("Ivy", "Tom", ("no",)),
    )  # fmt: skip
    rows = [
        (f"2026-11-{day:02} 09:{n:02}", who, text, chat)
        for day, (chat, who, texts) in enumerate(said, start=1)
        for n, text in enumerate(texts)
    ]
    with memory_of(tmp_path, "Tom", write_table(tmp_path / "chats.csv", *rows)) as memory:
        memory.add(
            write_table(
                tmp_path / "more.csv", ("2026-11-20 10:00", "Tom", "hi", "Lea Valley Plodders")
            )
        )
        answer = asked(memory, "who wrote least in the running group?")
        assert answer.text.startswith("Tom [1] wrote the fewest in “Lea Valley Plodders”")
        assert answer.note == "No chat is called 'running': read as 'Lea Valley Plodders'."
        assert answer.confidence == pytest.approx(0.8)
        with pytest.raises(BadQuestion, match="There is no chat 'gold'"):  # once is too little
            asked(memory, "who wrote least in the gold group?")

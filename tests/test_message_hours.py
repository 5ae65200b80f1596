"""Questions that name hours of the day: over midnight, by a bare number, before a day at night."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes import WordEmbedder
from places import write_table
from three_chats import asked

from minirag_chat import ChatMemory, Settings

HOURS = ("02-26 23:30", "02-27 02:00", "02-28 08:30", "02-28 10:15", "03-01 08:10", "03-01 13:00",
         "03-02 17:40", "03-05 23:10")  # fmt: skip


@pytest.fixture(scope="module")
def hours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("hours")
    rows = [(f"2026-{at}:00", "Zoe", f"now it is {at}", "Zoe") for at in HOURS]
    settings = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_table(folder / "chat.csv", *rows))
        yield memory


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("How many messages were sent after 10 pm and before 6 am?", "Zoe sent 3 messages between 22:00 and 06:00"),
        ("How many messages before 6 am or after 10 pm?", "Zoe sent 3 messages between 22:00 and 06:00"),
        ("How many messages after 9 am, but before 2 pm?", "Zoe sent 2 messages between 09:00 and 14:00"),
        ("Wie viele Nachrichten gibt es nach 22 Uhr und vor 6 Uhr?", "Zoe sent 3 messages between 22:00 and 06:00"),
        ("How many messages between 10 pm and 6?", "Zoe sent 3 messages between 22:00 and 06:00"),
        ("How many messages did Zoe send on Thursdays after 10 pm and before 6 am?",
         "Zoe sent 3 messages on Thursdays between 22:00 and 06:00"),
        ("How many messages before 9 in the morning?", "Zoe sent 3 messages between 00:00 and 09:00"),
        ("How many messages between 11 at night and 3 in the morning?",
         "Zoe sent 3 messages between 23:00 and 03:00"),
        ("How many messages did Zoe send on 1 March before 9 in the morning?", "Zoe sent 1 message, on 1 March"),
        ("How many messages after 17?", "Zoe sent 3 messages after 17:00, the first"),
        ("How many messages before 1 March at night?", "Zoe sent 2 messages between 22:00 and 06:00"),
        ("How many messages at night before 1 March?", "Zoe sent 2 messages between 22:00 and 06:00"),
        ("How many messages since 1 March in the morning?", "Zoe sent 1 message between 06:00 and 12:00"),
        ("How many messages between 1 March and 5 March at night?", "Zoe sent 1 message between 22:00 and 06:00"),
        ("How many messages on 1 March at night?", "There are no messages from 1 March 2026, 18:00"),
        ("How many messages before the night of 1 March?", "Zoe sent 6 messages, the first"),
    ],
)  # fmt: skip
def test_hours_may_reach_over_midnight_and_come_each_day(
    hours: ChatMemory, question: str, begin: str
) -> None:
    answer = asked(hours, question)
    assert answer.text.startswith(begin), answer.text
    assert "read as" not in answer.text


@pytest.mark.parametrize(
    ("question", "begin", "read"),
    [
        ("How many messages before 9?", "Zoe sent 3 messages between 00:00 and 09:00", "before 09:00"),
        ("How many messages did Zoe send after 5?", "Zoe sent 3 messages after 17:00", "after 17:00"),
        ("How many messages between 9 and 11?", "Zoe sent 1 message between 09:00 and 11:00",
         "between 09:00 and 11:00"),
        ("Who wrote most between 11 and 2?", "Zoe [1] wrote the most between 11:00 and 14:00: 1 of 1 message",
         "between 11:00 and 14:00"),
        ("How many messages before 9 o'clock on 1 March?", "Zoe sent 1 message, on 1 March", "before 09:00"),
    ],
)  # fmt: skip
def test_a_bare_hour_of_a_count_is_one_and_the_answer_says_which(
    hours: ChatMemory, question: str, begin: str, read: str
) -> None:
    answer = asked(hours, question)
    assert answer.text.startswith(begin), answer.text
    assert f"The hours are read as {read}: add" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many messages between 9 and 11 in March?",
        "How many messages before 9 or 10 March?",
        "How many messages after 5 in 2026?",
        "How many messages after 5 days?",
        "What was the last message before 9?",
        "How many messages after 10 and before 6?",
        "How many messages before 5 pm or after 9 am?",
        "How many messages on Sundays before 6 am or after 10 pm?",
        "How many messages after 10 pm and before 6 am on 1 March?",
    ],
)
def test_a_number_that_may_be_something_else_is_no_hour(hours: ChatMemory, question: str) -> None:
    assert asked(hours, question).model != "none"


def test_numbers_before_a_month_are_its_days(hours: ChatMemory) -> None:
    answer = asked(hours, "How many messages between 9 and 11 March?")
    assert answer.text.startswith("There are no messages from 9 March 2025 to 11 March 2025.")
    assert "The hours are read" not in answer.text

"""What comes next of a kind, what of it was moved, and for which year a month is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory

CLUB = """\
02/05/2026, 09:00 - June Hale: funeral of my neighbour on 5 June, at noon
20/10/2026, 09:00 - Nell: the quiz is on 3 December at the hut
21/10/2026, 09:00 - Omar: choir practice is every Tuesday
01/11/2026, 09:00 - Nell: my shift is on 2 November, poor me
10/11/2026, 10:00 - Nell: so that's us, swings mended
12/11/2026, 10:00 - Omar: sorry all, the quiz is moved to 12 December, same place
13/11/2026, 10:00 - Nell: my birthday lunch is on 10 December!
14/11/2026, 10:00 - Omar: dentist appointment on 9 December
15/11/2026, 10:00 - Nell: another appointment on 16 December
16/11/2026, 10:00 - Omar: new glasses
"""
SURGERY = """\
13/11/2026, 09:00 - Surgery: Your check-up is confirmed for 20/11/2026 at 11:10.
14/11/2026, 09:00 - Surgery: Sorry, your check-up on 20/11/2026 has been moved to 24/11/2026 at 15:40.
"""


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("kinds")
    with opened(folder, chats={"Club": CLUB, "Surgery": SURGERY}, me="Omar") as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "messages"),
    [
        ("Which birthdays are coming up?", ["my birthday lunch"]),
        ("which of my friends have birthdays coming up?", ["my birthday lunch"]),
        ("when's my next appointment?", ["dentist appointment"]),
        ("When is the next dentist appointment?", ["dentist appointment"]),
        ("which appointments are coming up?", ["dentist appointment", "another appointment"]),
        ("Are there any appointments coming up?", ["dentist appointment", "another appointment"]),
        ("upcoming appointments in Club", ["dentist appointment", "another appointment"]),
        ("what's the next quiz?", ["the quiz is on 3 December", "sorry all"]),
        ("when is my next check-up", ["Your check-up is confirmed", "Sorry, your check-up"]),
    ],
)
def test_what_comes_next_of_a_kind_names_it_and_a_day_to_come(
    chats: ChatMemory, question: str, messages: list[str]
) -> None:
    answer = asked(chats, question)
    said = [source.message.text for source in answer.sources]
    assert answer.model == "extractive", answer.text
    assert len(said) == len(messages), answer.text
    assert all(text.startswith(start) for text, start in zip(said, messages, strict=True)), said


def test_what_comes_next_has_the_day_to_which_it_was_moved(chats: ChatMemory) -> None:
    assert asked(chats, "When is my next check-up?").text.startswith(
        "- For 24 November 2026 instead of 20 November 2026: Surgery, 13 November 2026"
    )


@pytest.mark.parametrize("question", ["when is my next shift?", "Which exams are coming up?"])
def test_what_no_message_says_of_a_day_to_come_is_looked_up(
    chats: ChatMemory, question: str
) -> None:
    answer = asked(chats, question)
    assert answer.abstained, answer.text
    assert answer.reason != "no_messages", "another word may say it"


@pytest.mark.parametrize(
    "question",
    [
        "When is the next choir practice?",  # it is every Tuesday
        "what is my next step?",  # it need have no day
        "When is Nell's next appointment?",  # a message need not say whose it is
        "when is the rehearsal next to the church?",
        "What is the next message?",
    ],
)
def test_what_need_not_be_planned_for_a_day_is_looked_up(chats: ChatMemory, question: str) -> None:
    assert not asked(chats, question).text.startswith(("- For", "I found nothing that is coming"))


@pytest.mark.parametrize(
    "question",
    [
        "has the quiz moved?",
        "Was the quiz postponed?",
        "did the date of the quiz change?",
        "what changed about the quiz?",
        "What has changed with the quiz in Club?",
    ],
)
def test_what_moved_is_told_with_what_was_planned_before(chats: ChatMemory, question: str) -> None:
    assert asked(chats, question).text == (
        "- Nell, 20 October 2026, 09:00 in “Club”: “the quiz is on 3 December at the hut” [1] "
        "This may have changed: Omar, 12 November 2026, 10:00: "
        "“sorry all, the quiz is moved to 12 December, same place” [2]"
    )


@pytest.mark.parametrize("question", ["has the lunch moved?", "what changed about the glasses?"])
def test_where_nothing_moved_it_is_looked_up(chats: ChatMemory, question: str) -> None:
    assert "may have changed" not in asked(chats, question).text


def test_a_month_that_has_long_been_over_is_the_one_to_come(chats: ChatMemory) -> None:
    found = asked(chats, "What is planned for June?")  # which is also a name
    assert found.text == "I found nothing planned for June: no message seems to name a day of it."
    assert "funeral" in asked(chats, "What was planned for June?").text


def test_feasts_and_days_on_which_one_cannot_are_not_moved(tmp_path: Path) -> None:
    chat = (
        "21/11/2026, 09:00 - Nell: party on 12 December, bring a hat\n"
        "21/11/2026, 09:05 - Omar: I can't do 12 December, party or not, christmas eve then?\n"
        "22/11/2026, 09:00 - Nell: party moved to 13 December, not the 12th\n"
    )
    with opened(tmp_path, chats={"Party": chat}, me="Omar") as memory:
        lines = asked(memory, "What is coming up?").text.splitlines()
    assert [line[:38] for line in lines if "instead of" in line] == [
        "- For 13 December 2026 instead of 12 De"[:38]
    ], lines

"""Who has written nothing for the longest, who wrote first of all, who is new, and the same of chats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory

LAST_DAYS = "Ollie has been quiet the longest in chats of two: since 13 February 2024 [1]. Then Dana Fox (13 July 2024) [2]."
CLUB = """\
01/02/2024, 10:00 - Nils Berg: I leave the club
01/03/2024, 10:00 - Sara Lund: pity
02/03/2024, 10:00 - Eva Holm: indeed
"""
WITH_SARA = """\
01/05/2024, 10:00 - Sara Lund: are you home
01/06/2024, 10:00 - Eva Holm: yes
"""
WITH_OMAR = """\
01/07/2024, 10:00 - Omar Aziz: match at six
"""


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats")) as memory:
        yield memory


def without_ago(text: str) -> str:
    """The text without how long ago a day was, which depends on today."""
    return re.sub(r" \([^()]* ago\)", "", text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who have I not talked to for the longest time?", LAST_DAYS),
        ("who haven't I heard from in a while", LAST_DAYS),
        ("Who has not written to me lately?", LAST_DAYS),
        (
            "Who has been quiet the longest?",
            "Ollie has been quiet the longest: since 15 June 2025 [1]. Then Dana Fox (16 June 2025) [2].",
        ),
        (
            "Who hasn't written in Cabin Crew for a long time?",
            "Ollie has been quiet the longest in “Cabin Crew”: since 15 June 2025 [1]. Then Dana Fox (16 June 2025) [2].",
        ),
        (
            "Which chats have gone quiet?",
            "“Ollie” has been quiet the longest: since 13 February 2024 [1]. Then “Cabin Crew” (16 June 2025) [2] and “Dana Fox” (13 July 2025) [3].",
        ),
        (
            "Who have I not written to for the longest?",
            "Your oldest last message, in chats of two, is to Ollie: 13 February 2024 [1]. Then Dana Fox (13 July 2025) [2].",
        ),
        (
            "who haven't i texted in ages",
            "Your oldest last message, in chats of two, is to Ollie: 13 February 2024 [1]. Then Dana Fox (13 July 2025) [2].",
        ),
        (
            "Which group has been silent the longest?",
            "“Cabin Crew” has been quiet the longest: since 16 June 2025 [1].",
        ),
        (
            "Who have I not heard from in a while in 2024?",
            "Of the last messages in chats of two from 1 January 2024 to 31 December 2024 the oldest is from Ollie: 13 February 2024 [1]. Then Dana Fox (13 July 2024) [2].",
        ),
    ],
)
def test_whose_last_message_is_the_oldest(chats: ChatMemory, question: str, text: str) -> None:
    answer = asked(chats, question)
    assert without_ago(answer.text) == text
    assert [source.number for source in answer.sources] == [*range(1, text.count("[") + 1)]


FIRST_DAYS = (
    "The oldest first message is from Ollie: 13 February 2024 [1]. Then Dana Fox (3 May 2024) [2]."
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who have I talked to for the longest time?", FIRST_DAYS),
        ("who have I known the longest", FIRST_DAYS),
        ("Who is my oldest contact?", FIRST_DAYS),
        (
            "Which chat is the oldest?",
            "The oldest first message is in “Ollie”: 13 February 2024 [1]. Then “Cabin Crew” (3 May 2024) [2] and “Dana Fox” (13 July 2024) [3].",
        ),
        (
            "What's my newest chat?",
            "The newest first message is in “Dana Fox”: 13 July 2024 [1]. Then “Cabin Crew” (3 May 2024) [2] and “Ollie” (13 February 2024) [3].",
        ),
        (
            "Which group is the oldest?",
            "The oldest first message is in “Cabin Crew”: 3 May 2024 [1].",
        ),
        (
            "Which chats began in July 2024?",
            "1 chat began from 1 July 2024 to 31 July 2024: “Dana Fox” (13 July 2024) [1].",
        ),
        (
            "Who wrote to me for the first time in May 2024?",
            "1 person with whom you have a chat of two wrote for the first time from 1 May 2024 to 31 May 2024: Dana Fox (3 May 2024) [1].",
        ),
        (
            "Who did I start talking to in 2025?",
            "Nobody wrote for the first time from 1 January 2025 to 31 December 2025.",
        ),
        ("Which chats started in 2025?", "No chat began from 1 January 2025 to 31 December 2025."),
    ],
)
def test_whose_first_message_is_the_oldest_or_new(
    chats: ChatMemory, question: str, text: str
) -> None:
    answer = asked(chats, question)
    assert without_ago(answer.text) == text
    assert [source.number for source in answer.sources] == [*range(1, text.count("[") + 1)]


def test_who_never_had_a_message_is_named_apart(club: ChatMemory) -> None:
    answer = asked(club, "Who have I not written to in a while?")
    assert without_ago(answer.text) == (
        "Your oldest last message, in chats of two, is to Sara Lund: 1 June 2024 [1]. "
        "You have never written to Omar Aziz."
    )


def test_what_the_oldest_chat_is_about_is_not_its_first_message(chats: ChatMemory) -> None:
    assert "first message" not in asked(chats, "What is the oldest chat about?").text


@pytest.mark.parametrize("question", ["Who has Dana not talked to in a while?"])
def test_other_questions_are_not_about_the_oldest_last_message(
    chats: ChatMemory, question: str
) -> None:
    assert "quiet the longest" not in asked(chats, question).text


def test_in_a_time_only_those_are_new_who_are_counted(club: ChatMemory) -> None:
    """Nils wrote in the group alone, and Eva has chats of two with two others."""
    new = asked(club, "Who are my new contacts in February 2024?")
    assert new.text == "Nobody wrote for the first time from 1 February 2024 to 29 February 2024."
    assert "contact" not in asked(club, "Who is Sara's newest contact?").text
    assert "oldest first message" not in asked(club, "Who is Sara's oldest contact?").text


@pytest.fixture
def club(tmp_path: Path) -> Iterator[ChatMemory]:
    exports = {"Club": CLUB, "Sara Lund": WITH_SARA, "Omar Aziz": WITH_OMAR}
    with opened(tmp_path, chats=exports, me="Eva Holm") as memory:
        yield memory


def test_without_a_chat_of_two_nobody_is_closest(club: ChatMemory) -> None:
    answer = asked(club, "Who does Nils talk to more, Sara or Omar?")
    assert answer.text == "There is no chat of two with Sara Lund or Omar Aziz."


def test_who_writes_in_groups_only_is_not_missed(club: ChatMemory) -> None:
    """Nils left a group long ago, and has no chat with the asker; Omar never had a reply."""
    answer = asked(club, "Who have I not heard from in a while?")
    assert without_ago(answer.text) == (
        "Sara Lund has been quiet the longest in chats of two: since 1 May 2024 [1]. Then Omar Aziz (1 July 2024) [2]."
    )


def test_all_names_of_a_person_count(club: ChatMemory) -> None:
    club.merge_people("Sara Lund", "Omar Aziz")
    answer = asked(club, "Who have I not heard from in a while?")
    assert without_ago(answer.text) == (
        "Nils Berg has been quiet the longest: since 1 February 2024 [1]. Then Omar Aziz (1 July 2024) [2]."
    )

"""Which words are used most, and the most days in a row with a message."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory

CREW = """\
01/05/2024, 10:00 - Dana Fox: soup, soup! and the SOUP
02/05/2024, 10:00 - Ollie: I'm at www.example.org/cabin and dont see the cabin on the 10th
02/05/2024, 10:01 - Dana Fox: cabin
03/05/2024, 10:00 - Tom Reed: Dana\u2019s bread 你好 \U0001f600
05/05/2024, 10:00 - Tom Reed: bread
06/05/2024, 10:00 - Ollie: <Media omitted>
"""
WITH_OLLIE = """\
01/02/2024, 10:00 - Ollie: so are you
05/05/2024, 11:00 - Ollie: hello
06/05/2024, 11:00 - Tom Reed: hi
08/05/2024, 11:00 - Ollie: 你好吗
"""


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    exports = {"Crew": CREW, "Ollie": WITH_OLLIE}
    with opened(tmp_path_factory.mktemp("chats"), chats=exports) as memory:
        yield memory


NOT_COUNTED = " Words such as “the” and “you” are not counted."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is our most used word?", "“soup” [1] was used most: 3 of 11 words. Then “cabin” (2) [2], “bread” (2) [3], “see” (1) [4], “dana's” (1) [5], “hello” (1) [6] and “hi” (1) [7]."),
        ("which words does Ollie use the most", "“see” [1], “cabin” [2] and “hello” [3] were used most by Ollie: 1 of 3 words each."),
        ("my most used words in Crew", "“bread” [1] was used most by Tom Reed in “Crew”: 2 of 3 words. Then “dana's” (1) [2]."),
        ("What's the second most common word?", "“cabin” [1] and “bread” [2] were used second most: 2 of 11 words each. Then “see” (1) [3], “dana's” (1) [4], “hello” (1) [5] and “hi” (1) [6]."),
    ],
)  # fmt: skip
def test_the_words_used_most_are_counted_without_common_ones_links_and_numbers(
    chats: ChatMemory, question: str, text: str
) -> None:
    answer = asked(chats, question)
    assert answer.text == text + NOT_COUNTED
    assert len(answer.sources) == text.count("[")
    assert answer.confidence == 1


def test_a_script_without_spaces_has_no_words_that_could_be_counted(chats: ChatMemory) -> None:
    answer = asked(chats, "Which words did Ollie use most on 8 May 2024?")
    assert answer.text == "Ollie wrote no words to count on 8 May 2024."


@pytest.mark.parametrize(
    "question", ["What is Dana's favourite word?", "Which word does Ollie misspell?"]
)
def test_a_favourite_word_may_have_been_told(chats: ChatMemory, question: str) -> None:
    assert NOT_COUNTED not in asked(chats, question).text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What's my longest streak?", "The longest streak of days on which Tom Reed wrote is 2 days: 5 May 2024 [1] to 6 May 2024 [2]."),
        ("longest streak in Crew", "The longest streak of days on which somebody wrote in “Crew” is 3 days: 1 May 2024 [1] to 3 May 2024 [2]."),
        ("How many days in a row did Ollie and I talk?", "The longest streak of days on which Ollie and Tom Reed wrote in “Ollie” is 2 days: 5 May 2024 [1] to 6 May 2024 [2]."),
        ("How many days in a row did Dana write?", "The longest streak of days on which Dana Fox wrote is 2 days: 1 May 2024 [1] to 2 May 2024 [2]."),
        ("how many days in a row did dana write on 1 May 2024", "The longest streak of days on which Dana Fox wrote on 1 May 2024 is 1 day: 1 May 2024 [1]."),
    ],
)  # fmt: skip
def test_the_longest_streak_is_of_days_in_a_row(
    chats: ChatMemory, question: str, text: str
) -> None:
    assert asked(chats, question).text == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who did I write to in May 2024?", "Most messages from Tom Reed from 1 May 2024 to 31 May 2024, in chats of two, are to: Ollie (1) [1]."),
        ("who did i talk to on 5 May 2024", "Most messages on 5 May 2024, in chats of two, are with: Ollie (1) [1]."),
        ("Who did I talk to on 1 May 2024?", "Tom Reed sent no messages on 1 May 2024."),
    ],
)  # fmt: skip
def test_whom_the_asker_wrote_to_is_not_who_wrote(
    chats: ChatMemory, question: str, text: str
) -> None:
    assert asked(chats, question).text == text


def test_my_week_is_the_last_seven_days_and_my_day_the_last_one(chats: ChatMemory) -> None:
    assert "so are you" in asked(chats, "Summarize my chats").text
    week = asked(chats, "Summarize my week").text
    assert "cabin" in week
    assert "so are you" not in week
    assert asked(chats, "recap my day").text.startswith("- Ollie, 8 May 2024")

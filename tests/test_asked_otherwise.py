"""Questions that can be computed, in words in which they were looked up before; and what is asked after them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory
from minirag_chat.question.follow_up import follow_up
from minirag_chat.question.neighbouring_time import neighbouring_time
from minirag_chat.ui_text import day

CHATS = {
    "Rowing Eights": """\
01/03/2024, 10:00 - Ines Moll: boat check on monday
01/03/2024, 10:02 - Ines Marten: ok
05/04/2024, 10:03 - Tom Reed: I bring the oars
05/04/2024, 10:05 - Ines Marten: great
06/05/2024, 10:05 - Ines Marten: who has the key
""",
    "Noor": """\
12/03/2024, 10:00 - Noor: hello
12/03/2024, 10:02 - Tom Reed: hi
14/03/2024, 10:03 - Noor: the concert is on 21 december 2024
15/04/2024, 10:03 - Tom Reed: yes
16/04/2024, 10:03 - Noor: bring Walt
""",
}


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats"), chats=CHATS) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        (
            "how often did noor and me talk in march 2024",
            "Tom Reed and Noor wrote on 2 days in “Noor”",
        ),
        ("how many times did I talk to Noor", "Tom Reed and Noor wrote on 4 days in “Noor”"),
        (
            "how many messages did we exchange in total noor and me",
            "5 messages in “Noor”: Noor (3)",
        ),
        (
            "which ines writes more",
            "Ines Marten [1] wrote the most: 3 of 4 messages. Then Ines Moll (1)",
        ),
        ("messages of the 5th of april 2024", "2 messages on 5 April 2024:\n\nTom Reed, 5 April"),
        ("messages from 16 april 2024", "1 message on 16 April 2024:\n\nNoor, 16 April 2024"),
        (
            "Compare how many messages Noor wrote in March and April 2024",
            "Noor sent 3 messages in March 2024 and in April 2024, the first on 12 March 2024 [1], the last on 16 April 2024 [2]. That is 2 in March 2024 and 1 in April 2024.",
        ),
        ("plans with Noor for December 2024", "- For 21 December 2024: Noor, 14 March 2024"),
        ("which day of the week was 17 may 2024", "That is Friday, 17 May 2024 ("),
    ],
)
def test_it_is_computed(chats: ChatMemory, question: str, begins: str) -> None:
    assert asked(chats, question).text.startswith(begins), asked(chats, question).text


def test_the_calendar_needs_no_message(chats: ChatMemory) -> None:
    now = datetime.now()
    for question in ("what day is it today", "What's today's date?", "what is the date"):
        assert asked(chats, question).text == f"Today is {now:%A}, {day(now)}."
    saturday = now + timedelta(days=(5 - now.weekday()) % 7 or 7)
    answer = asked(chats, "what date is next saturday")
    assert answer.text.startswith(f"That is Saturday, {day(saturday)} (in ")


@pytest.mark.parametrize(
    "question",
    [
        "what day is the concert",
        "messages",
        "which noor writes more",
        "how often did we talk",
        "plans for the boat",
    ],
)
def test_other_questions_are_looked_up(chats: ChatMemory, question: str) -> None:
    assert asked(chats, question).model != "none", asked(chats, question).text


def test_who_of_the_family_is_not_known_gets_a_hint(chats: ChatMemory) -> None:
    for question in ("how many messages did i send to my sister", "when did my sister last write"):
        answer = asked(chats, question)
        assert answer.note.startswith("Nobody is called 'sister'. If you call somebody so"), (
            question
        )
        assert not answer.closest
    assert not asked(chats, "what did my sister cook").note


def test_what_comes_before_or_after(chats: ChatMemory) -> None:
    for then in ("and before?", "and the one before?"):
        answer = chats.ask(then, history=[("last message from Noor", ".")])
        assert answer.text.startswith("The last 3 messages from Noor:")
    answer = chats.ask("and the next?", history=[("how many messages in march 2024", ".")])
    assert "on 5 April 2024 [1], the last on 16 April 2024 [2]" in answer.text


@pytest.mark.parametrize(
    ("rest", "start", "days", "then"),
    [
        ("the next?", datetime(2024, 5, 4), 2, "from 11 May 2024 to 12 May 2024"),
        ("the next weekend?", datetime(2024, 5, 4), 2, "from 11 May 2024 to 12 May 2024"),
        ("the one before", datetime(2024, 5, 1), 31, "in April 2024"),
        ("the following one", datetime(2024, 5, 6), 7, "from 13 May 2024 to 19 May 2024"),
        ("the next", datetime(2024, 5, 6), 3, ""),
    ],
)
def test_the_next_is_of_the_same_length(rest: str, start: datetime, days: int, then: str) -> None:
    assert neighbouring_time(rest, start, start + timedelta(days=days)) == then


def test_a_question_with_its_own_subject_is_no_follow_up(chats: ChatMemory) -> None:
    question = "who is the treasurer of the walking club"
    said = follow_up(question, [("who brings the oars", ".")], chats._store, datetime(2024, 6, 1))
    assert (said.text, said.before) == (question, "")

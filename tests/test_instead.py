"""Who somebody is where no message says it, and the news of a thing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory

CHATS = {
    "Joy Adeyemi": """\
06/10/2025, 19:12 - Joy Adeyemi: Good evening Colm, this is Joy from Border Care
07/10/2025, 10:15 - Joy Adeyemi: All fine, she had porridge
08/10/2025, 10:15 - Colm: thank you
""",
    "Soot Tarts": """\
02/10/2025, 20:00 - Tyler: who has the hall key
02/10/2025, 20:01 - Colm: me
03/10/2025, 20:01 - Priya: Tyler is our drummer from Ludlow
03/10/2025, 20:02 - Colm: right
04/10/2025, 09:00 - Tyler: brewery wants us on the 11th
05/10/2025, 09:00 - Priya: the brewerys stage is tiny
06/10/2025, 09:00 - Priya: brewery moved us to the 12th
""",
}
OF_JOY = (
    "I found no message that says who Joy Adeyemi is. Joy Adeyemi wrote 2 messages in “Joy Adeyemi”, the first "
    "on 6 October 2025 [1], the last on 7 October 2025 [2]. The first says: “Good evening Colm, this is Joy "
    "from Border Care” [1]."
)


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("writers"), chats=CHATS, me="Colm") as memory:
        yield memory


@pytest.mark.parametrize("question", ["Who is Joy Adeyemi?", "who is joy", "who's Joy?"])
def test_where_nobody_says_it_the_messages_are_counted(chats: ChatMemory, question: str) -> None:
    sure = chats.tuned(abstain_below=1.0).ask(question, history=())
    assert sure.text == OF_JOY
    assert (sure.confidence, sure.abstained, len(sure.sources)) == (1.0, False, 2)


def test_what_a_message_says_of_somebody_is_the_answer(chats: ChatMemory) -> None:
    assert "Tyler is our drummer" in asked(chats.tuned(abstain_below=0.0), "Who is Tyler?").text


@pytest.mark.parametrize(
    "question", ["Who is Joy married to?", "Who is Ann?", "Who is late?", "Who is in the band?"]
)
def test_other_questions_are_not_about_a_writer(chats: ChatMemory, question: str) -> None:
    assert "no message that says who" not in asked(chats, question).text


NEWS = """\
3 messages with “brewery” or “brewerys”:

Tyler, 4 October 2025, 09:00 in “Soot Tarts”: “brewery wants us on the 11th” [1]

Priya, 5 October 2025, 09:00 in “Soot Tarts”: “the brewerys stage is tiny” [2]

Priya, 6 October 2025, 09:00 in “Soot Tarts”: “brewery moved us to the 12th” [3]"""


@pytest.mark.parametrize(
    "question",
    [
        "What's the latest on the brewery?",
        "any news about the brewery",
        "catch me up on the brewery",
        "How is the brewery doing these days?",
    ],
)
def test_of_the_news_of_a_thing_the_last_messages_are_listed(
    chats: ChatMemory, question: str
) -> None:
    assert chats.tuned(abstain_below=1.0).ask(question, history=()).text == NEWS


@pytest.mark.parametrize(
    "question", ["How is that going?", "What's the latest on the moon?", "Any news about her?"]
)
def test_without_a_thing_or_a_message_with_it_nothing_is_listed(
    chats: ChatMemory, question: str
) -> None:
    assert chats.tuned(abstain_below=1.0).ask(question, history=()).abstained


def test_a_filter_that_leaves_no_message_of_theirs_leaves_the_answer(chats: ChatMemory) -> None:
    answer = chats.ask("Who is Joy?", history=(), since="2025-10-20", until="2025-10-30")
    assert "no message that says who" not in answer.text

"""What a question says beside its class: money and not messages, the fewest and not the most."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory

CHATS = {
    "Harbour Choir": """\
01/03/2024, 10:00 - Ines Moll: rehearsal is on monday
01/03/2024, 10:02 - Noor: ok
01/03/2024, 10:03 - Tom Reed: I bring the scores
02/04/2024, 10:00 - Noor: who has the key?
05/05/2025, 10:00 - Walt: bye
""",
    "Ines Moll": """\
10/03/2024, 10:00 - Ines Moll: did you pay the hall
10/03/2024, 10:02 - Tom Reed: yes, 40
10/03/2024, 10:05 - Ines Moll: thanks
11/06/2025, 10:05 - Ines Moll: see you there
""",
    "Noor": """\
12/03/2024, 10:00 - Noor: hello
12/03/2024, 10:02 - Tom Reed: hi
12/03/2024, 10:03 - Tom Reed: how are you
""",
}


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats"), chats=CHATS) as memory:
        yield memory


@pytest.mark.parametrize(
    "question",
    [
        "how much did i send ines",
        "how much have I given Noor",
        "how much did I send to Ines in March 2024",
        "when did Noor last come",
        "when was the last time Ines came",
        "what was the first thing Noor did",
        "what was the first thing Ines bought",
        "when did Noor last visit",
        "who do i hardly ever write to",
        "do i text more than ann",
        "who did i not talk to in march 2024",
    ],
)
def test_what_is_not_about_messages_is_not_counted(chats: ChatMemory, question: str) -> None:
    answer = asked(chats, question)
    assert answer.model != "none", answer.text
    assert "Understood" not in answer.note


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("how much did I write to Ines", "Tom Reed sent 1 message in “Ines Moll”"),
        ("what was the first thing Noor said", "The first message is from Noor, Friday, 1 March"),
        ("when did I last hear anything from Noor", "The last message is from Noor, Tuesday, 2 A"),
        ("whos slow at responding", "Nobody has 5 replies"),
    ],
)
def test_what_is_about_messages_still_is(chats: ChatMemory, question: str, begins: str) -> None:
    assert asked(chats, question).text.startswith(begins)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("quietest month", "had the fewest messages"),
        ("least active month", "had the fewest messages"),
        ("slowest month", "had the fewest messages"),
        ("the day with the fewest messages", "had the fewest messages of those with any: 1 of 12"),
        ("most messages in one day", "Tuesday, 12 March 2024 [3] had the most messages: 3 of 12"),
        ("the most messages from Ines in a day", "Sunday, 10 March 2024 [1] had the most messages"),
    ],
)
def test_the_extreme_that_is_asked_for_is_kept(chats: ChatMemory, question: str, said: str) -> None:
    assert said in asked(chats, question).text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "who hasn't written for the longest time",
            "Noor has been quiet the longest: since 2 April 2024 (",
        ),
        (
            "who hasn't written to me for the longest time",
            "Noor has been quiet the longest in chats of two: since 12 March 2024 (",
        ),
        (
            "who have I lost touch with",
            "Noor has been quiet the longest in chats of two: since 12 March 2024 (",
        ),
        (
            "what was the last question Noor asked",
            "The last question is from Noor, Tuesday, 2 April 2024, 10:00, in “Harbour Choir”: “who has the key?” [1]. A question is a message with a question mark.",
        ),
        (
            "who have I written to least",
            "Fewest messages, in chats of two, are with: Noor (3) [1] and Ines Moll (4) [2].",
        ),
        (
            "who did I talk to least in June 2025",
            "Fewest messages from 1 June 2025 to 30 June 2025, in chats of two, are with: Noor (0)",
        ),
        (
            "do I write more than Ines",
            "No: Ines Moll [1] wrote the most in “Harbour Choir” and “Ines Moll”: 4 of 6 messages.",
        ),
        (
            "who writes more, me or Walt",
            "Tom Reed [1] and Walt [2] wrote equally much in “Harbour Choir”: 1 of 2 messages each.",
        ),
        (
            "who writes more, Noor or me, in the Noor chat",
            "Tom Reed [1] wrote the most in “Noor”: 2 of 3 messages. Then Noor (1) [2].",
        ),
    ],
)
def test_the_text_says_of_which_messages_it_is(chats: ChatMemory, question: str, text: str) -> None:
    assert asked(chats, question).text.startswith(text)

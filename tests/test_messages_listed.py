"""The first or last messages, listed: "show me the last 5 messages from Ann"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, memory_of, opened

from minirag_chat import ChatMemory


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("listed")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("show me the last 2 messages", ["bye", "are you home"]),
        ("What were the last two messages in Cabin Crew?", ["see you there", "bye"]),
        ("last 3 messages from Dana", ["and I bring bread", "did you find the key", "bye"]),
        ("list Ollie's last couple of messages", ["great", "see you there"]),
        ("the first 2 messages Dana sent to me", ["did you find the key"]),
        (
            "can you show me the first 2 messages in May 2024?",
            ["we have the cabin from friday", "great"],
        ),
        ("what are the latest messages in the Ollie chat", ["hello", "hi"]),
        ("read the most recent messages from Ollie", ["hello", "great", "see you there"]),
        ("show the last 1 messages", ["are you home"]),
        ("last 2 messages Ollie", ["great", "see you there"]),
        ("Ollie last 2 messages", ["great", "see you there"]),
        ("last 2 messages to Ollie", ["hello", "hi"]),
        ("the last two things Ollie wrote", ["great", "see you there"]),
        ("every message from Ollie", ["hello", "great", "see you there"]),
        ("each single message from Ollie in 2025", ["see you there"]),
        ("all of Ollie's messages", ["hello", "great", "see you there"]),
        ("all messages between me and Ollie", ["hello", "hi"]),
        ("messages with Ollie", ["hello", "hi"]),
        ("messages with soup in them", ["I bring the soup"]),
        ("show messages where someone mentions soup", ["I bring the soup"]),
        ("all messages from Dana that mention bread", ["and I bring bread"]),
        ("show me all messages Ollie", ["hello", "great", "see you there"]),
        (
            "Zeig mir die letzten drei Nachrichten von Dana",
            ["and I bring bread", "did you find the key", "bye"],
        ),
        (
            "was waren die ersten 2 nachrichten in Cabin Crew",
            ["we have the cabin from friday", "great"],
        ),
        ("die letzten nachrichten von Ollie", ["hello", "great", "see you there"]),
    ],
)
def test_those_of_the_end_that_is_asked_about_are_listed_in_order_of_time(
    chats: ChatMemory, question: str, texts: list[str]
) -> None:
    answer = asked(chats, question)
    assert answer.model == "none", answer.text
    assert [source.message.text for source in answer.sources] == texts
    for number, text in enumerate(texts, start=1):
        assert f"\u201c{text}\u201d [{number}]" in answer.text


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("show me today's messages", ["are you home"]),
        ("Today's messages", ["are you home"]),
        ("any messages today?", ["are you home"]),
        ("are there any new messages from today?", ["are you home"]),
        ("new messages since 14 June 2025?", ["see you there", "bye", "are you home"]),
        (
            "what new messages are there since 14 June 2025?",
            ["see you there", "bye", "are you home"],
        ),
        ("which messages did I get in June 2025?", ["see you there", "bye"]),
        ("do I have any messages from Ollie?", ["hello", "great", "see you there"]),
        ("last year's messages from Ollie", ["hello", "great"]),
        ("any messages in the Ollie chat in 2024?", ["hello", "hi"]),
    ],
)
def test_those_of_a_time_or_a_chat_are_listed_however_they_are_asked_for(
    chats: ChatMemory, question: str, texts: list[str]
) -> None:
    answer = asked(chats, question)
    assert answer.model == "none", answer.text
    assert [source.message.text for source in answer.sources] == texts


def test_it_is_said_that_there_are_none_of_a_day(chats: ChatMemory) -> None:
    assert asked(chats, "any messages yesterday?").text.startswith(
        "There are no messages on 12 July 2025."
    )


@pytest.mark.parametrize("question", ["any new messages?", "all messages", "do I have messages?"])
def test_messages_of_no_time_are_not_listed(chats: ChatMemory, question: str) -> None:
    assert not asked(chats, question).text.startswith("The last")


@pytest.mark.parametrize(
    ("question", "head"),
    [
        (
            "the last 2 messages from Dana in Cabin Crew",
            "The last 2 messages from Dana Fox in \u201cCabin Crew\u201d:",
        ),
        ("the last 50 messages", "There are only 11 messages:"),
        (
            "the last 9 messages Dana sent to me",
            "There is only 1 message from Dana Fox in \u201cDana Fox\u201d:",
        ),
    ],
)
def test_it_is_said_which_they_are(chats: ChatMemory, question: str, head: str) -> None:
    assert asked(chats, question).text.splitlines()[0] == head


def test_each_is_shown_with_its_sender_time_and_chat(chats: ChatMemory) -> None:
    first = asked(chats, "show me the last 2 messages").text.split("\n\n")[2]
    assert (
        first
        == "Tom Reed, 13 July 2025, 10:02 in \u201cDana Fox\u201d: \u201care you home\u201d [2]"
    )


@pytest.mark.parametrize(
    "question",
    [
        "what were the last messages about the cabin?",
        "What do the last 3 messages say about bread?",
        "What did Dana say in the last few messages about the key?",
    ],
)
def test_what_asks_for_more_is_looked_up(chats: ChatMemory, question: str) -> None:
    assert asked(chats, question).model != "none"


@pytest.mark.parametrize(
    ("first", "then", "texts"),
    [
        ("How many messages did Dana send in May 2024?", "show me them",
         ["we have the cabin from friday", "and I bring bread"]),
        ("How many messages did Ollie send?", "can I see them?", ["hello", "great", "see you there"]),
        ("How many messages did Ollie send?", "list them all", ["hello", "great", "see you there"]),
        ("How many messages in the Ollie chat?", "show me all the messages", ["hello", "hi"]),
        ("How often does Ollie write?", "show those messages", ["hello", "great", "see you there"]),
        ("When did Ollie write in May 2024?", "show them", ["great"]),
        ("Did Ollie write in May 2024?", "show them", ["great"]),
        ("Wie viele Nachrichten hat Ollie geschrieben?", "zeig sie mir", ["hello", "great", "see you there"]),
    ],
)  # fmt: skip
def test_what_was_counted_is_listed(
    chats: ChatMemory, first: str, then: str, texts: list[str]
) -> None:
    answer = chats.ask(then, history=[(first, "a few")])
    assert [source.message.text for source in answer.sources] == texts
    assert answer.question == then


def test_what_was_counted_last_is_listed_and_the_conversation_goes_on(chats: ChatMemory) -> None:
    first = "How many messages did Dana send in May 2024?"
    earlier = [(first, "2"), ("show me them", "…"), ("and Ollie?", "1"), ("show them", "…")]
    assert [one.message.text for one in chats.ask("show them all", history=earlier).sources] == [
        "great"
    ]
    assert chats.ask("and in July 2025?", history=earlier).text.startswith("Ollie sent no messages")


def test_messages_of_an_answer_that_counts_none_are_shown_as_its_sources(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        ranked = memory.ask("Who wrote most in Cabin Crew?")
        shown = memory.ask("show them")
        assert shown.text.startswith("Dana Fox wrote in \u201cCabin Crew\u201d on")
        assert [one.message.id for one in shown.sources] == [
            one.message.id for one in ranked.sources
        ]


SHARED = """\
12/02/2024, 10:00 - Dana: look https://cabin.example/book
12/02/2024, 10:01 - Ollie: IMG-1.jpg (file attached)
12/02/2024, 10:02 - Dana: lovely
13/04/2024, 10:00 - Dana: IMG-2.jpg (file attached)
13/04/2024, 10:05 - Ollie: and www.train.example for the train
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("shared")
    export = folder / "WhatsApp Chat with Cabin.txt"
    export.write_text(SHARED, encoding="utf-8")
    with memory_of(folder, "Dana", export) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begins", "days"),
    [
        ("Which links were shared?", "2 messages with links:", [12, 13]),
        ("what links did Ollie send me in April 2024", "1 message with a link from Ollie", [13]),
        ("show me all the photos", "2 messages with photos:", [12, 13]),
        ("list the pictures from Ollie", "1 message with a photo from Ollie:", [12]),
        ("Show me Ollie's photos", "1 message with a photo from Ollie:", [12]),
        ("Which photos did we send in March 2024?", "There are no messages from 1 March", []),
        ("show me the links Dana shared in April 2024", "There are no links from Dana", []),
    ],
)
def test_messages_with_links_and_files_are_listed_in_order_of_time(
    shared: ChatMemory, question: str, begins: str, days: list[int]
) -> None:
    answer = asked(shared, question)
    assert answer.text.startswith(begins), answer.text
    assert [source.sent_at.day for source in answer.sources] == days
    assert answer.model == "none"


@pytest.mark.parametrize(
    "question", ["show me the photos of the swan", "Which photos did Ollie send of the lake?"]
)
def test_what_is_on_a_photo_is_looked_up(shared: ChatMemory, question: str) -> None:
    assert asked(shared, question).model != "none"

"""Questions about messages that name one of two people, or of two chats, of the same first name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes import WordEmbedder
from places import write_table
from three_chats import asked

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadQuestion

ROWS = (
    ("2024-01-01 10:00", "Anna Berg", "hello", "Anna Berg"),
    ("2024-01-01 10:01", "Tom Reed", "the key is under the mat", "Anna Berg"),
    ("2024-01-02 10:00", "Anna Koch", "the roof leaks", "Anna Koch"),
    ("2024-01-03 10:00", "Tom Reed", "nice tiles", "Roof"),
    ("2024-01-03 10:01", "Anna Koch", "yes", "Roof"),
    ("2024-01-04 10:00", "Anna Koch", "who plays", "Kegelclub"),
    ("2024-01-04 10:01", "Anna Berg", "me", "Kegelclub"),
    ("2024-01-04 10:02", "Tom Reed", "me too", "Kegelclub"),
    ("2024-01-04 10:03", "Ollie", "and me", "Kegelclub"),
    ("2024-01-05 10:00", "Ben Hart", "the van is red", "Ben Hart"),
    ("2024-01-06 10:00", "Tom Reed", "the van is blue", "Kegelclub"),
)
TITLES = "'Anna Berg' and 'Anna Koch': ask with the whole title"
NAMES = "'Anna Berg' and 'Anna Koch': ask with the whole name"


@pytest.fixture(scope="module")
def annas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("annas")
    settings = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_table(folder / "chats.csv", *ROWS))
        memory.set_me("Tom Reed")
        yield memory


@pytest.mark.parametrize(
    ("question", "refusal"),
    [
        ("Who wrote most in the Anna chat?", TITLES),
        ("How many messages are in the Anna chat?", TITLES),
        ("Who is in the Anna chat?", TITLES),
        ("What did we talk about in the Anna chat?", TITLES),
        ("How many messages are in my chat with Anna?", NAMES),
        ("What was the last message in the chat with Anna?", NAMES),
        ("What did we talk about in the chat with Anna?", NAMES),
        ("How many messages did I send to Anna?", NAMES),
        ("How many messages did Anna send me?", NAMES),
        ("When did Anna and I last talk?", NAMES),
        ("Which chats is Anna in?", NAMES),
    ],
)
def test_which_one_is_meant_is_asked(annas: ChatMemory, question: str, refusal: str) -> None:
    with pytest.raises(BadQuestion, match=refusal):
        asked(annas, question)


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("How many messages did Anna send?", "5 messages: Anna Koch (3) and Anna Berg (2);"),
        ("How many messages are in the Anna Koch chat?", "Anna Koch sent 1 message in “Anna Koch”"),
        ("Who wrote most in my chat with Anna Berg?",
         "Anna Berg [1] and Tom Reed [2] wrote equally much in “Anna Berg”: 1 of 2"),
        ("How many messages are in the chat with Anna Koch?", "3 messages in “Anna Koch” and “Roof”: "),
        ("How many messages are in the chat with Ben?", "Ben Hart sent 1 message in “Ben Hart”"),
        ("How many messages did Anna Koch send me?", "Anna Koch sent 2 messages in “Anna Koch” and “Roof”"),
    ],
)  # fmt: skip
def test_the_answer_says_which_one_it_took(annas: ChatMemory, question: str, begin: str) -> None:
    assert asked(annas, question).text.startswith(begin), asked(annas, question).text


def test_what_is_looked_up_is_looked_up_in_the_chat_with_this_person(annas: ChatMemory) -> None:
    answer = asked(annas, "Which colour has the van in the chat with Ben?")
    assert {source.chat for source in (*answer.sources, *answer.closest)} == {"Ben Hart"}
    chats = {one.chat for one in asked(annas, "Which colour has the van?").shown}
    assert chats > {"Ben Hart"}


def test_a_chat_with_more_people_or_with_nobodys_is_not_that_of_two(annas: ChatMemory) -> None:
    for question in (
        "How many messages are in the chat with Ben and Ollie?",
        "How many messages are in the chat with Ollie?",
        "How many messages are in the chat with Ben's sister?",
        "How many messages are in Ollie's chat with Ben?",
    ):
        assert asked(annas, question).model != "none", question


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        (
            "What did Anna and I talk about on 1 January 2024?",
            ["hello", "the key is under the mat"],
        ),
        ("What did Anna and I talk about on 3 January 2024?", ["nice tiles", "yes"]),
    ],
)
def test_what_was_talked_about_with_one_of_them_needs_not_both(
    annas: ChatMemory, question: str, shown: list[str]
) -> None:
    answer = asked(annas, question)
    assert [source.message.text for source in answer.sources] == shown

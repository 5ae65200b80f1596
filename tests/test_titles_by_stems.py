"""A chat that a question calls by another form of a word in its title, and names that nobody has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory
from minirag_chat.errors import BadQuestion

CHATS = {
    "Noor": """\
12/03/2024, 10:00 - Noor: hello
12/03/2024, 10:02 - Tom Reed: hi
""",
    "Walking Wednesdays": """\
01/03/2024, 10:00 - Ines Moll: the bakers meet on monday
01/03/2024, 10:02 - Ines Marten: ok
01/03/2024, 10:03 - Tom Reed: I bring a map
""",
    "Parish Hall": """\
02/03/2024, 10:00 - Ines Moll: the club has 40 members
02/03/2024, 10:02 - Noor: ok
02/03/2024, 10:03 - Ines Moll: and a new roof
""",
    "Sailors of Brest": """\
03/03/2024, 10:00 - Noor: high tide at six
03/03/2024, 10:02 - Ines Marten: aye
03/03/2024, 10:03 - Tom Reed: aye aye
""",
}


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats"), chats=CHATS) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("what was the first message in the walkers chat", "The first message in “Walking Wedn"),
        (
            "who writes most in the walking club",
            "Tom Reed [1], Ines Moll [2] and Ines Mar",
        ),
        ("how many people are in the walking club", "3 people have written in “Walking Wednesd"),
        ("who is in the sailing club", "3 people have written in “Sailors of Brest”"),
        ("how many messages in the sailing group", "3 messages in “Sailors of Brest”"),
    ],
)
def test_another_form_of_a_word_names_the_only_chat_with_it(
    chats: ChatMemory, question: str, begins: str
) -> None:
    assert asked(chats, question).text.startswith(begins), asked(chats, question).text


def test_a_chat_that_is_not_there_is_told_with_a_few_that_are(chats: ChatMemory) -> None:
    known = (
        "there are 'Walking Wednesdays', 'Sailors of Brest', 'Noor' and 1 more; "
        "“Which chats do I have?” lists them."
    )
    for name, question in (
        ("judo", "what was the first message in the judo chat"),
        ("judo club", "who writes most in the judo club"),
    ):
        with pytest.raises(BadQuestion) as refused:
            asked(chats, question)
        assert str(refused.value) == f"There is no chat {name!r}: {known}"
    assert asked(chats, "Which chats do I have?").text.startswith("4 chats: ")


def test_a_club_may_be_what_messages_are_about(chats: ChatMemory) -> None:
    answer = asked(chats, "how many people are in the judo club")
    assert answer.note.startswith("There is no chat 'judo club': ")
    assert not asked(chats, "who is the treasurer of the judo club").note


@pytest.mark.parametrize("called", ["ines marden", "Ines Martn", "ines mahrten"])
def test_a_misspelt_surname_is_read_as_the_one_like_it(chats: ChatMemory, called: str) -> None:
    answer = asked(chats, f"how many messages from {called}")
    assert answer.text.startswith("Ines Marten sent 2 messages")
    assert answer.note == f"Nobody is called '{called}': read as 'Ines Marten'."


def test_nothing_comes_close_to_the_messages_of_nobody(chats: ChatMemory) -> None:
    answer = asked(chats, "How many messages did Bartholomew send?")
    assert answer.note.startswith("Nobody is called 'Bartholomew'")
    assert (answer.abstained, answer.closest, answer.reason) == (True, (), "nothing_found")

"""A word or a few that ask nothing, without a model: the messages that have them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory

CHATS = {
    "Soot Tarts": """\
02/10/2025, 20:00 - Tyler: who has the hall keys
02/10/2025, 20:01 - Colm: the key is on the hook
03/10/2025, 20:01 - Priya: rehearsal on wed then
04/10/2025, 09:00 - Tyler: my sisters wedding is in May
05/10/2025, 09:00 - Priya: table at Mangal booked for six
06/10/2025, 09:00 - Priya: we moved the amp in the van
""",
    "Priya": """\
07/10/2025, 09:00 - Priya: the van is blue
08/10/2025, 09:00 - Colm: the amp was in the blue van
""",
}
KEYS = """\
2 messages with “keys”:

Tyler, 2 October 2025, 20:00 in “Soot Tarts”: “who has the hall keys” [1]

Colm, 2 October 2025, 20:01 in “Soot Tarts”: “the key is on the hook” [2]"""


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("words"), chats=CHATS, me="Colm") as memory:
        yield memory


@pytest.mark.parametrize("text", ["keys", "keys?", "the keys", "keys keys keys"])
@pytest.mark.parametrize("silent", [0.0, 1.0])
def test_all_messages_with_a_word_are_listed(chats: ChatMemory, text: str, silent: float) -> None:
    answer = chats.tuned(abstain_below=silent).ask(text, history=())
    assert (answer.text, answer.abstained, answer.confidence) == (KEYS, False, 1.0)
    assert len(answer.sources) == 2


@pytest.mark.parametrize(
    ("text", "head", "quoted"),
    [
        ("Mangal", "1 message with “Mangal”:", ["Mangal"]),
        ("wedding", "1 message with “wedding”:", ["wedding"]),  # and not the one with "wed"
        ("moving", "1 message with “moving” in another form:", ["moved"]),
        ("amp van", "2 messages with “amp” and “van”:", ["amp in the van", "blue van"]),
        ("van in the Soot Tarts chat", "1 message with “van” in “Soot Tarts”:", ["amp"]),
    ],
)
def test_by_which_words_messages_are_found(
    chats: ChatMemory, text: str, head: str, quoted: list[str]
) -> None:
    answer = chats.tuned(abstain_below=1.0).ask(text, history=())
    assert answer.text.startswith(head)
    assert len(answer.sources) == len(quoted)
    assert all(words in one.message.text for words, one in zip(quoted, answer.sources, strict=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sheffield", "Nobody wrote “Sheffield”."),
        ("fehearsal?", "Nobody wrote “fehearsal”. Did you mean “rehearsal”?"),
        ("keys in the Priya chat", "Nobody wrote “keys” in “Priya”."),
    ],
)
def test_a_word_that_nobody_wrote(chats: ChatMemory, text: str, said: str) -> None:
    answer = chats.tuned(abstain_below=1.0).ask(text, history=())
    assert (answer.text, answer.abstained, answer.sources) == (said, False, ())


def test_a_misspelt_word_lists_the_messages_with_the_word_that_is_meant(chats: ChatMemory) -> None:
    answer = chats.ask("the rehersal", history=())
    assert answer.text.startswith("1 message with “rehearsal”")
    assert answer.note == "Read 'rehersal' as 'rehearsal'."


@pytest.mark.parametrize(
    "text",
    [
        "van colour",  # no message has both
        "keys where",
        "why",
        "Priya van",  # names a person
        "8 October",  # a time
        "Soot Tarts",  # the title of a chat
        "is the van blue",
        "blue amp hall table",
        "护照在哪里",
    ],
)
def test_what_asks_more_is_no_search(chats: ChatMemory, text: str) -> None:
    said = chats.tuned(abstain_below=1.0).ask(text, history=()).text
    assert " with “" not in said
    assert "Nobody" not in said


def test_an_answer_that_shows_all_messages_with_several_words_stays(chats: ChatMemory) -> None:
    assert asked(chats.tuned(abstain_below=0.0), "table Mangal").text.startswith("Priya wrote on")

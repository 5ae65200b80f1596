"""A pasted message: what it says is not looked up, but shown where it stands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory
from minirag_chat.question.wants import wants_something

CHATS = {
    "Flat": """\
06/10/2025, 19:10 - Jo: is the washer in
06/10/2025, 19:12 - Ben: it came. its a Beko. it sings a song when its done
06/10/2025, 19:13 - Ife: wow
07/10/2025, 10:15 - Jo: whos on the desk tonight
07/10/2025, 10:16 - Ben: me from six
07/10/2025, 10:17 - Jo: see you at home then
08/10/2025, 10:17 - Jo: see you at home then
08/10/2025, 11:17 - Ben: see you at home then
09/10/2025, 10:17 - Ife: see you at home then
""",
    "Band": """\
07/10/2025, 12:15 - Ben: can do the 14th but not before nine
07/10/2025, 12:16 - Cara: ok
""",
}
SHOWN = """\
Ben wrote in “Flat” on Monday 6 October 2025 at 19:12: “it came. its a Beko. it sings a song when its done” [1]

Around it:

In “Flat” on Monday 6 October 2025:

19:10 Jo: “is the washer in” [2]

19:13 Ife: “wow” [3]"""


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("pasted"), chats=CHATS, me="Jo") as memory:
        yield memory


@pytest.mark.parametrize(
    "text",
    [
        "it came. its a Beko. it sings a song when its done",
        "It came, its a beko, it sings a song when its done!",
        "its a Beko. it sings a song",
        "[19:12, 2025-10-06] Ben: it came. its a Beko. it sings a song when its done",
    ],
)
def test_a_pasted_message_is_shown_with_what_is_around_it(chats: ChatMemory, text: str) -> None:
    answer = asked(chats, text)
    assert answer.text == SHOWN
    assert not answer.abstained
    assert [one.message.shown_sender for one in answer.sources] == ["Ben", "Jo", "Ife"]


def test_a_model_is_not_asked_about_it(chats: ChatMemory) -> None:
    assert asked(chats, "can do the 14th but not before nine").model == "none"


def test_it_is_looked_for_among_the_chats_that_are_asked(chats: ChatMemory) -> None:
    text = "can do the 14th but not before nine"
    assert chats.ask(text, history=(), chats=["Flat"]).model != "none"
    assert chats.ask(text, history=(), chats=["Band"]).model == "none"


@pytest.mark.parametrize(
    "text",
    [
        "whos on the desk tonight",  # a message that asks is answered by what came after it
        "see you at home then",  # what many write is a phrase
        "me from six",  # too short to be known
        "its a Beko that sings",  # in no message
        "how many messages did Ben send",
    ],
)
def test_what_asks_or_is_no_message_is_looked_up_or_counted(chats: ChatMemory, text: str) -> None:
    assert "Around it" not in asked(chats, text).text


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("whos on the desk", True),
        ("ok and when is it", True),
        ("did Ben pay the rent", True),
        ("can you bring the soup", True),
        ("wann kommen Marens Eltern", True),
        ("tell me about the cannon", True),
        ("the rent is due tomorrow?", True),
        ("can do the 14th but not before nine", False),
        ("will be there by six", False),
        ("hi its Nat, new number", False),
    ],
)
def test_what_wants_something(text: str, wants: bool) -> None:
    assert wants_something(text) is wants


def test_a_part_of_a_message_may_be_a_follow_up(chats: ChatMemory) -> None:
    first = asked(chats, "When was the washer in the flat used?")
    history = [(first.question, first.text)]
    part = chats.ask("its a Beko. it sings a song", history=history)
    assert "Around it:" not in part.text
    whole = chats.ask("it came. its a Beko. it sings a song when its done", history=history)
    assert whole.text == SHOWN

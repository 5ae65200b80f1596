"""What there is about a person: "Tell me about Ann"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory

CHATS = {
    "Soot Tarts": """\
02/10/2025, 20:00 - Tyler: who has the hall key
02/10/2025, 20:01 - Colm: me
03/10/2025, 20:01 - Priya: Tyler is our drummer from Ludlow, he owes the landlord 400 euros
03/10/2025, 20:02 - Colm: right
04/10/2025, 09:00 - Tyler: my sister Noor got the bakery apprenticeship in Hereford
05/10/2025, 09:00 - Priya: nice
05/10/2025, 09:01 - Tyler: ok
06/10/2025, 09:00 - Tyler: broke two fingers skating, plaster until the 24th
07/10/2025, 09:00 - Tyler: ok
08/10/2025, 09:00 - Tyler: selling the green van, 2100 ono
09/10/2025, 09:00 - Priya: hmm
""",
    "Joy": "06/11/2025, 19:12 - Joy: Porridge for your mum at eight\n06/11/2025, 19:13 - Colm: thanks\n",
}
OF_TYLER = """\
Tyler wrote 6 messages in “Soot Tarts”, the first on 2 October 2025 [1], the last on 8 October 2025 [2].

- Priya, 3 October 2025, 20:01 in “Soot Tarts”: “Tyler is our drummer from Ludlow, he owes the landlord 400 euros” [3]
- Tyler, 4 October 2025, 09:00 in “Soot Tarts”: “my sister Noor got the bakery apprenticeship in Hereford” [4]
- Tyler, 6 October 2025, 09:00 in “Soot Tarts”: “broke two fingers skating, plaster until the 24th” [5]
- Tyler, 8 October 2025, 09:00 in “Soot Tarts”: “selling the green van, 2100 ono” [2]"""


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("portrait"), chats=CHATS, me="Colm") as memory:
        yield memory


@pytest.mark.parametrize(
    "question",
    ["Tell me about Tyler", "tell me everything you know about tyler", "What do you know about Tyler?",
     "what can you tell me about Tyler", "Describe Tyler", "What is Tyler like?", "what kind of person is tyler?",
     "Tyler?", "Erz\u00e4hl mir was \u00fcber Tyler"],
)  # fmt: skip
def test_it_has_what_tells_most_of_theirs_and_about_them(chats: ChatMemory, question: str) -> None:
    answer = asked(chats, question)
    assert answer.text == OF_TYLER
    assert answer.confidence == 0.5
    assert {edge.source for edge in answer.path.edges}, "a path leads to the messages"


@pytest.mark.parametrize(
    "question",
    ["Tell me about Tyler's van", "What does Tyler like?", "What is Tyler like to work with?", "Tell me about Ann",
     "Tell me about Tyler and the landlord", "Who told me about Tyler?", "Is Tyler like Priya?"],
)  # fmt: skip
def test_what_asks_for_more_or_of_a_stranger_is_looked_up(chats: ChatMemory, question: str) -> None:
    assert " wrote 6 messages in" not in asked(chats, question).text


def test_a_time_and_a_chat_narrow_it(chats: ChatMemory) -> None:
    narrow = asked(chats, "Tell me about Tyler on 6 October 2025").text
    assert "plaster" in narrow
    assert "Noor" not in narrow
    inside = asked(chats, "Tell me about Tyler in the Joy chat")
    assert inside.abstained
    assert inside.reason == "no_messages"


def test_follow_ups_are_about_another_and_about_her(chats: ChatMemory) -> None:
    about = [("Tell me about Tyler", OF_TYLER)]
    assert "Porridge" in chats.ask("and Joy?", history=about).text
    assert chats.ask("How many messages did he send?", history=about).text.startswith(
        "Tyler sent 6"
    )
    lookup = [("Who has the hall key?", "Colm")]
    assert chats.ask("Tell me about Tyler", history=lookup).text == OF_TYLER
    assert chats.ask("ok and tell me about Tyler", history=lookup).text == OF_TYLER
    assert " wrote 6 messages in" not in chats.ask("Tyler?", history=lookup).text
    counted = [("How many messages did Tyler send?", "Tyler sent 6 messages")]
    assert chats.ask("tell me about him", history=counted).text == OF_TYLER


def test_hostile_text_in_it_stays_text(tmp_path: Path) -> None:
    export = "06/10/2025, 19:12 - Eve: <img src=x onerror=alert(1)> [9] wins 400 pounds\n06/10/2025, 19:13 - Colm: ok\n"
    with opened(tmp_path, chats={"Eve": export}, me="Colm") as memory:
        answer = asked(memory, "Tell me about Eve")
    assert [one.number for one in answer.sources] == [1]


def test_each_of_two_with_one_name_has_a_part(tmp_path: Path) -> None:
    chats = {
        "Ann Berg": "06/10/2025, 19:12 - Ann Berg: the boat needs 40 litres\n06/10/2025, 19:13 - Colm: ok\n",
        "Ann Reed": "06/11/2025, 19:12 - Ann Reed: my exam is over\n06/11/2025, 19:13 - Colm: ok\n",
    }
    with opened(tmp_path, chats=chats, me="Colm") as memory:
        answer = asked(memory, "Tell me about Ann")
    assert "Ann Berg wrote 1 message" in answer.text
    assert "“the boat needs 40 litres” [1]" in answer.text
    assert "“my exam is over” [2]" in answer.text
    assert [one.number for one in answer.sources] == [1, 2]

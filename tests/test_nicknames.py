"""What the asker calls people in questions: "mum", who is Ruth Keller in every export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_forgetting import found_in
from three_chats import asked, memory_of

from minirag_chat import ChatMemory
from minirag_chat.errors import BadSetting, NotFound

EXPORT = """\
01/03/2026, 10:00 - Ruth Keller: hello darling
02/03/2026, 10:00 - Nora Keller: hi
03/03/2026, 10:00 - Ruth Keller: bring the big suitcase
"""


@pytest.fixture
def family(tmp_path: Path) -> Iterator[ChatMemory]:
    export = tmp_path / "WhatsApp Chat with Ruth Keller.txt"
    export.write_text(EXPORT, encoding="utf-8")
    with memory_of(tmp_path, "Nora Keller", export) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("When did mum last write?", "The last message is from Ruth Keller, Tuesday, 3 March 2026"),
        ("how many messages did my mum send", "Ruth Keller sent 2 messages"),
        ("Whats mums last message", "The last message is from Ruth Keller"),
        (
            "what is my Mum's first message?",
            "The first message is from Ruth Keller, Sunday, 1 March",
        ),
        (
            "who wrote more, mum or me",
            "Ruth Keller [1] wrote the most in “Ruth Keller”: 2 of 3 messages",
        ),
        ("Wie viele Nachrichten hat meine mum geschrieben?", "Ruth Keller sent 2 messages"),
    ],
)
def test_a_question_may_call_a_person_by_a_nickname(
    family: ChatMemory, question: str, begin: str
) -> None:
    assert not asked(family, question).text.startswith(begin)
    family.set_nickname("Mum", "Ruth Keller")
    assert asked(family, question).text.startswith(begin)


def test_a_nickname_is_part_of_no_longer_word(family: ChatMemory) -> None:
    family.set_nickname("mum", "Ruth Keller")
    assert asked(family, "how many messages mention mumbles").text.startswith("Nobody wrote")


@pytest.mark.parametrize(
    ("nickname", "question", "begin"),
    [
        ("kizim", "How many messages did k\u0131z\u0131m send?", ""),
        ("M\u00e4uschen", "How many messages did mauschen send?", "Ruth Keller sent 2"),
        ("\u5988\u5988", "\u5988\u5988\u6700\u540e\u8bf4\u4e86\u4ec0\u4e48", ""),
        ("Ruth", "How many messages did Ruth Keller send?", "Ruth Keller sent 2"),
        ("mum", 'How many messages say "my mum"?', "Nobody wrote \u201cmy mum\u201d"),
        ("mum", "How many messages mention the mums?", ""),
    ],
)
def test_a_nickname_changes_no_other_word(
    family: ChatMemory, nickname: str, question: str, begin: str
) -> None:
    family.set_nickname(nickname, "Ruth Keller")
    assert asked(family, question).text.startswith(begin)


def test_it_follows_a_merge(family: ChatMemory) -> None:
    family.set_nickname("zuckerschnute", "Ruth Keller")
    family.merge_people("Ruth Keller", "Nora Keller")
    assert {n: p.name for n, p in family.nicknames().items()} == {"zuckerschnute": "Nora Keller"}


def test_it_comes_back_with_the_person_and_goes_for_good_with_them(
    family: ChatMemory, tmp_path: Path
) -> None:
    family.set_nickname("zuckerschnute", "Ruth Keller")
    family.delete(people=["Ruth Keller"])
    assert family.nicknames() == {}
    family.restore()
    assert list(family.nicknames()) == ["zuckerschnute"]
    family.delete(people=["Ruth Keller"])
    family.empty_trash()
    (database,) = tmp_path.glob("*.db")
    assert found_in(database, "zuckerschnute") == []


def test_it_goes_when_the_name_is_replaced_for_good(family: ChatMemory, tmp_path: Path) -> None:
    family.set_nickname("zuckerschnute", "Ruth Keller")
    family.replace_name("Ruth Keller", "Person 7")
    family.empty_trash()
    assert family.nicknames() == {}
    (database,) = tmp_path.glob("*.db")
    assert found_in(database, "zuckerschnute") == []


def test_what_cannot_be_one_is_said(family: ChatMemory) -> None:
    with pytest.raises(BadSetting, match="Somebody else is called Nora Keller"):
        family.set_nickname("Nora Keller", "Ruth Keller")
    with pytest.raises(NotFound):
        family.set_nickname("mum", "Ottoline")
    for nickname in ("", "!!", "m" * 41):
        with pytest.raises(BadSetting, match="up to 40 characters"):
            family.set_nickname(nickname, "Ruth Keller")
    for nickname in ("I", "my", "who", "may"):
        with pytest.raises(BadSetting, match="too common a word"):
            family.set_nickname(nickname, "Ruth Keller")
    family.set_nickname("mum", "Ruth Keller")
    family.set_nickname("Mum", "Nora Keller")
    assert {name: person.name for name, person in family.nicknames().items()} == {
        "Mum": "Nora Keller"
    }
    family.set_nickname("mum", None)
    with pytest.raises(NotFound, match="no nickname of anybody"):
        family.set_nickname("mum", None)
    family.set_nickname("mum", "Ruth Keller")
    family.set_nickname("MUM", None)
    assert family.nicknames() == {}


def test_an_unknown_name_says_how_to_give_a_nickname(family: ChatMemory) -> None:
    note = asked(family, "When did mum last write?").note
    assert note.startswith("Nobody is called 'mum'")
    assert "`minirag-chat people nickname NICKNAME NAME`" in note

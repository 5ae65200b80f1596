"""What one has not answered, and what of one's own was not answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory

CHATS = {
    "Club": "01/06/2024, 10:00 - Nils Berg: who brings the ball?\n02/06/2024, 10:00 - Sara Lund: me\n"
    "03/06/2024, 10:00 - Omar Aziz: good\n",
    "Sara Lund": "01/05/2024, 10:00 - Sara Lund: are you home\n01/06/2024, 10:00 - Eva Holm: yes, and you?\n",
    "Omar Aziz": "01/07/2024, 10:00 - Omar Aziz: match at six?\n",
    "Nils Berg": "01/04/2024, 10:00 - Eva Holm: hi\n02/04/2024, 10:00 - Nils Berg: can you help me?\n",
}
ME = "Eva Holm"
TO_ANSWER = """\
2 chats of two end with a message from the other, and no answer from you:

Nils Berg, 2 April 2024, 10:00: “can you help me?” [1]

Omar Aziz, 1 July 2024, 10:00: “match at six?” [2]"""
NOT_ANSWERED = """\
1 chat of two ends with a message from you, and no answer:

Eva Holm, 1 June 2024, 10:00 in “Sara Lund”: “yes, and you?” [1]"""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("club"), chats=CHATS, me=ME) as memory:
        yield memory


@pytest.mark.parametrize(
    "question",
    [
        "Did I forget to reply to anyone?",
        "who do I still have to answer",
        "Who is waiting for an answer from me?",
        "Which messages have I not replied to?",
        "Who haven't I answered?",
        "Unanswered messages?",
        "Have I answered everyone?",
        "Is there anything I forgot to reply to?",
        "are there any messages I haven't answered",
        "how many unanswered messages have i got",
        "Who do I owe a reply?",
    ],
)
def test_what_one_has_not_answered_is_listed(club: ChatMemory, question: str) -> None:
    answer = asked(club, question)
    assert answer.text == TO_ANSWER
    assert [source.message.sender for source in answer.sources] == ["Nils Berg", "Omar Aziz"]


@pytest.mark.parametrize(
    "question",
    [
        "Who has not answered me?",
        "who still owes me an answer",
        "Who didn't reply to me?",
        "who left me on read",
    ],
)
def test_what_others_have_not_answered_is_listed(club: ChatMemory, question: str) -> None:
    assert asked(club, question).text == NOT_ANSWERED


@pytest.mark.parametrize(
    "question",
    ["Who did Nils not answer?", "Who has Sara still to answer?", "Does Omar owe Nils an answer?"],
)
def test_of_others_chats_nothing_is_known(club: ChatMemory, question: str) -> None:
    assert "chats of two" not in asked(club, question).text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("did Sara reply to my last message?", "The last message in “Sara Lund” is from Eva Holm"),
        (
            "Did Sara answer me?",
            "The last message in “Sara Lund” is from Eva Holm, Saturday, 1 June 2024",
        ),
        (
            "has Omar replied to me yet",
            "The last message in “Omar Aziz” is from Omar Aziz, Monday, 1 July",
        ),
        (
            "Did I reply to Nils?",
            "The last message in “Nils Berg” is from Nils Berg, Tuesday, 2 April 2024",
        ),
    ],
)
def test_whether_one_answered_tells_who_wrote_last(
    club: ChatMemory, question: str, text: str
) -> None:
    assert asked(club, question).text.startswith(text)
    about = asked(club, question.rstrip("?") + " about the tent?").text
    assert not about.startswith("The last message")


def test_in_a_group_it_is_not_known_whether_one_answered(tmp_path: Path) -> None:
    group = CHATS["Club"] + "04/06/2024, 10:00 - Eva Holm: thanks\n"
    with opened(tmp_path, chats={"Club": group}, me=ME) as memory:
        answer = asked(memory, "Did Sara answer me?")
        assert answer.text == "There are no messages of a chat of two with Sara Lund."


def test_who_left_is_not_who_left_one_on_read(club: ChatMemory) -> None:
    assert "chat of two" not in asked(club, "who left me").text
    assert asked(club, "who left me on read").text == NOT_ANSWERED


def test_filters_hold(club: ChatMemory) -> None:
    answer = asked(club, "Who did I not answer in April 2024?")
    assert answer.text.startswith("1 chat of two ends with a message from the other")
    assert "from 1 April 2024 to 30 April 2024:" in answer.text
    answer = club.ask("Did I forget to reply to anyone?", history=(), people=["Omar Aziz"])
    assert [source.message.sender for source in answer.sources] == ["Omar Aziz"]


def test_an_answer_takes_a_message_off_the_list(tmp_path: Path) -> None:
    with opened(tmp_path, chats=CHATS, me=ME) as memory:
        reply = tmp_path / "more" / "WhatsApp Chat with Omar Aziz.txt"
        reply.parent.mkdir()
        reply.write_text(
            CHATS["Omar Aziz"] + "02/07/2024, 10:00 - Eva Holm: I come\n", encoding="utf-8"
        )
        memory.add(reply)
        assert [
            source.message.sender for source in asked(memory, "Who haven't I answered?").sources
        ] == ["Nils Berg"]


def test_a_joined_name_is_the_asker(tmp_path: Path) -> None:
    with opened(tmp_path, chats=CHATS, me=ME) as memory:
        memory.merge_people("Nils Berg", "Eva Holm")
        answer = asked(memory, "Who haven't I answered?")
        assert [source.message.sender for source in answer.sources] == ["Omar Aziz"]


@pytest.mark.parametrize("title", ["Eva Holm", "Saved Messages"])
def test_notes_to_oneself_wait_for_no_answer(tmp_path: Path, title: str) -> None:
    with opened(tmp_path, chats=CHATS, me=ME) as memory:
        notes = tmp_path / f"WhatsApp Chat with {title}.txt"
        notes.write_text("01/08/2024, 10:00 - Eva Holm: buy milk\n", encoding="utf-8")
        memory.add(notes)
        assert asked(memory, "Who has not answered me?").text == NOT_ANSWERED


def test_without_an_asker_nothing_is_unanswered(tmp_path: Path) -> None:
    with opened(tmp_path, chats=CHATS, me=ME) as memory:
        memory.set_me(None)
        assert "chats of two" not in asked(memory, "Unanswered messages?").text

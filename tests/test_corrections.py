"""“No, I meant the other Dana” asks the question before anew; “that's wrong” shows what comes next for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from three_chats import opened

from minirag_chat import ChatMemory
from minirag_chat.question import asks_about_answer, with_other_namesake, without_correction

CHATS = {
    "Choir": """\
03/05/2024, 10:00 - Dana Fox: the summer concert is on 4 July in the park
03/05/2024, 10:02 - Dana Marsh: fine
03/05/2024, 10:03 - Tom Reed: I bring soup to the summer concert
04/05/2024, 10:03 - Dana Fox: the carol concert is on 18 December in the church
04/05/2024, 10:04 - Dana Marsh: and a concert for the school some time
04/05/2024, 10:05 - Dana Marsh: who sings alto
05/05/2024, 10:05 - Tom Reed: the concert hall has a piano
05/05/2024, 10:06 - Tom Reed: the last concert was in summer too
06/05/2024, 10:06 - Tom Reed: no concert without tea
07/05/2024, 10:06 - Tom Reed: concert clothes are black
08/05/2024, 10:06 - Tom Reed: I like summer
""",
}


@pytest.fixture
def memory(tmp_path: Path) -> ChatMemory:
    return opened(tmp_path, chats=CHATS)


@pytest.mark.parametrize(
    ("text", "rest"),
    [("No, I meant the other David", "and the other David"), ("sorry, i meant Priya's", "and Priya's"),
     ("Oh, I meant the summer one", "and the summer one"), ("i mean in june", "and in june"),
     ("no wait, Will", "and Will"), ("not Will, Grace", "and Grace"), ("I meant Tom, not Will", "and Tom"),
     ("no I was asking about the boiler", "and the boiler"), ("Sorry, when is the other concert?", "when is the other concert?"),
     ("Actually, and in May?", "and in May?"), ("not in May, in June", "and in June"),
     ("Ok, who has the key?", "who has the key?"), ("I meant when she moved out", "when she moved out")],
)  # fmt: skip
def test_a_correction_is_a_follow_up_and_a_whole_question_stays(text: str, rest: str) -> None:
    assert without_correction(text)[0] == rest


@pytest.mark.parametrize(
    "text",
    ["When is the concert?", "I meant to ask Ann when it is", "not today", "No. 5 bus", "notes from the meeting, June",
     "Oh, I see.", "no, it's fine", "well, that's good to know", "ok. next question: where is the key?",
     "no - it was not in Leeds", "Not long ago, Ann said she was moving", "Oh no, my phone is broken. Where is it?",
     "no " * 4000, "well " * 4000, "sorry, " * 4000, "not a, " * 4000],
)  # fmt: skip
def test_what_corrects_nothing_stays_as_it_is(text: str) -> None:
    assert without_correction(text) == (text, False)


def test_i_meant_asks_the_question_before_of_another_thing(memory: ChatMemory) -> None:
    memory.ask("When is the concert?")
    answer = memory.ask("oh, I meant the carol one")
    assert answer.shown[0].message.text.startswith("the carol concert")
    answer = memory.ask("no I mean the summer one")
    assert answer.shown[0].message.text.startswith("the summer concert")


def test_the_other_of_two_with_the_same_first_name(memory: ChatMemory) -> None:
    memory.ask("How many messages did Dana Fox send?")
    assert memory.ask("No, I meant the other Dana").text.startswith("Dana Marsh sent 3 messages")
    assert memory.ask("sorry, the other Dana").text.startswith("Dana Fox sent 2 messages")
    assert memory.ask("no, the other one").text.startswith("Dana Marsh sent 3 messages")


@pytest.mark.parametrize(
    "text", ["is my brother Dana coming", "is there another one", "did she bring the other one?"]
)
def test_other_in_a_question_is_no_namesake(memory: ChatMemory, text: str) -> None:
    with memory._store.reading():
        before = ("What did Dana Fox say?", "Dana Fox wrote …")
        assert with_other_namesake(text, before, memory._store) == text


def test_only_a_correction_takes_the_place_of_one(memory: ChatMemory) -> None:
    memory.ask("How many messages did Dana Fox send?")
    memory.ask("Ok, how many messages did Tom send?")
    assert memory.ask("Ah, and in May 2024?").text.startswith("Tom Reed sent 6 messages")


@pytest.mark.parametrize(
    "text", ["that's wrong", "Not that one.", "no, that's not what I asked", "I don\u2019t think so", "try again!"]
)  # fmt: skip
def test_what_says_that_an_answer_is_wrong_is_known(text: str) -> None:
    assert asks_about_answer(text) == "others"


@pytest.mark.parametrize("text", ["what went wrong?", "not that Ann", "who said that's wrong?"])
def test_what_only_has_these_words_is_none(text: str) -> None:
    assert asks_about_answer(text) is None


def test_a_wrong_answer_is_followed_by_what_comes_next(memory: ChatMemory) -> None:
    first = memory.ask("When is the summer concert?")
    answer = memory.ask("that's wrong")
    assert answer.text.startswith(
        "Then it may be one of these, which come next for “When is the summer concert?”"
    )
    assert answer.confidence < 0.5, "nobody knows that one of them is right"
    shown = {source.message_id for source in first.sources}
    assert answer.sources
    told = {source.message_id for source in answer.sources}
    assert shown.isdisjoint(told)
    again = memory.ask("try again")
    assert (shown | told).isdisjoint(source.message_id for source in again.sources)


def test_a_count_that_is_doubted_is_shown_with_its_messages(memory: ChatMemory) -> None:
    memory.ask("How many messages did Dana Fox send?")
    answer = memory.ask("that's not right")
    assert answer.text.startswith("It was counted or compared in your messages by code")

"""Which questions lean on the ones before, and on how many; and what a conversation keeps."""

from __future__ import annotations

import pytest

from minirag_chat import ChatMemory
from minirag_chat.question import lean


@pytest.mark.parametrize(
    "question",
    [
        "And where?",
        "When?",
        "Why did she do it?",
        "How long?",
        "什么时候?",
        "那安娜呢?",
        "誰ですか?",
    ],
)
def test_a_follow_up_leans(question: str) -> None:
    assert lean(question, [("Who came?", "Tom.")]) == f"Who came? {question}"


@pytest.mark.parametrize(
    "question",
    [
        "夏雨茶馆在哪条街?",
        "安娜什么时候搬家?",
        "アンナはいつ引っ越しますか?",
        "안나는언제이사해?",
        "When is the wedding?",
        "Who is Sam?",
    ],
)
def test_a_question_with_a_word_of_its_own_stands_alone(question: str) -> None:
    assert lean(question, [("Who came?", "Tom.")]) == question


def test_a_follow_up_of_a_follow_up_leans_on_both() -> None:
    history = [("When is the wedding?", "."), ("Who parked the van?", "."), ("And where?", ".")]
    assert lean("And when?", history) == "Who parked the van? And where? And when?"
    assert lean("And when?", [("And?", ".")] * 50) == "And? And? And? And when?"


def test_a_conversation_keeps_questions_as_they_were_asked(small: ChatMemory) -> None:
    small.ask("Who parked the van?")
    small.ask("And  where?")
    assert [asked for asked, _answer in small._conversation] == [
        "Who parked the van?",
        "And where?",
    ]
    small.ask("And when?")
    prompts = [turns[-1].content for turns in small._model.asked]  # type: ignore[union-attr]
    assert "Earlier question: Who parked the van? And where?" in prompts[-1]


def test_an_overview_is_a_part_of_the_conversation(small: ChatMemory) -> None:
    small.ask("What did we talk about?")
    assert [asked for asked, _answer in small._conversation] == ["What did we talk about?"]

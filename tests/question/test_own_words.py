"""A question about the asker is also ranked as they put it: every message of theirs has their name."""

from __future__ import annotations

from datetime import datetime

import pytest

from minirag_chat import ChatMemory
from minirag_chat.question import about, in_own_words, map_question
from minirag_chat.records import Entity, Filters, PersonSpan

NOW = datetime(2026, 6, 10)
NAME = "Ann Bell"


def spans(text: str) -> list[PersonSpan]:
    starts = [n for n in range(len(text)) if text.startswith(NAME, n)]
    return [PersonSpan(start, start + len(NAME), (7,)) for start in starts]


@pytest.mark.parametrize(
    "question",
    [
        "When is my flu jab?",
        "When is my appointment with Dr Lowe?",
        "What was my blood pressure in April?",
        "When did I sign up?",
        "Who gave me a lift?",
        "Who is driving me?",
        "Which book did Tom lend me in May?",
        "Who took me and my cat home?",
        "What is the book that I lent to Tom?",
        "Was it Tom who told me when I should come?",
    ],
)
def test_the_name_gives_way_to_what_the_asker_said(question: str) -> None:
    named = about(question, NAME)
    assert NAME in named
    assert in_own_words(named, spans(named), 7) == question


@pytest.mark.parametrize(
    "question",
    [
        "Wann ist mein Termin?",
        "Wann habe ich den Termin?",
        "\u6211\u4ec0\u4e48\u65f6\u5019\u53bb\uff1f",
    ],
)
def test_other_languages_keep_the_name(question: str) -> None:
    named = about(question, NAME)
    assert NAME in named
    assert not in_own_words(named, spans(named), 7)


def test_nobody_else_and_nothing_said_is_put_so() -> None:
    text = "What did Ann Bell say?"
    assert in_own_words(text, spans(text), 7) == "What did I say?"
    assert not in_own_words(text, spans(text), 7, [Entity(7, NAME, "person")])
    assert not in_own_words(text, spans(text), 8)
    assert not in_own_words(text, spans(text), None)


def test_the_asker_is_also_ranked_for_without_the_name(small: ChatMemory) -> None:
    small.set_me("Sam")
    with small._store.reading():
        mine = map_question("When is Sam's flu jab?", small._store, NOW, Filters())
        said = map_question("What did Sam say about the key?", small._store, NOW, Filters())
        others = map_question("When is Tom's flu jab?", small._store, NOW, Filters())
    assert mine.ranked_for == ("When is Sam's flu jab?", "When is my flu jab?")
    assert len(said.ranked_for) == len(others.ranked_for) == 1

"""Which questions ask for several things."""

from __future__ import annotations

import pytest

from minirag_chat.question import asks_for_several


@pytest.mark.parametrize(
    "question",
    [
        "Which books did Kim read?",
        "what kind of films does Ivy like",
        "What are Tom's favourite desserts?",
        "Which two old tents did we take?",
        "In what ways does Ben help at the shelter?",
        "Which people have been to the cabin?",
        "list all costs that Colm asked for",
        "Name the plants in the kitchen",
    ],
)
def test_a_noun_in_the_plural_asks_for_several(question: str) -> None:
    assert asks_for_several(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which book did Kim read?",
        "What does Ivy like?",
        "What helps Linnea to sleep?",
        "What was his first address in Leeds?",
        "Which bus does Tom take?",
        "Which of Barnaby's knees was the bad one?",
        "What is Kim's plan for the holidays?",
        "Who wrote the lists?",
        "List",
        "",
    ],
)
def test_one_thing_is_no_list(question: str) -> None:
    assert not asks_for_several(question)

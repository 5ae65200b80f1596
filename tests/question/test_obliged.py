"""What somebody is to do is ranked without their name too, since others say it: "What do I have to bring?"."""

from __future__ import annotations

from datetime import datetime

import pytest

from minirag_chat import ChatMemory
from minirag_chat.question import map_question
from minirag_chat.records import Filters

NOW = datetime(2026, 6, 10)


def ranked_for(memory: ChatMemory, question: str) -> tuple[str, ...]:
    with memory._store.reading():
        return map_question(question, memory._store, NOW, Filters()).ranked_for


@pytest.mark.parametrize(
    ("question", "without"),
    [
        ("What does Sam have to bring on Monday?", "What does I have to bring on Monday?"),
        ("What should Sam do with the key?", "What should I do with the key?"),
        ("Where is Sam supposed to park?", "Where is I supposed to park?"),
        ("What was Sam told to bring Tom?", "What was I told to bring Tom?"),
        ("Was soll Sam mitbringen?", None),
        ("What did Sam bring on Monday?", None),
        ("Who told Tom to bring Sam?", None),
        ("What needs to be brought?", None),
    ],
)
def test_the_name_of_who_is_to_do_it_is_left_out_once(
    small: ChatMemory, question: str, without: str | None
) -> None:
    assert ranked_for(small, question) == (question, *([without] if without else []))

"""What is only polite around a question is taken off before it is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from three_chats import opened

from minirag_chat.question.politeness import without_politeness

SENT = "Dana Fox sent 4 messages"


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("I wonder whether you could tell me when June comes?", "tell me when June comes?"),
        ("Would you mind showing me the photos, please?", "show me the photos?"),
        ("Sorry to trouble you, but how many are there?", "how many are there?"),
        ("If it's not too much trouble, who came?", "who came?"),
        ("I can't remember what June said, can you?", "what June said?"),
        ("I should be most grateful for a list of what is coming up.", "what is coming up."),
        ("May I ask who wrote the most in November?", "who wrote the most in November?"),
        ("Is there any chance that you can count the photos?", "count the photos?"),
        ("How many did Bob write, if you don't mind?", "How many did Bob write?"),
        ("Did Ann say thank you?", "Did Ann say thank you?"),
        ("who said please", "who said please"),
        ("Who can I ask about the boiler?", "Who can I ask about the boiler?"),
        ("Can I have grapefruit with my tablets?", "Can I have grapefruit with my tablets?"),
        ("can you come on friday", "can you come on friday"),
        ("please", "please"),
    ],
)
def test_only_what_is_polite_goes(question: str, plain: str) -> None:
    assert without_politeness(question) == plain


@pytest.mark.parametrize(
    "question",
    [
        "May I ask how many messages Dana sent?",
        "Could I ask how many messages Dana sent?",
        "I would be grateful if you could tell me how many messages Dana sent.",
        "I was wondering how many messages Dana wrote",
        "How many messages did Dana write, please, dear?",
    ],
)
def test_the_answer_is_that_of_the_plain_question(tmp_path: Path, question: str) -> None:
    with opened(tmp_path) as memory:
        answer = memory.ask(question, history=())
        assert answer.text.startswith(SENT), answer.text
        assert answer.question == question

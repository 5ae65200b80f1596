"""Which messages are quoted where no model reads: short lines of a chat that answer one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from minirag_chat.answer.cite import quote
from minirag_chat.answer.prompt import build_context
from minirag_chat.answer.readers import ExtractiveReader, Judgement
from minirag_chat.records import Message, Question

MONDAY = datetime(2026, 3, 2, 10)
Line = tuple[str, float]
"""A message, and its score by the ranker."""


def quoted(asked: str, *sessions: Sequence[Line]) -> list[str]:
    """The messages that are quoted, of conversations on different days."""
    messages: list[Message] = []
    scores: dict[int, float] = {}
    for session, lines in enumerate(sessions, start=1):
        for minute, (text, score) in enumerate(lines):
            at = MONDAY + timedelta(days=session, minutes=minute)
            sender = ("Ann", "Ben")[minute % 2]
            one = len(messages) + 1
            scores[one] = score
            line = Message(one, "Flat", sender, at, text, chat_id=1, session_id=session)
            messages.append(replace(line, sender_id=minute % 2 + 1))
    return read(asked, messages, scores)


def read(asked: str, messages: Sequence[Message], scores: Mapping[int, float]) -> list[str]:
    """What the reader cites of messages whose scores are known; it quotes each of them."""
    text, cited = said(asked, messages, scores)
    assert all(f"\u201c{quotation}\u201d" in text for quotation in cited)
    return cited


def said(
    asked: str, messages: Sequence[Message], scores: Mapping[int, float], *, dated: bool = True
) -> tuple[str, list[str]]:
    """The reader's words, and the messages that it cites."""
    best = sorted(messages, key=lambda message: -scores.get(message.id, 0))
    reading = build_context(asked, best, budget=900, count_tokens=len, words=())
    words = ExtractiveReader({}, scores, dated=dated).read(
        reading, Question(asked), Judgement(), cancelled=lambda: False
    )
    text = ""
    while True:
        try:
            text += next(words)
        except StopIteration as end:
            return text, [message.text for message in end.value.cited]


def test_a_quote_is_followed_by_the_dates_of_its_relative_days() -> None:
    open_on = "We open on Saturday, the sign comes tomorrow. The paint dried today."
    messages = [Message(1, "Shop", "Ann", MONDAY, open_on, chat_id=1, session_id=1)]
    text, _cited = said("When does the shop open?", messages, {1: 4.0})
    dates = "(Saturday: 7 March 2026; tomorrow: Tuesday 3 March 2026)"
    assert text == f"Ann wrote on Monday 2 March 2026: \u201c{open_on}\u201d {dates} [1]"
    twice = [replace(messages[0], text="We met on Friday, and I will see her on Friday.")]
    assert "(" not in said("When do you meet?", twice, {1: 4.0})[0], "which Friday is not clear"
    plain, _cited = said("When does the shop open?", messages, {1: 4.0}, dated=False)
    assert plain.endswith("\u201d [1]")


@pytest.mark.parametrize("asks", ["then who drives the car up north", "who drives it up north?"])
def test_the_reply_that_fits_best_is_quoted_with_a_question(asks: str) -> None:
    """People leave out the question mark, and somebody else may write before the reply."""
    found = quoted(
        "Who drives the car north?", [(asks, 4.2), ("oh no", 2.2), ("Tom can drive", 2.6)]
    )
    assert found == [asks, "Tom can drive"]


@pytest.mark.parametrize("announces", ["what you need to bring:", "带这些\uff1a"])
def test_what_a_message_announces_is_quoted_with_it(announces: str) -> None:
    """A list often comes in messages of its own, which have no word of the question."""
    lines = [("Ann", announces), ("Ann", "a towel"), ("Ann", "and boots"), ("Ben", "got it")]
    messages = [
        Message(
            n, "Club", who, MONDAY + timedelta(minutes=n), text,
            chat_id=1, session_id=1, sender_id=1 if who == "Ann" else 2,
        )
        for n, (who, text) in enumerate(lines, start=1)
    ]  # fmt: skip
    scores = {1: 6.0, 2: 0.2, 3: 0.1, 4: 0.3}
    assert read("What shall we bring?", messages, scores) == [announces, "a towel", "and boots"]


def test_a_list_in_a_long_message_is_quoted_with_what_announces_it() -> None:
    listed = (
        "Here is what to pack for the hut:\n1. a sleeping bag\n2. two pairs of socks\n3. a headlamp"
    )
    letter = f"Dear all, I hope that you had a good week and a quiet one. {'The weather is fine. ' * 9}\n{listed}"
    assert quote(letter, {"pack", "hut"}, {}) == listed
    endless = quote(f"{letter}\n{'more socks ' * 99}", {"pack", "hut"}, {})
    assert endless.startswith(listed)
    assert 500 < len(endless) <= 600
    assert endless.endswith(("more", "socks"))


def test_a_message_that_only_begins_like_the_question_is_no_question() -> None:
    found = quoted(
        "When does Ann swim in the lake?",
        [("when it is warm i swim every day", 4.0), ("me too", 2.0)],
        [("nice, when is that", 1.0)],
    )
    assert found == ["when it is warm i swim every day", "me too"], "about the same: maybe it asks"
    found = quoted(
        "When does Ann swim in the lake?",
        [("when it is warm we go out", 4.0), ("me too", 2.0)],
    )
    assert found == ["when it is warm we go out"]


def test_a_reply_of_another_conversation_is_not_quoted() -> None:
    found = quoted(
        "What is for dinner?", [("what is for dinner tonight?", 4.0)], [("so we saw it", 0.0)]
    )
    assert found == ["what is for dinner tonight?"]


def test_what_goes_on_with_the_best_message_is_quoted_sooner_than_what_stands_elsewhere() -> None:
    told = [("i got the job in Leeds", 3.2), ("WOW", 1.0), ("as lead nurse, from May", 2.1)]
    assert quoted("What job did Ann get?", told) == [told[0][0], told[2][0]]
    elsewhere = [[told[0]], [told[2]]]
    assert quoted("What job did Ann get?", *elsewhere) == [told[0][0]]


def test_a_message_without_words_is_quoted_only_as_a_reply() -> None:
    cheer = "\U0001f389\U0001f389"
    assert quoted("Who takes the room?", [(cheer, 3.4), ("ok i take it", 3.0)]) == ["ok i take it"]
    assert quoted("Does Ben come?", [("do you come?", 3.4), ("\U0001f44d", 1.4)])[1] == "\U0001f44d"
    assert quoted("Does Ben come?", [("\U0001f44d", 1.4)]) == ["\U0001f44d"]


def test_without_a_ranker_a_question_without_a_mark_counts_as_one() -> None:
    texts = ("who broke the kettle in the kitchen", "it was me, with eggs", "what a day")
    messages = [
        Message(n, "Work", "Ann", MONDAY + timedelta(minutes=n), text, chat_id=1, session_id=1)
        for n, text in enumerate(texts, start=1)
    ]
    assert texts[1] in read("Who broke the kettle?", messages, {})


def test_a_question_inside_a_message_gets_what_the_other_answers() -> None:
    asked = "Can I have grapefruit juice with my tablets?"
    lines = [
        ("May I take it with grapefruit juice? I have a glass every morning.", 6.0),
        ("Please avoid it with these", 1.0),
        ("I have it cold, with ice", 1.3),
    ]
    assert quoted(asked, lines) == [lines[0][0], lines[1][0]]

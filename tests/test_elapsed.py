"""A question for how long ago something was is answered with the day, and with how long ago that is."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from fakes import ScriptedModel
from three_chats import asked, opened

from minirag_chat.answer.elapsed import with_elapsed
from minirag_chat.question import when_it_is

NOW = datetime(2026, 11, 29, 1, 0)


@pytest.mark.parametrize(
    ("question", "answer", "shown"),
    [
        ("how long ago did biscuit die", "Saturday 17 October 2026", "Saturday 17 October 2026 (6 weeks ago)"),
        ("How long ago was the move?", "On 3 May 2024.", "On 3 May 2024 (2 years and 6 months ago)"),
        ("So how long has it been since Ann called?", "28 November 2026", "28 November 2026 (1 day ago)"),
        ("how long is it since we moved?", "29 September 2026", "29 September 2026 (2 months ago)"),
        ("how long ago did we meet?", "two years ago", "two years ago"),
        ("How long has Ann been talking to Ben?", "28 November 2026", "28 November 2026 (1 day ago)"),
        ("How long ago was that?", "20 November 2026 or 21 November 2026", "20 November 2026 or 21 November 2026"),
        ("How long ago did they move?", "May 2025", "May 2025"),
        ("How long ago is the trip?", "3 December 2026", "3 December 2026"),
        ("When did biscuit die?", "Saturday 17 October 2026", "Saturday 17 October 2026"),
    ],
)  # fmt: skip
def test_how_long_ago_is_told_with_the_day(question: str, answer: str, shown: str) -> None:
    assert with_elapsed(question, answer, NOW) == shown


@pytest.mark.parametrize(
    ("question", "looked_up"),
    [
        ("How long ago did we move?", "When did we move?"),
        ("and how many weeks ago was the party", "When was the party?"),
        ("How long ago did Ann write?", "How long ago did Ann write?"),
        ("How long ago did we last hear from Ann?", "How long ago did we last hear from Ann?"),
        ("How long ago was the last photo?", "How long ago was the last photo?"),
    ],
)
def test_how_long_ago_something_was_is_looked_up_as_when(question: str, looked_up: str) -> None:
    assert when_it_is(question) == looked_up


def test_the_answer_to_how_long_ago_says_it(tmp_path: Path) -> None:
    chats = {
        "Ann": "03/05/2024, 10:00 - Ann: we moved on 3 May 2024\n04/05/2026, 10:00 - Ben: oh\n"
    }
    model = ScriptedModel("On 3 May 2024 [1]")
    with opened(tmp_path, model, chats=chats, me="Ben") as memory:
        answer = asked(memory, "How long ago did Ann move?")
    assert "3 May 2024" in answer.text
    assert answer.text.endswith(" ago)")
    assert answer.question == "How long ago did Ann move?"

"""A question for how long ago something was is answered with the day, and with how long ago that is."""

from __future__ import annotations

from datetime import datetime

import pytest

from minirag_chat.answer.elapsed import with_elapsed

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

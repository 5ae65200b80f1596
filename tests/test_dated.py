"""The days that messages name, written out for the reader."""

from datetime import datetime

import pytest

from minirag_chat.answer.dated import with_dates

DASH = "\u2013"
THURSDAY = datetime(2026, 3, 12, 18, 30)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("See you tomorrow at 10 AM!", "See you tomorrow at 10 AM (Friday 13 March)!"),
        ("How about Thursday?", "How about Thursday (19 March)?"),
        (
            "This weekend, or next Monday",
            f"This weekend (14{DASH}15 March), or next Monday (16 March)",
        ),
        ("Yesterday was fun", "Yesterday (Wednesday 11 March) was fun"),
        ("I was there 3 days ago", "I was there 3 days ago (Monday 9 March)"),
        ("Let's say in 3 weeks", f"Let's say in 3 weeks (30 March{DASH}5 April)"),
    ],
)
def test_a_relative_day_gets_its_date(said: str, read: str) -> None:
    assert with_dates(said, THURSDAY) == read


@pytest.mark.parametrize(
    "said",
    [
        "See you on Tuesday 17 March",
        "It was on 3/4/2026",
        "20260403 suits me",
        "May 5th, then",
        "From 2-3 pm",
        "Tonight at 8",
        "Happy Lunar New Year! Any plans for Christmas?",
        "Some day in May, or next year",
        "May I sit down? The sun is out",
    ],
)
def test_what_is_plain_already_stays_as_it_is(said: str) -> None:
    assert with_dates(said, THURSDAY) == said


def test_a_day_named_twice_is_dated_twice() -> None:
    read = with_dates("tomorrow, yes, tomorrow", THURSDAY)
    assert read == "tomorrow (Friday 13 March), yes, tomorrow (Friday 13 March)"

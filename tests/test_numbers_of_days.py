"""Days that messages name by their number: "they can do the 10th", "17th i think, thurs", "Thurs 17 and Fri 18"."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from minirag_chat.times import message_times
from minirag_chat.times.in_messages import date_before

SUNDAY = datetime(2026, 11, 8, 17, 45)


def days(text: str, after: datetime | None = None) -> list[str]:
    """The times that a message of Sunday 8 November 2026 names, each with its first day."""
    named = message_times(text, SUNDAY, after=after)
    return [f"{text[one.left : one.right]} {one.start:%d %b}" for one in named]


@pytest.mark.parametrize(
    "text",
    [
        "they can do the 10th",
        "can't do the 10th, its my brothers wedding",
        "10th works",
        "yeah 10th works for me",
        "so 10th then",
        "im free the 10th",
        "pizza budget for the 10th is 60 beth?",
        "the quiz has been moved to the 10th",
    ],
)
def test_a_number_is_a_day_where_people_settle_one(text: str) -> None:
    assert days(text) == ["10th 10 Nov"]


@pytest.mark.parametrize(
    "text",
    [
        "we moved to the 3rd",
        "they were moved to the 3rd floor",
        "she came 2nd then",
        "for the 3rd time",
    ],
)
def test_a_rank_or_a_floor_is_no_day(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("17th i think, thurs", ["17th i think, thurs 17 Dec"]),
        ("home on the 19th, sat", ["19th, sat 19 Dec"]),
        ("back the 17th, Friday im off", ["17th 17 Nov", "Friday 13 Nov"]),
        ("I need people Thurs 17 and Fri 18 Dec", ["Thurs 17 17 Dec", "Fri 18 Dec 18 Dec"]),
        ("Thurs 17 or Fri 18", ["Thurs 17 17 Dec", "Fri 18 18 Dec"]),
        ("shut Mon 16 to Fri 20 Nov", ["Mon 16 to Fri 20 Nov 16 Nov"]),
    ],
)
def test_a_weekday_tells_the_month_of_its_number(text: str, read: list[str]) -> None:
    assert days(text) == read


def test_the_month_is_that_of_a_date_some_messages_before() -> None:
    said = ["sat 9 january?", "cant 9th, stag do", "not yours i hope", "my brothers", "ha"]
    minutes = [SUNDAY - timedelta(minutes=10 - n) for n in range(len(said))]
    after = date_before([*zip(said, minutes, strict=True)], "16th then", SUNDAY)
    assert days("16th then", after) == ["16th 16 Jan"]


def test_a_weekday_after_some_days_is_the_one_of_them() -> None:
    said = [("the boat can move us to Sat 16 to Tue 19 January", SUNDAY)]
    text = "ill have to take the tues off"
    assert days(text, date_before(said, text, SUNDAY)) == ["tues 19 Jan"]

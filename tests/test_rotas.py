"""Rotas name the days on which somebody works: hours behind a weekday, weekdays below a week."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory
from minirag_chat.times import message_times

SATURDAY = datetime(2026, 11, 28, 18, 30)


def days(text: str, sent: datetime = SATURDAY) -> list[str]:
    """The times that a message of Saturday 28 November 2026 names, each with its first day."""
    named = message_times(text, sent)
    return [f"{text[one.left : one.right]} {one.start:%d %b}" for one in named]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Wed 8-2", ["Wed 02 Dec"]),
        ("Saturday 10-4", ["Saturday 05 Dec"]),
        ("working Saturday 10-4", ["Saturday 05 Dec"]),
        ("i work Thu 12-6", ["Thu 03 Dec"]),
        ("Friday 9-3", ["Friday 04 Dec"]),
        ("late one, fri 22-6", ["fri 04 Dec"]),
        ("plumber thurs 8-12", ["thurs 03 Dec"]),
        ("so Marek Wed 8-2, Zuri Thu 12-6. Updating it.", ["Wed 02 Dec", "Thu 03 Dec"]),
        ("boiler man monday 9 to 11", ["monday 30 Nov"]),
        ("Wed 10-18 at the shop", ["Wed 02 Dec"]),
    ],
)
def test_hours_behind_a_weekday_leave_it_a_day(text: str, read: list[str]) -> None:
    assert days(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "Friday 20 people came",
        "we sat 2-3 hours",
        "Friday 18-20 we are in Wales",  # the 18th of December
        "Fri 11-13 is the fair",  # so is the 11th a Friday
        "the dog sat 2-3 times",
    ],
)
def test_other_numbers_behind_a_weekday_leave_it_unread(text: str) -> None:
    assert days(text) == []


def test_the_weekdays_of_a_rota_are_of_its_week() -> None:
    text = "Rota w/c 7 Dec: Zuri Wed 8-2, Sat 10-4. Marek Mon Thu. Jodie Tue Fri Sun."
    assert days(text) == [
        "w/c 7 Dec 07 Dec", "Wed 09 Dec", "Sat 12 Dec", "Mon 07 Dec", "Thu 10 Dec", "Tue 08 Dec",
        "Fri 11 Dec", "Sun 13 Dec",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("next week: Zuri Wed, Max Mon", ["next week 30 Nov", "Wed 02 Dec", "Mon 30 Nov"]),
        ("Week commencing 14 Dec\nJo Tue", ["Week commencing 14 Dec 14 Dec", "Tue 15 Dec"]),
        ("rota 7-13 Dec: Jo Tue, Max Sun", ["7-13 Dec 07 Dec", "Tue 08 Dec", "Sun 13 Dec"]),
        ("7 Dec - 13 Dec: Jo Tue", ["7 Dec - 13 Dec 07 Dec", "Tue 08 Dec"]),
    ],
)
def test_a_week_heads_what_follows_however_it_is_written(text: str, read: list[str]) -> None:
    assert days(text) == read


def test_another_date_ends_the_week_of_a_rota() -> None:
    read = days("w/c 7 Dec: Jo Tue. Party on 20 Dec! Ring me on Monday")
    assert read == ["w/c 7 Dec 07 Dec", "Tue 08 Dec", "20 Dec 20 Dec", "Monday 30 Nov"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("i'll do Wed and Thu", ["Wed 02 Dec", "Thu 03 Dec"]),
        ("heavy snow wed and thu", ["wed 02 Dec", "thu 03 Dec"]),
        ("can you do sat or sun", ["sat 05 Dec", "sun 29 Nov"]),
        ("we sat and sun was out", []),
        ("the office is mon + tue", []),
        ("Tue Sun", []),
    ],
)
def test_two_weekdays_in_a_row_are_days_and_longer_lists_are_not(
    text: str, read: list[str]
) -> None:
    assert days(text) == read


CAFE = """\
20/11/2026, 09:00 - Dee: Rota w/c 23 Nov: Lou Fri 9-3. Kim Mon Tue
26/11/2026, 09:00 - Kim: film at mine on thursday 3 december
28/11/2026, 18:30 - Dee: Rota w/c 30 Nov: Lou Wed 8-2, Sat 10-4. Kim Mon Thu
29/11/2026, 12:05 - Kim: could you swap my thursday for your wednesday?
29/11/2026, 12:06 - Dee: so Kim Wed 8-2, Lou Thu 12-6
29/11/2026, 12:10 - Lou: 10th works for the do
30/11/2026, 12:06 - Dee: thanks all
"""
ROTA = "Rota w/c 30 Nov: Lou Wed 8-2, Sat 10-4. Kim Mon Thu"
SWAP = ["could you swap my thursday for your wednesday?", "so Kim Wed 8-2, Lou Thu 12-6"]


@pytest.fixture(scope="module")
def cafe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("cafe")
    with opened(folder, chats={"Cafe": CAFE}, me="Lou") as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "messages"),
    [
        ("when am i working this week", [ROTA, *SWAP]),
        ("when do I work this week?", [ROTA, *SWAP]),
        ("what are my shifts this week", [ROTA, *SWAP]),
        ("whens my next shift", [ROTA, *SWAP]),
        ("When is my next shift?", [ROTA, *SWAP]),
        ("when do i work next", [ROTA, *SWAP]),
        ("when am I next working?", [ROTA, *SWAP]),
        ("am i working on saturday", [ROTA]),
        ("what am i doing on saturday", [ROTA]),
        ("any plans for the weekend", [ROTA]),
        ("what am I doing on Thursday?", ["film at mine on thursday 3 december", ROTA, *SWAP]),
        ("when do i work on 10 december", ["10th works for the do"]),  # no message says it
    ],
)
def test_when_somebody_works_is_answered_from_rotas(
    cafe: ChatMemory, question: str, messages: list[str]
) -> None:
    answer = asked(cafe, question)
    assert [source.message.text for source in answer.sources] == messages, answer.text


def test_it_is_unsure_where_only_other_plans_name_the_day(cafe: ChatMemory) -> None:
    other, rota = (asked(cafe, f"do I work on {day}?") for day in ("10 December", "Saturday"))
    assert other.confidence < rota.confidence

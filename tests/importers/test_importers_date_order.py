"""Which number is the month: what a file says about it when every number is 12 or less."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

import pytest

from minirag_chat.importers.dates import OrderChooser
from minirag_chat.records import ParsedExport

if TYPE_CHECKING:
    from minirag_chat.importers.base import DateOrder

Read = Callable[..., ParsedExport]
LATER = date(2030, 1, 1)


def decided(written: str, today: date = LATER) -> tuple[DateOrder, bool]:
    chooser = OrderChooser()
    for numbers in written.split():
        first, second, third = numbers.split("/")
        chooser.see((first, second, third))
    decision = chooser.decide(today=today)
    return decision.order, decision.certain


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("11/2/26 11/4/26 11/5/26 11/6/26", "mdy"),
        ("2/11/26 4/11/26 5/11/26 6/11/26", "dmy"),
        ("11/8/26 11/6/26 11/4/26 11/2/26", "mdy"),  # the newest message comes first
        ("11/2/26 11/2/26 11/4/26 11/4/26", "dmy"),  # only two days
        ("3/4/21 5/6/21 7/8/21", "dmy"),  # months apart either way
        ("1/2/26 1/3/26 2/3/26", "dmy"),
    ],
)
def test_the_days_of_a_chat_are_close_together(written: str, order: DateOrder) -> None:
    assert decided(written) == (order, False)


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("11/2/26 11/4/26 11/5/26 13/5/26", "dmy"),  # a number above 12
        ("2/11/26 4/11/26 5/11/26 5/13/26", "mdy"),
        ("11/9/25 11/12/25 12/1/25", "mdy"),  # day first it would go back in time
    ],
)
def test_closeness_does_not_count_against_what_is_certain(written: str, order: DateOrder) -> None:
    assert decided(written) == (order, True)


@pytest.mark.parametrize(
    "written",
    [
        "24/3/12 24/3/13",
        "24/03/12 24/03/14 24/03/15",
        "24/3/12 24/4/13",
        "20/3/18 20/3/19 20/3/20",
        "24/3/28",  # 24 March 2028 is to come
    ],
)
def test_a_short_year_may_come_first(written: str) -> None:
    assert decided(written, date(2026, 11, 26)) == ("ymd", False)


@pytest.mark.parametrize(
    ("written", "order", "certain"),
    [
        ("13/03/24 14/03/24", "dmy", True),
        ("18/03/20 19/03/20 20/03/20", "dmy", True),
        ("3/13/24 3/14/24", "mdy", True),
        ("12/03/22 12/03/23 12/03/24", "dmy", False),  # birthdays, or three days of 2012
        ("24/3/12", "dmy", False),  # one day, long ago or of 2024
        ("24/10/18", "dmy", False),
        ("24/11/18 25/11/18 26/11/19", "dmy", False),
        ("25/03/24", "dmy", True),  # not the next year's March 24
        ("24/03/12 25/03/12 26/03/12", "dmy", False),  # an old chat
        ("13/03/24", "dmy", True),  # not eleven years before
        ("31/03/24", "dmy", True),  # 2031 is to come
    ],
)
def test_a_short_year_that_may_be_first_is_last_in_most_exports(
    written: str, order: DateOrder, certain: bool
) -> None:
    assert decided(written, date(2026, 11, 26)) == (order, certain)


@pytest.mark.parametrize(
    "form", ["24-03-{} 18:05 - ", "24. 3. {}. 18:05 - ", "[24/3/{}, 18:05:01] "]
)
def test_a_short_chat_with_the_year_first_is_read_and_the_report_says_so(
    read: Read, form: str
) -> None:
    export = read("".join(f"{form.format(day)}Ann: at the lake\n" for day in (12, 13, 15)))
    assert [m.sent_at.date() for m in export.chats[0].messages] == [
        date(2024, 3, day) for day in (12, 13, 15)
    ]
    assert "year first" in export.notes[0]


def test_no_export_has_dates_after_its_import() -> None:
    today = date(2026, 11, 26)
    assert decided("11/12/26", date(2026, 11, 12)) == ("mdy", True)
    assert decided("12/11/26", today) == ("dmy", True)
    assert decided("2/12/26 3/12/26 4/12/26", today) == ("mdy", True)
    assert decided("11/12/27", today) == ("dmy", False)  # late in either order
    assert decided("27/11/26", today) == ("dmy", True)
    assert decided("12/13/26 1/2/27", today) == ("mdy", True)  # a phone with a wrong clock


def test_a_short_american_chat_is_read_month_first(read: Read) -> None:
    days = (2, 4, 5, 6)
    text = "\n".join(f"11/{day}/20, 21:05 - Ann: at the lake" for day in days)
    export = read(text)
    assert [m.sent_at.date() for m in export.chats[0].messages] == [
        date(2020, 11, day) for day in days
    ]
    assert "month first" in export.notes[0]
    assert [(d.chosen, d.certain) for d in export.decisions] == [("mdy", False)]


@pytest.mark.parametrize(
    ("stamps", "month"),
    [
        (("11/2/20, 9:05 AM -", "11/4/20, 9:05\u202fPM -"), 11),
        (("[11/2/20, 9:05:10 AM]",), 11),
        (("11/2/20, 9:05 am -",), 2),
        (("11/02/20, 9:05 AM -",), 2),
        (("11/2/20, 9:05 AM -", "11/4/20, 09:05 -"), 2),
        (("2/11/20, 9:05 AM -", "4/11/20, 9:05 AM -", "5/11/20, 9:05 AM -"), 11),
    ],
)
def test_how_phones_write_in_the_united_states_is_a_weak_hint(
    read: Read, stamps: tuple[str, ...], month: int
) -> None:
    export = read("\n".join(f"{stamp} Ann: at the lake" for stamp in stamps))
    assert export.chats[0].messages[0].sent_at.month == month
    assert not export.decisions[0].certain


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (("Happy Monday everyone", "it's Tuesday, dentist today"), ((3, 4), (3, 5))),
        (("it\u2019s Wednesday", "Today is friday"), ((4, 3), (5, 3))),
        (("Happy Monday everyone", "dentist today"), ((4, 3), (5, 3))),  # one alone is no evidence
        (("Happy Monday everyone", "it's Friday that we leave"), ((4, 3), (5, 3))),  # they disagree
        (("see you Monday", "or on Tuesday"), ((4, 3), (5, 3))),
    ],
)
def test_weekdays_that_the_texts_name_decide_a_short_chat(
    read: Read, texts: tuple[str, str], days: tuple[tuple[int, int], ...]
) -> None:
    export = read(f"03/04/24, 09:05 - Ann: {texts[0]}\n03/05/24, 09:06 - Bob: {texts[1]}\n")
    found = [(m.sent_at.month, m.sent_at.day) for m in export.chats[0].messages]
    assert found == list(days)
    assert not export.decisions[0].certain

"""Months and feasts to come: "the wedding is in August", "feb half term", "nye", and "tomorrow night"."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from three_chats import memory_of

from minirag_chat.times import find_times, message_times

SEPTEMBER = datetime(2026, 9, 13, 18, 42)


def days(text: str, sent: datetime = SEPTEMBER) -> list[str]:
    """The times that a message names, each with its first day."""
    named = message_times(text, sent)
    return [f"{text[one.left : one.right]} {one.start:%d %b %Y}" for one in named]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Wedding is in August inshallah", ["August 01 Aug 2027"]),
        ("we are getting married in August", ["August 01 Aug 2027"]),
        ("the baby is due in August", ["August 01 Aug 2027"]),
        ("we got married in August", ["August 01 Aug 2026"]),
        ("he was here in August", ["August 01 Aug 2026"]),
        ("see you in August", []),  # nobody says that in September
    ],
)
def test_what_is_in_a_month_that_is_just_over_is_in_the_next_one(
    text: str, read: list[str]
) -> None:
    assert days(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("come stay w me in feb half term?", ["feb 01 Feb 2027"]),
        ("oct half term we are away", ["oct 01 Oct 2026"]),
        ("may half term?", ["may 01 May 2027"]),
        ("im broke til feb", ["til feb 13 Sep 2026"]),
        ("any sat in nov", ["nov 01 Nov 2026"]),
        ("may be half of it", []),
    ],
)
def test_a_short_name_of_a_month_is_one_where_no_word_is(text: str, read: list[str]) -> None:
    assert days(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("ur coming to mine for nye yeah", ["nye 31 Dec 2026"]),
        ("NYE at mine", ["NYE 31 Dec 2026"]),
        ("nye plans?", ["nye 31 Dec 2026"]),
        ("vi har nye sko", []),  # Norwegian: new shoes
    ],
)
def test_nye_is_the_last_of_december(text: str, read: list[str]) -> None:
    assert days(text) == read


def test_nye_is_the_last_of_december_in_questions_too() -> None:
    found = find_times("what's on for nye", SEPTEMBER, prefer="future")
    assert [f"{one.start:%d %b %Y}" for one in found] == ["31 Dec 2026"]


CHAT = """\
21/11/2026, 16:03 - Kim: viewing weds 2nd dec 3pm
22/11/2026, 16:04 - Kim: choir wednesday 2 december as always
22/11/2026, 16:05 - Kim: film at 8pm on 2 december?
01/12/2026, 16:01 - Lou: what a week
"""


def test_tomorrow_night_is_what_names_tomorrow_and_no_other_hour(tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Kim.txt"
    export.write_text(CHAT, encoding="utf-8")
    with memory_of(tmp_path, "Lou", export) as memory:
        text = memory.ask("what am i doing tomorrow night").text
    assert [word for word in ("choir", "film", "viewing") if word in text] == ["choir", "film"]

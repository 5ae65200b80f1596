"""Weekdays and dates of an answer that do not match, as the messages that it cites tell."""

from __future__ import annotations

from datetime import datetime

import pytest

from minirag_chat.answer.weekdays import by_calendar, contradicts
from minirag_chat.records import Message

SENT = datetime(2026, 10, 28, 12, 0)  # a Wednesday
DRINKS = "drinks on friday at 5"


def cited(text: str) -> list[Message]:
    return [Message(1, "Flat", "Kim", SENT, text)]


@pytest.mark.parametrize(
    ("said", "answer", "shown"),
    [
        ("inspection on 2nd nov 11am", "Tuesday 2nd November 2026, 11am", "Monday 2nd November 2026, 11am"),
        ("inspection on 2nd nov 11am", "Tuesday, 2 November 2026", "Monday, 2 November 2026"),
        ("inspection on 2nd nov 11am", "Tuesday the 2nd of November", "Monday the 2nd of November"),
        ("inspection on 2nd nov 11am", "Tue 2 Nov 2026", "Mon 2 Nov 2026"),
        ("inspection on 2nd nov 11am", "tuesday 2nd november", "monday 2nd november"),
        ("inspection on 2nd nov 11am", "Tuesday, November 2nd, 2026", "Monday, November 2nd, 2026"),
        ("inspection on 2nd nov 11am", "Monday 2nd November 2026", "Monday 2nd November 2026"),
        (DRINKS, "Friday 28th October 2026 at 5", "Friday 30th October 2026 at 5"),
        (DRINKS, "Friday, October 31st, 2026", "Friday, October 30th, 2026"),
        ("we come on sunday", "Sunday 31 Oct 2026", "Sunday 1 Nov 2026"),
        ("Inspektion am 2. November um 11", "Dienstag, 2. November 2026", "Montag, 2. November 2026"),
        ("inspecci\u00f3n el 2 de noviembre", "martes 2 de noviembre de 2026", "lunes 2 de noviembre de 2026"),
        ("inspection le 2 novembre", "mardi 2 novembre", "lundi 2 novembre"),
        ("back on 1 may", "Monday 1st May 2027", "Saturday 1st May 2027"),
    ],
)  # fmt: skip
def test_the_message_tells_the_weekday_or_the_date(said: str, answer: str, shown: str) -> None:
    assert by_calendar(answer, cited(said)) == shown
    assert not contradicts(shown, cited(said))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("inspection on 2nd nov 11am", "Tuesday 9th November"),  # no message names that day
        ("we usually meet on tuesday", "Tuesday 2nd November 2026"),
        ("Kontrolle am Dienstag, 2.11., oder?", "Dienstag, 2. November 2026"),
        ("it says tuesday 2nd november", "Tuesday 2nd November"),
        ("inspection on 2nd nov 11am", "they sat 2 November 2026 out"),
    ],
)
def test_a_day_stays_as_it_is_where_nothing_tells_it(said: str, answer: str) -> None:
    assert by_calendar(answer, cited(said)) == answer

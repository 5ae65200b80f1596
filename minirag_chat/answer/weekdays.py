"""The days of an answer, as the calendar has them: "Friday 5 October 2021" was a Tuesday.

A small model that reads "Friday at 5" in a message of Tuesday 5 October puts the two together. What day
was meant follows from the message; where it does not, a day that does not exist is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from minirag_chat.records import Message
from minirag_chat.times import message_times

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
WITHIN = timedelta(days=7)
_DAY = re.compile(
    rf"\b(?P<weekday>{'|'.join(WEEKDAYS)})(?P<comma>,?) "
    rf"(?P<day>\d\d?) (?P<month>{'|'.join(MONTHS)}) (?P<year>\d{{4}})\b"
)


def by_calendar(answer: str, messages: Sequence[Message]) -> str:
    """``answer`` with each day as it was: its date and its weekday are of one day.

    Where they are not, the day is the one of this weekday that the messages name within a week of the date.
    If they name none, it keeps the date if a message names that, and gets the date's weekday. Else it
    stays as it is, which ``contradicts`` tells.
    """
    named = frozenset(_named(messages))
    return _DAY.sub(lambda found: _as_it_was(found, named), answer)


def contradicts(answer: str) -> bool:
    """Whether an answer has a day whose weekday is that of another date, or a date that does not exist."""
    return any(
        (day := _date(found)) is None or WEEKDAYS[day.weekday()] != found["weekday"]
        for found in _DAY.finditer(answer)
    )


def _as_it_was(found: re.Match[str], named: frozenset[date]) -> str:
    said = _date(found)
    if said is None or WEEKDAYS[said.weekday()] == found["weekday"]:
        return found[0]
    weekday = WEEKDAYS.index(found["weekday"])
    meant = [day for day in named if day.weekday() == weekday and abs(day - said) < WITHIN]
    if len(meant) == 1:
        said = meant[0]
    elif meant or said not in named:
        return found[0]
    return f"{WEEKDAYS[said.weekday()]}{found['comma']} {said.day} {MONTHS[said.month - 1]} {said.year}"


def _date(found: re.Match[str]) -> date | None:
    try:
        return date(int(found["year"]), MONTHS.index(found["month"]) + 1, int(found["day"]))
    except ValueError:
        return None


def _named(messages: Sequence[Message]) -> Iterator[date]:
    """The days that messages name."""
    for message in messages:
        for time in message_times(message.text, message.sent_at):
            if time.one_day:
                yield time.start.date()

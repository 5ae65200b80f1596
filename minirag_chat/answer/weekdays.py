"""Corrects days whose weekday and date do not match: 5 October 2021 was a Tuesday, not a Friday.

A small model that reads "Friday at 5" in a message of Tuesday 5 October mixes the two up. The message
tells which day was meant; if it does not, ``contradicts`` lets the answer be rejected.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from minirag_chat.records import Message
from minirag_chat.times import message_times

WITHIN = timedelta(days=7)
_DAY = re.compile(
    rf"\b(?P<weekday>{'|'.join(day_name)})(?P<comma>,?) "
    rf"(?P<date>\d\d? (?:{'|'.join(month_name[1:])}) \d{{4}})\b"
)


def by_calendar(answer: str, messages: Sequence[Message]) -> str:
    """``answer`` with each day corrected whose weekday does not match its date.

    The corrected day is the one with this weekday that the messages name less than a week from the date. If
    they name none, the date stays if a message names it, and gets its own weekday. Else the day is left
    unchanged, and ``contradicts`` detects it.
    """
    named = frozenset(_named(messages))
    return _DAY.sub(lambda found: _corrected(found, named), answer)


def contradicts(answer: str) -> bool:
    """Whether an answer has a day whose weekday does not match its date, or a date that does not exist."""
    return any(
        (day := _date(found)) is None or f"{day:%A}" != found["weekday"]
        for found in _DAY.finditer(answer)
    )


def _corrected(found: re.Match[str], named: frozenset[date]) -> str:
    said = _date(found)
    if said is None or f"{said:%A}" == found["weekday"]:
        return found[0]
    meant = [d for d in named if f"{d:%A}" == found["weekday"] and abs(d - said) < WITHIN]
    if len(meant) == 1:
        said = meant[0]
    elif meant or said not in named:
        return found[0]
    return f"{said:%A}{found['comma']} {said.day} {said:%B} {said.year}"


def _date(found: re.Match[str]) -> date | None:
    try:
        return datetime.strptime(found["date"], "%d %B %Y").date()
    except ValueError:
        return None


def _named(messages: Sequence[Message]) -> Iterator[date]:
    """The days that messages name."""
    for message in messages:
        for time in message_times(message.text, message.sent_at):
            if time.one_day:
                yield time.start.date()

"""Corrects days whose weekday and date do not match: 5 October 2021 was a Tuesday, not a Friday.

A small model that reads "Friday at 5" in a message of Tuesday 5 October mixes the two up. The message
tells which day was meant; if it does not, ``contradicts`` lets the answer be rejected.
"""

from __future__ import annotations

import re
from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta

from minirag_chat.answer.facts import weekdays_in
from minirag_chat.records import Message
from minirag_chat.times import message_times
from minirag_chat.times.patterns import JOIN, month_of, weekday_of
from minirag_chat.times.spans import first_moment, midnight

WITHIN = timedelta(days=7)
YEARS_NEAR = (-1, 0, 1)  # a date without a year is of a year near that of a message
_DAY = re.compile(
    rf"\b(?P<weekday>{'|'.join(day_name)})(?P<comma>,?) "
    rf"(?P<date>\d\d? (?:{'|'.join(month_name[1:])}) \d{{4}})\b"
)
_NTH = r"(?:st|nd|rd|th|\.)?"
_MONTH = rf"(?:(?i:{'|'.join(month_name[1:])})|{'|'.join(month_abbr[1:])})"
_TO = rf"{JOIN}(?:the )?\d\d?{_NTH}"
_ANY_DAY = re.compile(  # also "Saturday the 22nd of June", "Saturday, June 22, 2026", "Sat 22. Jun"
    rf"\b(?P<weekday>(?i:{'|'.join(day_name)})|{'|'.join(day_abbr)})[.,]? (?:the )?"  # but not "they sat"
    rf"(?P<date>(?P<day>\d\d?){_NTH}(?P<to>{_TO})? (?:of )?(?P<month>{_MONTH})"
    rf"|(?P<month_first>{_MONTH})\.? (?:the )?(?P<day_last>\d\d?){_NTH}(?P<to_last>{_TO})?)"
    rf"\b\.?(?:,? (?P<year>\d{{4}})\b)?"
)


def by_calendar(answer: str, messages: Sequence[Message]) -> str:
    """``answer`` with each day corrected whose weekday does not match its date.

    Before a range of days ("Friday 5-16 October") such a weekday is left out, if no message has it.

    The corrected day is the one with this weekday that the messages name less than a week from the date. If
    they name none, the date stays if a message names it or no message has the weekday, and gets its own
    weekday. Else the day is left unchanged, and ``contradicts`` detects it.
    """
    named = frozenset(_named(messages))
    weekdays = weekdays_in(" ".join(message.text for message in messages))
    near_years = _near_years(messages)

    def of_range(match: re.Match[str]) -> str:
        wrong = (match["to"] or match["to_last"]) and not _exists(match, near_years)
        said = weekday_of(match["weekday"]) in weekdays
        return answer[match.start("date") : match.end()] if wrong and not said else match[0]

    answer = _ANY_DAY.sub(of_range, answer)
    return _DAY.sub(lambda match: _corrected(match, named, weekdays), answer)


def contradicts(answer: str, messages: Sequence[Message] = ()) -> bool:
    """Whether an answer has a day whose weekday does not match its date, or a date that does not exist.

    A date without a year may be of the year of a message, the one before or the next. What a message says
    in these words is no contradiction of the answer.
    """
    messages_text = " ".join(message.text for message in messages).casefold()
    near_years = _near_years(messages)
    return any(
        match[0].casefold() not in messages_text and not _exists(match, near_years)
        for match in _ANY_DAY.finditer(answer)
    )


def _near_years(messages: Sequence[Message]) -> set[int]:
    return {message.sent_at.year + n for message in messages for n in YEARS_NEAR}


def _exists(match: re.Match[str], near_years: AbstractSet[int]) -> bool:
    """Whether there is such a day in the year that is written, or else in one of those near."""
    day, month = match["day"] or match["day_last"], match["month"] or match["month_first"]
    years = {int(match["year"])} if match["year"] else near_years
    written = (first_moment(year, month_of(month), int(day)) for year in years)
    wanted = match["weekday"][:3].title()
    return not years or any(one and f"{one:%a}" == wanted for one in written)


def without_dated_weekdays(answer: str) -> str:
    """``answer`` without the days that have weekday and date, which ``contradicts`` looks at."""
    return _ANY_DAY.sub(" ", answer)


def _corrected(match: re.Match[str], named: frozenset[datetime], weekdays: frozenset[int]) -> str:
    number, month, year = match["date"].split()
    day = first_moment(int(year), month_of(month), int(number))
    if day is None or f"{day:%A}" == match["weekday"]:
        return match[0]
    meant = [d for d in named if f"{d:%A}" == match["weekday"] and abs(d - day) < WITHIN]
    if len(meant) == 1:
        day = meant[0]
    elif meant or (day not in named and weekday_of(match["weekday"]) in weekdays):
        return match[0]
    return f"{day:%A}{match['comma']} {day.day} {day:%B} {day.year}"


def _named(messages: Sequence[Message]) -> Iterator[datetime]:
    """The days that messages name."""
    for message in messages:
        for time in message_times(message.text, message.sent_at):
            if time.one_day:
                yield midnight(time.start)

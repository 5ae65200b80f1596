"""Corrects days whose weekday and date do not match: 5 October 2021 was a Tuesday, not a Friday.

A small model that reads "Friday at 5" in a message of Tuesday 5 October mixes the two up. The message
tells which day was meant; if it does not, ``contradicts`` lets the answer be rejected.
"""

from __future__ import annotations

import re
from calendar import day_abbr, month_abbr
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from functools import cache

from minirag_chat.answer.facts import weekdays_in
from minirag_chat.lazy_patterns import any_case
from minirag_chat.records import Message
from minirag_chat.times import message_times
from minirag_chat.times.calendar_names import (
    language_of,
    month_number,
    month_numbers,
    months,
    weekday_number,
    weekday_numbers,
    weekdays,
)
from minirag_chat.times.patterns import JOIN
from minirag_chat.times.spans import first_moment, midnight

WITHIN = timedelta(days=7)
SHORT = 3  # letters of "Mon" and "Jan"
YEARS_NEAR = (-1, 0, 1)  # a date without a year is of a year near that of a message
_NTH = r"(?:st|nd|rd|th|er|\.|\u00ba)?"
_TO = rf"{JOIN}(?:the )?\d\d?{_NTH}"
_THE = r"(?:(?:the|den|dem|der|le|el|il|em|op) )?"


@cache
def _any_day() -> re.Pattern[str]:
    """A weekday with a date, in the languages of ``calendar_names``.

    "Saturday the 22nd of June", "Saturday, June 22, 2026", "s\u00e1bado 22 de junio de 2026", "Sat 22. Jun",
    but not "they sat".
    """
    month = rf"(?:(?i:{'|'.join(month_numbers())})|{'|'.join(month_abbr[1:])})"
    return re.compile(
        rf"\b(?P<weekday>(?i:{'|'.join(weekday_numbers())})|{'|'.join(day_abbr)})[.,]? {_THE}"
        rf"(?P<date>(?P<day>\d\d?)(?P<nth>{_NTH})(?P<to>{_TO})? (?:(?:of|de) )?(?P<month>{month})"
        rf"|(?P<month_first>{month})\.? (?:the )?(?P<day_last>\d\d?)(?P<nth_last>{_NTH})(?P<to_last>{_TO})?)"
        rf"\b\.?(?:(?:,| del?)? (?P<year>\d{{4}})\b)?"
    )


_UP_TO = any_case(rf"{JOIN}\Z")  # the end of a range


def by_calendar(answer: str, messages: Sequence[Message]) -> str:
    """``answer`` with each day corrected whose weekday does not match its date.

    Before a range of days ("Friday 5-16 October") such a weekday is left out, if no message has it.

    The corrected day is the one with this weekday that the messages name less than a week from the date. If
    they name none, the date stays if a message names it or no message has the weekday, and gets its own
    weekday. Else the day is left unchanged, and ``contradicts`` detects it. A date without its year is one
    that the messages name. What a message says in these words stays, and so does the end of a range.
    """
    named = frozenset(_named(messages))
    text = " ".join(message.text for message in messages)
    said_days = weekdays_in(text)
    near_years = _near_years(messages)

    def corrected(match: re.Match[str]) -> str:
        said = match[0].casefold() in text.casefold()
        stays = said or _UP_TO.search(answer, 0, match.start())
        return match[0] if stays else _corrected(match, named, said_days)

    def of_range(match: re.Match[str]) -> str:
        wrong = (match["to"] or match["to_last"]) and not _exists(match, near_years)
        said = weekday_number(match["weekday"]) in said_days
        return answer[match.start("date") : match.end()] if wrong and not said else match[0]

    answer = _any_day().sub(of_range, answer)
    return _any_day().sub(corrected, answer)


def contradicts(answer: str, messages: Sequence[Message]) -> bool:
    """Whether an answer has a day whose weekday does not match its date, or a date that does not exist.

    A date without a year may be of the year of a message, the one before or the next. What a message says
    in these words is no contradiction of the answer.
    """
    messages_text = " ".join(message.text for message in messages).casefold()
    near_years = _near_years(messages)
    return any(
        match[0].casefold() not in messages_text and not _exists(match, near_years)
        for match in _any_day().finditer(answer)
    )


def _near_years(messages: Sequence[Message]) -> set[int]:
    return {message.sent_at.year + n for message in messages for n in YEARS_NEAR}


def _exists(match: re.Match[str], near_years: AbstractSet[int]) -> bool:
    """Whether there is such a day in the year that is written, or else in one of those near."""
    day, month = match["day"] or match["day_last"], match["month"] or match["month_first"]
    years = {int(match["year"])} if match["year"] else near_years
    written = (first_moment(year, month_number(month), int(day)) for year in years)
    wanted = weekday_number(match["weekday"])
    return not years or any(one and one.weekday() == wanted for one in written)


def without_dated_weekdays(answer: str) -> str:
    """``answer`` without the days that have weekday and date, which ``contradicts`` looks at."""
    return _any_day().sub(" ", answer)


def _corrected(match: re.Match[str], named: frozenset[datetime], said_days: frozenset[int]) -> str:
    day, wanted = _day_of(match, named), weekday_number(match["weekday"])
    if day is None or day.weekday() == wanted:
        return match[0]
    meant = [d for d in named if d.weekday() == wanted and abs(d - day) < WITHIN]
    if len(meant) == 1:
        return _with_date(match, meant[0])
    if meant or (day not in named and wanted in said_days):
        return match[0]
    names = weekdays(_language(match))
    return _name(names, day.weekday(), match["weekday"]) + match[0][len(match["weekday"]) :]


def _day_of(match: re.Match[str], named: frozenset[datetime]) -> datetime | None:
    """The day of a date; without its year the only one that is ``named``. None for a range of days."""
    number = int(match["day"] or match["day_last"])
    month = month_number(match["month"] or match["month_first"])
    if match["to"] or match["to_last"]:
        return None
    if match["year"]:
        return first_moment(int(match["year"]), month, number)
    days = [day for day in named if (day.month, day.day) == (month, number)]
    return days[0] if len(days) == 1 else None


def _with_date(match: re.Match[str], day: datetime) -> str:
    """The words of a day with the date of ``day``, written alike: "Friday 5th Oct" → "Friday 8th Oct"."""
    last, month = ("_last", "month_first") if match["day_last"] else ("", "month")
    nth = match[f"nth{last}"]
    new = {
        f"day{last}": f"{day.day}",
        f"nth{last}": _ending(day.day) if nth.isalpha() else nth,
        month: _name(months(_language(match)), day.month - 1, match[month]),
        "year": f"{day.year}",
    }
    text = match[0]
    for group in sorted((name for name in new if match[name]), key=match.start, reverse=True):
        start, end = (place - match.start() for place in match.span(group))
        text = f"{text[:start]}{new[group]}{text[end:]}"
    return text


def _language(match: re.Match[str]) -> str:
    return language_of(match["weekday"], match["month"] or match["month_first"])


def _name(names: Sequence[str], number: int, like: str) -> str:
    """A name of the calendar, as short as another one and with its capital."""
    name = names[number] if len(like) > SHORT or like in names else names[number][:SHORT]
    return name if like.islower() else name.title()


def _ending(number: int) -> str:
    teens = number % 100 // 10 == 1
    return "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _named(messages: Sequence[Message]) -> Iterator[datetime]:
    """The days that messages name."""
    for message in messages:
        for time in message_times(message.text, message.sent_at, order=message.date_order):
            if time.one_day:
                yield midnight(time.start)

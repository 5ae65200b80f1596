"""Whether the messages that an answer cites state its dates, weekdays, times and numbers.

Each must be stated in the messages or in the question, or follow by the calendar from a time that a
message names, relative to when it was sent: "the 7th", "next month", "for seven years".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal

from minirag_chat.answer import spoken_numbers
from minirag_chat.answer.facts import (
    Clock,
    Day,
    Facts,
    clock_of,
    day_numbers,
    read_facts,
    weekdays_in,
)
from minirag_chat.answer.weekdays import without_dated_weekdays
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.records import Message
from minirag_chat.times import find_times
from minirag_chat.times.atoms import Atom
from minirag_chat.times.in_messages import message_times
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import Prefer, Span, first_moment, midnight
from minirag_chat.times.yearless import is_yearless, year_looks

Kind = Literal["date", "month", "weekday", "time", "number"]
YEARS = range(1900, 2200)
A_DAY = timedelta(days=1)
A_WEEK = timedelta(days=7)
A_SECOND = timedelta(seconds=1)  # before the end of a span, which does not belong to it
LONGEST = timedelta(days=400)  # a longer time that a message names supports no date
MONTH, LONGEST_MONTH = timedelta(days=28), timedelta(days=31)
# "In April" and "since the summer" support none of the days of April or the summer.
OF_NO_DAY = frozenset({"month", "months", "loose", "season", "quarter", "year"})
PREFER: tuple[Prefer, Prefer] = ("past", "future")


_DIGITS = lazy(
    r"(?<![\d./:-])(?:(?P<first>\d\d?)\.?\s?[-\u2013/]\s?)?(?P<day>\d\d?)[./](?P<month>\d\d?)(?!\d)"
)  # "27.11", "27/11", "27.-29.11."


_ORDINAL = any_case(r"(?<!\d)\d\d?(?:st|nd|rd|th)\b")  # of a day, of no hour
_AT = any_case(r"\bat (\d\d?)(?![\d:.,%]|\s*[^\W\d])")  # "4 April at 4", not "at 4 euros"


class SupportedFacts:
    """The dates, times and numbers that the messages and the question state."""

    def __init__(self, question: str, messages: Sequence[Message]) -> None:
        now = max((m.sent_at for m in messages), default=datetime(2000, 1, 1))
        self._facts: list[Facts] = [read_facts(question, now)]
        self._spans: list[Span] = []  # each with its last second, not its end
        self._day_spans: list[Span] = []  # those that support each of their days
        self._sent = [m.sent_at for m in messages]
        self._told_years: dict[tuple[int, int], set[int]] = defaultdict(set)  # by month and day
        self._texts = [question, *(m.text for m in messages)]
        self._in_digits = {day for text in self._texts for day in _days_in_digits(text)}
        for message in messages:
            self._facts.append(read_facts(f"{message.sender}: {message.text}", message.sent_at))
            self._day_spans.append((message.sent_at - A_DAY, message.sent_at + A_DAY - A_SECOND))
            self._add(message.text, message.sent_at)
            self._add_told_years(message)
        self._add(question, now)
        self._spans += self._day_spans
        self._numbers = {n for facts in self._facts for n in facts.numbers}
        self._day_numbers = frozenset[float]().union(*map(day_numbers, self._texts))
        self._hours = frozenset[float]()
        for text, at in zip(self._texts, [now, *self._sent], strict=True):
            spoken = frozenset(spoken_numbers.numbers(text, at))
            self._numbers |= spoken
            self._day_numbers |= spoken
            self._hours |= spoken | read_facts(_ORDINAL.sub(" ", text), at).numbers

    def _add(self, text: str, sent_at: datetime) -> None:
        """Add the times that a text names, each read both as past and as future."""
        for prefer in PREFER:
            for atom in find_atoms(text, sent_at, prefer):
                spans = self._spans if _names_no_day(atom) else self._day_spans
                spans += [
                    (time.start, time.end - A_SECOND)
                    for time in atom.parts or (atom,)  # of "May and July", not what lies between
                    if time.end - time.start < LONGEST
                ]

    def _add_told_years(self, message: Message) -> None:
        """Add the years of the days without one whose verb tells it: "the concert is on 3 June"."""
        for time in message_times(message.text, message.sent_at, order=message.date_order):
            told = time.one_day and is_yearless(message.text, time)
            if told and year_looks(message.text, time.left, time.right) != "unclear":
                self._told_years[time.start.month, time.start.day].add(time.start.year)

    def lacks(self, answer: str) -> Kind | None:
        """The kind of the first fact of ``answer`` that is not supported; None if all are."""
        answer = spoken_numbers.without_known_runs(answer, self._texts)
        stated = read_facts(answer, max(self._sent, default=datetime(2000, 1, 1)))
        if not all(map(self._has_day, _ends(stated.days))):
            return "date"
        if not all(map(self._has_month, stated.months)):
            return "month"
        if not all(map(self._has_weekday, weekdays_in(without_dated_weekdays(answer)))):
            return "weekday"
        hours = [c for hour in _AT.findall(answer) for c in clock_of(float(hour))]
        if not all(map(self._has_clock, (*stated.clocks, *(hours if stated.days else ())))):
            return "time"
        return None if all(map(self._has_number, stated.numbers)) else "number"

    def to_the_month(self, answer: str) -> str:
        """``answer`` with "April 2027" for each day of it, where the messages name only that month."""
        spans = find_times(answer, max(self._sent, default=datetime(2000, 1, 1)))
        for span in sorted(spans, key=lambda one: len(one.phrase), reverse=True):
            days = read_facts(span.phrase, span.start).days
            named = any(
                first <= span.start <= last and last - first < LONGEST_MONTH
                for first, last in self._spans
            )
            if named and days and span.end - span.start <= A_DAY and not self._has_day(days[0]):
                answer = answer.replace(span.phrase, f"{span.start:%B %Y}")
        return answer

    def _has_day(self, day: Day) -> bool:
        told = self._told_years.get((day.month, day.day))
        if told and day.year and day.year not in told:
            written = any(day == known for facts in self._facts for known in facts.days)
            sent = {(at.month, at.day, at.year) for at in self._sent}
            return written or (day.month, day.day, day.year) in sent
        if any(day.same(known) for facts in self._facts for known in facts.days):
            return True
        years = (
            {day.year} if day.year else {sent.year + n for sent in self._sent for n in (-1, 0, 1)}
        )
        moments = [m for year in years if (m := first_moment(year, day.month, day.day))]
        named = any(
            first - A_DAY <= moment <= last + A_DAY
            for moment in moments
            for first, last in self._day_spans
        )
        near = any(abs(moment - sent) < LONGEST for moment in moments for sent in self._sent)
        in_digits = (day.month, day.day) in self._in_digits
        return named or (near and (in_digits or float(day.day) in self._day_numbers))

    def _has_month(self, month: int) -> bool:
        spans = any(
            first.month <= month + 12 * n <= last.month + 12 * (last.year - first.year)
            for first, last in self._spans
            for n in (0, 1)
        )
        return spans or any(month in facts.months for facts in self._facts)

    def _has_weekday(self, weekday: int) -> bool:
        """Whether the messages name this weekday or a day of it; True if they name no weekday in English."""
        known = frozenset[int]().union(*(facts.weekdays for facts in self._facts))
        if weekday in known or not known:
            return True
        days = (
            first + n * A_DAY for first, last in self._spans for n in range((last - first).days + 1)
        )
        return any(day.weekday() == weekday for day in days)

    def _has_clock(self, clock: Clock) -> bool:
        known = (c for facts in self._facts for c in facts.clocks)
        hours = (c for number in self._hours for c in clock_of(number))
        spoken = (c for text in self._texts for c in spoken_numbers.clocks(text))
        return any(clock.same(c) for c in (*known, *hours, *spoken))

    def _has_number(self, number: float) -> bool:
        if number == 1 or number in self._numbers:
            return True
        whole = re.compile(rf"(?<!\d)(?<!\d[.,]){re.escape(f'{number:g}')}(?!\d|[.,]\d)")
        if any(whole.search(text) for text in self._texts):
            return True
        if number in YEARS:
            ago = {sent.year - n for sent in self._sent for n in (*self._numbers, 0)}
            return number in ago or any(
                first.year <= number <= last.year for first, last in self._spans
            )
        return any(
            number in {first.day, last.day} for first, last in self._spans if last - first < A_WEEK
        )


def _names_no_day(atom: Atom) -> bool:
    """Whether a time is made of whole months, in any language: "em abril", "since May", "next month"."""
    if {*atom.kinds} <= OF_NO_DAY:
        return True
    first, last = (at.day == 1 and at == midnight(at) for at in (atom.start, atom.end))
    whole = (first or last) if atom.kinds == ("foreign",) else (first and last)
    return whole and atom.end - atom.start >= MONTH


def _days_in_digits(text: str) -> Iterator[tuple[int, int]]:
    """The months and days that "27.11" and "27/11" may be."""
    for found in _DIGITS.finditer(text):
        first, day, month = (int(one) if one else 0 for one in found.group("first", "day", "month"))
        yield from ((month, day), (day, month), (month, first))


def _ends(days: Sequence[Day]) -> list[Day]:
    """``days`` without those inside a range: of "7 to 10 May" the 7th and the 10th."""
    stated = {(day.month, day.day) for day in days}
    return [
        day for day in days if not {(day.month, day.day - 1), (day.month, day.day + 1)} <= stated
    ]

"""Messages with plans for a time that is still to come: they name its days, and nobody has written in it."""

from __future__ import annotations

from datetime import datetime
from functools import reduce

import numpy as np

from minirag_chat.lazy_patterns import any_case
from minirag_chat.records import TimeSpan
from minirag_chat.retrieve.base import Search
from minirag_chat.store.arrays import Ids
from minirag_chat.times.spans import midnight
from minirag_chat.times.tense import looks_ahead

_TO_DO = any_case(
    r"\b(?:(?:have|has|need|needs|got|supposed)\s+to|must|due|deadlines?|planned|scheduled|muss|m\u00fcssen)\b"
)
_THIS = any_case(r"(?:this|diese[nrs]?)\s")
# "When is my next shift?", "Which birthdays are coming up?", but not "next week" and "next to the door"
_NEXT = any_case(
    r"\b(?:my|our|the|their|his|her|['\u2019]s)\s+next\s+(?!(?:week|month|year|day|door|to|time)\b)[a-z]"
    r"|\bupcoming\b|\bcoming\s+up\b|\bstill\s+(?:have|has|need|needs|got)\s+to\b",
)


def plans_ahead(search: Search) -> Ids:
    """The messages that name a day to come of the question's times, sorted.

    Of "this week" in a question for what is to be done these are the days from the newest message on.
    """
    newest = search.store.messages.extent()[1] or datetime.max
    found = (_naming(search, span) for span in _times_ahead(search, newest))
    return reduce(np.union1d, found, np.array([], np.int64))


def plans_over(search: Search) -> Ids:
    """The messages that only name days before the newest message, if the question is for what is next."""
    newest = search.store.messages.extent()[1]
    question = search.question
    if newest is None or question.named_times or not _NEXT.search(question.text):
        return np.array([], np.int64)
    today = midnight(newest)
    if today == datetime.min:  # nothing is before it
        return np.array([], np.int64)
    past, ahead = (
        _naming(search, TimeSpan(*span))
        for span in ((datetime.min, today, "past"), (today, datetime.max, "ahead"))
    )
    return np.setdiff1d(past, ahead) if looks_ahead(question.text) else np.array([], np.int64)


def _naming(search: Search, span: TimeSpan) -> Ids:
    """The messages that name a day of a time."""
    last = span.end - datetime.resolution
    return search.store.columns.naming_days(span.start.date().isoformat(), last.date().isoformat())


def _times_ahead(search: Search, newest: datetime) -> list[TimeSpan]:
    """The times to come that a question is about."""
    named = search.question.named_times
    ahead = [span for span in named if newest < span.start]
    if not (_TO_DO.search(search.question.text) and looks_ahead(search.question.text)):
        return ahead
    begun = [
        TimeSpan(midnight(newest), span.end, span.phrase)
        for span in named
        if span.start <= newest < span.end and _THIS.match(span.phrase)
    ]
    return ahead + begun

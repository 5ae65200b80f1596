"""The year of a day that a message names without one: "8th May", planned in November, is of next year."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Message
from minirag_chat.times import find_times, message_times
from minirag_chat.times.spans import DAY, midnight

_YEAR = lazy(r"\b(?:19|20)\d\d\b")


def with_told_years(answer: str, messages: Sequence[Message]) -> str:
    """``answer`` with the years that the messages tell, where it has another one that none of them writes.

    A small model gives such a day the year in which the message was sent.
    """
    years: defaultdict[tuple[int, int], set[datetime]] = defaultdict(set)
    for message in messages:
        for time in message_times(message.text, message.sent_at, order=message.date_order):
            if time.one_day:
                years[time.start.month, time.start.day].add(midnight(time.start))
    written = " ".join(message.text for message in messages)
    now = max((message.sent_at for message in messages), default=datetime.max)
    for span in find_times(answer, now) if years else ():
        year, told = _YEAR.search(span.phrase), years.get((span.start.month, span.start.day), set())
        if not year or len(told) != 1 or year[0] in written or span.end - span.start > DAY:
            continue
        meant = next(iter(told)).year
        new = f"{span.phrase[: year.start()]}{meant}{span.phrase[year.end() :]}"
        answer = answer.replace(span.phrase, new, 1)
    return answer

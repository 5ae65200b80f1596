"""What is planned for a period: the messages that name days of it and were written before these."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from minirag_chat.question.overview import read_at
from minirag_chat.records import Answer, Message, Overview, Question, QuestionPlan, TimeSpan
from minirag_chat.store import Store
from minirag_chat.store.columns import is_among
from minirag_chat.summaries.overview import listed, scope_of, sources_of
from minirag_chat.times import message_times
from minirag_chat.times.spans import midnight
from minirag_chat.ui_text import day, said_at

MOST = 10  # messages that are listed
NAMED = 0.8
"""The confidence: a message may name a day and plan nothing, or plan something and name no day."""
LONGEST = timedelta(days=31)  # of a time in what is coming up
FARTHEST = timedelta(days=5 * 365)  # from a message to what it plans
DAY = timedelta(days=1)
NOTHING = "Nothing is coming up: no message names a day after the newest one."
_MORE = "And {count} more, the last for {day}: ask for a shorter time."


@dataclass(frozen=True, slots=True)
class DayAhead:
    """A message and the first day of the period that it names."""

    day: datetime
    message: Message


def planned_messages(store: Store, question: Question) -> list[DayAhead]:
    """The messages that name a day of the question's times, in order of these days.

    They were written before that day, or on it if all were. If nobody planned anything for a time to come,
    it is the one before it: "in May", asked in June. Call it inside ``reading()``.
    """
    newest = store.messages.extent()[1]
    past = () if newest is None else (read_at(question, newest),)
    for asked in (question, *past):
        if found := _naming(store, asked):
            return found
    return []


def plans_nothing(store: Store, plan: QuestionPlan) -> bool:
    """Whether a plan asks what is planned for a time, and no message names a day of it."""
    if not isinstance(plan, Overview) or not plan.planned:
        return False
    timed = all(span.end != datetime.max for span in plan.question.times)
    return timed and not planned_messages(store, plan.question)


def all_planned(
    question: Question, found: Sequence[DayAhead]
) -> Generator[str | Answer, None, None]:
    """Yield a line for each of the first messages, then the ``Answer``; if there are none, only this."""
    begun = time.perf_counter()
    if not found:
        yield replace(
            listed(question, NOTHING, (), begun, 0.0), abstained=True, reason="no_messages"
        )
        return
    shown = found[:MOST]
    sources = sources_of([one.message for one in shown])
    in_chat = len({one.message.chat for one in shown}) > 1
    lines = [
        f"- For {_named(one)}: {said_at(source.message, source.quote, in_chat=in_chat)} [{source.number}]"
        for one, source in zip(shown, sources, strict=True)
    ]
    if left := found[MOST:]:
        lines.append(_MORE.format(count=len(left), day=day(left[-1].day)))
    yield from (line + "\n" for line in lines)
    yield listed(question, "\n".join(lines), sources, begun, NAMED)


def _naming(store: Store, question: Question) -> list[DayAhead]:
    """The messages in scope that name a day of the question's times."""
    named = [
        pair for span in question.times for pair in store.columns.days_ahead(*_first_and_last(span))
    ]
    scope = scope_of(store, replace(question, times=()))
    ids = np.array(sorted({message for message, _day in named}), np.int64)
    messages = store.messages.by_ids((ids if scope is None else ids[is_among(ids, scope)]).tolist())
    pairs = [(datetime.fromisoformat(key), messages[one]) for one, key in named if one in messages]
    pairs = [(at, message) for at, message in pairs if _is_meant(at, message, question.times)]
    before = [pair for pair in pairs if pair[1].sent_at < pair[0]]
    first: dict[int, DayAhead] = {}
    for at, message in before or pairs:
        first.setdefault(message.id, DayAhead(at, message))
    return sorted(first.values(), key=lambda one: (one.day, one.message.sent_at, one.message.id))


def _is_meant(at: datetime, message: Message, times: Sequence[TimeSpan]) -> bool:
    """Whether a time that begins with this day ends within one of these, and is neither long nor far away.

    "In September" is no plan for 1 September, and "next year" none for what is coming up.
    """
    within = [span for span in times if span.start <= at < span.end]
    ends = _end(at, message)
    if at - message.sent_at > FARTHEST:
        return False
    return any(
        ends <= span.end and (span.end != datetime.max or ends - at <= LONGEST) for span in within
    )


def _end(at: datetime, message: Message) -> datetime:
    """The end of the time that a message names and that begins with this day."""
    ends = [
        time.days[1]
        for time in message_times(message.text, message.sent_at)
        if midnight(time.start) == at
    ]
    return min(ends, default=at + DAY)


def _named(one: DayAhead) -> str:
    """The day, or the month or other time that begins with it."""
    end = _end(one.day, one.message)
    if end - one.day <= DAY:
        return day(one.day)
    if one.day.day == end.day == 1 and end - one.day <= LONGEST:
        return f"{one.day:%B %Y}"
    return f"{day(one.day)} to {day(end - datetime.resolution)}"


def _first_and_last(span: TimeSpan) -> tuple[str, str]:
    """The first and the last day of a period, as the store has them."""
    return f"{span.start:%Y-%m-%d}", f"{span.end - datetime.resolution:%Y-%m-%d}"

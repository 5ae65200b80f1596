"""What is planned for a period: the messages that name days of it and were written before these."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from minirag_chat.question.overview import read_at
from minirag_chat.records import Answer, Message, Overview, Question, QuestionPlan, TimeSpan
from minirag_chat.store import Store
from minirag_chat.store.columns import is_among
from minirag_chat.summaries.overview import listed, scope_of, sources_of
from minirag_chat.ui_text import day, said_at

MOST = 10  # messages that are listed
NAMED = 0.8
"""The confidence: a message may name a day and plan nothing, or plan something and name no day."""
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
    """Whether a plan asks what is planned, and no message names a day of that time."""
    return (
        isinstance(plan, Overview) and plan.planned and not planned_messages(store, plan.question)
    )


def all_planned(
    question: Question, found: Sequence[DayAhead]
) -> Generator[str | Answer, None, None]:
    """Yield a line for each of the first messages, then the ``Answer``."""
    begun = time.perf_counter()
    shown = found[:MOST]
    sources = sources_of([one.message for one in shown])
    in_chat = len({one.message.chat for one in shown}) > 1
    lines = [
        f"- For {day(one.day)}: {said_at(source.message, source.quote, in_chat=in_chat)} [{source.number}]"
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
    before = [pair for pair in pairs if pair[1].sent_at < pair[0]]
    first: dict[int, DayAhead] = {}
    for planned, message in before or pairs:
        first.setdefault(message.id, DayAhead(planned, message))
    return sorted(first.values(), key=lambda one: (one.day, one.message.sent_at, one.message.id))


def _first_and_last(span: TimeSpan) -> tuple[str, str]:
    """The first and the last day of a period, as the store has them."""
    return f"{span.start:%Y-%m-%d}", f"{span.end - datetime.resolution:%Y-%m-%d}"

"""The answer to "How many days until Christmas?", which needs no message."""

from __future__ import annotations

import time

from minirag_chat.answer.elapsed import time_left, today
from minirag_chat.answer.without_model import without_model
from minirag_chat.question import event_until
from minirag_chat.records import Answer
from minirag_chat.store import Store
from minirag_chat.times import find_times
from minirag_chat.ui_text import day


def days_until(store: Store, question: str) -> Answer | None:
    """The answer if a question asks how long it is until a day that the calendar knows; else None."""
    started_at = time.perf_counter()
    event = event_until(question)
    if not event:
        return None
    with store.reading():
        now = today(store)
    named = find_times(event, now, prefer="future")
    whole = len(named) == 1 and named[0].phrase == event
    if not whole or named[0].start.date() <= now.date():
        return None
    when = named[0].start
    text = f"{when:%A}, {day(when)} is {time_left(when.date(), now.date())}."
    return without_model(question, text, started_at)

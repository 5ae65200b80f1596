"""Which day of the calendar a time is, which no message needs to say."""

from __future__ import annotations

from minirag_chat.answer.elapsed import elapsed, time_left, today
from minirag_chat.records import Metadata
from minirag_chat.store import Store
from minirag_chat.ui_text import day


def calendar_day(store: Store, plan: Metadata) -> str:
    """The weekday and date, and how far from today it is."""
    (span,) = plan.question.times
    asked, now = span.start.date(), today(store).date()
    named = f"{span.start:%A}, {day(span.start)}"
    if asked == now:
        return f"Today is {named}."
    return f"That is {named} ({time_left(asked, now) if asked > now else elapsed(asked, now)})."

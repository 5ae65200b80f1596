"""Of which chats and times the messages of an answer are, in words."""

from __future__ import annotations

from datetime import datetime

from minirag_chat.records import Filters, TimeSpan
from minirag_chat.store import Store
from minirag_chat.times.spans import around
from minirag_chat.ui_text import day, joined, one_line, repeated_words

MOST_NAMED = 5  # chats


def where_and_when(store: Store, filters: Filters) -> str:
    """As in " in “Cabin Crew” on Sundays", if the messages are of some chats or times only."""
    return of_chats(store, filters) + in_times(filters)


def of_chats(store: Store, filters: Filters) -> str:
    """As in " in “Cabin Crew”", if the messages are of some chats only."""
    if not filters.chats:
        return ""
    titles = store.messages.titles()
    named = dict.fromkeys(quoted(titles[chat]) for chat in sorted(filters.chats))
    names = list(named)
    more = len(names) - MOST_NAMED
    return f" in {joined([*names[:MOST_NAMED], f'{more} more chats'] if more > 1 else names)}"


def in_times(filters: Filters) -> str:
    """As in " on Sundays from 1 May 2026 to 31 May 2026", if the messages are of some times only."""
    spans = [in_span(span) for span in filters.periods]
    bounds = _from_to(filters.since or datetime.min, filters.until or datetime.max)
    each = repeated_words(filters.repeated)
    return "".join(f" {part}" for part in (each, joined(spans), bounds) if part)


def in_span(span: TimeSpan) -> str:
    """As in "in May 2026", "in 2026" or "from 1 May 2026 to 5 May 2026"."""
    for unit, form in (("month", "%B %Y"), ("year", "%Y")):
        if (span.start, span.end) == around(span.start, unit):
            return f"in {span.start:{form}}"
    return _from_to(span.start, span.end)


def no_messages(store: Store, filters: Filters) -> str:
    """The sentence that there are none that pass the filters: of whom, where and when."""
    senders = store.people.shown_names(filters.people)
    head = f"{joined(senders)} sent no messages" if senders else "There are no messages"
    return f"{head}{where_and_when(store, filters)}."


def quoted(title: str) -> str:
    """A title in quotation marks, in one line."""
    return f"\u201c{one_line(title)}\u201d"


def _from_to(since: datetime, until: datetime) -> str:
    if since > datetime.min and since.date() == (until - datetime.resolution).date():
        return _on_one_day(since, until)
    first = day(since) + _clock(since) if since > datetime.min else ""
    last = day(until - datetime.resolution) + _clock(until) if until < datetime.max else ""
    if first and last:
        return f"from {first} to {last}"
    return f"since {first}" if first else f"until {last}" if last else ""


def _on_one_day(since: datetime, until: datetime) -> str:
    """As in "on 3 May 2026", with hours if it is not the whole day."""
    begins, ends = _clock(since), _clock(until)
    hours = f" after {since:%H:%M}" if begins else ""
    return f"on {day(since)}{f' between {since:%H:%M} and {until:%H:%M}' if ends else hours}"


def _clock(moment: datetime) -> str:
    """As in ", 10:30", if it is not midnight."""
    return f", {moment:%H:%M}" if moment.time() > datetime.min.time() else ""

"""How many messages a month or a day there are, on how many days somebody wrote, and who wrote nothing."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby

from minirag_chat.answer.counting.busiest import counted_times
from minirag_chat.answer.counting.counted import (
    SHOWN,
    Counted,
    end_sources,
    first_and_last,
    listed_names,
    sources,
)
from minirag_chat.answer.durations import two_largest
from minirag_chat.answer.scope import of_chats, where_and_when
from minirag_chat.records import Filters, Metadata, Source, TimeUnit
from minirag_chat.store import Store
from minirag_chat.times.spans import midnight
from minirag_chat.ui_text import count, day, joined

_MOST_DAYS = 20  # that are listed
_Said = tuple[str, tuple[Source, ...]]
_MONTHS = 24  # at most as many times are listed
_LENGTHS: dict[TimeUnit, float] = {
    "hour": 1 / 24,
    "day": 1,
    "week": 7,
    "month": 365.25 / 12,
    "year": 365.25,
}
"""In days."""


def average(store: Store, filters: Filters, plan: Metadata, whose: str) -> _Said:
    """The number of messages for each month or year; or on average for shorter times.

    Of several units it is the shortest in which there is on average a message.
    """
    unit = _unit(store, filters, plan.units)
    times, _one = counted_times(store, filters, unit)
    total = sum(one.messages for one in times)
    head = f"{count(total, 'message')}{whose}{where_and_when(store, filters)}"
    cited, days = _first_and_last(store, filters)
    length = _LENGTHS.get(unit, 0)
    parts = []
    if (
        unit == "weekday"
        or length > days
        or (length >= _LENGTHS["month"] and len(times) <= _MONTHS)
    ):
        parts.append(listed_names(times[:_MONTHS], len(times)))
    if 0 < length <= days:  # else it is of less than one
        ends = f"from the first [1] to the last day [{len(cited)}]"
        parts.append(f"on average {total * length / days:,.1f} a {unit}, {ends}")
    return f"{head}: {'; '.join(parts)}.", cited


def _unit(store: Store, filters: Filters, units: tuple[TimeUnit, ...]) -> TimeUnit:
    """The shortest unit in which there is a message on average, of those that have passed; or the first."""
    if not units[1:]:
        return units[0]
    total = store.message_counts.number(filters)
    _ends, days = _first_and_last(store, filters)
    passed = [unit for unit in units if _LENGTHS[unit] <= days] or [units[0]]
    return next((unit for unit in passed if total * _LENGTHS[unit] >= days), passed[-1])


def days_listed(store: Store, filters: Filters, senders: list[str]) -> _Said:
    """The days on which these people wrote, or anybody, with their numbers of messages."""
    times, messages = counted_times(store, filters, "day")
    if len(times) > _MOST_DAYS:
        return days_written(store, filters, senders)
    who = joined(senders) or "Somebody"
    where = where_and_when(store, filters)
    if len(times) > 1:
        cited = sources(store, [messages[one.name] for one in times])
        days = listed_names(times, len(times), cite_from=1)
        return f"{who} wrote on {count(len(times), 'day')}{where}: {days}.", cited
    cited, _days = _first_and_last(store, filters)
    hours = [f"{one.sent_at:%H:%M} [{one.number}]" for one in cited]
    on, number = f"on {times[0].name}", times[0].messages
    place = of_chats(store, filters)
    if number == 1:
        return f"{who} wrote 1 message{place} {on}, at {hours[0]}.", cited
    ends = f"the first at {hours[0]}, the last at {hours[-1]}"
    return f"{who} wrote {count(number, 'message')}{place} {on}, {ends}.", cited


def days_written(store: Store, filters: Filters, senders: list[str]) -> _Said:
    """On how many days these people wrote, or anybody."""
    days = len(store.message_counts.by_time(filters, "day"))
    cited, _days = _first_and_last(store, filters)
    cited = cited[:1] if days == 1 else cited
    who = joined(senders) or "Somebody"
    where = where_and_when(store, filters)
    return f"{who} wrote on {count(days, 'day')}{where}, {first_and_last(cited, days)}.", cited


def longest_silence(store: Store, filters: Filters) -> _Said:
    """The longest time between two messages in a row."""
    where = where_and_when(store, filters)
    ends = store.message_counts.longest_gap(filters)
    if ends is None:
        return f"There is just one message{where}.", ()
    cited = sources(store, list(ends))
    lasted = two_largest(cited[1].sent_at - cited[0].sent_at) or "no time"
    begin, end = (f"{day(one.sent_at)}, {one.sent_at:%H:%M} [{one.number}]" for one in cited)
    return f"The longest silence{where} lasted {lasted}: from {begin} to {end}.", cited


def longest_streak(store: Store, filters: Filters, plan: Metadata) -> _Said:
    """The most days in a row on which these people wrote, or anybody; of several as long, the first."""
    times = store.message_counts.by_time(filters, "day")
    days = [(datetime.fromisoformat(at), message) for at, _number, message in times]
    # Days in a row are as far from their places in the list.
    rows = groupby(enumerate(days), key=lambda placed: placed[1][0].toordinal() - placed[0])
    streak = max(([on for _place, on in row] for _distance, row in rows), key=len)
    names = store.people.shown_names(plan.senders)
    who, where = joined(names) or "somebody", where_and_when(store, filters)
    cited = end_sources(store, (streak[0][1], streak[-1][1]))
    ends = " to ".join(f"{day(one.sent_at)} [{one.number}]" for one in cited)
    head = f"The longest streak of days on which {who} wrote{where}"
    return f"{head} is {count(len(streak), 'day')}: {ends}.", cited


def silent(store: Store, filters: Filters, senders: list[Counted], known: list[str]) -> _Said:
    """Who of those whose names are ``known`` is not among the senders of messages that pass."""
    where = where_and_when(store, filters)
    wrote = {sender.name for sender in senders}
    quiet = [name for name in known if name not in wrote]
    if not quiet:
        return f"Nobody: all {len(known):,} people wrote{where}.", ()
    wrote_of = f"{len(known) - len(quiet):,} of {count(len(known), 'person', 'people')} did"
    return f"{joined(quiet[:SHOWN], of=len(quiet))} wrote nothing{where}; {wrote_of}.", ()


def _first_and_last(store: Store, filters: Filters) -> tuple[tuple[Source, ...], int]:
    """The first and the last message, as sources, and the number of days from one to the other."""
    ends = store.message_counts.first_and_last(filters) or ()
    cited = end_sources(store, ends)
    dates = [midnight(one.sent_at) for one in cited]
    return cited, (dates[-1] - dates[0]) // timedelta(days=1) + 1 if dates else 1

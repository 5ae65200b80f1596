"""How many messages a month or a day there are, on which days somebody wrote, and who wrote nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby

from minirag_chat.answer.counting.busiest import counted_times
from minirag_chat.answer.counting.cited import end_sources, first_and_last, sources
from minirag_chat.answer.counting.ranking import SHOWN, listed_names
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.durations import two_largest
from minirag_chat.records import Filters, Repeated, Source, TimeUnit
from minirag_chat.times.spans import midnight
from minirag_chat.ui_text import count, day, joined

_MOST_DAYS = 20  # that are listed
_MONTHS = 24  # at most as many times are listed
_LENGTHS: dict[TimeUnit, float] = {
    "hour": 1 / 24, "day": 1, "week": 7, "month": 365.25 / 12, "year": 365.25,
}  # fmt: skip
"""In days."""


def average(request: CountRequest) -> Told:
    """The number of messages for each month or year; or on average for shorter times.

    Of several units it is the shortest in which there is on average a message.
    """
    unit = _unit(request)
    times, _one = counted_times(request, unit)
    total = sum(one.number for one in times)
    head = f"{count(total, 'message')}{request.whose}{request.where}"
    cited, days = _first_and_last(request)
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


def _unit(request: CountRequest) -> TimeUnit:
    """The shortest unit in which there is a message on average, of those that have passed; or the first."""
    units = request.plan.units
    if not units[1:]:
        return units[0]
    total = request.counts.number(request.filters)
    _ends, days = _first_and_last(request)
    passed = [unit for unit in units if _LENGTHS[unit] <= days] or [units[0]]
    return next((unit for unit in passed if total * _LENGTHS[unit] >= days), passed[-1])


def days_listed(request: CountRequest) -> Told:
    """The days on which these people wrote, or anybody, with their numbers of messages."""
    times, messages = counted_times(request, "day")
    if len(times) > _MOST_DAYS:
        return days_written(request)
    who = request.senders or "Somebody"
    if len(times) > 1:
        cited = sources(request.store, [messages[one.name] for one in times])
        days = listed_names(times, len(times), cite_from=1)
        return f"{who} wrote on {count(len(times), 'day')}{request.where}: {days}.", cited
    cited, _days = _first_and_last(request)
    hours = [f"{one.sent_at:%H:%M} [{one.number}]" for one in cited]
    head = f"{who} wrote {count(times[0].number, 'message')}{request.inside} on {times[0].name}"
    if times[0].number == 1:
        return f"{head}, at {hours[0]}.", cited
    return f"{head}, the first at {hours[0]}, the last at {hours[-1]}.", cited


def days_written(request: CountRequest) -> Told:
    """On how many days these people wrote, or anybody."""
    days = len(request.counts.by_time(request.filters, "day"))
    cited, _days = _first_and_last(request)
    cited = cited[:1] if days == 1 else cited
    head = f"{request.senders or 'Somebody'} wrote on {count(days, 'day')}{request.where}"
    return f"{head}, {first_and_last(cited, days)}.", cited


def days_without(request: CountRequest) -> Told:
    """On how many days these people, or all, wrote nothing, from the chats' first message to the last."""
    filters = request.filters
    if filters.repeated != Repeated():
        return days_written(request)
    wrote = len(request.counts.by_time(filters, "day"))
    every, _days = _first_and_last(replace(request, filters=Filters(chats=filters.chats)))
    begin, end = every[0].sent_at, every[-1].sent_at
    spans = [(span.start, span.end) for span in filters.periods] or [(datetime.min, datetime.max)]
    since, until = filters.since or datetime.min, filters.until or datetime.max
    asked = {
        number
        for start, stop in spans
        for number in range(
            max(start, since, begin).toordinal(),
            min(min(stop, until) - datetime.resolution, end).toordinal() + 1,
        )
    }
    cited, _days = _first_and_last(request)
    who = request.senders or "Nobody"
    did = "wrote nothing" if request.senders else "wrote"
    head = f"{who} {did} on {len(asked) - wrote:,} of {count(len(asked), 'day')}{request.where}"
    return f"{head}; with messages are {wrote:,}, {first_and_last(cited, wrote)}.", cited


def share_of_messages(request: CountRequest) -> Told:
    """Which share of the messages these people wrote, in percent; there is at least one message of theirs.

    Or which share of all messages, or of somebody's, is in the chats with those to whom they are.
    """
    theirs = request.counts.number(request.filters)
    if request.plan.between:
        return _share_of_their_chats(request, theirs)
    of_all = request.counts.number(request.within(people=frozenset()).filters)
    cited, _days = _first_and_last(request)
    who = request.names(request.filters.people) or "Everybody"
    part = f"{100 * theirs / of_all:.0f}% of the messages{request.where}: {theirs:,} of {of_all:,}"
    return f"{who} wrote {part}, {first_and_last(cited, theirs)}.", cited


def _share_of_their_chats(request: CountRequest, number: int) -> Told:
    """Which share of the messages is in the chats of these people."""
    of_all = request.counts.number(
        request.within(chats=request.plan.question.filters.chats).filters
    )
    cited, _days = _first_and_last(request)
    part = f"{100 * number / of_all:.0f}% of the messages{request.whose} are{request.where}"
    return f"{part}: {number:,} of {of_all:,}; {first_and_last(cited, number)}.", cited


def longest_silence(request: CountRequest) -> Told:
    """The longest time between two messages in a row."""
    where = request.where
    ends = request.counts.longest_gap(request.filters)
    if ends is None:
        return f"There is just one message{where}.", ()
    cited = sources(request.store, list(ends))
    lasted = two_largest(cited[1].sent_at - cited[0].sent_at) or "no time"
    begin, end = (f"{day(one.sent_at)}, {one.sent_at:%H:%M} [{one.number}]" for one in cited)
    return f"The longest silence{where} lasted {lasted}: from {begin} to {end}.", cited


def longest_streak(request: CountRequest) -> Told:
    """The most days in a row on which these people wrote, or anybody; of several as long, the first."""
    times = request.counts.by_time(request.filters, "day")
    days = [(datetime.fromisoformat(at), message) for at, _number, message in times]
    # Days in a row are as far from their places in the list.
    rows = groupby(enumerate(days), key=lambda placed: placed[1][0].toordinal() - placed[0])
    streak = max(([on for _place, on in row] for _distance, row in rows), key=len)
    cited = end_sources(request.store, (streak[0][1], streak[-1][1]))
    ends = " to ".join(f"{day(one.sent_at)} [{one.number}]" for one in cited)
    who = request.senders or "somebody"
    head = f"The longest streak of days on which {who} wrote{request.where}"
    return f"{head} is {count(len(streak), 'day')}: {ends}.", cited


def silent(request: CountRequest) -> Told:
    """Who of those who ever write, in the chats of the filters, wrote no message that passes."""
    filters, shown = request.filters, request.store.people.joined_names.shown
    ever, wrote = (
        [shown(person, name) for person, name, _number in request.counts.by_sender(of)]
        for of in (Filters(filters.people, filters.chats), filters)
    )
    quiet = [name for name in ever if name not in wrote]
    if not quiet:
        return f"Nobody: all {len(ever):,} people wrote{request.where}.", ()
    did = f"{len(ever) - len(quiet):,} of {count(len(ever), 'person', 'people')} did"
    names = joined(quiet[:SHOWN], of=len(quiet))
    return f"{names} wrote nothing{request.where}; {did}.", ()


def _first_and_last(request: CountRequest) -> tuple[tuple[Source, ...], int]:
    """The first and the last message, as sources, and the number of days from one to the other."""
    ends = request.counts.first_and_last(request.filters) or ()
    cited = end_sources(request.store, ends)
    dates = [midnight(one.sent_at) for one in cited]
    return cited, (dates[-1] - dates[0]) // timedelta(days=1) + 1 if dates else 1

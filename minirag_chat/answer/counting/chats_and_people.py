"""Who is in a chat and who writes most in each, which chats there are, and with whom somebody writes most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from minirag_chat.answer.counting.cited import source
from minirag_chat.answer.counting.ranking import (
    SHOWN,
    Counted,
    listed_names,
    ranked,
    ranking,
)
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.where_and_when import in_times, no_messages, quoted
from minirag_chat.records import Source
from minirag_chat.ui_text import count, joined


def members(request: CountRequest) -> Told:
    """Everybody who wrote, the most active first."""
    found = senders_of(request)
    if not found:
        return nothing_passes(request), ()
    other = "other " if request.plan.without else ""
    have = count(len(found), f"{other}person has", f"{other}people have")
    return _first_of(request, found, f"{have} written{request.where}")


def partners(request: CountRequest) -> Told:
    """With whom a person writes most, or least."""
    plan, when = request.plan, in_times(request.filters)
    if found := _partners(request):
        most = "Most" if plan.asks.end == "most" else "Fewest"
        return _first_of(request, found, f"{most} messages{when}, in chats of two, are with")
    others = " or ".join(request.store.people.shown_names(plan.among - plan.senders))
    return f"There is no chat of two{f' with {others}' if others else ''}{when}.", ()


def addressees(request: CountRequest) -> Told:
    """To whom a person writes most."""
    when, writers = in_times(request.filters), request.senders
    if found := _partners(request):
        head = f"Most messages from {writers}{when}, in chats of two, are to"
        return _first_of(request, found, head)
    others = " or ".join(request.store.people.shown_names(request.plan.among))
    to = f" to {others}" if others else ""
    return f"{writers} wrote nothing{to} in chats of two{when}.", ()


def chats(request: CountRequest) -> Told:
    """The chats or groups of a person or of all."""
    found = _chats(request)
    if not found:
        return _no_chat(request), ()
    several = in_times(replace(request.filters, since=None, until=None))
    head = f"{count(len(found), request.plan.asks.of.removesuffix('s'))}{several}"
    return _first_of(request, found, head)


def sizes(request: CountRequest) -> Told:
    """Which chat has the most or the fewest messages."""
    found, most = _chats(request), request.plan.asks.end == "most"
    if not found:
        return _no_chat(request), ()
    ordered = sorted(found, key=lambda chat: -chat.number if most else chat.number)
    have = "have" if len(ordered) > 1 and ordered[0].number == ordered[1].number else "has"
    when = in_times(request.filters)
    head = f"{have} the {request.plan.asks.end} messages{request.whose}{when}"
    text = ranking(ordered, sum(chat.number for chat in ordered), head)
    return text, last_of_each(request, ordered)


def leaders(request: CountRequest) -> Told:
    """Who wrote the most or the fewest messages in each chat, the largest chat first."""
    found = _chats(request)
    if not found:
        return _no_chat(request), ()
    first: list[Counted] = []
    parts: list[str] = []
    for chat in found[:SHOWN]:
        senders, nth = ranked(senders_of(replace(request, filters=chat.filters)), request.plan)
        equal = [one for one in senders if one.number == senders[0].number]
        names = joined([one.name for one in equal[:SHOWN]], of=len(equal))
        each = " each" if equal[1:] else ""
        first.append(senders[0])
        parts.append(
            f"{chat.name}: {names}, {senders[0].number:,} of {chat.number:,}{each} [{len(first)}]"
        )
    head = (
        f"Who wrote the {nth}{request.plan.asks.end} messages{in_times(request.filters)}, by chat:"
    )
    left = len(found) - len(parts)
    more = [f"and {count(left, 'smaller chat')}"] if left else []
    return f"{head} {'; '.join([*parts, *more])}.", last_of_each(request, first)


def senders_of(request: CountRequest) -> list[Counted]:
    """The senders of messages that pass, the most active first."""
    shown, filters = request.store.people.joined_names.shown, request.filters
    return [
        Counted(shown(person, name), messages, replace(filters, people=frozenset({person})))
        for person, name, messages in request.counts.by_sender(filters)
    ]


def nothing_passes(request: CountRequest) -> str:
    """The sentence that there are no such messages."""
    return request.verdict(no_messages(request.store, request.filters))


def last_of_each(request: CountRequest, listed: Sequence[Counted]) -> tuple[Source, ...]:
    """The last message of each that is shown, as sources."""
    ends = [request.counts.first_and_last(one.filters) for one in listed[:SHOWN]]
    messages = request.store.messages.by_ids([end[1] for end in ends if end])
    return tuple(
        source(number, messages[end[1]]) for number, end in enumerate(ends, start=1) if end
    )


def _first_of(request: CountRequest, found: Sequence[Counted], head: str) -> Told:
    """``head``, then those with the most messages, each with one that is cited."""
    text = f"{head}: {listed_names(found[:SHOWN], len(found), cite_from=1)}."
    return text, last_of_each(request, found)


def _no_chat(request: CountRequest) -> str:
    if request.plan.asks.of != "chats":
        return f"There is no {request.plan.asks.of.removesuffix('s')}{request.where}."
    return nothing_passes(request)


def _chats(request: CountRequest) -> list[Counted]:
    """The chats, or only the groups or those of two, with messages that pass, the largest first."""
    kind = {"groups": "group", "direct chats": "direct"}.get(request.plan.asks.of)
    titles = {
        chat.id: chat.title for chat in request.store.messages.chats() if kind in {None, chat.kind}
    }
    return [
        Counted(quoted(titles[chat]), messages, replace(request.filters, chats=frozenset({chat})))
        for chat, messages in request.counts.by_chat(request.filters)
        if chat in titles
    ]


def _partners(request: CountRequest) -> list[Counted]:
    """The other person of each chat of two in which the sender takes part, by all its messages.

    For addressees only those of the sender count; with whom least was written comes first.
    """
    store, plan, filters = request.store, request.plan, request.filters
    others: dict[int, str] = {}
    in_chats = store.messages.participants()
    for chat, people in in_chats.items():
        if plan.senders < people.keys() and len(people) == len(plan.senders) + 1:
            (other,) = people.keys() - plan.senders
            others[chat] = store.people.joined_names.shown(other, people[other])
    among = plan.among - plan.senders
    named = {chat for chat in others if not plan.among or among & in_chats[chat].keys()}
    chosen = frozenset(named) & (filters.chats or frozenset(named))
    if not chosen:
        return []
    counted = plan.senders if plan.asks.what == "addressees" else frozenset[int]()
    both = replace(filters, people=counted, chats=chosen)
    numbers = dict(request.counts.by_chat(both))
    if plan.asks.end == "fewest":  # also with whom nothing was written
        numbers = {chat: numbers.get(chat, 0) for chat in [*reversed(numbers), *sorted(chosen)]}
        numbers = dict(sorted(numbers.items(), key=lambda one: one[1]))
    return [
        Counted(others[chat], messages, replace(both, chats=frozenset({chat})))
        for chat, messages in numbers.items()
    ]

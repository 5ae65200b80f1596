"""Who, or which chat, wrote first of all or is new, and who has been quiet: by first and last messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from minirag_chat.answer.counting.chats_of_two import chats_of_two
from minirag_chat.answer.counting.counted import SHOWN, sources
from minirag_chat.answer.elapsed import elapsed, today
from minirag_chat.answer.scope import in_times, no_messages, of_chats, quoted, where_and_when
from minirag_chat.records import Filters, Metadata, Repeated, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count, day, joined

_PEOPLE = frozenset({"quiet", "oldest", "newest", "unwritten"})


def longest_quiet(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """Whose last message is the oldest, that of which chat, or the asker's to whom; then the others.

    Who has not written to the asker is looked for in their chats of two, if there are at least two.
    """
    two = _of_two(store, filters) if plan.asks == "quiet" and plan.without else frozenset()
    inside, when = of_chats(store, filters), in_times(filters)
    filters = replace(filters, chats=two or filters.chats)
    inside = " in chats of two" if two else inside
    to_others = plan.asks == "unwritten" and not filters.chats
    last = _to_others(store, filters) if to_others else _ends(store, filters, plan, last=True)
    never = _never(store, last) if to_others and not when else ""
    if not last:
        return never or _none(store, filters, plan), ()
    names, cited = _shown(store, plan, last)
    if to_others:
        on = _on(cited[0], _ago(store, cited[0]))
        head = f"Your oldest last message{when}, in chats of two, is to {names[0]}: {on}."
    elif when:
        head = f"Of the last messages{inside}{when} the oldest is {_of(plan)} {names[0]}: {_on(cited[0])}."
    else:
        head = f"{names[0]} has been quiet the longest{inside}: since {_on(cited[0], _ago(store, cited[0]))}."
    return f"{head}{_then(names, cited, len(last))}{never}", cited


def first_written(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """Whose first message is the oldest or the newest, or that of which chat; then the others.

    For the newest of a time all are listed who, or which, wrote nothing before it.
    """
    inside, when = of_chats(store, filters), in_times(filters)
    newest = plan.asks.startswith("newest")
    first = _ends(store, filters, plan, last=False)
    if newest and when:
        always = replace(filters, since=None, until=None, repeated=Repeated(), periods=())
        ever = _ends(store, always, plan, last=False)
        first = {one: message for one, message in first.items() if ever.get(one) == message}
        near = " with whom you have a chat of two" if _near(store, filters) else ""
        return _new(store, plan, first, f"{inside}{when}", near)
    if not first:
        return _none(store, filters, plan), ()
    if newest:
        first = dict(reversed(first.items()))
    names, cited = _shown(store, plan, first)
    extreme = "newest" if newest else "oldest"
    on = _on(cited[0], _ago(store, cited[0]))
    head = f"The {extreme} first message{inside}{when} is {_of(plan)} {names[0]}: {on}."
    return head + _then(names, cited, len(first)), cited


def _new(
    store: Store, plan: Metadata, first: Mapping[int, int], where: str, near: str
) -> tuple[str, tuple[Source, ...]]:
    """All who wrote for the first time, or the chats that began."""
    of_people = plan.asks in _PEOPLE
    if not first:
        return (
            f"Nobody wrote for the first time{where}." if of_people else f"No chat began{where}."
        ), ()
    names, cited = _shown(store, plan, first)
    number = len(first)
    who = (
        f"{count(number, 'person', 'people')}{near} wrote for the first time{where}"
        if of_people
        else f"{count(number, 'chat')} began{where}"
    )
    return f"{who}: {_listed(names, cited, number)}.", cited


def _ends(store: Store, filters: Filters, plan: Metadata, *, last: bool) -> dict[int, int]:
    """The last or first message of each other person or each chat, the oldest first."""
    counts = store.message_counts
    if plan.asks in _PEOPLE:
        found = counts.last_of_people(filters) if last else counts.first_of_people(filters)
        others = _of_others(store, filters, found)
        me = store.me.id()
        return {one: found[one] for one in found if one != me} if plan.asks == "quiet" else others
    ends = counts.last_of_chats(filters) if last else counts.first_of_chats(filters)
    chats = store.messages.groups() if plan.asks.endswith("group") else ends.keys()
    return {chat: message for chat, message in ends.items() if chat in chats}


def _to_others(store: Store, filters: Filters) -> dict[int, int]:
    """The asker's last message to each other with whom they have a chat of two, the oldest first."""
    me = store.me.id() or 0  # nobody
    last = store.message_counts.last_of_chats(replace(filters, people=frozenset({me})))
    chats = chats_of_two(store)
    found: dict[int, int] = {}
    for chat, message in last.items():
        for other in chats.get(chat, ()):
            found.pop(other, None)  # a later one, in another chat with them
            found[other] = message
    return found


def _never(store: Store, last: Mapping[int, int]) -> str:
    """A sentence on those who wrote to the asker, and never had a message from them."""
    others = set().union(*chats_of_two(store).values()) - last.keys()
    names = store.people.shown_names(others)
    return f" You have never written to {joined(names)}." if names else ""


def _of_others(store: Store, filters: Filters, found: Mapping[int, int]) -> dict[int, int]:
    """Those of people who have a chat of two with the asker, or of all others if there are not two such."""
    me, near = store.me.id(), _near(store, filters)
    return {one: found[one] for one in found if one != me and (not near or one in near)}


def _of_two(store: Store, filters: Filters) -> frozenset[int]:
    """The chats of the asker with one other; none if these are not two people, or chats are filtered."""
    return frozenset(chats_of_two(store)) if _near(store, filters) else frozenset()


def _near(store: Store, filters: Filters) -> set[int]:
    """Those with whom the asker has a chat of two; nobody if they are not two, or chats are filtered."""
    near = set().union(*chats_of_two(store).values())
    return near if len(near) > 1 and not filters.chats else set()


def _none(store: Store, filters: Filters, plan: Metadata) -> str:
    """That there is no such person or chat."""
    where = where_and_when(store, filters)
    if plan.asks in _PEOPLE:
        return f"Nobody else wrote{where}."
    return (
        f"There is no group{where}." if plan.asks.endswith("group") else no_messages(store, filters)
    )


def _shown(
    store: Store, plan: Metadata, ends: Mapping[int, int]
) -> tuple[list[str], tuple[Source, ...]]:
    """The names of the first few, and their messages."""
    titles = store.messages.titles()
    shown = [*ends][:SHOWN]
    names = [
        store.people.shown_by_id(one) if plan.asks in _PEOPLE else quoted(titles[one])
        for one in shown
    ]
    return names, sources(store, [ends[one] for one in shown])


def _then(names: list[str], cited: tuple[Source, ...], number: int) -> str:
    return f" Then {_listed(names[1:], cited[1:], number - 1)}." if cited[1:] else ""


def _listed(names: list[str], cited: tuple[Source, ...], number: int) -> str:
    """The names with the days of their messages, and how many of ``number`` are left out."""
    dated = [
        f"{name} ({day(one.sent_at)}) [{one.number}]"
        for name, one in zip(names, cited, strict=True)
    ]
    return joined(dated, of=number)


def _of(plan: Metadata) -> str:
    return "from" if plan.asks in _PEOPLE else "in"


def _on(cited: Source, ago: str = "") -> str:
    return f"{day(cited.sent_at)}{ago} [{cited.number}]"


def _ago(store: Store, cited: Source) -> str:
    return f" ({elapsed(cited.sent_at.date(), today(store).date())})"

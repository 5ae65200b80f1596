"""Who, or which chat, wrote first of all or is new, and who has been quiet: by first and last messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from minirag_chat.answer.counting.chats_of_two import chats_of_two
from minirag_chat.answer.counting.cited import sources
from minirag_chat.answer.counting.ranking import SHOWN
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.elapsed import elapsed, today
from minirag_chat.answer.where_and_when import in_times, no_messages, quoted
from minirag_chat.records import Repeated, Source
from minirag_chat.ui_text import count, day, joined


def longest_quiet(request: CountRequest) -> Told:
    """Whose last message is the oldest, that of which chat, or the asker's to whom; then the others.

    Who has not written to the asker is looked for in their chats of two, if there are at least two.
    """
    plan, when = request.plan, in_times(request.filters)
    to_others = plan.asks.what == "unwritten" and not request.filters.chats
    inside = request.inside
    if plan.asks.what == "quiet" and plan.without and _of_people(request) and _near(request):
        request = request.within(chats=frozenset(chats_of_two(request.store)))
        inside = " in chats of two"
    last = _to_others(request) if to_others else _ends(request, last=True)
    never = _never(request, last) if to_others and not when else ""
    if not last:
        return never or _none(request), ()
    names, cited = _shown(request, last)
    on, ago = _on(cited[0]), _on(cited[0], _ago(request, cited[0]))
    if to_others:
        head = f"Your oldest last message{when}, in chats of two, is to {names[0]}: {ago}."
    elif when:
        head = f"Of the last messages{inside}{when} the oldest is {_of(request)} {names[0]}: {on}."
    else:
        head = f"{names[0]} has been quiet the longest{inside}: since {ago}."
    return f"{head}{_then(names, cited, len(last))}{never}", cited


def first_written(request: CountRequest) -> Told:
    """Whose first message is the oldest or the newest, or that of which chat; then the others.

    For the newest of a time all are listed who, or which, wrote nothing before it.
    """
    when, extreme = in_times(request.filters), request.plan.asks.end
    first = _ends(request, last=False)
    if extreme == "newest" and when:
        always = request.within(since=None, until=None, repeated=Repeated(), periods=())
        ever = _ends(always, last=False)
        return _new(request, {one: first[one] for one in first if ever.get(one) == first[one]})
    if not first:
        return _none(request), ()
    if extreme == "newest":
        first = dict(reversed(first.items()))
    names, cited = _shown(request, first)
    on = _on(cited[0], _ago(request, cited[0]))
    head = f"The {extreme} first message{request.where} is {_of(request)} {names[0]}: {on}."
    return head + _then(names, cited, len(first)), cited


def _new(request: CountRequest, first: Mapping[int, int]) -> Told:
    """All who wrote for the first time, or the chats that began."""
    of_people = _of_people(request)
    if not first:
        none = "Nobody wrote for the first time" if of_people else "No chat began"
        return f"{none}{request.where}.", ()
    names, cited = _shown(request, first)
    number = len(first)
    head = f"{count(number, 'chat')} began"
    if of_people:
        near = " with whom you have a chat of two" if _near(request) else ""
        head = f"{count(number, 'person', 'people')}{near} wrote for the first time"
    return f"{head}{request.where}: {_listed(names, cited, number)}.", cited


def _of_people(request: CountRequest) -> bool:
    """Whether it is asked of people, and not of chats or groups."""
    return request.plan.asks.of == "people"


def _ends(request: CountRequest, *, last: bool) -> dict[int, int]:
    """The last or first message of each other person or each chat, the oldest first."""
    counts, filters, asks = request.counts, request.filters, request.plan.asks
    if asks.of == "people":
        found = counts.last_of_people(filters) if last else counts.first_of_people(filters)
        me = request.store.me.id()
        near = set() if asks.what == "quiet" else _near(request)
        return {one: found[one] for one in found if one != me and (not near or one in near)}
    ends = counts.last_of_chats(filters) if last else counts.first_of_chats(filters)
    chats = request.store.messages.groups() if asks.of == "groups" else ends.keys()
    return {chat: message for chat, message in ends.items() if chat in chats}


def _to_others(request: CountRequest) -> dict[int, int]:
    """The asker's last message to each other with whom they have a chat of two, the oldest first."""
    me = request.store.me.id() or 0  # nobody
    last = request.counts.last_of_chats(replace(request.filters, people=frozenset({me})))
    chats = chats_of_two(request.store)
    found: dict[int, int] = {}
    for chat, message in last.items():
        for other in chats.get(chat, ()):
            found.pop(other, None)  # a later one, in another chat with them
            found[other] = message
    return found


def _never(request: CountRequest, last: Mapping[int, int]) -> str:
    """A sentence on those who wrote to the asker, and never had a message from them."""
    names = request.names(_others_of_two(request) - last.keys())
    return f" You have never written to {names}." if names else ""


def _near(request: CountRequest) -> set[int]:
    """Those with whom the asker has a chat of two; nobody if they are not two, or chats are filtered."""
    near = _others_of_two(request)
    return near if len(near) > 1 and not request.filters.chats else set()


def _others_of_two(request: CountRequest) -> set[int]:
    """The others in the chats of two of the asker."""
    return set().union(*chats_of_two(request.store).values())


def _none(request: CountRequest) -> str:
    """That there is no such person or chat."""
    of = request.plan.asks.of
    if of == "chats":
        return no_messages(request.store, request.filters)
    return f"{'Nobody else wrote' if of == 'people' else 'There is no group'}{request.where}."


def _shown(request: CountRequest, ends: Mapping[int, int]) -> tuple[list[str], tuple[Source, ...]]:
    """The names of the first few, and their messages."""
    titles, shown = request.store.messages.titles(), [*ends][:SHOWN]
    of_people = _of_people(request)
    names = [request.name(one) if of_people else quoted(titles[one]) for one in shown]
    return names, sources(request.store, [ends[one] for one in shown])


def _then(names: list[str], cited: tuple[Source, ...], number: int) -> str:
    return f" Then {_listed(names[1:], cited[1:], number - 1)}." if cited[1:] else ""


def _listed(names: list[str], cited: tuple[Source, ...], number: int) -> str:
    """The names with the days of their messages, and how many of ``number`` are left out."""
    dated = [
        f"{name} ({day(one.sent_at)}) [{one.number}]"
        for name, one in zip(names, cited, strict=True)
    ]
    return joined(dated, of=number)


def _of(request: CountRequest) -> str:
    return "from" if _of_people(request) else "in"


def _on(cited: Source, ago: str = "") -> str:
    return f"{day(cited.sent_at)}{ago} [{cited.number}]"


def _ago(request: CountRequest, cited: Source) -> str:
    return f" ({elapsed(cited.sent_at.date(), today(request.store).date())})"

"""Who wrote nothing for the longest, and which chat: whose last message is the oldest."""

from __future__ import annotations

from collections.abc import Callable

from minirag_chat.answer.counted import SHOWN, sources
from minirag_chat.answer.elapsed import elapsed, today
from minirag_chat.answer.scope import in_times, no_messages, of_chats, quoted
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import day, joined


def longest_quiet(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """Whose last message is the oldest, or that of which chat; then the others, with their last days.

    People are those with whom the asker has a chat of two, or all others if there are not two of these.
    """
    inside, when = of_chats(store, filters), in_times(filters)
    of_people = plan.asks == "quiet"
    name: Callable[[int], str] = (
        store.people.shown_by_id if of_people else _titles(store).__getitem__
    )
    last = (
        _last_of_others(store, filters)
        if of_people
        else _last_of_chats(store, filters, only_groups=plan.asks == "quiet group")
    )
    if not last:
        return no_messages(store, filters), ()
    cited = sources(store, [*last.values()][:SHOWN])
    days = [day(one.sent_at) for one in cited]
    marks = [f" [{one.number}]" for one in cited]
    names = [name(one) for one in last][:SHOWN]
    ago = elapsed(cited[0].sent_at.date(), today(store).date())
    text = f"{names[0]} has been quiet the longest{inside}: since {days[0]} ({ago}){marks[0]}."
    if when:
        of = "from" if of_people else "in"
        text = f"Of the last messages{inside}{when} the oldest is {of} {names[0]}: {days[0]}{marks[0]}."
    then = [f"{each} ({on}){mark}" for each, on, mark in zip(names, days, marks, strict=True)][1:]
    more = [f"{len(last) - SHOWN:,} more"] if len(last) > SHOWN else []
    return (f"{text} Then {joined([*then, *more])}." if then else text), cited


def _last_of_others(store: Store, filters: Filters) -> dict[int, int]:
    """The last message of each person but the asker, the oldest first."""
    asker = store.me.person()
    me = {asker.id} if asker else set()
    found = store.message_counts.last_of_people(filters)
    last = {person: message for person, message in found.items() if person not in me}
    groups = _groups(store)
    near = {
        person
        for chat, people in store.messages.participants().items()
        if chat not in groups and len(people.keys() - me) == 1
        for person in people.keys() - me
    }
    kept = {person: message for person, message in last.items() if person in near}
    return kept if len(kept) > 1 and not filters.chats else last


def _last_of_chats(store: Store, filters: Filters, *, only_groups: bool) -> dict[int, int]:
    """The last message of each chat, the oldest first."""
    last = store.message_counts.last_of_chats(filters)
    groups = _groups(store) if only_groups else last.keys()
    return {chat: message for chat, message in last.items() if chat in groups}


def _groups(store: Store) -> set[int]:
    return {chat.id for chat in store.messages.chats() if chat.kind == "group"}


def _titles(store: Store) -> dict[int, str]:
    return {chat.id: quoted(chat.title) for chat in store.messages.chats()}

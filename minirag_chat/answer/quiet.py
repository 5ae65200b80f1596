"""Who wrote nothing for the longest, and which chat: whose last message is the oldest."""

from __future__ import annotations

from minirag_chat.answer.chats_of_two import chats_of_two, groups_of
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
    if of_people:
        last = _last_of_others(store, filters)
        names = [store.people.shown_by_id(person) for person in [*last][:SHOWN]]
    else:
        last = _last_of_chats(store, filters, only_groups=plan.asks == "quiet group")
        titles = store.messages.titles()
        names = [quoted(titles[chat]) for chat in [*last][:SHOWN]]
    if not last:
        return no_messages(store, filters), ()
    cited = sources(store, [*last.values()][:SHOWN])
    days = [day(one.sent_at) for one in cited]
    marks = [f" [{one.number}]" for one in cited]
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
    me = asker.id if asker else 0
    found = store.message_counts.last_of_people(filters)
    last = {person: message for person, message in found.items() if person != me}
    near = set().union(*chats_of_two(store, me).values())
    kept = {person: message for person, message in last.items() if person in near}
    return kept if len(kept) > 1 and not filters.chats else last


def _last_of_chats(store: Store, filters: Filters, *, only_groups: bool) -> dict[int, int]:
    """The last message of each chat, the oldest first."""
    last = store.message_counts.last_of_chats(filters)
    chats = groups_of(store) if only_groups else last.keys()
    return {chat: message for chat, message in last.items() if chat in chats}

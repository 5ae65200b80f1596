"""Who begins conversations: whose message comes first after a long silence."""

from __future__ import annotations

from dataclasses import replace

from minirag_chat.answer.counting.counted import Tally, in_place, last_sources, ranking
from minirag_chat.answer.scope import where_and_when
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store


def conversations_begun(
    store: Store, filters: Filters, plan: Metadata
) -> tuple[str, tuple[Source, ...]]:
    """Who began how many, the most first, with the last one of each; of those who are named, if any are."""
    first = store.message_counts.first_of_conversations(replace(filters, people=frozenset()))
    where = where_and_when(store, filters)
    tally = Tally[int]()
    for message, person in first:
        if not filters.people or person in filters.people:
            tally.add(person, message)
    every = tally.most_first(store.people.shown_by_id)
    if not every:
        return f"There are no conversations{where}.", ()
    ordered, _nth = in_place(every, plan.place)
    head = f"began the most conversations{where}"
    return ranking(ordered, len(first), head, kind="conversation"), last_sources(store, ordered)

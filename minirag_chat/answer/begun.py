"""Who begins conversations: whose message comes first after a long silence."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from minirag_chat.answer.counted import SHOWN, Counted, in_place, ranking, sources
from minirag_chat.answer.scope import where_and_when
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store


def conversations_begun(
    store: Store, filters: Filters, plan: Metadata
) -> tuple[str, tuple[Source, ...]]:
    """Who began how many, the most first, with the last one of each; of those who are named, if any are."""
    first = store.message_counts.first_of_conversations(replace(filters, people=frozenset()))
    where = where_and_when(store, filters)
    last = {person: message for message, person in first}
    begun = Counter(p for _message, p in first if not filters.people or p in filters.people)
    if not begun:
        return f"There are no conversations{where}.", ()
    every = [
        Counted(store.people.shown_by_id(person), number, Filters(people=frozenset({person})))
        for person, number in begun.most_common()
    ]
    ordered, _nth = in_place(every, plan.place)
    cited = [last[person] for one in ordered[:SHOWN] for person in one.filters.people]
    head = f"began the most conversations{where}"
    return ranking(ordered, len(first), head, kind="conversation"), sources(store, cited)

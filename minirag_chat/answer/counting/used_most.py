"""What is used most in the texts of some people or of all, such as words or emojis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from minirag_chat.answer.counting.counted import Counted, Tally, in_place, last_sources
from minirag_chat.answer.scope import where_and_when
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import joined


@dataclass(frozen=True, slots=True)
class UsedMost:
    """What was counted, most used first (all or from the place asked for), and how to say it.

    ``who`` names the people, or is empty for all; ``where`` says in which chats and times. ``head`` is as
    in "was used second most by Ann in May". ``cited`` has the last message with each that is shown.
    """

    ordered: list[Counted]
    total: int
    who: str
    where: str
    head: str
    cited: tuple[Source, ...]


def used_most(
    store: Store, filters: Filters, plan: Metadata, found: Iterable[tuple[int, str]]
) -> UsedMost:
    """Count what was ``found``: the id of a message and what is in it, in order of time."""
    tally = Tally[str]()
    for message, name in found:
        tally.add(name, message)
    where = where_and_when(store, filters)
    who = joined(store.people.shown_names(plan.senders))
    every = tally.most_first(str)
    if not every:
        return UsedMost([], 0, who, where, "", ())
    ordered, nth = in_place(every, plan.place)
    several = len(ordered) > 1 and ordered[0].messages == ordered[1].messages
    head = f"{'were' if several else 'was'} used {nth}most{f' by {who}' if who else ''}{where}"
    cited = last_sources(store, ordered)
    return UsedMost(ordered, tally.numbers.total(), who, where, head, cited)

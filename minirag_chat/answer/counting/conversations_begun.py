"""Who begins conversations: whose message comes first after a long silence."""

from __future__ import annotations

from minirag_chat.answer.counting.ranking import Tally, in_place, last_sources, ranking
from minirag_chat.answer.counting.request import CountRequest, Told


def conversations_begun(request: CountRequest) -> Told:
    """Who began how many, the most first, with the last one of each; of those who are named, if any are."""
    asked = request.filters.people
    first = request.counts.first_of_conversations(request.within(people=frozenset()).filters)
    tally = Tally[int]()
    for message, person in first:
        if not asked or person in asked:
            tally.add(person, message)
    if not tally.numbers:
        return f"There are no conversations{request.where}.", ()
    ordered, _nth = in_place(tally.most_first(request.name), request.plan.place)
    head = f"began the most conversations{request.where}"
    text = ranking(ordered, len(first), head, kind="conversation")
    return text, last_sources(request, ordered)

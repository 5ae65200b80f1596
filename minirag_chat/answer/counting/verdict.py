"""Yes or no to whether people wrote: yes if anybody did, but of "everyone" or "A and B" only if all did.

And to whether somebody wrote more than another, or less.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from minirag_chat.answer.counting.ranking import SHOWN
from minirag_chat.answer.counting.request import CountRequest
from minirag_chat.records import Filters, Metadata
from minirag_chat.ui_text import joined


def with_verdict(request: CountRequest, wrote: AbstractSet[int], said: str, not_said: str) -> str:
    """A text with "Yes" or "No" before it, if that is asked for, and with who did not write.

    ``wrote`` are those who did; ``said`` is what they wrote, ``not_said`` says of others that they did not.
    """
    if not request.plan.question.yes_no:
        return said
    quiet = _quiet(request, wrote) if request.plan.all_of_them else []
    if not quiet:
        return f"Yes: {said}"
    return f"No: {joined(quiet[:SHOWN], of=len(quiet))} {not_said}. {said}"


def compared(plan: Metadata, numbers: Mapping[int, int]) -> str:
    """Yes or no, with a colon, to whether somebody wrote more, or less: by the numbers of all; else empty."""
    if not plan.compared:
        return ""
    said = sum(numbers.get(person, 0) for person in plan.compared)
    other = sum(number for person, number in numbers.items() if person not in plan.compared)
    return "Yes: " if (said > other if plan.asks.end == "most" else said < other) else "No: "


def filtered_out(plan: Metadata) -> frozenset[int]:
    """Those of the senders whose messages the filters leave out, if the answer needs all of them."""
    left = plan.question.filters.people
    if not left or not plan.all_of_them:
        return frozenset()
    return frozenset(one for called in people_of_names(plan) if not called & left for one in called)


def _quiet(request: CountRequest, wrote: AbstractSet[int]) -> list[str]:
    """The names of those who had to write and did not: who is named, or who ever writes in these chats.

    Of several people with one name it is enough that one did.
    """
    plan = request.plan
    if plan.senders:
        quiet = [min(called) for called in people_of_names(plan) if not called & wrote]
    else:
        always = Filters(plan.question.filters.people, request.filters.chats)
        ever = [person for person, *_rest in request.counts.by_sender(always)]
        quiet = [person for person in ever if person not in wrote | plan.without]
    return [request.name(person) for person in quiet]


def people_of_names(plan: Metadata) -> list[frozenset[int]]:
    """The people of each name among the senders."""
    return [frozenset(s.people) for s in plan.question.spans if plan.senders.issuperset(s.people)]

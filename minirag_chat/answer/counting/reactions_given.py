"""Who reacted to messages: how often, with which emoji, and to whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from minirag_chat.answer.counting.cited import sources
from minirag_chat.answer.counting.ranking import (
    SHOWN,
    Tally,
    last_sources,
    listed_names,
    ranked,
    ranking,
)
from minirag_chat.answer.counting.request import CountRequest, NotRecordedError, Told
from minirag_chat.answer.counting.verdict import with_verdict
from minirag_chat.records import Filters
from minirag_chat.ui_text import count, joined

_NOT_RECORDED = (
    "I cannot tell who reacted: no reaction names its sender, and an export may leave them out."
)
_MOST_EMOJI = 5  # that are listed


def reactions_given(request: CountRequest) -> Told:
    """How many reactions people gave and with which emoji, or who gave the most.

    Raises ``NotRecordedError`` if no reaction in the chats says whose it is.
    """
    plan, counts, givers = request.plan, request.counts, request.filters.people
    if not counts.reactions_given(Filters(chats=request.filters.chats)):
        raise NotRecordedError(_NOT_RECORDED)
    whose = f" to messages from {request.names(plan.answering)}" if plan.answering else ""
    to = f"{whose}{request.where}"
    given = [
        one
        for one in counts.reactions_given(replace(request.filters, people=plan.answering))
        if not givers or one.person in givers
    ]
    if not given:
        none = f"{request.senders} gave no" if request.senders else "Nobody gave any"
        return request.verdict(f"{none} reactions{to}, as far as exports say it."), ()
    tally = Tally[str]()
    for one in given:
        tally.add(request.name(one.person) if one.person else one.giver, one.message)
    if plan.asks.what == "writers":
        ordered, nth = ranked(tally.most_first(str), plan)
        head = f"gave the {nth}{plan.asks.end} reactions{to}"
        text = ranking(ordered, tally.numbers.total(), head, kind="reaction")
        return text, last_sources(request, ordered)
    text = f"{_how_many(tally)}{to}: {_with_which(one.emoji for one in given)}"
    cited = sources(request.store, [given[-1].message])
    none, people = f"gave no reactions{to}", {one.person for one in given if one.person}
    said = f"{text}; the newest message with one is [1]."
    return with_verdict(request, people, said, none), cited


def _how_many(tally: Tally[str]) -> str:
    """As in "Ann gave 3 reactions", or "5 reactions by Ann (3) and Ben (2)"."""
    people, number = tally.most_first(str), count(tally.numbers.total(), "reaction")
    if len(people) == 1:
        return f"{people[0].name} gave {number}"
    return f"{number} by {listed_names(people[:SHOWN], len(people))}"


def _with_which(emoji: Iterable[str]) -> str:
    """As in "👍 (3) and 😂 (1)"."""
    numbers = Counter(emoji)
    listed = [f"{sign} ({number:,})" for sign, number in numbers.most_common(_MOST_EMOJI)]
    return joined(listed, of=len(numbers))

"""How many things of a kind people sent, and who sent most: photos, links, deleted messages."""

from __future__ import annotations

from collections.abc import Iterable

from minirag_chat.answer.counting.cited import end_sources, first_and_last
from minirag_chat.answer.counting.ranking import (
    SHOWN,
    Tally,
    last_sources,
    listed_names,
    ranked,
    ranking,
)
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.counting.verdict import compared, with_verdict
from minirag_chat.ui_text import count


def tally_of(found: Iterable[tuple[int, int, int]]) -> Tally[int]:
    """How many each person sent, from ``(message id, person id, number)`` in order of time."""
    tally = Tally[int]()
    for message, person, number in found:
        tally.add(person, message, number)
    return tally


def who_sent_most(request: CountRequest, sent: Tally[int], verb: str, thing: str) -> Told:
    """As in "Ann sent the most photos: 3 of 5 photos", or the fewest."""
    ordered, nth = ranked(sent.most_first(request.name), request.plan)
    head = f"{verb} the {nth}{request.plan.asks.end} {thing}s{request.where}"
    text = ranking(ordered, sent.numbers.total(), head, kind=thing)
    return compared(request.plan, sent.numbers) + text, last_sources(request, ordered)


def how_many_sent(
    request: CountRequest,
    sent: Tally[int],
    ends: tuple[int, int],
    verb: str,
    thing: str,
    *,
    of_all: str = "",
    is_certain: bool = True,
) -> Told:
    """As in "5 photos: Ann (3), Ben (2); the first on …", citing the messages at both ``ends``.

    ``of_all`` says it of several people in other words than "5 photos". Yes or no is said only if it
    ``is_certain``.
    """
    people, total = sent.most_first(request.name), sent.numbers.total()
    head = f"{people[0].name} {verb} {count(total, thing)}{request.where}, "
    if len(people) > 1:
        listed = listed_names(people[:SHOWN], len(people))
        head = f"{of_all or count(total, thing)}{request.where}: {listed}; "
    cited = end_sources(request.store, ends)
    text = f"{head}{first_and_last(cited, total, request.where)}."
    none = f"{verb} no {thing}s{request.where}"
    return (with_verdict(request, sent.numbers.keys(), text, none) if is_certain else text), cited

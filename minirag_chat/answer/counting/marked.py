"""Messages that an export marks as deleted or edited, and reactions: how many, and whose."""

from __future__ import annotations

from collections.abc import Mapping

from minirag_chat.answer.counting.all_wrote import with_verdict
from minirag_chat.answer.counting.counted import (
    PLACES,
    SHOWN,
    NotRecordedError,
    Tally,
    end_sources,
    first_and_last,
    last_sources,
    listed_names,
    ranked,
    ranking,
    sources,
)
from minirag_chat.answer.counting.listed import lines
from minirag_chat.answer.scope import where_and_when
from minirag_chat.records import MOST_LISTED, Filters, Mark, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count, joined

_VERBS: Mapping[Mark, str] = {"deleted": "deleted", "edited": "edited", "reaction": "got"}
_NOT_RECORDED: Mapping[Mark, str] = {
    "deleted": "I cannot tell which messages were deleted: none is marked so, and an export may omit them.",
    "edited": "I cannot tell which messages were edited: none is marked so, and an export may not say it.",
    "reaction": "I cannot count reactions: no message has any, and an export may leave them out.",
    "call": "I cannot count calls: only the messages of an export are kept.",
}
_Found = list[tuple[int, int, int]]


def marked_messages(
    store: Store, filters: Filters, plan: Metadata
) -> tuple[str, tuple[Source, ...]]:
    """How many there are and whose, whose are most, or the message with most reactions.

    Raises ``NotRecordedError`` if no message of the chats is marked so at all.
    """
    mark: Mark = plan.marked or "deleted"
    found = store.message_counts.marked(filters, mark)
    if not found and not store.message_counts.marked(Filters(chats=filters.chats), mark):
        raise NotRecordedError(_NOT_RECORDED[mark])
    where = where_and_when(store, filters)
    if not found:
        who = joined(store.people.shown_names(plan.senders))
        none = f"{who or 'Nobody'} {_VERBS[mark]} {'no' if who else 'any'} {_things(mark)}s{where}."
        return f"No: {none}" if plan.question.yes_no else none, ()
    if plan.number:
        cited = sources(
            store, [message for message, *_rest in found][-min(plan.number, MOST_LISTED) :]
        )
        return f"{_how_many(found, mark)}{where}:\n\n{lines(cited, filters)}", cited
    if plan.asks == "longest":
        return _with_most(store, plan, found, where)
    if plan.asks in {"most", "fewest"}:
        return _ranked(store, plan, found, mark, where)
    tally = _by_author(found)
    authors, numbers = tally.most_first(store.people.shown_by_id), tally.numbers
    ends = end_sources(store, (found[0][0], found[-1][0]))
    head = f"{authors[0].name} {_VERBS[mark]} {count(numbers.total(), _things(mark))}{where}, "
    if len(authors) > 1:
        head = f"{_how_many(found, mark)}{where}: {listed_names(authors[:SHOWN], len(authors))}; "
    text = f"{head}{first_and_last(ends, numbers.total())}."
    texts = text, f"{_VERBS[mark]} no {_things(mark)}s{where}"
    return with_verdict(store, plan, filters, numbers.keys(), texts), ends


def _ranked(
    store: Store, plan: Metadata, found: _Found, mark: Mark, where: str
) -> tuple[str, tuple[Source, ...]]:
    """Whose messages they are mostly, or least."""
    tally = _by_author(found)
    ordered, nth = ranked(tally.most_first(store.people.shown_by_id), plan)
    head = f"{_VERBS[mark]} the {nth}{plan.asks} {_things(mark)}s{where}"
    text = ranking(ordered, tally.numbers.total(), head, kind=_things(mark))
    return text, last_sources(store, ordered)


def _by_author(found: _Found) -> Tally[int]:
    """The number of each author."""
    tally = Tally[int]()
    for message, person, number in found:
        tally.add(person, message, number)
    return tally


def _things(mark: Mark) -> str:
    return "reaction" if mark == "reaction" else "message"


def _how_many(found: _Found, mark: Mark) -> str:
    """How many messages are marked, or have how many reactions."""
    messages = count(len(found), "message")
    if mark != "reaction":
        return f"{messages} {'was' if len(found) == 1 else 'were'} {mark}"
    return f"{count(sum(number for *_one, number in found), 'reaction')} to {messages}"


def _with_most(
    store: Store, plan: Metadata, found: _Found, where: str
) -> tuple[str, tuple[Source, ...]]:
    """The message with the most reactions, or several with as many; of a later place those after it."""
    numbers = sorted({number for *_one, number in found}, reverse=True)
    most = numbers[min(plan.place, len(numbers)) - 1]
    cited = sources(
        store, [message for message, _person, number in found if number == most][:SHOWN]
    )
    nth = PLACES[plan.place] if plan.place <= len(numbers) else ""
    total = sum(number for *_one, number in found)
    head = f"The message with the {nth}most reactions{where} has {most:,} of {total:,}"
    if len(cited) > 1:
        head = f"These messages have the {nth}most reactions{where}, {most:,} of {total:,} each"
    return f"{head}:\n\n{lines(cited, Filters())}", cited

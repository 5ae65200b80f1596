"""Messages that an export marks as deleted, edited or forwarded, and reactions: how many, and whose."""

from __future__ import annotations

from collections.abc import Mapping

from minirag_chat.answer.counting.by_person import how_many_sent, tally_of, who_sent_most
from minirag_chat.answer.counting.cited import lines, sources
from minirag_chat.answer.counting.ranking import PLACES, SHOWN
from minirag_chat.answer.counting.request import CountRequest, NotRecordedError, Told
from minirag_chat.records import MOST_LISTED, Filters, Mark
from minirag_chat.ui_text import count

_VERBS: Mapping[Mark, str] = {
    "deleted": "deleted", "edited": "edited", "forwarded": "forwarded", "reaction": "got",
}  # fmt: skip
_NOT_RECORDED: Mapping[Mark, str] = {
    "deleted": "I cannot tell which messages were deleted: none is marked so, and an export may omit them.",
    "edited": "I cannot tell which messages were edited: none is marked so, and an export may not say it.",
    "forwarded": "I cannot tell which messages were forwarded: none is marked so; an export may not say it.",
    "reaction": "I cannot count reactions: no message has any, and an export may leave them out.",
    "call": "I cannot count calls: only the messages of an export are kept.",
}
_Found = list[tuple[int, int, int]]


def marked_messages(request: CountRequest) -> Told:
    """How many there are and whose, whose are most, or the message with most reactions.

    Raises ``NotRecordedError`` if no message of the chats is marked so at all.
    """
    plan, filters = request.plan, request.filters
    mark: Mark = plan.marked or "deleted"
    found = request.counts.marked(filters, mark)
    if not found and not request.counts.marked(Filters(chats=filters.chats), mark):
        raise NotRecordedError(_NOT_RECORDED[mark])
    verb, thing = _VERBS[mark], "reaction" if mark == "reaction" else "message"
    if not found:
        who = request.senders
        none = f"{who or 'Nobody'} {verb} {'no' if who else 'any'} {thing}s{request.where}."
        return request.verdict(none), ()
    if plan.number:
        last = found[-min(plan.number, MOST_LISTED) :]
        cited = sources(request.store, [message for message, *_rest in last])
        return f"{_how_many(found, mark)}{request.where}:\n\n{lines(cited, filters)}", cited
    if plan.asks.what == "length":
        return _with_most(request, found)
    sent = tally_of(found)
    if plan.asks.what == "writers":
        return who_sent_most(request, sent, verb, thing)
    ends = found[0][0], found[-1][0]
    return how_many_sent(request, sent, ends, verb, thing, of_all=_how_many(found, mark))


def _how_many(found: _Found, mark: Mark) -> str:
    """How many messages are marked, or have how many reactions."""
    messages = count(len(found), "message")
    if mark != "reaction":
        return f"{messages} {'was' if len(found) == 1 else 'were'} {mark}"
    return f"{count(sum(number for *_one, number in found), 'reaction')} to {messages}"


def _with_most(request: CountRequest, found: _Found) -> Told:
    """The message with the most reactions, or several with as many; of a later place those after it."""
    numbers = sorted({number for *_one, number in found}, reverse=True)
    most = numbers[min(request.plan.place, len(numbers)) - 1]
    chosen = [message for message, _person, number in found if number == most]
    cited = sources(request.store, chosen[:SHOWN])
    place = request.plan.place
    nth = PLACES[place] if place <= len(numbers) else ""
    total = sum(number for *_one, number in found)
    head = f"The message with the {nth}most reactions{request.where} has {most:,} of {total:,}"
    if len(cited) > 1:
        head = f"These messages have the {nth}most reactions{request.where}, {most:,} of {total:,} each"
    return f"{head}:\n\n{lines(cited, Filters())}", cited

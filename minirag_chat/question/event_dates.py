"""Dates an event by its message: on the one day that this names, past or announced; else when it was sent.

A message that names the event and a day to come, but does not surely announce it for that day, dates nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.speech import is_said
from minirag_chat.records import Message
from minirag_chat.store.text import stem, terms, words
from minirag_chat.times.atoms import Atom
from minirag_chat.times.in_messages import OWNS, is_ruled_out, message_times
from minirag_chat.times.spans import DAY, Span
from minirag_chat.times.tense import Looks, looks

_PLANS = any_case(
    r"\b(?:plan|decid|agree|book|order|reserv|schedul|arrang|postpon|delay|cancel|rememb|forg[eo]t|want"
    r"|hop(?:e|ing)|expect|buy|bought|mov(?!\w*\s+(?:in|out|into|house|home|away|here|there)\b))",
)  # beginnings of verbs; who moves in or out moves no plan
_END = lazy(r"[.!?\u3002\uff01\uff1f]+(?=\s|$)|\n")  # of a sentence
_AT = any_case(r"\b(?:on|at|by|since|an|zu|am)\s+(?:the\s+)?\Z")  # not "xmas special"
_NEAR = 20  # characters before a holiday
_WORD = lazy(r"\w+")


LONGEST, MOST_DAYS = 2_000, 8
"""Characters of a message that are looked at, and of its days: a rota dates no event."""


def when_happened(event: str, message: Message) -> Span:
    """The day or time of day that a message names, as in "we moved in on Friday"; else when it was sent.

    That somebody said something was always when it was sent.
    """
    named = None if is_said(event) else _day_of(event, message)
    return named or (message.sent_at, message.sent_at + timedelta(minutes=1))


def announces(at: datetime, message: Message) -> bool:
    """Whether an event of the time ``at``, shown by this message, was still to come when it was sent."""
    return at.date() > message.sent_at.date()


def is_undated(event: str, message: Message) -> bool:
    """Whether a message names the event with a day to come, and it is unclear whether it is then.

    It was then hardly when the message was sent: "told her the party is now Sunday 15th, not the 14th".
    """
    if is_said(event) or _PLANS.search(event) or _day_of(event, message):
        return False
    days = _days_in(message)[:MOST_DAYS]
    if not days or any(day.start < message.sent_at for day in days):
        return False
    told = [_words_with(event, message, day) for day in days]
    return any(_is_half(one, event, message) and "back" not in one.values() for one in told)


def _day_of(event: str, message: Message) -> Span | None:
    """The past day that a message names, or the coming one that it announces; None unless it is just one.

    It is shorter than a day where the message says more: "on Friday at 6 pm".
    """
    days = _days_in(message)
    past = [atom for atom in days if atom.start < message.sent_at]
    named = {atom.start: atom.end for atom in past or days}
    if len(named) != 1 or not (past or _announced(event, message, days[0])):
        return None
    return named.popitem()


def _days_in(message: Message) -> list[Atom]:
    """The days that a message names, without that of sending; a holiday only where it says when."""
    text = message.text[:LONGEST]
    return [
        atom
        for atom in message_times(text, message.sent_at, order=message.date_order)
        if atom.end - atom.start <= DAY
        and atom.start.date() != message.sent_at.date()
        and not OWNS.match(text, atom.right)
        and not is_ruled_out(text, atom.left)
        and ("holiday" not in atom.kinds or _AT.search(text[max(0, atom.left - _NEAR) : atom.left]))
    ]


def _announced(event: str, message: Message, day: Atom) -> bool:
    """Whether a message announces the event for a day: both are in one sentence, and to come.

    The sentence has half of the event's words, not counting the sender's name, where no verb is past.

    Not what is done before the day that it is about, as in "I cancel Friday's dinner".
    """
    ahead = {word for word, seen in _words_with(event, message, day).items() if seen == "ahead"}
    return (
        not _PLANS.search(event)
        and looks(message.text, day.left, day.right) == "ahead"
        and _is_half(ahead, event, message)
    )


def _is_half(found: Collection[str], event: str, message: Message) -> bool:
    return 0 < len(_wanted(event, message)) <= 2 * len(found)


def _wanted(event: str, message: Message) -> set[str]:
    """The stems of an event's words, not counting the sender's name."""
    writer = words(f"{message.sender} {message.shown_sender}")
    return {*map(stem, terms(event))} - {*map(stem, writer)}


def _words_with(event: str, message: Message, day: Atom) -> dict[str, Looks]:
    """The words of the event in the sentence of a day; past or to come where they stand first."""
    text = message.text[:LONGEST]
    start = max((end.end() for end in _END.finditer(text, 0, day.left)), default=0)
    end = _END.search(text, day.right)
    wanted = _wanted(event, message)
    found: dict[str, Looks] = {}
    for word in _WORD.finditer(text, start, end.start() if end else len(text)):
        new = wanted.intersection(map(stem, words(word[0]))) - found.keys()
        if new and not day.left <= word.start() < day.right:
            found |= dict.fromkeys(new, looks(text, *word.span()))
    return found

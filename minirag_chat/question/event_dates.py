"""Dates an event by its message: on the one day that this names, past or announced; else when it was sent."""

from __future__ import annotations

from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.speech import is_said
from minirag_chat.records import Message
from minirag_chat.store.text import stem, terms, words
from minirag_chat.times.atoms import Atom
from minirag_chat.times.in_messages import OWNS, message_times
from minirag_chat.times.spans import DAY, Span
from minirag_chat.times.tense import looks

_PLANS = any_case(
    r"\b(?:plan|decid|agree|book|order|reserv|schedul|arrang|mov|postpon|delay|cancel|rememb|forg[eo]t|want"
    r"|hop(?:e|ing)|expect|buy|bought)",
)  # beginnings of verbs
_END = lazy(r"[.!?\u3002\uff01\uff1f]+(?=\s|$)|\n")  # of a sentence
_AT = any_case(r"\b(?:on|at|by|since|an|zu|am)\s+(?:the\s+)?\Z")  # not "xmas special"
_NEAR = 20  # characters before a holiday
_WORD = lazy(r"\w+")


def when_happened(event: str, message: Message) -> Span:
    """The day or time of day that a message names, as in "we moved in on Friday"; else when it was sent.

    That somebody said something was always when it was sent.
    """
    named = None if is_said(event) else _day_of(event, message)
    return named or (message.sent_at, message.sent_at + timedelta(minutes=1))


def announces(at: datetime, message: Message) -> bool:
    """Whether an event of the time ``at``, shown by this message, was still to come when it was sent."""
    return at.date() > message.sent_at.date()


def _day_of(event: str, message: Message) -> Span | None:
    """The past day that a message names, or the coming one that it announces; None unless it is just one.

    It is shorter than a day where the message says more: "on Friday at 6 pm".
    """
    days = [
        atom
        for atom in message_times(message.text, message.sent_at)
        if atom.end - atom.start <= DAY
        and atom.start.date() != message.sent_at.date()
        and not OWNS.match(message.text, atom.right)
        and (
            "holiday" not in atom.kinds
            or _AT.search(message.text[max(0, atom.left - _NEAR) : atom.left])
        )
    ]
    past = [atom for atom in days if atom.start < message.sent_at]
    named = {atom.start: atom.end for atom in past or days}
    if len(named) != 1 or not (past or _announced(event, message, days[0])):
        return None
    return named.popitem()


def _announced(event: str, message: Message, day: Atom) -> bool:
    """Whether a message announces the event for a day: it has no past verb, and names both in one sentence.

    The sentence with the day has half of the event's words, not counting the sender's name.

    Not what is done before the day that it is about, as in "I cancel Friday's dinner".
    """
    text = message.text
    start = max((end.end() for end in _END.finditer(text, 0, day.left)), default=0)
    end = _END.search(text, day.right)
    sentence = f"{text[start : day.left]} {text[day.right : end.start() if end else None]}"
    wanted = {*map(stem, terms(event))} - {
        *map(stem, words(f"{message.sender} {message.shown_sender}"))
    }
    return (
        not _PLANS.search(event)
        and 0 < len(wanted) <= 2 * len(wanted.intersection(map(stem, words(sentence))))
        and all(looks(text, *word.span()) == "ahead" for word in _WORD.finditer(text))
    )

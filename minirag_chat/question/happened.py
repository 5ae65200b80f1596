"""When an event was: on the past day that its message names, else when the message was sent."""

from __future__ import annotations

from datetime import timedelta

from minirag_chat.question.speech import is_said
from minirag_chat.records import Message
from minirag_chat.times.spans import DAY, Span
from minirag_chat.times.tense import OWNS, message_times


def when_happened(event: str, message: Message) -> Span:
    """The past day or time of day that a message names, as in "we moved in on Friday"; else when it was sent.

    That somebody said something was always when it was sent.
    """
    named = None if is_said(event) else _looked_back_on(message)
    return named or (message.sent_at, message.sent_at + timedelta(minutes=1))


def _looked_back_on(message: Message) -> Span | None:
    """The past day that a message names; None unless it is just one.

    It is shorter than a day where the message says more: "on Friday at 6 pm".
    """
    past = {
        atom.start: atom.end
        for atom in message_times(message.text, message.sent_at)
        if atom.start.date() < message.sent_at.date()
        and atom.end - atom.start <= DAY
        and not OWNS.match(message.text, atom.right)
    }
    return past.popitem() if len(past) == 1 else None

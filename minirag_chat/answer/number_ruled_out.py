"""A later message that gives another number in place of the one that an answer states: "its 445 not 430".

A price, a time of day or an amount that was corrected; days are those of ``later_change``. Measured in
docs/measured.md, "Days that were moved". English.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import numpy as np

from minirag_chat.answer.word_overlap import stems
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.records import Filters, Message
from minirag_chat.store import Store
from minirag_chat.store.columns import is_among

LONGEST = 2_000  # characters of a message that are looked at
LATER = timedelta(days=90)
MOST_NUMBERS = 8  # of an answer
MOST_READ = 60  # later messages with the number
SHORTEST_WORD = 4
NUMBER = lazy(r"(?<![\w.,:])\d[\d.,:]*\d(?![\w])|(?<![\w.,:])\d(?=(?:am|pm|h)?(?!\w))")
_NOT = any_case(
    r"\b(?:not|instead of|rather than)\s+(?:at\s+|the\s+)?[\u00a3$\u20ac]?(?P<number>\d[\d.,:]*\d|\d)"
    r"(?:am|pm|h|k)?(?![\w:,.]*\d)(?!\s*(?:st|nd|rd|th)\b)(?!\w)",
)


def with_another_number(store: Store, answer: str, message: Message) -> Message | None:
    """The first later message of the chat that rules out a number of an answer and gives another one.

    The number is in ``message`` too, which the answer rests on. One of a single digit has to share a word
    with that message besides: "not 5" may be said of anything. Call it inside ``reading()``.
    """
    written = {*NUMBER.findall(message.text[:LONGEST])}
    stated = [number for number in dict.fromkeys(NUMBER.findall(answer)) if number in written]
    found = (
        later
        for number in stated[:MOST_NUMBERS]
        for later in _later_with(store, message, number)
        if _rules_out(later, number, message)
    )
    return min(found, key=lambda one: (one.sent_at, one.id), default=None)


def _later_with(store: Store, message: Message, number: str) -> Iterable[Message]:
    """The messages of its chat with a number, in the next months."""
    until = message.sent_at + LATER
    chat = Filters(chats=frozenset({message.chat_id}), since=message.sent_at, until=until)
    after, ids = store.columns.allowed(chat), np.array(store.words.having_all(number), np.int64)
    kept = ids if after is None else ids[is_among(ids, after)]
    found = store.messages.by_ids(kept[:MOST_READ].tolist()).values()
    before = (message.sent_at, message.id)
    return (one for one in found if (one.sent_at, one.id) > before and not one.deleted)


def _rules_out(later: Message, number: str, message: Message) -> bool:
    """Whether a message says that it is not this number, and another."""
    text = later.text[:LONGEST]
    if number not in {found["number"] for found in _NOT.finditer(text)}:
        return False
    if text.rstrip().endswith("?") or not {*NUMBER.findall(text)} - {number}:
        return False
    return len(number) > 1 or bool(_words(later) & _words(message))


def _words(message: Message) -> set[str]:
    return {stem for stem in stems(message.text[:LONGEST]) if len(stem) >= SHORTEST_WORD}

"""Whether the writer of a message is taken for somebody of whom it tells.

"Who picks up Gran?" is easily answered with the sender of "dad picks her up at 4". So where the answer is
the sender of a cited message, the messages are read once more with a stand-in for that name. The answer is
then the stand-in if they speak of themself, and whoever else the message names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.question.words import words_of
from minirag_chat.records import Message

STAND_IN = "Writer"
_SPEAKS = frozenset({"i", "we", "ich", "wir"})  # what the writer says of themself names nobody


def named_writer(answer: str, cited: Sequence[Message]) -> int | None:
    """The person id of the sender of a cited message whose name the whole answer is; None if it is none."""
    said = {*words_of(answer)}
    senders = (one.sender_id for one in cited if said and said <= {*words_of(one.shown_sender)})
    return next(senders, None)


def with_stand_in(messages: Sequence[Message], writer: int) -> list[Message]:
    """The messages, those of the writer with the stand-in as their sender."""
    return [
        replace(one, sender=STAND_IN, joined_name=False) if one.sender_id == writer else one
        for one in messages
    ]


def is_told_of(answer: str, cited: Sequence[Message]) -> bool:
    """Whether the texts of the cited messages have each word of an answer, and it names somebody."""
    said = {*words_of(answer)}
    written = {word for one in cited for word in words_of(one.text)}
    return bool(said - STOP_WORDS) and not said & _SPEAKS and said <= written

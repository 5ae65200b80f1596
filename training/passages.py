"""What the ranker reads of a message: its day, its sender and its words, then what came before it."""

from __future__ import annotations

from minirag_chat.names import split_joined
from minirag_chat.records import Message

LONGEST, LONGEST_BEFORE = 400, 160  # characters


def passage(message: Message, before: Message | None) -> str:
    """A message as the ranker gets it beside the question."""
    own = f"{message.sent_at:%A} {message.sent_at.day} {message.sent_at:%B %Y}, {_said(message, LONGEST)}"
    return f"{own} | after {_said(before, LONGEST_BEFORE)}" if before else own


def _said(message: Message, longest: int) -> str:
    return f"{split_joined(message.sender)}: {' '.join(message.text.split())[:longest]}"

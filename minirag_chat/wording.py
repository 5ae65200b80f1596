"""Small words that every face says alike."""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.records import Message

READS_SHOWN = 3  # of the messages that are being read


def count(number: int, one: str, many: str = "") -> str:
    """As in "1 chat" and "1,200 chats"; ``many`` where an "s" does not make it."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def being_read(messages: Sequence[Message]) -> str:
    """What goes on while an answer is waited for; without messages they are still searched."""
    if not messages:
        return "Searching your messages \u2026"
    chats = count(len({message.chat_id for message in messages}), "chat")
    return f"Reading {count(len(messages), 'message')} from {chats} \u2026"

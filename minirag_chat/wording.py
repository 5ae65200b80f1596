"""Small words that every face says alike."""

from __future__ import annotations


def count(number: int, one: str, many: str = "") -> str:
    """As in "1 chat" and "1,200 chats"; ``many`` where an "s" does not make it."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"

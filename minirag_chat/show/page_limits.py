"""What a question is limited to: the names of the people and chats of its filters. No Gradio in here."""

from __future__ import annotations

from dataclasses import replace

from minirag_chat.memory.engine import ChatMemory
from minirag_chat.show.page_tabs import PATIENCE, Exchange, TabFilters
from minirag_chat.show.safe_text import plain


def names(filters: TabFilters, memory: ChatMemory) -> tuple[dict[int, str], dict[int, str]]:
    """The titles of chats and the names of people by id, as far as the filters need them."""
    chats = {chat.id: chat.title for chat in memory.chats()} if filters.chats else {}
    people = {who.id: who.shown_name for who in memory.people()} if filters.people else {}
    return chats, people


def limits(filters: TabFilters, memory: ChatMemory) -> tuple[str, ...]:
    """What a question with these filters is asked of, each in words; empty: of all messages.

    An import that holds the messages is not waited for: who and which chat is then not named.
    """
    if filters == TabFilters():
        return ()
    known = memory.idle(PATIENCE)
    chats, people = names(filters, memory) if known else ({}, {})
    gone = "a deleted " if known else "one "
    days = {"from": filters.since, "to": filters.until}
    said = [
        ", ".join(plain(people.get(person, f"{gone}person"), 40) for person in filters.people),
        ", ".join(plain(chats.get(chat, f"{gone}chat"), 40) for chat in filters.chats),
        " ".join(f"{word} {day}" for word, day in days.items() if day),
    ]
    return tuple(part for part in said if part)


def renamed(exchange: Exchange, memory: ChatMemory) -> Exchange:
    """With the names that are left of what it was asked of: some were deleted or replaced for good."""
    return replace(exchange, limits=limits(exchange.filters, memory))

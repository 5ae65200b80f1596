"""The chats of the asker with one other."""

from __future__ import annotations

from minirag_chat.store import Store


def chats_of_two(store: Store) -> dict[int, set[int]]:
    """The other in each chat that is no group; nobody where only the asker writes."""
    me, groups = store.me.id(), groups_of(store)
    others = {
        chat: people.keys() - {me}
        for chat, people in store.messages.participants().items()
        if chat not in groups
    }
    return {chat: people for chat, people in others.items() if len(people) <= 1}


def groups_of(store: Store) -> set[int]:
    """The chats that are groups."""
    return {chat.id for chat in store.messages.chats() if chat.kind == "group"}

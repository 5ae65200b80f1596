"""The chats of the asker with one other."""

from __future__ import annotations

from minirag_chat.store import Store


def chats_of_two(store: Store) -> dict[int, set[int]]:
    """The other in each chat that is no group; nobody where only the asker writes."""
    me, groups = store.me.id(), store.messages.groups()
    others = {
        chat: people.keys() - {me}
        for chat, people in store.messages.participants().items()
        if chat not in groups
    }
    return {chat: people for chat, people in others.items() if len(people) <= 1}

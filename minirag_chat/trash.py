"""Deleting a chat in two steps: out of sight at once, wiped when confirmed, back until then.

A chat in the trash keeps its messages but loses everything that is derived from them (sessions,
chunks, vectors, full text, entities), so that no question can find it. Which chats are in the trash
is remembered in the database: a restart neither brings them back nor wipes them.
"""

from __future__ import annotations

import json

from minirag_chat.feedback import forget_deleted
from minirag_chat.ingest import embed_pending, reindex
from minirag_chat.models.protocols import Embedder
from minirag_chat.settings import Settings
from minirag_chat.store import Store

_KEY = "trash"


def trashed(store: Store) -> frozenset[int]:
    """The chats in the trash."""
    return frozenset(json.loads(store.meta(_KEY) or "[]"))


def put(store: Store, chat: int) -> None:
    """Take a chat out of sight."""
    with store.transaction():
        store.index.drop_sessions(store.index.sessions_of(chat))
        _remember(store, trashed(store) | {chat})


def restore(store: Store, chat: int, settings: Settings, embedder: Embedder) -> None:
    """Bring a chat back as it was, by indexing it anew."""
    with store.transaction():
        reindex(store, chat, settings, embedder)
        _remember(store, trashed(store) - {chat})
    embed_pending(store, embedder)


def empty(store: Store) -> int:
    """Delete what is in the trash and wipe it from the file; returns how many chats that were."""
    chats = trashed(store)
    if chats:
        wipe(store, chats)
    return len(chats)


def wipe(store: Store, chats: frozenset[int]) -> None:
    """Delete chats with all that was derived from them, and leave nothing of them in the file."""
    with store.transaction():
        for chat in chats:
            store.index.drop_sessions(store.index.sessions_of(chat))
            store.messages.delete_chat(chat)
        store.people.drop_unused()
        forget_deleted(store)
        _remember(store, trashed(store) - chats)
    store.compact()


def _remember(store: Store, chats: frozenset[int]) -> None:
    store.set_meta(_KEY, json.dumps(sorted(chats)))

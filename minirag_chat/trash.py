"""Deleting a chat in two steps: out of sight at once, wiped when confirmed, back until then.

A chat in the trash keeps its messages but loses everything that is derived from them (sessions,
chunks, vectors, full text, entities), so that no question can find it. Which chats are in the trash
is remembered in the database: a restart neither brings them back nor wipes them.
"""

from __future__ import annotations

import json

from minirag_chat.errors import NotFound
from minirag_chat.feedback import forget_deleted
from minirag_chat.filters import make_filters
from minirag_chat.ingest import embed_pending, reindex
from minirag_chat.models.protocols import Embedder
from minirag_chat.records import Chat
from minirag_chat.settings import Settings
from minirag_chat.store import Store

_KEY = "trash"


def trashed(store: Store) -> frozenset[int]:
    """The chats in the trash."""
    return frozenset(json.loads(store.meta(_KEY) or "[]"))


def put(store: Store, chat: str | int) -> Chat:
    """Take a chat out of sight; returns it. Raises ``NotFound``."""
    with store.transaction():
        gone = _found(store, chat)
        store.index.drop_sessions(store.index.sessions_of(gone.id))
        _remember(store, trashed(store) | {gone.id})
    return gone


def restore(store: Store, chat: int, settings: Settings, embedder: Embedder) -> None:
    """Bring a chat back as it was, by indexing it anew."""
    with store.transaction():
        if chat not in trashed(store):
            raise NotFound(f"The chat {chat} is not in the trash: it was wiped, or is here.")
        reindex(store, chat, settings, embedder)
        _remember(store, trashed(store) - {chat})
    embed_pending(store, embedder)


def empty(store: Store) -> int:
    """Delete what is in the trash and wipe it from the file; returns how many chats that were."""
    with store.reading():
        chats = trashed(store)
    if chats:
        with store.transaction():
            chats = trashed(store)  # another process may have been at it
            _delete(store, chats)
    store.wipe()
    return len(chats)


def wipe(store: Store, chat: str | int) -> Chat:
    """Delete a chat with all that was derived from it, and leave nothing of it in the file.

    Returns what it was. Raises ``NotFound``; or ``StoreError``, which says whether it is deleted.
    """
    with store.transaction():
        gone = _found(store, chat)
        _delete(store, frozenset({gone.id}))
    store.wipe()
    return gone


def _delete(store: Store, chats: frozenset[int]) -> None:
    """Delete chats; that their words are to be wiped is remembered with it."""
    for chat in chats:
        store.index.drop_sessions(store.index.sessions_of(chat))
        store.messages.delete_chat(chat)
    store.people.drop_unused()
    forget_deleted(store)
    _remember(store, trashed(store) - chats)
    store.wiping.ask()


def _found(store: Store, chat: str | int) -> Chat:
    (found,) = make_filters(store, chats=[chat]).chats or {0}
    return next(c for c in store.messages.chats() if c.id == found)


def _remember(store: Store, chats: frozenset[int]) -> None:
    store.set_meta(_KEY, json.dumps(sorted(chats)))

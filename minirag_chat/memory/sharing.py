"""Sharing chats with other users of the same database."""

from __future__ import annotations

from minirag_chat.memory.context import Part
from minirag_chat.memory.deletion_scope import one_chat
from minirag_chat.records import Chat


class Sharing(Part):
    """Who else may read a user's own chats; empty if the database has no users."""

    def share(self, chat: str | int, user: str) -> Chat:
        """Let another user read a chat of this user, given by its number or whole title.

        Later imports into it are shared too. Raises ``NotFound`` or ``StoreError``.
        """
        with self._store.transaction():
            found = self._own(chat)
            self._store.shares.add(found.id, user)
        return found

    def unshare(self, chat: str | int, user: str) -> bool:
        """Stop sharing it; returns whether it was shared. Raises ``NotFound`` or ``StoreError``."""
        with self._store.transaction():
            return self._store.shares.drop(self._own(chat).id, user)

    def shared_with(self) -> dict[int, tuple[str, ...]]:
        """For each shared chat of this user, the names of the users who may read it."""
        with self._store.reading():
            found: dict[int, tuple[str, ...]] = {}
            for chat, name in self._store.shares.all():
                found[chat] = (*found.get(chat, ()), name)
            return found

    def other_users(self) -> tuple[str, ...]:
        """The users with whom a chat can be shared."""
        with self._store.reading():
            return tuple(self._store.shares.others())

    def _own(self, chat: str | int) -> Chat:
        """The chat; call it inside a transaction, where only the user's own chats are visible."""
        number = one_chat(self._store, chat)
        return next(one for one in self._store.messages.chats() if one.id == number)

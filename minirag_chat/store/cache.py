"""A cache of values computed from the database, valid until the database changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from minirag_chat.store.sql import Sql

Kept = TypeVar("Kept")


class Cache:
    """Emptied as a whole when this process or another one changes the database.

    No caller has to invalidate it: the database counts commits of others and our own writes. Values read
    inside a write transaction, in which shared chats are hidden, have keys of their own.
    """

    def __init__(self, connection: Sql) -> None:
        self._connection = connection
        self._kept: dict[tuple[str, bool], Any] = {}
        self._others = self._own = -1
        self._held = False

    def get(self, name: str, make: Callable[[], Kept]) -> Kept:
        """The cached value of ``name``, computed if it is missing or may be outdated."""
        if not self._connection.in_transaction:
            self.follow()
        elif not self._held and self._own != self._connection.own_changes:
            self.empty()
        key = (name, self._connection.only_own)
        if key not in self._kept:
            self._kept[key] = make()
        found: Kept = self._kept[key]
        return found

    def follow(self) -> None:
        """Check whether the database changed; call it at the beginning of a transaction."""
        others, own = self._connection.changes()
        if (others, own) != (self._others, self._own):
            self.empty()
            self._others = others

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the whole cache during the block, whose writes do not affect it."""
        before, self._held = self._held, False
        self.get("held", lambda: None)
        self._held = True
        try:
            yield
        finally:
            self._held = before

    @contextmanager
    def unmoved(self) -> Iterator[None]:
        """Keep the cache valid across writes to temporary tables, from which nothing in it is made."""
        before = self._connection.own_changes
        yield
        if self._own == before:
            self._own = self._connection.own_changes

    @contextmanager
    def keeping(self, *names: str) -> Iterator[None]:
        """Keep the values of these names during the block, whose writes do not affect them.

        The block must be inside a transaction, after which they stay valid.
        """
        kept = {key: value for key, value in self._kept.items() if key[0] in names}
        yield
        self.empty()
        self._kept.update(kept)

    def empty(self) -> None:
        """Drop all values; those computed from writes that were rolled back are wrong."""
        self._kept.clear()
        self._own = self._connection.own_changes

"""What the asker calls people in questions, such as "mum": names that no message needs to have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from minirag_chat.names import PersonIndex, spelling_hash, spelling_key
from minirag_chat.store.cache import Cache
from minirag_chat.store.people import PeopleTables
from minirag_chat.store.rows import read_meta, write_meta
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import CachedTables

_KEY = "nicknames"


class NicknameTable(CachedTables):
    """Each is stored with a hash of a spelling's key.

    So it follows a merge, is there again when a deletion is undone, and goes when the name is replaced.
    """

    def __init__(self, connection: Sql, cache: Cache, people: PeopleTables) -> None:
        super().__init__(connection, cache)
        self._people = people

    def all(self) -> dict[str, int]:
        """``{nickname: person id}``, without those whose person is not there."""
        return dict(self._cache.get(_KEY, self._all))

    def index(self) -> PersonIndex:
        """Finds people in a question: by their names and by their nicknames."""
        return self._cache.get("people as asked", self._index)

    def index_with(self, others: Iterable[tuple[str, int]]) -> PersonIndex:
        """The same with what else people are called, as ``(name, person id)``; not cached."""
        names = self._people.forms()
        for name, person in (*self.all().items(), *others):
            names[person].append(name)
        return PersonIndex(names)

    def set(self, nickname: str, name: str) -> None:
        """Let a nickname mean the person with this name. Inside a transaction."""
        self.remove(nickname)
        self._store({**self._stored(), nickname: spelling_hash(name)})

    def remove(self, nickname: str) -> None:
        """Remove a nickname, in any spelling. Inside a transaction."""
        key = spelling_key(nickname)
        self._store({n: h for n, h in self._stored().items() if spelling_key(n) != key})

    def drop_unused(self, kept: Iterable[str] = ()) -> None:
        """Delete those of names that are not there, and not among the names ``kept``; inside a transaction.

        Not of a user, whose transactions do not see the people of shared chats.
        """
        stored = self._stored()
        if not stored or self._connection.user:
            return
        names = self._people.by_hash().keys() | {spelling_hash(name) for name in kept}
        left = {nickname: hashed for nickname, hashed in stored.items() if hashed in names}
        if left != stored:
            self._store(left)

    def _all(self) -> dict[str, int]:
        stored = self._stored()
        if not stored:
            return {}
        owners = self._people.by_hash()
        return {name: owners[hashed] for name, hashed in stored.items() if hashed in owners}

    def _index(self) -> PersonIndex:
        if not self.all():
            return self._people.index()
        return self.index_with(())

    def _stored(self) -> dict[str, str]:
        found: Mapping[str, str] = json.loads(read_meta(self._connection, _KEY) or "{}")
        return {str(nickname): str(hashed) for nickname, hashed in found.items()}

    def _store(self, nicknames: Mapping[str, str]) -> None:
        write_meta(self._connection, _KEY, json.dumps(nicknames, ensure_ascii=False))

"""What the asker calls people in questions, such as "mum": names that no message needs to have."""

from __future__ import annotations

import json

from minirag_chat.names import spelling_key
from minirag_chat.store.rows import marks, read_meta, write_meta
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import CachedTables

_KEY = "nicknames"


class NicknameTable(CachedTables):
    """Each is stored with the id of a spelling, so that it follows merges and renames."""

    def all(self) -> dict[str, int]:
        """``{nickname: person id}``, without those whose person was deleted."""
        return dict(self._cache.get(_KEY, self._all))

    def _all(self) -> dict[str, int]:
        kept = _stored(self._connection)
        if not kept:
            return {}
        people = dict(
            self._connection.execute(
                f"SELECT id, COALESCE(same_as, id) FROM entities WHERE id IN ({marks(kept)})",
                tuple(kept.values()),
            )
        )
        return {name: people[spelling] for name, spelling in kept.items() if spelling in people}

    def set(self, nickname: str, person: int | None) -> None:
        """Let a nickname mean this person; None removes it. Inside a transaction."""
        key = spelling_key(nickname)
        kept = {n: p for n, p in _stored(self._connection).items() if spelling_key(n) != key}
        if person is not None:
            kept[" ".join(nickname.split())] = person
        _store(self._connection, kept)


def drop_unused_nicknames(connection: Sql) -> None:
    """Delete the nicknames of people who are no longer there; inside a transaction."""
    kept = _stored(connection)
    if not kept:
        return
    there = set(
        connection.column(
            f"SELECT id FROM entities WHERE id IN ({marks(kept)})", tuple(kept.values())
        )
    )
    left = {name: spelling for name, spelling in kept.items() if spelling in there}
    if left != kept:
        _store(connection, left)


def _stored(connection: Sql) -> dict[str, int]:
    return {str(n): int(p) for n, p in json.loads(read_meta(connection, _KEY) or "{}").items()}


def _store(connection: Sql, nicknames: dict[str, int]) -> None:
    write_meta(connection, _KEY, json.dumps(nicknames, ensure_ascii=False))

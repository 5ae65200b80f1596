"""Which names the user replaced, so that a later import replaces them again."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from minirag_chat.names import compact_key
from minirag_chat.store.rows import delete_meta, marks, read_meta, write_meta
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import Tables

_KEY = "replaced_names"


@dataclass(frozen=True, slots=True)
class ReplacedName:
    """A name of an import that the user replaced, and the row and the name that stand in its place."""

    name: str
    into: int
    new_name: str


class ReplacedNames(Tables):
    """Each is a hash of the old name and one of the new name, keyed for this database: no text of a name."""

    def __init__(self, connection: Sql) -> None:
        super().__init__(connection)

    def add(self, old: Iterable[str], new: str) -> None:
        """Replace these names by another one from now on. Inside a transaction."""
        key, known = self._stored()
        hashes, target = [_hashed(name, key) for name in old], _hashed(new, key)
        now = {one: target if into in hashes else into for one, into in known.items()}
        now |= dict.fromkeys(hashes, target)
        now.pop(target, None)  # the new name was replaced itself before
        self._store(key, now)

    def undo(self, old: Collection[str], person: int) -> None:
        """Take back that these names are replaced by the present name of a row. Inside a transaction."""
        key, known = self._stored()
        new = self._connection.value("SELECT name FROM entities WHERE id = ?", (person,))
        if not known or new is None or not old:
            return
        first, *others = (_hashed(name, key) for name in old)
        target = _hashed(new, key)
        self._store(
            key,
            {
                one: first if into == target else into
                for one, into in known.items()
                if one not in {first, *others}
            },
        )

    def drop_unused(self, kept: Iterable[str]) -> None:
        """Delete those by whose new name nobody is called, nor is it among ``kept``; in a transaction."""
        key, known = self._stored()
        if not known:
            return
        here = {_hashed(name, key) for name in [*self._names().values(), *kept]}
        left = {one: into for one, into in known.items() if into in here}
        if left != known:
            self._store(key, left)

    def among(self, names: Iterable[str]) -> list[ReplacedName]:
        """Those of these names that the user replaced."""
        key, known = self._stored()
        if not known:
            return []
        rows = self._names()
        by_hash = {_hashed(name, key): row for row, name in rows.items()}
        found = []
        for name in dict.fromkeys(names):
            row = by_hash.get(known.get(_hashed(name, key), ""))
            if row is not None:
                found.append(ReplacedName(name, row, rows[row]))
        return found

    def senders(self, chats: Collection[int]) -> dict[str, int]:
        """The names of those who write in chats, with their rows."""
        rows = self._connection.execute(
            "SELECT e.name, e.id FROM entities e WHERE e.id IN (SELECT sender_id FROM messages "
            f"WHERE chat_id IN ({marks(chats)}))",
            tuple(chats),
        )
        return dict(rows)

    def give(self, chats: Collection[int], old: int, new: int) -> None:
        """Make messages of chats those of another row, and delete the old one if nothing else has it."""
        self._connection.execute(
            f"UPDATE messages SET sender_id = ? WHERE sender_id = ? AND chat_id IN ({marks(chats)})",
            (new, old, *chats),
        )
        self._connection.execute(
            "DELETE FROM entities WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM messages WHERE sender_id = ?1) "
            "AND NOT EXISTS (SELECT 1 FROM mentions WHERE entity_id = ?1) "
            "AND NOT EXISTS (SELECT 1 FROM entities k WHERE k.same_as = ?1)",
            (old,),
        )

    def _names(self) -> dict[int, str]:
        return dict(
            self._connection.execute(
                "SELECT id, name FROM entities WHERE type = 'person'"
            ).fetchall()
        )

    def _stored(self) -> tuple[str, dict[str, str]]:
        found = json.loads(read_meta(self._connection, _KEY) or "{}")
        return found.get("key") or secrets.token_hex(16), found.get("names", {})

    def _store(self, key: str, names: Mapping[str, str]) -> None:
        if names:
            write_meta(self._connection, _KEY, json.dumps({"key": key, "names": names}))
        else:
            delete_meta(self._connection, _KEY)


def _hashed(name: str, key: str) -> str:
    """A hash of a name that only this database gives, in whatever way its words are joined."""
    return blake2b(compact_key(name).encode(), key=key.encode(), digest_size=16).hexdigest()

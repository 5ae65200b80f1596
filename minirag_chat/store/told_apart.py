"""Pairs of names that the user said are two people, so that they are not suggested as one again."""

from __future__ import annotations

import json

from minirag_chat.names import spelling_hash
from minirag_chat.store.people import PeopleTables
from minirag_chat.store.rows import read_meta, write_meta
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import Tables

_KEY = "told_apart"


class ToldApartTable(Tables):
    """Each pair is stored as two hashes of spellings' keys: no text of a name that is deleted stays."""

    def __init__(self, connection: Sql, people: PeopleTables) -> None:
        super().__init__(connection)
        self._people = people

    def all(self) -> set[frozenset[int]]:
        """The pairs, as ids of people."""
        stored = json.loads(read_meta(self._connection, _KEY) or "[]")
        if not stored:
            return set()
        owners = self._people.by_hash()
        return {frozenset(owners[one] for one in pair if one in owners) for pair in stored}

    def add(self, one: str, other: str) -> None:
        """Add a pair of names. Inside a transaction."""
        stored = json.loads(read_meta(self._connection, _KEY) or "[]")
        pair = sorted(map(spelling_hash, (one, other)))
        if pair not in stored:
            write_meta(self._connection, _KEY, json.dumps([*stored, pair]))

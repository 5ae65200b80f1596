"""What the groups of tables have in common."""

from __future__ import annotations

from minirag_chat.store.cache import Cache
from minirag_chat.store.sql import Sql


class Tables:
    """A group of tables, over the connection that all groups share."""

    def __init__(self, connection: Sql) -> None:
        self._connection = connection


class CachedTables(Tables):
    """A group with values that are computed from its tables, and cached until the database changes."""

    def __init__(self, connection: Sql, cache: Cache) -> None:
        super().__init__(connection)
        self._cache = cache

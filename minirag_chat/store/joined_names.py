"""Which names are shown with spaces: those of a format that writes names without them."""

from __future__ import annotations

from minirag_chat.names import JOINING, split_joined
from minirag_chat.store.rows import marks
from minirag_chat.store.tables import CachedTables


class JoinedNames(CachedTables):
    """The spellings that only such a format (``JOINING``) has: ``WolfgangSchulz``.

    A name that other chats have too is shown as it is.
    """

    def all(self) -> frozenset[int]:
        """The rows whose names are shown with spaces."""
        return self._cache.get("joined names", self._read)

    def shown(self, spelling: int, name: str) -> str:
        """The name of a row as a person reads it."""
        return split_joined(name) if spelling in self.all() else name

    def _read(self) -> frozenset[int]:
        there, among = tuple(JOINING), f"c.platform IN ({marks(JOINING)})"
        if not self._connection.number(f"SELECT 1 FROM chats c WHERE {among}", there):
            return frozenset()
        rows = self._connection.execute(
            "SELECT m.sender_id FROM messages m JOIN chats c ON c.id = m.chat_id "
            f"GROUP BY m.sender_id HAVING MIN(CASE WHEN {among} THEN 1 ELSE 0 END) = 1",
            there,
        )
        return frozenset(row[0] for row in rows)

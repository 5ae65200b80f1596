"""Where and with whom each name writes, as evidence on whether two names are one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from minirag_chat.store.tables import Tables


class WriterTables(Tables):
    """Reads the chats, sessions and platforms of each spelling of a sender, but not the trash."""

    def chats(self) -> dict[int, frozenset[int]]:
        """The chats that each spelling writes in."""
        rows = self._connection.execute(
            "SELECT DISTINCT sender_id, chat_id FROM messages WHERE session_id IS NOT NULL"
        )
        return _sets(rows)

    def platforms(self) -> dict[int, frozenset[str]]:
        """The platforms that each spelling writes on."""
        rows = self._connection.execute(
            "SELECT DISTINCT m.sender_id, c.platform FROM messages m JOIN chats c ON c.id = m.chat_id "
            "WHERE m.session_id IS NOT NULL"
        )
        return _sets(rows)

    def sessions_together(self, one: int, other: int) -> int:
        """In how many conversations both spellings write."""
        return self._connection.number(
            "SELECT COUNT(*) FROM (SELECT session_id FROM messages WHERE sender_id = ? "
            "INTERSECT SELECT session_id FROM messages WHERE sender_id = ?) AS both_write "
            "WHERE session_id IS NOT NULL",
            (one, other),
        )


def _sets(rows: Iterable[tuple[int, Any]]) -> dict[int, frozenset[Any]]:
    found: dict[int, set[Any]] = defaultdict(set)
    for sender, value in rows:
        found[sender].add(value)
    return {sender: frozenset(values) for sender, values in found.items()}

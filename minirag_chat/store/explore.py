"""Counts over everything that is stored: what exploration shows, and no question needs."""

from __future__ import annotations

from minirag_chat.records import EntityType
from minirag_chat.store.arrays import Ids, arrays
from minirag_chat.store.rows import whole
from minirag_chat.store.tables import Tables


class ExploreTables(Tables):
    """Reads across the tables. Nothing here writes."""

    def message_ids(self) -> Ids:
        """All messages that are not in the trash, in the order in which they were sent."""
        (found,) = arrays(
            self._connection,
            ["id"],
            "FROM (SELECT id FROM messages WHERE session_id IS NOT NULL ORDER BY sent_at, id) AS sent",
        )
        return found

    def entities(self) -> list[tuple[int, str, EntityType, int]]:
        """``(id, name, type, messages)`` of every entity, the most often named first."""
        return whole(
            self._connection.execute(
                "SELECT p.id, p.name, p.type, COUNT(DISTINCT n.message_id) FROM mentions n "
                "JOIN entities e ON e.id = n.entity_id JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
                "GROUP BY p.id, p.name, p.type ORDER BY 4 DESC, p.name"
            ).fetchall()
        )

    def relations(self, least: int) -> list[tuple[str, EntityType, str, EntityType, int, int]]:
        """``(name, type, name, type, messages, a message)``: pairs named together, most often first.

        ``least`` is how many messages must name both.
        """
        return whole(
            self._connection.execute(
                "WITH named(message, entity) AS (SELECT DISTINCT n.message_id, COALESCE(e.same_as, e.id) "
                "FROM mentions n JOIN entities e ON e.id = n.entity_id) "
                "SELECT a.name, a.type, b.name, b.type, COUNT(*), MAX(x.message) "
                "FROM named x JOIN named y ON x.message = y.message AND x.entity < y.entity "
                "JOIN entities a ON a.id = x.entity JOIN entities b ON b.id = y.entity "
                "GROUP BY a.id, a.name, a.type, b.id, b.name, b.type HAVING COUNT(*) >= ? "
                "ORDER BY 5 DESC, a.name, b.name",
                (least,),
            ).fetchall()
        )

    def entities_like(self, name: str, limit: int) -> list[tuple[int, str, EntityType]]:
        """``(id, name, type)`` of entities whose name holds ``name``, the shortest name first."""
        pattern = "".join(f"\\{c}" if c in "%_\\" else c for c in name.strip())
        return whole(
            self._connection.execute(
                "SELECT p.id, p.name, p.type FROM entities e "
                "JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
                "WHERE LOWER(e.name) LIKE LOWER(?) ESCAPE '\\' "
                "AND EXISTS (SELECT 1 FROM mentions n WHERE n.entity_id = e.id) "
                "GROUP BY p.id, p.name, p.type ORDER BY LENGTH(p.name), p.name LIMIT ?",
                (f"%{pattern}%", limit),
            ).fetchall()
        )

"""The graph as a whole, for methods that need more than a neighbourhood: walks and communities.

The model's entities have negative ids here; a person whom both extractors found has the positive one.
"""

from __future__ import annotations

from collections.abc import Iterable

from minirag_chat.records import Entity, EntityType
from minirag_chat.store.media import SAID
from minirag_chat.store.rows import marks
from minirag_chat.store.tables import Tables

_SLM_NODE = "COALESCE(p.same_as, p.id, -e.id)"


class GraphTables(Tables):
    """Reads all edges. Nothing here writes."""

    def chunk_entities(self) -> list[tuple[int, int, int]]:
        """``(chunk, entity, mentions)``, each pair once: mentions of both extractors count together."""
        return self._connection.execute(
            "SELECT chunk_id, node, COUNT(*) FROM ("
            "SELECT c.chunk_id, COALESCE(e.same_as, e.id) AS node FROM mentions n "
            "JOIN entities e ON e.id = n.entity_id "
            "JOIN chunk_messages c ON c.message_id = n.message_id UNION ALL "
            f"SELECT c.chunk_id, {_SLM_NODE} FROM slm_mentions n "
            "JOIN slm_entities e ON e.id = n.entity_id LEFT JOIN entities p ON p.id = e.person_id "
            "JOIN chunk_messages c ON c.message_id = n.message_id) AS both_ends GROUP BY 1, 2"
        ).fetchall()

    def related(self) -> list[tuple[int, int, float]]:
        """``(entity, entity, weight)``: named in one message (how often), or related by the model."""
        return self._connection.execute(
            "WITH named(message, entity) AS (SELECT DISTINCT n.message_id, COALESCE(e.same_as, e.id) "
            "FROM mentions n JOIN entities e ON e.id = n.entity_id), "
            f"nodes(slm, node) AS (SELECT e.id, {_SLM_NODE} FROM slm_entities e "
            "LEFT JOIN entities p ON p.id = e.person_id) "
            "SELECT x.entity, y.entity, 1.0 * COUNT(*) FROM named x "
            "JOIN named y ON x.message = y.message AND x.entity < y.entity GROUP BY 1, 2 UNION ALL "
            "SELECT s.node, t.node, SUM(r.strength) / 10.0 FROM slm_relations r "
            "JOIN nodes s ON s.slm = r.source_id JOIN nodes t ON t.slm = r.target_id "
            "WHERE s.node <> t.node GROUP BY 1, 2"
        ).fetchall()

    def related_to(self, node: int, limit: int) -> list[tuple[int, str, EntityType, int, int]]:
        """Nodes that the model related to one: ``(node, name, type, strength, a message)``, best first."""
        return self._connection.execute(
            "WITH own(id) AS (SELECT id FROM slm_entities WHERE id = -?1 OR person_id IN "
            "(SELECT id FROM entities WHERE id = ?1 OR same_as = ?1)), "
            "near(other, strength, message) AS ("
            "SELECT target_id, strength, message_id FROM slm_relations "
            "WHERE source_id IN (SELECT id FROM own) UNION ALL "
            "SELECT source_id, strength, message_id FROM slm_relations "
            "WHERE target_id IN (SELECT id FROM own)) "
            f"SELECT {_SLM_NODE}, MAX(e.name), MAX(COALESCE(p.type, e.type)), "
            "SUM(r.strength), MAX(r.message) FROM near r "
            "JOIN slm_entities e ON e.id = r.other LEFT JOIN entities p ON p.id = e.person_id "
            f"WHERE {_SLM_NODE} <> ?1 GROUP BY 1 ORDER BY 4 DESC, 1 LIMIT ?2",
            (node, limit),
        ).fetchall()

    def naming(self, nodes: Iterable[int]) -> list[tuple[int, int]]:
        """``(chunk, node)`` for each chunk with a message that names one of the nodes."""
        wanted = tuple(nodes)
        return self._connection.execute(
            "SELECT c.chunk_id, COALESCE(e.same_as, e.id) FROM mentions n "
            "JOIN entities e ON e.id = n.entity_id "
            "JOIN chunk_messages c ON c.message_id = n.message_id "
            f"WHERE COALESCE(e.same_as, e.id) IN ({marks(wanted)}) UNION "
            f"SELECT c.chunk_id, {_SLM_NODE} FROM slm_mentions n "
            "JOIN slm_entities e ON e.id = n.entity_id LEFT JOIN entities p ON p.id = e.person_id "
            f"JOIN chunk_messages c ON c.message_id = n.message_id "
            f"WHERE {_SLM_NODE} IN ({marks(wanted)})",
            (*wanted, *wanted),
        ).fetchall()

    def descriptions_in(self, chunks: Iterable[int]) -> list[tuple[int, int, str]]:
        """``(chunk, node, d_eβ)``: the descriptions of nodes in chunks, from both extractors."""
        wanted = tuple(chunks)
        return self._connection.execute(
            "SELECT c.chunk_id, COALESCE(e.same_as, e.id), "
            f"SUBSTR({SAID}, n.start + 1, n.end - n.start) FROM chunk_messages c "
            "JOIN mentions n ON n.message_id = c.message_id JOIN messages m ON m.id = n.message_id "
            f"JOIN entities e ON e.id = n.entity_id WHERE c.chunk_id IN ({marks(wanted)}) UNION "
            f"SELECT c.chunk_id, {_SLM_NODE}, n.description FROM chunk_messages c "
            "JOIN slm_mentions n ON n.message_id = c.message_id "
            "JOIN slm_entities e ON e.id = n.entity_id LEFT JOIN entities p ON p.id = e.person_id "
            f"WHERE c.chunk_id IN ({marks(wanted)})",
            (*wanted, *wanted),
        ).fetchall()

    def nodes_of(self, slm_entities: Iterable[int]) -> dict[int, Entity]:
        """The nodes of entities that the model found, by their own ids."""
        wanted = tuple(slm_entities)
        rows = self._connection.execute(
            f"SELECT e.id, {_SLM_NODE}, e.name, e.type FROM slm_entities e "
            "LEFT JOIN entities p ON p.id = e.person_id "
            f"WHERE e.id IN ({marks(wanted)})",
            wanted,
        )
        return {row[0]: Entity(row[1], row[2], row[3]) for row in rows}

    def names(self) -> dict[int, tuple[str, str]]:
        """Name and type of every node."""
        rows = self._connection.execute(
            "SELECT id, name, type FROM entities WHERE same_as IS NULL UNION ALL "
            "SELECT -id, name, type FROM slm_entities WHERE person_id IS NULL"
        )
        return {row[0]: (row[1], row[2]) for row in rows}

"""What a language model extracted from chunks: its output, and the entities, mentions and relations in it.

The tables ``slm_readings`` and ``slm_reading_messages`` hold the output: one extraction a row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from minirag_chat.records import EntityType
from minirag_chat.store.arrays import vectors_of
from minirag_chat.store.rows import marks
from minirag_chat.store.tables import Tables

Rows = list[tuple[int, str]]
Embedded = Literal["entities", "relations"]
EMBEDDED: tuple[Embedded, ...] = get_args(Embedded)


@dataclass(frozen=True, slots=True)
class StoredExtraction:
    """A stored extraction: the model's output, and whether it is active."""

    id: int
    text: str
    active: bool


@dataclass(frozen=True, slots=True)
class VectorTable:
    """Ids, shape (n,), and unit vectors, shape (n, d), float32."""

    ids: NDArray[np.int64]
    vectors: NDArray[np.float32]


class SlmTables(Tables):
    """Reads and writes the model's part of the graph."""

    def sessions(self) -> list[int]:
        """All sessions, in the order in which they began."""
        return self._connection.column("SELECT id FROM sessions ORDER BY started_at, id")

    # --- extractions ---------------------------------------------------------------------------------

    def extractions(self, model: str) -> dict[str, StoredExtraction]:
        """The stored extractions of a model, by the hash of their chunk."""
        rows = self._connection.execute(
            "SELECT hash, id, text, active FROM slm_readings WHERE model = ?", (model,)
        )
        return {row[0]: StoredExtraction(row[1], row[2], bool(row[3])) for row in rows}

    def has_extraction(self, model: str, key: str) -> bool:
        """Whether an extraction of a model is stored, by the hash of its chunk."""
        row = self._connection.execute(
            "SELECT 1 FROM slm_readings WHERE hash = ? AND model = ?", (key, model)
        ).fetchone()
        return row is not None

    def add_extraction(
        self, model: str, key: str, text: str, messages: Sequence[int], seconds: float
    ) -> int:
        """Store what a model wrote about messages; returns the extraction's id."""
        extraction = self._connection.new(
            "INSERT INTO slm_readings (hash, model, text, seconds) VALUES (?, ?, ?, ?)",
            (key, model, text, seconds),
        )
        self._connection.executemany(
            "INSERT INTO slm_reading_messages VALUES (?, ?)", [(extraction, m) for m in messages]
        )
        return extraction

    def activate(self, extraction: int, messages: Sequence[int]) -> None:
        """Activate an extraction, and deactivate others of the same messages."""
        run = self._connection.execute
        others = self._connection.column(
            "SELECT DISTINCT reading_id FROM slm_reading_messages "
            f"WHERE message_id IN ({marks(messages)}) AND reading_id <> ?",
            (*messages, extraction),
        )
        for other in others:
            run("DELETE FROM slm_mentions WHERE reading_id = ?", (other,))
            run("DELETE FROM slm_relations WHERE reading_id = ?", (other,))
            run("UPDATE slm_readings SET active = FALSE WHERE id = ?", (other,))
        run("UPDATE slm_readings SET active = TRUE WHERE id = ?", (extraction,))

    def seconds_each(self, model: str) -> float | None:
        """The mean time of a model's extractions; None before the first."""
        mean = self._connection.value(
            "SELECT AVG(seconds) FROM slm_readings WHERE model = ?", (model,)
        )
        return None if mean is None else float(mean)

    def counts(self) -> dict[str, int]:
        """The numbers of active extractions, entities, mentions and relations."""
        count = self._connection.number
        tables = ("entities", "mentions", "relations")
        found = {table: count(f"SELECT COUNT(*) FROM slm_{table}") for table in tables}
        return {"readings": count("SELECT COUNT(*) FROM slm_readings WHERE active"), **found}

    # --- the graph, writing ------------------------------------------------------------------------

    def ensure(self, key: str, kind: EntityType, name: str, person: int | None) -> int:
        """The entity with this key; made if it is new. A person is known by ``person``."""
        self._connection.execute(
            "INSERT INTO slm_entities (key, type, name, person_id) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            (key, kind, name, person),
        )
        return self._connection.number("SELECT id FROM slm_entities WHERE key = ?", (key,))

    def add_mention(
        self, entity: int, message: int, extraction: int, name: str, description: str
    ) -> None:
        """Store an entity–chunk edge with d_eβ; the entity must be embedded again."""
        self._connection.execute(
            "INSERT INTO slm_mentions VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (entity, message, extraction, name, description),
        )
        self._connection.execute("UPDATE slm_entities SET vector = NULL WHERE id = ?", (entity,))

    def add_relation(
        self,
        ends: tuple[int, int],
        message: int,
        extraction: int,
        description: str,
        keywords: str,
        strength: int,
    ) -> None:
        """Store an entity–entity edge as one chunk states it."""
        self._connection.execute(
            "INSERT INTO slm_relations (source_id, target_id, message_id, reading_id, description, "
            "keywords, strength) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*ends, message, extraction, description, keywords, strength),
        )

    # --- vectors -----------------------------------------------------------------------------------

    def to_embed(self, table: Embedded, among: Sequence[int] | None = None) -> Rows:
        """``(id, text)`` of entities or relations without a vector: of all, or of some."""
        some = "" if among is None else f"AND x.id IN ({marks(among)}) "
        find = self._entities_to_embed if table == "entities" else self._relations_to_embed
        return find(some, tuple(among or ()))

    def _entities_to_embed(self, some: str, among: Sequence[int]) -> Rows:
        """The name of each entity with its descriptions."""
        rows = self._connection.execute(
            "SELECT x.id, x.name, n.description FROM slm_entities x "
            f"JOIN slm_mentions n ON n.entity_id = x.id WHERE x.vector IS NULL {some}"
            "ORDER BY x.id, n.message_id, n.reading_id",
            among,
        )
        said: dict[tuple[int, str], list[str]] = defaultdict(list)
        for entity, name, description in rows:
            said[entity, name].append(description)
        return [(entity, f"{name}: {'; '.join(all_)}") for (entity, name), all_ in said.items()]

    def _relations_to_embed(self, some: str, among: Sequence[int]) -> Rows:
        """The keywords, ends and description of each relation."""
        rows = self._connection.execute(
            "SELECT x.id, x.keywords || ': ' || s.name || ', ' || t.name || ': ' || x.description "
            "FROM slm_relations x JOIN slm_entities s ON s.id = x.source_id "
            f"JOIN slm_entities t ON t.id = x.target_id WHERE x.vector IS NULL {some}",
            among,
        )
        return [(number, text) for number, text in rows]

    def set_vectors(
        self, table: Embedded, ids: Sequence[int], vectors: NDArray[np.float32]
    ) -> None:
        """Store the vectors of entities or relations, shape (len(ids), d)."""
        rows = zip((v.tobytes() for v in vectors.astype(np.float16)), ids, strict=True)
        self._connection.executemany(f"UPDATE slm_{table} SET vector = ? WHERE id = ?", rows)

    def drop_vectors(self) -> None:
        """Delete all vectors, before embedding with another embedder."""
        self._connection.execute("UPDATE slm_entities SET vector = NULL")
        self._connection.execute("UPDATE slm_relations SET vector = NULL")

    def vectors(self, table: Embedded) -> VectorTable:
        """The vectors of all entities or relations that have one."""
        found = self._connection.execute(
            f"SELECT id, vector FROM slm_{table} WHERE vector IS NOT NULL ORDER BY id"
        ).fetchall()
        ids, vectors = vectors_of(found)
        return VectorTable(ids, vectors.astype(np.float32))

    # --- the graph, reading --------------------------------------------------------------------------

    def chunks_naming(self, entities: Iterable[int]) -> list[tuple[int, int, str]]:
        """``(chunk, entity, d_eβ)`` for each chunk with a message of a mention of the entities."""
        ids = tuple(entities)
        return self._connection.execute(
            "SELECT DISTINCT c.chunk_id, n.entity_id, n.description FROM slm_mentions n "
            "JOIN chunk_messages c ON c.message_id = n.message_id "
            f"WHERE n.entity_id IN ({marks(ids)})",
            ids,
        ).fetchall()

    def relations(self, ids: Iterable[int]) -> list[tuple[int, int, int, int]]:
        """``(id, source, target, message)`` of relations."""
        wanted = tuple(ids)
        return self._connection.execute(
            "SELECT id, source_id, target_id, message_id FROM slm_relations "
            f"WHERE id IN ({marks(wanted)})",
            wanted,
        ).fetchall()

"""The search index: chunks with vectors, and the entity–chunk edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minirag_chat.records import EntityType, Message
from minirag_chat.store.arrays import ordered, places, vectors_of
from minirag_chat.store.media import SAID
from minirag_chat.store.rows import in_parts, marks
from minirag_chat.store.tables import CachedTables

BLOCK = 4096  # chunks in a batch of vectors
SAMPLE = 4096  # chunks in a sample of all


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """All chunks in order: ids and session ids, shape (n,)."""

    chunk_ids: NDArray[np.int64]
    session_ids: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ChunkMatrix:
    """All chunks: ids and session ids, shape (n,), and unit vectors, shape (n, d), float16 as stored.

    The vector of a chunk that is not ``embedded`` yet, shape (n,), is zero.
    """

    chunk_ids: NDArray[np.int64]
    session_ids: NDArray[np.int64]
    vectors: NDArray[np.float16]
    embedded: NDArray[np.bool_]

    def some(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of some rows in float32."""
        return self.vectors[rows].astype(np.float32)

    def cosine(self, vector: NDArray[np.float32]) -> NDArray[np.float64]:
        """The cosine of each chunk with a unit vector, shape (n,); a block at a time in float32.

        A chunk that is not embedded yet gets the mean of the others: neither near nor far.
        """
        found = np.zeros(len(self.chunk_ids))
        if self.embedded.any():
            for start in range(0, len(found), BLOCK):
                part = self.vectors[start : start + BLOCK].astype(np.float32)
                found[start : start + BLOCK] = part @ vector
            found[~self.embedded] = found[self.embedded].mean()
        return found


class IndexTables(CachedTables):
    """Reads and writes the index derived from the messages."""

    # --- writing, inside a transaction ---------------------------------------------------------------

    def add_chunks(self, session_id: int, windows: Sequence[Sequence[Message]]) -> None:
        """Store the chunks of a session.

        A window may hold messages of other sessions too: the parents of replies.
        """
        for part in in_parts(windows):
            rows = self._connection.execute(
                "INSERT INTO chunks (session_id) "
                f"VALUES {', '.join(['(?1)'] * len(part))} RETURNING id",
                (session_id,),
            )
            chunks = sorted(row[0] for row in rows)
            self._connection.executemany(
                "INSERT INTO chunk_messages VALUES (?, ?)",
                [(c, m.id) for c, window in zip(chunks, part, strict=True) for m in window],
            )

    def drop_sessions(self, sessions: Sequence[int]) -> None:
        """Delete sessions with their derived data; their messages stay, without a session."""
        for session in sessions:
            run = self._connection.execute
            inside = "SELECT id FROM messages WHERE session_id = ?"
            run(f"DELETE FROM mentions WHERE message_id IN ({inside})", (session,))
            run("DELETE FROM sessions WHERE id = ?", (session,))

    def add_mentions(self, rows: Iterable[tuple[int, int, int, int]]) -> None:
        """Store ``(entity, message, start, end)``: entity–chunk edges with the place of d_eβ."""
        self._connection.executemany(
            "INSERT INTO mentions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows
        )

    def add_vectors(self, chunk_ids: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Store vectors, shape (len(chunk_ids), d)."""
        rows = zip(chunk_ids, (v.tobytes() for v in vectors.astype(np.float16)), strict=True)
        self._connection.executemany(
            "INSERT INTO vectors VALUES (?, ?) "
            "ON CONFLICT (chunk_id) DO UPDATE SET vector = excluded.vector",
            rows,
        )

    def reuse_vectors(self, rows: Sequence[tuple[int, bytes]]) -> None:
        """Store ``(chunk, vector)`` as :meth:`stored_vectors` returns vectors."""
        self._connection.executemany("INSERT INTO vectors VALUES (?, ?)", rows)

    def drop_vectors(self) -> None:
        """Delete all vectors, before embedding with another embedder."""
        self._connection.execute("DELETE FROM vectors")

    # --- chunks and vectors ---------------------------------------------------------------------------

    def without_vector(self) -> list[int]:
        """The chunks that are not embedded yet."""
        return self._connection.column(
            "SELECT c.id FROM chunks c LEFT JOIN vectors v ON v.chunk_id = c.id "
            "WHERE v.chunk_id IS NULL ORDER BY c.id"
        )

    def still_without_vector(self, chunk_ids: Sequence[int]) -> list[int]:
        """Those of the chunks that are not embedded yet."""
        found = self._connection.column(
            f"SELECT chunk_id FROM vectors WHERE chunk_id IN ({marks(chunk_ids)})", chunk_ids
        )
        done = set(found)
        return [chunk for chunk in chunk_ids if chunk not in done]

    def chunk_ids(self) -> list[int]:
        """All chunks."""
        return self._connection.column("SELECT id FROM chunks")

    def members(self, chunk_ids: Sequence[int]) -> dict[int, list[int]]:
        """The message ids of each chunk, in order."""
        found: dict[int, list[int]] = {chunk: [] for chunk in chunk_ids}
        for part in in_parts(chunk_ids):
            rows = self._connection.execute(
                f"SELECT chunk_id, message_id FROM chunk_messages WHERE chunk_id IN ({marks(part)}) "
                "ORDER BY message_id",
                tuple(part),
            )
            for chunk, message in rows:
                found[chunk].append(message)
        return found

    def rows(self) -> ChunkRows:
        """All chunks; cached until the database changes."""
        return self._cache.get("chunk rows", self._read_rows)

    def _read_rows(self) -> ChunkRows:
        return ChunkRows(*ordered(self._connection, ["id", "session_id"], "FROM chunks"))

    def matrix(self) -> ChunkMatrix:
        """All chunks with their vectors; cached until the database changes."""
        return self._cache.get("matrix", self._read_matrix)

    def _read_matrix(self) -> ChunkMatrix:
        """Block by block: the vectors of a long history are in memory once."""
        known = self.rows()
        vectors = np.zeros((len(known.chunk_ids), self.dimension()), dtype=np.float16)
        embedded = np.zeros(len(known.chunk_ids), dtype=np.bool_)
        for chunks, block in self.each_vector():
            rows = places(chunks, known.chunk_ids)[0]
            vectors[rows], embedded[rows] = block, True
        return ChunkMatrix(known.chunk_ids, known.session_ids, vectors, embedded)

    def each_vector(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float16]]]:
        """All vectors in batches: the chunks in order, and vectors of shape (n, d)."""
        rows = self._connection.execute("SELECT chunk_id, vector FROM vectors ORDER BY chunk_id")
        while part := rows.fetchmany(BLOCK):
            yield vectors_of(part)

    def stored_vectors(self, sessions: Sequence[int]) -> list[tuple[int, bytes]]:
        """``(chunk, vector)`` for the embedded chunks of sessions; vectors are float16 as stored."""
        found: list[tuple[int, bytes]] = []
        for part in in_parts(sessions):
            found += self._connection.execute(
                "SELECT c.id, v.vector FROM chunks c JOIN vectors v ON v.chunk_id = c.id "
                f"WHERE c.session_id IN ({marks(part)})",
                part,
            ).fetchall()
        return found

    def dimension(self) -> int:
        """The dimension of the vectors; 0 if there are none yet."""
        return self._connection.number("SELECT LENGTH(vector) FROM vectors LIMIT 1") // 2

    def vectors_of(self, chunk_ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of chunks, which come in order, shape (n, d); zero for one that has none yet."""
        vectors = np.zeros((len(chunk_ids), self.dimension()), dtype=np.float16)
        for part in in_parts(chunk_ids.tolist()):
            rows = self._connection.execute(
                f"SELECT chunk_id, vector FROM vectors WHERE chunk_id IN ({marks(part)})", part
            )
            if found := rows.fetchall():
                chunks, block = vectors_of(found)
                vectors[places(chunks, chunk_ids)[0]] = block
        return vectors.astype(np.float32)

    def sample(self) -> NDArray[np.float32]:
        """The vectors of ``SAMPLE`` embedded chunks or fewer, spread over all, shape (n, d)."""
        return self._cache.get("sample", self._read_sample)

    def _read_sample(self) -> NDArray[np.float32]:
        known = self.rows().chunk_ids
        vectors = self.vectors_of(known[:: max(len(known) // SAMPLE, 1)][:SAMPLE])
        return vectors[vectors.any(axis=1)]

    def missing_vectors(self) -> tuple[int, int]:
        """How many chunks have no vector yet, and how many chunks there are."""
        return self._cache.get("missing vectors", self._count_missing)

    def _count_missing(self) -> tuple[int, int]:
        return len(self.without_vector()), self._connection.number("SELECT COUNT(*) FROM chunks")

    def said(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """The text of each chunk, a line for each message; chunks that are gone are left out."""
        rows = self._connection.execute(
            f"SELECT c.chunk_id, p.name, {SAID} FROM chunk_messages c "
            "JOIN messages m ON m.id = c.message_id JOIN entities e ON e.id = m.sender_id "
            "JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
            f"WHERE c.chunk_id IN ({marks(chunk_ids)}) ORDER BY c.chunk_id, c.message_id",
            tuple(chunk_ids),
        )
        lines: dict[int, list[str]] = defaultdict(list)
        for chunk, name, text in rows:
            lines[chunk].append(f"{name}: {text}")
        return {chunk: "\n".join(said) for chunk, said in lines.items()}

    def texts(self, chunk_ids: Sequence[int] | None = None) -> Iterator[str]:
        """The text of each message in some chunks, once; of all chunks by default."""
        inside = "SELECT message_id FROM chunk_messages"
        if chunk_ids is not None:
            inside += f" WHERE chunk_id IN ({marks(chunk_ids)})"
        rows = self._connection.execute(
            f"SELECT {SAID} FROM messages m WHERE m.id IN ({inside})", tuple(chunk_ids or ())
        )
        while part := rows.fetchmany(BLOCK):
            yield from (row[0] for row in part)

    def counts(self) -> dict[str, int]:
        """How many sessions, chunks and entities there are."""
        return self._cache.get("counts", self._counts)

    def _counts(self) -> dict[str, int]:
        tables = ("sessions", "chunks", "entities")
        return {t: self._connection.number(f"SELECT COUNT(*) FROM {t}") for t in tables}

    # --- graph -----------------------------------------------------------------------------------------

    def neighbours(self, entity: int, limit: int) -> list[tuple[int, str, EntityType, int, int]]:
        """Entities named together with one: ``(id, name, type, times, a message)``, most often first."""
        return self._connection.execute(
            "WITH own(id) AS (SELECT id FROM entities WHERE id = ?1 OR same_as = ?1), "
            "said(id) AS (SELECT message_id FROM mentions WHERE entity_id IN (SELECT id FROM own)) "
            "SELECT p.id, p.name, p.type, COUNT(DISTINCT n.message_id), MAX(n.message_id) "
            "FROM mentions n JOIN entities e ON e.id = n.entity_id "
            "JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
            "WHERE n.message_id IN (SELECT id FROM said) AND p.id <> ?1 "
            "GROUP BY p.id, p.name, p.type ORDER BY 4 DESC, p.id LIMIT ?2",
            (entity, limit),
        ).fetchall()

    def chunks_of(self, messages: Iterable[int]) -> list[tuple[int, int]]:
        """``(chunk, message)`` for each chunk that holds one of the messages."""
        ids = tuple(messages)
        return self._connection.execute(
            f"SELECT chunk_id, message_id FROM chunk_messages WHERE message_id IN ({marks(ids)})",
            ids,
        ).fetchall()

    def named_in(
        self, message_ids: Sequence[int]
    ) -> list[tuple[int, int, str, EntityType, int, int]]:
        """``(message, entity, name, type, start, end)`` of the mentions in messages."""
        return self._connection.execute(
            "SELECT n.message_id, p.id, p.name, p.type, n.start, n.end FROM mentions n "
            "JOIN entities e ON e.id = n.entity_id JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
            f"WHERE n.message_id IN ({marks(message_ids)}) ORDER BY n.message_id, n.start",
            tuple(message_ids),
        ).fetchall()

    def talked_about(self, types: Sequence[str]) -> list[tuple[int, str, int]]:
        """``(entity, name, session)`` of what several messages of one conversation name.

        What most people name in it comes first.
        """
        return self._connection.execute(
            "SELECT e.id, e.name, m.session_id FROM mentions n JOIN messages m ON m.id = n.message_id "
            f"JOIN entities e ON e.id = n.entity_id WHERE e.type IN ({marks(types)}) "
            "AND m.session_id IS NOT NULL GROUP BY e.id, e.name, m.session_id "
            "HAVING COUNT(DISTINCT m.id) > 1 "
            "ORDER BY COUNT(DISTINCT m.sender_id) DESC, COUNT(DISTINCT m.id) DESC, m.session_id DESC",
            tuple(types),
        ).fetchall()

    def messages_naming(self, entity: int) -> list[int]:
        """The messages that name an entity, under any of its spellings, in order."""
        return self._connection.column(
            "SELECT DISTINCT message_id FROM mentions WHERE entity_id = ? "
            "OR entity_id IN (SELECT id FROM entities WHERE same_as = ?) ORDER BY message_id",
            (entity, entity),
        )

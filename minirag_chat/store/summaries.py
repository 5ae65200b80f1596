"""Summaries over chunks: RAPTOR's tree and GraphRAG's reports. Each has the ids of its chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minirag_chat.store.arrays import vectors_of
from minirag_chat.store.tables import Tables

SummaryKind = Literal["tree", "report"]


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary. ``chunks`` gives how much of each chunk belongs to it, in (0, 1].

    ``entities`` are those of a report's community; they are written, and not read back.
    """

    level: int
    title: str
    text: str
    chunks: Mapping[int, float]
    entities: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SummaryMatrix:
    """All summaries of a kind: ids, shape (n,), unit vectors, shape (n, d), float32.

    d is 0 where they are not embedded yet.
    """

    ids: NDArray[np.int64]
    vectors: NDArray[np.float32]
    members: Mapping[int, Mapping[int, float]] = field(default_factory=dict)


class SummaryTables(Tables):
    """Reads and writes summaries."""

    def replace(
        self, kind: SummaryKind, summaries: Sequence[Summary], vectors: NDArray[np.float32]
    ) -> None:
        """Replace all summaries of a kind, with vectors of shape (n, d).

        If d is 0 they are embedded when a method first compares them.
        """
        self._connection.execute("DELETE FROM summaries WHERE kind = ?", (kind,))
        for summary, vector in zip(summaries, vectors.astype(np.float16), strict=True):
            new = self._connection.new(
                "INSERT INTO summaries (kind, level, title, text, weight, vector) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    kind, summary.level, summary.title, summary.text,
                    sum(summary.chunks.values()), vector.tobytes(),
                ),
            )  # fmt: skip
            self._connection.executemany(
                "INSERT INTO summary_chunks (summary_id, chunk_id, weight) VALUES (?, ?, ?)",
                [(new, chunk, weight) for chunk, weight in summary.chunks.items()],
            )
            self._connection.executemany(
                "INSERT INTO summary_entities VALUES (?, ?)", [(new, e) for e in summary.entities]
            )

    def drop(self) -> None:
        """Delete all summaries, whose vectors are of another embedder."""
        self._connection.execute("DELETE FROM summaries")

    def count(self, kind: SummaryKind) -> int:
        """How many there are."""
        query = "SELECT COUNT(*) FROM summaries WHERE kind = ?"
        return self._connection.number(query, (kind,))

    def matrix(self, kind: SummaryKind) -> SummaryMatrix:
        """All summaries of a kind with their vectors and chunks."""
        rows = self._connection.execute(
            "SELECT id, vector FROM summaries WHERE kind = ? ORDER BY id", (kind,)
        ).fetchall()
        ids, vectors = vectors_of(rows)
        return SummaryMatrix(ids, vectors.astype(np.float32), self._members(kind))

    def all(self, kind: SummaryKind) -> list[Summary]:
        """All summaries of a kind with their chunks, in the order in which they were written."""
        members = self._members(kind)
        rows = self._connection.execute(
            "SELECT id, level, title, text FROM summaries WHERE kind = ? ORDER BY id", (kind,)
        )
        return [
            Summary(level, title, text, members.get(identity, {}))
            for identity, level, title, text in rows
        ]

    def _members(self, kind: SummaryKind) -> dict[int, dict[int, float]]:
        """How much of which chunk belongs to each summary."""
        members: dict[int, dict[int, float]] = defaultdict(dict)
        for summary, chunk, weight in self._connection.execute(
            "SELECT sc.summary_id, sc.chunk_id, sc.weight FROM summary_chunks sc "
            "JOIN summaries s ON s.id = sc.summary_id WHERE s.kind = ? ORDER BY 1, 2",
            (kind,),
        ):
            members[summary][chunk] = weight
        return members

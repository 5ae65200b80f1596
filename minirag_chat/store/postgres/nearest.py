"""The index of vectors in PostgreSQL: pgvector's HNSW (Malkov and Yashunin, arXiv 1603.09320).

It is an index over the vectors as they are stored, so that the tables are the same with and without it;
PostgreSQL keeps it up to date. It has one dimension, that of the embedder, and is made once there are
many vectors: none of a migration's business. A server without pgvector has none.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from minirag_chat.store import nearest
from minirag_chat.store.arrays import Ids
from minirag_chat.store.nearest import SignsInMemory
from minirag_chat.store.sql import Sql

OLDEST = (0, 8)  # goes on looking where it found rows that may not be seen
WIDER = 4  # what the graph is searched for, in place of what is asked for: each row given costs a decoding
MOST_DIMENSIONS = 4000  # of a halfvec in an index
_INDEX = "vectors_nearest"
_BUILD_MEMORY = "1GB"  # the graph is built in memory, or takes ten times as long


class Hnsw:
    """Asks and makes the index. As long as there is none, ``signs`` does without."""

    def __init__(self, connection: Sql, signs: SignsInMemory) -> None:
        self._connection = connection
        self._signs = signs

    def many(self) -> bool:
        """Whether there are too many vectors to compare them all."""
        return self._signs.many()

    def closest(self, vector: NDArray[np.float32], count: int) -> Ids:
        """Chunks among which are nearly all of the ``count`` nearest to a unit vector."""
        if not self._there():
            return self._signs.closest(vector, count)
        run = self._connection.execute
        run("SELECT set_config('hnsw.ef_search', ?, TRUE)", (str(WIDER * count),))
        run("SELECT set_config('hnsw.iterative_scan', 'strict_order', TRUE)")
        shown = "[" + ",".join(f"{number:.6g}" for number in vector.tolist()) + "]"
        rows = run(
            f"SELECT chunk_id FROM vectors ORDER BY {_key(len(vector))} "
            f"<#> ?::halfvec({len(vector)}) LIMIT {count}",
            (shown,),
        ).fetchall()
        return np.array([row[0] for row in rows], dtype=np.int64)

    def due(self) -> bool:
        """Whether an index is to be made: there are many chunks, and pgvector, and we may."""
        return (
            self.many()
            and not self._there()
            and 0 < self._dimension() <= MOST_DIMENSIONS
            and self._available()
            and self._may_make()
        )

    def prepare(self) -> None:
        """Add the extension to the database; the server's administrator may have to do it."""
        self._connection.execute("CREATE EXTENSION IF NOT EXISTS vector")

    def make(self) -> None:
        """Make the index where another process did not meanwhile. Others read, and wait to write."""
        if self._there() or not self._installed():
            return
        run = self._connection.execute
        run(
            files("minirag_chat.store.postgres")
            .joinpath("half_vector.sql")
            .read_text(encoding="utf-8")
        )
        run("SELECT set_config('maintenance_work_mem', ?, TRUE)", (_BUILD_MEMORY,))
        # Several at once share memory that servers in containers have 64 MB of.
        run("SET LOCAL max_parallel_maintenance_workers = 0")
        run(
            f"CREATE INDEX {_INDEX} ON vectors "
            f"USING hnsw (({_key(self._dimension())}) halfvec_ip_ops)"
        )

    def drop(self) -> None:
        """Drop it, before vectors of another dimension come."""
        self._connection.execute(f"DROP INDEX IF EXISTS {_INDEX}")

    def described(self) -> str:
        """How vectors are compared, for people."""
        if not self.many():
            return nearest.IN_MEMORY
        if self._there():
            version = self._version("pg_extension", "extversion")
            return f"found by an index (HNSW, pgvector {version}), then compared"
        return f"{nearest.BY_SIGNS}; {self.lacking()}"

    def lacking(self) -> str:
        """What to do where there are many vectors and no index of them; else nothing."""
        if not self.many() or self._there():
            return ""
        if self.due():
            return "run `minirag-chat index`, which makes an index of them"
        if self._available():
            return (
                "let an administrator run `CREATE EXTENSION vector` in the database, then its owner "
                "`minirag-chat index`"
            )
        wanted = ".".join(map(str, OLDEST))
        return f"install pgvector {wanted} or newer on the server, then run `minirag-chat index`"

    def _there(self) -> bool:
        (found,) = self._connection.execute("SELECT to_regclass(?)", (_INDEX,)).fetchone()
        return found is not None

    def _available(self) -> bool:
        return _numbers(self._version("pg_available_extensions", "default_version")) >= OLDEST

    def _may_make(self) -> bool:
        """Whether the extension is here or may be added, and the table is ours."""
        (ours,) = self._connection.execute(
            "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'vectors'::regclass"
        ).fetchone()
        return bool(ours) and (self._installed() or self._may_add())

    def _may_add(self) -> bool:
        (may,) = self._connection.execute(
            "SELECT r.rolsuper OR has_database_privilege(current_database(), 'CREATE') AND EXISTS ("
            "SELECT 1 FROM pg_available_extension_versions WHERE name = 'vector' AND trusted) "
            "FROM pg_roles r WHERE r.rolname = current_user"
        ).fetchone()
        return bool(may)

    def _installed(self) -> bool:
        return _numbers(self._version("pg_extension", "extversion")) >= OLDEST

    def _version(self, catalog: str, column: str) -> str:
        name = "extname" if catalog == "pg_extension" else "name"
        row = self._connection.execute(
            f"SELECT {column} FROM {catalog} WHERE {name} = 'vector'"
        ).fetchone()
        return str(row[0]) if row else ""

    def _dimension(self) -> int:
        row = self._connection.execute("SELECT length(vector) / 2 FROM vectors LIMIT 1").fetchone()
        return int(row[0]) if row else 0


def _key(dimension: int) -> str:
    """What is indexed of a row: of unit vectors the highest inner product is the highest cosine."""
    return f"half_vector(vector)::halfvec({dimension})"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())

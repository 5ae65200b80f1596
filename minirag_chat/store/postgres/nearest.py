"""The index of vectors in PostgreSQL: pgvector's HNSW (Malkov and Yashunin, arXiv 1603.09320).

It indexes the stored vectors, so that the tables are the same with and without it; PostgreSQL keeps it up
to date. It has the embedder's dimension and is made once there are many vectors, so it is not part of a
migration. A server without pgvector has none.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from minirag_chat.store.arrays import Ids
from minirag_chat.store.cache import Cache
from minirag_chat.store.index import IndexTables
from minirag_chat.store.nearest import BY_SIGNS, IN_MEMORY, SignsInMemory
from minirag_chat.store.sql import Sql

OLDEST = (0, 8)  # first version with iterative scans, for filters and row-level security
WIDER = 4  # ef_search for each row requested; cheaper than more rows, which would all be decoded
MOST_DIMENSIONS = 4000  # of a halfvec in an index
_INDEX = "vectors_nearest"
_BUILD_MEMORY = "1GB"  # the graph is built in memory, or takes ten times as long


class Hnsw(SignsInMemory):
    """Queries and builds the index. Without it signs are compared."""

    def __init__(self, connection: Sql, cache: Cache) -> None:
        super().__init__(IndexTables(connection, cache), cache)
        self._connection = connection

    def closest(self, vector: NDArray[np.float32], count: int) -> Ids:
        """Candidate chunks with nearly all of the ``count`` nearest to a unit vector."""
        if not self._there():
            return super().closest(vector, count)
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
        """Whether to build the index: there are many chunks, pgvector is there, and we have the rights."""
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
        """Build the index unless another process did. Others can read meanwhile, and wait to write."""
        if self._there() or not self._installed():
            return
        run = self._connection.execute
        run(
            files("minirag_chat.store.postgres")
            .joinpath("half_vector.sql")
            .read_text(encoding="utf-8")
        )
        run("SELECT set_config('maintenance_work_mem', ?, TRUE)", (_BUILD_MEMORY,))
        # Parallel workers need shared memory, of which containers often have only 64 MB.
        run("SET LOCAL max_parallel_maintenance_workers = 0")
        run(
            f"CREATE INDEX {_INDEX} ON vectors "
            f"USING hnsw (({_key(self._dimension())}) halfvec_ip_ops)"
        )

    def drop(self) -> None:
        """Drop it, before vectors of another dimension are stored."""
        self._connection.execute(f"DROP INDEX IF EXISTS {_INDEX}")

    def described(self) -> str:
        """How vectors are compared, for people."""
        if not self.many():
            return IN_MEMORY
        if self._there():
            version = self._version("pg_extension", "extversion")
            return f"found by an index (HNSW, pgvector {version}), then compared"
        return f"{BY_SIGNS}; {self.lacking()}"

    def lacking(self) -> str:
        """What to do if there are many vectors and no index; else empty."""
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
        return self._connection.value("SELECT to_regclass(?)", (_INDEX,)) is not None

    def _available(self) -> bool:
        return _numbers(self._version("pg_available_extensions", "default_version")) >= OLDEST

    def _may_make(self) -> bool:
        """Whether the extension is there or can be added, and we own the table."""
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
        return (
            self._connection.value(f"SELECT {column} FROM {catalog} WHERE {name} = 'vector'") or ""
        )

    def _dimension(self) -> int:
        return self._connection.number("SELECT length(vector) / 2 FROM vectors LIMIT 1")


def _key(dimension: int) -> str:
    """The indexed expression. For unit vectors the inner product is the cosine."""
    return f"half_vector(vector)::halfvec({dimension})"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())

"""Inspects a database file read-only: nothing is created, migrated or wiped."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from minirag_chat.errors import StoreError
from minirag_chat.store.cache import Cache
from minirag_chat.store.connection import BUSY_SECONDS, Connection, our_error
from minirag_chat.store.database import MOVING, not_complete
from minirag_chat.store.driver import is_encrypted, open_connection
from minirag_chat.store.opening import layout
from minirag_chat.store.postgres.connection import reach
from minirag_chat.store.postgres.nearest import Hnsw
from minirag_chat.store.postgres.opening import layout as layout_on_server
from minirag_chat.store.rows import read_meta
from minirag_chat.store.sql import Sql
from minirag_chat.system.passphrase import find

BRIEFLY = 0.2  # seconds that a look waits for a file that another program has locked
OTHERS = 0o077
"""The rights of everybody but the owner."""


@dataclass(frozen=True, slots=True)
class DatabaseStatus:
    """The state of a database file. ``problem`` is a sentence on why it cannot be read.

    ``without_vector`` of its ``chunks`` are not embedded; ``embedder`` made the vectors of the others.
    ``lacking`` says what to do if there are so many that a server should index them. ``encrypted``: it looks
    encrypted, even if it cannot be read. ``open_to_others``: others than the owner may read it.
    """

    path: Path
    exists: bool
    size_bytes: int = 0
    open_to_others: bool = False
    writable: bool = True
    problem: str = ""
    messages: int = 0
    chunks: int = 0
    without_vector: int = 0
    embedder: str = ""
    encrypted: bool = False
    lacking: str = ""


def database_status(path: Path) -> DatabaseStatus:
    """Inspect the file at ``path``."""
    if not path.exists():
        return DatabaseStatus(path, exists=False)
    found = DatabaseStatus(
        path,
        exists=True,
        encrypted=is_encrypted(path),
        size_bytes=path.stat().st_size,
        open_to_others=os.name == "posix" and bool(path.stat().st_mode & OTHERS),
        writable=os.access(path, os.W_OK) and os.access(path.parent, os.W_OK),
    )
    try:
        with closing(_opened(path)) as connection:
            if not layout(connection):
                return found  # it is made, and nothing is in it yet
            return _counted(found, connection)
    except StoreError as error:
        return replace(found, problem=str(error))


def postgres_database_status(address: str) -> DatabaseStatus:
    """Inspect the PostgreSQL database at an address."""
    found = DatabaseStatus(Path("PostgreSQL"), exists=False)
    try:
        with closing(reach(address)) as connection:
            found = replace(found, path=Path(f"PostgreSQL at {connection.path}"))
            if not layout_on_server(connection):
                return found
            size = connection.size_bytes
            lacking = Hnsw(connection, Cache(connection)).lacking()
            found = replace(found, exists=True, size_bytes=size, lacking=lacking)
            return _counted(found, connection)
    except StoreError as error:
        return replace(found, problem=str(error))


def is_our_database(path: Path) -> bool:
    """Whether a file is a database of this program, as far as it can be read without asking anyone."""
    if is_encrypted(path) and find(path, ask=False) is None:
        return False
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(open_connection(path, uri, timeout=BRIEFLY)) as connection:
            found = connection.number(
                "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('chunk_messages', 'mentions')"
            )
    except (StoreError, OSError):
        return False
    return found == len(("chunk_messages", "mentions"))


def _opened(path: Path) -> Connection:
    """A read-only connection; it takes no lock if no other process uses the file."""
    in_use = path.with_name(f"{path.name}-wal").exists()
    uri = f"{path.absolute().as_uri()}?{'mode=ro' if in_use else 'immutable=1'}"
    try:
        return open_connection(path, uri, timeout=BUSY_SECONDS / 5)
    except OSError as error:
        raise our_error(error, path) from error


def _counted(found: DatabaseStatus, connection: Sql) -> DatabaseStatus:
    return replace(
        found,
        problem=not_complete(found.path) if read_meta(connection, MOVING) else "",
        messages=connection.number("SELECT COUNT(*) FROM messages WHERE session_id IS NOT NULL"),
        chunks=connection.number("SELECT COUNT(*) FROM chunks"),
        without_vector=connection.number(
            "SELECT COUNT(*) FROM chunks WHERE id NOT IN (SELECT chunk_id FROM vectors)"
        ),
        embedder=read_meta(connection, "embedder") or "",
    )

"""Opens the database file: private to its owner, unlocked, logged ahead, brought up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from minirag_chat.errors import DatabaseLocked, DatabaseReadOnly, DatabaseTooNew, StoreError
from minirag_chat.private import OWNER_ONLY, make_folder
from minirag_chat.store.beside import clear_up
from minirag_chat.store.connection import Connection, our_error
from minirag_chat.store.driver import opened
from minirag_chat.store.words import TABLES

MIGRATIONS = (
    "m001_initial.sql", "m002_marks.sql", "m003_versions.sql", "m004_slm.sql", "m005_edited.sql",
    "m006_trash.sql", "m007_arrivals_and_media.sql",
)  # fmt: skip
LOG_BYTES = 16 * 1024 * 1024  # what is left of the write-ahead log after a long import


def connect(path: Path) -> Connection:
    """Open or create the database at ``path``. Raises ``StoreError`` and its children."""
    try:
        if str(path) != ":memory:":
            _make_private(path)
        try:
            return _connected(path)
        except DatabaseReadOnly:
            if not _at_rest(path):
                raise
            return _connected(path, f"{path.absolute().as_uri()}?immutable=1")
    except (sqlite3.Error, OSError) as error:
        raise our_error(error, path) from error


def _make_private(path: Path) -> None:
    """Make the file, which SQLite would let others read; its log gets the same rights."""
    make_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))


def _at_rest(path: Path) -> bool:
    """Whether a file that cannot be written is whole without its log, and so can be read."""
    log = path.with_name(f"{path.name}-wal")
    return path.is_file() and not (log.exists() and log.stat().st_size)


def _connected(path: Path, uri: str = "") -> Connection:
    connection = opened(path, uri)
    try:
        _prepare(connection)
        _migrate(connection)
        if not uri:
            clear_up(path)
        _show_words(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
    # With a log written ahead, one process reads while another writes. Where it cannot be had (on
    # a network's disk, on one that is read only), they take turns.
    with suppress(DatabaseReadOnly, DatabaseLocked):
        connection.execute("PRAGMA journal_mode = WAL")


def _show_words(connection: Connection) -> None:
    """Let the words of the full texts be read, with their places; nothing of it is in the file."""
    for table in TABLES:
        connection.execute(
            f"CREATE VIRTUAL TABLE temp.{table}_words USING fts5vocab (main, {table}, instance)"
        )


def _migrate(connection: Connection) -> None:
    if layout(connection) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")  # another process may be about to do the same
    try:
        for name in MIGRATIONS[layout(connection) :]:
            script = files("minirag_chat.store").joinpath(name).read_text(encoding="utf-8")
            for statement in _statements(script):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def layout(connection: Connection) -> int:
    """The layout of the file, from 0. Raises ``DatabaseTooNew`` or ``StoreError``."""
    path = connection.path
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise DatabaseTooNew(
            f"{path} was written by a newer release (layout {version}, this one knows up to "
            f"{len(MIGRATIONS)}): update with `pip install --upgrade minirag-chat`."
        )
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StoreError(f"{path} is a database of another program: choose another file with --db.")
    return version


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, a trigger with what is in it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""

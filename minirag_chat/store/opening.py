"""Opens the database file: makes it private, decrypts it, sets write-ahead logging, and migrates it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path

from minirag_chat.errors import DatabaseLocked, DatabaseReadOnly, DatabaseTooNew, StoreError
from minirag_chat.store.connection import Connection, interruptible, our_error
from minirag_chat.store.driver import open_connection
from minirag_chat.store.sidecar_files import clear_up
from minirag_chat.store.sql import Sql
from minirag_chat.store.text import searchable
from minirag_chat.system.passphrase import VARIABLE
from minirag_chat.system.private_folders import OWNER_ONLY, make_folder

MIGRATIONS = (
    "m001_initial.sql", "m002_marks.sql", "m003_versions.sql", "m004_slm.sql", "m005_edited.sql",
    "m006_trash.sql", "m007_arrivals_and_media.sql", "m008_one_full_text.sql",
    "m009_instants.sql",
)  # fmt: skip
"""The migrations in order. The layout of a file is the number of its last migration."""
NEWEST = len(MIGRATIONS)
SAY_EVERY = 10.0  # seconds between two progress messages
_LOOK_EVERY = 1_000_000  # SQLite's steps between two checks of the clock
LOG_BYTES = 16 * 1024 * 1024  # the write-ahead log is truncated to this after a long import


_WARNED: set[Path] = set()  # files that this process said to be plain

OnStatus = Callable[[str], None]


def ignore_status(_: str) -> None:
    """The listener that ignores messages."""


def connect(
    path: Path, on_status: OnStatus = ignore_status, passphrase: str | None = None
) -> Connection:
    """Open or create the database at ``path``; ``on_status`` is called with a sentence if that takes long.

    Without a ``passphrase`` it is found as ``passphrase.py`` says. Raises ``StoreError`` and its children.
    """
    try:
        if str(path) != ":memory:":
            _make_private(path)
        try:
            return _connected(path, on_status, passphrase)
        except DatabaseReadOnly:
            if not _at_rest(path):
                raise
            return _connected(
                path, on_status, passphrase, f"{path.absolute().as_uri()}?immutable=1"
            )
    except (sqlite3.Error, OSError) as error:
        raise our_error(error, path) from error


def _make_private(path: Path) -> None:
    """Create the file readable by its owner only; SQLite's log gets the same rights."""
    make_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))


def _at_rest(path: Path) -> bool:
    """Whether a read-only file has no pending log, and so can be read."""
    log = path.with_name(f"{path.name}-wal")
    return path.is_file() and not (log.exists() and log.stat().st_size)


def _connected(
    path: Path, on_status: OnStatus, passphrase: str | None, uri: str = ""
) -> Connection:
    connection = open_connection(path, uri, given_passphrase=passphrase)
    _tell_if_plain(connection, on_status)
    try:
        _prepare(connection)
        _migrate(connection, on_status)
        if not uri:
            clear_up(path)
            _drop_old_journal(connection)
        connection.show_words()
    except BaseException:
        connection.close()
        raise
    return connection


def _tell_if_plain(connection: Connection, on_status: OnStatus) -> None:
    """Tell once that a passphrase in the environment does not encrypt a file that is there already."""
    path = connection.path.absolute()
    ignored = (
        not connection.encrypted
        and str(connection.path) != ":memory:"
        and on_status is not ignore_status
    )
    if ignored and os.environ.get(VARIABLE) and path not in _WARNED:
        _WARNED.add(path)
        on_status(
            f"{path} is not encrypted although {VARIABLE} is set: run `minirag-chat encrypt`."
        )


def _prepare(connection: Connection) -> None:
    connection.create_function("searchable", 1, searchable, deterministic=True)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA cell_size_check = ON")  # a damaged page is an error
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
    # With a log written ahead, one process reads while another writes. Where it cannot be had (on
    # a network's disk, on one that is read only), they take turns.
    with suppress(DatabaseReadOnly, DatabaseLocked):
        connection.execute("PRAGMA journal_mode = WAL")


def _drop_old_journal(connection: Connection) -> None:
    """Delete the rollback journal of a process that was killed while the file had no write-ahead log.

    What had to be undone was undone when the file was first read. With a log, no journal is used, and
    nobody can give the log up while this connection is open.
    """
    if connection.value("PRAGMA journal_mode") == "wal":
        with suppress(OSError):
            connection.path.with_name(f"{connection.path.name}-journal").unlink(missing_ok=True)


def _migrate(connection: Connection, on_status: OnStatus) -> None:
    """Run the missing migrations in one transaction: after a kill the file is as it was."""
    if layout(connection) == NEWEST:
        return
    with connection.atomic(connection.begin_writing):  # another process may do the same
        before = layout(connection)
        if 0 < before < NEWEST:
            on_status(f"Bringing {connection.path} up to date for this release.")
        with report_long_statements(connection, on_status):
            for name in MIGRATIONS[before:]:
                _run(connection, name)
        connection.execute(f"PRAGMA user_version = {NEWEST}")


def _run(connection: Connection, migration: str) -> None:
    script = files("minirag_chat.store").joinpath(migration).read_text(encoding="utf-8")
    for statement in _statements(script):
        connection.execute(statement)


@contextmanager
def report_long_statements(connection: Sql, on_status: OnStatus) -> Iterator[None]:
    """Report long statements in the block again and again; Ctrl-C ends them without a change."""
    started_at = time.monotonic()
    reported_at = started_at

    def check_time() -> int:
        nonlocal reported_at
        now = time.monotonic()
        if now - reported_at >= SAY_EVERY:
            reported_at = now
            on_status(f"Still working, for {now - started_at:.0f} s.")
        return 0

    connection.set_progress_handler(check_time, _LOOK_EVERY)
    try:
        with interruptible():
            yield
    finally:
        connection.set_progress_handler(None, 0)


def layout(connection: Connection) -> int:
    """The layout of the file, from 0. Raises ``DatabaseTooNew`` or ``StoreError``."""
    path = connection.path
    version = connection.number("PRAGMA user_version")
    if version > NEWEST:
        raise DatabaseTooNew(
            f"{path} was written by a newer release (layout {version}, this one knows up to "
            f"{NEWEST}): update with `pip install --upgrade minirag-chat`."
        )
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StoreError(f"{path} is a database of another program: choose another file (`--db`).")
    return version


def _statements(script: str) -> Iterator[str]:
    """The statements of a script; a trigger with its body is one."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""

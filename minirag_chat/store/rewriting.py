"""Encrypts a database, decrypts it, or changes its passphrase; atomically.

SQLCipher writes a new file beside the old one, which is checked and then renamed over it in one step; the
old one is overwritten. No other process has the file open meanwhile.
"""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from minirag_chat.errors import DatabaseLocked, NotFound, StoreError
from minirag_chat.records import Progress, Report
from minirag_chat.store import driver
from minirag_chat.store.connection import UNCHANGED, Connection, interruptible, our_error
from minirag_chat.store.opening import connect, layout
from minirag_chat.store.sidecar_files import (
    clear_up,
    files_of,
    in_the_making,
    settle,
    to_wipe,
    wipe_file,
)
from minirag_chat.system.passphrase import Passphrase
from minirag_chat.system.private_folders import OWNER_ONLY

_STEPS = 100_000  # SQLite's steps between two checks of the progress: some milliseconds
_MB = 1_000_000


def rewrite(
    path: Path, old: Passphrase | None, new: Passphrase | None, step: str, report: Report
) -> None:
    """Rewrite the database with another passphrase; None: without encryption.

    A kill at any moment leaves the old or the new file; leftovers are removed when the database is next
    opened. Raises ``DatabaseLocked`` if another process has it open, ``DatabaseEncrypted`` for a wrong
    passphrase, ``DiskFull``; the database is then unchanged.
    """
    if not path.is_file():
        raise NotFound(f"There is no database at {path}.")
    path = path.resolve()  # the new file replaces the database itself, not a link to it
    with closing(
        connect(path)
    ) as checked:  # checks that it is ours, migrates it, and empties its log
        layout(checked)
    if driver.in_use(path):
        raise _in_use(path, "this program")
    with closing(driver.by_cipher(path)) as connection:
        if old is not None:
            driver.unlock(connection, old)
        _seize(connection)
        clear_up(path)
        try:
            _make(connection, new, step, report)
            _compare(connection, new)
            _replace(connection)
        except BaseException:
            clear_up(path)
            raise
    clear_up(path)


def _seize(connection: Connection) -> None:
    """Lock the file exclusively, without a log. Raises ``DatabaseLocked``."""
    path = connection.path
    connection.execute("PRAGMA temp_store = MEMORY")
    try:
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchone()
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")  # the lock stays
    except DatabaseLocked as error:
        raise _in_use(path, "another process") from error
    mode = connection.value("PRAGMA journal_mode")
    if mode != "delete" or any(file.exists() for file in files_of(path)[1:4]):
        raise _in_use(path, "another process")


def _in_use(path: Path, who: str) -> DatabaseLocked:
    return DatabaseLocked(
        f"{path} is in use by {who}: close pages, notebooks and commands that have it open, then "
        f"try again; {UNCHANGED}."
    )


def _make(connection: Connection, new: Passphrase | None, step: str, report: Report) -> None:
    """Write the content into a new file that only its owner can read."""
    path = connection.path
    made = in_the_making(path)
    whole = path.stat().st_size
    os.close(os.open(made, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))

    def look() -> int:
        report(Progress(step, min(made.stat().st_size, whole) // _MB, whole // _MB))
        return 0

    connection.execute("ATTACH DATABASE ? AS made KEY ?", (str(made), new.text if new else ""))
    connection.set_progress_handler(look, _STEPS)
    try:
        with interruptible():
            connection.execute("SELECT sqlcipher_export('made')").fetchone()
    finally:
        connection.set_progress_handler(None, 0)
    connection.execute(f"PRAGMA made.user_version = {layout(connection)}")
    connection.execute("DETACH DATABASE made")
    settle(made)


def _compare(connection: Connection, new: Passphrase | None) -> None:
    """Check that the new file opens, is undamaged, and has as many rows. Raises ``StoreError``."""
    made = in_the_making(connection.path)
    with closing(driver.by_cipher(made)) as fresh:
        if new is not None:
            driver.unlock(fresh, new)
        found = fresh.column("PRAGMA integrity_check")
        if new is not None:
            found += fresh.column("PRAGMA cipher_integrity_check")
        same = _counted(fresh) == _counted(connection) and layout(fresh) == layout(connection)
    if found != ["ok"] or not same:
        raise StoreError(
            f"The new file for {connection.path} was not written as it should be: see whether the "
            f"disk is sound, then try again; {UNCHANGED}."
        )


def _counted(connection: Connection) -> dict[str, int]:
    """The number of rows of each table."""
    tables = connection.column("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name: connection.number(f'SELECT COUNT(*) FROM "{name}"') for name in tables}


def _replace(connection: Connection) -> None:
    """Rename the new file over the old one, and wipe the old one.

    The old one has a second name until it is wiped, so that it is found after a kill. It is wiped only
    after the rename is on the disk.
    """
    path = connection.path
    made, old = in_the_making(path), to_wipe(path)
    try:
        if os.name != "posix":  # there, a file that is open cannot be replaced
            connection.close()
        old.hardlink_to(path)
        made.replace(path)
        settle(path.parent)
        wipe_file(old, unless=path)
    except OSError as error:
        raise our_error(error, path) from error

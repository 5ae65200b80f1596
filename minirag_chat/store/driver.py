"""The one place where a connection is made: by SQLite, or by SQLCipher where the file is encrypted.

The file itself shows whether it is encrypted. We read it only while this process has no connection to it,
because closing any handle of a file drops all SQLite locks that the process holds on it.
"""

from __future__ import annotations

import math
import sqlite3
import threading
from collections import Counter
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import cast
from weakref import WeakSet

from minirag_chat.errors import DatabaseDamaged, DatabaseEncrypted, StoreError
from minirag_chat.store.connection import (
    BUSY_SECONDS,
    Connection,
    OurConnection,
    OurCursor,
    our_error,
)
from minirag_chat.system import passphrase
from minirag_chat.system.installing import how_to_add
from minirag_chat.system.passphrase import Passphrase

PLAIN = b"SQLite format 3\0"
_LOOKED_AT = 4096  # bytes: SQLCipher's first page
_RANDOM = 7.8  # bits of entropy per byte; a random sample of this size has about 7.95
_CACHE_KIB = (
    64 * 1024
)  # so much is kept decrypted: SQLite's 2 MB would be decrypted again and again
_OPEN: WeakSet[OurConnection] = WeakSet()
_OPENING = threading.Lock()


def open_connection(
    path: Path, uri: str = "", *, timeout: float = BUSY_SECONDS, given_passphrase: str | None = None
) -> Connection:
    """A connection to the file, unlocked by ``given_passphrase``, or by the one that is found for it.

    A new file is encrypted if there is a passphrase. Raises ``DatabaseEncrypted`` if the passphrase is not
    known or wrong, or the library missing; ``StoreError`` if one is given for a file that is not
    encrypted.
    """
    given = None if given_passphrase is None else passphrase.given(given_passphrase)
    if str(path) == ":memory:":
        return _connect(path, uri, timeout, encrypted=False)
    with _OPENING:
        new = not path.exists() or not path.stat().st_size
        known = given or passphrase.said(path)
        encrypted = known is not None if new else _looks_encrypted(path)
        if not encrypted:
            if given is not None:
                raise StoreError(
                    f"{path} is not encrypted, so it needs no passphrase: open it without one, or "
                    "encrypt it with `minirag-chat encrypt`."
                )
            return _connect(path, uri, timeout, encrypted=False)
    found = given or passphrase.find(path)  # may ask a person: nobody waits for it
    if found is None:
        raise passphrase.unknown(path)
    with _OPENING:
        connection = _connect(path, uri, timeout, encrypted=True)
    try:
        unlock(connection, found)
    except BaseException as error:
        connection.close()
        if isinstance(error, DatabaseEncrypted):
            passphrase.refused(path, found)
        raise
    return connection


def is_encrypted(path: Path) -> bool:
    """Whether a file is encrypted, as far as that can be told without its passphrase."""
    with _OPENING, suppress(OSError):
        return _looks_encrypted(path)
    return False


def _looks_encrypted(path: Path) -> bool:
    identity = _identity(path)
    for connection in list(_OPEN):
        if connection.identity == identity:
            return connection.encrypted
    with path.open("rb") as file:
        begin = file.read(_LOOKED_AT)
    return len(begin) == _LOOKED_AT and not begin.startswith(PLAIN) and _entropy(begin) > _RANDOM


def in_use(path: Path) -> bool:
    """Whether this process has a connection to the file."""
    identity = _identity(path)
    return any(connection.identity == identity for connection in list(_OPEN))


def cipher_there() -> bool:
    """Whether the library for encrypted databases is installed."""
    return find_spec("sqlcipher3") is not None


def need_cipher() -> None:
    """Raise ``DatabaseEncrypted`` where the library for encrypted databases is missing."""
    if not cipher_there():
        raise DatabaseEncrypted(
            "Encrypted databases need a library that is not installed: run "
            f"`{how_to_add('encrypted')}`."
        )


def by_cipher(path: Path) -> Connection:
    """A connection by SQLCipher that is not unlocked: to encrypt what is plain."""
    with _OPENING:
        return _connect(path, "", BUSY_SECONDS, encrypted=True)


def unlock(connection: Connection, passphrase: Passphrase) -> None:
    """Give the file's passphrase, and see that it is right. Raises ``DatabaseEncrypted``."""
    try:
        connection.execute(f"PRAGMA key = {quoted(passphrase.text)}")
        connection.execute("PRAGMA cipher_compatibility = 4")  # as of files of today's release
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except DatabaseDamaged as error:
        if getattr(error.__cause__, "sqlite_errorcode", 0) != sqlite3.SQLITE_NOTADB:
            raise  # the first page opened: the passphrase is right
        raise DatabaseEncrypted(
            f"{connection.path} does not open with the passphrase {passphrase.source}: check it, letter "
            "by letter; where it is right, the file is damaged: put a copy of it back."
        ) from error


def quoted(text: str) -> str:
    """A text as SQL has it: pragmas take no parameters."""
    return "'" + text.replace("'", "''") + "'"


def _connect(path: Path, uri: str, timeout: float, *, encrypted: bool) -> Connection:
    kind = _cipher() if encrypted else Connection
    try:
        connection = kind(
            uri or path, timeout=timeout, isolation_level=None, check_same_thread=False,
            uri=bool(uri),
        )  # fmt: skip
    except kind.failures as error:
        raise our_error(error, path) from error
    connection.path = path
    if str(path) != ":memory:":
        connection.identity = _identity(path)
        _OPEN.add(connection)
    if encrypted:
        connection.execute("PRAGMA cipher_log_level = NONE")  # it would write to standard error
    return connection


@cache
def _cipher() -> type[Connection]:
    """The connection of SQLCipher's library, made when it is first needed: it is an extra."""
    need_cipher()
    from sqlcipher3 import dbapi2

    class CipherCursor(OurCursor, dbapi2.Cursor):  # type: ignore[misc]  # it has no types
        """A cursor of SQLCipher's library."""

    class CipherConnection(OurConnection, dbapi2.Connection):  # type: ignore[misc]  # the same
        """A connection of SQLCipher's library."""

        encrypted = True
        failures = (dbapi2.Error,)
        unreadable = (dbapi2.Error, UnicodeDecodeError)
        cursors = CipherCursor

    return cast("type[Connection]", CipherConnection)


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _entropy(data: bytes) -> float:
    """The information in a byte, in bits: 8 in random bytes, 4 to 5 in a text."""
    shares = (count / len(data) for count in Counter(data).values())
    return -sum(share * math.log2(share) for share in shares)

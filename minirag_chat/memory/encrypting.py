"""Encrypt or decrypt a database in place, or change its passphrase.

::

    from minirag_chat.memory.encrypting import encrypt

    encrypt(Path("chats.db"), "correct horse battery staple")
"""

from __future__ import annotations

from pathlib import Path

from minirag_chat.errors import NotFound, StoreError
from minirag_chat.records import Report, silent
from minirag_chat.store.driver import is_encrypted, need_cipher
from minirag_chat.store.opening import connect
from minirag_chat.store.rewriting import rewrite
from minirag_chat.system import passphrase
from minirag_chat.system.passphrase import Passphrase

GIVEN = "that was given"


def encrypt(path: Path, text: str, report: Report = silent) -> None:
    """Encrypt the database at ``path``; if there is none, create an encrypted one.

    If the process is killed, either the plain or the encrypted database is left, complete. Raises
    ``BadSetting`` for a short passphrase, ``DatabaseLocked`` if the database is open elsewhere, and
    ``StoreError`` if it is encrypted already.
    """
    new = Passphrase(passphrase.checked(text), GIVEN)
    must_be_plain(path)
    if path.is_file() and path.stat().st_size:
        need_cipher()
        rewrite(path, None, new, "encrypting MB", report)
        passphrase.give(path, new.text)
        return
    connect(path, passphrase=new.text).close()
    passphrase.give(path, new.text)


def must_be_plain(path: Path) -> None:
    """Raise ``StoreError`` if the database is encrypted already."""
    if path.is_file() and is_encrypted(path):
        raise StoreError(
            f"{path} is encrypted already: `minirag-chat passphrase change` changes its passphrase."
        )


def decrypt(path: Path, report: Report = silent) -> None:
    """Decrypt the database at ``path``. Raises like :func:`encrypt`."""
    rewrite(path, _present(path), None, "decrypting MB", report)
    passphrase.give(path, None)


def change(path: Path, text: str, report: Report = silent) -> None:
    """Change the passphrase of the database; the file is rewritten. Raises like :func:`encrypt`."""
    new = Passphrase(passphrase.checked(text), GIVEN)
    rewrite(path, _present(path), new, "encrypting MB", report)
    passphrase.give(path, new.text)


def opens(path: Path) -> Passphrase:
    """Return the passphrase, once the database opened with it. Raises ``DatabaseEncrypted``."""
    found = _present(path)
    connect(path).close()
    return found


def _present(path: Path) -> Passphrase:
    """The passphrase that the database has now."""
    if not path.is_file():
        raise NotFound.database(path)
    if not is_encrypted(path):
        raise StoreError(f"{path} is not encrypted: `minirag-chat encrypt` encrypts it.")
    found = passphrase.find(path)
    if found is None:
        raise passphrase.unknown(path)
    return found

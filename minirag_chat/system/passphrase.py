"""Finds the passphrase of an encrypted database; it is never a command-line argument.

In this order: one given to this process for the database, the environment, the system's keyring, and
a prompt at the terminal. It is passed to SQLite only; no file, log or record contains it.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from minirag_chat.errors import BadSetting, DatabaseEncrypted
from minirag_chat.system.installing import need

VARIABLE = "MINIRAG_CHAT_PASSPHRASE"
NEXT_VARIABLE = "MINIRAG_CHAT_NEW_PASSPHRASE"
SERVICE = "minirag-chat"
SHORTEST = 8  # characters
WAYS = (
    f"set {VARIABLE}, keep it in the system's keyring with `minirag-chat passphrase remember`, or "
    "give it to ChatMemory.open as passphrase="
)
Asker = Callable[[Path], str | None]


@dataclass(frozen=True, slots=True)
class Passphrase:
    """A passphrase, and its source as a part of a sentence."""

    text: str = field(repr=False)
    source: str


class _Process:
    """State of this process: passphrases by file, public files, and the function that prompts for one."""

    given: dict[Path, str]
    public: set[Path]
    asker: Asker | None

    def __init__(self) -> None:
        self.given = {}
        self.public = set()
        self.asker = None


_PROCESS = _Process()


def checked(text: str) -> str:
    """A new passphrase in Unicode NFC. Raises ``BadSetting`` if it is too short."""
    if len(text) < SHORTEST or "\0" in text:
        raise BadSetting(
            f"A passphrase has at least {SHORTEST} characters: choose a longer one, such as four or "
            "five words."
        )
    return _composed(text)


def give(path: Path, text: str | None) -> None:
    """Give the passphrase of a database to this process; None removes it."""
    if text is None:
        _PROCESS.given.pop(path.resolve(), None)
    else:
        _PROCESS.given[path.resolve()] = _composed(text)


def need_none(path: Path) -> None:
    """A new database at this path holds public text only: it is not encrypted, and nobody is asked."""
    _PROCESS.public.add(path.resolve())


def ask_with(asker: Asker | None) -> None:
    """Set the function that prompts for a passphrase; None: no prompt."""
    _PROCESS.asker = asker


def said(path: Path) -> Passphrase | None:
    """The passphrase given for this database or in the environment, without a prompt.

    A new database is encrypted with it; one of public text needs none.
    """
    return None if path.resolve() in _PROCESS.public else _said(path)


def _said(path: Path) -> Passphrase | None:
    if path.resolve() in _PROCESS.given:
        return given(_PROCESS.given[path.resolve()])
    if in_environment := os.environ.get(VARIABLE, ""):
        return Passphrase(_composed(in_environment), f"in {VARIABLE}")
    return None


def given(text: str) -> Passphrase:
    """A passphrase that a caller gave."""
    return Passphrase(_composed(text), "that was given")


def refused(path: Path, wrong: Passphrase) -> None:
    """No longer keep a passphrase with which the database did not open; another one stays."""
    if _PROCESS.given.get(path.resolve()) == wrong.text:
        give(path, None)


def find(path: Path, *, ask: bool = True) -> Passphrase | None:
    """The passphrase of a database from any source; None if there is none.

    One that was typed is kept while the process runs.
    """
    known = _said(path) or remembered(path)
    ask = ask and path.resolve() not in _PROCESS.public
    if known is None and ask and _PROCESS.asker is not None:
        typed = _PROCESS.asker(path)
        if typed:
            give(path, typed)
            known = Passphrase(_composed(typed), "that was typed")
    return known


def unknown(path: Path) -> DatabaseEncrypted:
    """The error for a missing passphrase."""
    return DatabaseEncrypted(
        f"{path} is encrypted (or is no database), and its passphrase is not known: {WAYS}."
    )


def environment_without_passphrases() -> dict[str, str]:
    """The environment for child processes that do not need the passphrase."""
    return {
        name: value for name, value in os.environ.items() if name not in (VARIABLE, NEXT_VARIABLE)
    }


# --- the system's keyring ---------------------------------------------------------------------------


def remembered(path: Path) -> Passphrase | None:
    """The passphrase of a database in the system's keyring; None if there is none, or no keyring."""
    if find_spec("keyring") is None:
        return None
    import keyring
    from keyring.errors import KeyringError

    try:
        text = keyring.get_password(SERVICE, _account(path))
    except (KeyringError, OSError, RuntimeError):  # none here, or its owner keeps it locked
        return None
    return None if text is None else Passphrase(text, "in the system's keyring")


def remember(path: Path, text: str) -> None:
    """Store a passphrase in the system's keyring. Raises ``BadSetting`` if that is not possible."""
    need("keyring", "encrypted", "The system's keyring needs")
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(SERVICE, _account(path), _composed(text))
    except (KeyringError, OSError, RuntimeError) as error:
        raise BadSetting(
            "This system has no keyring that could keep the passphrase, or it is locked: unlock it, "
            f"or set {VARIABLE} instead."
        ) from error


def forget(path: Path) -> bool:
    """Remove a passphrase from the keyring; returns whether there was one."""
    if remembered(path) is None:
        return False
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.delete_password(SERVICE, _account(path))
    except (KeyringError, OSError, RuntimeError) as error:
        raise BadSetting(
            "The system's keyring could not delete the passphrase: remove the entry "
            f"{SERVICE!r} for {_account(path)} with the system's own tool."
        ) from error
    return True


def _account(path: Path) -> str:
    return str(path.resolve())


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)

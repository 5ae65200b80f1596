"""The commands about encryption: encrypt, decrypt, passphrase. A passphrase is never an argument."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.cli.output import done, fail, print_json, progress_bar, say
from minirag_chat.cli.state import Json, Yes, app, ask_passphrase, confirm, settings
from minirag_chat.errors import BadSetting, NotFound, StoreError
from minirag_chat.memory import encrypting
from minirag_chat.store.driver import is_encrypted, need_cipher
from minirag_chat.system import passphrase
from minirag_chat.system.passphrase import NEXT_VARIABLE, VARIABLE

words = typer.Typer(
    help="Show where the passphrase of an encrypted database comes from; change it.",
    invoke_without_command=True,
)
Remember = Annotated[
    bool, typer.Option("--remember", help="Also keep the passphrase in the system's keyring.")
]
LOST = "Keep the passphrase safe: nobody can read the messages without it, and it cannot be reset."


def _file() -> Path:
    """The database file. Raises ``StoreError`` if the database is on a server."""
    chosen = settings()
    if chosen.postgres:
        raise StoreError(
            "The messages are in PostgreSQL, which this program does not encrypt: encrypt the server's disk."
        )
    return chosen.db


@app.command()
def encrypt(remember: Remember = False, as_json: Json = False) -> None:
    """Encrypt the database file, or create an encrypted one if there is none. Asks for a passphrase.

    Without a terminal it takes MINIRAG_CHAT_PASSPHRASE.
    """
    path = _file()
    need_cipher()
    encrypting.must_be_plain(path)
    new = os.environ.get(VARIABLE) or _new(VARIABLE)
    with progress_bar(quiet=as_json) as progress:
        encrypting.encrypt(path, new, progress)
    said = f"{path} is encrypted. {LOST}"
    _done_and_kept({"encrypted": path}, said, new, remember=remember, as_json=as_json)


@app.command()
def decrypt(yes: Yes = False, as_json: Json = False) -> None:
    """Decrypt the database: whoever has the file can then read it."""
    path = _file()
    encrypting.opens(path)  # may ask, which a progress bar would hide
    confirm(f"Decrypt {path}?", yes=yes)
    with progress_bar(quiet=as_json) as progress:
        encrypting.decrypt(path, progress)
    passphrase.forget(path)
    done({"decrypted": path}, f"{path} is no longer encrypted.", as_json=as_json)


@words.callback()
def where(context: typer.Context, as_json: Json = False) -> None:
    """Show whether the database is encrypted, and where its passphrase comes from."""
    if context.invoked_subcommand:
        return
    path = _file()
    if not path.is_file():
        raise NotFound.database(path)
    found = passphrase.find(path, ask=False)
    source = found.source if found else None
    if as_json:
        print_json({"database": path, "encrypted": is_encrypted(path), "passphrase": source})
        return
    say(f"{path} is {'encrypted' if is_encrypted(path) else 'not encrypted'}.")
    if is_encrypted(path):
        say(f"Its passphrase is the one {source}." if source else "Its passphrase is asked for.")


@words.command()
def change(remember: Remember = False, as_json: Json = False) -> None:
    """Change the passphrase of the database. Without a terminal it takes MINIRAG_CHAT_NEW_PASSPHRASE."""
    path = _file()
    before = passphrase.remembered(path)
    encrypting.opens(path)  # may ask, which a progress bar would hide
    new = os.environ.get(NEXT_VARIABLE) or _new(NEXT_VARIABLE)
    with progress_bar(quiet=as_json) as progress:
        encrypting.change(path, new, progress)
    said = f"{path} has its new passphrase. {LOST}"
    remember = remember or before is not None
    _done_and_kept({"changed": path}, said, new, remember=remember, as_json=as_json)


@words.command("remember")
def keep(as_json: Json = False) -> None:
    """Store the passphrase in the system's keyring, so that it is not asked for."""
    path = _file()
    known = encrypting.opens(path)
    passphrase.remember(path, known.text)
    done({"remembered": path}, "The system's keyring has the passphrase.", as_json=as_json)


@words.command()
def forget(as_json: Json = False) -> None:
    """Remove the passphrase from the system's keyring."""
    was = passphrase.forget(_file())
    said = "The keyring no longer has it." if was else "The keyring did not have it."
    done({"forgotten": was}, said, as_json=as_json)


def _new(variable: str) -> str:
    """A new passphrase, typed twice."""
    path = _file()
    first = ask_passphrase(path, "A passphrase for {path}")
    if first is None:
        raise BadSetting(
            f"There is no terminal to ask for a passphrase, or it was empty: type one, or set {variable}."
        )
    passphrase.checked(first)
    if ask_passphrase(path, "Once more") != first:
        raise BadSetting("The two passphrases differ: nothing was changed; try again.")
    return first


def _done_and_kept(
    document: Mapping[str, object], said: str, new: str, *, remember: bool, as_json: bool
) -> None:
    """Print what was done, once the keyring has the passphrase if it should: one document as JSON."""
    try:
        if remember:
            passphrase.remember(_file(), new)
    except BadSetting as error:  # the database is encrypted all the same
        if not as_json:
            say(said)
        fail(error, **document)
        raise typer.Exit(1) from error
    done(document, said, as_json=as_json)

"""The command that copies a database into another one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.cli.output import print_json, progress_bar, say, table
from minirag_chat.cli.state import Json, app
from minirag_chat.errors import NotFound, StoreError
from minirag_chat.settings import is_address
from minirag_chat.store import Store
from minirag_chat.store.driver import is_encrypted
from minirag_chat.store.moving import move as move_all
from minirag_chat.system import passphrase
from minirag_chat.ui_text import count


@app.command()
def move(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="A database file, or postgresql://…")
    ],
    target: Annotated[str, typer.Argument(metavar="TO", help="Another database, new or empty.")],
    as_json: Json = False,
) -> None:
    """Copy all messages and everything derived from them into another database, and verify the copy.

    After a stop the same command continues. FROM is not changed. The copy of an encrypted file is encrypted.
    """
    if not (is_address(source) or Path(source).is_file()):
        raise NotFound(
            f"There is no database at {source}: name the file, or an address postgresql://…"
        )
    with Store.open(source, user=None) as old:
        secrecy = _keep_secret(source, target)
        with Store.open(target, user=None) as new, progress_bar(quiet=as_json) as bar:
            moved = move_all(old, new, bar)
            where = new.path
    if as_json:
        print_json({"database": where, "tables": [asdict(one) for one in moved]})
        return
    rows = [(one.table, f"{one.rows:,}", one.hash[:12]) for one in moved if one.rows]
    table(("table", "rows", "hash, the same in both"), rows)
    total = count(sum(one.rows for one in moved), "row")
    say(f"{total} are in {where} too. Use it with --db or MINIRAG_CHAT_DB.")
    if secrecy:
        say(secrecy)


def _keep_secret(source: str, target: str) -> str:
    """Have the copy of an encrypted database encrypted with its passphrase; returns the sentence about that.

    FROM is open. Raises ``StoreError`` if TO is a file that is there and plain.
    """
    if is_address(source) or not is_encrypted(Path(source)):
        return ""
    if is_address(target):
        return (
            f"{source} is encrypted, and the copy in PostgreSQL is not: encrypt the server's disk."
        )
    copy = Path(target)
    if copy.is_file() and copy.stat().st_size and not is_encrypted(copy):
        raise StoreError(
            f"{source} is encrypted and {target} is not: name a file that is not there yet, or encrypt "
            "this one first."
        )
    known = passphrase.find(Path(source), ask=False)
    if known is not None and passphrase.said(copy) is None and passphrase.remembered(copy) is None:
        passphrase.give(copy, known.text)
    return f"{target} is encrypted too, with the passphrase of {source}."

"""The command that shows what a database contains."""

from __future__ import annotations

from minirag_chat.cli.output import listed, note
from minirag_chat.cli.state import Json, app, memory
from minirag_chat.show.tables import info_rows


@app.command()
def info(as_json: Json = False) -> None:
    """Show what the database contains and which model reads it."""
    with memory() as opened:
        found = opened.info()
    if listed(found, ("", ""), info_rows(found), as_json=as_json) and found.note:
        note(found.note)

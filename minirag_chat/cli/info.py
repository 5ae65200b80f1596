"""The command that shows what a database contains."""

from __future__ import annotations

from minirag_chat.cli.output import note, print_json, table
from minirag_chat.cli.state import Json, app, memory
from minirag_chat.ui_text import count


@app.command()
def info(as_json: Json = False) -> None:
    """Show what the database contains and which model reads it."""
    with memory() as opened:
        found = opened.info()
    if as_json:
        print_json(found)
        return
    span = (
        f"{found.first:%Y-%m-%d} to {found.last:%Y-%m-%d}"
        if found.first and found.last
        else "\u2013"
    )
    crypt = ", encrypted" if found.encrypted else ", not encrypted"
    rows = [
        ("database", f"{found.database} ({found.size_bytes / 1e6:.1f} MB{crypt})"),
        ("messages", f"{found.messages:,} in {count(found.sessions, 'conversation')}, {span}"),
        ("chats", found.chats),
        ("people", found.people),
        (
            "index",
            f"{count(found.chunks, 'passage')}, {count(found.entities, 'name')}, {found.embedder}",
        ),
        ("vectors", found.vectors),
        ("model", f"{found.model}: {found.model_reason}"),
    ]
    table(("", ""), rows)
    if found.note:
        note(found.note)

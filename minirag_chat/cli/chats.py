"""The commands about chats: list them, and share one."""

from __future__ import annotations

from typing import Annotated

import typer

from minirag_chat.cli.output import done, listed
from minirag_chat.cli.state import Json, memory
from minirag_chat.ui_text import NO_MESSAGES

chats = typer.Typer(
    help="List the chats; share one with another user, if the database has users.",
    invoke_without_command=True,
)
Which = Annotated[
    str, typer.Argument(metavar="CHAT", help="The number or the full title of a chat.")
]
Whom = Annotated[str, typer.Argument(metavar="NAME", help="Another user of the database.")]


@chats.callback()
def listing(context: typer.Context, as_json: Json = False) -> None:
    """List the chats, the most recently active first."""
    if context.invoked_subcommand:
        return
    with memory() as opened:
        found, shared = opened.chats(), opened.shared_with()
    titles: list[str] = ["number", "messages", "kind", "first", "last", "chat"]
    rows: list[tuple[object, ...]] = [
        (c.id, c.messages, c.kind, f"{c.first:%Y-%m-%d}", f"{c.last:%Y-%m-%d}", c.title)
        for c in found
        if c.first and c.last
    ]
    if shared:
        titles.append("shared with")
        names = [", ".join(shared.get(c.id, ())) for c in found if c.first and c.last]
        rows = [(*row, name) for row, name in zip(rows, names, strict=True)]
    listed(found, titles, rows, NO_MESSAGES, as_json=as_json)


@chats.command()
def share(chat: Which, name: Whom, as_json: Json = False) -> None:
    """Let NAME read a chat of yours, and what you import into it later. `chats unshare` ends it."""
    with memory() as opened:
        found = opened.share(chat, name)
    said = f"{name} can read {found.title} ({found.messages:,} messages)."
    done({"chat": found.id, "shared_with": name}, said, as_json=as_json)


@chats.command()
def unshare(chat: Which, name: Whom, as_json: Json = False) -> None:
    """Stop sharing a chat with NAME."""
    with memory() as opened:
        was = opened.unshare(chat, name)
    said = f"{name} can no longer read it." if was else f"It was not shared with {name}."
    done({"chat": chat, "no_longer_shared_with": name, "was": was}, said, as_json=as_json)

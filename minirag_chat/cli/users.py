"""The commands for the owner of a PostgreSQL database: its users, and what they did."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from minirag_chat.cli.output import done, listed
from minirag_chat.cli.state import Json, Yes, app, confirm, settings
from minirag_chat.errors import BadSetting
from minirag_chat.store.postgres.users import Users
from minirag_chat.ui_text import count

users = typer.Typer(
    help="Manage who may use a PostgreSQL database: add, list, remove, password.",
    no_args_is_help=True,
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")]
Without = Annotated[
    bool,
    typer.Option(
        "--no-password",
        help="The user has no password, and signs in only through a proxy or by commands.",
    ),
]


@users.command()
def add(name: Name, no_password: Without = False, as_json: Json = False) -> None:
    """Add a user. The first one owns what is in the database already.

    Asks for a password; without a terminal it is the first line of the standard input.
    """
    with Users.open(settings().place) as known:
        first = known.add(name, None if no_password else _password(name))
    owns = "; all chats that were there are theirs" if first else ""
    said = f"{name.casefold()} is a user{owns}."
    done({"added": name.casefold(), "first": first}, said, as_json=as_json)


@users.command("list")
def listing(as_json: Json = False) -> None:
    """List the users."""
    with Users.open(settings().place) as known:
        found = known.all()
    titles = ("name", "chats", "shared with them", "password")
    rows = [(u.name, u.chats, u.shared, "yes" if u.password else "no") for u in found]
    empty = "There are no users: `minirag-chat users add NAME` makes the first."
    listed(found, titles, rows, empty, as_json=as_json)


@users.command()
def remove(name: Name, yes: Yes = False, as_json: Json = False) -> None:
    """Remove a user with all their chats, for good."""
    with Users.open(settings().place) as known:
        chats = next((user.chats for user in known.all() if user.name == name.casefold()), 0)
        question = f"Remove {name} with {count(chats, 'chat')}, for good?"
        confirm(question, yes=yes)
        unwiped = known.remove(name)
    but = f", but {str(unwiped).rstrip('.')}" if unwiped else ""
    said = f"{name.casefold()} is removed, with {count(chats, 'chat')}{but}."
    document = {"removed": name.casefold(), "chats": chats, "wiped": unwiped is None}
    done(document, said, as_json=as_json)


@users.command()
def password(name: Name, no_password: Without = False, as_json: Json = False) -> None:
    """Change or remove the password of a user. Sessions stay signed in until the page is restarted."""
    with Users.open(settings().place) as known:
        known.set_password(name, None if no_password else _password(name))
    said = f"{name.casefold()} has {'no' if no_password else 'a new'} password."
    done({"changed": name.casefold()}, said, as_json=as_json)


@app.command()
def audit(
    limit: Annotated[int, typer.Option(min=1, help="How many to show, the latest first.")] = 50,
    as_json: Json = False,
) -> None:
    """Show who signed in, imported, shared and deleted, in a database with users."""
    with Users.open(settings().place) as known:
        found = known.events(limit)
    rows = [(f"{e.at.astimezone():%Y-%m-%d %H:%M:%S}", e.user, e.event, e.detail) for e in found]
    listed(found, ("when", "who", "what", ""), rows, "Nothing was recorded yet.", as_json=as_json)


def _password(name: str) -> str:
    """A new password: typed twice, or the first line of the standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first: str = typer.prompt(f"A password for {name}", hide_input=True, err=True)
    if first != typer.prompt("Once more", hide_input=True, err=True):
        raise BadSetting("The two passwords differ: nothing was changed; try again.")
    return first

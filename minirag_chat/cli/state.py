"""The app, its global options, and how a command gets its memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.cli.help import OrderedCommands
from minirag_chat.cli.output import ERR, given_db, here, say, visible
from minirag_chat.errors import BadSetting, NotFound
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.settings import Settings
from minirag_chat.system import passphrase
from minirag_chat.system.json_log import write_json_lines

app = typer.Typer(
    name="minirag-chat",
    cls=OrderedCommands,
    help="Ask your own chat messages, on your own machine. Answers come with the messages that "
    "say so, the path that led to them, and a flag that shows how certain the answer is.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Model = Annotated[str | None, typer.Option(help="The name of a model, or extractive.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]


@dataclass
class State:
    """The values of the global options."""

    db: str | None = None
    user: str | None = None


STATE = State()


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(version("minirag-chat"))
        raise typer.Exit


@app.callback()
def options(
    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="PATH",
            help="The database file, or an address postgresql://…  [default: MINIRAG_CHAT_DB]",
        ),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option(
            "--user",
            metavar="NAME",
            help="The user who asks, if the database has users.  [default: MINIRAG_CHAT_USER]",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Take the options that stand before the command."""
    del version
    STATE.db, STATE.user = db, user
    given_db(db)
    passphrase.ask_with(ask_passphrase)


def settings(**changes: object) -> Settings:
    """The settings of this call: environment, then ``--db``, then the command's options."""
    values = {key: value for key, value in changes.items() if value is not None}
    if STATE.db is not None:
        values["db"] = STATE.db
    if STATE.user is not None:
        values["user"] = STATE.user
    return Settings.make(**values)


def confirm(question: str, *, yes: bool) -> None:
    """Go on if the person agrees, or said so by ``--yes``; else end the command, with exit code 1."""
    if yes:
        return
    try:
        agreed = typer.confirm(question, err=True)
    except typer.Abort:
        raise BadSetting("Not confirmed: answer y, or add --yes in scripts.") from None
    if not agreed:
        raise BadSetting("Cancelled: nothing was changed.")


def ask_passphrase(path: Path, question: str = "Passphrase of {path}") -> str | None:
    """Ask at the terminal without echo; None if there is no terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    said: str = typer.prompt(
        visible(question.format(path=path)), hide_input=True, err=True, default="",
        show_default=False,
    )  # fmt: skip
    return said or None


@contextmanager
def memory(
    chosen: Settings | None = None, *, must_exist: bool = True, everybody: bool = False
) -> Iterator[ChatMemory]:
    """The memory that ``--db`` names. A command that only reads does not create an empty one.

    If the database has users, it is that of ``--user``; ``everybody`` needs no user.
    """
    chosen = chosen or settings()
    if must_exist and not (chosen.postgres or chosen.db.exists()):
        raise NotFound.database(chosen.db)
    if chosen.log:
        write_json_lines()
    with ChatMemory.open(None, chosen, told=_print_status, everybody=everybody) as opened:
        yield opened


def _print_status(sentence: str) -> None:
    """Print what keeps a command waiting."""
    say(here(sentence), style="dim", to=ERR)

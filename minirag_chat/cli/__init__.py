"""The command line: ``minirag-chat --db PATH COMMAND``. Every command has ``--json``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from minirag_chat.cli import add as _add
from minirag_chat.cli import ask as _ask
from minirag_chat.cli import bench as _bench
from minirag_chat.cli import bench_fit as _bench_fit
from minirag_chat.cli import bench_paper as _bench_paper
from minirag_chat.cli import bench_scale as _bench_scale
from minirag_chat.cli import chats as _chats
from minirag_chat.cli import corpus as _corpus
from minirag_chat.cli import delete as _delete
from minirag_chat.cli import doctor as _doctor
from minirag_chat.cli import encrypt as _encrypt
from minirag_chat.cli import formats as _formats
from minirag_chat.cli import index as _index
from minirag_chat.cli import info as _info
from minirag_chat.cli import mcp as _mcp
from minirag_chat.cli import media as _media
from minirag_chat.cli import models as _models
from minirag_chat.cli import move as _move
from minirag_chat.cli import page as _page
from minirag_chat.cli import people as _people
from minirag_chat.cli import users as _users
from minirag_chat.cli import watch as _watch
from minirag_chat.cli.output import fail, prepare_streams, writing
from minirag_chat.cli.state import app
from minirag_chat.errors import BadSetting, MiniRagChatError
from minirag_chat.system.threads import one_blas_thread

__all__ = ["app", "main"]

app.add_typer(_chats.chats, name="chats")
app.add_typer(_people.people, name="people")
app.add_typer(_delete.trash, name="trash")
app.add_typer(_encrypt.words, name="passphrase")
app.add_typer(_media.media, name="media")
app.add_typer(_models.models, name="models")
app.add_typer(_corpus.corpus, name="corpus")
app.add_typer(_bench.bench, name="bench")
app.add_typer(_users.users, name="users")
_COMMANDS = (
    _add, _ask, _bench, _bench_fit, _bench_paper, _bench_scale, _chats, _corpus, _delete, _doctor, _encrypt,
    _formats, _index, _info, _mcp, _media, _models, _move, _page, _people, _users, _watch,
)  # fmt: skip
_FIRST = ("--db", "--user")  # options of the whole program that take a value


def main() -> None:
    """Run a command. Known errors become one sentence and exit code 1."""
    prepare_streams()
    one_blas_thread()
    with writing():
        try:
            _refuse_empty(sys.argv[1:])
            _refuse_misplaced(sys.argv[1:])
            app(standalone_mode=True)
        except MiniRagChatError as error:
            fail(error)
            sys.exit(1)


def _refuse_empty(arguments: Sequence[str]) -> None:
    """Raise ``BadSetting`` for an empty argument: an empty path would be the current folder.

    The question of `ask` has a sentence of its own.
    """
    for place, argument in enumerate(arguments):
        option, equals, value = (
            argument.partition("=") if argument[:2] == "--" else ("", "=", argument)
        )
        if equals and not value.strip() and arguments[place - 1 : place] != ["ask"]:
            before = option or " ".join(arguments[place - 1 : place])
            after = f" after `{before}`" if before else ""
            spared = "leave it out, or " if before.startswith("-") else ""
            raise BadSetting(
                f"The argument{after} is empty: {spared}write what it is to be; perhaps a "
                "variable of your shell is not set."
            )


def _refuse_misplaced(arguments: Sequence[str]) -> None:
    """Raise ``BadSetting`` for an option of the whole program behind the command."""
    command = ""
    left = iter(arguments)
    for argument in left:
        if argument == "--":
            return
        option, equals, _ = argument.partition("=")
        if option in _FIRST and command:
            raise BadSetting(
                f"`{option}` comes before the command: `minirag-chat {option} \u2026 {command} \u2026`."
            )
        if option in _FIRST and not equals:
            next(left, None)
        elif not argument.startswith("-"):
            command = command or argument

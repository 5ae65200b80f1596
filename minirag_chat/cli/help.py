"""The program's commands: their order and the names of their values in --help, and Ctrl-C."""

from __future__ import annotations

import sys
from typing import Any

from pydantic import ValidationError
from typer import Exit
from typer.core import TyperGroup

from minirag_chat.errors.invalid_values import invalid

STOPPED = 130
_ORDER = (
    "page", "add", "watch", "ask", "search", "show", "chats", "people", "formats", "inspect", "media",
    "delete", "trash", "encrypt", "decrypt", "passphrase", "move", "users", "audit", "models", "doctor",
    "info", "index", "mcp", "corpus", "bench",
)  # fmt: skip
_VALUES = {
    "people": "NAME", "person": "NAME", "chats": "CHAT", "chat": "CHAT", "since": "DAY", "until": "DAY",
    "method": "METHOD", "model": "NAME", "name": "NAME", "message": "NUMBER", "title": "NAME",
    "time_zone": "ZONE", "user": "NAME", "file_format": "FORMAT", "column": "ROLE=COLUMN",
    "date_order": "ORDER", "clock": "HOURS", "host": "ADDRESS",
}  # fmt: skip
_KINDS = (("path", "PATH"), ("int", "NUMBER"), ("float", "NUMBER"))


class OrderedCommands(TyperGroup):
    """The program's commands; those not listed in ``_ORDER`` come last."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Ctrl-C ends it with a sentence and exit code 130."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.stderr.write("Stopped. Nothing that was stored is lost.\n")
            raise Exit(STOPPED) from None
        except Exception as error:  # a UsageError, which each release of typer keeps elsewhere
            said = getattr(error, "message", "")
            if "unexpected extra argument" in said:
                vars(error)["message"] = f"{said}: write what has several words in quotes."
            if isinstance(error.__cause__, ValidationError):  # of the value of an option
                vars(error)["message"] = f"{invalid(error.__cause__).remedy}."
            raise

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the commands."""
        names = super().list_commands(ctx)
        return sorted(names, key=lambda n: _ORDER.index(n) if n in _ORDER else len(_ORDER))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command with this name; its values have plain names, not Python types."""
        command = super().get_command(ctx, cmd_name)
        for each in (command, *getattr(command, "commands", {}).values()):
            for parameter in getattr(each, "params", ()):
                _name_value(parameter)
        return command


def _name_value(parameter: Any) -> None:
    """Set the metavar of a parameter that has none."""
    if parameter.metavar is not None or getattr(parameter, "is_flag", False):
        return
    usual = next((words for kind, words in _KINDS if kind in _kind(parameter)), "TEXT")
    if parameter.param_type_name == "argument":
        name = parameter.name.upper()
        parameter.metavar = name.removesuffix("S") if parameter.nargs != 1 else name
        parameter.display_type_rich = _nothing  # hides the type, which later typer releases add
    else:
        parameter.metavar = _VALUES.get(parameter.name, usual)


def _nothing(**_: object) -> str:
    return ""


def _kind(parameter: Any) -> str:
    """The type of a parameter's value; releases of typer store it differently."""
    descriptor = getattr(parameter, "type_descriptor", None)
    kind = getattr(descriptor, "annotation", None) or getattr(parameter, "type", "")
    return repr(kind).casefold()

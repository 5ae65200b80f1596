"""The command that an assistant starts."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer

from minirag_chat.cli.output import ERR, print_json, say
from minirag_chat.cli.state import Model, app, settings
from minirag_chat.settings import Settings
from minirag_chat.system.installing import need


@app.command()
def mcp(
    model: Model = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print the JSON for an assistant's settings, and exit."),
    ] = False,
) -> None:
    """Serve an assistant over MCP, on standard input and output. The assistant starts this command."""
    chosen = settings(model=model)
    if as_json:
        print_json({"mcpServers": {"minirag-chat": _entry(chosen, model)}})
        return
    need("mcp", "mcp", "Assistants need")
    from minirag_chat.show.mcp_server import serve

    if sys.stdin.isatty():
        say(
            "This command waits for an assistant, which normally starts it; Ctrl-C ends it.", to=ERR
        )
    serve(chosen)


def _entry(chosen: Settings, model: str | None) -> dict[str, object]:
    """The configuration entry that starts this command with this database from any folder."""
    program = shutil.which("minirag-chat")
    arguments = [] if program else ["-m", "minirag_chat"]
    if not chosen.postgres:
        arguments += ["--db", str(chosen.db.absolute())]
    arguments += ["--user", chosen.user] if chosen.user else []
    arguments.append("mcp")
    if model:
        arguments += ["--model", model]
    entry: dict[str, object] = {"command": program or sys.executable, "args": arguments}
    if chosen.postgres:  # may have a password, and arguments can be read in the list of processes
        entry["env"] = {"MINIRAG_CHAT_POSTGRES": chosen.postgres}
    return entry

"""The command that imports what arrives in folders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.cli import import_options
from minirag_chat.cli.interrupt import stopping
from minirag_chat.cli.output import ERR, listed, print_json, progress_bar, say
from minirag_chat.cli.state import Json, app, memory
from minirag_chat.errors import BadSetting, ImportStopped
from minirag_chat.memory.watching import STILL_SECONDS, checked_folders
from minirag_chat.records import Arrival
from minirag_chat.ui_text import brought


@app.command()
def watch(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(help="The folder where exports are saved, e.g. ~/Downloads."),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Import what is there, then exit.")] = False,
    listing: Annotated[
        bool, typer.Option("--list", help="Only list what was imported, and when.")
    ] = False,
    still: Annotated[
        float,
        typer.Option(min=0.1, help="Seconds without a change after which a file is imported."),
    ] = STILL_SECONDS,
    date_order: import_options.DateOrder = None,
    clock: import_options.Clock = None,
    encoding: import_options.Encoding = None,
    time_zone: import_options.TimeZone = None,
    title: import_options.Title = None,
    file_format: import_options.Format = None,
    column: import_options.Columns = None,
    as_json: Json = False,
) -> None:
    """Import exports that appear or grow in folders, until Ctrl-C. The page may be open meanwhile."""
    if listing:
        _list(folders, as_json=as_json)
        return
    options = import_options.chosen(
        date_order, clock, encoding, time_zone, title, file_format, column
    )
    found: list[Arrival] = []

    def on_arrival(_path: Path, arrival: Arrival) -> None:
        found.append(arrival)
        if not as_json:
            say(arrival_line(arrival), style="" if arrival.state == "imported" else "dim")

    names = ", ".join(str(folder) for folder in checked_folders(folders or ()))
    with (
        memory(must_exist=False) as opened,
        progress_bar(quiet=as_json) as progress,
        stopping() as stop,
    ):
        if not once and not as_json:
            say(f"Watching {names} (Ctrl-C stops it).", style="dim", to=ERR)
        try:
            opened.watch(
                folders or (), stop=stop, once=once, still=still, heard=on_arrival, progress=progress,
                **options,
            )  # fmt: skip
        except ImportStopped:
            say("The import that was running was stopped: nothing of it was added.", to=ERR)
    failed = [arrival for arrival in found if arrival.state == "failed"]
    error = {"error": arrival_line(failed[0])} if once and failed else {}
    if as_json:
        print_json({"arrivals": found, **error})
    elif not once:
        say(f"Stopped watching; {_count(found)}.", style="dim", to=ERR)
    if error:
        raise typer.Exit(1)


def arrival_line(arrival: Arrival) -> str:
    """One line about an arrival."""
    name = arrival.name or "a file"
    when = f"{arrival.at:%Y-%m-%d %H:%M}"
    if arrival.state == "other":
        return f"{when} {name} is not a chat export and was skipped."
    if arrival.state == "failed":
        return f"{when} {name} was not imported, and is tried again when it changes: {arrival.said}"
    return f"{when} {name}: {', '.join(brought(arrival, f'{arrival.messages_added:,} new'))}."


def _count(found: list[Arrival]) -> str:
    imported = sum(arrival.state == "imported" for arrival in found)
    added = sum(arrival.messages_added for arrival in found)
    failed = sum(arrival.state == "failed" for arrival in found)
    more = f", {failed:,} failed" if failed else ""
    return f"{imported:,} imported, {added:,} new messages{more}"


def _list(folders: list[Path] | None, *, as_json: bool) -> None:
    if folders:
        raise BadSetting("--list lists the arrivals of all folders: leave the folders out.")
    with memory() as opened:
        found = opened.arrivals()
    rows = [
        (
            f"{a.at:%Y-%m-%d %H:%M}", a.name or "\u2013", f"{a.messages_added:,}",
            f"{a.messages_updated:,}", a.said if a.state == "failed" else "",
        )
        for a in found
    ]  # fmt: skip
    empty = "Nothing has arrived yet: watch a folder with `minirag-chat watch FOLDER`."
    titles = ("when", "what", "new", "updated", "")
    listed({"arrivals": found}, titles, rows, empty, as_json=as_json)

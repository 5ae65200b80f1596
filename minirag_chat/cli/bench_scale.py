"""The benchmark's commands that measure time and memory on made-up histories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.bench.compare_stores import (
    STORES_HEAD,
    growth_exponents,
    measure_stores,
    store_row,
)
from minirag_chat.bench.import_growth import SIZES, growth
from minirag_chat.bench.scale import HEAD, PARTS, make_database, measure
from minirag_chat.bench.synthetic_history import HistoryPlan
from minirag_chat.cli.bench import bench, reporting
from minirag_chat.cli.output import print_json, say, table
from minirag_chat.cli.state import Json
from minirag_chat.errors import BadSetting


@bench.command("scale")
def measure_scale(
    folder: Annotated[Path, typer.Argument(help="The folder for the database; it is reused.")],
    messages: Annotated[
        int, typer.Option("--messages", "-n", min=1000, help="The number of messages.")
    ] = 300_000,
    only: Annotated[
        list[str] | None, typer.Option(help=f"Only this part: {', '.join(PARTS)}.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure time and memory on a made-up history with random vectors."""
    if unknown := set(only or ()) - set(PARTS):
        raise BadSetting(f"There is no part {min(unknown)!r}: use {', '.join(PARTS)}.")
    plan = HistoryPlan(messages=messages)
    with reporting(quiet=as_json) as progress:
        db = make_database(folder, plan, progress)
    found = measure(db, plan, only or list(PARTS))
    if as_json:
        print_json(found)
        return
    table(HEAD, [figure.row() for figure in found])


@bench.command("stores")
def measure_both_stores(
    folder: Annotated[Path, typer.Argument(help="The folder for the histories and the figures.")],
    messages: Annotated[
        list[int] | None,
        typer.Option("--messages", "-n", min=1000, help="A number of messages; may be repeated."),
    ] = None,
    server: Annotated[
        str,
        typer.Option(help="A PostgreSQL address: databases of made-up messages are made there."),
    ] = "",
    as_json: Json = False,
) -> None:
    """Measure SQLite and PostgreSQL side by side on made-up histories."""
    with reporting(quiet=as_json) as progress:
        found = measure_stores(folder, messages or [100_000], server, progress)
    exponents = growth_exponents(found)
    if as_json:
        print_json({"figures": found, "exponents": exponents})
        return
    table(STORES_HEAD, [store_row(figures) for figures in found])
    for store, grown in exponents.items():
        powers = ", ".join(f"{what} n^{power:.2f}" for what, power in grown.items())
        say(f"{store} grows: {powers}", style="dim")


@bench.command("growth")
def measure_growth(
    folder: Annotated[Path, typer.Argument(help="An empty folder for exports and databases.")],
    most: Annotated[
        int, typer.Option(min=8, help="The largest number of chats, people or sessions.")
    ] = SIZES[-1],
    as_json: Json = False,
) -> None:
    """Measure how import time grows with the number of chats, people and sessions."""
    found = growth(folder, most)
    if as_json:
        print_json(found)
        return
    heads = ("what", *(f"{size:,}" for size in found[0].sizes))
    table(heads, [(g.what, *(f"{s:.1f} s" for s in g.seconds)) for g in found])
    say("Processor time; each doubling should at most double it.", style="dim")

"""The command that builds the index, and what some retrieval methods need beyond it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

import typer

from minirag_chat.cli.interrupt import stopping
from minirag_chat.cli.output import print_json, progress_bar, say
from minirag_chat.cli.state import Json, Yes, app, memory, settings
from minirag_chat.errors import BadSetting
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Cancelled, Report, SlmCost, SlmRun
from minirag_chat.system.metrics import Metrics
from minirag_chat.system.monitoring import listen

MINUTE, HOUR = 60, 3600
BETWEEN_LOOKS = 2.0  # seconds that an idle worker waits before it looks for more work
BETWEEN_READINGS = 60.0  # the same, for chunks that a model must read


@app.command()
def index(
    slm: Annotated[
        bool, typer.Option("--slm", help="Let the language model read every passage.")
    ] = False,
    method: Annotated[
        str | None, typer.Option("--for", help="Build what this retrieval method needs.")
    ] = None,
    with_model: Annotated[
        bool,
        typer.Option(
            "--with-model", help="Let the model write summaries; otherwise they quote messages."
        ),
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Read at most this many passages now.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The name of the model that reads.")] = None,
    embedder: Annotated[
        str | None,
        typer.Option(
            help="Index all messages anew with this embedder, as `models` lists it; it stays in use."
        ),
    ] = None,
    worker: Annotated[
        bool, typer.Option("--worker", help="Also index what is imported later, until Ctrl-C.")
    ] = False,
    at_once: Annotated[
        int, typer.Option(min=1, help="How many passages a model server reads at a time.")
    ] = 1,
    metrics: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            metavar="PORT",
            help="Serve the metrics of a worker on this port, for Prometheus.",
        ),
    ] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Finish an interrupted index, or build more: --slm, --for raptor. Ctrl-C keeps what is done.

    Over PostgreSQL several workers share the work, on any number of machines.
    """
    _needs("--metrics", "--worker", metrics is None or worker)
    _needs("--limit", "--slm", limit is None or slm)
    _needs("--with-model", "--for", not with_model or bool(method))
    done: dict[str, object] = {}
    everybody = not (slm or method)  # vectors are made for all users; everything else is per user
    chosen = settings(model=model, embedder=embedder)
    with (
        memory(chosen, everybody=everybody) as opened,
        progress_bar(quiet=as_json) as progress,
    ):
        reading = _SlmWork(opened, limit, at_once, progress)
        if slm and not worker:
            done["slm"] = _read(reading, ask=not (yes or as_json))
        if method:
            done[method] = opened.build(method, with_model=with_model, progress=progress)
        if worker:
            if metrics is not None:
                _serve_metrics(opened, metrics)
            done.update(_work(opened, progress, reading if slm else None))
        elif not slm and not method:
            done["embedded"] = opened.index(progress=progress)
    if as_json:
        print_json(done)
    else:
        _say(done)


def _needs(option: str, other: str, met: bool) -> None:
    """Raise ``BadSetting`` for an option that would do nothing without the other."""
    if not met:
        raise BadSetting(f"`{option}` needs `{other}`: add that, or leave it out.")


@dataclass(frozen=True, slots=True)
class _SlmWork:
    """How the language model must read."""

    memory: ChatMemory
    limit: int | None
    at_once: int
    progress: Report

    def run(self, cancelled: Cancelled) -> SlmRun:
        return self.memory.index_slm(
            limit=self.limit, progress=self.progress, cancelled=cancelled, at_once=self.at_once
        )


def _serve_metrics(opened: ChatMemory, port: int) -> None:
    """Serve metrics for Prometheus: to this machine only, except in a container."""
    numbers = Metrics(opened.index_left)
    listen(numbers)
    here = "0.0.0.0" if opened.settings.container else "127.0.0.1"  # noqa: S104 - only inside a container
    numbers.serve(here, port)


def _work(opened: ChatMemory, progress: Report, reading: _SlmWork | None) -> dict[str, object]:
    """Embed and read what is pending, and wait for more, until stopped; returns the chunk counts."""
    embedded = read = 0
    next_reading = 0.0  # finding what there is to read goes through all messages
    with stopping() as stop:
        while not stop.is_set():
            new = opened.index(progress=progress, cancelled=stop.is_set)
            embedded += new
            if reading and not stop.is_set() and (new or time.monotonic() >= next_reading):
                read += reading.run(stop.is_set).read
                next_reading = time.monotonic() + BETWEEN_READINGS
            if not new:
                stop.wait(BETWEEN_LOOKS)
    return {"embedded": embedded, **({"read": read} if reading else {})}


def _read(reading: _SlmWork, *, ask: bool) -> SlmRun | None:
    """Print the cost, ask, and read until done or Ctrl-C."""
    opened, limit = reading.memory, reading.limit
    cost = opened.slm_cost()
    wanted = min(cost.left, limit or cost.left)
    if ask:
        if wanted and cost.seconds_each is None:
            say(f"{cost.model} reads one passage first, to see how long it takes.", style="dim")
            opened.index_slm(limit=1)
            cost = opened.slm_cost()
            wanted = min(cost.left, limit or cost.left)
        say(_cost(cost, wanted))
        if wanted and not typer.confirm("Read them now?", default=True, err=True):
            return None
    with stopping() as stop:
        return reading.run(stop.is_set)


def _cost(cost: SlmCost, wanted: int) -> str:
    if not wanted:
        return f"{cost.model} has read all {cost.chunks:,} passages."
    each = cost.seconds_each or 0.0
    return (
        f"{wanted:,} of {cost.chunks:,} passages at {each:.1f} s each: about {_span(each * wanted)} "
        f"with {cost.model}. Questions are answered meanwhile; a stop loses at most one passage."
    )


def _span(seconds: float) -> str:
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h"


def _say(done: dict[str, object]) -> None:
    for name, value in done.items():
        if isinstance(value, SlmRun):
            each = f", {value.seconds / value.read:.1f} s each" if value.read else ""
            say(
                f"{value.read:,} passages read{each}; {value.left:,} left; "
                f"{value.failures} could not be understood."
                + (" Stopped: run the same command to continue." if value.stopped else "")
            )
        elif name in ("embedded", "read"):
            say(
                f"{value:,} passages {name}."
                if value or name == "read"
                else "The index is complete."
            )
        elif value is not None:
            say(f"{name}: {value}")

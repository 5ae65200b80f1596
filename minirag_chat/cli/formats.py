"""The commands about exports before they are imported: formats, inspect."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.cli import import_options
from minirag_chat.cli.output import fail, note, print_json, progress_bar, say
from minirag_chat.cli.state import Json, app, settings
from minirag_chat.errors import UnknownFormat
from minirag_chat.importers import IMPORTERS
from minirag_chat.memory.import_preview import FilePreview, preview_export
from minirag_chat.ui_text import count, cut, dates, one_line

SHOWN = 5
LONGEST = 100


@app.command()
def formats(
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown, as in the docs.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the exports that can be read, and how to get them from each app."""
    if as_json:
        fields = ("name", "title", "files", "how")
        print_json([{field: getattr(i, field) for field in fields} for i in IMPORTERS])
    elif as_markdown:
        typer.echo(markdown(), nl=False)
    else:
        for importer in IMPORTERS:
            say(f"{importer.title}  (--format {importer.name})", "bold")
            say(f"  {importer.files}")
            say(f"  {importer.how}")


def markdown() -> str:
    """The list of formats in Markdown, for docs/formats.md."""
    return "".join(
        f"### {importer.title}\n\n`--format {importer.name}` · {importer.files}\n\n{importer.how}\n\n"
        for importer in IMPORTERS
    )


@app.command()
def inspect(
    path: Annotated[Path, typer.Argument(help="A file, a zip or a folder.")],
    date_order: import_options.DateOrder = None,
    clock: import_options.Clock = None,
    encoding: import_options.Encoding = None,
    time_zone: import_options.TimeZone = None,
    file_format: import_options.Format = None,
    column: import_options.Columns = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="For a file that is not a chat: say what each format misses in it."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Show what an export holds and what would be imported of it, without importing."""
    options = import_options.chosen(
        date_order, clock, encoding, time_zone, None, file_format, column
    )
    try:
        with progress_bar(quiet=as_json) as progress:
            found = preview_export(path, settings(), progress=progress, **options)
    except UnknownFormat as error:
        if as_json or not error.reasons:
            raise
        fail(UnknownFormat(error.problem))
        _print_misses(path, error.reasons, everything=everything)
        raise typer.Exit(1) from error
    if as_json:
        print_json(found)
        return
    for file in found:
        _print_file(file)


def _print_misses(path: Path, reasons: Sequence[str], *, everything: bool) -> None:
    """Print why the file is not of each format: of those with its file ending, or of all."""
    ending = path.suffix.casefold()
    likely = [
        reason
        for importer, reason in zip(IMPORTERS, reasons, strict=True)
        if everything or (ending and ending in importer.files)
    ]
    if likely and not everything:
        say(f"What this file lacks to be one of the known {ending} exports:")
    for reason in likely:
        say(f"  {reason}")
    if left := len(reasons) - len(likely):
        say(f"  `inspect --all` shows this for {left} {'other ' if likely else ''}formats too.")


def _print_file(file: FilePreview) -> None:
    if file.format is None:
        say(f"{file.source}: left out, {file.skipped[0].reason}")
        return
    say(f"{file.source}: {file.format}", "bold")
    for chat in file.chats[:SHOWN]:
        span = dates(chat.first, chat.last)
        people = ", ".join(chat.people[:SHOWN])
        more = f" and {len(chat.people) - SHOWN} more" if len(chat.people) > SHOWN else ""
        say(f"  {chat.title}: {count(chat.messages, 'message')}, {span}; {people}{more}")
        for message in chat.opening:
            text = cut(one_line(message.text), LONGEST)
            say(f"    {message.sent_at:%Y-%m-%d %H:%M} {message.sender}: {text}")
    if len(file.chats) > SHOWN:
        say(f"  and {len(file.chats) - SHOWN} more chats: --json lists all.")
    if file.system_lines or file.media:
        say(f"  {count(file.system_lines, 'system line')}, {count(file.media, 'attachment')}.")
    for each in file.notes:
        note(each, "  ")
    for skipped in file.skipped[:SHOWN]:
        where = f"line {skipped.line}: " if skipped.line else ""
        say(f"  Skipped {where}{skipped.reason}")
    if len(file.skipped) > SHOWN:
        say(f"  and {len(file.skipped) - SHOWN} more skipped: --json lists all.")

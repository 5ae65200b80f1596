"""The options that ``add`` and ``inspect`` share, and how they become import options."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from minirag_chat.errors import ImportFailed

DateOrder = Annotated[
    str | None, typer.Option(help="The order of day, month and year: dmy, mdy or ymd.")
]
Clock = Annotated[str | None, typer.Option(help="12 or 24: the clock of the times in the file.")]
Encoding = Annotated[str | None, typer.Option(help="The encoding of the files.")]
TimeZone = Annotated[
    str | None, typer.Option(help="The time zone of the export, e.g. Europe/Berlin.")
]
Title = Annotated[str | None, typer.Option(help="The name of the chat.")]
Format = Annotated[
    str | None,
    typer.Option("--format", help="Read the files as this format; `formats` lists them."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(help="Name a column of a table, e.g. sender=from_name; also sent_at, text, chat."),
]


def chosen(
    date_order: str | None,
    clock: str | None,
    encoding: str | None,
    time_zone: str | None,
    title: str | None,
    file_format: str | None,
    column: list[str] | None,
) -> dict[str, Any]:
    """Return the import options that were given; raises ``ImportFailed`` for a bad column."""
    columns: dict[str, str] = {}
    for pair in column or ():
        role, equals, name = pair.partition("=")
        if not equals:
            raise ImportFailed(f"The column {pair!r} is no pair; write it as sender=from_name.")
        columns[role] = name
    options = {
        "date_order": date_order, "clock": clock, "encoding": encoding, "time_zone": time_zone,
        "chat_title": title, "format": file_format, "columns": columns or None,
    }  # fmt: skip
    return {key: value for key, value in options.items() if value is not None}

"""The rows of an import's report and of what a memory contains, for every face."""

from __future__ import annotations

from minirag_chat.records import ImportReport
from minirag_chat.records.exploration import Info
from minirag_chat.show.page_html import day
from minirag_chat.ui_text import count, dates

Rows = list[tuple[str, str]]


def report_rows(found: ImportReport) -> Rows:
    """What was read and what was left out."""
    rows = [
        ("files", f"{found.files:,}"),
        ("formats", ", ".join(f"{name} ({number})" for name, number in found.formats.items())),
        ("messages", f"{found.messages_read:,} in {count(found.sessions, 'conversation')}"),
        ("days", dates(found.first, found.last, day)),
        ("chats", ", ".join(dict.fromkeys(found.chats))),
        ("people", ", ".join(found.people)),
        (
            "attachments",
            f"{found.media:,}: their names are kept, not their content" * (found.media > 0),
        ),
        ("system lines", f"{found.system_lines:,}, left out" * (found.system_lines > 0)),
        ("time zone", found.time_zone and f"{found.time_zone}, for times without a zone"),
    ]
    return [(name, value) for name, value in rows if value]


def info_rows(found: Info) -> Rows:
    """What a memory contains, and what reads it."""
    crypt = "encrypted" if found.encrypted else "not encrypted"
    span = dates(found.first, found.last) or "\u2013"
    names = f"{count(found.chunks, 'passage')}, {count(found.entities, 'name')}"
    return [
        ("database", f"{found.database} ({found.size_bytes / 1e6:.1f} MB, {crypt})"),
        ("messages", f"{found.messages:,} in {count(found.sessions, 'conversation')}, {span}"),
        ("chats", f"{found.chats:,}"),
        ("people", f"{found.people:,}"),
        ("index", f"{names}, {found.embedder}"),
        ("vectors", found.vectors),
        ("model", f"{found.model}: {found.model_reason}"),
    ]

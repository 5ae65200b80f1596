"""Files written to a folder, and what the importers read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from dialects.parts import Files
from minirag_chat.importers import Importer, ImportOptions, stream_export
from minirag_chat.importers.files import disk_file
from minirag_chat.importers.registry import recognised
from minirag_chat.records import ParsedChat, ParsedExport, ParsedMessage, Progress, Skipped

# Exports of conversations with an assistant have no other names than these.
_ROLES = {"Me": "Ann Miller", "ChatGPT": "Bob", "Claude": "Bob"}


def messages(export: ParsedExport) -> list[ParsedMessage]:
    return [message for chat in export.chats for message in chat.messages]


def recognise(path: str | Path, options: ImportOptions | None = None) -> Importer:
    """The importer for a plain file, by its content or the option ``format``."""
    return recognised(disk_file(Path(path)), options or ImportOptions())


def read_export(
    path: str | Path,
    options: ImportOptions | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[Path, ParsedExport | Skipped]]:
    """Each file of ``stream_export`` whole, with its chats put together."""
    chats: dict[int, ParsedChat] = {}
    for where, piece in stream_export(path, options, progress):
        if isinstance(piece, ParsedChat):
            before = chats[piece.part].messages if piece.part in chats else ()
            chats[piece.part] = replace(piece, messages=before + piece.messages)
        elif isinstance(piece, ParsedExport):
            yield where, replace(piece, chats=tuple(chats[part] for part in sorted(chats)))
            chats = {}
        else:
            yield where, piece


def spoken(export: ParsedExport, sender: str) -> str:
    """The sender in the golden conversation, of an export whose two speakers have no names."""
    return _ROLES.get(sender, sender) if export.format in ("chatgpt", "claude") else sender


def write(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def exports(path: Path, **options: Any) -> Iterator[ParsedExport]:
    for _, found in read_export(path, ImportOptions(time_zone="UTC", **options)):
        if isinstance(found, ParsedExport):
            yield found


def talked(path: Path) -> list[tuple[datetime, str, str]]:
    return sorted(
        (m.sent_at.replace(microsecond=0), spoken(export, m.sender), m.text)
        for export in exports(path)
        for chat in export.chats
        for m in chat.messages
    )

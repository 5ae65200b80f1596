"""What an import would bring in, without importing: chats, people, times, and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from minirag_chat.importers import ImportOptions, stream_export
from minirag_chat.records import (
    ChatKind,
    Decision,
    ParsedChat,
    ParsedExport,
    ParsedMessage,
    Report,
    Skipped,
)
from minirag_chat.settings import Settings
from minirag_chat.system.file_paths import given_path

SHOWN = 3


@dataclass(frozen=True, slots=True)
class ChatPreview:
    """A chat of an export: ``people`` ordered by how much they write, ``opening`` with its first messages."""

    title: str
    kind: ChatKind | None
    messages: int
    people: tuple[str, ...]
    first: datetime | None
    last: datetime | None
    opening: tuple[ParsedMessage, ...]


@dataclass(frozen=True, slots=True)
class FilePreview:
    """A file of an export; ``format`` is None if it is left out, for the reason in ``skipped``."""

    source: str
    format: str | None
    chats: tuple[ChatPreview, ...] = ()
    system_lines: int = 0
    media: int = 0
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()


@dataclass(slots=True)
class _Chat:
    """A chat as far as it has been read."""

    header: ParsedChat
    count: int = 0
    people: Counter[str] = field(default_factory=Counter)
    times: tuple[datetime, datetime] | None = None
    opening: list[ParsedMessage] = field(default_factory=list)

    def take(self, piece: ParsedChat) -> None:
        self.header = replace(piece, messages=())
        self.count += len(piece.messages)
        self.people.update(message.sender for message in piece.messages)
        self.opening += piece.messages[: SHOWN - len(self.opening)]
        for message in piece.messages:
            low, high = self.times or (message.sent_at, message.sent_at)
            self.times = (min(low, message.sent_at), max(high, message.sent_at))

    def preview(self) -> ChatPreview:
        first, last = self.times or (None, None)
        people = tuple(name for name, _ in self.people.most_common())
        title = self.header.title or ", ".join(people[:SHOWN])
        return ChatPreview(
            title, self.header.kind, self.count, people, first, last, tuple(self.opening)
        )


def previews(
    pieces: Iterable[tuple[Path, ParsedChat | ParsedExport | Skipped]],
) -> tuple[FilePreview, ...]:
    """Return what is in each file of an export, from the pieces that reading it gives."""
    found: list[FilePreview] = []
    chats: dict[int, _Chat] = {}
    for path, piece in pieces:
        if isinstance(piece, ParsedChat):
            chats.setdefault(piece.part, _Chat(piece)).take(piece)
            continue
        if isinstance(piece, Skipped):
            found.append(FilePreview(str(path), None, skipped=(piece,)))
            continue
        found.append(
            FilePreview(
                str(path),
                piece.format,
                tuple(chat.preview() for chat in chats.values() if chat.count),
                piece.system_lines,
                piece.media,
                piece.skipped,
                piece.notes,
                piece.decisions,
            )
        )
        chats = {}
    return tuple(found)


def preview_export(
    path: str | Path, settings: Settings, *, progress: Report | None = None, **options: Any
) -> tuple[FilePreview, ...]:
    """What ``ChatMemory.add`` would import from a path, file by file; nothing is stored."""
    return previews(stream_export(given_path(path), import_options(settings, options), progress))


def check_readable(path: str | Path, settings: Settings, **options: Any) -> None:
    """Raise ``ImportFailed`` if there is nothing to import in a path; reads no further than it must."""
    for _, piece in stream_export(given_path(path), import_options(settings, options)):
        if not isinstance(piece, Skipped):
            return


def import_options(settings: Settings, options: dict[str, Any]) -> ImportOptions:
    """Return the options of one import, with the settings as defaults."""
    options.setdefault("max_bytes", settings.max_file_mb * 1024 * 1024)
    options.setdefault("time_zone", settings.time_zone or None)
    return ImportOptions(**options)

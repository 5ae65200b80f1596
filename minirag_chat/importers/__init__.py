"""An export file, zip or folder → parsed chats, with a record of everything else in it.

Formats are recognised by content, never by name. To add one, write a class that implements
:class:`~minirag_chat.importers.base.Importer`, and add it to ``registry.IMPORTERS``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from minirag_chat.errors import ImportFailed, UnknownFormat, UnreadableFile
from minirag_chat.importers.base import ExportFile, Importer, ImportOptions
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.documents import refuse_document
from minirag_chat.importers.files import (
    Entry,
    Frame,
    disk_file,
    folder_files,
    frame_file,
    is_media,
    is_zip,
    zip_files,
)
from minirag_chat.importers.registry import COMPANIONS, IMPORTERS, importer_named, recognised
from minirag_chat.importers.sanitize import Sanitizer
from minirag_chat.records import ParsedChat, ParsedExport, Progress, Report, Skipped

__all__ = [
    "IMPORTERS",
    "Frame",
    "ImportOptions",
    "Importer",
    "frame_file",
    "is_media",
    "stream_export",
]

Piece = ParsedChat | ParsedExport | Skipped

_MOST_REASONS = 3
_UNKNOWN = "not recognised as a chat export; `minirag-chat inspect` of this file alone says why"


def stream_export(
    path: str | Path | ExportFile,
    options: ImportOptions | None = None,
    progress: Report | None = None,
) -> Iterator[tuple[Path, Piece]]:
    """Yield the contents of a file, zip or folder piece by piece, with bounded memory.

    For each file: its chats in pieces, then a ``ParsedExport`` without chats with its counts and notes; or a
    ``Skipped`` with the reason. A single file must be a chat export; a zip or folder must contain one.
    ``progress`` is called after each piece, with the messages so far. Raises ``UnknownFormat`` or
    ``UnreadableFile``, both ``ImportFailed``, when the iterator reaches the cause.
    """
    options = options or ImportOptions()
    if options.format is not None:
        importer_named(options.format)
    read = 0
    for where, piece in _pieces(path, options):
        yield where, piece
        read += len(piece.messages) if isinstance(piece, ParsedChat) else 0
        if progress is not None:
            progress(Progress("import", read))


def _pieces(path: str | Path | ExportFile, options: ImportOptions) -> Iterator[tuple[Path, Piece]]:
    if isinstance(path, ExportFile):
        for piece in _read_one(path, options):
            yield path.path, piece
        return
    path = Path(path)
    if path.is_dir():
        yield from _read_many(path, folder_files(path, options), options)
        return
    file = disk_file(path)
    if is_zip(path):
        refuse_document(path)
        with zip_files(path, options) as found:
            yield from _read_many(path, found, options)
        return
    for piece in _read_one(file, options):
        yield path, piece


def _read_many(
    path: Path, found: Iterable[Entry], options: ImportOptions
) -> Iterator[tuple[Path, Piece]]:
    any_read = False
    reasons: list[str] = []
    for item in found:
        for where, piece in _read_or_skip(item, options):
            if isinstance(piece, Skipped):
                reason = piece.reason.rstrip(".")
                named = reason.startswith((f"{where.name} ", f"{where.name}:"))
                reasons.append(reason if named else f"{where.name}: {reason}")
            any_read = any_read or isinstance(piece, ParsedExport)
            yield where, piece
    if not any_read:
        why = "; ".join(reasons[:_MOST_REASONS]) or "it is empty"
        more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
        raise UnknownFormat(f"{path.name} holds no chat export that can be read ({why}{more}).")


def _read_or_skip(item: Entry, options: ImportOptions) -> Iterator[tuple[Path, Piece]]:
    if not isinstance(item, ExportFile):
        yield item
        return
    try:
        for piece in _read_one(item, options):
            yield item.path, piece
    except ImportFailed as error:
        why = _UNKNOWN if isinstance(error, UnknownFormat) else str(error)
        yield item.path, Skipped(str(item.path), COMPANIONS.get(item.path.name, why))


def _read_one(file: ExportFile, options: ImportOptions) -> Iterator[ParsedChat | ParsedExport]:
    """Yield a file's chats and then its counts and notes. Pieces before an error are kept."""
    importer = recognised(file, options)
    context = ImportContext(file, options)
    sanitizer = Sanitizer(context)
    found = False
    try:
        for piece in map(sanitizer.chat, importer.read(context)):
            found = found or bool(piece.messages)
            yield piece
    except ImportFailed as error:
        if not found:
            raise
        context.skip(str(error))
    if context.damage is not None and not found:
        raise UnreadableFile(context.damage)
    sanitizer.record_notes()
    yield context.finish(importer.name)

"""Finds the attached files of messages in the export's folder or zip.

An export names a file, often without its folder. It is searched by the base name among the regular files of
the export: no name can lead out of it, and links are not followed. If several files
have the name, the only one in the chat's own folder is used; if there is no such one, none.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

from minirag_chat.importers.base import ExportFile
from minirag_chat.records import (
    MediaFile,
    MediaKind,
    ParsedChat,
    ParsedExport,
    ParsedMessage,
    Skipped,
)

VOICES = frozenset((".opus", ".ogg", ".oga", ".m4a", ".mp3", ".wav", ".aac", ".amr", ".flac"))
PHOTOS = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp"))
_MOST_FILES = 200_000
_BESIDE = 2  # depth of folders searched for a single file, which may be among unrelated ones
_NO_PHOTOS = frozenset(("sticker", "animated emoji"))

Piece = ParsedChat | ParsedExport | Skipped
Place = tuple[str, str]  # a path, and the member if it is a zip


def with_media(
    pieces: Iterator[tuple[Path, Piece]], source: Path | ExportFile
) -> Iterator[tuple[Path, Piece]]:
    """The pieces of an export at ``source``, with the places of the messages' files."""
    if isinstance(source, ExportFile):  # a table in memory has no files
        yield from pieces
        return
    places: dict[Path, _Places] = {}
    for where, piece in pieces:
        if not isinstance(piece, ParsedChat):
            yield where, piece
            continue
        root = _root(where, source)
        found = places.setdefault(root, _Places(root, deep=root == source))
        messages = tuple(_placed(message, where, found) for message in piece.messages)
        yield where, replace(piece, messages=messages)


def media_kind(name: str) -> MediaKind | None:
    """The kind of a file by its name, if such files can be read."""
    suffix = PurePosixPath(name).suffix.lower()
    return "voice" if suffix in VOICES else "photo" if suffix in PHOTOS else None


def _root(where: Path, source: Path) -> Path:
    """The zip that contains a chat; else the imported folder, or that of the file."""
    for path in (where, *where.parents):
        if path == source or path.exists():
            return path if path.is_dir() or _is_archive(path, where) else path.parent
        if path == path.parent:
            break
    return source


def _is_archive(path: Path, where: Path) -> bool:
    return path.is_file() and path != where


class _Places:
    """The files of one folder or zip by name, listed on the first request."""

    def __init__(self, root: Path, *, deep: bool) -> None:
        self._root = root
        self._deep = deep
        self._found: dict[str, list[Place]] | None = None

    def find(self, name: str, where: Path) -> Place | None:
        if self._found is None:
            self._found = self._listed()
        places = self._found.get(name.casefold(), [])
        if len(places) > 1:
            here = str(where.parent)
            places = [(p, m) for p, m in places if str(Path(p, m)).startswith(here + os.sep)]
        return places[0] if len(places) == 1 else None

    def _listed(self) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = defaultdict(list)
        for path, member in self._in_zip() if self._root.is_file() else self._in_folder():
            name = PurePosixPath(member or Path(path).name).name
            if media_kind(name) is not None:
                found[name.casefold()].append((path, member))
        return found

    def _in_zip(self) -> Iterator[Place]:
        try:
            with ZipFile(self._root) as archive:
                for info in archive.infolist()[:_MOST_FILES]:
                    if not info.is_dir():
                        yield str(self._root.absolute()), info.filename
        except (BadZipFile, OSError, ValueError, NotImplementedError):
            return

    def _in_folder(self) -> Iterator[Place]:
        root, seen = self._root.absolute(), 0
        for where, folders, names in os.walk(root):
            depth = len(Path(where).relative_to(root).parts)
            if not self._deep and depth >= _BESIDE:
                folders.clear()
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                seen += 1
                if seen > _MOST_FILES:
                    return
                path = Path(where, name)
                if media_kind(name) is not None and not path.is_symlink():
                    yield str(path), ""


def _placed(message: ParsedMessage, where: Path, places: _Places) -> ParsedMessage:
    if not message.attachments or message.deleted:
        return message
    files = []
    for position, file in enumerate(message.attachments):
        kind = media_kind(file.name)
        if kind is None or file.kind.split(" ")[0] in _NO_PHOTOS:
            continue
        place = places.find(PurePosixPath(file.name.replace("\\", "/")).name, where)
        if place is not None:
            files.append(MediaFile(position, *place, kind))
    return replace(message, files=tuple(files)) if files else message

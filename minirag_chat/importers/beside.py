"""Reads JSON files of an export that contain no messages, such as lists of people, as a stream."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from minirag_chat.errors import ImportFailed
from minirag_chat.importers.base import readable
from minirag_chat.importers.jsonwalk import DamagedJson, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minirag_chat.importers.base import ExportFile, ImportOptions
    from minirag_chat.importers.jsonwalk import Step


def parts_beside(file: ExportFile | None, options: ImportOptions) -> Iterator[tuple[Step, Any]]:
    """Yield the parts of a list or object in a JSON file, with their numbers or keys.

    Such a file only adds names: if it is missing or unreadable there are no parts, and if it is damaged,
    only those before the damage.
    """
    if file is None or file.size > options.max_bytes:
        return
    try:
        with readable(file.path.name), _text(file) as text:
            for path, value in walk(text, lambda path: path == (), lambda _: None):
                if path:
                    yield path[0], value
    except (ImportFailed, DamagedJson):
        return


def _text(file: ExportFile) -> io.TextIOWrapper:
    return io.TextIOWrapper(file.open(), encoding="utf-8", errors="replace")


def objects_beside(file: ExportFile | None, options: ImportOptions) -> Iterator[dict[str, Any]]:
    """Yield the objects among the parts of a JSON file, as :func:`parts_beside` does."""
    return (value for _, value in parts_beside(file, options) if isinstance(value, dict))

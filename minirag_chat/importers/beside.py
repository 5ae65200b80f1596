"""JSON files that an export has beside its messages, such as lists of people: read in a stream."""

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

    Such a file only adds names: where it is missing or cannot be read there are no parts, and where
    it is damaged there are those before.
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

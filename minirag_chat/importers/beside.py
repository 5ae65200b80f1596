"""Streams the JSON files of an export that contain no messages, such as lists of people."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

from minirag_chat.errors import ImportFailed
from minirag_chat.importers.base import ExportFile, ImportOptions, readable
from minirag_chat.importers.jsonwalk import DamagedJson, Step, walk

_IN_LIST = 2  # steps to an item of a list


def parts_beside(file: ExportFile | None, options: ImportOptions) -> Iterator[tuple[Step, Any]]:
    """Yield ``(index, item)`` of the list, or ``(key, value)`` of the object, in a JSON file.

    The file only adds names: nothing is yielded if it is missing or unreadable, and only what comes before
    the damage if it is damaged.
    """
    return ((path[0], value) for path, value in _values(file, options, lambda path: path == ()))


def lists_beside(
    file: ExportFile | None, options: ImportOptions, names: frozenset[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ``(name, object)`` for the lists of a JSON file with these names; see :func:`parts_beside`."""
    for path, value in _values(
        file, options, lambda path: not path or (len(path) == 1 and path[0] in names)
    ):
        if len(path) == _IN_LIST and path[0] in names and isinstance(value, dict):
            yield str(path[0]), value


def _values(
    file: ExportFile | None, options: ImportOptions, enter: Callable[[tuple[Step, ...]], bool]
) -> Iterator[tuple[tuple[Step, ...], Any]]:
    if file is None or file.size > options.max_bytes:
        return
    try:
        with readable(file.path.name), _text(file) as text:
            yield from (found for found in walk(text, enter, lambda _: None) if found[0])
    except (ImportFailed, DamagedJson):
        return


def _text(file: ExportFile) -> io.TextIOWrapper:
    return io.TextIOWrapper(file.open(), encoding="utf-8", errors="replace")


def objects_beside(file: ExportFile | None, options: ImportOptions) -> Iterator[dict[str, Any]]:
    """Yield only the objects that :func:`parts_beside` finds."""
    return (value for _, value in parts_beside(file, options) if isinstance(value, dict))

"""Reads tables in JSON: an object on each line, a list of objects, or an object with such a list."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from minirag_chat.importers.base import as_text, object_at
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.csv_rows import Row
from minirag_chat.importers.html_tree import markup_tree, text_of
from minirag_chat.importers.jsonwalk import DamagedJson, Path, object_in, quoted_place, walk

Fits = Callable[[Sequence[str]], bool]
"""Whether these columns are those of a table of messages."""

_NAMES = ("name", "display_name", "displayName", "full_name")
_OTHER_NAMES = ("username", "user_name", "title")
_WITHIN = "user"  # the key of the object with the name, in exports of Microsoft Graph
_HELD = ("$date", "$numberLong", "_seconds", "content", "text")
"""Keys of the value in an object that stands for one: of MongoDB, Firestore and Microsoft Graph."""
_LEVELS = 2  # of such objects in one another
_PARTS = ("first_name", "last_name")
_MARKS = "\ufeff \t\n"
_ITEM = 2  # the length of the path of an object in a list in an object
_MOST_TRIED = 20  # objects of a list, in the sample


def table_lines(context: ImportContext, fits: Fits) -> Iterator[str]:
    """The lines of a table; of a list in JSON a line for each of its values."""
    first = next(filter(str.strip, context.lines()), "").lstrip(_MARKS)
    if first.startswith("["):
        return (
            json.dumps(value) for path, value in context.values(lambda path: path == ()) if path
        )
    key = list_in(context.file.sample(context.options).text, fits) if first[:1] == "{" else None
    if key is None:
        return context.lines()
    return (
        json.dumps(value)
        for path, value in context.values(_enter)
        if path[:1] == (key,) and len(path) == _ITEM and isinstance(path[1], int)
    )


def sampled_lines(text: str, fits: Fits) -> Iterable[str]:
    """The lines at the beginning of a file; of a list in JSON its first object, or objects."""
    begin = text.lstrip(_MARKS)
    if begin.startswith("{") and (key := list_in(text, fits)) is not None:
        return [json.dumps(value) for path, value in _items(begin) if path[0] == key]
    if not begin.startswith("["):
        return text.split("\n")
    try:
        first, _end = json.JSONDecoder().raw_decode(begin[1:].lstrip())
    except (ValueError, RecursionError):
        return [""]
    return [json.dumps(first)]


def list_in(text: str, fits: Fits) -> str | None:
    """Return the key of the first list of messages in an object; None if each line is an object."""
    begin = text.lstrip(_MARKS)
    line = object_in(begin.partition("\n")[0])
    if _second_object(begin.split("\n")) or (not isinstance(line, str) and fits(tuple(line))):
        return None
    seen: dict[str, dict[str, None]] = {}
    for path, value in _items(begin):
        columns = seen.setdefault(str(path[0]), {})
        columns.update(dict.fromkeys(value))
        if fits(tuple(columns)):
            return str(path[0])
    return None


def other_messages(context: ImportContext, fits: Fits) -> None:
    """Record the messages that are not in the first list of them in the file's object."""
    key = list_in(context.file.sample(context.options).text, fits)
    found: dict[Path, int] = {}
    if key is not None and (line := _second_object(context.lines())):
        context.skip("a second object, which is not read: give it a file of its own", line)
    for path, value in context.values_first_pass(_enter) if key is not None else ():
        if path[0] != key and _is_item(path, value) and fits(tuple(value)):
            found[path[:1]] = found.get(path[:1], 0) + 1
    for path, count in found.items():
        context.skip(
            f"{count:,} messages of {quoted_place(path)}, a second list: give it a file of its own"
        )


def _second_object(lines: Iterable[str]) -> int | None:
    """Return the line below the first at which another object begins; in one object no line there does."""
    written = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    next(written, None)
    number, line = next(written, (None, ""))
    return number if line.startswith("{") else None


def record_rows(lines: Iterable[str], sender: str, is_name: Callable[[str], bool]) -> Iterator[Row]:
    """Yield the row of each object.

    An object in the column ``sender``, or in another with names, stands for its name.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        record = object_in(line)
        if isinstance(record, str):
            yield Row(number, {}, record)
            continue
        who = record.get(sender)
        if isinstance(who, dict) and not _named(who):
            yield Row(number, {}, f"the object {quoted_place((sender,))} has no name")
            continue
        cells = {
            key: (_named(value) if key == sender or is_name(key) else "") or _cell(value)
            for key, value in record.items()
        }
        yield Row(number, cells)


def columns_of_records(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of all objects, in the order in which they come."""
    columns: dict[str, None] = {}
    for line in lines:
        record = object_in(line) if line.strip() else {}
        columns.update(dict.fromkeys(record if isinstance(record, dict) else ()))
    return tuple(columns)


def _cell(value: object) -> str:
    """Return a value as text; of an object that stands for one, the value in it."""
    markup = False
    for _ in range(_LEVELS):
        key = (
            next((key for key in _HELD if key in value), None) if isinstance(value, dict) else None
        )
        if key is None or not isinstance(value, dict):
            break
        markup = value.get("contentType") == "html"
        value = value[key]
    if isinstance(value, str):
        return text_of(markup_tree(value)) if markup else value
    return "" if value is None else json.dumps(value)


def _named(value: object) -> str:
    """Return the name of an object, or those of a list of objects and names; empty for other values."""
    if isinstance(value, list):
        found = (_named(item) if isinstance(item, dict) else as_text(item) for item in value)
        return ", ".join(sorted(filter(None, found)))
    if not isinstance(value, dict):
        return ""
    value = object_at(value, _WITHIN) or value
    whole = [*_texts(value, _NAMES), " ".join(_texts(value, _PARTS)), *_texts(value, _OTHER_NAMES)]
    return next(filter(None, whole), "")


def _texts(value: dict[str, Any], keys: Iterable[str]) -> list[str]:
    return [text for key in keys if (text := as_text(value.get(key)).strip())]


def _enter(path: Path) -> bool:
    return len(path) < _ITEM


def _is_item(path: Path, value: object) -> bool:
    """Whether this is an object in a list that an object holds."""
    in_list = len(path) == _ITEM and isinstance(path[0], str) and isinstance(path[1], int)
    return in_list and isinstance(value, dict)


def _items(text: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the first objects of each list in an object, which may be cut off."""
    counts: dict[object, int] = {}
    try:
        for path, value in walk(StringIO(text), _enter, lambda _: None):
            if _is_item(path, value):
                counts[path[0]] = counts.get(path[0], 0) + 1
                if counts[path[0]] <= _MOST_TRIED:
                    yield path, value
    except DamagedJson:
        return

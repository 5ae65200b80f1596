"""An export file, zip or folder → parsed chats, with an account of everything else in it.

Formats are recognised by content, never by name. Add one by writing an importer, a class with
``name``, ``title``, ``refusal`` and ``read``, and naming it in ``IMPORTERS``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from minirag_chat.errors import ImportFailed, UnknownFormat, UnreadableFile
from minirag_chat.importers.base import ExportFile, Importer, ImportOptions, Sample
from minirag_chat.importers.files import Found, disk_file, folder_files, is_zip, zip_files
from minirag_chat.importers.lihuaworld import LiHuaWorld
from minirag_chat.importers.tabular import Tabular
from minirag_chat.importers.telegram import Telegram
from minirag_chat.importers.whatsapp import WhatsApp
from minirag_chat.records import ParsedExport, Progress, Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["IMPORTERS", "ImportOptions", "Importer", "read_export", "recognise"]

IMPORTERS: tuple[Importer, ...] = (LiHuaWorld(), WhatsApp(), Telegram(), Tabular())

_MOST_REASONS = 3


def recognise(path: str | Path, options: ImportOptions | None = None) -> Importer:
    """Return the importer for a plain file, by its content or the option ``format``.

    Raises ``UnknownFormat`` with each importer's reason, or ``UnreadableFile``.
    """
    return _recognise(disk_file(Path(path)), options or ImportOptions())


def read_export(
    path: str | Path,
    options: ImportOptions | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[Path, ParsedExport | Skipped]]:
    """Yield what is in a file, a zip or a folder: each file parsed, or why it was left out.

    A file given by itself must be a chat. In a zip or folder, a file that cannot be used is
    yielded as ``Skipped``, and there must be one that can. ``progress`` is told of each file
    after it was yielded. Raises ``UnknownFormat`` or ``UnreadableFile``, both ``ImportFailed``,
    when the iterator reaches the cause.
    """
    path, options = Path(path), options or ImportOptions()
    if options.format is not None:
        _named(options.format)
    if path.is_dir():
        yield from _read_many(path, folder_files(path, options), options, progress)
        return
    file = disk_file(path)
    if is_zip(path):
        with zip_files(path, options) as found:
            yield from _read_many(path, found, options, progress)
        return
    yield path, _read_one(file, options)
    if progress is not None:
        progress(Progress("import", 1, 1))


def _read_many(
    path: Path,
    found: Iterable[Found],
    options: ImportOptions,
    progress: Callable[[Progress], None] | None,
) -> Iterator[tuple[Path, ParsedExport | Skipped]]:
    any_read = False
    reasons: list[str] = []
    for done, item in enumerate(found, 1):
        where, result = _read_or_skip(item, options)
        if isinstance(result, Skipped):
            reasons.append(f"{where.name}: {result.reason.rstrip('.')}")
        else:
            any_read = True
        yield where, result
        if progress is not None:
            progress(Progress("import", done))
    if not any_read:
        why = "; ".join(reasons[:_MOST_REASONS]) or "it is empty"
        more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
        raise UnknownFormat(f"{path.name} holds no chat export that can be read ({why}{more}).")


def _read_or_skip(item: Found, options: ImportOptions) -> tuple[Path, ParsedExport | Skipped]:
    if not isinstance(item, ExportFile):
        return item
    try:
        return item.path, _read_one(item, options)
    except UnknownFormat:
        tried = ", ".join(importer.title for importer in IMPORTERS)
        return item.path, Skipped(str(item.path), f"not recognised as any of: {tried}")
    except ImportFailed as error:
        return item.path, Skipped(str(item.path), str(error))


def _read_one(file: ExportFile, options: ImportOptions) -> ParsedExport:
    return _recognise(file, options).read(file, options)


def _recognise(file: ExportFile, options: ImportOptions) -> Importer:
    if options.format is not None:
        return _named(options.format)
    sample = file.sample(options)
    reasons = []
    for importer in IMPORTERS:
        reason = importer.refusal(sample)
        if reason is None:
            return importer
        reasons.append(f"{importer.title} ({reason})")
    if _is_broken_json(sample):
        raise UnreadableFile(f"{file.path.name} is cut off or damaged JSON; export the chat again.")
    raise UnknownFormat(
        f"{file.path.name} was not recognised as a chat export, tried as {'; '.join(reasons)}; "
        "export the chat in one of these formats, or name it with the option format."
    )


def _named(name: str) -> Importer:
    for importer in IMPORTERS:
        if importer.name == name:
            return importer
    names = ", ".join(importer.name for importer in IMPORTERS)
    raise ImportFailed(f"There is no format {name!r}; the formats are {names}.")


def _is_broken_json(sample: Sample) -> bool:
    if not sample.complete or not sample.text.lstrip().startswith(("{", "[{", '["')):
        return False
    try:
        json.loads(sample.text)
    except json.JSONDecodeError as error:
        return error.msg != "Extra data"
    except RecursionError:
        return True
    return False

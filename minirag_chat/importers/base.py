"""The importer protocol, and what importers work with: options, a file, its sample."""

from __future__ import annotations

import codecs
import glob
import posixpath
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, Literal, TypeVar
from zipfile import BadZipFile
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tzlocal import get_localzone

from minirag_chat.errors import ImportFailed, UnreadableFile
from minirag_chat.importers.decode import decode
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import ParsedChat

if TYPE_CHECKING:
    from minirag_chat.importers.context import ImportContext

T = TypeVar("T")

DateOrder = Literal["dmy", "mdy", "ymd"]
Clock = Literal["12", "24"]

DATE_ORDERS: tuple[DateOrder, ...] = ("dmy", "mdy", "ymd")
COLUMNS = ("sent_at", "sender", "text", "chat")
SAMPLE_BYTES = 64 * 1024
OWNER = "Me"  # the person who made the export, if it has no name for them
DELETED = "[deleted]"  # stands for the text of a message that was deleted
MARKS = (
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufeff"
)
ANY_MARKS = f"[{MARKS}]*+"  # in a pattern; possessive, so it never backtracks
ANY_GAP = r"[ \t\u00a0\u202f]*+"  # the same for spaces within a line

_SURROGATE = lazy(r"[\ud800-\udfff]")
_EDGE_MARKS = MARKS + " \t\u00a0\u202f"
_ALL_MARKS = dict.fromkeys(map(ord, MARKS))
_DIRECTION_MARKS = dict.fromkeys(map(ord, MARKS.replace("\u200c", "").replace("\u200d", "")))


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Options of an import; everything else is read from the file.

    ``date_order`` decides dates such as 3/4/21. With ``clock`` ``24`` marks such as AM and PM are ignored;
    with ``12`` hours without a mark in WhatsApp's exports are on a 12-hour clock, and the afternoon begins
    where the hours run backwards. ``time_zone`` converts the instants of exports that have no
    wall-clock times, and is the zone assumed for wall-clock times; None is this machine's zone. ``columns``
    maps ``sent_at``, ``sender``, ``text`` and ``chat`` to a table's own column names. ``format`` is the name
    of the importer to use instead of recognising the file. Raises ``ImportFailed`` for a bad value.
    """

    date_order: DateOrder | None = None
    clock: Clock | None = None
    encoding: str | None = None
    time_zone: str | None = None
    chat_title: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    max_bytes: int = 1024**3

    def __post_init__(self) -> None:
        if self.date_order is not None and self.date_order not in DATE_ORDERS:
            raise ImportFailed(
                f"The option date_order is {self.date_order!r}; "
                f"use one of {', '.join(DATE_ORDERS)}."
            )
        if self.clock not in (None, "12", "24"):
            raise ImportFailed(f"The option clock is {self.clock!r}; use 12 or 24.")
        unknown = sorted(set(self.columns) - set(COLUMNS))
        if unknown:
            raise ImportFailed(
                f"The option columns names {', '.join(unknown)}; the columns that can be mapped "
                f"are {', '.join(COLUMNS)}."
            )
        if self.encoding is not None:
            _check_encoding(self.encoding)
        if self.time_zone:
            self.zone()

    def zone(self) -> tzinfo:
        """Return the zone of ``time_zone``, or this machine's if that is empty."""
        if not self.time_zone:
            return get_localzone()
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ImportFailed(
                f"The time zone {self.time_zone!r} is not known; use a name such as Europe/Berlin."
            ) from error


def _check_encoding(name: str) -> None:
    try:
        is_text = codecs.lookup(name)._is_text_encoding  # noqa: SLF001 - how bytes.decode tells
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise ImportFailed(
            f"The encoding {name!r} is not known; use a name such as utf-8, cp1252 or utf-16."
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """The start of a file, decoded, by which importers recognise their format.

    ``complete`` says that the sample is the whole file.
    """

    text: str
    complete: bool
    options: ImportOptions = field(default_factory=ImportOptions)


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder or zip that files came from: ``find`` gives a file by its path inside it.

    ``match`` gives the paths of those that match a pattern such as ``Users/*/user_info.json``.
    """

    find: Callable[[str], ExportFile | None]
    match: Callable[[str], Iterable[str]] = lambda _: ()
    _known: dict[str, Any] = field(default_factory=dict, compare=False)

    def once(self, what: str, read: Callable[[], T]) -> T:
        """Return the result of ``read``, which is called once for all files of the export.

        ``what`` is a unique key for the thing that is read.
        """
        if what not in self._known:
            self._known[what] = read()
        found: T = self._known[what]
        return found


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file, on disk or in a zip; its content is read on demand.

    ``path`` is its name in reports, ``container`` the name of the zip or folder that holds it,
    ``inside`` its path within ``folder``; ``alone``: this file was imported by itself.
    """

    path: Path
    size: int
    container: str
    open: Callable[[], IO[bytes]]
    inside: str = ""
    alone: bool = False
    folder: Folder = field(default_factory=lambda: Folder(lambda _: None))

    def near(self, name: str) -> ExportFile | None:
        """Return the file at a path relative to this one's folder, if the export has it."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.inside), name))
        return None if path.startswith(("..", "/")) else self.folder.find(path)

    def near_match(self, pattern: str) -> ExportFile | None:
        """Return the first file whose path relative to this one's folder matches, if any."""
        here = glob.escape(posixpath.dirname(self.inside))
        path = posixpath.normpath(posixpath.join(here, pattern))
        found = [] if path.startswith(("..", "/")) else sorted(self.folder.match(path))
        return self.folder.find(found[0]) if found else None

    @property
    def folder_name(self) -> str | None:
        """The name of the file's folder, if that is part of the export."""
        parts = self.inside.split("/")
        return parts[-2] if len(parts) > 1 and not self.alone else None

    @property
    def holder(self) -> str:
        """The name of the folder that contains the file, or else of the zip."""
        parts = self.inside.split("/")
        return parts[-2] if len(parts) > 1 else self.container

    def sample(self, options: ImportOptions) -> Sample:
        """Return the first 64 KiB; raises ``UnreadableFile`` if empty, too large or not text."""
        data = self.head(SAMPLE_BYTES, options)
        complete = self.size <= len(data)
        text = decode(data, self.path.name, options.encoding, complete=complete)
        return Sample(text, complete, options)

    def head(self, limit: int, options: ImportOptions) -> bytes:
        """Return the first ``limit`` bytes; raises ``UnreadableFile`` if there are none."""
        name = self.path.name
        if self.size > options.max_bytes:
            raise _too_large(name, self.size, options.max_bytes)
        with readable(name), self.open() as stream:
            data = stream.read(limit)
        if not data:
            raise UnreadableFile(f"{name} is empty; export the chat again.")
        return data


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Turn errors while reading bytes into ``UnreadableFile``."""
    try:
        yield
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UnreadableFile(
            f"{name} cannot be unpacked ({error}); export the chat again without a password."
        ) from error
    except OSError as error:
        raise UnreadableFile(
            f"{name} cannot be read ({error.strerror}); check that you may read it."
        ) from error


def _too_large(name: str, size: int, limit: int) -> UnreadableFile:
    return UnreadableFile(
        f"{name} has {size:,} bytes and the limit is {limit:,}; "
        "raise the setting max_file_mb, or export the chat without media."
    )


class Importer(ABC):
    """Reads one format. An importer keeps no state: ``IMPORTERS`` holds one of each."""

    name: ClassVar[str]
    """The name in reports and in the option ``format``, such as ``whatsapp``."""
    title: ClassVar[str]
    """The common name of the format, such as ``WhatsApp``."""
    files: ClassVar[str]
    """Which files these are, such as ``_chat.txt or a zip``."""
    how: ClassVar[str]
    """How a person gets the files from the app, in a sentence or two."""
    companions: ClassVar[tuple[str, ...]] = ()
    """The names of files of the export that contain no messages."""

    @abstractmethod
    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the content is of this format, else a short reason why it is not."""

    @abstractmethod
    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the chats of the file in pieces, and record in the context what is skipped.

        Raises ``UnreadableFile`` if it cannot be used.
        """


def json_mismatch(
    sample: Sample, begins: str, fields: Iterable[re.Pattern[str]], missing: str
) -> str | None:
    """Return None for JSON that has all these fields, else a short reason why it is not of the format.

    ``begins`` is ``{`` for an object, ``[`` for a list, ``{[`` for either; ``missing`` is the reason if a
    field is not there.
    """
    if not sample.text.lstrip().startswith(tuple(begins)):
        return {"{": "it is not a JSON object", "[": "it is not a JSON list"}.get(
            begins, "it is not JSON"
        )
    return None if all(field.search(sample.text) for field in fields) else missing


def as_text(value: object) -> str:
    """Return a JSON value as text; empty for null, objects and lists.

    A lone surrogate, which JSON allows, becomes U+FFFD.
    """
    if value is None or isinstance(value, (dict, list, bool)):
        return ""
    text = str(value)
    if _SURROGATE.search(text):
        return _SURROGATE.sub("\ufffd", text)
    return text


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a JSON list; none if it is not a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def object_at(raw: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the object at a key of another; an empty one if there is none."""
    found = raw.get(key)
    return found if isinstance(found, dict) else {}


def clean_name(name: str) -> str:
    """Return a sender's name on one line, without direction marks, and stripped of marks and spaces."""
    name = " ".join(name.split())
    if name.isascii():
        return name
    return name.strip(_EDGE_MARKS).translate(_DIRECTION_MARKS).strip(_EDGE_MARKS)


def without_marks(text: str) -> str:
    """Return a text without invisible marks, those within words included."""
    return text if text.isascii() else text.translate(_ALL_MARKS)

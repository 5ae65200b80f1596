"""Finds the files of an export: one file, the members of a zip, or the files of a folder."""

from __future__ import annotations

import fnmatch
import mimetypes
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Protocol
from zipfile import BadZipFile, ZipFile, ZipInfo

from minirag_chat.errors import UnreadableFile
from minirag_chat.importers.base import ExportFile, Folder, ImportOptions
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Skipped

Entry = ExportFile | tuple[Path, Skipped]


class Frame(Protocol):
    """The part of a pandas frame's interface that is used here."""

    def to_csv(self, *, index: bool) -> str:
        """Return the table as CSV."""


_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_DRIVE = lazy(r"[A-Za-z]:[/\\]")
_MOST_MEMBERS = 200_000
_SMALL = 1024 * 1024
_MOST_PACKED = 100
_ENCRYPTED = 1  # flag of a member that needs a password
_LONGEST_PATH, _LONGEST_SHOWN = 1000, 100
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
_MEDIA = ("audio", "image", "video", "font")
_DOCUMENTS = frozenset(
    (".opus", ".pdf", ".vcf", ".webp", ".heic", ".docx", ".xlsx", ".tgs", ".thumb")
)


def is_zip(path: Path) -> bool:
    """Whether a file begins like a zip; raises ``UnreadableFile`` if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return stream.read(4) in _ZIP_STARTS
    except OSError as error:
        raise UnreadableFile(
            f"{path.name} cannot be read ({error.strerror}); check that you may read it."
        ) from error


def unpacked_bytes(path: Path) -> int:
    """How many bytes a zip unpacks to, without media; the size of any other file.

    A damaged zip counts with its own size, since importing it fails.
    """
    size = path.stat().st_size
    if is_zip(path):
        with (
            suppress(BadZipFile, OSError, ValueError, NotImplementedError),
            ZipFile(path) as packed,
        ):
            inside = (info.file_size for info in packed.infolist() if not is_media(info.filename))
            return max(size, sum(inside))
    return size


def _open(path: Path) -> IO[bytes]:
    return path.open("rb")


def disk_file(path: Path, root: Path | None = None, folder: Folder | None = None) -> ExportFile:
    """Return a file on disk; raises ``UnreadableFile`` if it is missing or not a regular file.

    ``root`` is the export's folder; files outside it are never searched for.
    """
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{path} cannot be found; check the path.") from error
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile(f"{path} is not a plain file; give a file, a zip or a folder.")
    real = path.resolve()
    root = real.parent.parent if root is None else root.resolve()
    inside = real.relative_to(root).as_posix() if real.is_relative_to(root) else real.name
    return ExportFile(
        path,
        status.st_size,
        real.parent.name,
        partial(_open, path),
        inside,
        alone=folder is None,
        folder=_disk_folder(root) if folder is None else folder,
    )


def frame_file(frame: Frame) -> ExportFile:
    """Return a table in memory, such as a pandas frame, as a CSV file. Raises ``UnreadableFile``."""
    if not hasattr(frame, "to_csv"):
        raise UnreadableFile(
            f"A {type(frame).__name__} cannot be imported: give the path of one file, zip or folder, or a "
            "pandas frame."
        )
    data = frame.to_csv(index=False).encode("utf-8", "replace")
    return ExportFile(Path("frame.csv"), len(data), "", partial(BytesIO, data), alone=True)


def _disk_folder(root: Path) -> Folder:
    """Return a folder on disk; only regular files inside it are found, no links that lead out."""

    def find(name: str) -> ExportFile | None:
        path = root / name
        if not path.is_file() or not path.resolve().is_relative_to(root):
            return None
        return disk_file(path, root, folder)

    def match(pattern: str) -> Iterator[str]:
        return (path.relative_to(root).as_posix() for path in root.glob(pattern))

    folder = Folder(find, match)
    return folder


def folder_files(folder: Path, options: ImportOptions) -> Iterator[Entry]:
    """Yield a folder's files in sorted order, those of zips in it too, and what is skipped."""
    media: list[str] = []
    beside = _disk_folder(folder.resolve())
    for name, folders, names in os.walk(folder):
        here = Path(name)
        for hidden in sorted(entry for entry in folders if _is_hidden(entry)):
            yield _skipped(here / hidden, "a hidden folder")
        folders[:] = sorted(entry for entry in folders if not _is_hidden(entry))
        for entry in sorted(names):
            if is_media(entry):
                media.append(entry)
            else:
                yield from _folder_entry(here / entry, folder, beside, options)
    yield from _media_skipped(folder, media)


def _folder_entry(
    path: Path, root: Path, beside: Folder, options: ImportOptions
) -> Iterator[Entry]:
    if _is_hidden(path.name):
        yield _skipped(path, "a hidden file")
        return
    try:
        file = disk_file(path, root, beside)
        if not is_zip(path):
            yield file
            return
        with zip_files(path, options) as found:
            yield from found
    except UnreadableFile as error:
        yield _skipped(path, str(error))


@contextmanager
def zip_files(path: Path, options: ImportOptions) -> Iterator[Iterable[Entry]]:
    """Open a zip and yield its members in sorted order, without unpacking; closes it afterwards.

    Raises ``UnreadableFile`` for a zip that is damaged, or whose unpacked size is over the limit.
    """
    try:
        archive = ZipFile(path)
    except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise UnreadableFile(
            f"{path.name} is a cut-off or damaged zip ({error}); copy it or export the chat again, or take "
            "out what is whole, such as its .txt, with 7-Zip or `zip -FF`, and import that."
        ) from error
    with archive:
        members = sorted(
            (info for info in archive.infolist() if not info.is_dir()),
            key=lambda info: info.filename,
        )
        text = [info for info in members if not is_media(info.filename)]
        total = sum(info.file_size for info in text)
        if len(members) > _MOST_MEMBERS or total > options.max_bytes:
            raise UnreadableFile(
                f"{path.name} unpacks to {len(members):,} files and {total:,} bytes of text, more "
                f"than {_MOST_MEMBERS:,} files or {options.max_bytes:,} bytes; "
                "raise the setting max_file_mb, or unpack it and import the folder."
            )
        yield _members(path, archive, members)


def _members(path: Path, archive: ZipFile, members: Iterable[ZipInfo]) -> Iterator[Entry]:
    media: list[str] = []
    files: dict[str, ExportFile] = {}
    beside = Folder(files.get, lambda pattern: fnmatch.filter(files, pattern))
    found: list[ExportFile] = []
    for info in members:
        inside = path / _shown(info.filename.replace("\\", "/").lstrip("/"))
        parts = PurePosixPath(info.filename.replace("\\", "/")).parts
        reason = _refusal(info, parts)
        if reason is not None:
            yield _skipped(inside, reason)
        elif is_media(info.filename):
            media.append(info.filename)
        else:
            container = parts[-2] if len(parts) > 1 else path.name
            name = "/".join(parts)
            opener = partial(archive.open, info)
            files[name] = ExportFile(inside, info.file_size, container, opener, name, folder=beside)
            found.append(files[name])
    yield from found
    yield from _media_skipped(path, media)


def _refusal(info: ZipInfo, parts: tuple[str, ...]) -> str | None:
    """Return why a member of a zip is not read, or None."""
    name = info.filename
    outside = ".." in parts or name.startswith(("/", "\\")) or _DRIVE.match(name) is not None
    hidden = any(_is_hidden(part) for part in parts) or "__MACOSX" in parts
    bomb = info.file_size > max(_SMALL, _MOST_PACKED * info.compress_size)
    reasons = (
        (outside, "its path leads out of the zip"),
        (len(name) > _LONGEST_PATH, f"its path has more than {_LONGEST_PATH:,} characters"),
        (stat.S_ISLNK(info.external_attr >> 16), "a link to another file, which is not followed"),
        (hidden, "a hidden file"),
        (
            bool(info.flag_bits & _ENCRYPTED),
            "it is encrypted; export the chat again without a password",
        ),
        (
            bomb,
            f"it unpacks to more than {_MOST_PACKED} times its size; unpack it if you trust it",
        ),
        (
            PurePosixPath(name).suffix.lower() in _ARCHIVES,
            "a zip or other archive in a zip; unpack it and import it alone",
        ),
    )
    return next((reason for holds, reason in reasons if holds), None)


def _shown(name: str) -> str:
    """Return a name from an archive for reports: shortened, without control characters."""
    plain = "".join(c if c.isprintable() else "\ufffd" for c in name)
    return plain if len(plain) <= _LONGEST_PATH else f"{plain[:_LONGEST_SHOWN]}\u2026"


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in (".", "..")


def is_media(name: str) -> bool:
    """Whether a file is a picture, sound, film or document by its name, and so not an export."""
    kind, _ = mimetypes.guess_type(name)
    suffix = PurePosixPath(name).suffix.lower()
    return suffix in _DOCUMENTS or (kind or "").split("/", maxsplit=1)[0] in _MEDIA


def _media_skipped(where: Path, names: list[str]) -> Iterator[Entry]:
    """Record the media files in one line: an export may have thousands."""
    if names:
        suffixes = Counter(PurePosixPath(name).suffix.lower() for name in names)
        kinds = ", ".join(f"{count} {suffix}" for suffix, count in sorted(suffixes.items()))
        yield _skipped(where, f"media and documents, of which only the names are read: {kinds}")


def _skipped(path: Path, reason: str) -> tuple[Path, Skipped]:
    return path, Skipped(str(path), reason)

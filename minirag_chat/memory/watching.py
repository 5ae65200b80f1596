"""Watched folders: an export that appears or grows there is imported once it stops changing.

An export is an entry directly in a folder: a file, a zip, or a folder with everything in it. It is
imported again only when a size or a time in it changes.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from minirag_chat.errors import (
    DatabaseLocked,
    ImportFailed,
    ImportStopped,
    NotFound,
    UnknownFormat,
)
from minirag_chat.importers import is_media
from minirag_chat.records import Arrival, ArrivalState, ImportReport
from minirag_chat.store import Store

STILL_SECONDS = 5.0
"""How long nothing about an export may change before it is imported."""
CHECK_ANYWAY = 30.0  # seconds; for disks that report no changes, as some network disks
_WAKE_MS = 1000
_DOWNLOADING = (
    ".crdownload", ".part", ".partial", ".download", ".opdownload", ".filepart", ".fdownload",
    ".aria2", ".tmp", ".temp", ".!ut",
)  # fmt: skip
_IGNORED = ("~$", ".", "Thumbs.db", "desktop.ini")  # prefixes of files that are no exports
_DATABASES = (".db", ".db-wal", ".db-shm", ".db-journal", ".sqlite", ".sqlite3")
_EXPORTS = (
    ".txt", ".json", ".jsonl", ".zip", ".html", ".htm", ".xml", ".csv", ".tsv", ".md", ".mbox",
    ".eml", ".ndjson", ".js", ".log", ".weechatlog", "",
)  # fmt: skip
_MOST_FILES = 200_000  # of one export, as for a zip

Add = Callable[[Path], ImportReport]
OnArrival = Callable[[Path, Arrival], None]
Version = bytes


def ignore_arrival(_path: Path, _arrival: Arrival) -> None:
    """A listener that does nothing."""


@dataclass(frozen=True, slots=True)
class _PendingExport:
    """A version of an export, and the clock time (seconds) since which it has not changed."""

    version: Version
    since: float


@dataclass
class Watcher:
    """Imports exports that have stopped changing, by ``add``; ``on_arrival`` is called with each result.

    ``own_paths`` are files and folders of the program, which are no exports. ``settle_seconds`` and the clock
    are in seconds.
    """

    store: Store
    folders: Sequence[Path]
    add: Add
    on_arrival: OnArrival = ignore_arrival
    own_paths: Sequence[Path] = ()
    settle_seconds: float = STILL_SECONDS
    clock: Callable[[], float] = time.monotonic
    _pending: dict[Path, _PendingExport] = field(default_factory=dict)

    def __post_init__(self) -> None:
        above = {up for folder in self.folders for up in (folder, *folder.parents)}
        self.own_paths = [path for path in self.own_paths if path not in above]

    def run(self, stop: threading.Event, *, once: bool = False) -> None:
        """Check whenever something changes, until ``stop``.

        With ``once`` until all was imported but files that are empty or still being downloaded.

        Raises ``StoreError`` if the database cannot be written.
        """
        waiting, checked_at = self.check(stop, once=once), self.clock()
        if once and not waiting:
            return
        for changed in _changes(self.folders, stop, self._is_own, self.settle_seconds):
            if stop.is_set():
                return
            if changed or waiting or self.clock() - checked_at >= CHECK_ANYWAY:
                waiting, checked_at = self.check(stop, once=once), self.clock()
            if once and not waiting:
                return

    def check(self, stop: threading.Event, *, once: bool = False) -> bool:
        """Import exports that have stopped changing; returns whether others are still waiting.

        With ``once`` those that are not complete yet do not count.
        """
        waiting = False
        present = set()
        for path in self._exports():
            if stop.is_set():
                return False
            present.add(path)
            version = _version(path)
            if version is None:
                waiting = waiting or not (once or _is_media_or_empty(path))
                self._pending.pop(path, None)
                continue
            with self.store.reading():
                imported_version = self.store.arrivals.version(path)
            if imported_version == version:
                self._pending.pop(path, None)
                continue
            pending = self._pending.get(path)
            if pending is None or pending.version != version:
                pending = self._pending[path] = _PendingExport(version, self.clock())
            if self.clock() - pending.since < self.settle_seconds:
                waiting = True
            else:
                waiting = not self._import(path, version) or waiting
        self._pending = {
            path: pending for path, pending in self._pending.items() if path in present
        }
        return waiting

    def _import(self, path: Path, version: Version) -> bool:
        """Import an export and store the result; False if it must be tried again soon."""
        try:
            arrival = _arrived(path, self.add(path))
        except ImportStopped:
            raise
        except UnknownFormat as error:
            arrival = Arrival(_now(), "other", path.name, str(error))
        except (ImportFailed, OSError) as error:
            state: ArrivalState = "failed" if _may_be_export(path) else "other"
            arrival = Arrival(_now(), state, path.name, _sentence(path, error))
        except DatabaseLocked:
            self._pending[path] = _PendingExport(version, self.clock())
            return False
        with self.store.transaction():
            told = self.store.arrivals.version(path) == version and not arrival.messages_added
            if not told:  # nor listed by another watcher of this folder, which brought the messages
                self.store.arrivals.add(path, version, arrival)
        self._pending.pop(path, None)
        if not told:
            self.on_arrival(path, arrival)
        return True

    def _exports(self) -> Iterator[Path]:
        """The entries of the folders, except hidden ones, ours, links to folders, and media."""
        for folder in dict.fromkeys(self.folders):
            try:
                names = sorted(os.listdir(folder))  # noqa: PTH208 - only names are needed, of maybe many files
            except OSError:  # not there now: a USB stick was removed, or a share is offline
                continue
            for name in names:
                path = folder / name
                if _ignored(name) or self._is_own(path) or (path.is_symlink() and path.is_dir()):
                    continue
                if path.is_dir() or not is_media(name):
                    yield path

    def _is_own(self, path: Path) -> bool:
        return path.name.endswith(_DATABASES) or any(
            path == own or own in path.parents for own in self.own_paths
        )


def checked_folders(folders: Sequence[Path]) -> list[Path]:
    """The folders, absolute. Raises ``NotFound`` for one that is not there."""
    if not folders:
        raise NotFound("Say which folder to watch, e.g. `minirag-chat watch ~/Downloads`.")
    for folder in folders:
        if not folder.expanduser().is_dir():
            raise NotFound(
                f"{folder} is no folder: make it, or give the folder that exports are saved in."
            )
    return [folder.expanduser().resolve() for folder in folders]


def _changes(
    folders: Sequence[Path],
    stop: threading.Event,
    is_own: Callable[[Path], bool],
    settle_seconds: float,
) -> Iterator[bool]:
    """Yield True as soon as something changes, and False once a second if nothing does."""
    from watchfiles import watch  # imported only here, as it starts a thread pool

    wake = max(50, min(_WAKE_MS, int(settle_seconds * 500)))
    found = watch(
        *folders,
        watch_filter=lambda _change, path: not is_own(Path(path)),
        stop_event=stop,
        rust_timeout=wake,
        yield_on_timeout=True,
        debounce=wake,
        step=50,
    )
    for changes in found:
        yield bool(changes)


def _version(path: Path) -> Version | None:
    """A hash of the sizes and times of an export's files; None if it is not complete yet.

    Like an import, it follows links to files but not to folders.
    """
    parts: list[str] = []
    try:
        for file in _files(path):
            name = file.relative_to(path).as_posix()
            if file.name.lower().endswith(_DOWNLOADING):
                return None
            status = file.stat()
            if status.st_size == 0 and file == path:  # created before its download begins
                return None
            parts.append(f"{name}\0{status.st_size}\0{status.st_mtime_ns}")
            if len(parts) > _MOST_FILES:
                break
    except OSError:  # deleted meanwhile
        return None
    if not parts:
        return None
    whole = "\n".join(sorted(parts)).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(whole, digest_size=16).digest()


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for where, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(where, name)
            if not _ignored(name) and file.exists():
                yield file


def _may_be_export(path: Path) -> bool:
    """Whether a file that cannot be read is named like an export, so that a person may miss it."""
    return path.is_dir() or path.suffix.lower() in _EXPORTS


def _is_media_or_empty(path: Path) -> bool:
    """Whether there is nothing to wait for: the path is deleted, or a folder without exports."""
    try:
        return not path.exists() or (path.is_dir() and not any(_files(path)))
    except OSError:
        return True


def _ignored(name: str) -> bool:
    return name.startswith(_IGNORED)


def _arrived(path: Path, report: ImportReport) -> Arrival:
    return Arrival(
        _now(),
        "imported",
        path.name,
        messages_read=report.messages_read,
        messages_added=report.messages_added,
        messages_updated=report.messages_updated,
    )


def _sentence(path: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{path.name} cannot be read ({error.strerror}): it is tried again when it changes."
    return str(error)


def _now() -> datetime:
    return datetime.now().replace(microsecond=0)

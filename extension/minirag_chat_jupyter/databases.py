"""The databases that the server opens: inside its root, with one engine each and shared models."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path

from minirag_chat.errors import MiniRagChatError, NotFound
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.settings import Settings
from minirag_chat.store.database_status import is_our_database
from minirag_chat.store.sidecar_files import files_of
from minirag_chat.system.key_locks import KeyLocks

DEEPEST = 3
"""Folders below the root in which databases are looked for."""
_ON_SERVER = Path("postgresql")  # relative, so different from all other keys


class OutsideRoot(MiniRagChatError):
    """A path leads out of the folder that the server serves."""


@dataclass(slots=True)
class Database:
    """An open database; ``changing`` is held while an import or a deletion runs; questions wait for it."""

    memory: ChatMemory
    file: tuple[int, int]
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A database as ``GET corpora`` lists it; ``db`` is what other calls name it by."""

    db: str
    size_bytes: int
    opened: bool


class Databases:
    """Opens databases by the name in a request. Its methods may block, but ``opened``: call them in a thread.

    A name is a path below ``root``; an empty name is the settings' database. ``models`` are
    loaded with the first question; their ``turns`` decide whose turn it is.
    """

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root.resolve()
        self.settings = settings
        self.models = LoadedModels(settings)
        self._open: dict[Path, Database] = {}
        self._locks = KeyLocks()  # by path, while its database is opened, closed or deleted

    def inside(self, name: str) -> Path:
        """The path below the root that a request names. Raises ``OutsideRoot``."""
        if "\0" in name or Path(name).is_absolute():
            raise OutsideRoot(
                f"{name!r} is not a path below the server's folder: give one that is."
            )
        path = (self.root / name).resolve()
        if not path.is_relative_to(self.root):
            raise OutsideRoot(f"{name!r} leads out of the server's folder: give a path inside it.")
        if any(part.startswith(".") for part in path.relative_to(self.root).parts):
            raise OutsideRoot(f"{name!r} is hidden: the server reads no hidden files.")
        return path

    def exports(self, name: str) -> Path:
        """The path of an import: a file or folder below the root, without links that lead outside."""
        if not name.strip():
            raise NotFound(
                "The path is empty: name a file, a zip or a folder in the server's folder, or write . "
                "for all of it."
            )
        path = self.inside(name)
        if not path.exists():
            raise NotFound(f"There is no {name!r} in the server's folder: upload it there first.")
        for item in path.rglob("*") if path.is_dir() else ():
            if item.is_symlink() and not item.resolve().is_relative_to(self.root):
                raise OutsideRoot(f"{item.name!r} in {name!r} leads out of the server's folder.")
        return path

    def open(self, name: str, *, create: bool = False) -> Database:
        """The database of this name; one engine each. Raises ``NotFound``, ``StoreError``."""
        if not name and self.settings.postgres:
            return self._on_server()
        path = self.inside(name) if name else self.settings.db
        with self._locks.of(path):
            known = self._open.get(path)
            if known is not None and known.file == _identity(path):
                return known
            if known is not None:  # moved, deleted or replaced
                del self._open[path]
                known.memory.close()
            if not create and not path.is_file():
                raise NotFound(
                    f"There is no database {name or str(path)!r}: import into it first, "
                    "or name another with db."
                )
            memory = ChatMemory.open(path, self.settings, models=self.models)
            known = self._open[path] = Database(memory, _identity(path))
            return known

    def opened(self, name: str) -> Database | None:
        """The database of this name if it is open and still there; never waits. Raises ``OutsideRoot``."""
        if not name and self.settings.postgres:
            return self._open.get(_ON_SERVER)
        path = self.inside(name) if name else self.settings.db
        known = self._open.get(path)
        return known if known is not None and known.file == _identity(path) else None

    def is_new(self, name: str) -> bool:
        """Whether there is no database of this name yet. Raises ``OutsideRoot``."""
        if not name and self.settings.postgres:
            return False
        path = self.inside(name) if name else self.settings.db
        return not path.exists()

    def _on_server(self) -> Database:
        """The database of the settings that is in PostgreSQL."""
        with self._locks.of(_ON_SERVER):
            known = self._open.get(_ON_SERVER)
            if known is None:
                memory = ChatMemory.open(None, self.settings, models=self.models)
                known = self._open[_ON_SERVER] = Database(memory, (0, 0))
            return known

    def corpora(self) -> list[Corpus]:
        """Our databases below the root, and the settings' database (with an empty ``db``)."""
        if self.settings.postgres:
            memory = self._on_server().memory
            return [Corpus("", memory.info().size_bytes, opened=True), *self._below()]
        own = self.settings.db
        return [*([self._corpus("", own)] if own.is_file() else []), *self._below()]

    def _below(self) -> list[Corpus]:
        found = []
        for folder, folders, files in os.walk(self.root):
            here = Path(folder)
            depth = len(here.relative_to(self.root).parts)
            folders[:] = [f for f in folders if not f.startswith(".")] if depth < DEEPEST else []
            found += [
                self._corpus((here / name).relative_to(self.root).as_posix(), here / name)
                for name in sorted(files)
                if name.endswith(".db")
                and not name.startswith(".")
                and self._is_inside(here / name)
            ]
        return found

    def _is_inside(self, path: Path) -> bool:
        """Whether a file is a database of ours below the root, and no link that leads out of it."""
        try:
            below = path.resolve().is_relative_to(self.root)
        except (OSError, RuntimeError):  # a link to itself
            return False
        return below and self._is_ours(path)

    def _corpus(self, name: str, path: Path) -> Corpus:
        return Corpus(name, path.stat().st_size, path in self._open)

    def delete(self, name: str) -> Corpus:
        """Delete a database below the root with everything in it. This cannot be undone."""
        path = self.inside(name)
        if not path.is_file() or not self._is_ours(path):
            raise NotFound(f"There is no database {name!r} to delete: GET corpora lists them.")
        with self._locks.of(path):
            known = self._open.pop(path, None)
            if known is not None:
                known.memory.close()
            gone = Corpus(name, path.stat().st_size, opened=False)
            for file in files_of(path):
                file.unlink(missing_ok=True)
        return gone

    def _is_ours(self, path: Path) -> bool:
        return path in self._open or is_our_database(path)

    def close(self) -> None:
        """Close all databases and free the models."""
        while self._open:
            self._open.popitem()[1].memory.close()
        self.models.close()


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)

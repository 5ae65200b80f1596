"""The files beside a database, and the removal of leftovers.

While a database is encrypted or decrypted there are two more: the new file, and the old one under a second
name while it is wiped. After a kill the next process that opens the database removes them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

ENDS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database in use."""
_MAKING, _WIPING = ".rewriting", ".to-wipe"
_BLOCK = 1024 * 1024


def in_the_making(path: Path) -> Path:
    """The new file that will replace the database."""
    return path.with_name(path.name + _MAKING)


def to_wipe(path: Path) -> Path:
    """The second name of the replaced file."""
    return path.with_name(path.name + _WIPING)


def files_of(path: Path) -> list[Path]:
    """The database and all its sidecar files, whether they exist or not."""
    made = in_the_making(path)
    return [path, *_with_ends(path), made, *_with_ends(made), to_wipe(path)]


def clear_up(path: Path) -> None:
    """Wipe leftovers of an interrupted encryption; only while a connection prevents another one."""
    made = in_the_making(path)
    with suppress(OSError):  # a folder that cannot be written: the next one may
        left = [file for file in (made, *_with_ends(made), to_wipe(path)) if file.exists()]
        if left:
            settle(path.parent)  # the name of what took its place, before the old one goes
        for file in left:
            wipe_file(file, unless=path)


def wipe_file(file: Path, unless: Path) -> None:
    """Overwrite a file and remove it; if it is a second name of ``unless``, only remove the name.

    Blocks that a disk has remapped internally cannot be overwritten.
    """
    with suppress(FileNotFoundError):  # another process does the same
        if not (unless.exists() and file.samefile(unless)):
            with file.open("r+b") as opened:
                size = opened.seek(0, os.SEEK_END)
                opened.seek(0)
                for start in range(0, size, _BLOCK):
                    opened.write(bytes(min(_BLOCK, size - start)))
                opened.flush()
                os.fsync(opened.fileno())
        file.unlink()


def settle(file: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    if file.is_dir() and os.name != "posix":
        return  # folders cannot be flushed there
    handle = os.open(file, os.O_RDONLY if file.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _with_ends(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in ENDS]

"""The files that may lie beside a database, and how those that are left over go.

While a database is encrypted or decrypted there are two more: the new one as it is made, and the old
one under a second name as it is wiped. Whoever opens the database next clears up after a kill.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

ENDS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database while it is in use."""
_MAKING, _WIPING = ".rewriting", ".to-wipe"
_BLOCK = 1024 * 1024


def in_the_making(path: Path) -> Path:
    """The file that is to take a database's place."""
    return path.with_name(path.name + _MAKING)


def to_wipe(path: Path) -> Path:
    """The second name of the file whose place was taken."""
    return path.with_name(path.name + _WIPING)


def files_of(path: Path) -> list[Path]:
    """The database and all that may lie beside it, whether it is there or not."""
    made = in_the_making(path)
    return [path, *_with_ends(path), made, *_with_ends(made), to_wipe(path)]


def clear_up(path: Path) -> None:
    """Wipe what an interrupted encryption left; only while a connection keeps others from one."""
    made = in_the_making(path)
    with suppress(OSError):  # a folder that cannot be written: the next one may
        left = [file for file in (made, *_with_ends(made), to_wipe(path)) if file.exists()]
        if left:
            settle(path.parent)  # the name of what took its place, before the old one goes
        for file in left:
            wipe_file(file, unless=path)


def wipe_file(file: Path, unless: Path) -> None:
    """Overwrite a file and remove it; where it is ``unless`` by another name, only remove the name.

    What a disk keeps of blocks that it replaced by itself is out of reach.
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
    """Wait until a file, or the names in a folder, are on the disk."""
    if file.is_dir() and os.name != "posix":
        return  # only a file can be waited for
    handle = os.open(file, os.O_RDONLY if file.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _with_ends(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in ENDS]

"""The temporary folder of this process, for what must not stay: uploads, unpacked voice notes and photos.

It is removed when the process ends, or, if that was killed, when the next one makes its own. The process
holds a lock on a file in the folder: where the lock is free, the process has ended. A process id and a start
time would not tell that: setting the clock changes the time, and containers have the same ids.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Lock

from filelock import FileLock, Timeout

from minirag_chat.system.installing import PROGRAM
from minirag_chat.system.private_folders import OWNERS_FOLDER

_PREFIX = f"{PROGRAM}-tmp-"
_LOCK, _FILES = "lock", "files"
_making = Lock()
_own: dict[int, tuple[Path, FileLock]] = {}  # by process id: a forked process needs another


def own_folder() -> Path:
    """The folder, for its owner only; made when first needed. Those of ended processes are removed then."""
    with _making:
        folder, _ = _own.get(os.getpid(), (None, None))
        if folder is None or not (folder / _FILES).is_dir():
            remove_leftovers()
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
            lock = FileLock(folder / _LOCK, thread_local=False)
            lock.acquire(blocking=False)
            _own[os.getpid()] = folder, lock
            (folder / _FILES).mkdir(OWNERS_FOLDER)  # not before: without it, nobody takes the lock
        return folder / _FILES


def remove_own_folder() -> None:
    """Remove the folder with everything in it."""
    folder, lock = _own.pop(os.getpid(), (None, None))
    if folder and lock:
        _remove(folder, lock)


def remove_leftovers() -> None:
    """Remove the folders of processes that have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(Timeout, OSError):  # its process runs; or it is another user's
            if not folder.is_symlink() and (folder / _FILES).is_dir():
                lock = FileLock(folder / _LOCK)
                lock.acquire(blocking=False)
                _remove(folder, lock)


def _remove(folder: Path, lock: FileLock) -> None:
    shutil.rmtree(folder / _FILES, ignore_errors=True)
    lock.release()  # Windows removes no file that is open
    shutil.rmtree(folder, ignore_errors=True)


atexit.register(remove_own_folder)

"""Lets one program at a time get a model: two would take away what the other has downloaded or converted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from minirag_chat.errors import ModelError
from minirag_chat.system.private_folders import make_folder


@contextmanager
def install_lock(name: str, model_dir: Path) -> Iterator[None]:
    """Hold the lock on a model; its file stays. Raises ``ModelError`` if another program or thread has it."""
    lock = FileLock(make_folder(model_dir) / f".{name}.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout as error:
        raise ModelError(
            f"Another program is getting {name} right now: wait until it has ended, then try again."
        ) from error
    try:
        yield
    finally:
        lock.release()

"""Where tests keep their files: in memory, where there is room."""

from __future__ import annotations

import shutil
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")  # noqa: S108  # what is made in it has a name of its own
ROOM = 4 << 30  # bytes, several times what a run has at a time


def in_memory() -> Path | None:
    """A folder in memory, where there is one with room: thousands of files are made and removed."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOM:
        return None
    return MEMORY if psutil.virtual_memory().available > ROOM else None

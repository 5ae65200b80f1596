"""The folder of this process in which an uploaded file waits until it is imported.

It is removed when the page ends, or, if the page was killed, when the next one starts. Gradio removes files
there that nobody imports.
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

MIB = 1024 * 1024
_NAME = re.compile(r"minirag-chat-uploads-(\d+)-(\d+)-")


def make_folder() -> Path:
    """Make the folder, readable by its owner only; remove those of pages that have ended."""
    remove_leftovers()
    process = psutil.Process()
    prefix = f"minirag-chat-uploads-{process.pid}-{int(process.create_time())}-"
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def remove_leftovers() -> None:
    """Remove the folders whose process has ended."""
    for folder in Path(tempfile.gettempdir()).glob("minirag-chat-uploads-*"):
        known = _NAME.match(folder.name)
        if known and not _runs(int(known[1]), int(known[2])):
            shutil.rmtree(folder, ignore_errors=True)


def take(files: Sequence[str]) -> list[Path]:
    """Move files to where Gradio does not look for what nobody imports: an import may take long."""
    taken = []
    for file in map(Path, files):
        folder = Path(tempfile.mkdtemp(prefix="import-", dir=file.parent))
        taken.append(file.replace(folder / file.name))
    return taken


def waiting_bytes(folder: Path) -> int:
    """The size of all files that wait in ``folder``; one that is removed meanwhile counts as 0."""
    sizes = 0
    for file in folder.rglob("*"):
        with suppress(FileNotFoundError):
            sizes += file.lstat().st_size if file.is_file() else 0
    return sizes


def _runs(pid: int, begun: int) -> bool:
    try:
        return int(psutil.Process(pid).create_time()) == begun
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # somebody else's process has that id: we cannot tell
        return True

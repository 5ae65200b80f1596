"""Uploaded files: they wait in the temporary folder of this process until they are imported.

Gradio removes those that nobody imports.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from minirag_chat.system.temporary import own_folder

MIB = 1024 * 1024


def make_folder() -> Path:
    """Make the folder of a page, readable by its owner only."""
    return Path(tempfile.mkdtemp(prefix="uploads-", dir=own_folder()))


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

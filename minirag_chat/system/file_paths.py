"""Paths as callers give them."""

from __future__ import annotations

from pathlib import Path

from minirag_chat.errors import UnreadableFile


def given_path(path: str | Path) -> Path:
    """The path, unless it is an empty text, which would mean the current folder.

    Raises ``UnreadableFile``.
    """
    if isinstance(path, str) and not path.strip():
        raise UnreadableFile(
            "The path is empty: name a file, a zip or a folder, or write . for this folder."
        )
    return Path(path)

"""Folders that only their owner may look into: messages, and what was made of them, lie there."""

from __future__ import annotations

from pathlib import Path

OWNER_ONLY, OWNERS_FOLDER = 0o600, 0o700


def make_folder(folder: Path) -> Path:
    """Make a folder with those above it that are missing; returns it. What is there stays as it is."""
    for each in (*reversed(folder.parents), folder):
        if not each.is_dir():
            each.mkdir(mode=OWNERS_FOLDER, exist_ok=True)
    return folder

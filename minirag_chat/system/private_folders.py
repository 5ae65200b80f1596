"""Creates folders that only their owner may read, for messages and data derived from them."""

from __future__ import annotations

from pathlib import Path

OWNER_ONLY, OWNERS_FOLDER = 0o600, 0o700


def make_folder(folder: Path) -> Path:
    """Create a folder with its missing parents; returns it. Existing folders keep their permissions."""
    for each in (*reversed(folder.parents), folder):
        if not each.is_dir():
            each.mkdir(mode=OWNERS_FOLDER, exist_ok=True)
    return folder

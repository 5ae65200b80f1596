"""Everything that affects a figure: model, settings, code, data, versions, machine, date."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from minirag_chat.bench.dataset import Dataset
from minirag_chat.models import choose_model, machine
from minirag_chat.models.adapter import adapter_of
from minirag_chat.models.choose import model_folder
from minirag_chat.models.embedder import embedder_name
from minirag_chat.settings import Settings
from minirag_chat.system.installing import installed
from minirag_chat.system.passphrase import environment_without_passphrases

PACKAGE = Path(__file__).parents[1]
LIBRARIES = (
    "minirag-chat", "torch", "transformers", "bitsandbytes", "sentence-transformers",
    "snowballstemmer", "dateparser", "networkx", "numpy", "scikit-learn",
)  # fmt: skip
NOT_SHAPING = {"db", "postgres", "model_dir", "server_key", "max_file_mb", "max_question_chars"}
INDEXING = ("embedder", "time_zone", "session_gap_minutes", "chunk_messages", "chunk_overlap",
            "chunk_tokens")  # fmt: skip
_SHAPING_FILES = {".py", ".sql", ".json", ".txt", ".safetensors"}
FACES = ("bench", "cli", "show")
INDEXERS = (
    "common_words.py", "extract", "importers", "ingest", "models/catalog.py", "models/embedder.py",
    "names.py", "records/imports.py", "records/stored.py", "store", "times",
)  # fmt: skip


def shaping(settings: Settings) -> dict[str, Any]:
    """The settings that can change an answer, as JSON values."""
    values = settings.model_dump(mode="json", exclude=NOT_SHAPING)
    return {**values, "without": sorted(values["without"])}


def run_key(corpus: Dataset, settings: Settings) -> dict[str, str]:
    """What must be equal for two answers to belong in one table."""
    return {
        "messages": corpus.messages_hash,
        "questions": corpus.questions_hash,
        "settings": _digest(json.dumps(shaping(settings), sort_keys=True)),
        "model": model_facts(settings)["hash"],
        "code": code_hash(),
    }


def index_key(corpus: Dataset, settings: Settings) -> str:
    """What must be equal for two runs to share an index."""
    chosen = {name: shaping(settings)[name] for name in INDEXING}
    return _digest(corpus.messages_hash + json.dumps(chosen, sort_keys=True) + code_hash(INDEXERS))


def short(key: Mapping[str, str]) -> str:
    """Eight digits that identify a run's key."""
    return _digest(json.dumps(dict(key), sort_keys=True))[:8]


def circumstances(corpus: Dataset, settings: Settings, seed: int) -> dict[str, Any]:
    """All circumstances of a run, for ``run.json``."""
    return {
        "date": datetime.now().isoformat(timespec="seconds"),
        "corpus": corpus.name,
        "seed": seed,
        "model": model_facts(settings),
        "embedder": embedder_name(settings),
        "settings": shaping(settings),
        "commit": commit(),
        "machine": machine_facts(),
        "versions": {name: installed(name) or "" for name in LIBRARIES}
        | {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version},
    }


def model_facts(settings: Settings) -> dict[str, str]:
    """The reader's name, and a SHA-256 over its files; for a server's model, over its name only."""
    choice = choose_model(settings)
    if choice.card is None:
        return {"name": choice.name, "hash": _digest(f"{choice.kind} {choice.name}")}
    folder = model_folder(choice.card, settings.model_dir)
    files = sorted(p for p in folder.iterdir() if p.is_file())
    adapter = adapter_of(choice.card.name)
    files += [adapter.path] if adapter else []
    return {"name": choice.name, "hash": _files_hash(files)}


def machine_facts() -> dict[str, Any]:
    """Cores, memory, GPU, processor, and the machine's current load."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else ()
    threads = os.environ.get("OMP_NUM_THREADS", "")
    return {
        **{k: round(v, 1) if isinstance(v, float) else v for k, v in asdict(machine()).items()},
        "processor": _processor(),
        "system": platform.platform(),
        "load": [round(value, 1) for value in load],
        "omp_threads": threads,
    }


def code_hash(parts: Sequence[str] = ()) -> str:
    """A hash over code and weights of the package, without ``FACES``, or over ``parts`` (files and folders).

    Figures of changed code differ in it, also outside git and before a commit.
    """
    files = [
        path
        for path in sorted(PACKAGE.rglob("*"))
        if path.suffix in _SHAPING_FILES and _counts(path, parts)
    ]
    return _files_hash(files)


def _counts(path: Path, parts: Sequence[str]) -> bool:
    inside = path.relative_to(PACKAGE)
    if not parts:
        return inside.parts[0] not in FACES
    return any(inside.is_relative_to(part) for part in parts)


def commit() -> str:
    """The git commit of the code, with ``+`` if files were changed since; empty outside git."""
    git = shutil.which("git")
    if git is None or not (PACKAGE.parent / ".git").exists():
        return ""
    try:
        head = _run(git, "rev-parse", "HEAD")
        return head[:12] + ("+" if _run(git, "status", "--porcelain", "--", PACKAGE.name) else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _run(git: str, *command: str) -> str:
    done = subprocess.run(  # noqa: S603 - a fixed command
        [git, "-C", str(PACKAGE.parent), *command],
        capture_output=True, text=True, timeout=10, check=True, env=environment_without_passphrases(),
    )  # fmt: skip
    return done.stdout.strip()


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor()
    return next(
        (
            line.split(":", 1)[1].strip()
            for line in text.splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )


def _files_hash(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode())
        with path.open("rb") as opened:
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    return digest.hexdigest()[:16]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]

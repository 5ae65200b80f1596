"""The checks of ``doctor``: models, libraries, the database, disks, and what to do about problems.

They only look: no model is loaded, no file changed, no message read, and no network used except the
usual ports of model servers on this machine.
"""

from __future__ import annotations

import platform
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from shlex import quote

from minirag_chat.doctor.check_result import CheckResult, State
from minirag_chat.doctor.servers import allowed_server, local_servers
from minirag_chat.errors import MiniRagChatError
from minirag_chat.models.catalog import DEFAULT_ON_CPU, DEFAULT_ON_GPU, find_card
from minirag_chat.models.choose import Machine, choose_model, list_models, machine
from minirag_chat.models.embedder import absent_embedder, embedder_folder, embedder_name
from minirag_chat.models.memory_use import GB, Gpu, ask_driver, why_no_gpu
from minirag_chat.models.ranker import find_ranker
from minirag_chat.settings import Settings
from minirag_chat.store.database_status import (
    DatabaseStatus,
    database_status,
    postgres_database_status,
)
from minirag_chat.system import passphrase
from minirag_chat.system.installing import how_to_add, how_to_install, installed
from minirag_chat.ui_text import count

OLDEST_PYTHON = (3, 11)
LOW_MEMORY_GB, LOW_DISK_GB = 1.0, 1.0
PREPARING_GB = 6.0
"""Disk space in GB that preparing a model needs for a while."""
EXTRAS: Mapping[str, tuple[str, str]] = {
    "mcp": ("mcp", "assistants, `minirag-chat mcp`"),
    "notebook": ("jupyterlab", "notebooks"),
    "postgres": ("psycopg", "messages in PostgreSQL, `--db postgresql://…`"),
    "server": ("prometheus_client", "metrics and a log in JSON, for operators"),
    "encrypted": ("sqlcipher3", "a database that is encrypted on the disk, `minirag-chat encrypt`"),
}
"""Optional extras: a library by which each is recognised, and its purpose."""


@dataclass(frozen=True, slots=True)
class Examination:
    """All checks."""

    findings: tuple[CheckResult, ...]

    @property
    def can_answer(self) -> bool:
        """Whether nothing that is needed for an answer is missing."""
        return all(finding.state != "missing" for finding in self.findings)


def examine(settings: Settings) -> Examination:
    """Run all checks."""
    host = machine()
    reader = _reader(settings, host)
    database = (
        postgres_database_status(settings.postgres)
        if settings.postgres
        else database_status(settings.db)
    )
    return Examination(
        (
            _python(),
            _program(),
            _torch(),
            _gpu(host),
            _memory(host),
            reader,
            _four_bits(reader),
            _models(settings),
            allowed_server(settings),
            local_servers(settings),
            _embedder(settings, database),
            _ranker(settings, database),
            _database(settings, database),
            *_disks(settings),
            _page(),
            *(_extra(name) for name in EXTRAS),
        )
    )


def _python() -> CheckResult:
    name = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info >= OLDEST_PYTHON:
        return CheckResult("Python", "ok", name)
    oldest = ".".join(map(str, OLDEST_PYTHON))
    return CheckResult("Python", "missing", name, f"Install Python {oldest} or later.")


def _program() -> CheckResult:
    version = installed("minirag-chat")
    folder = Path(__file__).parents[1]
    if version:
        return CheckResult(
            "minirag-chat", "ok", f"{version} in {folder}", details={"version": version}
        )
    return CheckResult("minirag-chat", "ok", f"not installed, run from its source in {folder}")


def _torch() -> CheckResult:
    version = installed("torch")
    if version is None:
        return CheckResult("torch", "missing", "not installed", f"Run `{how_to_install('torch')}`.")
    build, size = _torch_build(), _package_gb("torch")
    text = f"{version}, for {build}; {size:.1f} GB of disk"
    return CheckResult("torch", "ok", text, details={"build": build, "disk_gb": size})


def _package_gb(name: str) -> float:
    """The size of an installed package in GB, by its list of files."""
    rows = (distribution(name).read_text("RECORD") or "").splitlines()
    sizes = (row.rpartition(",")[2] for row in rows)
    return sum(int(size) for size in sizes if size.isdigit()) / GB


def _torch_build() -> str:
    """The build of torch (CPU or CUDA), from its version file, without importing it."""
    spec = find_spec("torch")
    file = Path(spec.origin).with_name("version.py") if spec and spec.origin else None
    text = file.read_text(encoding="utf-8") if file and file.is_file() else ""
    for name, called in (("cuda", "CUDA"), ("hip", "ROCm"), ("xpu", "XPU")):
        if made_for := re.search(rf"^{name}\b[^=]*= '([^']+)'", text, re.MULTILINE):
            return f"{called} {made_for[1]}"
    return "CPUs alone" if platform.system() != "Darwin" else "this Mac"


def _gpu(host: Machine) -> CheckResult:
    if host.gpu:
        text = f"{host.gpu} with {host.vram_gb:.0f} GB ({host.vram_free_gb:.0f} GB free) is used"
        return CheckResult("GPU", "ok", text, details={"seen": True, "usable": True})
    seen: Gpu | None = ask_driver()
    if seen is None:
        text = "no CUDA GPU is seen: models read on the CPU"
        return CheckResult("GPU", "ok", text, details={"seen": False, "usable": False})
    why = why_no_gpu() or "it could not be looked at"
    remedy = "Install a CUDA build of torch (https://pytorch.org/get-started/locally)."
    if "CUDA_VISIBLE_DEVICES" in why:
        remedy = "Unset CUDA_VISIBLE_DEVICES."
    text = f"{seen.name} with {seen.memory_gb:.0f} GB is seen and not used: {why}"
    return CheckResult("GPU", "could be better", text, remedy, {"seen": True, "usable": False})


def _memory(host: Machine) -> CheckResult:
    text = f"{host.available_gb:.1f} of {host.memory_gb:.1f} GB free, {host.cores} cores"
    figures = {
        "free_gb": host.available_gb,
        "total_gb": host.memory_gb,
        "cores": host.cores,
    }
    if host.available_gb >= LOW_MEMORY_GB:
        return CheckResult("memory", "ok", text, details=figures)
    return CheckResult("memory", "could be better", text, "Close other programs.", figures)


def _reader(settings: Settings, host: Machine) -> CheckResult:
    """The model that would read, and why."""
    try:
        choice = choose_model(settings, host)
    except MiniRagChatError as error:
        remedy = "Do what it says, or set MINIRAG_CHAT_MODEL=auto."
        return CheckResult("reader", "missing", str(error), remedy)
    details = {"kind": choice.kind, "name": choice.name, "reason": choice.reason}
    text = f"{choice.name}: {choice.reason}"
    if choice.kind != "extractive" or settings.model == "extractive":
        return CheckResult("reader", "ok", text, details=details)
    card = find_card(DEFAULT_ON_GPU if host.gpu else DEFAULT_ON_CPU)
    remedy = (
        f"`minirag-chat models get {card.name}`: a download of {card.download_mb:,} MB; it needs "
        f"{PREPARING_GB:.0f} GB of disk for a while and {card.memory_gb:.1f} GB of memory to read."
    )
    if "no installed model has room" in choice.reason:
        remedy = "Close other programs, or get a smaller model: `minirag-chat models` lists them."
    return CheckResult("reader", "could be better", text, remedy, details)


def _four_bits(reader: CheckResult) -> CheckResult:
    """The library for models in 4 bits; other readers do not need it."""
    version = installed("bitsandbytes")
    if version:
        return CheckResult("bitsandbytes", "ok", version)
    needed = reader.details.get("kind") == "transformers"
    state: State = "missing" if needed else "could be better"
    remedy = f"Run `{how_to_install('bitsandbytes')}`."
    return CheckResult("bitsandbytes", state, "not installed", remedy)


def _models(settings: Settings) -> CheckResult:
    """The installed language models."""
    models = [s for s in list_models(settings) if s.path and s.card.kind == "chat"]
    each = [
        f"{s.card.name} ({_folder_gb(s.path):.1f} GB of disk, {s.needs_gb:.1f} GB of memory"
        f"{'' if s.fits else ', which is too much here'})"
        for s in models
        if s.path
    ]
    figures = {
        s.card.name: {"path": s.path, "needs_gb": s.needs_gb, "fits": s.fits} for s in models
    }
    text = ", ".join(each) or f"none in {settings.model_dir}"
    return CheckResult("models here", "ok", text, details=figures)


def _folder_gb(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / GB


def _embedder(settings: Settings, database: DatabaseStatus) -> CheckResult:
    """The embedder, which every question and every import needs."""
    try:
        card = find_card(embedder_name(settings, database.embedder), "embedder")
    except MiniRagChatError as error:
        return CheckResult("embedder", "missing", str(error), "Set MINIRAG_CHAT_EMBEDDER to one.")
    folder = embedder_folder(card, settings.model_dir)
    if folder is not None:
        return CheckResult("embedder", "ok", f"{card.name} in {folder}")
    remedy = f"`minirag-chat models get {card.name}`: a download of {card.download_mb:,} MB."
    return CheckResult("embedder", "missing", f"{card.name} is not here", remedy)


def _ranker(settings: Settings, database: DatabaseStatus) -> CheckResult:
    found = find_ranker(settings, database.embedder)
    if found is not None:
        card, _encoder = found
        return CheckResult("ranker", "ok", f"the package's own, for {card.name}")
    remedy = "Install minirag-chat again: answers are worse without it."
    return CheckResult(
        "ranker", "could be better", "its weights or its encoder are missing", remedy
    )


def _database(settings: Settings, status: DatabaseStatus) -> CheckResult:
    """The messages: whether the file opens, and whether all of it is indexed."""
    figures = {
        "path": status.path, "size_bytes": status.size_bytes, "messages": status.messages,
        "chunks": status.chunks, "without_vector": status.without_vector, "embedder": status.embedder,
        "open_to_others": status.open_to_others, "writable": status.writable,
        "encrypted": status.encrypted,
    }  # fmt: skip
    if status.problem:
        return CheckResult("database", "missing", status.problem, "Do what it says.", figures)
    encrypted = "encrypted" if status.encrypted else "not encrypted by this program"
    if not settings.postgres and not status.encrypted:
        encrypted = "not encrypted"
    size = f"{status.size_bytes / 1e6:.1f} MB, {count(status.messages, 'message')}, {encrypted}"
    text = f"{status.path} ({size})" if status.exists else f"there is none at {status.path}"
    if not status.messages:
        remedy = "Import your chats: `minirag-chat add PATH`."
        return CheckResult("database", "missing", text, remedy, figures)
    state, said, remedy = _imperfect(status, settings)
    return CheckResult("database", state, text + said, remedy, figures)


def _imperfect(status: DatabaseStatus, settings: Settings) -> tuple[State, str, str]:
    """A problem of a database with messages, in words, and the remedy."""
    wanted = embedder_name(settings, status.embedder)
    if status.embedder != wanted:
        said = f", indexed by {status.embedder or 'nothing'} and not by {wanted}"
        absent = absent_embedder(settings, status.embedder)
        fetch = f"`minirag-chat models get {absent}`, or to index all anew " if absent else ""
        return "could be better", said, f"Run {fetch}`minirag-chat index`."
    if status.without_vector or status.lacking:
        return "could be better", *_not_indexed(status)
    if status.open_to_others:
        remedy = f"Run `chmod 600 {quote(str(status.path))}`."
        return "could be better", ", which others may read", remedy
    if not settings.postgres and not status.encrypted and passphrase.said(status.path) is not None:
        text = ", which is not encrypted although a passphrase is set"
        return "could be better", text, "Run `minirag-chat encrypt`."
    if not status.writable:
        said = ", which cannot be written"
        return "could be better", said, "Make it and its folder writable to import more."
    return "ok", ", all of it indexed", ""


def _not_indexed(status: DatabaseStatus) -> tuple[str, str]:
    """What is missing from the index, and the remedy."""
    if status.without_vector:
        said = f", {status.without_vector:,} of {status.chunks:,} passages not indexed"
        return said, "Run `minirag-chat index`."
    said = ", whose many vectors are compared in memory"
    return said, f"{status.lacking[0].upper()}{status.lacking[1:]}."


def _disks(settings: Settings) -> list[CheckResult]:
    models = _disk("disk for models", settings.model_dir, PREPARING_GB)
    if settings.postgres:  # its disk is the server's
        return [models]
    return [_disk("disk for the database", settings.db.parent, LOW_DISK_GB), models]


def _disk(name: str, folder: Path, wanted_gb: float) -> CheckResult:
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    free = shutil.disk_usage(there).free / GB
    text, figures = f"{free:.1f} GB free in {folder}", {"path": folder, "free_gb": free}
    if free >= wanted_gb:
        return CheckResult(name, "ok", text, details=figures)
    remedy = f"Free some: {wanted_gb:.0f} GB are needed, or choose another folder in the settings."
    return CheckResult(name, "could be better", text, remedy, figures)


def _page() -> CheckResult:
    version = installed("gradio")
    if version:
        return CheckResult("page", "ok", f"gradio {version}, for `minirag-chat page`")
    remedy = f"Run `{how_to_install('gradio')}`."
    return CheckResult("page", "could be better", "gradio is not installed", remedy)


def _extra(name: str) -> CheckResult:
    library, use = EXTRAS[name]
    version = installed(library) if find_spec(library) else None
    if version:
        return CheckResult(f"extra {name}", "ok", f"{library} {version}, for {use}")
    remedy = f"`{how_to_add(name)}` where you want it."
    return CheckResult(f"extra {name}", "ok", f"not installed; it is for {use}", remedy)

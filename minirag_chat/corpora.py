"""The sample corpora of the package; and a public one that is not shipped, downloaded on request."""

from __future__ import annotations

import hashlib
import shutil
from importlib.resources import files
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from minirag_chat.errors import ImportFailed

LIHUAWORLD_URL = (
    "https://raw.githubusercontent.com/HKUDS/MiniRAG/main/dataset/LiHua-World/data/LiHuaWorld.zip"
)
LIHUAWORLD_SHA256 = "aac215cda60dd4aefb37fb8da8e68cee7ba1178c11056adc185dafbc79d7941e"
MOST_BYTES = 64 * 1024 * 1024
SECONDS = 20.0


def samples_folder() -> Path:
    """The folder of the sample corpora: in the installed package, or in the checkout."""
    package = Path(str(files("minirag_chat")))
    packed = package / "samples"  # pyproject.toml puts it there
    return packed if packed.is_dir() else package.parent / "corpora"


def get_lihuaworld(folder: Path, source: Path | None) -> Path:
    """Put LiHuaWorld (MIT, HKUDS/MiniRAG) into ``folder``/lihuaworld/data; returns that folder.

    Its questions belong next to ``data``, where ``bench`` looks for them.

    ``source`` is the zip, or a folder with the logs, if the user has it already. A zip must have the
    known SHA-256. Raises ``ImportFailed``, which says what to do.
    """
    target = folder / "lihuaworld" / "data"
    if source is not None and source.is_dir():
        if not any(source.rglob("*.txt")):
            raise ImportFailed(
                f"{source} holds no .txt logs: name the folder of LiHuaWorld's data."
            )
        shutil.copytree(source, target, dirs_exist_ok=True)
        return target
    archive = source.read_bytes() if source is not None and source.is_file() else None
    if source is not None and archive is None:
        raise ImportFailed(f"{source} does not exist: name LiHuaWorld.zip or its folder.")
    archive = archive if archive is not None else _download()
    if hashlib.sha256(archive).hexdigest() != LIHUAWORLD_SHA256:
        raise ImportFailed(
            "The archive is not the LiHuaWorld that is known (its SHA-256 differs): nothing was "
            "unpacked; download it again, or pass the folder of its logs with --from."
        )
    _unpack(archive, target)
    return target


def _download() -> bytes:
    import httpx

    try:
        answer = httpx.get(LIHUAWORLD_URL, timeout=SECONDS, follow_redirects=True)
        answer.raise_for_status()
    except httpx.HTTPError as error:
        raise ImportFailed(
            f"LiHuaWorld could not be fetched ({type(error).__name__}): download LiHuaWorld.zip of "
            "HKUDS/MiniRAG by other means and pass it with --from."
        ) from error
    return answer.content


def _unpack(archive: bytes, target: Path) -> None:
    from io import BytesIO

    try:
        with ZipFile(BytesIO(archive)) as opened:
            if sum(item.file_size for item in opened.infolist()) > MOST_BYTES:
                raise ImportFailed(
                    "The archive is too large to be LiHuaWorld: nothing was unpacked."
                )
            opened.extractall(target)
    except BadZipFile as error:
        raise ImportFailed("The archive is not a zip file: download it again.") from error

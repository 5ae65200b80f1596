"""A database with a secret in it, plain and encrypted, for the tests of both."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from commands import run_command
from fakes import ScriptedModel, WordEmbedder
from places import write_log
from stored import raw

from minirag_chat import ChatMemory, Settings
from minirag_chat.memory.encrypting import encrypt
from minirag_chat.system import passphrase

WORDS = "correct horse battery"
SECRET = "xylophone77"  # noqa: S105 - no secret
LOG = {
    f"202603{day:02}_1000": tuple(
        f"{who}: The {SECRET} number {day * 20 + n} lies in Secretville."
        for n, who in enumerate(("KatyaMoor", "NinaVale") * 6)
    )
    for day in range(1, 29)
}
MORE = {"20260401_1000": ("KatyaMoor: A word for you.", "NinaVale: Thank you!")}


@pytest.fixture(autouse=True)
def nobody_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No passphrase comes from where the tests run."""
    monkeypatch.delenv(passphrase.VARIABLE, raising=False)
    monkeypatch.setattr(passphrase, "remembered", lambda _: None)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain")
    with opened(folder / "chats.db") as memory:
        memory.add(write_log(folder / "log", LOG))
    assert SECRET.encode() in raw(folder / "chats.db")
    return folder / "chats.db"


@pytest.fixture(scope="module")
def secret(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("secret") / "chats.db"
    shutil.copyfile(plain, file)
    encrypt(file, WORDS)
    passphrase.give(file, None)
    return file


def opened(file: Path, **options: Any) -> ChatMemory:
    chosen = Settings(db=file, model="extractive", model_dir=file.parent)
    return ChatMemory.open(
        file, chosen, embedder=WordEmbedder(), chat_model=ScriptedModel(), **options
    )


def copy_of(file: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copyfile(file, folder / "chats.db")
    return folder / "chats.db"


def command(file: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    no_keyring = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring", "COLUMNS": "300"}
    return run_command("--db", str(file), *words, environment={**no_keyring, **environment})


def reads(file: Path) -> str:
    """All bytes in a folder, in lower case, as a search for strings sees them."""
    found = b"\0".join(each.read_bytes() for each in file.parent.iterdir())
    return found.decode("latin-1").lower()

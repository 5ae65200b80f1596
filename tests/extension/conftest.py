"""A real Jupyter server in this process, with the extension, the real engine and a scripted model."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedModel, WordEmbedder
from jupyter_process import Jupyter, jupyter
from places import SMALL, write_log
from slow_server import SlowServer

from minirag_chat import ChatMemory
from minirag_chat.memory.remote import RemoteMemory
from minirag_chat.models.loaded import LoadedModels

pytest.importorskip("pytest_jupyter", reason="pytest-jupyter is not installed")
from pytest_jupyter.jupyter_server import *  # noqa: F403 - its fixtures, for this folder only


@pytest.fixture
def jp_server_config() -> dict[str, Any]:
    return {"ServerApp": {"jpserver_extensions": {"minirag_chat_jupyter": True}}}


@pytest.fixture(autouse=True)
def own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the database or the models of whoever runs it."""
    monkeypatch.setenv("MINIRAG_CHAT_DB", str(tmp_path / "default.db"))
    monkeypatch.setenv("MINIRAG_CHAT_MODEL", "extractive")


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel("Walter Quint tunes the piano for 90 euros.")


@pytest.fixture
def databases(jp_serverapp: Any, model: ScriptedModel, jp_root_dir: Path) -> Any:
    """What the server shares, with a small log and a database of it below the root."""
    shared = jp_serverapp.web_app.settings["minirag_chat_databases"]
    shared.models = LoadedModels(shared.settings, WordEmbedder(), model)
    write_log(jp_root_dir / "log", SMALL)
    shared.open("chats.db", create=True).memory.add(jp_root_dir / "log")
    yield shared
    shared.close()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """An export that the server must not read."""
    folder = tmp_path / "private"
    write_log(folder, SMALL)
    shutil.copy(next(folder.glob("*.txt")), folder / "one.txt")
    return folder


@pytest.fixture
def address(databases: Any, http_server_client: Any, jp_base_url: str) -> str:
    """Where the extension is served."""
    return f"{http_server_client.get_url(jp_base_url)}minirag-chat/"


@pytest.fixture
def token(jp_serverapp: Any) -> str:
    return str(jp_serverapp.identity_provider.token)


@pytest.fixture(scope="module")
def speaker() -> Iterator[SlowServer]:
    """The model server that the Jupyter server asks."""
    with SlowServer() as made:
        yield made


@pytest.fixture(scope="module")
def server(speaker: SlowServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jupyter]:
    """A Jupyter server in a process of its own, with a small log below its root."""
    home = tmp_path_factory.mktemp("jupyter")
    root = home / "root"
    write_log(root / "log", SMALL)
    with jupyter("server", home, root, speaker.environment) as running:
        yield running


@pytest.fixture
def remote(
    server: Jupyter,
    speaker: SlowServer,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[RemoteMemory]:
    """A memory of its own in that server, with the log in it."""
    speaker.says("Walter Quint tunes the piano.")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", server.environment["JUPYTER_RUNTIME_DIR"])
    monkeypatch.setenv("JPY_PARENT_PID", str(server.pid))
    name = re.sub(r"\W+", "-", request.node.name)
    with ChatMemory.connect(server.root / f"{name}.db") as connected:
        connected.add(server.root / "log")
        yield connected

"""A real Jupyter server in this process, with the extension, the real engine and a scripted model."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log

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

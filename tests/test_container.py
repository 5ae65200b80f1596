"""The container: what its Dockerfile says holds, and the script that runs it without docker reads it.

Nothing is installed here: `make container` does that.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT
from typer.testing import CliRunner

from minirag_chat.cli import app
from minirag_chat.errors import BadSetting
from minirag_chat.settings import PREFIX, Settings

DOCS = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("container", ROOT / ".ci" / "container.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["container"] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def image(script: ModuleType) -> dict[str, list[str]]:
    """word → what stands behind it, each time."""
    found: dict[str, list[str]] = {}
    for step in script.steps((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        found.setdefault(step.word, []).append(step.rest)
    return found


def test_it_is_no_root_keeps_the_database_and_says_how_it_is(image: dict[str, list[str]]) -> None:
    assert image["USER"][-1] not in {"root", "0"}
    assert image["VOLUME"] == ["/data"]
    assert image["EXPOSE"] == ["7860"]
    assert "127.0.0.1:7860" in image["HEALTHCHECK"][0]


def test_its_settings_and_its_command_are_ours(
    script: ModuleType, image: dict[str, list[str]]
) -> None:
    (step,) = (s for s in script.steps((ROOT / "Dockerfile").read_text("utf-8")) if s.word == "ENV")
    ours = {
        name.removeprefix(PREFIX).lower()
        for name in script.variables(step)
        if name.startswith(PREFIX)
    }
    assert ours <= set(Settings.model_fields)
    assert script.variables(step)["MINIRAG_CHAT_DB"].startswith("/data/")
    program, *arguments = script.command_of(script.Step("CMD", image["CMD"][-1]))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert program in project["scripts"]
    assert CliRunner().invoke(app, [*arguments, "--help"]).exit_code == 0


def test_what_the_wheel_is_built_of_is_sent_and_little_else(
    script: ModuleType, image: dict[str, list[str]]
) -> None:
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    for sent in ("pyproject.toml", "README.md", "LICENSE", "constraints.txt", "minirag_chat/cli/page.py",
                 "minirag_chat/models/adapters/ranker.safetensors", "corpora/osselmere/log/x.txt",
                 "extension/minirag_chat_jupyter/__init__.py"):  # fmt: skip
        assert script.is_sent(sent, ignore), sent
    for kept in (".git/config", ".venv/bin/python", "chats.db", "minirag_chat/chats.db", "docs/page.md",
                 "minirag_chat/chats.db-wal", "minirag_chat/__pycache__/a.pyc", "tests/fakes.py"):  # fmt: skip
        assert not script.is_sent(kept, ignore), kept
    taken = [name for rest in image["COPY"] for name in script.copied(script.Step("COPY", rest))[0]]
    assert all((ROOT / name).exists() for name in taken)
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"][
        "build"
    ]
    wheel = build["targets"]["wheel"]
    for needed in (*wheel["packages"], *wheel["force-include"], *wheel["shared-data"]):
        assert any(needed == name or needed.startswith(f"{name}/") for name in taken), needed


def test_the_script_changes_the_places_and_the_port_of_a_command_and_nothing_else(
    script: ModuleType, image: dict[str, list[str]]
) -> None:
    root = Path("/somewhere/else")
    for command in (*image["RUN"], *image["HEALTHCHECK"], *image["CMD"]):
        run = script.moved(command, root, 7860)
        assert run.replace(str(root), "") == command
        assert script.moved(command, root, 8123).replace("8123", "7860") == run
    for word in image:
        assert word in {"FROM", "ARG", "RUN", "WORKDIR", "COPY", "ENV", "USER", "VOLUME", "EXPOSE",
                        "HEALTHCHECK", "CMD"}, f"{word} is not known to .ci/container.py"  # fmt: skip


def test_where_no_page_answers_it_is_not_healthy(
    script: ModuleType, image: dict[str, list[str]]
) -> None:
    step = script.Step("HEALTHCHECK", script.moved(image["HEALTHCHECK"][0], Path("/x"), 1))
    _python, *rest = script.command_of(step)
    assert subprocess.run([sys.executable, *rest], capture_output=True, check=False).returncode != 0


def test_the_docs_publish_the_port_on_this_machine_alone() -> None:
    assert "docker build" in DOCS
    assert "--build-arg TORCH_BACKEND=cu" in DOCS
    assert "-p 127.0.0.1:7860:7860" in DOCS
    assert "-p 7860:7860" not in DOCS


@pytest.mark.slow
def test_a_private_page_listens_beyond_this_machine_in_a_container_alone() -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    from minirag_chat.show.page import _refuse_others

    with pytest.raises(BadSetting, match="--public"):
        _refuse_others("0.0.0.0", Settings())  # noqa: S104 - that is the point
    _refuse_others("0.0.0.0", Settings(container=True))  # noqa: S104 - the same

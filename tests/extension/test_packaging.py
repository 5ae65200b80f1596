"""Installing is enabling: what the wheel puts where Jupyter looks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from jupyter_process import environment
from places import ROOT

pytestmark = pytest.mark.process

LIST = "import sys; sys.argv = ['', 'list']; from jupyter_server.extension.serverextension import main; main()"


def test_the_wheel_puts_the_configuration_where_jupyter_looks() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "extension/minirag_chat_jupyter" in wheel["packages"]
    ((source, target),) = wheel["shared-data"].items()
    assert target == "etc/jupyter/jupyter_server_config.d"
    assert [file.name for file in (ROOT / source).iterdir()] == ["minirag_chat_jupyter.json"]


def test_jupyter_lists_the_extension_as_enabled_and_sound(tmp_path: Path) -> None:
    folder = ROOT / "extension" / "jupyter-config" / "server-config"
    shutil.copytree(folder, tmp_path / "config" / "jupyter_server_config.d")
    listed = subprocess.run(
        [sys.executable, "-c", LIST], capture_output=True, text=True, check=True,
        env={**environment(tmp_path, {}), "NO_COLOR": "1", "PATH": os.environ["PATH"]},
    )  # fmt: skip
    said = listed.stdout + listed.stderr
    assert "minirag_chat_jupyter" in said
    assert "OK" in said.partition("Validating minirag_chat_jupyter")[2].splitlines()[1]

"""The magics in IPython's terminal, which shows plain text and replaces nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import SMALL, write_log

from minirag_chat import ChatMemory, Settings

pytest.importorskip("IPython", reason="IPython is not installed")
pytestmark = pytest.mark.process

TYPED = """
from IPython.terminal.interactiveshell import TerminalInteractiveShell
shell = TerminalInteractiveShell.instance(simple_prompt=True)
for cell in ("%load_ext minirag_chat_jupyter", "%chat_open chats.db", "%chat_me Tom Hill",
             "%%ask\\nWhat is the piano tuner called?"):
    shell.run_cell(cell)
"""


def test_who_asks_and_the_answer_are_text(tmp_path: Path) -> None:
    with ChatMemory.open(tmp_path / "chats.db", Settings.make(model="extractive")) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
    environment = {**os.environ, "MINIRAG_CHAT_MODEL": "extractive", "IPYTHONDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", TYPED], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "You are Tom Hill." in done.stdout
    assert "Walter Quint" in done.stdout
    assert "display.Markdown object" not in done.stdout

"""No library that is used tells its maker about it: README promises that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

pytestmark = pytest.mark.process
_QUIET = (
    "CI",
    "ORT_DISABLE_TELEMETRY",
    "ORT_RUNNING_UNIT_TESTS",
)  # by which onnxruntime keeps silent
_LOADED = "from minirag_chat.models.onnx_session import exact_in_eight_bits; exact_in_eight_bits()"


def test_onnxruntime_makes_no_id_of_this_machine_and_sends_nothing(tmp_path: Path) -> None:
    """From 1.29 on it does both as soon as it is imported: the id is a file in the cache folder."""
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    environment = {name: value for name, value in os.environ.items() if name not in _QUIET}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for program in ("-c", _LOADED), ("-c", "import minirag_chat_jupyter, onnxruntime"):
        done = subprocess.run(
            [sys.executable, *program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "telemetry" not in done.stderr.casefold()
    assert [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name] == []

"""A real Jupyter server or JupyterLab in a process of its own, with the extension."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from places import ROOT

SECONDS = 500
"""A start takes 3 s; on a machine that does much else, minutes."""
TOKEN = "a-token-of-the-tests"  # noqa: S105 - guards nothing but a test's own server


@dataclass(frozen=True)
class Jupyter:
    """A running server."""

    url: str
    pid: int
    root: Path
    environment: Mapping[str, str]


def environment(home: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """No setting, kernel or server of whoever runs the tests is seen."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "MINIRAG", "JPY"))}
    paths = {
        f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")
    }
    return {
        **kept, **paths,
        "HOME": str(home), "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "extension", ROOT / "tests"))),
        "MINIRAG_CHAT_DB": str(home / "default.db"), "MINIRAG_CHAT_MODEL": "extractive",
        **extra,
    }  # fmt: skip


@contextmanager
def jupyter(
    what: Literal["server", "lab"], home: Path, root: Path, extra: Mapping[str, str]
) -> Iterator[Jupyter]:
    """Start it and wait until it answers; end it afterwards."""
    chosen = environment(home, extra)
    (home / "runtime").mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable, "-m", "jupyter", what, "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0",
        f"--ServerApp.root_dir={root}", f"--IdentityProvider.token={TOKEN}",
        "--ServerApp.jpserver_extensions={'minirag_chat_jupyter': True}",
        "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    if what == "server":
        command = command[:-3]
    log = (home / f"{what}.log").open("wb")
    process = subprocess.Popen(command, env=chosen, stdout=log, stderr=log, cwd=root)
    try:
        file = home / "runtime" / f"jpserver-{process.pid}.json"
        yield Jupyter(_address(file, process, home / f"{what}.log"), process.pid, root, chosen)
    finally:
        process.terminate()
        try:
            process.wait(120)
        except subprocess.TimeoutExpired:
            process.kill()
        log.close()


def _address(file: Path, process: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            return str(json.loads(file.read_text(encoding="utf-8"))["url"])
        except (OSError, ValueError):
            time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace")[-3000:])

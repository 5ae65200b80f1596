"""Commands in processes of their own, which fork from one that has imported the libraries they need.

A process that imports PyTorch takes seconds to start, and hundreds of tests start one. What forks has its
own environment, folder, streams and exit code, and imports ``minirag_chat.cli`` anew, whose consoles are
as wide as the environment says. The engine, half a second of each command, asks it for nothing then.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(
    ["torch", "sentence_transformers", "onnxruntime", "networkx", "pydantic_settings", "httpx", "typer", "rich.table",
     "minirag_chat.memory.engine"]
)  # fmt: skip
LONGEST = 300  # seconds


def run_command(
    *words: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run ``minirag-chat`` with ``words`` and nothing on its standard input.

    ``environment`` goes over that of the tests, ``folder`` is where it runs. Raises ``TimeoutExpired``.
    """
    with tempfile.TemporaryDirectory() as at:
        streams = Path(at)
        process = _SERVER.Process(
            target=_main,
            args=(words, {**os.environ, **(environment or {})}, folder or Path.cwd(), streams),
        )
        process.start()
        process.join(LONGEST)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, LONGEST)
        output, errors = ((streams / name).read_text("utf-8") for name in ("stdout", "stderr"))
        return subprocess.CompletedProcess(words, process.exitcode, output, errors)


def _main(words: tuple[str, ...], environment: dict[str, str], folder: Path, streams: Path) -> None:
    """What runs in the new process."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(streams / name, os.O_WRONLY | os.O_CREAT), number)
    sys.argv = ["minirag-chat", *words]
    runpy.run_module("minirag_chat", run_name="__main__")

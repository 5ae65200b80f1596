"""Commands in processes of their own, which fork from one that has imported the libraries they need.

A process takes a second to import them, and hundreds of tests start one. What forks has its own
environment, folder, streams and exit code, and imports ``minirag_chat.cli`` anew, whose consoles are as
wide as the environment says; the engine reads nothing of the environment when it is imported. PyTorch
is left to the few commands that need it: it takes longer to import than all others save together.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, TextIO

import pytest

COMMANDS_NEED = (
    "minirag_chat.bench.fit", "minirag_chat.bench.judge", "minirag_chat.bench.locomo", "minirag_chat.bench.paper_tables",
    "minirag_chat.bench.report", "minirag_chat.bench.scale", "minirag_chat.bench.compare_stores", "minirag_chat.corpora",
    "minirag_chat.doctor.report", "minirag_chat.memory.encrypting", "minirag_chat.store.moving", "minirag_chat.store.postgres.users",
)  # fmt: skip
"""What ``minirag_chat.cli`` imports of other packages."""
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(
    ["minirag_chat", "onnx", "onnxruntime", "tokenizers", "networkx", "pydantic_settings", "httpx", "typer", "rich.table",
     "minirag_chat.memory.engine", *COMMANDS_NEED, "commands", "warm"]
)  # fmt: skip
"""Processes of the tests fork from one that has imported these; it begins with the first of them."""
LONGEST = 300  # seconds


@cache
def _begin() -> None:
    """Begin the process that all others fork from; it finds ``warm`` beside this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        forkserver.ensure_running()


def run_command(
    *words: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    first: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run ``minirag-chat`` with ``words`` and nothing on its standard input.

    ``environment`` goes over that of the tests, ``folder`` is where it runs, ``first`` is Python to run
    there before. What is printed is read as UTF-8; other bytes become "\N{REPLACEMENT CHARACTER}". Raises
    ``TimeoutExpired``.
    """
    _begin()
    with tempfile.TemporaryDirectory() as at:
        streams = Path(at)
        process = FORKING.Process(
            target=_main,
            args=(
                words,
                {**os.environ, **(environment or {})},
                folder or Path.cwd(),
                streams,
                first,
            ),
        )
        process.start()
        process.join(LONGEST)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, LONGEST)
        output, errors = (
            (streams / name).read_text("utf-8", "replace") for name in ("stdout", "stderr")
        )
        return subprocess.CompletedProcess(words, process.exitcode, output, errors)


def _main(
    words: tuple[str, ...], environment: dict[str, str], folder: Path, streams: Path, first: str
) -> None:
    """What runs in the new process."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(streams / name, os.O_WRONLY | os.O_CREAT), number)
    if encoding := environment.get("PYTHONIOENCODING"):  # which Python reads when it begins
        sys.stdout.reconfigure(encoding=encoding)  # type: ignore[union-attr]  # a file's
        sys.stderr.reconfigure(encoding=encoding, errors="backslashreplace")  # type: ignore[union-attr]  # the same
    sys.argv = ["minirag-chat", *words]
    exec(first, {})  # noqa: S102 - of a test
    runpy.run_module("minirag_chat", run_name="__main__")


class Forked:
    """Python code in a process that forks too: ``stdin`` and ``stdout`` are lines to it and from it."""

    def __init__(self, code: str) -> None:
        _begin()
        reads, to = FORKING.Pipe(duplex=False)
        back, writes = FORKING.Pipe(duplex=False)
        given = (code, dict(os.environ), Path.cwd(), reads, writes)
        self._process = FORKING.Process(target=_run_code, args=given)
        self._process.start()
        for theirs in (reads, writes):
            theirs.close()  # so that what we read ends with the process
        self.stdin = _lines(to, "w")
        self.stdout = _lines(back, "r")

    @property
    def running(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """End it at once, as ``kill -9`` does."""
        self._process.kill()
        self.wait()

    def wait(self) -> None:
        """Wait until it has ended, and close what leads to it. Raises ``TimeoutExpired``."""
        self._process.join(LONGEST)
        if self.running:
            raise subprocess.TimeoutExpired("code", LONGEST)
        with suppress(BrokenPipeError):
            self.stdin.close()
        self.stdout.close()


def _lines(connection: Connection, mode: str) -> TextIO:
    file: TextIO = os.fdopen(os.dup(connection.fileno()), mode, buffering=1, encoding="utf-8")
    connection.close()
    return file


def _run_code(
    code: str, environment: dict[str, str], folder: Path, reads: Connection, writes: Connection
) -> None:
    """What runs in the new process."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.stdin, sys.stdout = _lines(reads, "r"), _lines(writes, "w")
    exec(code, {"__name__": "__main__"})  # noqa: S102 - of a test


class Cli:
    """Runs ``minirag-chat --db …`` in a process."""

    def __init__(self, folder: Path) -> None:
        self.db = folder / "cli.db"
        self.environment = {
            **os.environ, "MINIRAG_CHAT_MODEL": "extractive", "COLUMNS": "160", "NO_COLOR": "1",
            "MINIRAG_CHAT_MODEL_DIR": str(folder / "models"),
        }  # fmt: skip

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return run_command("--db", str(self.db), *command, environment=self.environment)

    def process(
        self, *command: str, out: IO[str], buffered: bool
    ) -> subprocess.CompletedProcess[str]:
        """In a process that writes where it is told."""
        return subprocess.run(
            [sys.executable, "-m", "minirag_chat", "--db", str(self.db), *command], stdout=out, text=True,
            env={**self.environment, "PYTHONUNBUFFERED": "" if buffered else "1"}, stderr=subprocess.PIPE,
            check=False,
        )  # fmt: skip

    def json(self, *command: str) -> Any:
        done = self.run(*command, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

"""The page as a process of its own, as a person or a container starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from browsing import free_port


@dataclass(frozen=True, slots=True)
class PageProcess:
    """A running page; ``log`` has what it said on standard error."""

    process: subprocess.Popen[str]
    address: str
    log: Path


@contextmanager
def page_process(
    log: Path, environment: Mapping[str, str] | None = None, *, port: int | None = None
) -> Iterator[PageProcess]:
    """Start a page and wait until it listens; end it as Ctrl-C would. ``environment`` goes over that here."""
    at = str(port or free_port())
    command = [sys.executable, "-m", "minirag_chat", "page", "--no-browser", "--json", "--port"]
    with (
        log.open("w", encoding="utf-8") as errors,
        subprocess.Popen(
            [*command, at], stdout=subprocess.PIPE, stderr=errors, text=True,
            env={**os.environ, **(environment or {})},
        ) as process,
    ):  # fmt: skip
        try:
            assert process.stdout is not None
            while at not in (line := process.stdout.readline()):
                assert line, log.read_text("utf-8")
            yield PageProcess(process, f"http://127.0.0.1:{at}/", log)
            process.terminate()
            process.wait(120)
        finally:
            process.kill()

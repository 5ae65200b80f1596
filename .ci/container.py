"""Run the steps of the Dockerfile without docker: in a clean folder, with the same commands.

``python .ci/container.py FOLDER`` makes FOLDER, lays the files that the image gets there, runs its
commands, starts the page, checks its health, and stops it. The folder stands for the image's root:
/app, /data and /opt are inside it. ``useradd`` and ``chown`` do nothing, since this machine's users are
none of its business. TORCH_BACKEND may be given in the environment, as ``--build-arg`` gives it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("/app", "/data", "/opt")
NOT_RUN = ("useradd", "chown")
PORT = "7860"
SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction of a Dockerfile: ``RUN``, and what stands behind it."""

    word: str
    rest: str


def steps(text: str) -> list[Step]:
    """The instructions of a Dockerfile, in order; lines that go on are joined."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", "", lines)
    found = (line.strip().partition(" ") for line in joined.splitlines() if line.strip())
    return [Step(word, rest.strip()) for word, _, rest in found]


def command_of(step: Step) -> list[str]:
    """What CMD or HEALTHCHECK runs, as a list of words."""
    words: list[str] = json.loads(step.rest[step.rest.index("[") :])
    return words


def variables(step: Step) -> dict[str, str]:
    """What ENV sets."""
    return dict(re.findall(r"(\w+)=(\S+)", step.rest))


def moved(text: str, folder: Path, port: int) -> str:
    """A command or path of the image, as it is in the folder: all that is changed of it."""
    for place in PLACES:
        text = re.sub(rf"(?<![\w.-]){place}(?![\w-])", f"{folder}{place}", text)
    return text.replace(PORT, str(port))


def is_sent(path: str, ignore: str) -> bool:
    """Whether .dockerignore lets a file of the checkout into the image; the last match decides."""
    sent = True
    for line in ignore.splitlines():
        pattern = line.removeprefix("!").strip()
        if not pattern or pattern.startswith("#"):
            continue
        plain = pattern.removeprefix("**/")
        parts = path.split("/")
        inside = any(fnmatch("/".join(parts[:n]), plain) for n in range(1, len(parts) + 1))
        anywhere = pattern.startswith("**/") and any(fnmatch(part, plain) for part in parts)
        if inside or anywhere:
            sent = line.startswith("!")
    return sent


def copied(step: Step) -> tuple[list[str], str]:
    """What COPY takes, and where it goes."""
    words = [word for word in step.rest.split() if not word.startswith("--")]
    return words[:-1], words[-1]


def _copy(step: Step, app: Path, ignore: str) -> None:
    names, target = copied(step)
    for name in names:
        source = ROOT / name
        files = [source] if source.is_file() else [f for f in source.rglob("*") if f.is_file()]
        for file in files:
            path = file.relative_to(ROOT).as_posix()
            if is_sent(path, ignore):
                to = app / (path if target == "./" else f"{target}/{file.relative_to(source)}")
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, to)


def _stand_ins(folder: Path) -> Path:
    tools = folder / "stand-ins"
    tools.mkdir()
    for name in NOT_RUN:
        (tools / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    return tools


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def build_and_run(folder: Path) -> None:
    """All steps; raises where one fails."""
    folder = folder.absolute()
    for place in ("app", "home"):
        (folder / place).mkdir(parents=True)
    image = Image(folder, _free_port(), _environment(folder))
    for step in steps((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        _say(f"{step.word} {step.rest}")
        image.do(step)
    database = Path(image.environment["MINIRAG_CHAT_DB"])
    if not database.is_file():
        raise SystemExit(f"The database is not at {database}.")
    _say(f"{sum(f.stat().st_size for f in _files(folder)) / 1e9:.2f} GB in {folder}")


def _environment(folder: Path) -> dict[str, str]:
    """What is said of certificates and of the package index here; nothing else of this machine's."""
    kept = ("LANG", "SSL_CERT_FILE", "SSL_CERT_DIR", "PIP_", "UV_", "TORCH_BACKEND")
    path = (_stand_ins(folder), Path(sys.executable).parent, "/usr/bin", "/bin")
    return {
        **{name: value for name, value in os.environ.items() if name.startswith(kept)},
        "HOME": str(folder / "home"),
        "PATH": os.pathsep.join(map(str, path)),
    }


@dataclass
class Image:
    """A folder that stands for the image's root, and what its steps have set so far."""

    folder: Path
    port: int
    environment: dict[str, str]
    health: tuple[str, ...] = ()

    def do(self, step: Step) -> None:
        """Run one step; those that only describe the image do nothing."""
        app = self.folder / "app"
        if step.word == "ARG":
            name, _, value = step.rest.partition("=")
            self.environment.setdefault(name, value)
        elif step.word == "COPY":
            _copy(step, app, (ROOT / ".dockerignore").read_text(encoding="utf-8"))
        elif step.word == "ENV":
            path = self.environment["PATH"]
            for name, value in variables(step).items():
                self.environment[name] = self._moved(value).replace("$PATH", path)
        elif step.word == "RUN":
            _run(["sh", "-c", self._moved(step.rest)], app, self.environment)
        elif step.word == "HEALTHCHECK":
            self.health = tuple(map(self._moved, command_of(step)))
        elif step.word == "CMD":
            _serve(command_of(step), list(self.health), app, self.environment)

    def _moved(self, text: str) -> str:
        return moved(text, self.folder, self.port)


def _serve(command: list[str], health: list[str], app: Path, environment: dict[str, str]) -> None:
    begun = time.monotonic()
    program = shutil.which(command[0], path=environment["PATH"]) or command[0]
    with subprocess.Popen([program, *command[1:]], cwd=app, env=environment) as page:
        try:
            python = shutil.which(health[0], path=environment["PATH"]) or health[0]
            while subprocess.run(
                [python, *health[1:]], env=environment, capture_output=True, check=False
            ).returncode:
                if page.poll() is not None or time.monotonic() - begun > SECONDS:
                    raise SystemExit("The page is not healthy.")
                time.sleep(0.5)
            _say(f"  healthy after {time.monotonic() - begun:.0f} s")
            page.send_signal(signal.SIGTERM)  # as `docker stop` does
            if page.wait(60):
                raise SystemExit(f"The page ended with {page.returncode} when it was stopped.")
        finally:
            page.kill()


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    begun = time.monotonic()
    if subprocess.run(command, cwd=folder, env=environment, check=False).returncode:
        raise SystemExit(f"This step failed: {command[-1]}")
    _say(f"  {time.monotonic() - begun:.0f} s")


def _files(folder: Path) -> Iterator[Path]:
    return (f for f in folder.rglob("*") if f.is_file() and not f.is_symlink())


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 - the folder alone
        raise SystemExit("Name a folder that is not there yet: python .ci/container.py FOLDER")
    build_and_run(Path(sys.argv[1]))

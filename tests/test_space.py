"""The Hugging Face Space: its README head, its requirements, its entry."""

from __future__ import annotations

import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from places import ROOT

from minirag_chat import ChatMemory, Settings

pytestmark = pytest.mark.process


def head() -> dict[str, str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    return dict(line.split(": ", 1) for line in text.strip().splitlines())


def test_requirements_are_those_of_the_package() -> None:
    made = runpy.run_path(str(ROOT / ".ci" / "requirements.py"))["requirements"]()
    assert (ROOT / "requirements.txt").read_text(encoding="utf-8") == made, (
        "run: python .ci/requirements.py"
    )


def test_the_readme_tells_the_space_what_to_start() -> None:
    told = head()
    assert told["sdk"] == "gradio"
    assert (ROOT / told["app_file"]).is_file()
    assert told["license"] == "mit"
    assert len(told["short_description"]) <= 60
    wanted = tuple(int(part) for part in told["sdk_version"].split(".")[:2])
    assert wanted >= (6, 21)


SPACES = """from pathlib import Path
import sys
def GPU(function=None, **said):
    if function is None:
        return lambda function: GPU(function, **said)
    loaded = sorted({"torch", "transformers"} & set(sys.modules))
    Path(%r).write_text(f"{function.__module__}.{function.__name__} {loaded}")
    return function
"""


@dataclass(frozen=True, slots=True)
class Failed:
    """A Space whose model does not exist: it ends there. ``asked`` is what asked for a GPU."""

    ended: subprocess.CompletedProcess[str]
    asked: str


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Failed:
    folder = tmp_path_factory.mktemp("failed")
    asked = folder / "asked.txt"
    (folder / "spaces.py").write_text(SPACES % str(asked), encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]),
        "MINIRAG_CHAT_MODEL": "no-such-model",
        "MINIRAG_CHAT_DB": str(folder / "x.db"),
    }
    ended = subprocess.run(
        [sys.executable, "app.py"], cwd=ROOT, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    return Failed(ended, asked.read_text(encoding="utf-8"))


def test_zero_gpu_finds_what_asks_for_it_before_torch_is_there(failed: Failed) -> None:
    assert failed.ended.returncode == 1
    assert failed.asked == "minirag_chat.models.zero_gpu.on_gpu []"


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def space(folder: Path, port: int) -> dict[str, str]:
    """The environment of a Space whose home cannot be written, also not by root."""
    (folder / "a-file").touch()
    mine = ("XDG_", "MINIRAG_CHAT_", "GRADIO_", "HF_")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(mine)},
        "SPACE_ID": "someone/minirag-chat", "SYSTEM": "spaces", "SPACE_AUTHOR_NAME": "someone",
        "SPACE_REPO_NAME": "minirag-chat", "SPACE_HOST": "someone-minirag-chat.example",
        "GRADIO_SERVER_NAME": "0.0.0.0", "GRADIO_SERVER_PORT": str(port),  # noqa: S104 - as a Space says
        "HOME": str(folder / "a-file" / "home"), "TMPDIR": str(folder),
        "MINIRAG_CHAT_MODEL": "extractive", "HF_HUB_OFFLINE": "1",
    }  # fmt: skip


def test_pushed_as_it_is_it_answers_strangers_from_the_sample(tmp_path: Path) -> None:
    """The app as a Space starts it, with its variables and a home that cannot be written."""
    pytest.importorskip("gradio", reason="gradio is not installed")
    from gradio_client import Client

    port = free_port()
    with subprocess.Popen(
        [sys.executable, "app.py"], cwd=ROOT, env=space(tmp_path, port), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as app:  # fmt: skip
        try:
            client = until(app, lambda: Client(f"http://127.0.0.1:{port}", verbose=False))
            said = until(app, lambda: answered(client, "What nut is Tobias Klee allergic to?"))
            too_large = httpx.post(
                f"http://127.0.0.1:{port}/gradio_api/upload",
                files={"files": ("chat.txt", b"x" * (21 * 1024 * 1024))}, timeout=300,
            )  # fmt: skip
            app.send_signal(signal.SIGTERM)
            app.wait(300)
        finally:
            app.kill()
        assert app.stdout is not None
        printed = app.stdout.read()
    assert "pistachio" in said["text"].lower()
    assert said["sources"]
    assert too_large.status_code == 413
    assert app.returncode == 0
    # A Space has the package `spaces`, by which Gradio reloads what its owner edits; here it complains.
    assert printed.count("Traceback") == printed.count("hot-reloading in Spaces"), printed
    kept = [path.name for path in tmp_path.rglob("*.db")]
    assert "sample.db" in kept


def answered(client: Any, question: str) -> dict[str, Any]:
    """The answer, once the sample is there."""
    said: dict[str, Any] = client.predict(question=question, api_name="/ask")
    assert said.get("sources"), said
    return said


def until(app: subprocess.Popen[str], give: Callable[[], Any], seconds: float = 240) -> Any:
    begun = time.monotonic()
    while True:
        try:
            return give()
        except Exception as error:
            if app.poll() is not None or time.monotonic() - begun > seconds:
                app.kill()
                said = app.stdout.read() if app.stdout else ""
                raise AssertionError(f"{error!r}; the app said: {said[-2000:]}") from error
            time.sleep(1)


def test_a_space_that_names_its_reader_downloads_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minirag_chat.show.page_start import samples_job  # imports Gradio, which takes seconds

    monkeypatch.setenv("SPACE_ID", "someone/minirag-chat")
    for model, wanted in (("extractive", None), ("auto", "a model")):
        settings = Settings(db=tmp_path / "x.db", model_dir=tmp_path, model=model)
        with ChatMemory.open(settings.db, settings) as memory:
            (tmp_path / "none").mkdir(exist_ok=True)
            job = samples_job(memory, memory, tmp_path / "none")
        assert (job is not None) == (wanted is not None)


def test_the_entry_is_short_and_a_failure_is_one_sentence(failed: Failed) -> None:
    assert (ROOT / "app.py").read_text(encoding="utf-8").count("\n") <= 20
    assert failed.ended.returncode == 1
    assert "There is no model called 'no-such-model'" in failed.ended.stderr
    assert "Traceback" not in failed.ended.stderr

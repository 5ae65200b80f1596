"""With a real language model: one in memory for several notebooks, and none at work for nobody."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from jupyter_process import TOKEN, Jupyter, jupyter
from places import SMALL, SMALL_MODEL, write_log

from minirag_chat import ChatMemory

jupyter_client = pytest.importorskip("jupyter_client", reason="jupyter-client is not installed")
from jupyter_client.manager import KernelManager
from kernels import Notebook

pytestmark = [pytest.mark.model, pytest.mark.slow]
ASKER = Path(__file__).with_name("asker.py")
QUESTIONS = ("Who tunes the piano?", "Where is the van?", "When is the rehearsal?")
MB = 1024**2
MEASURED = logging.getLogger("measured")  # shown by --log-cli-level=INFO
TALK = tuple(
    f"SamOrtiz: Van story {i}, {'we drove and drove and saw the sea ' * 8}" for i in range(6)
)
LONG = {
    "update_display_data": "Tell the whole van story, one by one, with everything they saw. What was it?",
    "display_data": "What did they see when they drove and drove with the van, story by story?",
}
"""Questions with a long answer, each with words of its own: what was read is not read again."""


@pytest.fixture(scope="module")
def settings(small_model_folder: Path) -> dict[str, str]:
    return {
        "MINIRAG_CHAT_MODEL": SMALL_MODEL,
        "MINIRAG_CHAT_MODEL_DIR": str(small_model_folder.parent),
        "MINIRAG_CHAT_ABSTAIN_BELOW": "0",  # the flag's weights were fitted with the 1.5B
        "MINIRAG_CHAT_ANSWER_TOKENS": "400",
    }


@pytest.fixture(scope="module")
def server(settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jupyter]:
    home = tmp_path_factory.mktemp("real")
    write_log(home / "root" / "log", SMALL)
    write_log(home / "root" / "van", {"20260110_1000": TALK})
    with jupyter("server", home, home / "root", settings) as running:
        for db in ("one.db", "two.db", "van.db"):
            with ChatMemory.connect(db, url=running.url, token=TOKEN) as memory:
                memory.add("log")
                if db == "van.db":
                    memory.add("van")
        yield running


@pytest.fixture(scope="module")
def notebook(server: Jupyter) -> Iterator[Notebook]:
    """A kernel beside the server."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env=dict(server.environment), cwd=str(server.root))
    opened = Notebook(manager)
    opened.run("%load_ext minirag_chat_jupyter")
    yield opened
    opened.client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_notebooks_share_one_model_and_are_answered_in_the_order_of_asking(
    server: Jupyter,
) -> None:
    process = psutil.Process(server.pid)
    without = process.memory_info().rss
    with ChatMemory.connect("one.db", url=server.url, token=TOKEN) as memory:
        assert SMALL_MODEL in memory.ask(QUESTIONS[0]).model
    loaded = process.memory_info().rss
    notebooks = [asker(server, place) for place in range(3)]
    for one in notebooks:
        assert line(one) == "ready"
    for one in notebooks:
        assert one.stdin
        one.stdin.write("\n")
        one.stdin.flush()
        assert line(one) == "queued"
    told: list[dict[str, Any]] = [json.loads(line(one)) for one in notebooks]
    after = process.memory_info().rss
    for one in notebooks:
        one.communicate(timeout=300)
    report(without, loaded, after, told)
    assert all(SMALL_MODEL in one["model"] and one["text"] for one in told)
    ended = [one["ended"] for one in told]
    assert ended == sorted(ended)
    assert loaded - without > 200 * MB, "the model is in the server"
    assert after - loaded < 200 * MB, "and it is there once"
    assert not any(one["torch"] for one in told)
    assert max(one["bytes"] for one in told) < 250 * MB, "nothing of it is in a notebook"


@pytest.mark.parametrize("where", ["", "--server "])
def test_an_interrupted_cell_ends_generation_and_the_next_question_works(
    where: str, notebook: Notebook, server: Jupyter
) -> None:
    notebook.run(f"memory = %chat_open {where}van.db")
    at_once = 5.0
    for phase in ("update_display_data", "display_data"):  # as it speaks; as it reads
        asked = time.monotonic()
        cell = notebook.begin(f"%%ask\n{LONG[phase]}")
        notebook.until(cell, phase)
        at_once = max(at_once, time.monotonic() - asked)  # a small part of what the answer takes
        time.sleep(0.0 if phase == "update_display_data" else 0.3)
        begun = time.monotonic()
        notebook.manager.interrupt_kernel()
        if where:
            freed(server)
        else:  # the cell's own thread computes: once it is idle, so is the model
            sent = notebook.end(cell)
        seconds = time.monotonic() - begun
        if where:
            sent = notebook.end(cell)
        MEASURED.info("%s%s: %.2f s to the end of generation", where, phase, seconds)
        assert sent[-1]["error"].startswith("KeyboardInterrupt")
        assert seconds < at_once
    notebook.run("answer = memory.ask('What is the piano tuner called?')")
    sent = notebook.run("[source.message.text for source in answer.sources], answer.model")
    assert "Quint" in sent[-1]["text/plain"]
    assert SMALL_MODEL in sent[-1]["text/plain"]


def asker(server: Jupyter, place: int) -> subprocess.Popen[str]:
    """A notebook's process."""
    db, question = ("one.db", "two.db")[place % 2], QUESTIONS[place % len(QUESTIONS)]
    return subprocess.Popen(
        [sys.executable, str(ASKER), db, server.url, TOKEN, question],
        env=dict(server.environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def freed(server: Jupyter) -> None:
    """Wait until the model's queue has come to a question that is refused without the model."""
    headers = {"Authorization": f"token {TOKEN}"}
    body = {"db": "one.db", "question": " "}
    answer = httpx.post(
        f"{server.url}minirag-chat/ask", json=body, headers=headers, timeout=300, trust_env=False
    )
    assert "BadQuestion" in answer.text


def report(without: int, loaded: int, after: int, told: list[dict[str, Any]]) -> None:
    """The figures."""
    sizes = (without // MB, loaded // MB, after // MB)
    MEASURED.info("server: %d MB, with the model %d, after three notebooks %d", *sizes)
    for place, one in enumerate(told):
        took, ended = one["ended"] - one["begun"], one["ended"] - told[0]["begun"]
        size = one["bytes"] // MB
        MEASURED.info("%d: %d MB, %.1f s, at %.1f s: %s", place, size, took, ended, one["text"])

"""A real model server, llama.cpp's own, with a real small model: found, allowed, asked, stopped.

It runs where the package xllamacpp and a GGUF file are: MINIRAG_CHAT_TEST_GGUF names the file, and
MINIRAG_CHAT_TEST_PYTHON the Python that has the package, where it is not this one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from fakes import WordEmbedder
from places import ROOT, SMALL, write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import ModelServerError
from minirag_chat.models.local_servers import find_servers
from minirag_chat.models.permission import permit
from minirag_chat.models.server_model import ServerChatModel
from minirag_chat.records import Turn

PATIENT = httpx.Timeout(600.0)  # a busy machine reads a prompt slowly
COUNT = [Turn("user", "Count from one to five hundred in words, each on a line of its own.")]


@dataclass
class Real:
    """The server and the name of its model."""

    url: str
    model: str

    def idle(self) -> bool:
        """Whether it computes nothing."""
        slots = httpx.get(
            self.url.replace("/v1", "/slots"), timeout=PATIENT, trust_env=False
        ).json()
        return not any(slot["is_processing"] for slot in slots)


@pytest.fixture(scope="module")
def real() -> Iterator[Real]:
    file = os.environ.get("MINIRAG_CHAT_TEST_GGUF", "")
    python = os.environ.get("MINIRAG_CHAT_TEST_PYTHON", sys.executable)
    if not Path(file).is_file():
        pytest.skip("MINIRAG_CHAT_TEST_GGUF names no GGUF file")
    if python == sys.executable and find_spec("xllamacpp") is None:
        pytest.skip(
            "xllamacpp is not installed, and MINIRAG_CHAT_TEST_PYTHON names no Python with it"
        )
    with subprocess.Popen(
        [python, str(ROOT / "tests" / "llama_server.py"), file, "0"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), "the server did not start"
        url = f"{address}/v1"
        (found,) = find_servers([url], deadline=60.0).servers
        yield Real(url, found.usable[0].name)
        server.kill()


def test_it_is_found_by_its_name(real: Real) -> None:
    (found,) = find_servers([real.url], deadline=60.0).servers
    assert found.name == "llama.cpp"
    assert len(found.models) == 1


def test_it_tells_probabilities(real: Real) -> None:
    model = ServerChatModel(real.url, real.model, timeout=PATIENT)
    choice = model.choose_each(
        [[Turn("user", "Is Paris in France? Say Yes or No.")]], ("Yes", "No")
    )[0]
    assert choice is not None
    assert choice[0] > choice[1]


def test_a_stop_frees_it(real: Real) -> None:
    model = ServerChatModel(real.url, real.model, timeout=PATIENT)
    got: list[str] = []
    for piece in model.stream(COUNT, max_new_tokens=2000, cancelled=lambda: len(got) > 1):
        got.append(piece)  # noqa: PERF402  # the loop is what is stopped
    assert len(got) == 2
    for _ in range(1200):  # it would go on for two thousand tokens
        if real.idle():
            return
        time.sleep(0.1)
    pytest.fail("the server still computes what nobody reads")


def test_a_prompt_that_is_too_long_is_one_sentence(real: Real) -> None:
    model = ServerChatModel(real.url, real.model, timeout=PATIENT)
    with pytest.raises(ModelServerError, match="longer than the context"):
        list(model.stream([Turn("user", "word " * 6000)], max_new_tokens=5))


def test_a_question_is_answered_by_it_once_it_is_allowed(real: Real, tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path, answer_tokens=24)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        permit(settings, real.url, real.model)
        answer = memory.ask("What is the piano tuner called?", history=[])
    assert answer.model == f"{real.model} on {real.url}"
    assert 0 < answer.signals["stated"] < 1

"""Programs ask the page: by its named endpoint and, where switched on, as an MCP tool."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from fakes import ScriptedModel, WordEmbedder
from needed import needed
from places import ROOT, SMALL, write_log

gradio = needed("gradio")
from browsing import free_port, launch
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli import app
from minirag_chat.errors import BadSetting
from minirag_chat.json_records import from_json, to_json
from minirag_chat.records import Answer
from minirag_chat.show.export import answers_json
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import Exchange

QUESTION = "What is the piano tuner called?"
CLI_KEYS = {"number", "message_id", "chat", "sender", "sent_at", "quote", "text"}


@dataclass
class Open:
    """A page for programs, and the memory behind it."""

    address: str
    memory: ChatMemory


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    folder = tmp_path_factory.mktemp("api")
    mcp = _has_mcp()
    settings = Settings(db=folder / "chats.db", model_dir=folder, model="extractive", mcp=mcp)
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ScriptedModel("Walter Quint.")
    ) as memory:
        memory.add(write_log(folder / "log", SMALL))
        yield Open(launch(memory, port=free_port(), block=False), memory)
        gradio.close_all()


def _has_mcp() -> bool:
    try:
        import mcp  # noqa: F401 - only whether it is there
    except ImportError:
        return False
    return True


def by_command(memory: ChatMemory, monkeypatch: pytest.MonkeyPatch, *options: str) -> Any:
    """What ``minirag-chat ask --json`` prints of the same memory."""
    monkeypatch.setattr(ChatMemory, "open", lambda *_, **__: _Borrowed(memory))
    done = CliRunner().invoke(
        app, ["--db", str(memory.settings.db), "ask", QUESTION, *options, "--json"]
    )
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


class _Borrowed:
    """A memory that a command may open, and does not close."""

    def __init__(self, memory: ChatMemory) -> None:
        self.memory = memory

    def __enter__(self) -> ChatMemory:
        self.memory.forget_conversation()
        return self.memory

    def __exit__(self, *_: object) -> None:
        pass


def without_times(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != "timings"}


@pytest.mark.slow
def test_the_named_endpoint_gives_the_json_of_the_command(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = pytest.importorskip("gradio_client").Client(opened.address, verbose=False)
    answer = client.predict(question=QUESTION, people=["Anna Berg"], api_name="/ask")
    assert "Walter Quint" in answer["text"]
    assert set(answer["sources"][0]) >= CLI_KEYS
    told = by_command(opened.memory, monkeypatch, "--people", "Anna Berg")
    assert without_times(answer) == without_times(told)
    assert set(answer["timings"]) == set(told["timings"])


def test_programs_ask_the_users_messages_whatever_a_browser_showed_last(
    small: ChatMemory, sessions_with_sample: Sessions
) -> None:
    tab = sessions_with_sample.tab("a browser's")
    Commands(sessions_with_sample).do(tab, "corpus", "sample0")
    tab.exchanges = [Exchange(QUESTION, "In the sample.")]
    sessions_with_sample.remember(tab)
    with sessions_with_sample.visit() as program:
        assert program.tuned_memory().info() == small.info()
    assert sessions_with_sample.tab("after a reload").corpus.title == "Sample", "a browser goes on"


@pytest.fixture
def sessions_with_sample(small: ChatMemory) -> Iterator[Sessions]:
    with small.beside(":memory:") as sample:
        yield Sessions(small, [("Sample", sample)])


@pytest.mark.slow
def test_a_program_that_leaves_stops_the_model_and_loses_its_place(opened: Open) -> None:
    model = opened.memory.models.loaded
    assert isinstance(model, ScriptedModel)
    model.text, model.goes_on, asked = "word " * 90, Event(), len(model.asked)
    turns = opened.memory.models.turns
    try:
        for waiting in (0, 1):  # one reads, the other one waits for its turn
            call = httpx.post(
                f"{opened.address}gradio_api/call/ask", json={"data": [QUESTION, None, None, None]}
            )
            event = call.raise_for_status().json()["event_id"]
            with httpx.stream("GET", f"{opened.address}gradio_api/call/ask/{event}", timeout=60):
                until(lambda: len(model.asked) > asked)
                until(lambda n=waiting: (turns.answering, len(turns)) == (1, n))
            if waiting:
                until(lambda: not len(turns))
        model.goes_on.set()
        until(lambda: not turns.answering)
        assert model.pieces < 90, "it goes on for nobody"
        assert len(model.asked) == asked + 1
    finally:
        model.goes_on.set()
        model.text = "Walter Quint."


def until(holds: Callable[[], bool]) -> None:
    for _ in range(1200):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it never came true")


@pytest.mark.slow
def test_a_failure_is_a_sentence_and_its_kind(opened: Open) -> None:
    client = pytest.importorskip("gradio_client").Client(opened.address, verbose=False)
    assert client.predict(question=" ", api_name="/ask")["type"] == "BadQuestion"
    nobody = client.predict(question=QUESTION, people=["Nobody Atall"], api_name="/ask")
    assert nobody["type"] == "NotFound"
    assert "Nobody Atall" in nobody["error"]
    day = client.predict(question=QUESTION, since="2026-99-99", api_name="/ask")
    assert set(day) == {"error", "type"}


@pytest.mark.slow
def test_an_mcp_client_asks_and_gets_the_json_of_the_command(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mcp", reason="mcp is not installed: pip install 'minirag-chat[mcp]'")
    tools, answer, failure = asyncio.run(_by_mcp(opened.address))
    assert [tool.name for tool in tools] == ["ask"]
    (tool,) = tools
    assert {"question", "people", "since", "until"} == set(tool.inputSchema["properties"])
    assert tool.inputSchema["required"] == ["question"]
    assert "Answer a question" in (tool.description or "")
    told = by_command(opened.memory, monkeypatch, "--people", "Anna Berg")
    assert without_times(answer) == without_times(told)
    assert failure["type"] == "BadQuestion"


async def _by_mcp(address: str) -> tuple[list[Any], dict[str, Any], dict[str, Any]]:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async with (
        streamable_http_client(f"{address}gradio_api/mcp/") as (reads, writes, _),
        ClientSession(reads, writes) as session,
    ):
        await session.initialize()
        tools = (await session.list_tools()).tools
        answer = await session.call_tool("ask", {"question": QUESTION, "people": ["Anna Berg"]})
        failure = await session.call_tool("ask", {"question": ""})
        assert not answer.isError, answer
        return tools, _document(answer), _document(failure)


def _document(result: Any) -> dict[str, Any]:
    (part,) = result.content
    found: dict[str, Any] = json.loads(part.text)
    return found


def test_mcp_is_off_unless_asked_for(tmp_path: Path) -> None:
    assert not Settings(db=tmp_path / "x.db").mcp


@pytest.mark.slow
def test_mcp_without_its_extra_is_refused_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", types.ModuleType("none"))
    monkeypatch.setitem(sys.modules, "mcp", None)
    settings = Settings(db=tmp_path / "x.db", model_dir=tmp_path, model="extractive", mcp=True)
    with (
        ChatMemory.open(settings.db, settings) as memory,
        pytest.raises(BadSetting, match=r"minirag-chat\[mcp\]"),
    ):
        launch(memory, port=free_port(), block=False)


@pytest.mark.slow
def test_a_taken_port_is_told_in_our_words(small: ChatMemory) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            BadSetting, match=f"cannot listen on 127.0.0.1, port {port}: choose"
        ) as told:
            launch(small, port=port, block=False)
    assert "launch()" not in str(told.value)


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_the_demo_takes_the_next_free_port_unless_one_is_named() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PORT"}
    for words, told in (((), "page\n"), (("PORT=7999",), "page --port 7999\n")):
        done = subprocess.run(
            ["make", "--no-print-directory", "-n", "demo", *words],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.endswith(told)


@pytest.mark.slow
def test_every_face_gives_one_json_that_can_be_read_back(opened: Open) -> None:
    opened.memory.forget_conversation()
    answer = opened.memory.ask(QUESTION)
    document = to_json(answer)
    assert json.loads(answers_json([answer])) == [document]
    assert from_json(Answer, json.loads(json.dumps(document))) == answer
    assert list(document["sources"][0])[:7] == [
        "number", "message_id", "chat", "sender", "sent_at", "quote", "text",
    ]  # fmt: skip

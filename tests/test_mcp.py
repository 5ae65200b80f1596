"""`minirag-chat mcp`, called by the official client over standard input and output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason="mcp is not installed: pip install 'minirag-chat[mcp]'")
import anyio
from anyio import to_thread
from fakes import ScriptedModel, WordEmbedder
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from places import ROOT, SMALL, write_log
from pydantic import AnyUrl
from slow_server import SlowServer
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli import app
from minirag_chat.errors import BadSetting
from minirag_chat.show.mcp_tools import TOOLS
from minirag_chat.system import installing

pytestmark = pytest.mark.process

QUESTION = "What is the piano tuner called?"
PATIENCE = 300.0  # seconds, on a busy machine
NOISE = """
import os, sys
from minirag_chat.show.mcp_server import _only_the_protocol
reads, writes = _only_the_protocol()
print("noise")
sys.stdout.flush()
os.system("echo more noise")
writes.write(reads.readline())
writes.flush()
"""


def opened(folder: Path) -> ChatMemory:
    """The database as another process, such as the page, has it open."""
    settings = Settings(db=folder / "chats.db", model="extractive", model_dir=folder / "models")
    return ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
    )


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    with opened(tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
    return tmp_path


def with_client(
    folder: Path, work: Callable[[ClientSession], Awaitable[None]], **environment: str
) -> str:
    """Start the server as an assistant does, work with it, end it; what it said on standard error."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "minirag_chat", "--db", str(folder / "chats.db"), "mcp"],
        env={
            **os.environ, "MINIRAG_CHAT_MODEL": "extractive",
            "MINIRAG_CHAT_MODEL_DIR": str(folder / "models"), **environment,
        },
    )  # fmt: skip

    async def session() -> None:
        with (folder / "errors.txt").open("w") as errors:
            async with (
                stdio_client(server, errlog=errors) as (reads, writes),
                ClientSession(reads, writes) as client,
            ):
                with anyio.fail_after(PATIENCE):
                    await client.initialize()
                    await work(client)

    anyio.run(session)
    return (folder / "errors.txt").read_text(encoding="utf-8")


async def call(client: ClientSession, tool: str, **given: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, given)
    assert not result.isError, result.content
    assert result.structuredContent is not None
    assert isinstance(result.content[0], types.TextContent)
    assert json.loads(result.content[0].text) == result.structuredContent
    return result.structuredContent


async def failure(client: ClientSession, tool: str, **given: Any) -> str:
    result = await client.call_tool(tool, given)
    assert result.isError
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


def test_every_tool_says_that_it_only_reads_and_what_it_gives(ready: Path) -> None:
    async def work(client: ClientSession) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"ask", "search", "show", "people", "chats", "timeline"}
        for tool in tools.values():
            assert tool.annotations is not None
            assert tool.annotations.readOnlyHint is True
            assert tool.annotations.destructiveHint is False
            assert tool.outputSchema is not None
            assert tool.inputSchema["additionalProperties"] is False
            # times are wall-clock: clients that check this format would refuse them
            assert "date-time" not in json.dumps(tool.outputSchema)
        assert tools["ask"].inputSchema["required"] == ["question"]
        (template,) = (await client.list_resource_templates()).resourceTemplates
        assert template.uriTemplate == "minirag-chat://message/{id}"
        assert (await client.list_resources()).resources == []
        wrong = await failure(client, "search", text="van", peple=["Tom"])
        assert "peple" in wrong

    with_client(ready, work)


def test_the_tools_find_what_the_messages_say(ready: Path) -> None:
    async def work(client: ClientSession) -> None:
        people = await call(client, "people")
        assert {p["name"] for p in people["people"]} == {"Anna Berg", "Tom Hill", "Sam Ortiz"}
        chats = await call(client, "chats")
        assert sum(chat["messages"] for chat in chats["chats"]) == 9
        (found,) = (await call(client, "search", text="bakery", people=["Tom Hill"]))["messages"]
        assert found["sent_at"] == "2026-01-07T18:00:00"
        around = await call(client, "show", message=found["id"], around=1)
        assert found in around["messages"]
        assert len(around["messages"]) > 1
        months = await call(client, "timeline", unit="month")
        assert months["periods"] == [{"start": "2026-01-01", "messages": 9, "people": 3}]
        assert "99999" in await failure(client, "show", message=99999)
        assert "Nobody" in await failure(client, "search", text="van", people=["Nobody Atall"])
        assert "empty" in await failure(client, "ask", question=" ")
        for nothing in ("", " "):
            said = await failure(client, "search", text=nothing)
            assert said == "The text to search for is empty: write a word of the messages."

    assert "Traceback" not in with_client(ready, work)


def test_results_link_to_messages_that_can_be_read(ready: Path) -> None:
    async def work(client: ClientSession) -> None:
        result = await client.call_tool("search", {"text": "bakery"})
        (link,) = [part for part in result.content if isinstance(part, types.ResourceLink)]
        (content,) = (await client.read_resource(link.uri)).contents
        assert isinstance(content, types.TextResourceContents)
        assert "Harbour Street Bakery" in json.loads(content.text)["text"]
        assert content.mimeType == link.mimeType == "application/json"
        for nothing in ("minirag-chat://message/99999", "minirag-chat://chat/1"):
            with pytest.raises(McpError):
                await client.read_resource(AnyUrl(nothing))

    with_client(ready, work)


def test_what_is_imported_meanwhile_is_found(tmp_path: Path) -> None:
    """The assistant was there first; the page imports, and both go on using one database."""

    def add(name: str, *lines: str) -> None:
        with opened(tmp_path) as memory:
            memory.add(write_log(tmp_path / name, {name: lines}))

    async def work(client: ClientSession) -> None:
        assert "minirag-chat add PATH" in await failure(client, "people")
        assert not (tmp_path / "chats.db").exists()
        await to_thread.run_sync(add, "20260105_1000", "AnnaBerg: The tuner is Walter Quint.")
        assert len((await call(client, "search", text="tuner"))["messages"]) == 1
        with opened(tmp_path) as page:
            page.add(write_log(tmp_path / "more", {"20260301_0900": ("OlgaPrim: A new tuner!",)}))
            for _ in range(10):
                assert len((await call(client, "search", text="tuner"))["messages"]) == 2
            page.delete_chat(page.chats()[0].id)
            assert len((await call(client, "search", text="tuner"))["messages"]) == 1

    with_client(tmp_path, work)


def test_ask_answers_with_sources_and_tells_how_far_it_is(ready: Path) -> None:
    told: list[tuple[float, str | None]] = []

    async def heard(progress: float, _total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def work(client: ClientSession) -> None:
        result = await client.call_tool("ask", {"question": QUESTION}, progress_callback=heard)
        answer = result.structuredContent
        assert answer is not None
        assert "Walter Quint" in answer["text"]
        assert not answer["abstained"]
        assert answer["sources"][0]["sender"] == "Anna Berg"
        uris = [str(part.uri) for part in result.content if isinstance(part, types.ResourceLink)]
        assert answer["sources"][0]["uri"] in uris
        silent = await call(client, "ask", question="Which planet has the most moons?")
        assert silent["abstained"]

    with_client(ready, work)
    assert told[0][1] == "Looking for the messages that say so"
    assert [progress for progress, _ in told] == sorted({progress for progress, _ in told})
    assert any("Quint" in (message or "") for _, message in told)


def test_a_cancelled_call_stops_the_model_and_the_session_goes_on(ready: Path) -> None:
    async def work(client: ClientSession) -> None:
        ended: list[McpError] = []

        async def ask() -> None:
            with pytest.raises(McpError) as error:
                await client.call_tool("ask", {"question": QUESTION})
            ended.append(error.value)

        async with anyio.create_task_group() as both:
            both.start_soon(ask)
            assert await to_thread.run_sync(slow.speaking.wait, PATIENCE)
            number = client._request_id - 1
            await client.send_notification(
                types.ClientNotification(
                    types.CancelledNotification(
                        params=types.CancelledNotificationParams(requestId=number)
                    )
                )
            )
        assert "cancelled" in ended[0].error.message
        assert await to_thread.run_sync(slow.left_early)
        assert len((await call(client, "people"))["people"]) == 3

    with SlowServer("Walter Quint " + "tunes the piano " * 100, pause=0.3) as slow:
        assert "Traceback" not in with_client(ready, work, **slow.environment)


def test_what_is_printed_never_reaches_the_protocol() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOISE], input="protocol \u00e9\n", encoding="utf-8",
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout == "protocol \u00e9\n"
    assert done.stderr.splitlines() == ["noise", "more noise"]


def test_without_the_library_it_says_in_one_sentence_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installing, "find_spec", lambda name: None if name == "mcp" else name)
    done = CliRunner().invoke(app, ["--db", str(tmp_path / "x.db"), "mcp"])
    assert isinstance(done.exception, BadSetting)
    assert 'pip install "minirag-chat[mcp]"' in str(done.exception)


def test_the_entry_for_an_assistant_starts_this_command_on_this_database(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["--db", str(tmp_path / "x.db"), "mcp", "--json"])
    entry = json.loads(done.stdout)["mcpServers"]["minirag-chat"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-3:] == ["--db", str(tmp_path / "x.db"), "mcp"]


def test_the_entry_names_the_user() -> None:
    place = ["--db", "postgresql://host/chats", "--user", "anna"]
    done = CliRunner().invoke(app, [*place, "mcp", "--json"])
    entry = json.loads(done.stdout)["mcpServers"]["minirag-chat"]
    assert entry["args"][-3:] == ["--user", "anna", "mcp"]


def test_an_address_with_a_password_is_no_argument_that_the_list_of_processes_shows() -> None:
    address = "postgresql://me:secret@host/chats"
    done = CliRunner().invoke(app, ["--db", address, "mcp", "--json"])
    entry = json.loads(done.stdout)["mcpServers"]["minirag-chat"]
    assert entry["env"] == {"MINIRAG_CHAT_POSTGRES": address}
    assert not any("secret" in argument for argument in entry["args"])


def test_the_docs_name_every_tool_and_no_other() -> None:
    text = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    table = text.partition("## What it can do")[2]
    assert set(re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE)) == set(TOOLS)


def test_server_json_agrees_with_the_package() -> None:
    told = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (package,) = told["packages"]
    assert told["version"] == package["version"] == project["version"]
    assert package["identifier"] == project["name"]
    assert [argument["value"] for argument in package["packageArguments"]] == ["mcp"]
    (library,) = package["runtimeArguments"]
    assert library["value"] in project["optional-dependencies"]["mcp"]
    variables = {v["name"].removeprefix("MINIRAG_CHAT_") for v in package["environmentVariables"]}
    assert {name.lower() for name in variables} <= set(Settings.model_fields)
    assert f"mcp-name: {told['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(told["description"]) <= 100

"""Commands, doctor, page and answers with a model server of this machine: agreed to first, then used."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import run_command
from fakes import ScriptedModel, WordEmbedder
from model_server import ModelServer
from places import SMALL, write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import ModelServerError
from minirag_chat.models.local_servers import ServerSearch, find_servers
from minirag_chat.models.permission import permit, permitted
from minirag_chat.show import page_servers
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_servers import servers_table
from minirag_chat.show.page_sessions import Sessions

pytestmark = pytest.mark.process

TUNER = "What is the piano tuner called?"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer("tiny", "<img src=x onerror=alert(1)>", "big:cloud", owner="me") as made:
        yield made


@pytest.fixture
def own(tmp_path: Path) -> Iterator[ChatMemory]:
    """Three sessions of three people; which model reads is chosen as always."""
    settings = Settings(db=tmp_path / "data" / "chats.db", model_dir=tmp_path / "models")
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as opened:
        opened.add(write_log(tmp_path / "log", SMALL))
        yield opened


def run(
    db: Path, server: ModelServer, *command: str, **more: str
) -> subprocess.CompletedProcess[str]:
    environment = {
        "MINIRAG_CHAT_MODEL_DIR": str(db.parent / "models"), "NO_COLOR": "1",
        "COLUMNS": "200", "OLLAMA_HOST": f"127.0.0.1:{server.port}", **more,
    }  # fmt: skip
    return run_command("--db", str(db), *command, environment=environment)


# --- commands ---------------------------------------------------------------------------------------


def test_models_lists_them_use_wants_a_yes_and_withdraw_takes_it_back(
    tmp_path: Path, server: ModelServer
) -> None:
    db = tmp_path / "chats.db"
    listed = run(db, server, "models").stdout
    assert "tiny" in listed
    assert f"http://127.0.0.1:{server.port}/v1" in listed
    assert "runs on another machine" in listed
    refused = run(db, server, "models", "use", "tiny")
    assert refused.returncode == 1
    assert f"will be sent to llama-cpp-python at {server.url} on this machine" in refused.stderr
    assert "--yes" in refused.stderr
    assert permitted(Settings(db=db)) is None
    agreed = run(db, server, "models", "use", "tiny", "--yes")
    assert agreed.returncode == 0, agreed.stderr
    told = json.loads(run(db, server, "doctor", "--json").stdout)
    said = {finding["name"]: finding for finding in told["findings"]}
    assert f"tiny at {server.url}, which you allowed on" in said["model server"]["text"]
    assert "tiny" in said["reader"]["text"]
    assert "tiny" in said["servers of this machine"]["text"]
    assert not any(asked.startswith("POST") for asked in server.asked)
    assert "Nothing is sent" in run(db, server, "models", "withdraw").stdout
    assert permitted(Settings(db=db)) is None


@pytest.mark.parametrize(
    ("command", "more", "said"),
    [
        (("use", "big:cloud", "--yes"), {}, "to another machine"),
        (("use", "unknown", "--yes"), {}, "there are tiny"),
        (("use", "qwen3-1.7b", "--yes"), {}, "models get qwen3-1.7b"),
        (("use", "tiny", "--yes", "--at", "http://10.0.0.9/v1"), {}, "on another machine set"),
        (
            ("use", "tiny", "--yes"),
            {"MINIRAG_CHAT_SERVER_URL": "http://127.0.0.1:9/v1"},
            "takes precedence",
        ),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    tmp_path: Path, server: ModelServer, command: tuple[str, ...], more: dict[str, str], said: str
) -> None:
    done = run(tmp_path / "chats.db", server, "models", *command, **more)
    assert done.returncode == 1
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert permitted(Settings(db=tmp_path / "chats.db")) is None


def test_a_question_goes_to_the_server_that_was_allowed_and_no_port_is_looked_at(
    tmp_path: Path, server: ModelServer
) -> None:
    db = tmp_path / "chats.db"
    settings = Settings(db=db, model="extractive")
    with ChatMemory.open(db, settings) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
    before = run(db, server, "ask", TUNER, "--json")
    assert before.returncode == 0, before.stderr
    assert server.asked == []
    permit(settings, server.url, "tiny")
    done = run(db, server, "ask", TUNER, "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert "Walter Quint" in answer["text"]
    assert answer["model"] == f"tiny on {server.url}"
    assert server.bodies[-1]["model"] == "tiny"
    assert not any(asked.startswith("GET") for asked in server.asked)


# --- the page -----------------------------------------------------------------------------------------


def test_the_page_looks_when_asked_shows_what_is_agreed_to_and_can_take_it_back(
    own: ChatMemory, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = Sessions(own)
    commands, tab = Commands(sessions), sessions.tab("one")
    assert server.asked == []
    monkeypatch.setattr(page_servers, "find_servers", lambda: find_servers([server.url]))
    commands.do(tab, "servers", "")
    shown = servers_table(sessions, tab)
    assert "<img" not in shown
    assert "&lt;img src=x" in shown
    assert "runs on another machine" in shown
    commands.do(tab, "useserver", "0:0")
    assert "will be sent to llama-cpp-python at" in servers_table(sessions, tab)
    commands.do(tab, "serverno", "")
    assert commands.do(tab, "serveryes", "") is None  # nothing waits for it any more
    assert permitted(own.settings) is None
    commands.do(tab, "useserver", "0:0")
    commands.do(tab, "serveryes", "")
    assert "You allowed" in servers_table(sessions, tab)
    assert not server.bodies
    assert "Walter Quint" in own.ask(TUNER, history=[]).text
    assert server.bodies
    asked = len(server.bodies)
    commands.do(tab, "nosend", "")
    assert own.ask(TUNER, history=[]).model.startswith("extractive")
    assert len(server.bodies) == asked
    assert "You allowed" not in servers_table(sessions, tab)


@pytest.mark.parametrize("value", ["", "9:9", "0:2", "tiny", "-1:0", "0:0:0", "\u0661:0"])
def test_a_press_that_no_button_gives_allows_nothing(
    own: ChatMemory, server: ModelServer, value: str
) -> None:
    sessions = Sessions(own)
    sessions.found = find_servers([server.url])
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "useserver", value)
    commands.do(tab, "serveryes", value)
    assert permitted(own.settings) is None


def test_visitors_of_a_public_page_neither_look_nor_allow(
    own: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    monkeypatch.setattr(
        page_servers, "find_servers", lambda: looked.append(1) or ServerSearch((), ())
    )
    with own.beside(":memory:") as sample:
        sessions = Sessions(own, [("Sample", sample)], public=True)
        commands, tab = Commands(sessions), sessions.tab("one")
        for word in ("servers", "useserver", "serveryes", "nosend"):
            told = commands.do(tab, word, "0:0")
            assert told is not None
            assert "chooses its model" in str(told["text"])
    assert not looked


# --- answers without probabilities --------------------------------------------------------------------


def test_a_model_without_probabilities_may_refuse_and_then_nothing_is_said(
    own: ChatMemory, server: ModelServer
) -> None:
    permit(own.settings, server.url, "tiny")
    server.says = "Not stated. But perhaps Walter"
    answer = own.ask(TUNER, history=[])
    assert answer.abstained
    assert answer.reason == "not_stated"
    assert answer.confidence < own.settings.abstain_below
    assert "Walter" not in answer.text
    assert answer.closest
    assert (
        "reply with these two words alone: Not stated."
        in server.bodies[-1]["messages"][-1]["content"]
    )
    server.says = "Walter Quint."
    again = own.ask(TUNER, history=[])
    assert again.text.startswith("Walter Quint")
    assert again.signals["says"] == 1


@pytest.mark.parametrize(
    "said", ["**Not stated.**", "[2] Not stated", "not stated", "The messages don\u2019t say that."]
)
def test_a_refusal_is_one_however_it_is_written(small: ChatMemory, said: str) -> None:
    model = ScriptedModel(said, stated=None)
    with ChatMemory.open(
        small.settings.db, small.settings, embedder=WordEmbedder(), chat_model=model
    ) as memory:
        assert memory.ask(TUNER, history=[]).abstained


@pytest.mark.parametrize(
    "said", ["Not", "No", "Noted: Walter Quint", "The piano tuner is Walter Quint."]
)
def test_what_only_begins_like_a_refusal_is_an_answer(small: ChatMemory, said: str) -> None:
    model = ScriptedModel(said, stated=None)
    with ChatMemory.open(
        small.settings.db, small.settings, embedder=WordEmbedder(), chat_model=model
    ) as memory:
        answer = memory.ask(TUNER, history=[])
    assert not answer.abstained
    assert answer.text.startswith(said.split(maxsplit=1)[0])


def test_where_probabilities_are_told_they_decide(own: ChatMemory, server: ModelServer) -> None:
    server.logprobs = True
    permit(own.settings, server.url, "tiny")
    answer = own.ask(TUNER, history=[])
    assert answer.signals["stated"] == pytest.approx(0.95, abs=0.02)
    assert "says" not in answer.signals
    assert "Not stated" not in server.bodies[-1]["messages"][-1]["content"]


def test_a_server_that_went_away_is_one_sentence(own: ChatMemory) -> None:
    with ModelServer("tiny") as server:
        permit(own.settings, server.url, "tiny")
    with pytest.raises(ModelServerError, match=r"cannot be reached .*is it running\?"):
        own.ask(TUNER, history=[])

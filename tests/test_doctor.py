"""What `doctor` says: what is here, what is missing and what to do, without touching anything."""

from __future__ import annotations

import json
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import run_command
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.doctor import report as doctor
from minirag_chat.doctor.check_result import CheckResult
from minirag_chat.doctor.report import examine
from minirag_chat.models import memory_use
from minirag_chat.models.catalog import find_card
from minirag_chat.models.choose import ModelStatus
from minirag_chat.store.database_status import database_status
from minirag_chat.store.text import searchable

pytestmark = pytest.mark.process

GUARD = """import multiprocessing.util, socket, sys
def refuse(*given, **__):
    where = next((address for address in given if isinstance(address, (tuple, str))), "?")
    here = isinstance(where, tuple) and where[0] == "127.0.0.1"
    sys.stderr.write(f"LOOPBACK {where[1]}\\n" if here else "NETWORK\\n")
    raise ConnectionRefusedError("no network in this test")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
def left():
    loaded = {"torch", "transformers", "sentence_transformers", "gradio"} & set(sys.modules)
    sys.stderr.write(f"LOADED {sorted(loaded)}\\n")
multiprocessing.util.Finalize(None, left, exitpriority=0)
"""


@dataclass
class Said:
    """What a run of the command said."""

    code: int
    findings: dict[str, dict[str, Any]]
    can_answer: bool
    stdout: str
    stderr: str


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """A database with messages whose index says that the usual embedder made it."""
    file = tmp_path / "data" / "chats.db"
    settings = Settings(db=file, model="extractive", model_dir=tmp_path / "models")
    with ChatMemory.open(
        file, settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
    ) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
    change(file, "UPDATE meta SET value = 'all-MiniLM-L6-v2' WHERE key = 'embedder'")
    return file


def change(file: Path, sql: str) -> None:
    connection = sqlite3.connect(file)
    connection.execute(sql)
    connection.commit()
    connection.close()


def run(file: Path, *options: str, **environment: str) -> Said:
    models = str(file.parent.parent / "models")
    usual = {"MINIRAG_CHAT_MODEL_DIR": models, "COLUMNS": "300", "NO_COLOR": "1"}
    done = run_command(
        "--db", str(file), "doctor", *options, environment={**usual, **environment}, first=GUARD
    )
    told = json.loads(done.stdout) if "--json" in options else {"findings": [], "can_answer": None}
    by_name = {finding["name"]: finding for finding in told["findings"]}
    return Said(done.returncode, by_name, told["can_answer"], done.stdout, done.stderr)


def find(settings: Settings, name: str) -> CheckResult:
    return next(finding for finding in examine(settings).findings if finding.name == name)


def test_with_messages_and_an_index_questions_can_be_answered(ready: Path) -> None:
    said = run(ready, "--json")
    assert (said.code, said.can_answer) == (0, True), said.stderr
    assert said.findings["database"]["state"] == "ok"
    assert said.findings["database"]["details"]["messages"] == 9
    assert {
        "Python", "minirag-chat", "torch", "GPU", "memory", "reader", "bitsandbytes", "models here",
        "model server", "servers of this machine", "embedder", "ranker", "database", "disk for the database",
        "disk for models", "page", "extra mcp", "extra notebook", "extra postgres",
        "extra server", "extra encrypted",
    } == set(said.findings)  # fmt: skip


def test_without_a_model_it_says_which_to_get_and_what_that_costs(ready: Path) -> None:
    reader = run(ready, "--json").findings["reader"]
    assert reader["state"] == "could be better"
    assert "extractive reader" in reader["text"]
    assert "minirag-chat models get qwen" in reader["remedy"]
    assert "MB" in reader["remedy"]
    assert "GB of memory" in reader["remedy"]


def test_it_loads_no_model_and_asks_nothing_but_this_machines_usual_ports(
    ready: Path,
) -> None:
    named = {
        "MINIRAG_CHAT_SERVER_URL": "http://127.0.0.1:9/v1",
        "MINIRAG_CHAT_SERVER_MODEL": "some-model",
    }
    said = run(ready, "--json", **named)
    assert said.code == 0
    assert "some-model at http://127.0.0.1:9/v1" in said.findings["model server"]["text"]
    assert "some-model" in said.findings["reader"]["text"]
    assert "NETWORK" not in said.stderr
    asked = {line.split()[1] for line in said.stderr.splitlines() if line.startswith("LOOPBACK")}
    assert asked == {"11434", "1234", "8080", "8000"}  # and not 9, which is only named
    assert said.stderr.strip().splitlines()[-1] == "LOADED []"


def test_no_message_no_name_and_no_key_is_printed(ready: Path) -> None:
    for options in ((), ("--json",)):
        shown = run(ready, *options, MINIRAG_CHAT_SERVER_KEY="sesame").stdout
        assert "database" in shown
        for word in ("Walter", "Quint", "Anna", "TomHill", "bakery", "sesame"):
            assert word.lower() not in shown.lower()


def test_without_a_database_it_fails_with_the_remedy_and_makes_none(tmp_path: Path) -> None:
    file = tmp_path / "data" / "chats.db"
    said = run(file, "--json")
    assert (said.code, said.can_answer) == (1, False)
    assert "cannot be answered" in json.loads(said.stdout)["error"]
    assert said.findings["database"]["state"] == "missing"
    assert "minirag-chat add" in said.findings["database"]["remedy"]
    assert not file.parent.exists()
    printed = run(file)
    assert printed.code == 1
    assert printed.stdout.strip().endswith("Questions cannot be answered yet: database.")


def test_looking_changes_nothing(ready: Path) -> None:
    before = [(p.name, p.read_bytes()) for p in sorted(ready.parent.iterdir())]
    assert run(ready).code == 0
    assert [(p.name, p.read_bytes()) for p in sorted(ready.parent.iterdir())] == before


def test_what_another_process_has_just_written_is_seen(ready: Path) -> None:
    """The page has the file open, and what it wrote is in the log beside the file."""
    writer = sqlite3.connect(ready, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.create_function("searchable", 1, searchable, deterministic=True)  # as ours have it
    writer.execute("DELETE FROM messages WHERE id = 1")
    assert database_status(ready).messages == 8
    writer.execute("BEGIN IMMEDIATE")
    assert database_status(ready).messages == 8
    writer.close()


def test_a_model_that_needs_more_memory_than_there_is_is_told(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = find_card("qwen2.5-coder-0.5b-instruct")
    status = ModelStatus(card, tmp_path, fits=False, why="", needs_gb=1.5)
    monkeypatch.setattr(doctor, "list_models", lambda _: (status,))
    assert "1.5 GB of memory, which is too much here)" in find(settings, "models here").text


def test_an_index_that_is_not_complete_is_told_with_the_command(
    interrupted: ChatMemory, settings: Settings
) -> None:
    interrupted.close()
    found = find(settings, "database")
    assert found.state == "could be better"
    assert found.remedy == "Run `minirag-chat index`."


def test_an_index_of_another_embedder_is_told(ready: Path) -> None:
    change(ready, "UPDATE meta SET value = 'multilingual-e5-small' WHERE key = 'embedder'")
    found = find(Settings(db=ready, model_dir=ready.parent), "database")
    assert "multilingual-e5-small and not by all-MiniLM-L6-v2" in found.text
    assert found.remedy.startswith("Run `minirag-chat models get multilingual-e5-small`, or ")
    chosen = Settings(db=ready, model_dir=ready.parent, embedder="all-MiniLM-L6-v2")
    assert find(chosen, "database").remedy == "Run `minirag-chat index`."


@pytest.mark.parametrize(
    "content", [b"no database at all, only words" * 50, b"SQLite format 3\0half"]
)
def test_a_damaged_database_is_one_sentence(ready: Path, content: bytes) -> None:
    ready.write_bytes(content)
    said = run(ready, "--json")
    assert said.code == 1
    assert said.findings["database"]["state"] == "missing"
    assert str(ready) in said.findings["database"]["text"]
    assert "Traceback" not in said.stderr


def test_a_database_of_another_program_is_not_taken_for_ours(tmp_path: Path) -> None:
    change(tmp_path / "other.db", "CREATE TABLE messages (text TEXT)")
    found = find(Settings(db=tmp_path / "other.db"), "database")
    assert found.state == "missing"
    assert "another program" in found.text


@pytest.mark.skipif(os.name != "posix", reason="rights of this kind are Unix's")
def test_a_database_that_others_may_read_is_told(ready: Path) -> None:
    ready.chmod(0o644)
    found = find(Settings(db=ready), "database")
    assert found.state == "could be better"
    assert found.remedy == f"Run `chmod 600 {ready}`."


def test_an_embedder_that_is_not_here_is_missing_with_its_size(ready: Path) -> None:
    said = run(
        ready, "--json", MINIRAG_CHAT_EMBEDDER="multilingual-e5-small",
        MINIRAG_CHAT_MODEL_DIR=str(ready.parent),
    )  # fmt: skip
    assert said.code == 1
    assert "models get multilingual-e5-small" in said.findings["embedder"]["remedy"]
    assert "490 MB" in said.findings["embedder"]["remedy"]


def test_a_model_that_is_asked_for_and_not_here_is_missing(ready: Path) -> None:
    said = run(ready, "--json", MINIRAG_CHAT_MODEL="qwen2.5-coder-1.5b-instruct")
    assert said.code == 1
    assert said.findings["reader"]["state"] == "missing"
    assert "minirag-chat models get" in said.findings["reader"]["text"]


@pytest.mark.parametrize(
    ("build", "hidden", "remedy"), [("2.13.0+cpu", None, "CUDA build"), ("2.13.0", "", "Unset")]
)
def test_a_gpu_that_is_seen_and_not_used_is_told_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, build: str, hidden: str | None, remedy: str
) -> None:
    monkeypatch.setattr(memory_use.shutil, "which", lambda name: "/usr/bin/nvidia-smi")
    monkeypatch.setattr(memory_use, "version", lambda name: build)
    said = SimpleNamespace(stdout="A card, 8192, 8000")
    monkeypatch.setattr(memory_use.subprocess, "run", lambda *given, **named: said)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if hidden is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", hidden)
    memory_use._by_driver.cache_clear()
    found = find(Settings(db=tmp_path / "x.db"), "GPU")
    memory_use._by_driver.cache_clear()
    assert found.state == "could be better"
    assert found.text.startswith("A card with 8 GB is seen and not used: ")
    assert remedy in found.remedy


def test_an_extra_that_is_not_installed_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = doctor.find_spec
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "mcp" else real(name))
    found = find(Settings(db=tmp_path / "x.db"), "extra mcp")
    assert "not installed" in found.text
    assert 'pip install "minirag-chat[mcp]"' in found.remedy

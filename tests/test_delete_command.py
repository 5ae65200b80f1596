"""`minirag-chat delete` and `trash`: what they show, ask, delete, undo and prove."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from fakes import ScriptedModel, WordEmbedder
from test_forgetting import CANARY, EXPORT, PLACE, found_in
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli import app
from minirag_chat.cli.output import OUT
from minirag_chat.errors import BadDeletion, NotFound

KINDS = {
    "message": ("--message", "1"),
    "time": ("--since", "2026-03-01", "--until", "2026-03-01"),
    "time in a chat": ("Boats", "--until", "2026-03-02"),
    "person": ("--person", "Olga Prizzle"),
    "chat": ("Boats",),
    "everything": ("--everything",),
}


class Command:
    """Runs commands on one database, with a word embedder in place of the real one."""

    def __init__(self, settings: Settings) -> None:
        self.db = settings.db

    def run(self, *words: str, answer: str = "") -> Result:
        return CliRunner().invoke(app, ["--db", str(self.db), *words], input=answer)

    def json(self, *words: str) -> Any:
        done = self.run(*words, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)


@pytest.fixture
def command(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    @contextmanager
    def memory(*_: object, **__: object) -> Iterator[ChatMemory]:
        with ChatMemory.open(
            settings.db, settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
        ) as opened:
            yield opened

    monkeypatch.setattr("minirag_chat.cli.delete.memory", memory)
    monkeypatch.setattr(OUT, "width", 300)  # no path is folded
    (tmp_path / "result.json").write_text(EXPORT, encoding="utf-8")
    with memory() as opened:
        opened.add(tmp_path / "result.json")
    return Command(settings)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_left_and_the_proof_says_where_it_looked(command: Command, kind: str) -> None:
    assert found_in(command.db, CANARY, PLACE) == [CANARY, PLACE]
    proof = command.json("delete", *KINDS[kind], "--prove", "--yes")["deleted"]["proof"]
    assert proof["leaks"] == []
    looked = {Path(place["path"]).name for place in proof["looked"]}
    assert {"chats.db", "chats.db-wal", "chats.db-shm"} <= looked
    assert found_in(command.db, CANARY, PLACE) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_deletion_is_shown_asked_for_and_undone(command: Command, kind: str) -> None:
    shown = command.json("delete", *KINDS[kind], "--preview")["would_be_deleted"]
    assert shown["first"].startswith("2026-03-01")
    refused = command.run("delete", *KINDS[kind], answer="n\n")
    assert refused.exit_code != 0
    assert f"({shown['messages']} message" in refused.stderr
    assert "2026-03-01" in refused.stderr
    assert command.json("trash") == []
    done = command.run("delete", *KINDS[kind], answer="y\n")
    assert done.exit_code == 0, done.output
    (waiting,) = command.json("trash")
    assert waiting["messages"] == shown["messages"]
    assert f"trash restore {waiting['number']}" in " ".join(done.stdout.split())
    assert command.json("trash", "restore")["restored"]["messages"] == shown["messages"]
    assert command.json("trash") == []


@pytest.mark.slow
def test_the_trash_is_emptied_with_a_proof(command: Command) -> None:
    command.run("delete", "--message", "1", "--yes")
    assert command.run("trash", "empty", answer="n\n").exit_code != 0
    said = command.json("trash", "empty", "--prove", "--yes")
    assert said["wiped"] == 1
    assert said["proof"]["leaks"] == []
    assert found_in(command.db, CANARY, PLACE) == []


def test_replacing_a_name_says_that_it_makes_deletions_final(command: Command) -> None:
    words = ("delete", "--person", "Olga Prizzle", "--replace-by", "Person 7")
    assert "final" not in command.run(*words, "--preview").stdout
    command.run("delete", "--message", "2", "--yes")
    told = "This makes 1 earlier deletion final (1 message)"
    assert told in command.run(*words, "--preview").stdout
    assert told in command.run(*words, answer="n\n").stderr
    assert len(command.json("trash")) == 1


@pytest.mark.slow
def test_a_title_that_keeps_the_name_of_a_deleted_person_is_named(
    command: Command, settings: Settings, tmp_path: Path
) -> None:
    told = "The name stays in the title 'Olga Prizzle': delete this chat too, or replace the name."
    words = ("delete", "--person", "Olga Prizzle")
    assert "stays" not in command.run(*words, "--preview").stdout
    export = tmp_path / "WhatsApp Chat with Olga Prizzle.txt"
    export.write_text(
        "01/03/2026, 10:00 - Olga Prizzle: hi\n01/03/2026, 10:01 - Tom Hill: hello\n", "utf-8"
    )
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as opened:
        opened.add(export)
    assert told in command.run(*words, "--preview").stdout
    assert told in command.run(*words, answer="n\n").stderr
    assert command.json(*words, "--preview")["would_be_deleted"]["named_in"] == ["Olga Prizzle"]
    assert told in command.run(*words, "--yes").stdout
    assert "stays" not in command.run("delete", "Olga Prizzle", "--preview").stdout


def test_a_name_is_replaced(command: Command) -> None:
    done = command.run(
        "delete", "--person", "Olga Prizzle", "--replace-by", "Person 7", "--prove", "--yes"
    )
    assert done.exit_code == 0, done.output
    assert "Nothing of what was deleted was found" in done.stdout
    assert "chats.db" in done.stdout
    assert found_in(command.db, "prizzle") == []
    assert found_in(command.db, "Person 7", CANARY) == ["Person 7", CANARY]


def test_a_planted_leak_is_printed_and_fails(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minirag_chat.memory import proof

    searched = proof.search_in_subprocess

    def plant(*asked: Any) -> Any:
        with closing(sqlite3.connect(command.db)) as connection, connection:
            connection.execute("INSERT INTO meta VALUES ('left', ?)", (f"my {CANARY} is",))
        return searched(*asked)

    monkeypatch.setattr(proof, "search_in_subprocess", plant)
    done = command.run("delete", "--message", "1", "--prove", "--yes")
    assert done.exit_code != 0
    assert CANARY in done.stdout
    assert "Found in" in done.stdout


@pytest.mark.slow
def test_what_is_not_clear_is_refused(command: Command) -> None:
    for words, error in (
        ((), BadDeletion),
        (("Boats", "--message", "1"), BadDeletion),
        (("Boats", "--replace-by", "x"), BadDeletion),
        (("--person", "Olga Prizzle", "--replace-by", "", "--yes"), BadDeletion),
        (("No Such Chat",), NotFound),
        (("--person", "Nobody Atall"), NotFound),
    ):
        done = command.run("delete", *words, "--yes")
        assert isinstance(done.exception, error), words
    assert command.json("trash") == []

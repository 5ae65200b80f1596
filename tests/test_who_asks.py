"""Saying who you are: on the command line, and what an empty argument does there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from commands import run_command
from places import SMALL, write_log

from minirag_chat import ChatMemory
from minirag_chat.errors import NotFound, UnreadableFile
from minirag_chat.memory.import_preview import preview_export
from minirag_chat.settings import Settings

pytestmark = pytest.mark.process


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {
        "MINIRAG_CHAT_MODEL": "extractive", "COLUMNS": "160", "NO_COLOR": "1",
        "MINIRAG_CHAT_DB": str(folder / "cli.db"),
    }  # fmt: skip
    return run_command(*command, environment={**settings, **environment}, folder=folder)


def test_after_an_import_one_is_asked_and_says_it_once(tmp_path: Path) -> None:
    write_log(tmp_path / "log", SMALL)
    assert "people --me NAME" in run(tmp_path, "add", "log").stdout
    done = run(tmp_path, "people", "--me", "Tom")
    assert "You are TomHill" in done.stdout, done.stderr
    assert "TomHill (you)" in run(tmp_path, "people").stdout
    assert "--me" not in run(tmp_path, "add", "log").stdout, "it is not asked again"
    asked = run(tmp_path, "ask", "Where did I park the van?")
    assert "Harbour Street Bakery" in asked.stdout, asked.stderr
    assert "--me" not in asked.stdout
    nobody = run(tmp_path, "people", "--me", "Ottoline")
    assert (nobody.returncode, nobody.stdout) == (1, "")
    assert "Nobody is called 'Ottoline': `minirag-chat people` has the names." in nobody.stderr
    assert "none of them" in run(tmp_path, "people", "--nobody").stdout


def test_a_name_beside_me_is_joined_with_it_and_said(tmp_path: Path) -> None:
    (tmp_path / "Luka.txt").write_text(
        "Oct 07, 2025  3:50:00 PM\nMe\ndid you eat\n\nOct 07, 2025  3:58:00 PM\nLuka\nye\n"
    )
    (tmp_path / "WhatsApp Chat with Boats.txt").write_text(
        "01/09/2025, 19:00 - Dora: oars\n02/09/2025, 19:00 - Huw: kites\n"
    )
    assert "--me" not in run(tmp_path, "add", "Luka.txt").stdout, "everybody else writes to Me"
    said = " ".join(run(tmp_path, "add", "WhatsApp Chat with Boats.txt").stdout.split())
    assert "In iMessage you are only called \u201cMe\u201d: `minirag-chat" in said
    assert "people --me NAME` joins that with your name" in said
    done = " ".join(run(tmp_path, "people", "--me", "Dora").stdout.split())
    assert "\u201cMe\u201d in your exports and Dora are one person. Undo with `minirag-chat" in done
    assert "people split Me`" in done
    assert "only called" not in run(tmp_path, "people").stdout


def test_a_name_that_nobody_has_is_looked_up_in_a_list_that_is_there(tmp_path: Path) -> None:
    write_log(tmp_path / "log", SMALL)
    db = tmp_path / "cli.db"
    run(tmp_path, "add", "log")
    for command in (("ask", "Who?", "--people", "Xyz"), ("people", "merge", "Xyz", "TomHill"),
                    ("people", "split", "Xyz"), ("delete", "--person", "Xyz")):  # fmt: skip
        told = run(tmp_path, "--db", str(db), *command).stderr.strip()
        assert told == f"Nobody is called 'Xyz': `minirag-chat --db {db} people` has the names."
    with ChatMemory.open(None, Settings(db=db, model="extractive")) as memory:
        for wrong in ({"people": ["Xyz"]}, {"people": [9**9]}, {"chats": ["Xyz"]}):
            with pytest.raises(NotFound) as raised:
                memory.messages(**wrong)
            assert "`" not in str(raised.value), "the page and notebooks have no such command"
        with pytest.raises(
            NotFound, match="There is no message 99: answers and found messages come"
        ):
            memory.conversation(99)
        with pytest.raises(NotFound, match="the list of entities has the names"):
            memory.neighbourhood("Xyzzy")


def test_what_changed_nothing_says_so(tmp_path: Path) -> None:
    write_log(tmp_path / "log", SMALL)
    run(tmp_path, "add", "log")
    said = run(tmp_path, "people", "split", "Tom").stdout.strip()
    assert (
        said
        == "TomHill was joined with nobody, and is kept apart from other names in later imports."
    )
    assert run(tmp_path, "people", "merge", "Tom", "Sam").stdout.startswith(
        "TomHill is now SamOrtiz; "
    )
    said = run(tmp_path, "people", "split", "Tom").stdout.strip()
    assert said == "TomHill is a person of their own, and stays one in later imports."
    assert (
        run(tmp_path, "trash", "empty").stdout.strip() == "The trash is empty: nothing was wiped."
    )


@pytest.mark.parametrize(
    "command",
    [
        ("add", ""), ("add", " ", "log"), ("inspect", ""), ("ask", "Who?", "--graph", ""), ("--db=", "info"),
        ("search", ""), ("ask", ""), ("corpus", "get", "lihuaworld", "--from", ""), ("people", "--me", ""),
    ],
)  # fmt: skip
def test_an_empty_argument_is_refused_in_one_sentence(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    write_log(tmp_path / "log", SMALL)
    if command == ("ask", ""):
        run(tmp_path, "add", "log")
    done = run(tmp_path, *command)
    assert done.returncode == 1
    assert "is empty" in done.stderr
    assert len(done.stderr.splitlines()) <= 2


def test_an_empty_path_is_never_the_current_folder(
    memory: ChatMemory, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_log(tmp_path / "log", SMALL))
    for attempt in (
        lambda: memory.add(""),
        lambda: preview_export(" ", settings),
        lambda: ChatMemory.open("", settings),
    ):
        with pytest.raises(UnreadableFile, match="The path is empty"):
            attempt()
    assert memory.info().messages == 0
    assert memory.add(".").messages_added == 9, "which is how to say it"


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Settings.make().db
    monkeypatch.setenv("MINIRAG_CHAT_DB", "")
    assert Settings.make().db == before


@pytest.mark.parametrize("command", [("info", "--db", "x.db"), ("ask", "Who?", "--db=x.db")])
def test_an_option_of_the_program_behind_the_command_is_explained(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    done = run(tmp_path, *command)
    assert done.returncode == 1
    assert f"minirag-chat --db … {command[0]} …" in done.stderr
    assert run(tmp_path, "--db", "x.db", "formats").returncode == 0

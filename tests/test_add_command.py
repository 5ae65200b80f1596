"""The command that imports: what it tells of what it did, and of what it could not do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Cli
from places import write_log, write_sms_backup
from typer.testing import CliRunner

from minirag_chat import ChatMemory
from minirag_chat.cli import app
from minirag_chat.errors import StoreError


def test_what_was_imported_before_the_database_could_not_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [
        write_log(tmp_path / day, {f"{day}_1000": ("OlgaPrim: Goodbye.", "AnnaBerg: Bye.")})
        for day in ("20260301", "20260302", "20260303")
    ]
    add = ChatMemory.add

    def full(memory: ChatMemory, path: Path, **options: Any) -> Any:
        if path == logs[1]:
            raise StoreError("The disk is full.")
        return add(memory, path, **options)

    monkeypatch.setattr(ChatMemory, "add", full)
    monkeypatch.setenv("MINIRAG_CHAT_MODEL", "extractive")
    done = CliRunner().invoke(app, ["--db", str(tmp_path / "x.db"), "add", *map(str, logs)])
    assert done.exit_code == 1
    assert "2 messages read in 1 conversation, 2 new" in done.stdout
    assert "The disk is full." in done.stderr


@pytest.mark.slow
def test_who_the_user_is_is_not_asked_if_the_export_calls_them_me(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    backup = write_sms_backup(tmp_path)
    assert "Which of them is you?" not in cli.run("add", str(backup)).stdout
    assert "Me (you)" in cli.run("people").stdout
    log = write_log(tmp_path / "log", {"20260301_1000": ("OlgaPrim: Goodbye.",)})
    cli = Cli(tmp_path / "other")
    assert "Which of them is you?" in cli.run("add", str(log)).stdout


@pytest.mark.slow
def test_a_first_import_that_fails_makes_no_database(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    notes = tmp_path / "notes.txt"
    notes.write_text("milk\neggs\n", encoding="utf-8")
    for paths in ([notes], [tmp_path / "gone.txt"], [notes, tmp_path / "gone.txt"]):
        done = cli.run("add", *map(str, paths), "--json")
        assert done.returncode == 1
        assert all(path.name in json.loads(done.stdout)["error"] for path in paths)
        assert not cli.db.exists()
    log = write_log(tmp_path / "log", {"20260301_1000": ("OlgaPrim: Goodbye.",)})
    assert cli.run("add", str(notes), str(log)).returncode == 1
    assert cli.json("info")["messages"] == 1


@pytest.mark.slow
def test_files_of_an_archive_that_are_no_chats_are_one_line(tmp_path: Path) -> None:
    cli, archive = Cli(tmp_path), tmp_path / "archive"
    write_log(archive, {"20260301_1000": ("OlgaPrim: Goodbye.",)})
    for number in range(9):
        (archive / f"likes_{number}.json").write_text('{"likes": []}', encoding="utf-8")
    printed = [
        line for line in cli.run("add", str(archive)).stdout.splitlines() if "kipped" in line
    ]
    assert len(printed) == 1
    assert "likes_0.json and 8 more: not recognised as a chat export" in printed[0]


@pytest.mark.slow
def test_each_of_several_exports_has_its_own_report(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    logs = [
        write_log(tmp_path / day, {f"{day}_1000": ("OlgaPrim: Goodbye.", "AnnaBerg: Bye.")})
        for day in ("20260301", "20260302")
    ]
    lines = cli.run("add", *map(str, logs)).stdout.splitlines()
    for log in logs:
        assert "2 messages read" in lines[lines.index(f"{log}:") + 1]
    again = cli.run("add", *map(str, logs), "--time-zone", "Mars")
    assert again.returncode == 1
    assert again.stderr.count("Mars") == 1, "said once"
    assert "Which of them is you?" not in again.stdout, "nothing was imported"


@pytest.mark.slow
def test_a_file_of_absolute_times_has_no_times_without_a_zone(tmp_path: Path) -> None:
    file = tmp_path / "general" / "2024-03-01.json"
    file.parent.mkdir()
    said = [{"type": "message", "user": "U1", "text": "hi", "ts": "1710017600.000100"}]
    file.write_text(json.dumps(said), encoding="utf-8")
    shown = Cli(tmp_path).run("add", str(file.parent))
    assert "without a zone" not in shown.stdout
    assert "has absolute times" in shown.stdout + shown.stderr


@pytest.mark.parametrize("added", [0, 2])
def test_ctrl_c_says_what_was_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, added: int
) -> None:
    log = write_log(tmp_path / "log", {"20260301_1000": ("OlgaPrim: Goodbye.", "AnnaBerg: Bye.")})
    add = ChatMemory.add

    def interrupted(memory: ChatMemory, path: Path, **_: Any) -> None:
        if added:
            add(memory, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(ChatMemory, "add", interrupted)
    monkeypatch.setenv("MINIRAG_CHAT_MODEL", "extractive")
    done = CliRunner().invoke(app, ["--db", str(tmp_path / "x.db"), "add", str(log)])
    assert done.exit_code == 130
    assert done.stderr == (
        f"Stopped: {added} messages added.\n" if added else "Stopped: nothing was added.\n"
    )

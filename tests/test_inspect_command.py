"""The commands `formats` and `inspect`: what can be read, and what a file has, before anything is imported."""

from __future__ import annotations

import json
from pathlib import Path

from places import ROOT
from typer.testing import CliRunner

from minirag_chat.cli import app
from minirag_chat.importers import IMPORTERS

RUNNER = CliRunner()


def run(*arguments: str) -> str:
    done = RUNNER.invoke(app, list(arguments), env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_formats_names_every_format_and_how_to_get_it() -> None:
    listed = json.loads(run("formats", "--json"))
    assert [f["name"] for f in listed] == [importer.name for importer in IMPORTERS]
    assert all(f["how"].endswith(".") and f["files"] and f["title"] for f in listed)
    plain = run("formats")
    assert all(f["title"] in plain for f in listed)


def test_the_docs_list_the_formats_as_the_registry_does() -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert run("formats", "--markdown").strip() in text


def test_inspect_shows_what_would_come_in_and_stores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat with Bob.txt"
    path.write_text("3/4/21, 10:00 - Ann: hi\n3/4/21, 10:01 - Bob: <Media omitted>\n5/6/21, 10:00 - Ann: bye\n",
                    encoding="utf-8")  # fmt: skip
    shown = run("--db", str(tmp_path / "x.db"), "inspect", str(path))
    for part in (
        "whatsapp",
        "Bob: 3 messages, 2021-04-03 to 2021-06-05",
        "Ann: hi",
        "--date-order",
    ):
        assert part in shown
    assert not (tmp_path / "x.db").exists()
    [file] = json.loads(run("inspect", str(path), "--date-order", "mdy", "--json"))
    assert file["chats"][0]["first"] == "2021-03-04T10:00:00"
    assert file["decisions"] == []
    [file] = json.loads(run("inspect", str(path), "--json"))
    assert file["decisions"] == [{
        "source": path.name, "what": "date order", "chosen": "dmy", "certain": False,
        "option": "date_order", "messages": 3,
    }]  # fmt: skip


def test_a_column_can_be_mapped_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("moment,speaker,words\n2024-01-01 10:00,Ann,hi\n", encoding="utf-8")
    columns = ("--column", "sent_at=moment", "--column", "sender=speaker", "--column", "text=words")
    [file] = json.loads(run("inspect", str(path), *columns, "--json"))
    assert file["chats"][0]["people"] == ["Ann"]


def test_inspect_says_first_that_a_file_is_no_chat_and_then_what_likely_ones_have(
    tmp_path: Path,
) -> None:
    (tmp_path / "notes.txt").write_text("milk\neggs\n", encoding="utf-8")
    env = {"COLUMNS": "200"}
    done = RUNNER.invoke(app, ["inspect", str(tmp_path / "notes.txt")], env=env)
    assert done.exit_code == 1
    assert "notes.txt was not recognised as a chat export" in done.stderr
    said = done.stdout.splitlines()
    assert 3 <= len(said) <= 15
    assert "WhatsApp" in done.stdout
    assert "JSON" not in done.stdout
    everything = RUNNER.invoke(
        app, ["inspect", str(tmp_path / "notes.txt"), "--all"], env=env
    ).stdout
    assert "Telegram JSON" in everything
    assert "--all" not in everything

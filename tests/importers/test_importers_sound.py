"""One odd cell costs neither the import nor the message: dates of no calendar, control characters."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
from dialects import read_export
from stored import opened

from minirag_chat.importers import ImportOptions
from minirag_chat.records import ParsedExport, ParsedMessage


def read(path: Path) -> tuple[list[ParsedMessage], ParsedExport]:
    [(_, export)] = read_export(path, ImportOptions(time_zone="UTC"))
    assert isinstance(export, ParsedExport)
    return [message for chat in export.chats for message in chat.messages], export


def table(path: Path, *rows: str) -> Path:
    path.write_text("\n".join(("sent_at,sender,text", *rows)) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("odd", ["9999-12-31 23:59", "0001-01-01 00:00", "2100-01-01 00:00"])
def test_a_date_of_no_calendar_is_that_of_the_message_before(odd: str, tmp_path: Path) -> None:
    path = table(
        tmp_path / "chat.csv",
        "2026-04-01 10:00,Ann,The key is blue.",
        f"{odd},Bob,ok",
        "2026-04-01 10:02,Ann,Bye",
    )
    messages, export = read(path)
    times = [datetime(2026, 4, 1, 10, minute) for minute in (0, 0, 2)]
    assert [message.sent_at for message in messages] == times
    (note,) = (note for note in export.notes if "before 1900 or after 2099" in note)
    assert odd[:4] in note
    [alone], _ = read(table(tmp_path / "alone.csv", f"{odd},Bob,ok"))
    assert 1900 <= alone.sent_at.year <= 2099


@pytest.mark.parametrize(
    "odd",
    [f"Mar 5, 2021 10:{'9' * 60}", f"5 mars 2021 10h{'9' * 60}", "9" * 5000, "1e400", "[1]" * 2666],
)
def test_one_date_that_cannot_be_read_costs_one_message(odd: str, tmp_path: Path) -> None:
    messages, export = read(
        table(
            tmp_path / "chat.csv",
            "2026-04-01 10:00,Ann,Hi",
            f'"{odd}",Bob,ok',
            "2026-04-01 10:02,Ann,Bye",
        )
    )
    assert [message.text for message in messages] == ["Hi", "Bye"]
    assert [item.line for item in export.skipped] == [3]


def test_a_number_of_thousands_of_digits_costs_no_other_message(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    said = [{"id": n, "type": "message", "date": "2026-04-01T10:00:00", "from": "Ann", "text": f"so {n}"}
            for n in range(3)]  # fmt: skip
    text = json.dumps({"name": "Boat", "type": "personal_chat", "id": 1, "messages": said})
    path.write_text(
        text.replace('"id": 1, "type"', f'"id": {"7" * 9000}, "type"'), encoding="utf-8"
    )
    messages, _ = read(path)
    assert [message.text for message in messages] == ["so 0", "so 1", "so 2"]


def test_control_characters_and_halves_of_characters_go(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    said = {
        "id": "\ud83d", "type": "message", "date": "2026-04-01T10:00:00", "from": "A\x00nn\x1b",
        "text": "a\x00b\x1b[31m\x7f\x9b\tc\rd\r\ne \ud83d", "forwarded_from": "Bo\x08b",
    }  # fmt: skip
    nothing = {**said, "id": 2, "text": "\x01\x02"}
    chat = {"name": "Bo\x00at\ud83d", "type": "personal_chat", "id": 1, "messages": [said, nothing]}
    path.write_text(json.dumps(chat), encoding="utf-8")
    [message], export = read(path)
    assert message.text == "ab[31m\tc\nd\r\ne \ufffd"
    assert (message.sender, message.forwarded_from) == ("Ann", "Bob")
    assert export.chats[0].title == "Boat\ufffd"
    assert len(export.skipped) == 1
    with opened(tmp_path / "db") as memory:
        assert memory.add(path).messages_added == 1


@pytest.mark.slow
def test_a_database_with_such_a_date_can_be_asked(tmp_path: Path) -> None:
    path = table(
        tmp_path / "chat.csv",
        "2026-04-01 10:00,Ann,The key is blue.",
        "2026-04-02 10:00,Bob,Thanks",
    )
    with opened(tmp_path / "db") as memory:
        memory.add(path)
    with sqlite3.connect(tmp_path / "db" / "chats.db") as connection:
        connection.execute(
            "UPDATE messages SET sent_at = '9999-12-31T23:59:00' WHERE text = 'Thanks'"
        )
        connection.execute(
            "UPDATE sessions SET started_at = '9999-12-31T23:59:00', "
            "ended_at = '9999-12-31T23:59:00' WHERE started_at LIKE '2026-04-02%'"
        )
    with opened(tmp_path / "db") as memory:
        lately = memory.ask("What did we talk about lately?")
        assert any("key is blue" in source.quote for source in lately.sources)
        for asked in (
            "What happened last week?",
            "When did Bob thank Ann?",
            "What is planned tomorrow?",
        ):
            memory.ask(asked)
        for unit in ("day", "week", "month"):
            assert memory.timeline(unit)
        memory.suggestions()
        memory.messages(until="9999-12-31")
        assert memory.info().last == datetime(2026, 4, 1, 10)

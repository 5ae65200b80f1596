"""An export of many chats, or of a chat in many files, costs time by their number, not by its square."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from growth import assert_steps_by_length, steps
from measure_import import CountingWords
from places import write_log

from minirag_chat import Settings
from minirag_chat.importers import ImportOptions, stream_export
from minirag_chat.ingest import ingest
from minirag_chat.ingest.shifts import FITTING
from minirag_chat.store import Store

pytestmark = pytest.mark.slow


def of_numbers(path: Path, chats: int) -> Path:
    """A backup of text messages: each chat has the number as its key."""
    lines = (
        f'<sms address="+4915{n:08d}" date="{1640000000000 + n * 600000 + said * 60000}" type="{said}"'
        f' body="Pat, number {said} of {n} for the boat" contact_name="Pat A{n} Lee" />'
        for n in range(chats)
        for said in (1, 2)
    )
    path.write_text("<smses>\n" + "\n".join(lines) + "\n</smses>", encoding="utf-8")
    return path


def of_titles(path: Path, chats: int) -> Path:
    """A table: each chat has a title, and no key."""
    lines = (
        f"2022-01-01 10:{said:02}:00,{('Me', f'Pat{n} Lee')[said]},Number {said} of {n},Chat {n}"
        for n in range(chats)
        for said in (0, 1)
    )
    path.write_text("sent_at,sender,text,chat\n" + "\n".join(lines), encoding="utf-8")
    return path


def of_nobody(path: Path, chats: int) -> Path:
    """Logs without a title: a chat is known by who writes in it."""
    sessions = {
        f"2022{1 + n // 28 % 12:02}{1 + n % 28:02}_10{n // 336:02}": ("Me: One", f"Pat{n}Lee: Two")
        for n in range(chats)
    }
    return write_log(path, sessions)


def of_one_title(path: Path, chats: int) -> Path:
    """Conversations with an assistant: each has an id, and all are called alike."""
    conversations = [
        {"uuid": f"c{n}", "name": "New chat", "chat_messages": [
            {"uuid": f"m{n}-{said}", "sender": ("human", "assistant")[said], "text": f"Number {said} of {n}",
             "created_at": f"2025-01-01T10:{n % 60:02}:{said:02}.000000Z"}
            for said in (0, 1)
        ]}
        for n in range(chats)
    ]  # fmt: skip
    path.write_text(json.dumps(conversations), encoding="utf-8")
    return path


def of_days(path: Path, days: int) -> Path:
    """A channel of Slack: a file for each day, with five messages."""
    (path / "general").mkdir(parents=True)
    (path / "channels.json").write_text('[{"id": "C1", "name": "general"}]')
    (path / "users.json").write_text(
        json.dumps([{"id": f"U{n}", "profile": {"real_name": f"Pat{n} Lee"}} for n in (0, 1)])
    )
    for n in range(days):
        day = 1_600_000_000 + 86_400 * n
        said = [
            {"type": "message", "user": f"U{m % 2}", "ts": f"{day + 60 * m}.000100", "text": f"Number {m} of {n}"}
            for m in range(5)
        ]  # fmt: skip
        (path / "general" / f"{n:04}.json").write_text(json.dumps(said))
    return path


def of_days_of_no_id(path: Path, days: int) -> Path:
    """The channel without the list of channels, so that it is known by its title and messages alone."""
    of_days(path, days)
    (path / "channels.json").unlink()
    return path


def counted(
    folder: Path, written: Callable[[Path, int], Path], files: int, chats: int, messages: int
) -> int:
    """Steps to import an export, and to import it again."""
    folder.mkdir()
    settings, options = Settings(db=folder / "chats.db"), ImportOptions(time_zone="UTC")
    export = written(folder / "export", files)
    with Store.open(settings.db) as store:

        def imported() -> None:
            for added in (messages, 0):
                pieces = stream_export(export, options)
                report = ingest(store, pieces, settings, CountingWords, options.zone())
                assert (len(report.chats), report.messages_added) == (chats, added)

        return steps(imported, store.connection)


@pytest.mark.parametrize("written", [of_numbers, of_titles, of_nobody, of_one_title])
def test_many_chats_cost_time_by_their_number(
    written: Callable[[Path, int], Path], tmp_path: Path
) -> None:
    run = itertools.count()
    assert_steps_by_length(
        lambda chats: counted(tmp_path / str(next(run)), written, chats, chats, 2 * chats), 40
    )


@pytest.mark.parametrize("written", [of_days, of_days_of_no_id])
def test_a_chat_in_many_files_costs_time_by_their_number(
    written: Callable[[Path, int], Path], tmp_path: Path
) -> None:
    run = itertools.count()
    assert_steps_by_length(
        lambda days: counted(tmp_path / str(next(run)), written, days, 1, 5 * days), 40
    )


def plans(connection: sqlite3.Connection, statements: Iterable[str]) -> Iterator[str]:
    """How SQLite carries statements out, each after its text."""
    for sql in statements:
        if sql.lstrip().startswith(("SELECT", "WITH", "INSERT", "UPDATE", "DELETE")):
            for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}"):
                yield f"{sql}\n{row[3]}"


def test_no_chat_costs_an_index_of_all_messages(tmp_path: Path) -> None:
    """Each chat that is new would be compared by a throw-away index: in memory, of every stored text."""
    settings, options = Settings(db=tmp_path / "chats.db"), ImportOptions(time_zone="UTC")
    export = tmp_path / "export.csv"
    lines = (
        f"2022-01-{1 + n:02} 10:{said:02}:{n:02},Pat{n},Number {said} of {n} for the boat,Chat {n}"
        for n in range(3)
        for said in range(2 * FITTING)
    )
    export.write_text("sent_at,sender,text,chat\n" + "\n".join(lines), encoding="utf-8")
    statements: dict[str, None] = {}
    with Store.open(settings.db) as store:
        connection = store.connection
        assert isinstance(connection, sqlite3.Connection)
        connection.set_trace_callback(lambda sql: statements.update({sql: None}))
        pieces = stream_export(export, options)
        ingest(store, pieces, settings, CountingWords, options.zone())
        connection.set_trace_callback(None)
        assert any("RECURSIVE apart" in sql for sql in statements)  # they were compared
        made = [plan for plan in plans(connection, statements) if "AUTOMATIC" in plan]
    assert made == []

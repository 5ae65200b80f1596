"""An export of many chats costs time by their number, not by its square."""

from __future__ import annotations

import itertools
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


def counted(folder: Path, written: Callable[[Path, int], Path], chats: int) -> int:
    """Steps to import the chats, and to import them again."""
    folder.mkdir()
    settings, options = Settings(db=folder / "chats.db"), ImportOptions(time_zone="UTC")
    export = written(folder / "export", chats)
    with Store.open(settings.db) as store:

        def imported() -> None:
            for added in (2 * chats, 0):
                pieces = stream_export(export, options)
                report = ingest(store, pieces, settings, CountingWords, options.zone())
                assert (len(report.chats), report.messages_added) == (chats, added)

        return steps(imported, store.connection)


@pytest.mark.parametrize("written", [of_numbers, of_titles, of_nobody])
def test_many_chats_cost_time_by_their_number(
    written: Callable[[Path, int], Path], tmp_path: Path
) -> None:
    run = itertools.count()
    assert_steps_by_length(lambda chats: counted(tmp_path / str(next(run)), written, chats), 40)


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

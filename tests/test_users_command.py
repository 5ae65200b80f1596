"""The commands of a database with users, and a page's own role of PostgreSQL."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from commands import run_command
from places import SMALL, write_log
from postgres_server import PostgresServer
from three_users import opened
from typer.testing import CliRunner

from minirag_chat.cli import app
from minirag_chat.errors import StoreError
from minirag_chat.store.full_text import Tokenizer
from minirag_chat.store.postgres.connection import ROLE
from minirag_chat.store.postgres.full_text import TsVectors
from minirag_chat.store.postgres.opening import connect
from minirag_chat.store.postgres.users import Users
from minirag_chat.store.wiping import Wiping

pytest.importorskip("psycopg", reason="psycopg is not installed")


def call(*command: str, given: str = "") -> str:
    """What a command prints, in this process."""
    done = CliRunner().invoke(app, command, input=given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def address(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> str:
    found = postgres.address()
    monkeypatch.setenv("MINIRAG_CHAT_DB", found)
    monkeypatch.setenv("MINIRAG_CHAT_MODEL", "extractive")
    return found


@pytest.mark.slow
def test_users_are_made_listed_and_removed(address: str) -> None:
    assert "no users" in call("users", "list")
    assert "ann is a user; all chats that were there are theirs" in call(
        "users", "add", "Ann", given="correct horse battery\n"
    )
    call("users", "add", "ben", "--no-password")
    listed = json.loads(call("users", "list", "--json"))
    assert [(u["name"], u["password"]) for u in listed] == [("ann", True), ("ben", False)]
    call("users", "password", "ben", given="another long word\n")
    with Users.open(address) as users:
        assert users.check("ben", "another long word")
    assert "ben is removed" in call("users", "remove", "ben", "--yes")
    events = json.loads(call("audit", "--json"))
    assert [(e["user"], e["event"]) for e in events] == [
        ("ben", "user removed"), ("ben", "password changed"), ("ben", "user added"), ("ann", "user added"),
    ]  # fmt: skip


@pytest.mark.slow
def test_who_was_removed_is_removed_also_while_another_program_reads(address: str) -> None:
    for name in ("ann", "ben", "cy"):
        call("users", "add", name, "--no-password")
    with closing(connect(address, None)) as other:
        other.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT * FROM chats").fetchall()
        said = call("users", "remove", "ben", "--yes")
        assert "ben is removed, with 0 chats, but" in said
        assert "in use by another process" in said
        assert "until your next `minirag-chat index`" in said
        removed = json.loads(call("users", "remove", "cy", "--yes", "--json"))
        assert removed == {"removed": "cy", "chats": 0, "wiped": False}
    assert [user["name"] for user in json.loads(call("users", "list", "--json"))] == ["ann"]
    call("index")
    with Users.open(address) as users:
        assert not Wiping(users._connection, TsVectors(users._connection, Tokenizer().each)).due()


@pytest.mark.slow
def test_a_chat_is_shared_by_name(address: str, tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        call("users", "add", name, "--no-password")
    with opened(address, "ann", tmp_path) as ann:
        ann.add(write_log(tmp_path / "log", SMALL))
        chat = next(c for c in ann.chats() if "SamOrtiz" in c.participants)
    assert json.loads(call("--user", "ben", "chats", "--json")) == []
    assert "ben can read" in call("--user", "ann", "chats", "share", chat.title, "ben")
    assert "ben" in call("--user", "ann", "chats")
    (seen,) = json.loads(call("--user", "ben", "chats", "--json"))
    assert seen["id"] == chat.id
    assert "drums" in call("--user", "ben", "search", "drums")
    assert "no longer" in call("--user", "ann", "chats", "unshare", str(chat.id), "ben")
    assert json.loads(call("--user", "ben", "search", "drums", "--json")) == []


@pytest.mark.process
def test_what_is_wrong_is_said_in_a_sentence(address: str, tmp_path: Path) -> None:
    def refused(*command: str, **environment: str) -> str:
        done: subprocess.CompletedProcess[str] = run_command(*command, environment=environment)
        assert done.returncode == 1
        return done.stderr

    call("users", "add", "ann", "--no-password")
    assert "has users: say who you are" in refused("chats")
    assert "no user 'eve'" in refused("--user", "eve", "chats")
    assert "users need PostgreSQL" in refused(
        "users", "list", MINIRAG_CHAT_DB=str(tmp_path / "x.db")
    )
    assert "the database of one person" in refused("move", address, str(tmp_path / "y.db"))


@pytest.mark.slow
def test_a_role_that_owns_nothing_is_enough_for_a_page(address: str, tmp_path: Path) -> None:
    import psycopg

    with Users.open(address) as users:
        users.add("ann", "correct horse battery")
    with psycopg.connect(address, autocommit=True) as link:
        link.execute("DROP ROLE IF EXISTS page")
        link.execute(f"CREATE ROLE page LOGIN IN ROLE {ROLE}")
    as_page = address.replace("tests@", "page@")
    with Users.open(as_page) as users:
        assert users.check("ann", "correct horse battery")
        users.signed_in("ann")
    with opened(as_page, "ann", tmp_path) as ann:
        ann.add(write_log(tmp_path / "log", SMALL))
        assert ann.search("drums")
        ann.delete(messages=[ann.search("drums")[0].message.id], now=True)
        ann.add(write_log(tmp_path / "more", {"20260110_0900": ("TomHill: My drums are wet.",)}))
        assert len(ann.search("drums")) == 1
    with psycopg.connect(as_page, autocommit=True) as link:
        assert link.execute("SELECT * FROM messages").fetchall() == []
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            link.execute("SELECT * FROM audit")


@pytest.mark.slow
def test_an_owner_that_is_no_superuser_makes_users_with_the_role_there(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    import psycopg

    address = postgres.address(empty=True)
    with psycopg.connect(address, autocommit=True) as link:
        (name,) = link.execute("SELECT current_database()").fetchone() or ("",)
        if not link.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone():
            link.execute(f"CREATE ROLE {ROLE}")
        link.execute("DROP ROLE IF EXISTS keeper")
        link.execute("CREATE ROLE keeper LOGIN")
        link.execute(f"ALTER DATABASE {name} OWNER TO keeper")
        as_keeper = address.replace("tests@", "keeper@")
        with Users.open(as_keeper) as users, pytest.raises(StoreError, match="administrator run"):
            users.add("ann")
        link.execute(f"GRANT {ROLE} TO keeper")
    with Users.open(as_keeper) as users:
        users.add("ann")
        users.add("ben")
    with opened(as_keeper, "ann", tmp_path) as ann, opened(as_keeper, "ben", tmp_path) as ben:
        ann.add(write_log(tmp_path / "log", SMALL))
        assert ann.search("drums")
        assert not ben.search("drums")
        ann.share(next(c.id for c in ann.chats() if "SamOrtiz" in c.participants), "ben")
        assert ben.search("drums")
        ann.delete(everything=True, now=True)
        assert not ben.search("drums")
    with psycopg.connect(address, autocommit=True) as link:
        (left,) = link.execute("SELECT COUNT(*) FROM chunks").fetchone() or (None,)
        assert left == 0
        link.execute(f"ALTER DATABASE {name} OWNER TO tests")

"""Opens a PostgreSQL database: creates or migrates its tables."""

from __future__ import annotations

from importlib.resources import files

from minirag_chat.errors import DatabaseTooNew, StoreError
from minirag_chat.store.postgres.connection import WRITING, PostgresConnection, reach

MIGRATIONS = (
    "m001_initial.sql", "m002_users.sql", "m003_instants.sql", "m004_statistics.sql",
)  # fmt: skip
_MAKING = WRITING + 1  # the advisory lock of migrations


def connect(address: str, user: str | None = "") -> PostgresConnection:
    """Open the database at an address, create or migrate its tables, and take the rights of ``user``.

    Without a user the database must have none; None is the owner of the tables, who sees everything. Raises
    ``NotFound``, or ``StoreError`` and its children.
    """
    connection = reach(address)
    try:
        _make_tables(connection)
        connection.act_as(user)
    except BaseException:
        connection.close()
        raise
    return connection


def _make_tables(connection: PostgresConnection) -> None:
    """Create or migrate the tables in one transaction; one process at a time."""
    with connection.atomic(lambda: connection.execute("BEGIN")):
        connection.execute(f"SELECT pg_advisory_xact_lock({_MAKING})")
        there = layout(connection)
        for name in MIGRATIONS[there:]:
            connection.script(_statements(name))
        if there < len(MIGRATIONS):
            if connection.has_users:
                allow_users(connection)  # also tables that the migrations created
            connection.execute(
                "INSERT INTO meta VALUES ('layout', ?) "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (str(len(MIGRATIONS)),),
            )


def layout(connection: PostgresConnection) -> int:
    """The number of the last migration, 0 before the first. Raises ``DatabaseTooNew`` or ``StoreError``."""
    there = connection.value("SELECT to_regclass('deleted_rows')")
    other = connection.number("SELECT COUNT(*) FROM pg_tables WHERE tablename = 'meta'")
    if there is None and other:
        raise StoreError(
            f"{connection.path} has tables of another program: make a database for the messages alone "
            "(`createdb chats`)."
        )
    if there is None:
        return 0
    found = connection.number("SELECT value FROM meta WHERE key = 'layout'")
    if found > len(MIGRATIONS):
        raise DatabaseTooNew(
            f"{connection.path} was written by a newer release (layout {found}, this one knows up to "
            f"{len(MIGRATIONS)}): update with `pip install --upgrade minirag-chat`."
        )
    return found


def allow_users(connection: PostgresConnection) -> None:
    """Create the role that is used for each user, and grant its rights."""
    connection.script(_statements("users.sql"))


def _statements(name: str) -> str:
    return files("minirag_chat.store.postgres").joinpath(name).read_text(encoding="utf-8")

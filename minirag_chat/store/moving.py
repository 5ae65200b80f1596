"""Copies a database into another one, SQLite or PostgreSQL, either way; and proves that it is the same.

Rows are copied in the order of their keys, some thousand at a time, each batch in one transaction, so that an
interrupted copy resumes after the last row in the target. The full text is made anew by the other database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from minirag_chat.errors import StoreError
from minirag_chat.records import Progress, Report, silent
from minirag_chat.store.database import MOVING, Store
from minirag_chat.store.sql import OWNER, TABLES, truth

BLOCK = 2000  # rows that are copied at once
_KEYS = {
    "meta": ("key",),
    "chunk_messages": ("chunk_id", "message_id"),
    "vectors": ("chunk_id",),
    "mentions": ("entity_id", "message_id", "start"),
    "slm_reading_messages": ("message_id", "reading_id"),
    "slm_mentions": ("entity_id", "message_id", "reading_id"),
    "summary_chunks": ("chunk_id", "summary_id"),
    "summary_entities": ("summary_id", "entity_id"),
    "media": ("message_id", "position"),
}
KEYS = {table: _KEYS.get(table, ("id",)) for table in TABLES}
"""The tables, each after those that it points to, with their keys."""
_SELF_REFERENCES = {"entities": "same_as"}  # a column that names rows of its own table
_OWN_META = (MOVING, "layout")  # facts about the database itself
HAS_USERS = (
    "`move` copies the database of one person, and this one has users: copy it with pg_dump."
)


@dataclass(frozen=True, slots=True)
class Moved:
    """A table that was copied: its rows, and a hash over all their values (BLAKE2b, hexadecimal)."""

    table: str
    rows: int
    hash: str


def move(source: Store, target: Store, report: Report = silent) -> list[Moved]:
    """Copy everything into an empty database, or go on where that was stopped; returns the proof.

    The source stays as it is. Raises ``StoreError`` where it is itself such a copy, where the target has
    other messages, or is not the same in the end.
    """
    source.must_be_complete()
    if source.has_users or target.has_users:
        raise StoreError(HAS_USERS)
    _begin(source, target)
    with source.reading():
        for table in KEYS:
            _copy(source, target, table, report)
        wanted = [_proof(source, table) for table in KEYS]
        highest = {t: source.connection.highest(t) for t, key in KEYS.items() if key == ("id",)}
    with target.transaction():
        for table, number in highest.items():
            target.connection.count_on(table, number)
    with target.reading():
        found = [_proof(target, table) for table in KEYS]
    other = [one.table for one, its in zip(wanted, found, strict=True) if one != its]
    if other:
        raise StoreError(
            f"{target.path} is not the same as {source.path} ({', '.join(other)}): something changed in "
            "one of them meanwhile. Delete the copy and move again."
        )
    with target.transaction():
        target.connection.execute("DELETE FROM meta WHERE key = ?", (MOVING,))
    return found


def _begin(source: Store, target: Store) -> None:
    """Say in the target that a copy has begun. Raises ``StoreError`` where it has other messages."""
    mark = hashlib.blake2b(str(source.path).encode("utf-8", "replace"), digest_size=8).hexdigest()
    with target.transaction():
        if target.meta(MOVING) == mark:
            return
        count = target.connection.number
        if count("SELECT COUNT(*) FROM chats") or count("SELECT COUNT(*) FROM entities"):
            raise StoreError(
                f"{target.path} has messages already: name a database that is new or empty."
            )
        target.set_meta(MOVING, mark)


def _copy(source: Store, target: Store, table: str, report: Report) -> None:
    """Copy the rows of a table that are not there yet."""
    names = _columns(source, table)
    total = source.connection.number(f"SELECT COUNT(*) FROM {table}")
    done = target.connection.number(f"SELECT COUNT(*) FROM {table}")
    back = _SELF_REFERENCES.get(table)
    keys = ", ".join(KEYS[table])
    insert = (
        f"INSERT INTO {table} ({', '.join(map(_quoted, names))}) VALUES ({', '.join('?' * len(names))}) "
        f"ON CONFLICT ({keys}) DO NOTHING"
    )
    for rows in _blocks(source, target, table, names):
        first = [_without(row, names, back) for row in rows]
        with target.transaction():
            target.connection.executemany(insert, first)
        done += len(rows)
        report(Progress(f"moving {table.replace('_', ' ')}", min(done, total), total))
    if back:
        pairs = source.connection.execute(
            f"SELECT {back}, {keys} FROM {table} WHERE {back} IS NOT NULL"
        ).fetchall()
        with target.transaction():
            target.connection.executemany(f"UPDATE {table} SET {back} = ? WHERE {keys} = ?", pairs)


def _blocks(
    source: Store, target: Store, table: str, names: Sequence[str]
) -> Iterator[list[tuple[Any, ...]]]:
    """The rows behind the last one that the target has, in the order of their keys."""
    keys = KEYS[table]
    joined = ", ".join(keys)
    descending = ", ".join(f"{key} DESC" for key in keys)
    last = None
    if table != "meta":  # where a new database has rows of its own
        last = target.connection.execute(
            f"SELECT {joined} FROM {table} ORDER BY {descending} LIMIT 1"
        ).fetchone()
    places = [list(names).index(key) for key in keys]
    columns = ", ".join(map(_quoted, names))
    while True:
        where = f"WHERE ({joined}) > ({', '.join('?' * len(keys))}) " if last else ""
        rows = source.connection.execute(
            f"SELECT {columns} FROM {table} {where}ORDER BY {joined} LIMIT {BLOCK}", last or ()
        ).fetchall()
        if not rows:
            return
        last = tuple(rows[-1][place] for place in places)
        yield [row for row in rows if table != "meta" or row[places[0]] not in _OWN_META]


def _columns(store: Store, table: str) -> list[str]:
    """The names of a table's columns, in one order for all databases."""
    found = store.connection.execute(f"SELECT * FROM {table} LIMIT 0")
    return sorted(column[0] for column in found.description if column[0] != OWNER)


def _without(row: tuple[Any, ...], names: Sequence[str], back: str | None) -> tuple[Any, ...]:
    """A row as it is first written: with booleans, and without references to rows that are copied later."""
    return tuple(
        None if name == back else truth(name, value) for name, value in zip(names, row, strict=True)
    )


def _proof(store: Store, table: str) -> Moved:
    """The number of a table's rows, and a hash over them in the order of their keys."""
    names = _columns(store, table)
    digest, count = hashlib.blake2b(digest_size=16), 0
    columns, keys = ", ".join(map(_quoted, names)), ", ".join(KEYS[table])
    rows = store.connection.execute(f"SELECT {columns} FROM {table} ORDER BY {keys}")
    key = names.index(KEYS[table][0])
    while part := rows.fetchmany(BLOCK):
        for row in part:
            if table != "meta" or row[key] not in _OWN_META:
                count += 1
                digest.update(repr(tuple(map(_plain, row))).encode("utf-8", "replace"))
    return Moved(table, count, digest.hexdigest())


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _quoted(name: str) -> str:
    return f'"{name}"'  # one of them is called "end"

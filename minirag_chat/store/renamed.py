"""Full text follows people: it names who wrote by the person's name, also after a merge or split."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from minirag_chat.records import Message
from minirag_chat.store.database import Store
from minirag_chat.store.index import people_text
from minirag_chat.store.words import TextTable

_SESSIONS_AT_ONCE = 200


@contextmanager
def names_followed(store: Store) -> Iterator[None]:
    """Inside a transaction: what the block says of who is who, the full text says afterwards."""
    before = store.people.canonical()
    yield
    _rename(store, before)


def _rename(store: Store, before: Mapping[int, int]) -> None:
    after = store.people.canonical()
    moved = [(spelling,) for spelling, person in before.items() if after.get(spelling) != person]
    if not moved:
        return
    run = store.connection.execute
    run("CREATE TEMP TABLE moved (id INTEGER PRIMARY KEY)")
    store.connection.executemany("INSERT INTO temp.moved VALUES (?)", moved)
    rows = run(
        "SELECT DISTINCT session_id FROM messages WHERE session_id IS NOT NULL "
        "AND sender_id IN (SELECT id FROM temp.moved)"
    ).fetchall()
    run("DROP TABLE temp.moved")
    with store.cache.held():  # who is who does not change any more
        for start in range(0, len(rows), _SESSIONS_AT_ONCE):
            _name(store, [row[0] for row in rows[start : start + _SESSIONS_AT_ONCE]])


def _name(store: Store, sessions: Sequence[int]) -> None:
    """Write anew who speaks in these sessions, in their messages and in their chunks."""
    for session, messages in store.messages.of_sessions(sessions).items():
        said = [message for message in messages if not message.deleted]
        _write(store, "session_text", session, said)
        for message in said:
            _write(store, "message_text", message.id, [message])
    marks = ",".join("?" * len(sessions))
    found = store.connection.execute(
        f"SELECT id FROM chunks WHERE session_id IN ({marks})", tuple(sessions)
    )
    for chunk, ids in store.index.members([row[0] for row in found]).items():
        members = store.messages.by_ids(ids)
        _write(store, "chunk_text", chunk, [members[i] for i in ids if i in members])


def _write(store: Store, table: TextTable, row: int, messages: Sequence[Message]) -> None:
    store.connection.execute(
        f"UPDATE {table} SET people = ? WHERE rowid = ?", (people_text(messages), row)
    )

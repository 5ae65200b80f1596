"""What benchmarks ask of a database: sizes by part, sessions by time, what a model read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from minirag_chat.errors import StoreError
from minirag_chat.store.database import Store

PARTS = {
    "messages": ("messages", "chats", "sessions"),
    "full text": ("message_text",),
    "vectors": ("vectors",),
    "chunks": ("chunks", "chunk_messages"),
    "graph": ("entities", "mentions"),
    "model's graph": ("slm_",),
    "summaries": ("summar",),
}


def size_by_part(store: Store) -> dict[str, int]:
    """The size of each part of the database in bytes; an index counts with its table.

    If SQLite was built without ``dbstat`` there is only "all".
    """
    with store.reading():
        try:
            rows = store.connection.execute(
                "SELECT m.tbl_name, SUM(s.pgsize) FROM dbstat s "
                "JOIN sqlite_master m ON m.name = s.name GROUP BY 1"
            ).fetchall()
        except StoreError:  # SQLite was built without it
            return {"all": store.size_bytes}
    sizes: dict[str, int] = defaultdict(int)
    for table, size in rows:
        sizes[_part(table)] += size
    return dict(sizes)


def text_bytes(store: Store) -> int:
    """The bytes of the messages' own text in UTF-8."""
    with store.reading():
        query = "SELECT COALESCE(SUM(LENGTH(CAST(text AS BLOB))), 0) FROM messages"
        return store.connection.number(query)


def sessions_read(store: Store) -> list[int]:
    """The sessions that a language model has read."""
    with store.reading():
        return store.connection.column(
            "SELECT DISTINCT m.session_id FROM slm_readings r "
            "JOIN slm_reading_messages rm ON rm.reading_id = r.id "
            "JOIN messages m ON m.id = rm.message_id "
            "WHERE r.active AND m.session_id IS NOT NULL ORDER BY 1"
        )


def reading_times(store: Store) -> list[tuple[int, float, int]]:
    """``(session, seconds, characters read and written)`` of each reading by a model, in order."""
    with store.reading():
        return store.connection.execute(
            "SELECT MIN(m.session_id), r.seconds, "
            "LENGTH(r.text) + SUM(LENGTH(m.text || COALESCE(m.heard, ''))) "
            "FROM slm_readings r JOIN slm_reading_messages rm ON rm.reading_id = r.id "
            "JOIN messages m ON m.id = rm.message_id "
            "WHERE r.active AND m.session_id IS NOT NULL GROUP BY r.id ORDER BY r.id"
        ).fetchall()


def sessions_at(store: Store, moment: datetime) -> frozenset[int]:
    """The sessions with a message in this minute; if there are none, those that span it."""
    until = moment + timedelta(minutes=1)
    with store.reading():
        rows = store.connection.execute(
            "SELECT DISTINCT session_id FROM messages WHERE sent_at >= ? AND sent_at < ? "
            "AND session_id IS NOT NULL",
            (moment.isoformat(), until.isoformat()),
        ).fetchall()
        rows = (
            rows
            or store.connection.execute(
                "SELECT id FROM sessions WHERE started_at <= ?1 AND ended_at >= ?1",
                (moment.isoformat(),),
            ).fetchall()
        )
    return frozenset(row[0] for row in rows)


def messages_at(store: Store, moment: datetime) -> frozenset[int]:
    """The messages that were sent in this minute."""
    until = moment + timedelta(minutes=1)
    with store.reading():
        rows = store.connection.execute(
            "SELECT id FROM messages WHERE sent_at >= ? AND sent_at < ? AND session_id IS NOT NULL",
            (moment.isoformat(), until.isoformat()),
        ).fetchall()
    return frozenset(row[0] for row in rows)


def remove_sessions(store: Store, sessions: Sequence[int]) -> int:
    """Delete sessions with their messages and derived data, without wiping; for a copy of a database.

    Chunks of other sessions that contain one of the messages, since they reply to it, lose their vectors.
    Returns the number of messages.
    """
    with store.transaction():
        messages = [m.id for found in store.messages.of_sessions(sessions).values() for m in found]
        store.connection.executemany(
            "DELETE FROM vectors WHERE chunk_id IN "
            "(SELECT chunk_id FROM chunk_messages WHERE message_id = ?)",
            [(message,) for message in messages],
        )
        store.index.drop_sessions(sessions)
        store.connection.executemany(
            "DELETE FROM messages WHERE id = ?", [(message,) for message in messages]
        )
        store.people.drop_unused()
    return len(messages)


def _part(table: str) -> str:
    return next((part for part, names in PARTS.items() if table.startswith(names)), "other")

"""What a database holds after imports, without the numbers that their order gives."""

from __future__ import annotations

import sqlite3
from contextlib import closing, nullcontext
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.memory.importing import Importing
from minirag_chat.store.full_text import TOKENIZER
from minirag_chat.store.opening import connect
from minirag_chat.system.private_folders import OWNER_ONLY


@cache
def _empty() -> bytes:
    """A database of today's layout with nothing in it."""
    with TemporaryDirectory() as folder:
        connect(Path(folder, "chats.db")).close()
        return Path(folder, "chats.db").read_bytes()


def made_empty(database: Path) -> None:
    """Make an empty database, where there is none: a copy costs a tenth of all migrations."""
    if not database.exists():
        database.touch(OWNER_ONLY)
        database.write_bytes(_empty())


@cache
def _small() -> bytes:
    """The database of the small chats, embedded by words."""
    with TemporaryDirectory() as folder:
        with opened(Path(folder, "made")) as memory:
            memory.add(write_log(Path(folder, "log"), SMALL))
        return Path(folder, "made", "chats.db").read_bytes()


def made_small(database: Path) -> None:
    """Make a database of the small chats, where there is none: a copy costs a tenth of an import."""
    if not database.exists():
        database.touch(OWNER_ONLY)
        database.write_bytes(_small())


def opened(folder: Path) -> ChatMemory:
    folder.mkdir(parents=True, exist_ok=True)
    made_empty(folder / "chats.db")
    chosen = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    return ChatMemory.open(chosen.db, chosen, embedder=WordEmbedder(), chat_model=ScriptedModel())


def import_by_one_connection(memory: ChatMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an import use the memory's own connection: what SQLite limits is limited for that one."""
    monkeypatch.setattr(
        memory.part(Importing), "_second_connection", lambda: nullcontext(memory._store)
    )


def raw(database: Path) -> bytes:
    """All bytes of a database: of the file, and of what SQLite keeps beside it."""
    return b"".join(file.read_bytes() for file in database.parent.glob(f"{database.name}*"))


def made_older(database: Path) -> None:
    """Make a database of layout 6 of it, which had three full texts, each with what it said."""
    kinds = {
        "message_text": "SELECT m.id, e.name, m.text FROM messages m "
                        "JOIN entities e ON e.id = m.sender_id WHERE m.session_id IS NOT NULL AND NOT m.deleted",
        "session_text": "SELECT session_id, '', GROUP_CONCAT(text) FROM messages "
                        "WHERE session_id IS NOT NULL AND NOT deleted GROUP BY session_id",
        "chunk_text": "SELECT k.chunk_id, '', GROUP_CONCAT(m.text) FROM chunk_messages k "
                      "JOIN messages m ON m.id = k.message_id GROUP BY k.chunk_id",
    }  # fmt: skip
    with closing(sqlite3.connect(database)) as connection, connection:
        for what in ("insert", "update", "delete"):
            connection.execute(f"DROP TRIGGER message_text_{what}")
        connection.execute("DROP TABLE message_text")
        for table, query in kinds.items():
            connection.execute(
                f"CREATE VIRTUAL TABLE {table} USING fts5 (people, text, tokenize = '{TOKENIZER}')"
            )
            connection.execute(f"INSERT INTO {table} (rowid, people, text) {query}")
        connection.execute("DROP TABLE arrivals")
        connection.execute("DROP TABLE media")
        connection.execute("ALTER TABLE messages DROP COLUMN heard")
        connection.execute("PRAGMA user_version = 6")


def contents(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """What a database holds, without the numbers that the order of imports gives."""
    asked = {
        "messages": "SELECT c.title, e.name, m.sent_at, m.text, m.source_id, m.reply_to FROM messages m "
                    "JOIN chats c ON c.id = m.chat_id JOIN entities e ON e.id = m.sender_id",
        "sessions": "SELECT c.title, s.started_at, s.ended_at, (SELECT COUNT(*) FROM messages m WHERE "
                    "m.session_id = s.id) FROM sessions s JOIN chats c ON c.id = s.chat_id",
        "chunks": "SELECT GROUP_CONCAT(text, '|') FROM (SELECT k.chunk_id, m.text FROM chunk_messages k "
                  "JOIN messages m ON m.id = k.message_id ORDER BY k.chunk_id, m.sent_at, m.text) GROUP BY chunk_id",
        "mentions": "SELECT e.type, e.key, m.sent_at, n.start, n.end FROM mentions n "
                    "JOIN entities e ON e.id = n.entity_id JOIN messages m ON m.id = n.message_id",
        "found": "SELECT v.term, v.offset, m.sent_at, m.text FROM temp.words v JOIN messages m ON m.id = v.doc",
        "unembedded": "SELECT id FROM chunks WHERE id NOT IN (SELECT chunk_id FROM vectors)",
    }  # fmt: skip
    with sqlite3.connect(folder / "chats.db") as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, message_text, instance)"
        )
        return {name: sorted(connection.execute(sql).fetchall()) for name, sql in asked.items()}

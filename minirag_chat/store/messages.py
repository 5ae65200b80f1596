"""Chats, sessions and messages: what was imported, as it was said."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from minirag_chat.names import split_joined
from minirag_chat.records import Chat, ChatKind, Message, MessageKind, ParsedMessage

DIRECT_SIZE = 2
NAMES_IN_TITLE = 3

_SELECT = """
SELECT m.id, m.chat_id, COALESCE(e.same_as, e.id), p.name, m.sent_at, m.text, m.session_id, m.kind,
       (SELECT r.id FROM messages r WHERE r.chat_id = m.chat_id AND r.source_id = m.reply_to)
FROM messages m
JOIN entities e ON e.id = m.sender_id
JOIN entities p ON p.id = COALESCE(e.same_as, e.id)
"""


@dataclass(frozen=True, slots=True)
class Pending:
    """A message about to be stored."""

    parsed: ParsedMessage
    sender_id: int
    sent_utc: int
    fingerprint: bytes


class MessageTables:
    """Reads and writes chats, sessions and messages."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._titles: dict[int, str] | None = None
        self._owner: int | None = None

    # --- reading ----------------------------------------------------------------------------------

    def count(self) -> int:
        """The number of messages."""
        return int(self._connection.execute("SELECT COUNT(*) FROM messages").fetchone()[0])

    def extent(self) -> tuple[datetime | None, datetime | None]:
        """When the first and the last message were sent."""
        first, last = self._connection.execute(
            "SELECT MIN(sent_at), MAX(sent_at) FROM messages"
        ).fetchone()
        return _time(first), _time(last)

    def by_ids(self, ids: Sequence[int]) -> dict[int, Message]:
        """The messages with these ids; an unknown id is left out."""
        found: dict[int, Message] = {}
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(f"{_SELECT} WHERE m.id IN ({marks})", part)
            found.update((row[0], self._message(row)) for row in rows)
        return found

    def of_sessions(self, ids: Sequence[int]) -> dict[int, list[Message]]:
        """The messages of each session, in order."""
        marks = ",".join("?" * len(ids))
        rows = self._connection.execute(
            f"{_SELECT} WHERE m.session_id IN ({marks}) ORDER BY m.sent_at, m.id",
            tuple(ids),
        )
        found: dict[int, list[Message]] = {session: [] for session in ids}
        for row in rows:
            found[row[6]].append(self._message(row))
        return found

    def around(self, message: Message, count: int) -> list[Message]:
        """Up to ``count`` messages before and after ``message`` in its chat, in order, with it."""
        clause = "WHERE m.chat_id = ? AND (m.sent_at, m.id) {} (?, ?) ORDER BY m.sent_at {}, m.id {} LIMIT ?"
        key = (message.chat_id, message.sent_at.isoformat(), message.id)
        before = self._connection.execute(
            _SELECT + clause.format("<", "DESC", "DESC"), (*key, count)
        ).fetchall()
        after = self._connection.execute(
            _SELECT + clause.format(">=", "ASC", "ASC"), (*key, count + 1)
        ).fetchall()
        return [self._message(row) for row in (*reversed(before), *after)]

    def asked(self, chat_id: int | None = None, limit: int = 2000) -> list[tuple[int, str]]:
        """``(id, text)`` of the newest messages with a question mark; of one chat, or of all."""
        return self._connection.execute(
            "SELECT id, text FROM messages WHERE session_id IS NOT NULL AND text LIKE '%?%' "
            "AND (?1 IS NULL OR chat_id = ?1) ORDER BY id DESC LIMIT ?2",
            (chat_id, limit),
        ).fetchall()

    def chats(self) -> list[Chat]:
        """All chats, the most recently active first."""
        rows = self._connection.execute(
            "SELECT c.id, c.kind, c.platform, COUNT(m.id), MIN(m.sent_at), MAX(m.sent_at) FROM chats c "
            "LEFT JOIN messages m ON m.chat_id = c.id GROUP BY c.id ORDER BY MAX(m.sent_at) DESC"
        ).fetchall()
        names = self.participants()
        titles = self.titles()
        return [
            Chat(
                id=row[0],
                title=titles[row[0]],
                kind=_kind(row[1], len(names.get(row[0], ()))),
                platform=row[2],
                participants=tuple(names.get(row[0], {}).values()),
                messages=row[3],
                first=_time(row[4]),
                last=_time(row[5]),
            )
            for row in rows
        ]

    def participants(self) -> dict[int, dict[int, str]]:
        """For each chat, ``{person id: name}`` of who wrote in it, the most active first."""
        rows = self._connection.execute(
            "SELECT m.chat_id, p.id, p.name FROM messages m JOIN entities e ON e.id = m.sender_id "
            "JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
            "GROUP BY m.chat_id, p.id ORDER BY COUNT(*) DESC"
        )
        found: dict[int, dict[int, str]] = defaultdict(dict)
        for chat, person, name in rows:
            found[chat][person] = name
        return found

    def titles(self) -> dict[int, str]:
        """The title of each chat: its own, or the names of the others in it."""
        if self._titles is None:
            names = self.participants()
            owner = most_present(frozenset(people) for people in names.values())
            self._owner = owner
            rows = self._connection.execute("SELECT id, title FROM chats").fetchall()
            self._titles = {
                chat: title or _title(names.get(chat, {}), owner) for chat, title in rows
            }
        return self._titles

    def owner(self) -> int | None:
        """The person whose messages these are: who takes part in most chats, if one leads."""
        self.titles()
        return self._owner

    def known_chats(self, platform: str) -> list[tuple[int, str | None, str | None]]:
        """``(id, key, title)`` of the chats of a platform."""
        return self._connection.execute(
            "SELECT id, key, title FROM chats WHERE platform = ?", (platform,)
        ).fetchall()

    def chats_holding(self, platform: str, fingerprints: Sequence[bytes]) -> dict[int, int]:
        """How many of these messages each chat of the platform already holds."""
        counts: dict[int, int] = defaultdict(int)
        for start in range(0, len(fingerprints), 500):
            part = fingerprints[start : start + 500]
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(
                "SELECT m.chat_id, COUNT(*) FROM messages m JOIN chats c ON c.id = m.chat_id "
                f"WHERE c.platform = ? AND m.fingerprint IN ({marks}) GROUP BY 1",
                (platform, *part),
            )
            for chat, count in rows:
                counts[chat] += count
        return counts

    # --- writing, inside a transaction ---------------------------------------------------------------

    def add_chat(self, platform: str, key: str | None, title: str | None, kind: str | None) -> int:
        """Make a chat; returns its id."""
        self._titles = None
        cursor = self._connection.execute(
            "INSERT INTO chats (platform, key, title, kind) VALUES (?, ?, ?, ?)",
            (platform, key, title, kind),
        )
        return int(cursor.lastrowid or 0)

    def add(self, chat_id: int, pending: Iterable[Pending]) -> list[int]:
        """Store the messages that the chat does not hold yet; returns the ids of the new ones."""
        self._titles = None
        new: list[int] = []
        for item in pending:
            p = item.parsed
            cursor = self._connection.execute(
                "INSERT OR IGNORE INTO messages (chat_id, sender_id, sent_at, sent_utc, text, kind, "
                "session_key, source_id, reply_to, edited, forwarded_from, fingerprint) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    chat_id, item.sender_id, p.sent_at.isoformat(), item.sent_utc, p.text, p.kind,
                    p.session, p.source_id, p.reply_to, p.edited, p.forwarded_from, item.fingerprint,
                ),
            )  # fmt: skip
            if cursor.rowcount:
                new.append(int(cursor.lastrowid or 0))
        return new

    def loose(
        self, chat_id: int, since: datetime, until: datetime
    ) -> list[tuple[Message, str | None]]:
        """The messages of all sessions that touch a period, and those of none; the sessions go.

        Each comes with its session key. They are to be cut into sessions anew.
        """
        period = (chat_id, until.isoformat(), since.isoformat())
        touched = "SELECT id FROM sessions WHERE chat_id = ? AND started_at <= ? AND ended_at >= ?"
        rows = self._connection.execute(
            f"{_SELECT} WHERE m.chat_id = ? AND (m.session_id IS NULL OR m.session_id IN ({touched})) "
            "ORDER BY m.sent_at, m.id",
            (chat_id, *period),
        ).fetchall()
        keys = dict(
            self._connection.execute(
                "SELECT id, session_key FROM messages WHERE chat_id = ?", (chat_id,)
            )
        )
        return [(self._message(row), keys[row[0]]) for row in rows]

    def add_session(self, messages: Sequence[Message]) -> int:
        """Make a session of these messages of one chat; returns its id."""
        cursor = self._connection.execute(
            "INSERT INTO sessions (chat_id, started_at, ended_at) VALUES (?, ?, ?)",
            (
                messages[0].chat_id,
                messages[0].sent_at.isoformat(),
                messages[-1].sent_at.isoformat(),
            ),
        )
        session = int(cursor.lastrowid or 0)
        self._connection.executemany(
            "UPDATE messages SET session_id = ? WHERE id = ?", [(session, m.id) for m in messages]
        )
        return session

    def delete_chat(self, chat_id: int) -> None:
        """Delete a chat's row with its sessions and messages; the index must have gone before."""
        self._titles = None
        self._connection.execute("DELETE FROM messages WHERE chat_id = ?", (chat_id,))
        self._connection.execute("DELETE FROM chats WHERE id = ?", (chat_id,))

    def forget_titles(self) -> None:
        """Name chats anew after people were merged or split."""
        self._titles = None

    def _message(self, row: tuple[object, ...]) -> Message:
        identity, chat, person, name, sent_at, text, session, kind, reply = row
        return Message(
            id=cast("int", identity),
            chat=self.titles()[cast("int", chat)],
            sender=str(name),
            sent_at=datetime.fromisoformat(str(sent_at)),
            text=str(text),
            chat_id=cast("int", chat),
            sender_id=cast("int", person),
            session_id=cast("int", session or 0),
            kind=cast("MessageKind", kind),
            reply_to=cast("int | None", reply),
        )


def most_present(groups: Iterable[frozenset[int]]) -> int | None:
    """The person who takes part in most chats: the one whose messages these are, if one leads."""
    counts: dict[int, int] = defaultdict(int)
    for group in groups:
        for person in group:
            counts[person] += 1
    ranked = sorted(counts.values(), reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0] == ranked[1]):
        return None
    return max(counts, key=lambda person: counts[person])


def _title(names: dict[int, str], owner: int | None) -> str:
    others = [split_joined(name) for person, name in names.items() if person != owner]
    others = others or [split_joined(name) for name in names.values()] or ["empty chat"]
    shown = ", ".join(others[:NAMES_IN_TITLE])
    more = len(others) - NAMES_IN_TITLE
    return f"{shown} and {more} more" if more > 0 else shown


def _kind(kind: str | None, participants: int) -> ChatKind:
    if kind in ("direct", "group"):
        return cast("ChatKind", kind)
    return "direct" if participants <= DIRECT_SIZE else "group"


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)

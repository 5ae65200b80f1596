"""Stages an import: exported chats are first stored separately, then merged into the known ones.

No export is in memory as a whole: each of its chats is stored as a separate chat until it is complete and can
be matched with a known one. All this is one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from minirag_chat.names import is_phone_or_mail
from minirag_chat.records import MADE_UP, MediaFile, ParsedChat, ParsedMessage
from minirag_chat.store.media import MediaTables
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import Tables

PAGE = 2000
_INSERT = (
    "INSERT INTO messages (chat_id, sender_id, sent_at, sent_utc, text, kind, session_key, "
    "source_id, reply_to, edited, edited_at, forwarded_from, deleted, attachments, reactions, "
    "fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (chat_id, fingerprint) DO NOTHING"
)


class Pending(NamedTuple):
    """A message about to be stored."""

    parsed: ParsedMessage
    sender_id: int
    sent_utc: int
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class StagedRow:
    """A message of an exported chat as it is stored.

    ``sender`` is the key of the sender's spelling, ``person`` the id of the person. ``file``: it has a photo
    or another file.
    """

    id: int
    sent_at: datetime
    sent_utc: int
    sender: str
    person: int
    text: str
    edited: bool
    deleted: bool
    file: bool
    source_id: str | None

    @property
    def changed(self) -> bool:
        """Whether it was edited or deleted."""
        return self.edited or self.deleted

    def is_another(self, other: StagedRow) -> bool:
        """Whether it is certainly another message: both have ids from the exports, which differ."""
        ids = (self.source_id, other.source_id)
        given = all(one is not None and not one.startswith(MADE_UP) for one in ids)
        return given and self.source_id != other.source_id


@dataclass(frozen=True, slots=True)
class Clocked:
    """The converted time of a message, and its fingerprint with that time."""

    id: int
    sent_at: datetime
    sent_utc: int
    fingerprint: bytes


class StagingTables(Tables):
    """Writes staged chats and messages, and runs the queries for joining them."""

    def __init__(self, connection: Sql) -> None:
        super().__init__(connection)
        self._media = MediaTables(connection)

    def begin(self, platform: str) -> int:
        """Create a chat for an exported one; returns its id."""
        return self._connection.new("INSERT INTO chats (platform) VALUES (?)", (platform,))

    def filling(self) -> AbstractContextManager[None]:
        """Inside the block exports are staged; nothing is asked of the messages."""
        return self._connection.filling("messages")

    def add(self, chat: int, pending: Iterable[Pending]) -> None:
        """Store messages in a chat, without those that it already has."""
        files: list[tuple[bytes, Sequence[MediaFile]]] = []
        self._connection.executemany(
            _INSERT, (_row(chat, item) for item in _noting(pending, files))
        )
        self._media.place(chat, files)

    def settle(self, chat: int, described: ParsedChat, zone: str) -> None:
        """Keep an exported chat as a new chat."""
        self._connection.execute(
            "UPDATE chats SET key = ?, title = ?, kind = ?, time_zone = ? WHERE id = ?",
            (described.key, described.title, described.kind, zone, chat),
        )

    def join(self, chat: int, known: int, described: ParsedChat) -> int:
        """Move the messages that a known chat lacks into it; returns how many.

        A title that is only a phone number is replaced by a name.
        """
        title = self._connection.value("SELECT title FROM chats WHERE id = ?", (known,))
        if title is None or (is_phone_or_mail(title) and described.title is not None):
            title = described.title
        self._connection.execute(
            "UPDATE chats SET key = COALESCE(key, ?1), title = ?2, kind = COALESCE(kind, ?3) WHERE id = ?4",
            (described.key, title, described.kind, known),
        )
        self._media.carry(chat, known)
        moved = self._connection.execute(
            "UPDATE messages SET chat_id = ?1 WHERE chat_id = ?2 AND NOT EXISTS (SELECT 1 FROM messages k "
            "WHERE k.chat_id = ?1 AND k.fingerprint = messages.fingerprint)",
            (known, chat),
        ).rowcount
        self.forget(chat)
        return moved

    def forget(self, chat: int) -> None:
        """Delete a staged chat with its remaining messages."""
        self._connection.execute("DELETE FROM messages WHERE chat_id = ?", (chat,))
        self._connection.execute("DELETE FROM chats WHERE id = ?", (chat,))

    def set_instants(self, found: Iterable[tuple[int, int]]) -> None:
        """Set the instants of messages, given as (seconds since 1970, id)."""
        self._connection.executemany("UPDATE messages SET sent_utc = ? WHERE id = ?", found)

    def near(self, chat: int, known: int) -> None:
        """Set the times of an exported chat to those of equal messages of a known one in the same minute.

        For two chats of which only one has seconds.
        """
        minute = "(messages.sent_utc - messages.sent_utc % 60)"
        # The unary + keeps SQLite from using the index on chat_id, so that it looks messages up by instant.
        self._connection.execute(
            "UPDATE messages SET sent_utc = COALESCE((SELECT MIN(k.sent_utc) FROM messages k "
            f"WHERE +k.chat_id = ?2 AND k.sent_utc >= {minute} AND k.sent_utc < {minute} + 60 "
            "AND k.text = messages.text AND (k.sent_utc % 60 = 0) <> (messages.sent_utc % 60 = 0)), "
            "sent_utc) WHERE chat_id = ?1",
            (chat, known),
        )

    def move(self, chat: int, clocked: Iterable[Clocked]) -> int:
        """Move all messages of an exported chat into a new one with converted times; returns its id.

        Updating in place could give a message the fingerprint that the next one still has.
        """
        new = self.begin(self._connection.value("SELECT platform FROM chats WHERE id = ?", (chat,)))
        self._connection.executemany(
            "UPDATE messages SET chat_id = ?, sent_at = ?, sent_utc = ?, fingerprint = ? WHERE id = ?",
            ((new, c.sent_at.isoformat(), c.sent_utc, c.fingerprint, c.id) for c in clocked),
        )
        self.forget(chat)
        return new

    def survey(self) -> None:
        """Update the planner's statistics before chats are compared."""
        for table in ("chats", "messages"):
            self._connection.survey(table)

    # --- asking ----------------------------------------------------------------------------------

    def rows(self, chat: int, since: str = "", until: str = "~") -> Iterator[StagedRow]:
        """The messages of a chat by time; rows already yielded may be changed meanwhile."""
        query = (
            "SELECT m.id, m.sent_at, m.sent_utc, e.key, COALESCE(e.same_as, e.id), m.text, m.edited, "
            "m.deleted, m.attachments IS NOT NULL, m.source_id "
            "FROM messages m JOIN entities e ON e.id = m.sender_id "
            "WHERE m.chat_id = ? AND (m.sent_at, m.id) > (?, ?) AND m.sent_at < ? "
            "ORDER BY m.sent_at, m.id LIMIT ?"
        )
        after = (since, -1)
        while rows := self._connection.execute(query, (chat, *after, until, PAGE)).fetchall():
            after = (rows[-1][1], rows[-1][0])
            for row in rows:
                yield StagedRow(row[0], datetime.fromisoformat(row[1]), *row[2:])

    def has(self, chat: int, when: datetime, text: str) -> bool:
        """Whether a chat has a message of this minute and text."""
        query = (
            "SELECT 1 FROM messages WHERE chat_id = ? AND sent_at >= ? AND sent_at < ? AND text = ? "
            "LIMIT 1"
        )
        minute = when.isoformat(timespec="minutes")
        found = self._connection.execute(query, (chat, minute, minute + "~", text))
        return found.fetchone() is not None

    def count(self, chat: int) -> int:
        """The number of messages of a chat."""
        return self._connection.number("SELECT COUNT(*) FROM messages WHERE chat_id = ?", (chat,))

    def senders(self, chat: int) -> dict[int, int]:
        """How many messages each spelling of a sender wrote in a chat."""
        return dict(
            self._connection.execute(
                "SELECT sender_id, COUNT(*) FROM messages WHERE chat_id = ? GROUP BY 1", (chat,)
            )
        )

    def holding(self, chat: int, platform: str) -> dict[int, int]:
        """How many of a chat's messages each other chat of the platform holds.

        ``CROSS JOIN`` keeps SQLite from reading the platform's chats first: it looks up each new
        message by its fingerprint, so the time does not grow with the number of chats.
        """
        return dict(
            self._connection.execute(
                "SELECT m.chat_id, COUNT(*) FROM messages s "
                "CROSS JOIN messages m ON m.fingerprint = s.fingerprint AND m.chat_id <> s.chat_id "
                "CROSS JOIN chats c ON c.id = m.chat_id WHERE s.chat_id = ? AND c.platform = ? GROUP BY 1",
                (chat, platform),
            )
        )

    def sessions_in(self, chat: int, gap_seconds: float) -> int:
        """The number of conversations of a chat, marked or separated by pauses."""
        marked = self._connection.number(
            "SELECT COUNT(DISTINCT session_key) FROM messages WHERE chat_id = ?", (chat,)
        )
        loose = self._connection.number(
            "SELECT COUNT(*) FROM (SELECT sent_utc AS sent, LAG(sent_utc) OVER (ORDER BY sent_utc) AS before "
            "FROM messages WHERE chat_id = ? AND session_key IS NULL) AS pairs "
            "WHERE before IS NULL OR sent - before > ?",
            (chat, gap_seconds),
        )
        return marked + loose

    def talk(self, chat: int, one: int, other: int, gap_seconds: float) -> bool:
        """Whether two spellings write in the same conversation of an exported chat."""
        return bool(
            self._connection.number(
                "SELECT COUNT(*) FROM (SELECT 1 FROM (SELECT sender_id, session_key, "
                "SUM(begins) OVER (PARTITION BY session_key ORDER BY sent_utc, id) AS part FROM ("
                "SELECT id, sender_id, session_key, sent_utc, CASE WHEN session_key IS NULL AND sent_utc "
                "- LAG(sent_utc) OVER (PARTITION BY session_key ORDER BY sent_utc, id) > ? "
                "THEN 1 ELSE 0 END AS begins FROM messages WHERE chat_id = ?) AS pauses) AS parts "
                "WHERE sender_id IN (?, ?) "
                "GROUP BY session_key, part HAVING COUNT(DISTINCT sender_id) > 1) AS shared",
                (gap_seconds, chat, one, other),
            )
        )

    # --- what an import leaves to index -------------------------------------------------------------

    def sessions_near_new(self, chat: int, gap_seconds: float) -> list[int]:
        """The sessions that messages without one may belong to, or whose replies they explain."""
        later = self._connection.later
        near = self._connection.execute(
            "SELECT s.id FROM sessions s WHERE s.chat_id = ?1 AND EXISTS ("
            "SELECT 1 FROM messages m INDEXED BY messages_loose "
            "WHERE m.chat_id = ?1 AND m.session_id IS NULL "
            f"AND m.sent_at >= {later('s.started_at', '?2')} AND m.sent_at <= {later('s.ended_at', '?3')})",
            (chat, f"-{gap_seconds + 1:.0f} seconds", f"+{gap_seconds + 1:.0f} seconds"),
        )
        explained = self._connection.execute(
            "SELECT DISTINCT r.session_id FROM messages r INDEXED BY messages_reply "
            "WHERE r.chat_id = ?1 AND r.reply_to IS NOT NULL AND r.session_id IS NOT NULL AND EXISTS ("
            "SELECT 1 FROM messages m INDEXED BY messages_source WHERE m.chat_id = ?1 "
            "AND m.source_id = r.reply_to AND m.session_id IS NULL)",
            (chat,),
        )
        return sorted({row[0] for row in (*near, *explained)})


def _noting(
    pending: Iterable[Pending], files: list[tuple[bytes, Sequence[MediaFile]]]
) -> Iterator[Pending]:
    """Pass the messages through, and store the places of their files."""
    for item in pending:
        if item.parsed.files:
            files.append((item.fingerprint, item.parsed.files))
        yield item


def _row(chat: int, item: Pending) -> Sequence[object]:
    p = item.parsed
    return (
        chat, item.sender_id, p.sent_at.isoformat(), item.sent_utc, p.text, p.kind, p.session,
        p.source_id, p.reply_to, p.edited, p.edited_at, p.forwarded_from, p.deleted,
        _pairs((a.name, a.kind) for a in p.attachments) if p.attachments else None,
        _pairs((r.emoji, r.sender) for r in p.reactions) if p.reactions else None,
        item.fingerprint,
    )  # fmt: skip


def _pairs(pairs: Iterator[tuple[str, str]]) -> str:
    return json.dumps([*pairs], ensure_ascii=False)

"""Chats, sessions and messages: what was imported, as it was said."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import starmap
from typing import Any, Literal, cast

from minirag_chat.records import (
    EARLIEST,
    LATEST,
    Attachment,
    Chat,
    ChatKind,
    Message,
    MessageKind,
    Reaction,
    clamped,
)
from minirag_chat.store.cache import Cache
from minirag_chat.store.chat_titles import ChatTitles
from minirag_chat.store.joined_names import JoinedNames
from minirag_chat.store.me import person_who_asks
from minirag_chat.store.media import SAID
from minirag_chat.store.rows import LARGEST, in_parts, marks, moment, read_meta
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import CachedTables

DateOrder = Literal["dmy", "mdy"]
DATE_ORDERS = "date orders"  # the key of the fact how exports write dates in digits
DIRECT_SIZE = 2
PAGE = 2000
NAMES_IN_TITLE = 3
LONGEST_REPEATED, FEWEST_REPEATED = 30, 3  # characters; messages
QUESTIONS = 2000  # the newest of which are looked through for one to suggest
PASSAGES, PASSAGE_MESSAGES = 40, 10  # from which the languages of the messages are recognised
_FIRST = "SELECT MIN(sent_at) FROM messages WHERE chat_id = ?"

_SELECT = f"""
SELECT m.id, m.chat_id, COALESCE(e.same_as, e.id), p.name, m.sent_at, {SAID}, m.session_id, m.kind,
       (SELECT r.id FROM messages r WHERE r.chat_id = m.chat_id AND r.source_id = m.reply_to LIMIT 1),
       m.edited, m.forwarded_from, m.deleted, m.attachments, m.reactions, m.heard, m.session_key
FROM messages m
JOIN entities e ON e.id = m.sender_id
JOIN entities p ON p.id = COALESCE(e.same_as, e.id)
"""


class MessageTables(CachedTables):
    """Reads and writes chats, sessions and messages."""

    def __init__(self, connection: Sql, cache: Cache, joined_names: JoinedNames) -> None:
        super().__init__(connection, cache)
        self._joined_names = joined_names
        self.given_date_order: DateOrder | None = None
        """How the user wants 3/4/2026 to be read, whatever the exports tell."""

    def date_order(self) -> DateOrder | None:
        """How 3/4/2026 in a message is read: as the user wants it, else in the order of the exports."""
        return self.given_date_order or self._cache.get("date order", self.exports_date_order)

    def exports_date_order(self) -> DateOrder | None:
        """The one order of day and month in the exports; None if it is not known, or if both occur."""
        orders: tuple[DateOrder, ...] = ("dmy", "mdy")
        known = read_meta(self._connection, DATE_ORDERS)
        return next((order for order in orders if order == known), None)

    def with_slashes(self) -> list[tuple[int, datetime, str]]:
        """Session, time and text of the messages in which 3/4/2026 or 3/4 may be."""
        rows = self._connection.execute(
            f"SELECT m.session_id, m.sent_at, {SAID} FROM messages m "
            f"WHERE m.session_id IS NOT NULL AND {SAID} LIKE ?",
            ("%_/_%",),
        )
        return [(row[0], clamped(datetime.fromisoformat(row[1])), str(row[2])) for row in rows]

    # --- reading ----------------------------------------------------------------------------------

    def count(self) -> int:
        """The number of messages. Those in the trash are in no session, and do not count."""
        query = "SELECT COUNT(*) FROM messages WHERE session_id IS NOT NULL"
        return self._connection.number(query)

    def extent(self) -> tuple[datetime | None, datetime | None]:
        """When the first and the last message were sent.

        Ignoring times outside EARLIEST … LATEST unless there are no others.
        """
        first, last = self._connection.execute(
            "SELECT "
            "COALESCE(MIN(started_at) FILTER (WHERE started_at BETWEEN ?1 AND ?2), MIN(started_at)), "
            "COALESCE(MAX(ended_at) FILTER (WHERE ended_at BETWEEN ?1 AND ?2), MAX(ended_at)) "
            "FROM sessions",
            (EARLIEST.isoformat(), LATEST.isoformat()),
        ).fetchone()
        return moment(first), moment(last)

    def by_ids(self, ids: Sequence[int]) -> dict[int, Message]:
        """The messages with these ids; an unknown id is left out."""
        found: dict[int, Message] = {}
        for part in in_parts([number for number in ids if -LARGEST <= number <= LARGEST]):
            rows = self._connection.execute(f"{_SELECT} WHERE m.id IN ({marks(part)})", part)
            found.update((message.id, message) for message in self._made(rows))
        return found

    def of_sessions(self, ids: Sequence[int]) -> dict[int, list[Message]]:
        """The messages of each session, in order."""
        rows = self._connection.execute(
            f"{_SELECT} WHERE m.session_id IN ({marks(ids)}) ORDER BY m.sent_at, m.id",
            tuple(ids),
        )
        found: dict[int, list[Message]] = {session: [] for session in ids}
        for message in self._made(rows):
            found[message.session_id].append(message)
        return found

    def around(self, message: Message, count: int) -> list[Message]:
        """Up to ``count`` messages before and after ``message`` in its chat, in order, with it."""
        count = max(0, min(count, LARGEST - 1))
        clause = "WHERE m.chat_id = ? AND (m.sent_at, m.id) {} (?, ?) ORDER BY m.sent_at {}, m.id {} LIMIT ?"
        key = (message.chat_id, message.sent_at.isoformat(), message.id)
        before = self._connection.execute(
            _SELECT + clause.format("<", "DESC", "DESC"), (*key, count)
        ).fetchall()
        after = self._connection.execute(
            _SELECT + clause.format(">=", "ASC", "ASC"), (*key, count + 1)
        ).fetchall()
        return list(self._made((*reversed(before), *after)))

    def before(self, messages: Sequence[Message]) -> dict[int, Message]:
        """For each message's id the one right before it in its session, where there is one."""
        query = (
            "SELECT id FROM messages WHERE chat_id = ? AND session_id = ? AND (sent_at, id) < (?, ?) "
            "ORDER BY sent_at DESC, id DESC LIMIT 1"
        )
        pairs: dict[int, int] = {}
        for one in messages:
            key = (one.chat_id, one.session_id, one.sent_at.isoformat(), one.id)
            if earlier := self._connection.number(query, key):
                pairs[one.id] = earlier
        found = self.by_ids(sorted(set(pairs.values())))
        return {after: found[before] for after, before in pairs.items()}

    def questions(self, chat_id: int | None = None) -> list[tuple[int, str]]:
        """``(id, text)`` of the newest messages with a question mark; of one chat, or of all."""
        within = "" if chat_id is None else "AND chat_id = ? "
        return self._connection.execute(
            f"SELECT id, {SAID} FROM messages m WHERE session_id IS NOT NULL AND {SAID} LIKE '%?%' "
            f"{within}ORDER BY id DESC LIMIT ?",
            (QUESTIONS,) if chat_id is None else (chat_id, QUESTIONS),
        ).fetchall()

    def languages(
        self,
        recognise: Callable[[Iterable[str]], tuple[str, ...]],
        chats: frozenset[int] = frozenset(),
    ) -> tuple[str, ...]:
        """What ``recognise`` finds in passages from all over the messages of these or all chats; cached.

        A passage is the text of messages that follow each other.
        """
        key = f"languages of {sorted(chats)}"
        return self._cache.get(key, lambda: recognise(self._passages(sorted(chats))))

    def _passages(self, chats: Sequence[int]) -> Iterator[str]:
        """Up to ``PASSAGES`` passages, evenly spread."""
        within = f" AND m.chat_id IN ({marks(chats)})" if chats else ""
        first, last = self._connection.execute(
            f"SELECT MIN(id), MAX(id) FROM messages m WHERE session_id IS NOT NULL{within}", chats
        ).fetchone()
        if first is None:
            return
        step = max(PASSAGE_MESSAGES, -(-(last - first + 1) // PASSAGES))
        for start in range(first, last + 1, step):
            texts = self._connection.column(
                f"SELECT {SAID} FROM messages m WHERE m.id >= ? AND m.session_id IS NOT NULL{within} "
                "ORDER BY m.id LIMIT ?",
                (start, *chats, PASSAGE_MESSAGES),
            )
            yield "\n".join(texts)

    def months(self, least: int) -> list[tuple[int, int]]:
        """``(year, month)`` of those with at least ``least`` messages, the newest first."""
        found = self._connection.column(
            "SELECT substr(sent_at, 1, 7) FROM messages WHERE session_id IS NOT NULL GROUP BY 1 "
            "HAVING COUNT(*) >= ? ORDER BY 1 DESC",
            (least,),
        )
        return [(int(month[:4]), int(month[5:])) for month in found]

    def chats(self) -> list[Chat]:
        """All chats, the most recently active first."""
        return list(self._cache.get("chats", self._chats))

    def _chats(self) -> list[Chat]:
        rows = self._connection.execute(
            "SELECT c.id, c.kind, c.platform, COUNT(m.id), MIN(m.sent_at), MAX(m.sent_at) FROM chats c "
            "LEFT JOIN messages m ON m.chat_id = c.id "
            "GROUP BY c.id ORDER BY COALESCE(MAX(m.sent_at), '') DESC"
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
                first=moment(row[4]),
                last=moment(row[5]),
            )
            for row in rows
        ]

    def participants(self) -> dict[int, dict[int, str]]:
        """For each chat, ``{person id: name}`` of who wrote in it, the most active first."""
        return self._cache.get("participants", self._participants)

    def _participants(self) -> dict[int, dict[int, str]]:
        rows = self._connection.execute(
            "SELECT m.chat_id, p.id, p.name "
            "FROM (SELECT chat_id, sender_id, COUNT(*) AS n FROM messages GROUP BY 1, 2) m "
            "JOIN entities e ON e.id = m.sender_id JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
            "GROUP BY m.chat_id, p.id, p.name ORDER BY SUM(m.n) DESC, p.id"
        )
        found: dict[int, dict[int, str]] = defaultdict(dict)
        for chat, person, name in rows:
            found[chat][person] = name
        return found

    def repeated(self) -> frozenset[str]:
        """Short texts that are there several times, such as "ok" and "see you later", case-folded."""
        return self._cache.get("repeated", self._repeated)

    def _repeated(self) -> frozenset[str]:
        rows = self._connection.execute(
            "SELECT text, COUNT(*) FROM messages WHERE LENGTH(text) <= ? AND session_id IS NOT NULL "
            "GROUP BY text",
            (LONGEST_REPEATED,),
        )
        written: Counter[str] = Counter()
        for text, number in rows:
            written[text.casefold()] += number
        return frozenset(text for text, number in written.items() if number >= FEWEST_REPEATED)

    def titles(self) -> ChatTitles:
        """The title of each chat: its own, or the names of the others in it."""
        return self._cache.get("titles", self._titled)[0]

    def groups(self) -> set[int]:
        """The chats that are groups."""
        return {chat.id for chat in self.chats() if chat.kind == "group"}

    def owner(self) -> int | None:
        """The person whose messages these are: who takes part in most chats, if one leads."""
        return self._cache.get("titles", self._titled)[1]

    def _titled(self) -> tuple[ChatTitles, int | None]:
        """The titles of the chats, which do not name who asks, and the owner."""
        names = self.participants()
        owner = most_present(frozenset(people) for people in names.values())
        rows = self._connection.execute("SELECT id, title, kind FROM chats").fetchall()
        me = person_who_asks(self._connection) or owner
        shown = {
            chat: {
                person: self._joined_names.shown(person, name) for person, name in people.items()
            }
            for chat, people in names.items()
        }
        titles = {chat: title or _title(shown.get(chat, {}), me) for chat, title, _ in rows}
        titles |= self._told_apart({chat: titles[chat] for chat, title, _ in rows if not title})
        direct = {chat for chat, _, kind in rows if kind != "group"}
        others = {chat: people.keys() - {me} for chat, people in names.items() if chat in direct}
        with_one = {chat: next(iter(those)) for chat, those in others.items() if len(those) == 1}
        return ChatTitles(titles, with_one), owner

    def _told_apart(self, made: Mapping[int, str]) -> dict[int, str]:
        """Titles that were made of names and are alike, with the month in which each chat begins."""
        times = Counter(made.values())
        begun: dict[int, str] = {}
        for chat, title in sorted(made.items()):
            if times[title] > 1:
                first = self._connection.value(_FIRST, (chat,))
                begun[chat] = f"{title} (from {moment(first):%b %Y})" if first else title
        again: Counter[str] = Counter()
        for chat, title in begun.items():
            again[title] += 1
            begun[chat] = f"{title} #{again[title]}" if again[title] > 1 else title
        return begun

    def known_chats(self) -> list[tuple[int, str, str | None, str | None]]:
        """``(id, platform, key, title)`` of every chat."""
        return self._connection.execute("SELECT id, platform, key, title FROM chats").fetchall()

    def known_chat(self, chat_id: int) -> tuple[int, str, str | None, str | None]:
        """``(id, platform, key, title)`` of a chat that is there."""
        row: tuple[int, str, str | None, str | None] = self._connection.execute(
            "SELECT id, platform, key, title FROM chats WHERE id = ?", (chat_id,)
        ).fetchone()
        return row

    # --- writing, inside a transaction ---------------------------------------------------------------

    def without_session(self, chat_id: int) -> Iterator[tuple[Message, str | None]]:
        """The messages of a chat that are in no session, in order, with their session keys.

        A page at a time: sessions may be made of those given while more are asked for.
        """
        after: tuple[str, int] = ("", 0)
        while True:
            rows = self._connection.execute(
                f"{_SELECT} WHERE m.chat_id = ? AND m.session_id IS NULL AND (m.sent_at, m.id) > (?, ?) "
                "ORDER BY m.sent_at, m.id LIMIT ?",
                (chat_id, *after, PAGE),
            ).fetchall()
            if not rows:
                return
            after = (rows[-1][4], rows[-1][0])
            yield from zip(self._made(rows), (row[15] for row in rows), strict=True)

    def count_without_session(self, chat_id: int) -> int:
        """How many messages of a chat are in no session."""
        return self._connection.number(
            "SELECT COUNT(*) FROM messages WHERE chat_id = ? AND session_id IS NULL", (chat_id,)
        )

    def add_session(self, messages: Sequence[Message]) -> int:
        """Make a session of these messages of one chat; returns its id."""
        session = self._connection.new(
            "INSERT INTO sessions (chat_id, started_at, ended_at) VALUES (?, ?, ?)",
            (
                messages[0].chat_id,
                messages[0].sent_at.isoformat(),
                messages[-1].sent_at.isoformat(),
            ),
        )
        for part in in_parts([message.id for message in messages]):
            self._connection.execute(  # in batches: a trigger updates the full-text index for each row
                f"UPDATE messages SET session_id = ? WHERE id IN ({marks(part)})",
                (session, *part),
            )
        return session

    def _made(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[Message]:
        """The messages of rows of ``_SELECT``."""
        titles, joined_names, order = self.titles(), self._joined_names.all(), self.date_order()
        for row in rows:
            chat, replies_to, attachments, reactions = row[1], row[8], row[12], row[13]
            yield Message(
                id=row[0],
                chat=titles[chat],
                sender=str(row[3]),
                sent_at=clamped(datetime.fromisoformat(row[4])),
                text=str(row[5]),
                chat_id=chat,
                sender_id=row[2],
                session_id=row[6] or 0,
                kind=cast("MessageKind", row[7]),
                reply_to=replies_to,
                edited=bool(row[9]),
                forwarded_from=row[10],
                deleted=bool(row[11]),
                attachments=(
                    tuple(starmap(Attachment, json.loads(attachments))) if attachments else ()
                ),
                reactions=tuple(starmap(Reaction, json.loads(reactions))) if reactions else (),
                heard=row[14] or "",
                joined_name=row[2] in joined_names,
                date_order=order,
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
    others = [name for person, name in names.items() if person != owner]
    others = others or [*names.values()] or ["empty chat"]
    shown = ", ".join(others[:NAMES_IN_TITLE])
    more = len(others) - NAMES_IN_TITLE
    return f"{shown} and {more} more" if more > 0 else shown


def _kind(kind: str | None, participants: int) -> ChatKind:
    if kind in ("direct", "group"):
        return cast("ChatKind", kind)
    return "direct" if participants <= DIRECT_SIZE else "group"

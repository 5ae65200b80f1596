"""Who sent how many messages, in which chats, and the first and last of them."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from minirag_chat.names import spelling_key
from minirag_chat.records import Filters, Mark, TimeUnit, clamped
from minirag_chat.store.passing import passing
from minirag_chat.store.tables import Tables

_SENDER, _CHAT = "COALESCE(e.same_as, e.id)", "m.chat_id"  # in the query for the end of each


class GivenReaction(NamedTuple):
    """The ids of a message and of who reacted to it, their name, and the emoji.

    ``person`` is None for who never wrote a message.
    """

    message: int
    person: int | None
    giver: str
    emoji: str


class MessageCounts(Tables):
    """Counts messages, and finds the first or last one. Nothing here writes."""

    def number(self, filters: Filters) -> int:
        """How many messages pass."""
        where, values = passing(self._connection, filters)
        return self._connection.number(f"SELECT COUNT(*) FROM messages m WHERE {where}", values)

    def by_sender(self, filters: Filters) -> list[tuple[int, str, int]]:
        """``(person id, name, messages)`` of each sender of messages that pass, the most first."""
        where, values = passing(self._connection, filters)
        rows = self._connection.execute(
            "SELECT p.id, p.name, SUM(s.n) FROM (SELECT m.sender_id, COUNT(*) AS n FROM messages m "
            f"WHERE {where} GROUP BY 1) AS s JOIN entities e ON e.id = s.sender_id "
            "JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
            "GROUP BY p.id, p.name ORDER BY 3 DESC, p.id",
            values,
        )
        return [(person, name, int(messages)) for person, name, messages in rows]

    def first_of_conversations(self, filters: Filters) -> list[tuple[int, int]]:
        """``(message id, person id)`` of the first message of each conversation, in order of time.

        Messages of any sender count, in the chats and times of the filters.
        """
        where, values = passing(self._connection, filters)
        return self._connection.execute(
            "SELECT f.id, COALESCE(e.same_as, e.id) FROM (SELECT MIN(m.id) AS id, MIN(m.sent_at) AS begun "
            "FROM sessions s JOIN messages m ON m.session_id = s.id AND m.sent_at = s.started_at "
            f"WHERE {where} GROUP BY s.id) AS f JOIN messages m ON m.id = f.id "
            "JOIN entities e ON e.id = m.sender_id ORDER BY f.begun, f.id",
            values,
        ).fetchall()

    def by_day(self, filters: Filters) -> list[tuple[datetime, int, int]]:
        """``(day, person id, messages)`` of each day on which a person wrote messages that pass."""
        where, values = passing(self._connection, filters)
        rows = self._connection.execute(
            "SELECT substr(m.sent_at, 1, 10), COALESCE(e.same_as, e.id), COUNT(*) FROM messages m "
            f"JOIN entities e ON e.id = m.sender_id WHERE {where} GROUP BY 1, 2",
            values,
        )
        return [
            (clamped(datetime.fromisoformat(day)), person, messages)
            for day, person, messages in rows
        ]

    def by_time(self, filters: Filters, unit: TimeUnit) -> list[tuple[str, int, int]]:
        """``(time, messages, id of one)`` of each hour, weekday, day, month or year with messages that pass.

        The times are the parts of ISO times that say them ("2026-05", "23"), those of weekdays 0 to 6, and of
        weeks that of a day.
        """
        where, values = passing(self._connection, filters)
        part = {"hour": (12, 2), "month": (1, 7), "year": (1, 4)}.get(unit, (1, 10))
        time = f"substr(m.sent_at, {part[0]}, {part[1]})"
        if unit == "weekday":
            time = self._connection.weekday("m.sent_at")
        rows = self._connection.execute(
            f"SELECT {time}, COUNT(*), MAX(m.id) FROM messages m WHERE {where} GROUP BY 1 ORDER BY 1",
            values,
        )
        return [(str(when), int(messages), one) for when, messages, one in rows]

    def marked(self, filters: Filters, mark: Mark) -> list[tuple[int, int, int]]:
        """``(message id, person id, number of marks)`` of each message that is marked so, or has reactions.

        In order of time. A call is no message.
        """
        if mark == "call":
            return []
        marks = {
            "reaction": "m.reactions IS NOT NULL",
            "forwarded": "m.forwarded_from IS NOT NULL",
        }
        return [
            (message, person, len(json.loads(reactions)) if mark == "reaction" else 1)
            for message, person, reactions in self._each(
                "m.reactions", filters, marks.get(mark, f"m.{mark}")
            )
        ]

    def reactions_given(self, filters: Filters) -> list[GivenReaction]:
        """Each reaction whose giver the export names, to the messages that pass, in order of their time."""
        rows = self._each("m.reactions", filters, "m.reactions IS NOT NULL")
        people = dict(
            self._connection.execute(
                "SELECT key, COALESCE(same_as, id) FROM entities WHERE type = 'person'"
            )
        )
        return [
            GivenReaction(message, people.get(spelling_key(giver)), giver, emoji)
            for message, _sender, reactions in rows
            for emoji, giver in json.loads(reactions)
            if giver
        ]

    def moments(self, filters: Filters) -> list[tuple[int, int, datetime]]:
        """``(message id, person id, when it was sent)`` of each message that passes."""
        rows = self._each("m.sent_at", filters)
        return [(message, person, datetime.fromisoformat(at)) for message, person, at in rows]

    def longest_gap(self, filters: Filters) -> tuple[int, int] | None:
        """The ids of the two messages in a row, of those that pass, with the longest time between them."""
        rows = self._each("m.sent_at", filters)
        sent = [(clamped(datetime.fromisoformat(at)), one) for one, _person, at in rows]
        gaps = max(pairwise(sent), key=lambda pair: pair[1][0] - pair[0][0], default=None)
        return (gaps[0][1], gaps[1][1]) if gaps else None

    def after_others(
        self, filters: Filters, answering: frozenset[int]
    ) -> list[tuple[int, int, timedelta | None]]:
        """``(message id, person id, time since the one before)`` of each message right after somebody else's.

        Both are in one chat, and the later one passes; ``answering`` are those of whom the one before is, or
        empty. The time is None where a conversation has only one.
        """
        where, values = passing(self._connection, filters)
        inside, of_chats = passing(self._connection, Filters(chats=filters.chats))
        rows = self._connection.execute(
            "SELECT m.id, r.person, r.prior, r.earlier, m.sent_at, m.session_key "
            "FROM (SELECT m.id, p.person, "
            "LAG(p.person) OVER w AS prior, LAG(m.sent_at) OVER w AS earlier FROM messages m "
            "JOIN (SELECT id, COALESCE(same_as, id) AS person FROM entities) AS p ON p.id = m.sender_id "
            f"WHERE {inside} WINDOW w AS (PARTITION BY m.chat_id ORDER BY m.sent_at, m.id)) AS r "
            f"JOIN messages m ON m.id = r.id WHERE r.prior <> r.person AND {where} ORDER BY m.sent_at, m.id",
            [*of_chats, *values],
        )
        return [
            (
                message,
                person,
                None if key else datetime.fromisoformat(sent) - datetime.fromisoformat(earlier),
            )
            for message, person, prior, earlier, sent, key in rows
            if not answering or prior in answering
        ]

    def files(self, filters: Filters) -> list[tuple[int, int, tuple[str, ...]]]:
        """``(message id, person id, kinds of its files)`` of each message with files, in order of time."""
        rows = self._each("m.attachments", filters, "m.attachments IS NOT NULL")
        return [
            (message, person, tuple(kind for _name, kind in json.loads(files)))
            for message, person, files in rows
        ]

    def links(self, filters: Filters) -> list[tuple[int, int, tuple[str, ...]]]:
        """The same of the links in the text of messages: each has the kind "link"."""
        where, values = passing(self._connection, filters)
        rows = self._connection.execute(
            "SELECT m.id, COALESCE(e.same_as, e.id), COUNT(*) FROM messages m "
            "JOIN entities e ON e.id = m.sender_id JOIN mentions n ON n.message_id = m.id "
            f"JOIN entities l ON l.id = n.entity_id AND l.type = 'link' WHERE {where} "
            "GROUP BY m.id, COALESCE(e.same_as, e.id), m.sent_at ORDER BY m.sent_at, m.id",
            values,
        )
        return [(message, person, ("link",) * int(number)) for message, person, number in rows]

    def typed(self, filters: Filters, *, forwarded: bool = True) -> list[tuple[int, int, str]]:
        """``(message id, person id, text)`` of each message that was typed, in order of time.

        Not those that were deleted, nor what was read in files; without ``forwarded`` no forwarded ones.
        """
        own = "" if forwarded else " AND m.forwarded_from IS NULL"
        return self._each(
            "m.text", filters, f"NOT m.deleted AND m.kind = 'text' AND m.heard IS NULL{own}"
        )

    def _each(
        self, column: str, filters: Filters, condition: str = "true"
    ) -> list[tuple[int, int, Any]]:
        """``(message id, person id, column)`` of each message that passes, in order of time."""
        where, values = passing(self._connection, filters)
        found: list[tuple[int, int, Any]] = self._connection.execute(
            f"SELECT m.id, COALESCE(e.same_as, e.id), {column} FROM messages m "
            f"JOIN entities e ON e.id = m.sender_id WHERE {where} AND {condition} "
            "ORDER BY m.sent_at, m.id",
            values,
        ).fetchall()
        return found

    def by_chat(self, filters: Filters) -> list[tuple[int, int]]:
        """``(chat id, messages)`` of each chat with messages that pass, the most first."""
        where, values = passing(self._connection, filters)
        return self._connection.execute(
            f"SELECT m.chat_id, COUNT(*) FROM messages m WHERE {where} GROUP BY 1 ORDER BY 2 DESC, 1",
            values,
        ).fetchall()

    def first_and_last(self, filters: Filters, *, in_words: bool = False) -> tuple[int, int] | None:
        """The ids of the first and the last message that pass; None if there is none.

        ``in_words`` leaves out deleted messages, and files in which nothing was read.
        """
        first, last = (
            self.from_end(filters, 1, last=end, in_words=in_words) for end in (False, True)
        )
        return (first[0], last[0]) if first and last else None

    def last_of_people(self, filters: Filters) -> dict[int, int]:
        """The id of the last message that passes of each person, the oldest message first."""
        return self._end_of_each(_SENDER, filters, last=True)

    def last_of_chats(self, filters: Filters) -> dict[int, int]:
        """The id of the last message that passes of each chat, the oldest message first."""
        return self._end_of_each(_CHAT, filters, last=True)

    def first_of_people(self, filters: Filters) -> dict[int, int]:
        """The id of the first message that passes of each person, the oldest message first."""
        return self._end_of_each(_SENDER, filters, last=False)

    def first_of_chats(self, filters: Filters) -> dict[int, int]:
        """The id of the first message that passes of each chat, the oldest message first."""
        return self._end_of_each(_CHAT, filters, last=False)

    def _end_of_each(self, what: str, filters: Filters, *, last: bool) -> dict[int, int]:
        """For each value of an expression the id of its first or last message, in order of time."""
        where, values = passing(self._connection, filters)
        order = "DESC" if last else "ASC"
        rows = self._connection.execute(
            f"SELECT of_each, id FROM (SELECT {what} AS of_each, m.id, m.sent_at, "
            f"ROW_NUMBER() OVER (PARTITION BY {what} ORDER BY m.sent_at {order}, m.id {order}) AS place "
            f"FROM messages m JOIN entities e ON e.id = m.sender_id WHERE {where}) AS numbered "
            "WHERE place = 1 ORDER BY sent_at, id",
            values,
        )
        return dict(rows.fetchall())

    def from_end(
        self, filters: Filters, number: int, *, last: bool, in_words: bool = False
    ) -> list[int]:
        """The ids of the last or first messages that pass, at most ``number``, from that end on.

        ``in_words`` leaves out deleted messages, and files in which nothing was read.
        """
        where, values = passing(self._connection, filters)
        if in_words:
            where += " AND NOT m.deleted AND (m.kind = 'text' OR m.heard IS NOT NULL)"
        order = "DESC" if last else "ASC"
        query = f"SELECT m.id FROM messages m WHERE {where} ORDER BY m.sent_at {order}, m.id {order} LIMIT ?"
        return [row[0] for row in self._connection.execute(query, [*values, number])]

"""Arrays of ids by sender, time and chat, for filters and rankings of all rows.

Each is read from a covering index, without the rows with their text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from minirag_chat.records import Filters, Repeated
from minirag_chat.store.arrays import Ids, arrays, distinct, ordered, places
from minirag_chat.store.passing import at_times
from minirag_chat.store.rows import marks
from minirag_chat.store.tables import CachedTables

OPEN_START, OPEN_END = "", "~"  # sort before and after every ISO time


@dataclass(frozen=True, slots=True)
class Members:
    """Which message is in which chunk, in the order of the messages; one may be in several."""

    messages: Ids
    chunks: Ids


@dataclass(frozen=True, slots=True)
class Talks:
    """The session of each message, in the order of the messages; messages without a session are left out."""

    messages: Ids
    sessions: Ids

    def of(self, messages: Ids) -> Ids:
        """The sessions of messages, each once, in order."""
        place, there = places(messages, self.messages)
        return distinct(self.sessions[place[there]])


class ColumnTables(CachedTables):
    """Reads ids in bulk. Nothing here writes."""

    def allowed(self, filters: Filters) -> Ids | None:
        """The ids of messages that pass the filters, sorted; None without a filter."""
        kept = []
        if filters.people:
            kept.append(self.written_by(filters.people))
        if filters.chats or filters.since or filters.until:
            since = filters.since.isoformat() if filters.since else OPEN_START
            until = filters.until.isoformat() if filters.until else OPEN_END
            kept.append(self.sent(since, until, filters.chats))
        if filters.periods or filters.repeated != Repeated():
            kept.append(self._at_times(filters))
        if not kept:
            return None
        return reduce(lambda some, others: np.intersect1d(some, others, assume_unique=True), kept)

    def written_by(self, people: Iterable[int]) -> Ids:
        """The messages of people, under all their spellings, in order."""
        ids = tuple(people)
        (found,) = arrays(
            self._connection,
            ["id"],
            "FROM messages WHERE sender_id IN "
            f"(SELECT id FROM entities WHERE id IN ({marks(ids)}) AND same_as IS NULL "
            f"UNION ALL SELECT id FROM entities WHERE same_as IN ({marks(ids)}))",
            (*ids, *ids),
        )
        return np.sort(found)

    def sent(self, since: str, until: str, chats: Iterable[int] = ()) -> Ids:
        """The messages of a period (ISO wall-clock, ``until`` exclusive), of chats or of all; in order."""
        ids = tuple(chats)
        where = marks(ids) if ids else "SELECT id FROM chats"
        (found,) = arrays(
            self._connection,
            ["id"],
            f"FROM messages WHERE chat_id IN ({where}) AND sent_at >= ? AND sent_at < ?",
            (*ids, since, until),
        )
        return np.sort(found)

    def naming_days(self, since: str, until: str) -> Ids:
        """The messages that name a day from ``since`` to ``until``, sorted."""
        query = (
            "SELECT DISTINCT m.message_id FROM mentions m JOIN entities e ON e.id = m.entity_id "
            "WHERE e.type = 'time' AND e.key >= ? AND e.key <= ? ORDER BY 1"
        )
        return np.array(self._connection.column(query, (since, until)), np.int64)

    def days_ahead(self, since: str, until: str) -> list[tuple[int, str]]:
        """Each message and each day from ``since`` to ``until`` that it names before it is over; by day."""
        query = (
            "SELECT DISTINCT m.message_id, e.key FROM mentions m JOIN entities e ON e.id = m.entity_id "
            "JOIN messages written ON written.id = m.message_id WHERE e.type = 'time' "
            "AND e.key >= ? AND e.key <= ? AND substr(written.sent_at, 1, 10) <= e.key ORDER BY 2, 1"
        )
        return [
            (int(row[0]), str(row[1])) for row in self._connection.execute(query, (since, until))
        ]

    def _at_times(self, filters: Filters) -> Ids:
        """The messages of the periods and repeated times of the filters, in order."""
        parts, values = at_times(self._connection, filters)
        where = " AND ".join(parts)
        (found,) = arrays(
            self._connection, ["m.id"], f"FROM messages m WHERE {where}", tuple(values)
        )
        return np.sort(found)

    def members(self) -> Members:
        """Which message is in which chunk; cached until the database changes."""
        return self._cache.get("members", self._read_members)

    def talks(self) -> Talks:
        """The session of each message; cached until the database changes."""
        return self._cache.get("talks", self._read_talks)

    def chats_of(self, sessions: Ids) -> Ids:
        """The chat of each session."""
        known, chats = self._cache.get("chats of sessions", self._read_chats_of)
        return chats[places(sessions, known)[0]]

    def chunks_with(self, messages: Ids) -> Ids:
        """The chunks that hold one of the messages, which come in order; in order themselves."""
        members = self.members()
        return distinct(members.chunks[is_among(members.messages, messages)])

    def sessions_with(self, people: Iterable[int]) -> tuple[Ids, Ids]:
        """The sessions in which any of these people takes part, and how many of them do."""
        talks = self.talks()
        each = [talks.of(self.written_by((person,))) for person in set(people)]
        found = np.concatenate(each) if each else np.zeros(0, dtype=np.int64)
        return np.unique(found, return_counts=True)

    def in_sessions(self, sessions: Ids) -> Ids:
        """The messages of sessions, which come in order; in order themselves."""
        talks = self.talks()
        return talks.messages[is_among(talks.sessions, sessions)]

    def indexed(self) -> int:
        """How many messages are in chunks."""
        return len(distinct(self.members().messages))

    def own_chunks(self, chunks: Ids, sessions: Ids, scope: Ids | None) -> Ids:
        """Of chunks, which come in order, those with a message of their own session, and in scope.

        ``sessions`` are those of the chunks. A chunk may hold messages of others: parents of replies.
        """
        members = self.members()
        talks = self.talks()
        message, talked = places(members.messages, talks.messages)
        chunk, there = places(members.chunks, chunks)
        own = talked & there & (talks.sessions[message] == sessions[chunk])
        if scope is not None:
            own &= is_among(members.messages, scope)
        return distinct(members.chunks[own])

    def _read_members(self) -> Members:
        columns = ["message_id", "chunk_id"]
        return Members(*ordered(self._connection, columns, "FROM chunk_messages"))

    def _read_chats_of(self) -> list[Ids]:
        return ordered(self._connection, ["id", "chat_id"], "FROM sessions")

    def _read_talks(self) -> Talks:
        inside = "FROM messages WHERE session_id IS NOT NULL"
        return Talks(*ordered(self._connection, ["id", "session_id"], inside))


def is_among(values: Ids, sorted_ids: Ids) -> NDArray[np.bool_]:
    """Whether each value is in the sorted ``sorted_ids``."""
    return places(values, sorted_ids)[1]

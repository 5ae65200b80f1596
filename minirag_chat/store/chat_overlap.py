"""Compares an exported chat with a known one by the instants and texts of their messages.

Unlike a fingerprint, this uses neither wall-clock times, which depend on the time zone, nor names of
senders, which anyone may choose. The decision is made in ``ingest/senders.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from minirag_chat.records import MADE_UP
from minirag_chat.store.rows import marks, span
from minirag_chat.store.tables import Tables

DISTINCTIVE = (
    10  # characters of a distinctive text; shorter ones ("ok", "see you") occur in many chats
)
CROWD = 50  # messages of one instant, in whatever chats
_PAGE = 20_000  # messages in a batch
# Messages from all times of a chat, of which the longest are looked for at other times.
_SPREAD, _SAMPLE = 400, 60
_MINUTE = len("2024-01-20T10:00")
_ENOUGH = 1000  # pairs among which different texts are counted

_DISTINCTIVE = f"{{0}}.kind = 'text' AND LENGTH({{0}}.text) >= {DISTINCTIVE}"
# Where most messages have one time, as in an export with days alone, it tells nothing; and that the
# messages of one instant are compared one by one then costs little.
_COMPARED = (
    "NOT {0}.deleted AND NOT {0}.edited AND (SELECT COUNT(*) FROM (SELECT 1 FROM messages c "
    f"WHERE c.sent_utc = {{0}}.sent_utc LIMIT {CROWD}) AS crowd) < {CROWD}"
)
_PERSON = "COALESCE({0}.same_as, {0}.id)"

# Messages of the exported chat ?1, and those of the known chat ?2 of the same instant and words.
_PAIRS = f"""
FROM messages s CROSS JOIN messages k ON k.sent_utc = s.sent_utc AND k.chat_id = ?2
JOIN entities e ON e.id = s.sender_id JOIN entities f ON f.id = k.sender_id
WHERE s.chat_id = ?1 AND k.text = s.text AND {_COMPARED.format("s")} AND {_COMPARED.format("k")}
"""
_IN_PAGE = "AND s.sent_at > ?3 AND s.sent_at <= ?4"
_MISSING = "NOT EXISTS (SELECT 1 FROM messages o WHERE o.chat_id = {1} AND o.fingerprint = {0}.fingerprint)"

# The unary + keeps SQLite from using the index on chat_id, so that it looks messages up by instant.
_IN_MINUTE = {
    "sent_at": f"k.chat_id = ?2 AND k.sent_at >= SUBSTR(s.sent_at, 1, {_MINUTE}) "
    f"AND k.sent_at < SUBSTR(s.sent_at, 1, {_MINUTE}) || '~'",
    "sent_utc": "+k.chat_id = ?2 AND k.sent_utc >= s.sent_utc - s.sent_utc % 60 "
    "AND k.sent_utc < s.sent_utc - s.sent_utc % 60 + 60",
}

# Some distinctive messages of a chat, the longest, and where other chats of the platform have the same words
# up to 26 hours earlier or later: as far as two clocks on the wall may be apart, in quarters of an hour.
# Of two times of which one is a whole minute, the other may have seconds. + and INDEXED BY: by the instant
# first; SQLite would make an index of all texts, for each chat that is imported.
_AT_OTHER_TIMES = f"""
WITH RECURSIVE apart(seconds) AS (
  SELECT -{26 * 3600} UNION ALL SELECT seconds + 900 FROM apart WHERE seconds < {26 * 3600}
), sample AS MATERIALIZED (
  SELECT s.sent_at, s.sent_utc, s.text FROM messages s WHERE s.chat_id = ?1 AND s.id % ?2 = 0
  AND {_DISTINCTIVE.format("s")} AND {_COMPARED.format("s")}
  ORDER BY LENGTH(s.text) DESC, s.id LIMIT {_SAMPLE}
)
SELECT k.chat_id, s.text, s.sent_at, k.sent_at, a.seconds FROM sample s CROSS JOIN apart a ON true
CROSS JOIN messages k INDEXED BY messages_instant ON k.sent_utc >= s.sent_utc - s.sent_utc % 60 + a.seconds
AND k.sent_utc < s.sent_utc - s.sent_utc % 60 + a.seconds + 60 AND k.chat_id <> ?1
JOIN chats c ON c.id = +k.chat_id JOIN chats o ON o.id = ?1 AND o.platform = c.platform
WHERE k.text = s.text AND CASE WHEN k.sent_utc = s.sent_utc + a.seconds THEN a.seconds <> 0
ELSE s.sent_utc % 60 = 0 OR k.sent_utc % 60 = 0 END
"""

# The same words in one minute of both chats, at a time at which the other has them less often: whole
# minutes in the place of seconds. Messages of two ids that the exports give are two.
_TIMES = (
    "SELECT COUNT(*) FROM messages o "
    "WHERE o.chat_id = {1} AND o.sent_at = {0}.sent_at AND o.text = {0}.text"
)
_MORE = f"({_TIMES.format('{0}', '{1}')}) > ({_TIMES.format('{0}', '{2}')})"
_NO_ID = f"({{0}}.source_id IS NULL OR SUBSTR({{0}}.source_id, 1, 1) = '{MADE_UP}')"
_OTHER_SECONDS = f"""
SELECT 1 FROM messages s WHERE s.chat_id = ?1 AND s.sent_at >= ?3 AND s.sent_at < ?4
AND {_MISSING.format("s", "?2")} AND {_COMPARED.format("s")} AND EXISTS (
  SELECT 1 FROM messages k WHERE {_IN_MINUTE["sent_at"]} AND k.sent_at <> s.sent_at AND k.text = s.text
  AND NOT k.deleted AND ({_NO_ID.format("s")} OR {_NO_ID.format("k")} OR k.source_id = s.source_id)
  AND {_MORE.format("k", "?2", "?1")} AND {_MORE.format("s", "?1", "?2")} {{0}}
) LIMIT 1
"""
_WHOLE_MINUTE = f"SUBSTR({{0}}.sent_at, {_MINUTE + 1}) = ':00'"
# The seconds of a known message may not be its own: it has a whole minute, or the time of an earlier
# message, behind which it was put.
_VAGUE = f"""AND ({_WHOLE_MINUTE.format("k")} OR EXISTS (
  SELECT 1 FROM messages b WHERE b.chat_id = k.chat_id AND b.sent_at = k.sent_at AND b.id < k.id))"""
_SECONDS = (
    f"SELECT 1 FROM messages m WHERE m.chat_id = ? AND NOT {_WHOLE_MINUTE.format('m')} LIMIT 1"
)

# What somebody said at one time in both chats, under two of their names: paired in order.
_SAME_PERSON = f"""
WITH lacked AS MATERIALIZED (
  SELECT s.id, s.sent_at, s.text, {_PERSON.format("e")} AS person FROM messages s
  JOIN entities e ON e.id = s.sender_id
  WHERE s.chat_id = ?1 AND s.sent_at > ?3 AND s.sent_at <= ?4 AND {_MISSING.format("s", "?2")}
), both_said AS (
  SELECT id, NULL AS known, sent_at, text, person FROM lacked
  UNION ALL SELECT NULL, k.id, k.sent_at, k.text, {_PERSON.format("f")}
  FROM (SELECT DISTINCT sent_at, text FROM lacked) AS l
  CROSS JOIN messages k ON k.chat_id = ?2 AND k.sent_at = l.sent_at AND k.text = l.text
  JOIN entities f ON f.id = k.sender_id WHERE {_MISSING.format("k", "?1")}
), placed AS (
  SELECT id, known, sent_at, text, person, ROW_NUMBER() OVER (
    PARTITION BY sent_at, text, person, id IS NULL ORDER BY COALESCE(id, known)) AS place FROM both_said
), pairs AS (
  SELECT MAX(id) AS id, MAX(known) AS known FROM placed GROUP BY sent_at, text, person, place
  HAVING COUNT(*) = 2
)
UPDATE messages SET fingerprint = k.fingerprint FROM pairs AS p JOIN messages k ON k.id = p.known
WHERE messages.id = p.id
"""


@dataclass(frozen=True, slots=True)
class ChatOverlap:
    """What an exported and a known chat have in common in the period of both.

    ``pairs`` counts the messages of one instant and text, by their senders in the two chats; ``said`` and
    ``known`` count all messages of each sender. ``texts`` counts different texts.
    """

    pairs: Mapping[tuple[int, int], int]
    said: Mapping[int, int]
    known: Mapping[int, int]
    texts: int = 0


@dataclass(frozen=True, slots=True)
class OtherTimeMatch:
    """The same text in an exported and a known chat, at different times."""

    chat: int
    text: str
    here: datetime
    there: datetime
    seconds: int
    """By how much the instant there is later, but for seconds of a minute."""


@dataclass(frozen=True, slots=True)
class ByMinute:
    """The time of two chats of which one has whole minutes in the place of the other's seconds."""

    since: str
    until: str
    exact: bool
    """Whether it is the exported chat that has seconds."""


class ChatOverlapTables(Tables):
    """Compares the staged chats of an import with the known ones."""

    def zone(self, chat: int) -> str | None:
        """The time zone of a chat's wall-clock times."""
        found: str | None = self._connection.value(
            "SELECT time_zone FROM chats WHERE id = ?", (chat,)
        )
        return found

    def in_other_zones(self, zone: str) -> frozenset[str]:
        """The platforms that have chats with wall-clock times of another zone."""
        query = "SELECT DISTINCT platform FROM chats WHERE time_zone <> ?"
        return frozenset(row[0] for row in self._connection.execute(query, (zone,)))

    def at_instants(self, chat: int, platform: str, zone: str) -> dict[int, int]:
        """How many messages of a chat each chat in another zone has, of the same instant and sender."""
        return dict(
            self._connection.execute(
                "SELECT k.chat_id, COUNT(DISTINCT s.id) FROM messages s "
                "CROSS JOIN messages k ON k.sent_utc = s.sent_utc "
                "AND k.chat_id <> s.chat_id JOIN chats c ON c.id = k.chat_id "
                "JOIN entities e ON e.id = s.sender_id JOIN entities f ON f.id = k.sender_id "
                "WHERE s.chat_id = ? AND k.text = s.text AND c.platform = ? AND c.time_zone <> ? "
                f"AND {_PERSON.format('e')} = {_PERSON.format('f')} AND {_COMPARED.format('s')} "
                "GROUP BY 1",
                (chat, platform, zone),
            )
        )

    def distinctive_matches(self, chat: int) -> dict[int, int]:
        """How many distinctive messages of a chat each other of its platform has at that instant."""
        query = (
            "SELECT k.chat_id, COUNT(*) FROM messages s "
            "CROSS JOIN messages k ON k.sent_utc = s.sent_utc "
            "AND k.chat_id <> s.chat_id JOIN chats c ON c.id = k.chat_id "
            "JOIN chats o ON o.id = s.chat_id AND o.platform = c.platform "
            "WHERE s.chat_id = ?1 AND s.sent_at > ?2 AND s.sent_at <= ?3 AND k.text = s.text "
            f"AND {_DISTINCTIVE.format('s')} AND {_COMPARED.format('s')} GROUP BY 1"
        )
        found = Counter[int]()
        for page in self._pages(chat):
            found.update(dict(self._connection.execute(query, (chat, *page))))
        return found

    def at_other_times(self, chat: int) -> list[OtherTimeMatch]:
        """Where other chats of the platform say what an exported one says, by another clock."""
        count = self._connection.number("SELECT COUNT(*) FROM messages WHERE chat_id = ?", (chat,))
        rows = self._connection.execute(_AT_OTHER_TIMES, (chat, max(1, count // _SPREAD)))
        read = datetime.fromisoformat
        return [OtherTimeMatch(known, text, read(h), read(t), by) for known, text, h, t, by in rows]

    def by_minute(self, chat: int, known: int) -> ByMinute | None:
        """The time in which an exported chat and a known one are to be compared by the minute, if any.

        Two that both have seconds are not: what is said twice in a minute is then two messages.
        """
        run = self._connection.execute
        here, there = (run(f"SELECT {span('?1')}", (which,)).fetchone() for which in (chat, known))
        if here[0] is None or there[0] is None:
            return None
        since, until = max(here[0], there[0])[:_MINUTE], min(here[1], there[1])[:_MINUTE] + "~"
        exact = run(_SECONDS, (chat,)).fetchone() is not None
        query = _OTHER_SECONDS.format(_VAGUE if exact else "")
        found = run(query, (chat, known, since, until)).fetchone()
        return None if found is None else ByMinute(since, until, exact)

    def agreeing(self, chat: int, known: int, by: Literal["sent_at", "sent_utc"]) -> int:
        """How many messages of a chat a known one has, in the same minute of the clock or of the instant."""
        return self._connection.number(
            f"SELECT COUNT(*) FROM messages s WHERE s.chat_id = ?1 AND {_COMPARED.format('s')} "
            f"AND EXISTS (SELECT 1 FROM messages k WHERE {_IN_MINUTE[by]} AND k.text = s.text)",
            (chat, known),
        )

    def held(self, chat: int, known: int) -> int:
        """How many messages of a chat a known one has, with the same clock and by the same sender."""
        return self._connection.number(
            "SELECT COUNT(*) FROM messages s "
            "CROSS JOIN messages k ON k.chat_id = ?2 AND k.fingerprint = s.fingerprint WHERE s.chat_id = ?1",
            (chat, known),
        )

    def strays(self, chat: int, known: int) -> bool:
        """Whether a distinctive message that the known chat seems to lack is there under another name."""
        query = (
            f"SELECT 1 {_PAIRS} AND {_DISTINCTIVE.format('s')} AND {_MISSING.format('s', '?2')} "
            f"AND {_PERSON.format('e')} <> {_PERSON.format('f')} LIMIT 1"
        )
        return self._connection.execute(query, (chat, known)).fetchone() is not None

    def likeness(self, chat: int, known: int, *, distinctive: bool = True) -> ChatOverlap:
        """Compare two chats by their distinctive messages, or by all."""
        run = self._connection.execute
        extra = f"AND {_DISTINCTIVE.format('s')}" if distinctive else ""
        query = (
            f"SELECT {_PERSON.format('e')}, {_PERSON.format('f')}, COUNT(DISTINCT s.id), "
            f"COUNT(DISTINCT k.id) {_PAIRS} {extra} {_IN_PAGE} GROUP BY 1, 2"
        )
        pairs = Counter[tuple[int, int]]()
        for after, until in self._pages(chat):
            for mine, theirs, one, other in run(query, (chat, known, after, until)):
                pairs[mine, theirs] += min(one, other)
        if not pairs:
            return ChatOverlap(pairs, {}, {})
        texts = self._connection.number(
            f"SELECT COUNT(DISTINCT text) FROM (SELECT s.text AS text {_PAIRS} {extra} LIMIT {_ENOUGH}) AS t",
            (chat, known),
        )
        said = self._said(chat, known, distinctive=distinctive)
        return ChatOverlap(pairs, said, self._said(known, chat, distinctive=distinctive), texts)

    def _said(self, chat: int, other: int, *, distinctive: bool) -> dict[int, int]:
        """How many messages each person sent in a chat in the time that another one is about too."""
        extra = f"AND {_DISTINCTIVE.format('s')}" if distinctive else ""
        limits = "SELECT MIN(sent_utc), MAX(sent_utc) FROM messages WHERE chat_id = ?"
        since, until = self._connection.execute(limits, (other,)).fetchone()
        return dict(
            self._connection.execute(
                f"SELECT {_PERSON.format('e')}, COUNT(*) FROM messages s "
                "JOIN entities e ON e.id = s.sender_id "
                f"WHERE s.chat_id = ? AND s.sent_utc BETWEEN ? AND ? AND {_COMPARED.format('s')} {extra} "
                "GROUP BY 1",
                (chat, since, until),
            )
        )

    def alone_elsewhere(self, person: int, other: int, chat: int) -> bool:
        """Whether ``person`` writes in another chat than ``chat`` that shares no message with ``other``."""
        query = (
            "SELECT DISTINCT chat_id FROM messages WHERE sender_id IN "
            f"(SELECT e.id FROM entities e WHERE {_PERSON.format('e')} = ?1) AND chat_id <> ?2"
        )
        chats = self._connection.column(query, (person, chat))
        return any(not self._said_by_both(place, person, other) for place in chats)

    def _said_by_both(self, chat: int, person: int, other: int) -> bool:
        query = (
            "SELECT 1 FROM messages s JOIN entities e ON e.id = s.sender_id "
            "CROSS JOIN messages k ON k.sent_utc = s.sent_utc "
            "AND k.chat_id <> s.chat_id JOIN entities f ON f.id = k.sender_id "
            f"WHERE s.chat_id = ?1 AND {_PERSON.format('e')} = ?2 AND {_PERSON.format('f')} = ?3 "
            f"AND k.text = s.text AND {_DISTINCTIVE.format('s')} AND {_COMPARED.format('s')} LIMIT 1"
        )
        return self._connection.execute(query, (chat, person, other)).fetchone() is not None

    # --- writing, inside a transaction ---------------------------------------------------------------

    def join_names(self, chat: int, known: int) -> None:
        """Give what one person sent under two names the fingerprint that the known chat has for it."""
        if not self._several_names(chat):
            return
        for after, until in self._pages(chat):
            self._connection.execute(_SAME_PERSON, (chat, known, after, until))

    def _pages(self, chat: int) -> Iterator[tuple[str, str]]:
        """Parts of a chat by time, after which and until when: what is compared takes no more memory."""
        after = ""
        while after != "~":
            until = self._connection.value(
                "SELECT sent_at FROM messages WHERE chat_id = ?1 AND sent_at > ?2 "
                "ORDER BY sent_at LIMIT 1 OFFSET ?3",
                (chat, after, _PAGE),
            )
            yield after, until or "~"
            after = until or "~"

    def sent_by(self, chat: int, spellings: Sequence[int], spelling: int) -> None:
        """Say that what was sent in a chat by some spellings was sent by another one."""
        self._connection.execute(
            f"UPDATE messages SET sender_id = ? WHERE chat_id = ? AND sender_id IN ({marks(spellings)})",
            (spelling, chat, *spellings),
        )

    def _several_names(self, chat: int) -> bool:
        """Whether somebody who writes in a chat has several names, there or elsewhere, or was renamed."""
        query = (
            "SELECT 1 FROM entities e WHERE e.id IN (SELECT sender_id FROM messages WHERE chat_id = ?) "
            "AND (e.same_as IS NOT NULL OR e.origin = 'user' "
            "OR EXISTS (SELECT 1 FROM entities o WHERE o.same_as = e.id)) LIMIT 1"
        )
        return self._connection.execute(query, (chat,)).fetchone() is not None

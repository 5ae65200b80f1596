"""Finds messages of an exported chat that are other versions of messages of a known chat.

A message keeps its id and its place when it is edited or deleted, and an export shows its latest
version. Which of two versions stays does not depend on the order of imports: deleted wins over edited,
and edited over unchanged; then the one edited last; then the one with more reactions. Of a photo or
file, the version that names it stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from minirag_chat.records import MADE_UP
from minirag_chat.store.media import PLACE
from minirag_chat.store.rows import span
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import Tables
from minirag_chat.store.wiping import Wiping

_VERSION = (
    "{0}.deleted, {0}.edited, {0}.edited_at, LENGTH(COALESCE({0}.reactions, '')), "
    "COALESCE({0}.reactions, ''), {0}.text, (SELECT p.name FROM entities e "
    "JOIN entities p ON p.id = COALESCE(e.same_as, e.id) WHERE e.id = {0}.sender_id)"
)
_NEWER = f"({_VERSION.format('s')}) > ({_VERSION.format('k')})"

# Both chats have just one message of this id, sent at this instant.
_SAME_ID = f"""
INSERT INTO temp.versions
SELECT known, other, newer FROM (
  SELECT k.id AS known, s.id AS other, {_NEWER} AS newer, COUNT(*) OVER (PARTITION BY s.source_id) AS times
  FROM messages s
  CROSS JOIN messages k ON k.chat_id = ?2 AND k.source_id = s.source_id AND k.sent_utc = s.sent_utc
  WHERE s.chat_id = ?1 AND SUBSTR(s.source_id, 1, 1) <> '{MADE_UP}'
) AS pairs WHERE times = 1
"""

# Without ids: one sender (under any name) has, at one time, exactly one message in each chat that the other
# chat lacks, and one of the two says that it was edited or deleted. Both chats go on before and after, so
# that neither export was cut at this time.
_SAME_PLACE = f"""
INSERT INTO temp.versions
WITH shared(since, until) AS (
  SELECT MAX(since), MIN(until) FROM (
    SELECT {span("?1")} UNION ALL SELECT {span("?2")}) AS each_chat
), changed(sent_at, person) AS (
  SELECT m.sent_at, COALESCE(e.same_as, e.id) FROM messages m JOIN entities e ON e.id = m.sender_id, shared
  WHERE m.chat_id IN (?1, ?2) AND (m.edited OR m.deleted) AND m.source_id IS NULL
  AND m.sent_at > shared.since AND m.sent_at < shared.until
  GROUP BY 1, 2
), lone(id, chat_id, sent_at, person) AS (
  SELECT m.id, m.chat_id, m.sent_at, c.person FROM changed c
  CROSS JOIN messages m ON m.chat_id IN (?1, ?2) AND m.sent_at = c.sent_at
  JOIN entities e ON e.id = m.sender_id AND COALESCE(e.same_as, e.id) = c.person
  WHERE m.source_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM messages o WHERE o.fingerprint = m.fingerprint AND o.chat_id IN (?1, ?2)
    AND o.chat_id <> m.chat_id)
)
SELECT known, other, newer FROM (
  SELECT k.id AS known, s.id AS other, {_NEWER} AS newer,
    COUNT(*) OVER (PARTITION BY l.sent_at, l.person) AS times
  FROM lone l JOIN messages s ON s.id = l.id
  JOIN lone m ON m.chat_id = ?2 AND m.sent_at = l.sent_at AND m.person = l.person
  JOIN messages k ON k.id = m.id
  WHERE l.chat_id = ?1 AND (s.edited OR s.deleted OR k.edited OR k.deleted)
) AS pairs WHERE times = 1
"""

# Files that only one of the two exports names, or that each names otherwise: of those that someone sent
# at one time both chats have as many that the other lacks. They are the same, in order.
_FILE = "{0}.attachments IS NOT NULL AND {0}.source_id IS NULL AND NOT {0}.deleted"
_NAMED = (
    """CASE WHEN m.attachments LIKE '[["", "media"]%' THEN 0 WHEN m.attachments LIKE '[["", %' THEN 1 """
    "ELSE 2 END"
)
_GROUP = "PARTITION BY m.chat_id, m.sent_at, COALESCE(e.same_as, e.id), m.kind"
_SAME_FILE = f"""
INSERT INTO temp.versions
WITH times(sent_at) AS (
  SELECT DISTINCT m.sent_at FROM messages m WHERE m.chat_id = ?1 AND {_FILE.format("m")}
), lone(id, chat_id, sent_at, person, kind, named, place, times) AS (
  SELECT m.id, m.chat_id, m.sent_at, COALESCE(e.same_as, e.id), m.kind, {_NAMED},
    ROW_NUMBER() OVER ({_GROUP} ORDER BY m.id), COUNT(*) OVER ({_GROUP})
  FROM times t CROSS JOIN messages m ON m.chat_id IN (?1, ?2) AND m.sent_at = t.sent_at
  JOIN entities e ON e.id = m.sender_id
  WHERE {_FILE.format("m")} AND NOT EXISTS (
    SELECT 1 FROM messages o WHERE o.fingerprint = m.fingerprint AND o.chat_id IN (?1, ?2)
    AND o.chat_id <> m.chat_id)
  AND m.id NOT IN (SELECT known FROM temp.versions UNION ALL SELECT other FROM temp.versions)
)
SELECT MAX(id) FILTER (WHERE chat_id = ?2), MAX(id) FILTER (WHERE chat_id = ?1),
  MAX(named) FILTER (WHERE chat_id = ?1) > MAX(named) FILTER (WHERE chat_id = ?2)
FROM lone GROUP BY sent_at, person, kind, place HAVING COUNT(*) = 2 AND MIN(times) = MAX(times)
"""

# The last message of a text export whose file was cut off, or was still being written: the other chat has
# all of it. Its end is missing, or the beginning of the next message's line was taken for its last line.
_LAST = (
    "SELECT * FROM (SELECT id FROM messages WHERE chat_id = {0} ORDER BY sent_at DESC, id DESC LIMIT 1) "
    "AS {1}"
)
_ALONE = (
    "{0}.source_id IS NULL AND NOT {0}.deleted AND {0}.id NOT IN (SELECT known FROM temp.versions "
    "UNION ALL SELECT other FROM temp.versions) AND NOT EXISTS (SELECT 1 FROM messages o "
    "WHERE o.fingerprint = {0}.fingerprint AND o.chat_id IN (?1, ?2) AND o.chat_id <> {0}.chat_id)"
)
_CUT_OFF = f"""
INSERT INTO temp.versions
WITH cut(id, chat_id, sent_at, person, whole, text) AS (
  SELECT m.id, m.chat_id, m.sent_at, COALESCE(e.same_as, e.id), m.text, RTRIM(m.text, '\ufffd')
  FROM messages m JOIN entities e ON e.id = m.sender_id
  WHERE m.id IN ({_LAST.format("?1", "x")} UNION ALL {_LAST.format("?2", "y")})
  AND m.attachments IS NULL AND {_ALONE.format("m")}
)
SELECT MIN(CASE WHEN cut.chat_id = ?2 THEN cut.id ELSE m.id END),
  MIN(CASE WHEN cut.chat_id = ?2 THEN m.id ELSE cut.id END), cut.chat_id = ?2
FROM cut JOIN messages m ON m.chat_id IN (?1, ?2) AND m.chat_id <> cut.chat_id AND m.sent_at = cut.sent_at
JOIN entities e ON e.id = m.sender_id AND COALESCE(e.same_as, e.id) = cut.person
WHERE {_ALONE.format("m")} AND cut.text <> '' AND m.text <> '' AND (
  SUBSTR(m.text, 1, LENGTH(cut.text)) = cut.text OR (
    SUBSTR(cut.whole, 1, LENGTH(m.text) + 1) = m.text || '\n'
    AND EXISTS (
      SELECT 1 FROM messages o WHERE o.chat_id = m.chat_id AND o.id > m.id AND o.sent_at >= m.sent_at)
))
GROUP BY cut.id, cut.chat_id HAVING COUNT(*) = 1
ON CONFLICT DO NOTHING
"""

# What one person sent at one time, with a mention: a name that each phone writes as its contacts have it.
_MENTIONING = f"""
SELECT k.id, s.id, k.text, s.text FROM messages s JOIN entities e ON e.id = s.sender_id
CROSS JOIN messages k ON k.chat_id = ?2 AND k.sent_at = s.sent_at
JOIN entities f ON f.id = k.sender_id AND COALESCE(f.same_as, f.id) = COALESCE(e.same_as, e.id)
WHERE s.chat_id = ?1 AND s.text LIKE '%@%' AND k.text LIKE '%@%'
AND {_ALONE.format("s")} AND {_ALONE.format("k")} ORDER BY s.id, k.id
"""
_LONGEST_NAME = 40  # characters of a mention

_CONTENT = "{0}.text, {0}.forwarded_from, {0}.attachments, {0}.reactions"
_UNLIKE = f"""
SELECT 1 FROM temp.versions v JOIN messages k ON k.id = v.known JOIN messages s ON s.id = v.other
WHERE ({_CONTENT.format("k")}) IS NOT ({_CONTENT.format("s")}) LIMIT 1
"""

_KEPT = (
    "sender_id, text, kind, reply_to, edited, edited_at, forwarded_from, deleted, attachments, "
    "reactions, fingerprint, heard"
)
_FINGERPRINT = 1 + _KEPT.split(", ").index("fingerprint")


# What was read in a message's files stays with them: a later version that only has other reactions keeps
# it, one of other words or files does not.
_SAME_FILES = """
UPDATE messages SET heard = k.heard FROM temp.versions v JOIN messages k ON k.id = v.known
WHERE v.newer AND messages.id = v.other AND k.heard IS NOT NULL AND NOT messages.deleted
AND k.text = messages.text AND k.attachments IS messages.attachments
"""
_OTHER_FILES = """
DELETE FROM media WHERE message_id IN (SELECT v.known FROM temp.versions v
  JOIN messages k ON k.id = v.known JOIN messages s ON s.id = v.other
  WHERE v.newer AND (s.deleted OR k.text <> s.text OR k.attachments IS NOT s.attachments))
"""
_PLACES = f"""
INSERT INTO media (message_id, position, path, member, kind)
SELECT v.known, d.position, d.path, d.member, d.kind FROM temp.versions v
JOIN media d ON d.message_id = v.other WHERE true {PLACE}
"""


class VersionTables(Tables):
    """Finds the versions of messages in two chats, and keeps the later one."""

    def __init__(self, connection: Sql, wiping: Wiping) -> None:
        super().__init__(connection)
        self._wiping = wiping

    def find(self, chat: int, known: int) -> None:
        """Remember which messages of an exported chat are versions of those of a known one."""
        run = self._connection.execute
        run("DROP TABLE IF EXISTS temp.versions")
        run("CREATE TEMP TABLE versions (known INTEGER PRIMARY KEY, other INTEGER, newer BOOLEAN)")
        run(_SAME_ID, (chat, known))
        run(_SAME_PLACE, (chat, known))
        run(_SAME_FILE, (chat, known))
        run(_CUT_OFF, (chat, known))
        taken: set[int] = set()
        for there, here, known_text, text in run(_MENTIONING, (chat, known)).fetchall():
            if not taken & {there, here} and (names := _other_names(known_text, text)):
                taken |= {there, here}
                newer = any(_is_number(old) and not _is_number(new) for old, new in names)
                run("INSERT INTO temp.versions VALUES (?, ?, ?)", (there, here, newer))

    def sessions(self) -> Sequence[int]:
        """The sessions of messages that a later version replaces."""
        return self._connection.column(
            "SELECT DISTINCT m.session_id FROM temp.versions v JOIN messages m ON m.id = v.known "
            "WHERE v.newer AND m.session_id IS NOT NULL"
        )

    def keep_later(self) -> int:
        """Replace known versions by later ones and delete the others; returns how many were replaced.

        The sessions of replaced messages must have been dropped.
        """
        run = self._connection.execute
        if run(_UNLIKE).fetchone():
            self._wiping.request()  # the words of the replaced version must be wiped
        run(_SAME_FILES)
        run(_OTHER_FILES)
        run(_PLACES)
        later = run(
            f"SELECT v.known, {_KEPT} FROM temp.versions v JOIN messages s ON s.id = v.other "
            "WHERE v.newer"
        ).fetchall()
        run("DELETE FROM messages WHERE id IN (SELECT other FROM temp.versions)")
        columns = ", ".join(f"{name} = ?" for name in _KEPT.split(", "))
        self._connection.executemany(
            f"UPDATE messages SET {columns} WHERE id = ? AND NOT EXISTS (SELECT 1 FROM messages o "
            "WHERE o.chat_id = messages.chat_id AND o.fingerprint = ? AND o.id <> messages.id)",
            [(*row[1:], row[0], row[_FINGERPRINT]) for row in later],
        )
        run("DROP TABLE temp.versions")
        return len(later)


def _other_names(one: str, other: str) -> list[tuple[str, str]]:
    """The names that two texts mention in the same places, if they differ in nothing else."""
    pairs = [*zip(one.split("@"), other.split("@"), strict=False)]
    if one.count("@") != other.count("@") or pairs[0][0] != pairs[0][1]:
        return []
    names = []
    for this, that in pairs[1:]:
        ends = zip(reversed(this), reversed(that), strict=False)
        behind = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], ends))
        names.append((this[: len(this) - behind], that[: len(that) - behind]))
    longest = max(len(name) for pair in names for name in pair)
    return names if longest <= _LONGEST_NAME and "\n" not in "".join(map("".join, names)) else []


def _is_number(name: str) -> bool:
    return name.lstrip("+")[:1].isdigit()

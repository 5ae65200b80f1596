"""Deleting messages: what they touch, and how their rows leave the tables and come back."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from minirag_chat.names import spelling_key
from minirag_chat.records import Chat
from minirag_chat.store.cache import Cache
from minirag_chat.store.full_text import FullText
from minirag_chat.store.rows import Row, in_parts, marks, moment
from minirag_chat.store.sql import OWNER, Sql, truth
from minirag_chat.store.tables import CachedTables
from minirag_chat.store.text import terms

CHOSEN = "(SELECT id FROM temp.chosen)"
_LEFT = f"(SELECT sender_id FROM messages WHERE id NOT IN {CHOSEN})"
# Spellings whose messages are all chosen, except the main spelling of somebody who has others that stay.
_GONE = (
    f"SELECT DISTINCT sender_id FROM messages WHERE id IN {CHOSEN} AND sender_id NOT IN {_LEFT} "
    "AND sender_id NOT IN (SELECT COALESCE(same_as, 0) FROM entities "
    f"WHERE id IN {_LEFT})"
)
_COLUMNS = {
    "entities": frozenset(("id", "type", "key", "name", "same_as", "origin", "via")),
    "chats": frozenset(("id", "platform", "key", "title", "kind", "time_zone")),
    "messages": frozenset((
        "id", "chat_id", "sender_id", "sent_at", "sent_utc", "text", "kind", "session_key",
        "source_id", "reply_to", "edited", "forwarded_from", "fingerprint", "deleted",
        "attachments", "reactions", "edited_at", "heard",
    )),
    "media": frozenset(("message_id", "position", "path", "member", "kind", "state", "problem")),
}  # fmt: skip


class ForgettingTables(CachedTables):
    """Reads and writes the rows of the messages that are chosen."""

    def __init__(self, connection: Sql, cache: Cache, text: FullText) -> None:
        super().__init__(connection, cache)
        self._text = text

    def choose(self, messages: Iterable[int]) -> None:
        """Choose the messages that the following calls are about."""
        run = self._connection.execute
        run("CREATE TEMP TABLE IF NOT EXISTS chosen (id INTEGER PRIMARY KEY)")
        with self._cache.unmoved():
            run("DELETE FROM temp.chosen")
            self._connection.executemany(
                "INSERT INTO temp.chosen VALUES (?) ON CONFLICT DO NOTHING",
                ((message,) for message in messages),
            )

    # --- what they touch -------------------------------------------------------------------------------

    def all_ids(self) -> list[int]:
        """All messages."""
        return self._connection.column("SELECT id FROM messages ORDER BY id")

    def extent(self) -> tuple[int, datetime | None, datetime | None]:
        """How many there are, and when the first and the last was sent."""
        count, first, last = self._connection.execute(
            f"SELECT COUNT(*), MIN(sent_at), MAX(sent_at) FROM messages WHERE id IN {CHOSEN}"
        ).fetchone()
        return int(count), moment(first), moment(last)

    def chats(self) -> dict[int, bool]:
        """The chats that they are in, and whether all messages of each are chosen."""
        return {
            row[0]: not row[1]
            for row in self._connection.execute(
                f"SELECT c.chat_id, EXISTS (SELECT 1 FROM messages m WHERE m.chat_id = c.chat_id "
                f"AND m.id NOT IN {CHOSEN}) FROM "
                f"(SELECT DISTINCT chat_id FROM messages WHERE id IN {CHOSEN}) c"
            )
        }

    def sessions(self) -> list[int]:
        """The sessions that contain them, a reply to them, or a mention of a sender who is deleted."""
        found = self._connection.column(
            f"SELECT session_id FROM messages WHERE id IN {CHOSEN} "
            "UNION SELECT c.session_id FROM chunk_messages k JOIN chunks c ON c.id = k.chunk_id "
            f"WHERE k.message_id IN {CHOSEN} "
            "UNION SELECT m.session_id FROM mentions n JOIN messages m ON m.id = n.message_id "
            f"WHERE n.entity_id IN ({_GONE})"
        )
        return [session for session in found if session is not None]

    def outside(self, sessions: Sequence[int], chats: Collection[int]) -> list[int]:
        """Those of the sessions that are in other chats."""
        return [
            session
            for part in in_parts(sessions)
            for session, chat in self._connection.execute(
                f"SELECT id, chat_id FROM sessions WHERE id IN ({marks(part)})", part
            )
            if chat not in chats
        ]

    def chats_of(self, sessions: Sequence[int]) -> list[int]:
        """The chats of sessions."""
        return self._connection.column(
            f"SELECT DISTINCT chat_id FROM sessions WHERE id IN ({marks(sessions)}) ORDER BY 1",
            tuple(sessions),
        )

    def gone(self) -> list[int]:
        """The sender names that no remaining message uses."""
        return self._connection.column(_GONE)

    # --- their rows --------------------------------------------------------------------------------------

    def message_rows(self) -> Iterator[Row]:
        """The messages as they are stored, but for their session."""
        return self.all_rows(f"WHERE id IN {CHOSEN}")

    def all_rows(self, where: str = "") -> Iterator[Row]:
        """All messages as they are stored, but for their session, or those of a clause of ours."""
        for row in self._each(f"SELECT * FROM messages {where} ORDER BY id"):
            del row["session_id"]
            yield row

    def chat_rows(self, chats: Collection[int] | None = None) -> list[Row]:
        """Chats as they are stored; None: all."""
        if chats is None:
            return self._rows("SELECT * FROM chats")
        return self._rows(f"SELECT * FROM chats WHERE id IN ({marks(chats)})", tuple(chats))

    def spelling_rows(self, person: int) -> list[Row]:
        """All spellings of a person."""
        return self._rows("SELECT * FROM entities WHERE COALESCE(same_as, id) = ?", (person,))

    def called_rows(self) -> list[Row]:
        """The spellings of senders, and their main spellings."""
        writers = "(SELECT sender_id FROM messages)"
        return self._rows(
            f"SELECT * FROM entities WHERE id IN {writers} "
            f"OR id IN (SELECT same_as FROM entities WHERE id IN {writers})"
        )

    def own_words(self) -> list[str]:
        """What the program itself writes into the file: its tables, kinds, settings and models."""
        said = self._connection.column(
            "SELECT key FROM meta UNION SELECT value FROM meta WHERE key = 'embedder' "
            "UNION SELECT type FROM entities "
            "UNION SELECT kind FROM messages UNION SELECT model FROM slm_readings "
            "UNION SELECT kind FROM summaries UNION SELECT kind FROM deletions "
            "UNION SELECT platform || ' ' || COALESCE(key, '') || ' ' || COALESCE(time_zone, '') "
            "|| ' ' || COALESCE(kind, '') FROM chats "
            "UNION SELECT COALESCE(source_id, '') || ' ' || COALESCE(reply_to, '') || ' ' "
            "|| COALESCE(session_key, '') FROM messages "
            "UNION SELECT path || ' ' || member FROM media"
        )
        return [*self._connection.own_names(), *map(str, said), *Chat.__slots__]

    def gone_rows(self) -> list[Row]:
        """The spellings that are unused once the messages are deleted."""
        return self._rows(f"SELECT * FROM entities WHERE id IN ({_GONE})")

    def sender_rows(self) -> list[Row]:
        """Who wrote them, with all other spellings of the same people."""
        people = (
            "SELECT COALESCE(e.same_as, e.id) FROM messages m JOIN entities e ON e.id = m.sender_id "
            f"WHERE m.id IN {CHOSEN}"
        )
        return self._rows(
            f"SELECT * FROM entities WHERE COALESCE(same_as, id) IN ({people}) "
            "ORDER BY same_as IS NOT NULL, id"
        )

    def extraction_rows(self) -> list[Row]:
        """What models read in them; each row with the ids of its messages."""
        rows = self._rows(
            "SELECT * FROM slm_readings WHERE id IN (SELECT reading_id FROM slm_reading_messages "
            f"WHERE message_id IN {CHOSEN})"
        )
        for row in rows:
            row["messages"] = self._connection.column(
                "SELECT message_id FROM slm_reading_messages WHERE reading_id = ?", (row["id"],)
            )
        return rows

    def media_rows(self) -> list[Row]:
        """The places of their files."""
        return self._rows(f"SELECT * FROM media WHERE message_id IN {CHOSEN}")

    def keys_of(self, people: Collection[int]) -> frozenset[str]:
        """The keys of all spellings of people."""
        rows = self._connection.execute(
            f"SELECT key FROM entities WHERE COALESCE(same_as, id) IN ({marks(people)})",
            tuple(people),
        )
        return frozenset(row[0] for row in rows)

    def reaction_rows(self, people: Collection[int]) -> list[Row]:
        """``id`` and ``reactions`` of the messages of others that these people reacted to."""
        keys = self.keys_of(people)
        if not keys:
            return []
        rows = self._rows(
            f"SELECT id, reactions FROM messages WHERE reactions IS NOT NULL AND id NOT IN {CHOSEN}"
        )
        return [
            row
            for row in rows
            if any(spelling_key(who) in keys for _emoji, who in json.loads(row["reactions"]))
        ]

    # --- deleting and restoring, inside a transaction ------------------------------------------------------

    def delete(self, chats: Iterable[int]) -> None:
        """Delete the messages, and chats that are left empty; their sessions must have gone."""
        gone = [(i,) for i in self.gone()]
        run = self._connection.execute
        run(f"DELETE FROM messages WHERE id IN {CHOSEN}")
        self._connection.executemany("DELETE FROM chats WHERE id = ?", [(c,) for c in chats])
        self._connection.executemany("UPDATE entities SET same_as = NULL WHERE same_as = ?", gone)
        self._connection.executemany("DELETE FROM entities WHERE id = ?", gone)

    def update(self, source: str, rows: Iterable[Row]) -> None:
        """Give rows of a table other values, where they are there."""
        for row in rows:
            _check(source, row)
            changes = ", ".join(f"{name} = :{name}" for name in row if name != "id")
            self._connection.execute(
                f"UPDATE {source} SET {changes} WHERE id = :id", _with_booleans(row)
            )

    def insert(self, source: str, rows: Iterable[Row]) -> None:
        """Put rows back into a table, where they are not there."""
        for row in rows:
            _check(source, row)
            names = ", ".join(row)
            values = ", ".join(f":{name}" for name in row)
            self._connection.execute(
                f"INSERT INTO {source} ({names}) VALUES ({values}) ON CONFLICT DO NOTHING",
                _with_booleans(row),
            )

    def insert_extractions(self, rows: Iterable[Row]) -> list[str]:
        """Put extractions back, not active yet; returns the models of those that were active."""
        models: dict[str, None] = {}
        for row in rows:
            new = self._connection.insert(
                "INSERT INTO slm_readings (hash, model, text, seconds, active) "
                "VALUES (?, ?, ?, ?, FALSE) ON CONFLICT DO NOTHING",
                (row["hash"], row["model"], row["text"], row["seconds"]),
            )
            if new is not None:
                self._connection.executemany(
                    "INSERT INTO slm_reading_messages SELECT ?1, id FROM messages WHERE id = ?2 "
                    "ON CONFLICT DO NOTHING",
                    [(new, message) for message in row["messages"]],
                )
            if row["active"]:
                models[row["model"]] = None
        return list(models)

    def missing_people(self, rows: Sequence[Row]) -> list[Row]:
        """Those of the spellings that are not there."""
        known = self._connection.number
        return [
            row for row in rows if not known("SELECT 1 FROM entities WHERE id = ?", (row["id"],))
        ]

    def insert_people(self, rows: Sequence[Row], kept: Collection[int] = ()) -> dict[int, int]:
        """Put spellings back, where they are not there; returns what number each has now.

        ``kept`` are the numbers of spellings that stayed, of which these may be others.
        """
        new = self.missing_people(rows)
        self.insert("entities", ({**row, "same_as": None} for row in new))
        numbers = {}
        for row in rows:
            numbers[int(row["id"])] = self._connection.number(
                "SELECT id FROM entities WHERE id = ?1 UNION ALL "
                "SELECT id FROM entities WHERE type = ?2 AND key = ?3 LIMIT 1",
                (row["id"], row["type"], row["key"]),
            )
        for row in new:
            same = row["same_as"] or 0
            head = same if same in kept else numbers.get(same)
            if head is not None and numbers[row["id"]] == row["id"]:
                self._connection.execute(
                    "UPDATE entities SET same_as = ? WHERE id = ?", (head, row["id"])
                )
        return numbers

    def sessions_saying(self, names: Iterable[str]) -> list[int]:
        """The sessions with a message that has a word of one of the names."""
        words = list(dict.fromkeys(word for name in names for word in terms(name)))
        found: set[int] = set()
        for start in range(0, len(words), 50):
            found |= self._text.sessions_with(words[start : start + 50])
        return sorted(found)

    def forget_extractions(self) -> None:
        """Forget what models read in the messages."""
        self._connection.execute(
            "DELETE FROM slm_readings WHERE id IN (SELECT reading_id FROM slm_reading_messages "
            f"WHERE message_id IN {CHOSEN})"
        )

    def drop_spellings(self, spellings: Sequence[int], person: int) -> None:
        """Delete spellings of a person, whose messages are the person's by now."""
        run = self._connection.executemany
        run("UPDATE entities SET same_as = NULL WHERE same_as = ?", [(i,) for i in spellings])
        moved = [(person, i) for i in spellings]
        run(
            "UPDATE mentions SET entity_id = ?1 WHERE entity_id = ?2 AND NOT EXISTS ("
            "SELECT 1 FROM mentions k WHERE k.entity_id = ?1 "
            "AND k.message_id = mentions.message_id AND k.start = mentions.start)",
            moved,
        )
        run("DELETE FROM mentions WHERE entity_id = ?", [(i,) for i in spellings])
        run("DELETE FROM entities WHERE id = ?", [(i,) for i in spellings])

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        return list(self._each(query, values))

    def _each(self, query: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        cursor = self._connection.execute(query, values)
        names = [column[0] for column in cursor.description]
        for row in cursor:
            yield {n: value for n, value in zip(names, row, strict=True) if n != OWNER}


def _with_booleans(row: Row) -> Row:
    """The row with booleans: the trash of a database that was moved has 0 and 1."""
    return {k: truth(k, v) for k, v in row.items()}


def _check(source: str, row: Row) -> None:
    if not row.keys() <= _COLUMNS[source]:  # from the trash's JSON, and never input
        raise ValueError(f"the trash has no {source} with {', '.join(row)}")

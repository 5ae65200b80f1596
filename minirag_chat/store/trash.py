"""The trash: deleted or changed rows, kept until they are restored or wiped."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Literal

from minirag_chat.records import Chat, Deletion
from minirag_chat.store.rows import Row, in_parts, marks, moment
from minirag_chat.store.tables import Tables

Source = Literal["entities", "chats", "messages", "slm_readings", "meta", "media", "vectors"]


class TrashTables(Tables):
    """Reads and writes the trash only, not the tables of its rows."""

    def all(self) -> list[Deletion]:
        """The deletions in the trash, the latest first."""
        rows = self._connection.execute(
            "SELECT id, kind, what, deleted_at, messages, first, last, chats, titles FROM deletions "
            "ORDER BY id DESC"
        )
        return [
            Deletion(
                number=row[0],
                kind=row[1],
                what=row[2],
                deleted_at=datetime.fromisoformat(row[3]),
                messages=row[4],
                first=moment(row[5]),
                last=moment(row[6]),
                whole=tuple(_chat(chat) for chat in json.loads(row[7])),
                chats=tuple(json.loads(row[8])),
            )
            for row in rows
        ]

    def texts(self, deletions: Iterable[int]) -> Iterator[Row]:
        """The deleted or earlier texts of messages, chats and people."""
        for number in deletions:
            rows = self._connection.execute(
                "SELECT row FROM deleted_rows WHERE deletion_id = ? "
                "AND source IN ('messages', 'chats', 'entities')",
                (number,),
            )
            yield from (_decoded(text) for (text,) in rows)

    def holds(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that are in the trash."""
        found: set[int] = set()
        for part in in_parts(tuple(messages)):
            found.update(
                self._connection.column(
                    "SELECT row_id FROM deleted_rows WHERE source = 'messages' AND NOT changed "
                    f"AND row_id IN ({marks(part)})",
                    part,
                )
            )
        return frozenset(found)

    def holder(self, messages: Iterable[int], but: int) -> int | None:
        """A deletion that holds one of the messages, and is not ``but``."""
        wanted = tuple(messages)
        found = self._connection.value(
            "SELECT deletion_id FROM deleted_rows WHERE source = 'messages' AND NOT changed "
            f"AND row_id IN ({marks(wanted)}) AND deletion_id <> ? LIMIT 1",
            (*wanted, but),
        )
        return None if found is None else int(found)

    def rows(self, number: int, source: Source) -> Iterator[tuple[Row, bool]]:
        """The rows of a deletion that are from a table, and whether each was only changed."""
        rows = self._connection.execute(
            "SELECT row, changed FROM deleted_rows WHERE deletion_id = ? AND source = ? ORDER BY id",
            (number, source),
        )
        return ((_decoded(row[0]), bool(row[1])) for row in rows.fetchall())

    # --- writing, inside a transaction ---------------------------------------------------------------

    def add(self, deletion: Deletion) -> int:
        """Begin a deletion; returns its number."""
        return self._connection.new(
            "INSERT INTO deletions (kind, what, deleted_at, messages, first, last, chats, titles) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                deletion.kind, deletion.what, now().isoformat(), deletion.messages,
                _text(deletion.first), _text(deletion.last),
                json.dumps([_plain(chat) for chat in deletion.whole], ensure_ascii=False),
                json.dumps(deletion.chats, ensure_ascii=False),
            ),
        )  # fmt: skip

    def keep(
        self, number: int, source: Source, rows: Iterable[Row], *, changed: bool = False
    ) -> None:
        """Keep rows of a table, each with its ``id``."""
        self._connection.executemany(
            "INSERT INTO deleted_rows (deletion_id, source, row_id, changed, row) "
            "VALUES (?, ?, ?, ?, ?)",
            ((number, source, row.get("id", 0), changed, _encoded(row)) for row in rows),
        )

    def forget_chosen(self, chats: Collection[int], people: Collection[int]) -> list[Row]:
        """Drop what earlier deletions keep of the chosen messages, which are being deleted for good.

        Dropped are replacements of the names of ``people`` who wrote nothing else, the values of messages and
        of their ``chats`` before a change, what a model read in them, and all vectors, as these are not tied
        to messages. Returns the names and values.
        """
        names = self._replacements_of(people)
        rows = list(self.texts(names))
        self.drop(names)
        run = self._connection.execute
        chosen = set(self._connection.column("SELECT id FROM temp.chosen"))
        kept = run(
            "SELECT id, deletion_id, source, row_id, row FROM deleted_rows WHERE source = 'slm_readings' "
            "OR (changed AND source IN ('messages', 'chats'))"
        ).fetchall()
        dropped = []
        for identity, deletion, source, row_id, text in kept:
            row = _decoded(text)
            about = {"messages": chosen, "chats": chats}.get(source, ())
            if row_id in about or not chosen.isdisjoint(row.get("messages", ())):
                dropped.append((identity,))
                rows += [row] if source != "slm_readings" else []
                if source == "chats":
                    self._forget_title(deletion, row.get("title"))
        self._connection.executemany("DELETE FROM deleted_rows WHERE id = ?", dropped)
        run("DELETE FROM deleted_rows WHERE source = 'vectors'")
        return rows

    def _forget_title(self, deletion: int, title: str | None) -> None:
        """Remove a chat's title from those of a deletion."""
        titles = self._connection.value("SELECT titles FROM deletions WHERE id = ?", (deletion,))
        left = [other for other in json.loads(titles) if other != title]
        self._connection.execute(
            "UPDATE deletions SET titles = ? WHERE id = ?",
            (json.dumps(left, ensure_ascii=False), deletion),
        )

    def _replacements_of(self, people: Collection[int]) -> list[int]:
        """The replacements of people's names, but for people whom another deletion may bring back."""
        rows = self._connection.execute(
            "SELECT deletion_id, row_id FROM deleted_rows r WHERE source = 'entities' AND changed "
            "AND NOT EXISTS (SELECT 1 FROM deleted_rows o "
            "WHERE o.source = 'entities' AND NOT o.changed AND o.row_id = r.row_id)"
        )
        return [deletion for deletion, person in rows.fetchall() if person in people]

    def newest(self) -> int:
        """The number of the latest deletion; 0 if the trash is empty."""
        return self._connection.number("SELECT MAX(id) FROM deletions")

    def drop(self, numbers: Iterable[int]) -> None:
        """Remove deletions with their rows."""
        self._connection.executemany("DELETE FROM deletions WHERE id = ?", [(n,) for n in numbers])


def now() -> datetime:
    """The current time in the trash's format."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)


def _encoded(row: Row) -> str:
    plain = {k: {"bytes": v.hex()} if isinstance(v, bytes) else v for k, v in row.items()}
    return json.dumps(plain, ensure_ascii=False)


def _decoded(text: str) -> Row:
    row: Row = json.loads(text)
    return {k: bytes.fromhex(v["bytes"]) if isinstance(v, dict) else v for k, v in row.items()}


def _plain(chat: Chat) -> Row:
    return {**asdict(chat), "first": _text(chat.first), "last": _text(chat.last)}


def _chat(row: Row) -> Chat:
    times = {"first": moment(row["first"]), "last": moment(row["last"])}
    return Chat(**{**row, "participants": tuple(row["participants"]), **times})


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()

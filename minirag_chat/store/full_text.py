"""The full-text index of messages in SQLite (FTS5): positions of words, without a copy of the text."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from minirag_chat.store.arrays import Ids, arrays
from minirag_chat.store.sql import Sql
from minirag_chat.store.text import match_any

if TYPE_CHECKING:
    from minirag_chat.store.postgres.full_text import TsVectors

FULL_TEXT = "message_text"  # the table
PLACES = f"temp.{FULL_TEXT}_words"  # each word in it with its messages; see ``connection.py``
TOKENIZER = "porter unicode61 remove_diacritics 2"  # as the migrations name it
_LEAF = 0x1F << 31 | 1 << 36  # bits of a page's number that are 0 where it has terms
CONTINUES = 0x80  # the bit of a byte that is followed by another


FullText: TypeAlias = "Fts5 | TsVectors"
"""What a search asks of the full-text index. Words are tokens of ``TOKENIZER``."""


class Fts5:
    """SQLite's full-text index."""

    def __init__(self, connection: Sql) -> None:
        self._connection = connection

    def messages_with(self, token: str) -> Ids:
        """The messages with the token, sorted; each as often as it has the token."""
        (found,) = arrays(self._connection, ["doc"], f"FROM {PLACES} WHERE term = ?", (token,))
        return found

    def places(self, token: str) -> tuple[Ids, Ids]:
        """The same messages, and the position of each token in them, from 0."""
        messages, offsets = arrays(
            self._connection, ["doc", "offset"], f"FROM {PLACES} WHERE term = ?", (token,)
        )
        return messages, offsets

    def sizes(self) -> tuple[Ids, Ids]:
        """The ids of messages in order, and their numbers of words."""
        found = self._connection.execute(
            f"SELECT id, sz FROM {FULL_TEXT}_docsize ORDER BY id"
        ).fetchall()
        messages = np.fromiter((row[0] for row in found), np.int64, len(found))
        return messages, _varints(b"".join(row[1] for row in found))

    def sessions_with(self, words: Sequence[str]) -> set[int]:
        """The sessions of messages with one of the words."""
        rows = self._connection.execute(
            f"SELECT DISTINCT m.session_id FROM {FULL_TEXT} t JOIN messages m ON m.id = t.rowid "
            f"WHERE {FULL_TEXT} MATCH ? AND m.session_id IS NOT NULL",
            (match_any(list(words)),),
        )
        return {row[0] for row in rows}

    def terms(self) -> frozenset[str]:
        """All tokens that the index has, also of messages that were deleted.

        Terms are prefix-compressed in the pages, so a search of bytes would not find them.
        """
        rows = self._connection.execute(
            f"SELECT id, block FROM {FULL_TEXT}_data WHERE id >= 1 << 37"
        )
        found: set[str] = set()
        for number, block in rows:
            if not number & _LEAF:
                found.update(_terms(block))
        return frozenset(found)

    def merge(self) -> None:
        """Remove the remaining words of deleted messages."""
        self._connection.execute(f"INSERT INTO {FULL_TEXT} ({FULL_TEXT}) VALUES ('optimize')")

    def catch_up(self) -> None:
        """Nothing: triggers do it (migration 8)."""


class Tokenizer:
    """SQLite's tokenizer, used through a separate in-memory database."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute(
            f"CREATE VIRTUAL TABLE said USING fts5 (text, tokenize = '{TOKENIZER}')"
        )
        self._connection.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab (said, instance)")

    def each(self, texts: Iterable[str]) -> list[list[str]]:
        """The tokens of each text in order; most words are one token."""
        given = list(texts)
        found: list[list[str]] = [[] for _ in given]
        try:
            self._connection.executemany(
                "INSERT INTO said (rowid, text) VALUES (?, ?)", enumerate(given)
            )
            rows = self._connection.execute("SELECT doc, term FROM tokens ORDER BY doc, offset")
            for place, token in rows:
                found[place].append(token)
        finally:
            self._connection.rollback()
        return found


def _varints(block: bytes) -> Ids:
    """Parse a sequence of SQLite's variable-length integers: seven bits a byte, highest first."""
    found = np.frombuffer(block, dtype=np.uint8)
    last = np.flatnonzero(found < CONTINUES)
    first = np.concatenate(([0], last[:-1] + 1)) if len(last) else last
    behind = np.repeat(last, last - first + 1) - np.arange(len(found))
    return (
        np.add.reduceat((found & 0x7F).astype(np.int64) << (7 * behind), first)
        if len(last)
        else last
    )


def _terms(page: bytes) -> Iterator[str]:
    """The terms of a leaf: see "The FTS5 File Format" in fts5_index.c."""
    at = int.from_bytes(page[2:4], "big")  # position of the offsets of the terms
    place, before, first = 0, b"", True
    while at < len(page):
        step, at = _number(page, at)
        place += step
        start, kept = place, 0
        if not first:
            kept, start = _number(page, start)
        size, start = _number(page, start)
        before, first = before[:kept] + page[start : start + size], False
        yield before[1:].decode("utf-8", "replace")  # the first byte says which index


def _number(page: bytes, at: int) -> tuple[int, int]:
    """A varint, and the position behind it."""
    value = 0
    while page[at] & 0x80:
        value, at = value << 7 | page[at] & 0x7F, at + 1
    return value << 7 | page[at], at + 1

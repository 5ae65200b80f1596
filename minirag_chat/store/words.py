"""BM25 of every row of a full text at once, as SQLite's own ``bm25`` gives it.

SQLite hands out one row after another, and half of a history may have a name that a question names.
Here the places of each word come as one column (``fts5vocab``), and numpy computes for all rows.
"""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minirag_chat.store.arrays import Ids, arrays, places
from minirag_chat.store.cache import Cache
from minirag_chat.store.text import match_any, terms

TextTable = Literal["chunk_text", "session_text", "message_text"]
TABLES: tuple[TextTable, ...] = ("chunk_text", "session_text", "message_text")
TOKENIZER = "porter unicode61 remove_diacritics 2"  # as the migrations name it
K1, B = 1.2, 0.75  # as SQLite's bm25 has them
LEAST_WEIGHT = 1e-6  # of a word that stands in half of the rows
CONTINUES = 0x80  # the bit of a byte behind which there is more
COLUMNS = 2  # of a full text: people and text
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scored:
    """The rows of a full text that have a word of a question, in order, with their scores."""

    rows: Ids
    scores: Scores

    def of(self, rows: Ids) -> Scores:
        """The scores of rows, 0 for one that has no word; shape (len(rows),)."""
        place, there = places(rows, self.rows)
        found = np.zeros(len(rows))
        found[there] = self.scores[place[there]]
        return found

    def among(self, rows: Ids) -> Scored:
        """Only those of these rows, which come in order."""
        there = places(self.rows, rows)[1]
        return Scored(self.rows[there], self.scores[there])

    def best(self, count: int) -> dict[int, float]:
        """The best rows with their scores, best first; of equal ones the older first."""
        order = np.argsort(-self.scores, kind="stable")[:count]
        return dict(zip(self.rows[order].tolist(), self.scores[order].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many words each row of a full text has; rows in order."""

    rows: Ids
    words: Ids

    @property
    def mean(self) -> float:
        """The average."""
        return int(self.words.sum()) / len(self.rows)


class WordTables:
    """Reads the full texts."""

    def __init__(self, connection: sqlite3.Connection, cache: Cache) -> None:
        self._connection = connection
        self._cache = cache
        self._tokenizer = _Tokenizer()

    def bm25(self, table: TextTable, question: str) -> Scored:
        """BM25 scores, higher is better, of the rows with a word of the question."""
        words = terms(question)
        tokens = [self._tokenizer.tokens(word) for word in words]
        if any(len(found) > 1 for found in tokens):  # SQLite looks for them side by side
            return self._by_sqlite(table, words)
        found = [self._places(table, one[0]) for one in tokens if one]
        lengths = self._lengths(table)
        if not any(len(rows) for rows, _ in found):
            return Scored(np.zeros(0, dtype=np.int64), np.zeros(0))
        scores = np.zeros(len(lengths.rows))
        hit = np.zeros(len(lengths.rows), dtype=np.bool_)
        for rows, times in found:
            if len(rows):
                place = np.searchsorted(lengths.rows, rows)
                scores[place] += _weight(len(lengths.rows), len(rows)) * (
                    times * (K1 + 1.0)
                    / (times + K1 * (1 - B + B * lengths.words[place] / lengths.mean))
                )  # fmt: skip
                hit[place] = True
        return Scored(lengths.rows[hit], scores[hit])

    def _by_sqlite(self, table: TextTable, words: list[str]) -> Scored:
        found = self._connection.execute(
            f"SELECT rowid, -bm25({table}) FROM {table} WHERE {table} MATCH ? ORDER BY rowid",
            (match_any(words),),
        ).fetchall()
        return Scored(
            np.array([row[0] for row in found], dtype=np.int64),
            np.array([row[1] for row in found], dtype=np.float64),
        )

    def _places(self, table: TextTable, token: str) -> tuple[Ids, Ids]:
        """The rows with a token, in order, and how often each has it."""
        (found,) = arrays(
            self._connection, f"SELECT GROUP_CONCAT(doc) FROM temp.{table}_words WHERE term = ?", (token,)
        )  # fmt: skip
        first = np.flatnonzero(np.diff(found, prepend=-1))
        return found[first], np.diff(first, append=len(found))

    def _lengths(self, table: TextTable) -> Lengths:
        return self._cache.get(f"lengths {table}", lambda: self._read_lengths(table))

    def _read_lengths(self, table: TextTable) -> Lengths:
        found = self._connection.execute(
            f"SELECT id, sz FROM {table}_docsize ORDER BY id"
        ).fetchall()
        rows = np.fromiter((row[0] for row in found), np.int64, len(found))
        numbers = _varints(b"".join(row[1] for row in found))
        return Lengths(rows, numbers.reshape(len(found), COLUMNS).sum(axis=1))


class _Tokenizer:
    """SQLite's own tokenizer, asked in a database of its own."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute(
            f"CREATE VIRTUAL TABLE said USING fts5 (text, tokenize = '{TOKENIZER}')"
        )
        self._connection.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab (said, instance)")

    def tokens(self, word: str) -> list[str]:
        """The tokens of a word in order: mostly one."""
        try:
            self._connection.execute("INSERT INTO said VALUES (?)", (word,))
            rows = self._connection.execute("SELECT term FROM tokens ORDER BY offset").fetchall()
        finally:
            self._connection.rollback()
        return [row[0] for row in rows]


def _weight(rows: int, having: int) -> float:
    """The inverse document frequency of a word, as SQLite's bm25 has it."""
    weight = math.log((rows - having + 0.5) / (having + 0.5))
    return weight if weight > 0 else LEAST_WEIGHT


def _varints(block: bytes) -> Ids:
    """SQLite's variable-length integers, one behind the other: seven bits a byte, highest first."""
    found = np.frombuffer(block, dtype=np.uint8)
    last = np.flatnonzero(found < CONTINUES)
    first = np.concatenate(([0], last[:-1] + 1)) if len(last) else last
    behind = np.repeat(last, last - first + 1) - np.arange(len(found))
    return (
        np.add.reduceat((found & 0x7F).astype(np.int64) << (7 * behind), first)
        if len(last)
        else last
    )

"""What the full-text index knows: the stems that it makes of words, and all that are in its pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from minirag_chat.store.words import FULL_TEXT, TOKENIZER

_LEAF = 0x1F << 31 | 1 << 36  # bits of a page's number that are 0 where it has terms


def stems(connection: sqlite3.Connection, words: Iterable[str]) -> frozenset[str]:
    """The terms under which words are indexed. Nothing of them is written to the file."""
    run = connection.execute
    run(f"CREATE VIRTUAL TABLE temp.stemmed USING fts5 (text, tokenize = '{TOKENIZER}')")
    try:
        run("INSERT INTO temp.stemmed (text) VALUES (?)", (" ".join(words),))
        run("CREATE VIRTUAL TABLE temp.stems USING fts5vocab (temp, stemmed, row)")
        found = frozenset(row[0] for row in run("SELECT term FROM temp.stems").fetchall())
        run("DROP TABLE temp.stems")
    finally:
        run("DROP TABLE temp.stemmed")
    return found


def indexed(connection: sqlite3.Connection) -> frozenset[str]:
    """The terms in the pages of the full text, also those of messages that were deleted.

    Pages keep a term as what it has beyond the one before it, so that no search of bytes finds it.
    """
    rows = connection.execute(f"SELECT id, block FROM {FULL_TEXT}_data WHERE id >= 1 << 37")
    found: set[str] = set()
    for number, block in rows:
        if not number & _LEAF:
            found.update(_terms(block))
    return frozenset(found)


def values(connection: sqlite3.Connection) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Each table with all texts and blobs in it, value by value, but for the pages of full text.

    The file has them side by side, where the end of one and the beginning of another make words.
    """
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    )
    for (table,) in tables.fetchall():
        if not table.endswith(("_data", "_idx")):
            rows = connection.execute(f'SELECT * FROM "{table}"')
            yield (
                table,
                (b"\0" + _bytes(v) for row in rows for v in row if isinstance(v, str | bytes)),
            )


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def _terms(page: bytes) -> Iterator[str]:
    """The terms of a leaf: see "The FTS5 File Format" in fts5_index.c."""
    at = int.from_bytes(page[2:4], "big")  # where the offsets of the terms begin
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
    """A varint, and where it ends."""
    value = 0
    while page[at] & 0x80:
        value, at = value << 7 | page[at] & 0x7F, at + 1
    return value << 7 | page[at], at + 1

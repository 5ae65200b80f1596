"""Groups the mails of a mailbox into threads, and finds the names of people.

A mailbox of a GiB may have millions of mails. The data on them is kept in SQLite tables in memory, with ids
as hashes of 8 bytes, which takes a third of the memory of dictionaries.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from hashlib import blake2b
from itertools import pairwise
from typing import Protocol

from minirag_chat.importers.kinds import DIRECT
from minirag_chat.records import MADE_UP

_TABLES = """
CREATE TABLE names (address INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE parents (mail INTEGER PRIMARY KEY, before INTEGER NOT NULL);
CREATE TABLE roots (mail INTEGER PRIMARY KEY, id TEXT NOT NULL);
CREATE TABLE firsts (subject INTEGER PRIMARY KEY, id TEXT NOT NULL, people TEXT NOT NULL);
CREATE TABLE loose (mail INTEGER NOT NULL, subject TEXT NOT NULL, people TEXT NOT NULL);
CREATE TABLE threads (root INTEGER PRIMARY KEY, title TEXT NOT NULL, people TEXT NOT NULL);
"""


class Envelope(Protocol):
    """Headers of a mail: its id, the ids of mails before it, and (name, address) of its people.

    ``replies``: the subject is that of an answer.
    """

    identity: str
    before: list[str]
    subject: str
    replies: bool
    people: list[tuple[str, str]]


class Threads:
    """The threads of a mailbox: call ``see`` for every mail, then ``join``, then ``of``.

    A mail references those before it. An answer without references belongs to the first mail with the same
    subject and some of the same people.
    """

    def __init__(self) -> None:
        self._tables = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._tables.executescript(_TABLES)
        self._tables.execute("BEGIN")  # otherwise each statement would be a transaction

    def see(self, mail: Envelope) -> None:
        """Add the next mail of the file."""
        self._tables.executemany(
            "INSERT OR IGNORE INTO names VALUES (?, ?)",
            [(_number(address), name) for name, address in mail.people if name and address],
        )
        people = _joined(address for _, address in mail.people)
        chain = [*mail.before, mail.identity]
        if mail.before:
            self._tables.executemany(
                "INSERT OR IGNORE INTO parents VALUES (?, ?)",
                [(_number(after), _number(before)) for before, after in pairwise(chain)],
            )
            self._answers(_number(mail.identity), chain[0])
        elif mail.replies:
            self._tables.execute(
                "INSERT INTO loose VALUES (?, ?, ?)",
                (_number(mail.identity), mail.subject.casefold(), people),
            )
        if mail.subject and not (mail.replies and not mail.before):
            self._tables.execute(
                "INSERT OR IGNORE INTO firsts VALUES (?, ?, ?)",
                (_number(mail.subject.casefold()), mail.identity, people),
            )

    def join(self) -> None:
        """Find the threads of answers without references."""
        for mail, subject, people in self._tables.execute("SELECT * FROM loose"):
            first, between = self._tables.execute(
                "SELECT id, people FROM firsts WHERE subject = ?", (_number(subject),)
            ).fetchone() or ("", "")
            shares = not _parted(people).isdisjoint(_parted(between))
            self._answers(mail, first if shares else f"{MADE_UP}subject {subject}")
        self._tables.execute("DELETE FROM loose")

    def _answers(self, mail: int, root: str) -> None:
        """Store the parent of a mail, and the id that may name its thread."""
        number = _number(root)
        self._tables.execute("INSERT OR REPLACE INTO parents VALUES (?, ?)", (mail, number))
        self._tables.execute("INSERT OR IGNORE INTO roots VALUES (?, ?)", (number, root))

    def name(self, address: str) -> str | None:
        """The name of the person with this address in the file."""
        row = self._tables.execute(
            "SELECT name FROM names WHERE address = ?", (_number(address),)
        ).fetchone()
        return None if row is None else str(row[0])

    def of(self, mail: Envelope) -> str:
        """The thread of a mail: the id of its first mail, which may be missing from the file."""
        own = _number(mail.identity)
        root = self._root(own)
        row = self._tables.execute("SELECT id FROM roots WHERE mail = ?", (root,)).fetchone()
        thread = str(row[0]) if row else mail.identity if root == own else f"{MADE_UP}{root}"
        title, people = self.described(thread)
        if len(people) <= DIRECT:
            people = people | {address for _, address in mail.people}
        self._tables.execute(
            "INSERT OR REPLACE INTO threads VALUES (?, ?, ?)",
            (_number(thread), title or mail.subject, _joined(people)),
        )
        return thread

    def _root(self, mail: int) -> int:
        """The root of a mail's chain of parents; path compression stores it for each of them."""
        way: dict[int, None] = {}
        at = mail
        while at not in way and (before := self._before(at)) is not None:
            way[at] = None
            at = before
        root = min(way) if at in way else at  # of a cycle always the same one
        self._tables.executemany(
            "UPDATE parents SET before = ? WHERE mail = ?", [(root, step) for step in way]
        )
        self._tables.execute("DELETE FROM parents WHERE mail = ?", (root,))
        return root

    def _before(self, mail: int) -> int | None:
        row = self._tables.execute("SELECT before FROM parents WHERE mail = ?", (mail,)).fetchone()
        return None if row is None else int(row[0])

    def described(self, thread: str) -> tuple[str, frozenset[str]]:
        """The subject of a thread, and its addresses, up to the number that makes it a group."""
        title, people = self._tables.execute(
            "SELECT title, people FROM threads WHERE root = ?", (_number(thread),)
        ).fetchone() or ("", "")
        return title, _parted(people)


def _number(text: str) -> int:
    """A 64-bit hash of a text."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _joined(addresses: Iterable[str]) -> str:
    return "\n".join(sorted({address for address in addresses if address}))


def _parted(addresses: str) -> frozenset[str]:
    return frozenset(addresses.split("\n")) if addresses else frozenset()

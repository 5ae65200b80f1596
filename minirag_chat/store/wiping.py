"""Wipes deleted and replaced words from the file itself, also after an interrupted wiping.

Code that deletes text calls ``ask`` in its own transaction. The wiping follows; it may be killed at any
moment, or blocked by a reader, and stays due until it has run completely.
"""

from __future__ import annotations

from minirag_chat.errors import DatabaseLocked
from minirag_chat.store.full_text import FullText
from minirag_chat.store.rows import read_meta, write_meta
from minirag_chat.store.sql import Sql

_ASKED, _DONE = "wipings asked for", "wipings done"


class Wiping:
    """Counts what was asked for and what was done; what lies between is due."""

    def __init__(self, connection: Sql, text: FullText) -> None:
        self._connection = connection
        self._text = text

    def ask(self) -> None:
        """Say that text was forgotten; inside the transaction that forgets it."""
        write_meta(self._connection, _ASKED, str(self.asked() + 1))

    def asked(self) -> int:
        """How often text has been forgotten: what was said of it before is out of date."""
        return self._get(_ASKED)

    def due(self) -> bool:
        """Whether forgotten text may still be in the file."""
        return self._get(_ASKED) != self._get(_DONE)

    def rewrite(self) -> int:
        """Write the file anew without what was forgotten; returns what ``settle`` is to be given.

        The full text keeps deleted words until its parts are merged, and a page those that were
        moved in it. Raises ``DatabaseLocked`` where another process writes.
        """
        asked = self._get(_ASKED)  # what is forgotten from here on is the next wiping's
        self._text.merge()
        self._connection.write_anew()
        return asked

    def settle(self, asked: int) -> None:
        """Empty the write-ahead log, which has the earlier pages; then the wiping is done.

        Raises ``DatabaseLocked`` where another process still reads what was.
        """
        if not self._connection.empty_log():
            raise DatabaseLocked(
                f"{self._connection.path} is in use by another process: "
                f"{self._connection.otherwise}."
            )
        write_meta(self._connection, _DONE, str(asked))

    def _get(self, key: str) -> int:
        return int(read_meta(self._connection, key) or 0)

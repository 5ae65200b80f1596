"""Wipes deleted and replaced words from the file itself, also after an interrupted wiping.

Code that deletes text calls ``request`` in its own transaction. The wiping follows; it may be killed at any
moment, or blocked by a reader, and stays due until it has run completely.
"""

from __future__ import annotations

from minirag_chat.errors import DatabaseLocked
from minirag_chat.store.full_text import FullText
from minirag_chat.store.rows import read_meta, write_meta
from minirag_chat.store.sql import Sql

_ASKED, _DONE = "wipings asked for", "wipings done"


class Wiping:
    """Counts requested and completed wipings; the difference is due."""

    def __init__(self, connection: Sql, text: FullText) -> None:
        self._connection = connection
        self._text = text

    def request(self) -> None:
        """Request a wiping; inside the transaction that deletes the text."""
        write_meta(self._connection, _ASKED, str(self.requests() + 1))

    def requests(self) -> int:
        """How many wipings were requested; data derived before the last is out of date."""
        return self._get(_ASKED)

    def due(self) -> bool:
        """Whether deleted text may still be in the file."""
        return self._get(_ASKED) != self._get(_DONE)

    def rewrite(self) -> int:
        """Rewrite the file without the deleted text; returns the argument of ``settle``.

        The full-text index keeps deleted words until its segments are merged, and pages keep moved rows.
        Raises ``DatabaseLocked`` if another process writes.
        """
        requests = self._get(_ASKED)  # later deletions are for the next wiping
        self._text.merge()
        self._connection.write_anew()
        return requests

    def settle(self, requests: int) -> None:
        """Empty the write-ahead log, which has the earlier pages; then the wiping is done.

        Raises ``DatabaseLocked`` if another process still reads an earlier state.
        """
        if not self._connection.empty_log():
            raise DatabaseLocked(
                f"{self._connection.path} is in use by another process: "
                f"{self._connection.otherwise}."
            )
        write_meta(self._connection, _DONE, str(requests))

    def _get(self, key: str) -> int:
        return int(read_meta(self._connection, key) or 0)

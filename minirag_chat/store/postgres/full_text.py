"""The full-text index in PostgreSQL: a ``tsvector`` of the same tokens as SQLite's, with a GIN index.

PostgreSQL keeps at most 255 positions of a word in a message, and positions up to 16,383: longer
messages score a little lower than in SQLite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np

from minirag_chat.store.arrays import Ids, arrays
from minirag_chat.store.media import SAID
from minirag_chat.store.sql import Sql
from minirag_chat.store.text import searchable

BLOCK = 1000  # messages in a batch
_MOST_PLACES, _LAST_PLACE = 255, 16_383
_LONGEST = 2046  # bytes of a word
Tokens = Callable[[Iterable[str]], list[list[str]]]


class TsVectors:
    """Writes the tokens of changed messages, and reads the positions of tokens."""

    def __init__(self, connection: Sql, tokens: Tokens) -> None:
        self._connection = connection
        self._tokens = tokens

    def messages_with(self, token: str) -> Ids:
        """The ids of messages with the token, once for each occurrence, in order."""
        return self.places(token)[0]

    def places(self, token: str) -> tuple[Ids, Ids]:
        """The same with the position of the token in the message, from 0."""
        self.catch_up()
        if not _is_kept(token):
            return np.array([], dtype=np.int64), np.array([], dtype=np.int64)
        if self._connection.user:
            stands = "FROM minirag_places(?::tsquery, ?) AS stands"
            found = arrays(self._connection, ["doc", "place"], stands, (_quoted(token), token))
            return found[0], found[1]
        messages, offsets = arrays(
            self._connection,
            ["doc", "place"],
            "FROM (SELECT t.message_id AS doc, unnest(u.positions) - 1 AS place "
            "FROM message_text t CROSS JOIN LATERAL unnest(t.said) u "
            "WHERE t.said @@ ?::tsquery AND u.lexeme = ? ORDER BY 1, 2) AS stands",
            (_quoted(token), token),
        )
        return messages, offsets

    def sizes(self) -> tuple[Ids, Ids]:
        """The ids of messages in order, and their numbers of tokens."""
        self.catch_up()
        messages, words = arrays(
            self._connection,
            ["message_id", "words"],
            "FROM (SELECT message_id, words FROM message_text ORDER BY message_id) AS sizes",
        )
        return messages, words

    def sessions_with(self, words: Sequence[str]) -> set[int]:
        """The sessions of messages with one of the tokens."""
        self.catch_up()
        tokens = filter(_is_kept, chain.from_iterable(self._tokens(words)))
        wanted = " | ".join(map(_quoted, tokens))
        if not wanted:
            return set()
        rows = self._connection.execute(
            "SELECT DISTINCT m.session_id FROM message_text t JOIN messages m ON m.id = t.message_id "
            "WHERE t.said @@ ?::tsquery AND m.session_id IS NOT NULL",
            (wanted,),
        )
        return {row[0] for row in rows}

    def terms(self) -> frozenset[str]:
        """All tokens of the index."""
        rows = self._connection.execute("SELECT word FROM ts_stat('SELECT said FROM message_text')")
        return frozenset(row[0] for row in rows)

    def merge(self) -> None:
        """Nothing: VACUUM removes deleted tokens."""

    def catch_up(self) -> None:
        """Write the tokens of changed messages; inside the transaction that changed them."""
        run = self._connection.execute
        last = 0
        # Continue after the last one: the scan must still pass deleted rows in this transaction.
        next_ones = (
            "SELECT message_id FROM message_text_waiting WHERE message_id > ? "
            "ORDER BY message_id LIMIT ?"
        )
        while ids := self._connection.column(next_ones, (last, BLOCK)):
            last = ids[-1]
            run("DELETE FROM message_text WHERE message_id = ANY(?)", (ids,))
            found = run(
                f"SELECT m.id, {SAID} FROM messages m "
                "WHERE m.id = ANY(?) AND m.session_id IS NOT NULL AND NOT m.deleted ORDER BY m.id",
                (ids,),
            ).fetchall()
            tokens = self._tokens(searchable(text) for _, text in found)
            self._connection.executemany(
                "INSERT INTO message_text VALUES (?, ?, ?::tsvector)",
                [(m, len(said), _vector(said)) for (m, _), said in zip(found, tokens, strict=True)],
            )
        if last:
            run("DELETE FROM message_text_waiting")


def _vector(tokens: Sequence[str]) -> str:
    """Tokens as the text of a ``tsvector``: each word with its positions, from 1."""
    places: dict[str, list[str]] = defaultdict(list)
    for place, token in enumerate(tokens, start=1):
        kept = places[token]
        if place <= _LAST_PLACE and len(kept) < _MOST_PLACES:
            kept.append(str(place))
    return " ".join(
        f"{_quoted(token)}:{','.join(kept)}" if kept else _quoted(token)
        for token, kept in places.items()
        if _is_kept(token)
    )


def _is_kept(token: str) -> bool:
    """Whether a ``tsvector`` and a ``tsquery`` have room for a word."""
    return len(token.encode()) <= _LONGEST


def _quoted(token: str) -> str:
    return "'" + token.replace("\\", "\\\\").replace("'", "''") + "'"

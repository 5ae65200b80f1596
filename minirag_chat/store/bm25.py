"""BM25 of every message, chunk, conversation or chat at once, as SQLite's own ``bm25`` gives it.

There is one full-text index, that of the messages, with the positions of words and no copy of the text. The
words of a chunk or conversation are those of its messages and senders' names: they are counted here with
numpy.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minirag_chat.names import split_joined
from minirag_chat.store.arrays import Ids, distinct, ordered, places
from minirag_chat.store.cache import Cache
from minirag_chat.store.columns import ColumnTables
from minirag_chat.store.full_text import FullText, Tokenizer
from minirag_chat.store.media import SAID
from minirag_chat.store.sql import Sql
from minirag_chat.store.tables import CachedTables
from minirag_chat.store.text import searchable, terms

Unit = Literal["messages", "chunks", "sessions", "chats"]
K1, B = 1.2, 0.75  # as SQLite's bm25 has them
WORDS_KEPT = 32  # words whose positions are cached
LEAST_WEIGHT = 1e-6  # of a word in half of the rows
_STRIDE = 1 << 32  # more than a message has words
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scored:
    """The rows that have a word of a question, in order, with their scores."""

    rows: Ids
    scores: Scores

    def of(self, rows: Ids) -> Scores:
        """The scores of rows, 0 for one that has no word; shape (len(rows),)."""
        found = np.zeros(len(rows))
        if len(rows) > len(self.rows) and (np.diff(rows) > 0).all():  # the fewer are looked for
            place, there = places(self.rows, rows)
            found[place[there]] = self.scores[there]
        else:
            place, there = places(rows, self.rows)
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
class _Links:
    """Which source is in which target; one may be in several.

    The targets of source i are ``targets[starts[i] : starts[i + 1]]``.
    """

    starts: Ids
    targets: Ids

    @classmethod
    def of(cls, sources: Ids, targets: Ids) -> _Links:
        """``sources`` come in order; they are ids or places, which are numbers up to some million."""
        starts = np.zeros(sources[-1] + 2 if len(sources) else 1, dtype=np.int64)
        np.cumsum(np.bincount(sources), out=starts[1:])
        return cls(starts, targets)

    def reached(self, sources: Ids, times: Ids) -> tuple[Ids, Ids]:
        """The targets of sources, each as often as it is in one, with that source's ``times``."""
        known = sources < len(self.starts) - 1
        sources, times = sources[known], times[known]
        first = self.starts[sources]
        each = self.starts[sources + 1] - first
        begin = np.cumsum(each) - each
        at = np.arange(each.sum()) + np.repeat(first - begin, each)
        return self.targets[at], np.repeat(times, each)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The ranked rows in order, and the number of words of each.

    ``texts`` leads from messages, ``names`` from names to places in the rows.
    """

    rows: Ids
    words: Ids
    texts: _Links
    names: _Links


@dataclass(frozen=True)
class _MessageWords:
    """The messages of the full text in order: how many words each has, and whose it is.

    ``names`` are the words of the names of those who wrote, ``writers`` the places in them.
    """

    messages: Ids
    words: Ids
    writers: Ids
    names: list[list[str]]

    @cached_property
    def called(self) -> dict[str, list[int]]:
        """For each word, the indexes of the names that contain it."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(self.names):
            for word in set(name):
                found[word].append(place)
        return dict(found)


class WordTables(CachedTables):
    """Reads the full text."""

    def __init__(
        self,
        connection: Sql,
        cache: Cache,
        columns: ColumnTables,
        text: FullText,
        tokenizer: Tokenizer,
    ) -> None:
        super().__init__(connection, cache)
        self._text = text
        self._columns = columns
        self._tokenizer = tokenizer

    def bm25(self, unit: Unit, question: str) -> Scored:
        """BM25 scores, higher is better, of the rows with a word of the question."""
        tokens = self._tokenizer.each(terms(question))
        known = self._rows(unit)
        scores = np.zeros(len(known.rows))
        hit = np.zeros(len(known.rows), dtype=np.bool_)
        mean = int(known.words.sum()) / max(len(known.rows), 1)
        for times in (self._times(known, one) for one in tokens if one):
            at = np.flatnonzero(times)
            if len(at):
                scores[at] += _weight(len(known.rows), len(at)) * (
                    times[at] * (K1 + 1.0)
                    / (times[at] + K1 * (1 - B + B * known.words[at] / mean))
                )  # fmt: skip
                hit[at] = True
        return Scored(known.rows[hit], scores[hit])

    def having_all(self, text: str) -> list[int]:
        """The messages whose own text has each content word of ``text``, by their stems; in order of ids."""
        tokens = [each for each in self._tokenizer.each(terms(text)) if each]
        known = self._rows("messages")
        there = np.full(len(known.rows), bool(tokens))
        for one in tokens:
            reached, _times = known.texts.reached(*self._places(one))
            there &= np.bincount(reached, minlength=len(known.rows)) > 0
        return [int(row) for row in known.rows[there]]

    def containing(self, text: str) -> Scored:
        """The messages that contain a text as it is written; the newer, the higher the score."""
        pattern = "".join(f"\\{c}" if c in "%_\\" else c for c in text)
        ids = self._connection.column(
            f"SELECT m.id FROM messages m WHERE m.session_id IS NOT NULL AND {SAID} LIKE ? ESCAPE '\\' "
            "ORDER BY m.sent_at, m.id",
            (f"%{pattern}%",),
        )
        found = np.array(ids if text else [], dtype=np.int64)
        order = np.argsort(found)
        return Scored(found[order], order.astype(np.float64))

    def rarity(self, question: str) -> dict[str, float]:
        """The question's content words with their inverse document frequency over messages."""
        words = terms(question)
        known = self._rows("messages")
        found = {}
        for word, tokens in zip(words, self._tokenizer.each(words), strict=True):
            count = np.count_nonzero(self._times(known, tokens)) if tokens else 0
            found[word] = float(np.log(1 + (len(known.rows) - count + 0.5) / (count + 0.5)))
        return found

    def _times(self, known: _Rows, tokens: list[str]) -> Scores:
        """How often each row has these tokens side by side."""
        said, often = known.texts.reached(*self._places(tokens))
        by, called = known.names.reached(*_named(self._said(), tokens))
        reached, times = np.concatenate((said, by)), np.concatenate((often, called))
        return np.bincount(reached, times, len(known.rows)).astype(np.float64, copy=False)

    def _places(self, tokens: list[str]) -> tuple[Ids, Ids]:
        """The messages whose text has the tokens side by side, in order, and how often each has them.

        A question asks for the same words of messages, chunks and conversations.
        """
        kept: dict[tuple[str, ...], tuple[Ids, Ids]] = self._cache.get("places of words", dict)
        key = tuple(tokens)
        if key not in kept:
            if len(kept) >= WORDS_KEPT:
                del kept[next(iter(kept))]  # the oldest
            kept[key] = self._read_places(tokens)
        return kept[key]

    def _read_places(self, tokens: list[str]) -> tuple[Ids, Ids]:
        if len(tokens) == 1:
            found = self._text.messages_with(tokens[0])
        else:
            begins = [self._phrase_starts(token, place) for place, token in enumerate(tokens)]
            found = begins[0]
            for other in begins[1:]:
                found = np.intersect1d(found, other, assume_unique=True)
            found //= _STRIDE
        first = np.flatnonzero(np.diff(found, prepend=-1))
        return found[first], np.diff(first, append=len(found))

    def _phrase_starts(self, token: str, place: int) -> Ids:
        """Where a run of tokens would begin of which this is the one at ``place``."""
        messages, offsets = self._text.places(token)
        begin = offsets - place
        return messages[begin >= 0] * _STRIDE + begin[begin >= 0]

    # --- what is counted once -------------------------------------------------------------------------

    def _rows(self, unit: Unit) -> _Rows:
        return self._cache.get(f"words of {unit}", lambda: self._read_rows(unit))

    def _read_rows(self, unit: Unit) -> _Rows:
        said = self._said()
        messages, targets = said.messages, said.messages
        if unit == "chunks":
            members = self._columns.members()
            messages, targets = members.messages, members.chunks
        elif unit == "sessions":
            talks = self._columns.talks()
            messages, targets = talks.messages, talks.sessions
        elif unit == "chats":
            talks = self._columns.talks()
            messages, targets = talks.messages, self._columns.chats_of(talks.sessions)
        place, there = places(messages, said.messages)
        place, targets = place[there], targets[there]
        rows = distinct(targets)
        at = np.searchsorted(rows, targets)
        spoken = distinct(said.writers[place] * max(len(rows), 1) + at)  # each name once a row
        names, of = np.divmod(spoken, max(len(rows), 1))
        sizes = np.array([len(name) for name in said.names], dtype=np.int64)
        words = np.bincount(at, said.words[place], len(rows))
        words += np.bincount(of, sizes[names], len(rows))
        return _Rows(
            rows,
            words.astype(np.int64),
            _Links.of(said.messages[place], at),
            _Links.of(names, of),
        )

    def _said(self) -> _MessageWords:
        return self._cache.get("said", self._read_said)

    def _read_said(self) -> _MessageWords:
        messages, sizes = self._text.sizes()
        ids, senders = ordered(self._connection, ["id", "sender_id"], "FROM messages")
        place = places(messages, ids)[0]
        called = self._connection.execute(
            "SELECT e.id, p.name FROM entities e JOIN entities p ON p.id = COALESCE(e.same_as, e.id) "
            "WHERE EXISTS (SELECT 1 FROM messages m WHERE m.sender_id = e.id) ORDER BY e.id"
        ).fetchall()
        names = {
            name: number for number, name in enumerate(dict.fromkeys(row[1] for row in called))
        }
        known = np.array([row[0] for row in called], dtype=np.int64)
        number = np.array([names[row[1]] for row in called], dtype=np.int64)
        return _MessageWords(
            messages,
            sizes,
            number[places(senders[place], known)[0]],
            self._tokenizer.each(searchable(f"{name} {split_joined(name)}") for name in names),
        )


def _named(message_words: _MessageWords, tokens: list[str]) -> tuple[Ids, Ids]:
    """The places of the names that have the tokens side by side, and how often each has them."""
    size = len(tokens)
    times = {
        place: sum(name[i : i + size] == tokens for i in range(len(name) - size + 1))
        for place in message_words.called.get(tokens[0], ())
        for name in (message_words.names[place],)
    }
    some = {place: count for place, count in times.items() if count}
    return np.array([*some], dtype=np.int64), np.array([*some.values()], dtype=np.int64)


def _weight(rows: int, having: int) -> float:
    """The inverse document frequency of a word, as SQLite's bm25 has it."""
    weight = math.log((rows - having + 0.5) / (having + 0.5))
    return weight if weight > 0 else LEAST_WEIGHT

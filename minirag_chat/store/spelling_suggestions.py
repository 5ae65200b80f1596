"""Suggests words of the messages for a misspelled search."""

from __future__ import annotations

from collections import Counter

from rapidfuzz import fuzz, process

from minirag_chat.lazy_patterns import lazy
from minirag_chat.store.media import SAID
from minirag_chat.store.tables import CachedTables

ALIKE = 75  # of 100
_WORD = lazy(r"[^\W\d_]{4,40}")  # shorter words are close to too many


class SpellingSuggestions(CachedTables):
    """Finds words with a similar spelling."""

    def close_to(self, text: str, count: int) -> list[str]:
        """Up to ``count`` words of the messages that are close to the words of ``text``, best first.

        Words that occur in the messages are skipped.
        """
        known = self.words()
        found: Counter[str] = Counter()
        for word in {word.casefold() for word in _WORD.findall(text)} - known.keys():
            near = process.extract(
                word, known.keys(), scorer=fuzz.ratio, score_cutoff=ALIKE, limit=20
            )
            for other, score, _ in near:
                found[other] = max(found[other], round(score * 1000) + min(known[other][1], 999))
        return [known[word][0] for word, _ in found.most_common(count)]

    def words(self) -> dict[str, tuple[str, int]]:
        """For each word of the messages in lower case its most frequent spelling, and its count."""
        return self._cache.get("spelled words", self._read)

    def _read(self) -> dict[str, tuple[str, int]]:
        written: Counter[str] = Counter()
        rows = self._connection.execute(
            f"SELECT {SAID} FROM messages m WHERE m.session_id IS NOT NULL"
        )
        for (text,) in rows:
            written.update(_WORD.findall(text))
        found: dict[str, tuple[str, int]] = {}
        for word, times in written.most_common():
            first, before = found.get(word.casefold(), (word, 0))
            found[word.casefold()] = (first, before + times)
        return found

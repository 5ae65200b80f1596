"""Recognises messages in another language than that of the embedder.

The tokenizer of an embedder cuts words that it does not know into pieces. `all-MiniLM-L6-v2` makes 1.00
to 1.23 tokens per word of English chats, and 1.25 to 1.82 per word of German, French, Spanish and Chinese
ones, also where they have some English; of these 23 only one is below 1.3 (measured on the 157 histories
in `training/chats` and LiHuaWorld). An import needs the tokenizer anyway; the recogniser of
`question/translation.py`, which can name the language, takes up to a second to load.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from minirag_chat.lazy_patterns import lazy, lazy_regex
from minirag_chat.models.catalog import CATALOG, MULTILINGUAL
from minirag_chat.models.protocols import Embedder

MOST_TOKENS = 1.3
"""With more tokens per word than this, the language is not English."""
SAMPLE = 400
"""How many messages are looked at."""
FEWEST_WORDS = 150
"""With fewer words than this there is no note, unless they are in another script."""
FEWEST_LETTERS = 60
"""So many letters, most of them not Latin, are in another script: Cyrillic, Greek, Han …"""
_WORD = lazy(r"\w+|[^\w\s]")
_LETTER, _LATIN = lazy_regex(r"\p{L}"), lazy_regex(r"\p{Latin}")


class LanguageSample:
    """Some messages of an import, from many conversations."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def take(self, texts: Iterable[str]) -> None:
        """Add the first messages of a conversation, until the sample is full."""
        self._texts += islice(texts, min(SAMPLE // 20, SAMPLE - len(self._texts)))

    def note(self, embedder: Embedder) -> str | None:
        """What to do, if ``embedder`` is for English and the messages are not; otherwise None."""
        if embedder.name not in {c.name for c in CATALOG if c.english}:
            return None
        if not (self._in_another_script() or self._is_foreign(embedder)):
            return None
        return (
            f"Many of these messages are not in English, for which {embedder.name} was made. To find them "
            f"by their meaning too: `minirag-chat models get {MULTILINGUAL}`, then "
            f"`minirag-chat index --embedder {MULTILINGUAL}`."
        )

    def _in_another_script(self) -> bool:
        letters, latin = (
            sum(len(found.findall(text)) for text in self._texts) for found in (_LETTER, _LATIN)
        )
        return letters >= FEWEST_LETTERS and 2 * latin < letters

    def _is_foreign(self, embedder: Embedder) -> bool:
        words = sum(len(_WORD.findall(text)) for text in self._texts)
        return (
            words >= FEWEST_WORDS and sum(embedder.count_tokens(self._texts)) >= MOST_TOKENS * words
        )

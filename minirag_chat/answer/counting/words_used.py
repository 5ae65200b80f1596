"""Which words were used most, by some people or by all; closed-class words such as "the" do not count."""

from __future__ import annotations

from dataclasses import replace

import regex

from minirag_chat.answer.counting.counted import SHOWN, ranking
from minirag_chat.answer.counting.used_most import used_most
from minirag_chat.common_words import STOP_WORDS
from minirag_chat.extract.structure import LINK
from minirag_chat.lazy_patterns import lazy_regex
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.store import Store

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_LETTER = rf"[\p{{L}}\p{{M}}--[{_UNSPACED}]]"
_WORD = lazy_regex(rf"(?<![\w'\u2019]){_LETTER}++(?:['\u2019]{_LETTER}++)*+(?!\w)", regex.V1)
_NOT_COUNTED = STOP_WORDS.union(
    (who + short for who in "i you he she it we they that there what who".split()
     for short in "m re ve ll d s".split()),
    (f"{verb}nt" for verb in "do ca wo did is was does could would should have has had are were ai".split()),
)  # fmt: skip
"""Closed-class words, also those that people write without an apostrophe: "im", "dont"."""
NOT_COUNTED = "Words such as \u201cthe\u201d and \u201cyou\u201d are not counted."


def words_used(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """The text, and for each word that it names the last message with it.

    A script without spaces between its words has none that could be counted.
    """
    typed = store.message_counts.typed(filters)
    found = ((message, word) for message, _person, text in typed for word in _words(text))
    used = used_most(store, filters, plan, found)
    if not used.ordered:
        none = f"{used.who} wrote no" if used.who else "There are no"
        return f"{none} words to count{used.where}.", ()
    quoted = [replace(one, name=f"\u201c{one.name}\u201d") for one in used.ordered[:SHOWN]]
    return f"{ranking(quoted, used.total, used.head, kind='word')} {NOT_COUNTED}", used.cited


def _words(text: str) -> list[str]:
    """The words of a text that say something, in lower case, without those of links."""
    bare = LINK.sub(" ", text) if "://" in text or "www." in text else text
    words = (word.replace("\u2019", "'").casefold() for word in _WORD.findall(bare))
    return [word for word in words if len(word) > 1 and word.split("'")[0] not in _NOT_COUNTED]

"""The words of a text and of a name, in lower case."""

from __future__ import annotations

from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import split_joined, with_plain_letters

_WORD = lazy(r"\w+")


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return [word.casefold() for word in _WORD.findall(text)]


def plain_words_of(text: str) -> list[str]:
    """The words of a text, in lower case and without diacritics."""
    return words_of(with_plain_letters(text))


def name_parts(name: str) -> set[str]:
    """The words of a name, also of one that is written without spaces; with and without diacritics."""
    words = {*words_of(name), *words_of(split_joined(name))}
    return words | {*map(with_plain_letters, words)}

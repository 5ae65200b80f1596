"""The words of languages, as pyspellchecker has them, loaded by the first question that needs one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spellchecker import SpellChecker


@cache
def languages_with_dictionary() -> frozenset[str]:
    """The codes of the languages that there are dictionaries of."""
    from spellchecker import SpellChecker

    return frozenset(SpellChecker.languages())


def has_word(language: str, word: str) -> bool:
    """Whether the dictionary of a language has a word: also "colleague's" and "doesnt"."""
    known, plain = _dictionary(language), word.replace("\u2019", "'")
    return plain in known or plain.removesuffix("'s") in known or plain in _unmarked(language)


def frequency(language: str, word: str) -> float:
    """Which share of all words of a language is this one; 0 for a language without a dictionary."""
    if language not in languages_with_dictionary():
        return 0.0
    return float(_dictionary(language).word_usage_frequency(word))


@cache
def _dictionary(language: str) -> SpellChecker:
    from spellchecker import SpellChecker

    return SpellChecker(language=language)


@cache
def _unmarked(language: str) -> frozenset[str]:
    """The words with an apostrophe as they are typed without."""
    words = _dictionary(language).word_frequency.words()
    return frozenset(word.replace("'", "") for word in words if "'" in word)

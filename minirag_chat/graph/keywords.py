"""The distinctive terms of a group of messages, and how much each message says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import chain, filterfalse, islice
from math import log, sqrt

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Message
from minirag_chat.store import Store
from minirag_chat.store.text import spaced
from minirag_chat.times.ranges import find_atoms
from minirag_chat.ui_text import cut, one_line

_CONTRACTED = (
    "aren arent cant couldn couldnt didn didnt doesn doesnt dont hadn hadnt hasn hasnt haven havent isnt "
    "mustn mustnt shouldn shouldnt thats theres theyll theyre theyve wasn wasnt weren werent whats wont "
    "wouldn wouldnt youll youre youve"
)
_LIGHT = (
    "come comes coming came doing done gave gets getting give gives given giving goes going gone gonna gotta "
    "gotten having made make makes making take taken takes taking took went"
)
_EMPTY = STOP_WORDS.union(_CONTRACTED.split(), _LIGHT.split())
"""Words that say nothing about a topic: light verbs, and contractions without an apostrophe, or cut at it.

Searching keeps the contractions: its stop words are those that the published figures were measured with.
"""
SHORTEST, LEAST = 4, 2  # letters of a word; messages of the group that must have it
MOST = 40
MOST_NUMBERS, NUMBER_WEIGHT = 3, 3.0  # numbers of a message that count, and the IDF of each
SHOWN_CHARACTERS = 160  # of a message that is quoted
DAMPING = 3  # words; a message of one rare word says little
_NOW = datetime(2000, 1, 1)  # any date
_UNITS = frozenset(
    f"{unit}{s}"
    for unit in ("minute", "hour", "week", "weekend", "month", "year")
    for s in ("", "s")
)
_WORD = lazy(r"[^\W\d_]+")
_NUMBER = lazy(r"\d+")
_LINK = lazy(r"(?:\w+://|www\.)\S+", re.IGNORECASE)
_PLAIN = lazy(rf"[a-z]{{{SHORTEST},}}")  # the same for English in lower case


def content_words(text: str) -> set[str]:
    """The content words of a text in lower case."""
    return _words(text) - _EMPTY


def word_counts(texts: Iterable[str]) -> Counter[str]:
    """In how many of the texts each content word occurs."""
    counts = Counter(chain.from_iterable(map(_words, texts)))
    for word in _EMPTY:
        counts.pop(word, None)
    return counts


def _words(text: str) -> set[str]:
    if "://" in text or "www." in text:
        text = _LINK.sub(" ", text)
    if text.isascii():
        return set(_PLAIN.findall(text.lower()))
    words = {word.casefold() for word in _WORD.findall(spaced(text))}
    return {word for word in words if len(word) >= SHORTEST or not word.isascii()}


def counted(store: Store, common: Callable[[Store], Iterable[str]]) -> tuple[Counter[str], int]:
    """The document frequency of each word over all indexed messages, and their number; cached.

    The names of those who write are not counted: they say nothing about a topic. Nor are ``common`` words.
    """
    return store.cache.get("word counts", lambda: (_counts(store, common), store.columns.indexed()))


def _counts(store: Store, common: Callable[[Store], Iterable[str]]) -> Counter[str]:
    counts = word_counts(store.index.texts())
    members = store.messages.participants().values()
    shown = store.people.joined_names.shown
    names = {shown(person, name) for chat in members for person, name in chat.items()}
    for word in chain.from_iterable(map(_words, names)):
        counts.pop(word, None)
    for word in common(store):
        counts.pop(word, None)
    return counts


def keywords(
    group: Mapping[str, int], everything: Mapping[str, int], total: int
) -> dict[str, float]:
    """The words that a group uses more than others, with weights, the most distinctive first.

    ``total`` is the number of all messages; both counts are of messages with the word. A word that
    ``everything`` lacks, or that names a time, is left out.
    """
    weights = {
        word: count * log(1 + total / everything[word]) * count / everything[word]
        for word, count in group.items()
        if count >= LEAST and word in everything
    }  # fmt: skip
    best = sorted(weights, key=lambda word: (-weights[word], word))
    return {word: weights[word] for word in islice(filterfalse(_is_time, best), MOST)}


def _is_time(word: str) -> bool:
    """Whether a word only says when, as "today" does; a holiday may be what was talked about."""
    kinds = {kind for atom in find_atoms(word, _NOW, "past") for kind in atom.kinds}
    return word in _UNITS or (bool(kinds) and "holiday" not in kinds)


def informativeness(text: str, everything: Mapping[str, int], total: int) -> float:
    """How much a text says: the IDF of its content words and its numbers, over the root of their count.

    ``everything`` counts the messages with each word, ``total`` is the number of all messages. Of several
    messages the one that says most is that which questions are asked about most often.
    """
    found = content_words(text)
    known = (log(1 + total / max(everything[word], LEAST)) for word in found if word in everything)
    numbers = min(len(_NUMBER.findall(text)), MOST_NUMBERS)
    return (sum(known) + NUMBER_WEIGHT * numbers) / sqrt(len(found) + numbers + DAMPING)


def shown_informativeness(
    store: Store, common: Callable[[Store], Iterable[str]]
) -> Callable[[Message], float]:
    """How much that says which is shown of a message, of a forwarded text its beginning."""
    everything, total = counted(store, common)
    return lambda message: informativeness(
        cut(one_line(message.text), SHOWN_CHARACTERS), everything, total
    )

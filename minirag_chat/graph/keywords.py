"""The distinctive terms of a group of messages, and how representative each message is of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from math import log, sqrt

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.records import Message
from minirag_chat.store import Store
from minirag_chat.store.text import spaced

_CONTRACTED = (
    "aren arent cant couldn couldnt didn didnt doesn doesnt dont hadn hadnt hasn hasnt haven havent isnt "
    "mustn mustnt shouldn shouldnt thats theres theyll theyre theyve wasn wasnt weren werent whats wont "
    "wouldn wouldnt youll youre youve"
)
_EMPTY = STOP_WORDS.union(_CONTRACTED.split())
"""Words that say nothing about a topic; contractions as typed without an apostrophe, or cut at it.

Searching keeps the contractions: its stop words are those that the published figures were measured with.
"""
SHORTEST, LEAST = 4, 2  # letters of a word; messages of the group that must have it
MOST = 40
_WORD = re.compile(r"[^\W\d_]+")
_LINK = re.compile(r"(?:\w+://|www\.)\S+", re.IGNORECASE)
_PLAIN = re.compile(rf"[a-z]{{{SHORTEST},}}")  # the same for English in lower case


def message_words(message: Message) -> set[str]:
    """The content words of a message in lower case."""
    return _words(message.text) - _EMPTY


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


def counted(store: Store) -> tuple[Counter[str], int]:
    """The document frequency of each word over all indexed messages, and their number; cached."""
    return store.cache.get(
        "word counts", lambda: (word_counts(store.index.texts()), store.columns.indexed())
    )


def keywords(
    group: Mapping[str, int], everything: Mapping[str, int], total: int
) -> dict[str, float]:
    """The words that a group uses more than others, with weights, the most distinctive first.

    ``total`` is the number of all messages; both counts are of messages with the word.
    """
    weights = {
        word: count * log(1 + total / everything.get(word, count))
        * count / everything.get(word, count)
        for word, count in group.items()
        if count >= LEAST
    }  # fmt: skip
    best = sorted(weights, key=lambda word: (-weights[word], word))[:MOST]
    return {word: weights[word] for word in best}


def keyword_weight(message: Message, words: Mapping[str, float]) -> float:
    """How representative a message is: the weight of its terms; long ones do not win by length."""
    found = message_words(message)
    return sum(words.get(word, 0.0) for word in found) / sqrt(len(found) + 3)

"""Which words tell a group of messages from all others, and which of its messages tell most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, sqrt

from minirag_chat.records import Message
from minirag_chat.store.text import STOP_WORDS

SHORTEST, LEAST = 4, 2  # letters of a word; messages of the group that must have it
MOST = 40
_WORD = re.compile(r"[^\W\d_]+")


def message_words(message: Message) -> set[str]:
    """The content words of a message, in small letters."""
    words = {word.casefold() for word in _WORD.findall(message.text)}
    return {w for w in words if w not in STOP_WORDS and (len(w) >= SHORTEST or not w.isascii())}


def word_counts(messages: Iterable[Message]) -> Counter[str]:
    """In how many messages each word stands."""
    return Counter(word for message in messages for word in message_words(message))


def telling_words(
    group: Mapping[str, int], everything: Mapping[str, int], total: int
) -> dict[str, float]:
    """The words that a group says more than others do, with a weight, the most telling first.

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


def telling(message: Message, words: Mapping[str, float]) -> float:
    """How much of what tells its group a message says; long ones do not win by length."""
    found = message_words(message)
    return sum(words.get(word, 0.0) for word in found) / sqrt(len(found) + 3)

"""Prepares text for the full-text index: both messages and queries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from snowballstemmer import stemmer

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import split_camel_case

# Scripts without spaces, of which the tokenizer would make one long word.
_UNSPACED = lazy(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\U00020000-\U0002ffff]+"
)
_WORD = lazy(r"\w+")
_JOINED = lazy("[a-z\u00df-\u00ff][A-Z\u00c0-\u00de]")  # as in PayPal
MAX_TERMS = 64
_ASKS = lazy(r"[?\uff1f\u061f]\W*$")  # emoji may follow
AT_THE_END = 8  # characters in which a question mark is looked for


def asks(text: str) -> bool:
    """Whether a message ends with a question, in any script."""
    return _ASKS.search(text[-AT_THE_END:]) is not None


def searchable(text: str) -> str:
    """Text as it is indexed: ``PayPal`` also in parts, unspaced scripts as overlapping bigrams."""
    return spaced(_WORD.sub(_also_in_parts, text) if _JOINED.search(text) else text)


def spaced(text: str) -> str:
    """Text in which unspaced scripts are cut into overlapping bigrams."""
    if text.isascii():
        return text
    return _UNSPACED.sub(lambda run: f" {' '.join(bigrams(run.group()))} ", text)


def terms(text: str) -> list[str]:
    """The distinct words to search for, without function words (unless nothing else is left)."""
    words = list(dict.fromkeys(word.lower() for word in _WORD.findall(searchable(text))))
    content = [word for word in words if word not in STOP_WORDS]
    return (content or words)[:MAX_TERMS]


def words(text: str) -> set[str]:
    """All words of a text as it is indexed, in lower case."""
    return {word.lower() for word in _WORD.findall(searchable(text))}


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The English stem of a lower-case word."""
    # One stemmer for each thread: it is not thread-safe.
    return str(stemmer("english").stemWord(word))


_HISSES = lazy(r"(?:s|x|z|ch|sh)$")
_CONSONANT_Y = lazy(r"[^aeiou]y$")


def in_other_number(word: str) -> list[str]:
    """The singular or plural forms that an English word or phrase may have: "pigeon" for "pigeons".

    Only those with the stem of the word, so that "news" is not "new".
    """
    head, _, last = word.rpartition(" ")
    lead, low = f"{head} " if head else "", last.casefold()
    if not last.isalpha():
        return []
    if low.endswith("s"):
        forms = [last[:-1], *([last[:-2]] if _HISSES.search(low[:-2]) else ())]
        forms += [f"{last[:-3]}y"] if low.endswith("ies") else []
    elif _HISSES.search(low):
        forms = [f"{last}es"]
    else:
        forms = [f"{last}s", *([f"{last[:-1]}ies"] if _CONSONANT_Y.search(low) else ())]
    return [f"{lead}{one}" for one in forms if stem(one.casefold()) == stem(low)]


def match_any(words: list[str]) -> str:
    """An FTS5 expression that finds any of the words."""
    return " OR ".join(f'"{word}"' for word in words)


def _also_in_parts(found: re.Match[str]) -> str:
    word = found.group()
    return f"{word} {split_camel_case(word)}" if _JOINED.search(word) else word


def bigrams(run: str) -> Iterator[str]:
    """Overlapping pairs of characters; a lone character is itself."""
    if len(run) == 1:
        yield run
    for start in range(len(run) - 1):
        yield run[start : start + 2]

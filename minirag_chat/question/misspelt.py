"""Reads a misspelt word of a question as the word of the messages that it is close to: "turky" as turkey.

Only a word that neither a message nor a dictionary has: what is spelled right is asked for as it stands. A
name is none either ("Joana" may be nobody), nor what is in quotation marks. The dictionaries are of English
and of the languages of the messages; if one of these has none, nothing is read in another way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from rapidfuzz.distance import OSA, JaroWinkler
from stopwordsiso import stopwords

from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.dictionaries import has_word, languages_with_dictionary
from minirag_chat.question.translation import languages_of
from minirag_chat.store import Store
from minirag_chat.times.quoted import QUOTED

SPELLED_AS = "Read {word!r} as {right!r}."
LONGEST = 300  # characters of a question that is looked at
SHORTEST = 5  # letters of a misspelt word; one less of a word that asks
LONG = 10  # letters of a word that may have two mistakes
_UNSPACED = frozenset({"ja", "ko", "th", "zh"})  # languages that are written in other letters
_WORD = lazy(r"(?<![\w@#./'\u2019-])[^\W\d_]{4,40}(?:['\u2019][^\W\d_]+)?(?![\w@/'\u2019-])")
_ANY_WORD = lazy(r"[^\W\d_]+")
_ASKING = (
    "what when where which whose whom many much does message messages photos pictures often first last "
    "most summarize summarise summary people chats group groups send sent write wrote"
).split()


class Respelled(NamedTuple):
    """A place in a text, the misspelt word there, and the word that is meant."""

    start: int
    end: int
    word: str
    right: str


def respelled(store: Store, text: str) -> list[Respelled]:
    """The misspelt words of a question, in order. Inside ``reading()``."""
    if len(text) > LONGEST:
        return []
    doubtful = [*_doubtful(store, text)]
    spelled = {"en", *store.messages.languages(languages_of)} - _UNSPACED if doubtful else set()
    if not doubtful or not spelled <= languages_with_dictionary() or not _is_of(spelled, text):
        return []
    return [
        Respelled(*found.span(), found[0], right)
        for found in doubtful
        if not any(has_word(language, found[0].casefold()) for language in spelled)
        and (right := _closest(store, found[0].casefold()))
    ]


def with_right_spelling(store: Store, text: str) -> str:
    """The question with the words that are meant. Inside ``reading()``."""
    for one in reversed(respelled(store, text)):
        text = f"{text[: one.start]}{one.right}{text[one.end :]}"
    return text


def spelling_note(store: Store, text: str) -> str:
    """What to say about the misspelt words of a question; empty if it has none. Inside ``reading()``."""
    return " ".join(
        SPELLED_AS.format(word=one.word, right=one.right) for one in respelled(store, text)
    )


def _doubtful(store: Store, text: str) -> Iterator[re.Match[str]]:
    """The words of a text that no message has, are no names, and ask nothing."""
    quoted = [place.span() for place in QUOTED.finditer(text)]
    first = True
    for found in _WORD.finditer(text):
        is_name, first = found[0][0].isupper() and not first, False
        inside = any(start <= found.start() and found.end() <= end for start, end in quoted)
        asks = found[0].casefold() in _ASKING  # a dictionary may have "summarize" alone
        if not (is_name or inside or asks or _is_said(store, found[0])):
            yield found


def _is_said(store: Store, word: str) -> bool:
    """Whether a message has the word, also in another form, or somebody is called so."""
    return bool(store.words.bm25("messages", word).rows.size)


def _is_of(languages: Collection[str], text: str) -> bool:
    """Whether a question has as many function words of one of these languages as of any other."""
    words = {word.casefold() for word in _ANY_WORD.findall(text)}
    found = {code: len(words & stopwords(code)) for code in languages_with_dictionary()}
    return max(found.values()) == max(found[code] for code in languages)


def _closest(store: Store, word: str) -> str:
    """The word of a question or of the messages that this one is a misspelling of; empty if there is none."""
    asking = _alike(word, _ASKING, 1)
    if asking:
        return max(asking, key=lambda one: JaroWinkler.similarity(word, one))
    if len(word) < SHORTEST:
        return ""
    said = store.spelling_suggestions.words()
    most = 1 if len(word) < LONG else 2
    begin = [one for one in said if one[0] == word[0] and len(one) >= SHORTEST - 1]
    near = {
        one: distance
        for one, distance in _alike(word, begin, most).items()
        if not (one.startswith(word) or word.startswith(one))  # "alexa" is not Alex
    }
    return min(near, key=lambda one: (near[one], -said[one][1]), default="")


def _alike(word: str, words: Iterable[str], most: int) -> dict[str, int]:
    """The words that differ from one in so many letters at most, and in how many."""
    distances = ((one, OSA.distance(word, one, score_cutoff=most)) for one in words)
    return {one: distance for one, distance in distances if distance <= most}

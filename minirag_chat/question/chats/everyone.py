"""A question with "everyone" for the chats and groups that it names: "the family", "in the WG"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case
from minirag_chat.names import with_plain_letters
from minirag_chat.question.chats.titles import (
    Titles,
    have_one_title,
    in_a_row,
    titles_in,
    whole_title,
)
from minirag_chat.question.named_times import is_time
from minirag_chat.question.words import plain_words_of, words_of

_AT = (
    r"\b(did|do|have|has|had|were|was|in|on|with|from|of|for|by|between|summari[sz]e|sum up|recap"
    r"|fass(?:e|t)?(?: (?:uns|bitte|mal))*)\s+(?:(?:the|our|my|der|dem|die|das|den)\s+)?"
    r"(?:(?:whole|entire|chat|gruppe)\s+)?"
)
_CHAT = r"(?:\s+(?:group\s+)?(?:chat|group))?\b"
_GROUPS = ("family", "group", "gang", "crew", "team", "others", "rest", "friends")
_EVERYONE = any_case(
    r"\b(?:they|everybody|everyone|all of us"
    rf"|(?:the|our|my) (?:whole |entire )?(?:{'|'.join(_GROUPS)}){_CHAT})\b",
)
_ONE_GROUP = r"(?:family|gang|crew|team|friends)"
ONE_CHAT = any_case(rf"\b{_ONE_GROUP}\s+(?:group\s+)?(?:chat|group)$")
OF_ONE_GROUP = any_case(
    rf"\b(?:in|within|of|by|from|among) (?:the|our|my) (?:whole |entire )?{_ONE_GROUP}\b",
)
_PART = any_case(
    r"\b(?:(?:up|in) on|in|(?:did|has|have|had|was|were)(?=\s+the\b)"
    r"|summari[sz]e|sum up|recap|(?:summary|overview|recap) of"
    r"|fass(?:e|t)?(?: (?:uns|bitte|mal))*)"
    r"\s+(?P<the>the|our|my|der|dem|die|das|den|unser\w*|mein\w*)?\s*\b"
    r"(?P<name>[\w'\u2019&]+(?:[\s-]+[\w'\u2019&]+){0,3}?)(?:[\s-]+(?:group\s+)?(?:chat|group|gruppe))?"
    r"(?=\W*$|\s+(?:zusammen|in|on|since|from|lately|recently|last|this|before|after|during|between"
    r"|today|yesterday|talk\w*|chat\w*|discuss\w*|been|im|am|seit|von|passiert|los|ge\w+t|geschrieben)\b)",
)
WORDS_ENOUGH = 2  # of a title, to be a chat's without "the": "in Lisbon" may be the town


def without_groups(
    text: str,
    chats: Mapping[int, str],
    known: set[str],
    newest: datetime,
    fewest_words: int = WORDS_ENOUGH,
) -> tuple[str, frozenset[int]]:
    """``text`` with "everyone" for each chat or group that it names, and the ids of these chats.

    A title that consists of people's names and stop words, or is a time, is not taken as a chat. A part of
    just one title is: "in the WG", for "WG Sonnenallee", without "the" if it has the ``fewest_words``.
    "The family chat" stays if there are several chats and no title says family: it is not known which it is.
    """
    text, inside = _without_whole_titles(text, chats, known, newest)
    if not inside:
        partly, called = with_part_of_title(text, chats, known, newest, fewest_words)
        if have_one_title(called, chats):
            text, inside = partly, set(called)
    group = {word for found in _EVERYONE.findall(text) for word in words_of(found)} & {*_GROUPS}
    if group:
        inside |= {chat for chat, title in chats.items() if group & {*words_of(title)}}
    unclear = len(chats) > 1 and not inside

    def everyone(found: re.Match[str]) -> str:
        return found[0] if unclear and ONE_CHAT.search(found[0]) else "everyone"

    return _EVERYONE.sub(everyone, text), frozenset(inside)


def _without_whole_titles(
    text: str, chats: Mapping[int, str], known: set[str], newest: datetime
) -> tuple[str, set[int]]:
    """``text`` with "everyone" for each whole title that it names, the longest first, and these chats."""
    present = {*plain_words_of(text)}
    titled: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for chat, words in Titles.of(chats).plain.items():
        if words and present.issuperset(words) and not known | STOP_WORDS >= {*words}:
            titled[tuple(words)].add(chat)
    inside: set[int] = set()
    for title in sorted(titled, key=len, reverse=True):
        if is_time(" ".join(title), newest):
            continue
        place = re.compile(rf"{_AT}{in_a_row(title)}{_CHAT}", re.IGNORECASE)
        for found in reversed([*place.finditer(with_plain_letters(text))]):
            text = f"{text[: found.end(1)]} everyone{text[found.end() :]}"
            inside |= titled[title]
    return text, inside


def with_part_of_title(
    text: str,
    chats: Mapping[int, str],
    known: set[str],
    newest: datetime,
    fewest_words: int = WORDS_ENOUGH,
) -> tuple[str, frozenset[int]]:
    """``text`` with "everyone" for the part of titles that it names ("Summarise the WG"), and these chats.

    It needs a "the" or the ``fewest_words`` ("in Quiz Rascals", for "Quiz Rascals Bristol"), and is no name
    of a person and no time.
    """
    titles = Titles.of(chats)
    for found in _PART.finditer(with_plain_letters(text)):
        words = words_of(found["name"])
        if not found["the"] and len(words) < fewest_words:
            continue
        if {*words} <= known | STOP_WORDS | {*_GROUPS} or is_time(found["name"], newest):
            continue
        if called := titles.with_part(words) or titles.of_club(words):
            start = found.start("the" if found["the"] else "name")
            return f"{text[:start]}everyone{text[found.end() :]}", called
    return text, frozenset()


def without_titled_times(text: str, titles: Iterable[str], newest: datetime) -> str:
    """``text`` with other letters in place of the titles that have a time in them: "Tuesday Losers"."""
    for words in titles_in(text, titles):
        if not is_time(" ".join(words), newest):
            text = whole_title(words).sub(lambda found: "x" * len(found[0]), text)
    return text

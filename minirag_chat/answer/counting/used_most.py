"""Which words or emoji were used most, by some people or by all.

An emoji in several colours is one emoji. Closed-class words such as "the" do not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import regex

from minirag_chat.answer.counting.files import emoji_of
from minirag_chat.answer.counting.ranking import (
    SHOWN,
    Counted,
    Tally,
    in_place,
    last_sources,
    ranking,
)
from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.counting.words_said import without_colours
from minirag_chat.common_words import STOP_WORDS
from minirag_chat.extract.structure import LINK
from minirag_chat.lazy_patterns import lazy_regex

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


def emoji_used(request: CountRequest) -> Told:
    """The text, and for each emoji that it names the last message with it."""
    shown: dict[str, str] = {}  # as it was first written
    found = (
        (message, shown.setdefault(without_colours(emoji), emoji))
        for message, _person, text in request.counts.typed(request.filters)
        for emoji in emoji_of(text)
    )
    tally = _tally(found)
    if not tally.numbers:
        none = f"{request.senders} sent no" if request.senders else "There are no"
        return f"{none} emojis{request.where}.", ()
    return _most_used(request, tally, "emoji")


def words_used(request: CountRequest) -> Told:
    """The text, and for each word that it names the last message with it.

    A script without spaces between its words has none that could be counted.
    """
    typed = request.counts.typed(request.filters)
    tally = _tally((message, word) for message, _person, text in typed for word in _words(text))
    if not tally.numbers:
        none = f"{request.senders} wrote no" if request.senders else "There are no"
        return f"{none} words to count{request.where}.", ()
    text, cited = _most_used(request, tally, "word")
    return f"{text} {NOT_COUNTED}", cited


def _tally(found: Iterable[tuple[int, str]]) -> Tally[str]:
    """How often each is used, from the ids of messages and what is in them, in order of time."""
    tally = Tally[str]()
    for message, used in found:
        tally.add(used, message)
    return tally


def _most_used(request: CountRequest, tally: Tally[str], kind: str) -> Told:
    """As in "😂 was used second most by Ann in May: 3 of 20 emojis"."""
    ordered, nth = in_place(tally.most_first(str), request.plan.place)
    several = len(ordered) > 1 and ordered[0].number == ordered[1].number
    by = f" by {request.senders}" if request.senders else ""
    head = f"{'were' if several else 'was'} used {nth}most{by}{request.where}"
    named = [_quoted(one) for one in ordered[:SHOWN]] if kind == "word" else ordered
    return ranking(named, tally.numbers.total(), head, kind=kind), last_sources(request, ordered)


def _quoted(one: Counted) -> Counted:
    return replace(one, name=f"\u201c{one.name}\u201d")


def _words(text: str) -> list[str]:
    """The words of a text that say something, in lower case, without those of links."""
    bare = LINK.sub(" ", text) if "://" in text or "www." in text else text
    words = (word.replace("\u2019", "'").casefold() for word in _WORD.findall(bare))
    return [word for word in words if len(word) > 1 and word.split("'")[0] not in _NOT_COUNTED]

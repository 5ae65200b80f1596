"""The chats and times that a question names, taken out of its text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import split_joined, with_plain_letters
from minirag_chat.question.title_stems import of_club
from minirag_chat.records import TimeSpan
from minirag_chat.times.atoms import Atom
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import Prefer
from minirag_chat.times.window import feast_of

LEAD = 20  # characters before a time in which "about" is looked for

_AT = (
    r"\b(did|do|have|has|had|were|was|in|on|with|from|of|for|by|between|summari[sz]e|sum up|recap"
    r"|fass(?:e|t)?(?: (?:uns|bitte|mal))*)\s+(?:(?:the|our|my|der|dem|die|das|den)\s+)?"
    r"(?:(?:whole|entire|chat|gruppe)\s+)?"
)
_CHAT = r"(?:\s+(?:group\s+)?(?:chat|group))?\b"
_GROUPS = ("family", "group", "gang", "crew", "team", "others", "rest", "friends")
_EVERYONE = lazy(
    r"\b(?:they|everybody|everyone|all of us"
    rf"|(?:the|our|my) (?:whole |entire )?(?:{'|'.join(_GROUPS)}){_CHAT})\b",
    re.IGNORECASE,
)
_ONE_GROUP = r"(?:family|gang|crew|team|friends)"
ONE_CHAT = lazy(rf"\b{_ONE_GROUP}\s+(?:group\s+)?(?:chat|group)$", re.IGNORECASE)
OF_ONE_GROUP = lazy(
    rf"\b(?:in|within|of|by|from|among) (?:the|our|my) (?:whole |entire )?{_ONE_GROUP}\b",
    re.IGNORECASE,
)
_PART = lazy(
    r"\b(?:(?:up|in) on|in|summari[sz]e|sum up|recap|(?:summary|overview|recap) of"
    r"|fass(?:e|t)?(?: (?:uns|bitte|mal))*)"
    r"\s+(?P<the>the|our|my|der|dem|die|das|den|unser\w*|mein\w*)?\s*\b"
    r"(?P<name>[\w'\u2019&]+(?:[\s-]+[\w'\u2019&]+){0,3}?)(?:[\s-]+(?:group\s+)?(?:chat|group|gruppe))?"
    r"(?=\W*$|\s+(?:zusammen|in|on|since|from|lately|recently|last|this|before|after|during|between"
    r"|today|yesterday|im|am|seit|von|passiert|los|ge\w+t|geschrieben)\b)",
    re.IGNORECASE,
)
WORDS_ENOUGH = 2  # of a title, to be a chat's without "the": "in Lisbon" may be the town
OPEN = frozenset({"since", "until", "till", "til", "before", "after"})
_WORD = lazy(r"\w+")
_TOPIC = lazy(r"\babout\s+(?:the\s+)?$", re.IGNORECASE)
_NAMED = frozenset({"holiday", "weekday"})
YEAR_IS_CLEAR = lazy(
    r"\d{4}|\b(?:last|this|next|past|previous|coming|upcoming)\b|年", re.IGNORECASE
)


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
    present = set(words_of(with_plain_letters(text)))
    titled: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for chat, title in chats.items():
        words = tuple(words_of(with_plain_letters(title)))
        if words and present.issuperset(words) and not known | STOP_WORDS >= set(words):
            titled[words].add(chat)
    inside: set[int] = set()
    for words in sorted(titled, key=len, reverse=True):
        if is_time(" ".join(words), newest):
            continue
        name = r"\W+".join(map(re.escape, words))
        place = re.compile(rf"{_AT}{name}{_CHAT}", re.IGNORECASE)
        for found in reversed([*place.finditer(with_plain_letters(text))]):
            text = f"{text[: found.end(1)]} everyone{text[found.end() :]}"
            inside |= titled[words]
    if not inside:
        partly, called = with_part_of_title(text, chats, known, newest, fewest_words)
        if len({chats[chat] for chat in called}) == 1:
            text, inside = partly, set(called)
    group = {word for found in _EVERYONE.findall(text) for word in words_of(found)} & {*_GROUPS}
    if group:
        inside |= {chat for chat, title in chats.items() if group & set(words_of(title))}
    unclear = len(chats) > 1 and not inside

    def everyone(found: re.Match[str]) -> str:
        return found[0] if unclear and ONE_CHAT.search(found[0]) else "everyone"

    return _EVERYONE.sub(everyone, text), frozenset(inside)


def is_time(name: str, newest: datetime) -> bool:
    """Whether a name has nothing but times: "Tuesday", and not "Tuesday Losers"."""
    text = f"in {name}"
    for atom in reversed(find_atoms(text, newest, "past")):
        text = f"{text[: atom.left]} {text[atom.right :]}"
    return text.split() in ([], ["in"])


def whole_title(words: Sequence[str]) -> str:
    """A regular expression of a title with these words, whatever stands between them."""
    return r"(?<!\w)" + r"\W+".join(map(re.escape, words)) + r"(?!\w)"


def without_titled_times(text: str, titles: Iterable[str], newest: datetime) -> str:
    """``text`` with other letters in place of the titles that have a time in them: "Tuesday Losers"."""
    present = {*words_of(text)}
    for words in map(words_of, titles):
        if len(words) > 1 and present.issuperset(words) and not is_time(" ".join(words), newest):
            text = re.sub(
                whole_title(words), lambda found: "x" * len(found[0]), text, flags=re.IGNORECASE
            )
    return text


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
    titles = {chat: words_of(with_plain_letters(title)) for chat, title in chats.items()}
    for found in _PART.finditer(with_plain_letters(text)):
        words = words_of(found["name"])
        if not found["the"] and len(words) < fewest_words:
            continue
        if {*words} <= known | STOP_WORDS | {*_GROUPS} or is_time(found["name"], newest):
            continue
        size = len(words)
        called = frozenset(
            chat
            for chat, title in titles.items()
            if any(title[at : at + size] == words for at in range(len(title) - size + 1))
        ) or of_club(words, titles)
        if called:
            start = found.start("the" if found["the"] else "name")
            return f"{text[:start]}everyone{text[found.end() :]}", called
    return text, frozenset()


def without_times(
    text: str, newest: datetime, known: set[str], prefer: Prefer
) -> tuple[str, tuple[TimeSpan, ...]]:
    """``text`` without the times that it names, and the times; open ranges are intersected.

    Here a season or a year counts without a preposition too ("our 2025 chats"); a holiday or
    a weekday right after "about" is a topic, not a time. A feast has all its days.
    """
    spans: list[TimeSpan] = []
    shared: list[TimeSpan] = []
    topics = set(known)
    atoms = find_atoms(text, newest, prefer)
    for atom in reversed(atoms):
        if _is_topic(text, atom):
            topics.update(words_of(text[atom.left : atom.right]))
            continue
        start, end = feast_of(text, atom) or atom.days
        if any(other != atom and other.start < end and start < other.end for other in atoms):
            start, end = atom.days  # "on Christmas Eve and at Christmas"
        whole = TimeSpan(start, end, text[atom.left : atom.right])
        (shared if atom.shape in OPEN else spans)[:0] = atom.parts or (whole,)
        text = f"{text[: atom.left]} {text[atom.right :]}"
    for word in _WORD.findall(text):
        plain = word.isalpha() or word.isdigit()  # "the 3rd most" names no day
        known_word = word.casefold() in topics or not plain
        bare = () if known_word else find_atoms(f"in {word}", newest, prefer)
        for atom in bare:
            spans.append(TimeSpan(atom.start, atom.end, word))
            text = re.sub(rf"\b{word}\b", " ", text)
    if shared:
        start = max(span.start for span in shared)
        end = min(span.end for span in shared if span.end > start)
        spans.append(TimeSpan(start, end, ", ".join(span.phrase for span in shared)))
    return text, tuple(spans)


def has_inexact_hours(text: str, newest: datetime) -> bool:
    """Whether a text names hours of any day ("after 10 pm"), or a minute, for which its day is taken."""
    atoms = find_atoms(text, newest, "past")
    one_day = any(atom.one_day for atom in atoms)
    return any((a.of_day and not one_day) or a.days != (a.start, a.end) for a in atoms)


def _is_topic(text: str, atom: Atom) -> bool:
    """Whether a holiday or a weekday is the topic ("about Christmas")."""
    led = _TOPIC.search(text, max(0, atom.left - LEAD), atom.left)
    named = {*atom.kinds} <= _NAMED and atom.shape == "point"
    return bool(led) and named and not YEAR_IS_CLEAR.match(text, atom.left)


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return [word.casefold() for word in _WORD.findall(text)]


def name_parts(name: str) -> set[str]:
    """The words of a name, also of one that is written without spaces; with and without diacritics."""
    words = {*words_of(name), *words_of(split_joined(name))}
    return words | {*map(with_plain_letters, words)}

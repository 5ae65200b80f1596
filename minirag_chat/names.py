"""Names as people write them: joined, with spaces, short. Decides which spellings may be one person.

``LiHua``, ``Li Hua`` and ``li  hua`` share a compact key; ``Wolfgang`` is the short form of
``WolfgangSchulz``. Whether a short form *is* that person is decided by :class:`PersonIndex`, which
knows who else has the same first name. Nothing is written here; the store keeps the links.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from itertools import islice

from minirag_chat.common_words import NOT_NAMES
from minirag_chat.lazy_patterns import lazy

_CAMEL = lazy(r"(?<=[a-z\u00df-\u00ff])(?=[A-Z\u00c0-\u00de])")
_SCOTTISH = lazy(r"\b(Ma?c) (?=[A-Z])")
_WORD = lazy(r"\w[\w\-]*", re.UNICODE)
_LETTERS = lazy(r"[^\W\d_](?:[^\W\d_]|['\u2019-](?=[^\W\d_]))*\.?")
_POSSESSIVE = lazy(r"['\u2019]s?$")
_PHONE_OR_MAIL = lazy(r"\+?(?:[\s().\u2010-\u2015/-]{0,3}\d){7,20}|[^\s@]+@[^\s@]+\.[^\s@]+")
ME = ("me", "you", "self", "我")  # what exports call the person who exported them
_OWNER_ELSEWHERE = (
    "myself ich moi vous yo tú usted eu você io ik jag jeg minä я вы 我自己 你 自分 私 나 본인"
)
OWNER_WORDS = frozenset((*ME, *_OWNER_ELSEWHERE.split()))
"""The same in more languages. They mean the owner only where an export marks which messages are theirs."""
JOINING = frozenset({"lihuaworld"})  # formats that write the words of a name without spaces
_DETERMINED = lazy(
    r"\b(?:the|an?|my|our|your|his|her|its|their|this|that|these|those|some|any|no|every|each|which|what"
    r"|many|much)\s+$",
    re.IGNORECASE,
)
_CONJUNCTION = lazy(
    r"\b(?:true|sure|certain|clear|likely|possible|fact|sa(?:y|ys|id)|th(?:inks?|ought)|hope[sd]?|agree[sd]?"
    r"|believe[sd]?|(?:told|tell) (?:me|us|you|him|her|them))\s+that\s+$",
    re.IGNORECASE,
)
"""Before these a "that" is no determiner: "is it true that nora plays?"."""
_MONTHS = frozenset("march april may june august".split())
_NUMBERED = lazy(r"\d(?:st|nd|rd|th)?\s+(?:of\s+)?$")
_BEGINS = lazy(r"(?:^|[.!?:\n\"\u201c\u2026])\s*$")
_ACTED = lazy(
    r"\s+(?:i|you|he|she|it|we|they|there|this|that|the|an?|my|our|your|his|her|their|all|any\w*|some\w*"
    r"|every\w*|people|do|be|have)\b",
    re.IGNORECASE,
)
LEAD = 40  # characters before a name in which a determiner ("the") or a sentence end is looked for
MIN_SHORT_NAME = 2
_TITLES = frozenset({"dr", "mr", "mrs", "ms"})
LONGEST_NAME = 6  # words; a telephone number may have six
MIN_WORDS = 2
MOST_SHARING = 50  # people with one first name; a name that more people share is ignored


_SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa", "Æ": "Ae"}
)
"""How letters are written without a keyboard for them: "Juergen" for "Jürgen"."""
_UNMARKED = str.maketrans("øØłŁđĐıİ", "oOlLdDiI")
"""Letters that Unicode does not take apart into a plain one and a mark."""


def spelling_hash(name: str) -> str:
    """A hash of a name's key, by which it can be found again where its text must not be kept."""
    return blake2b(spelling_key(name).encode(), digest_size=8).hexdigest()


def split_joined(name: str) -> str:
    """``WolfgangSchulz`` → ``Wolfgang Schulz``; names with a space, or Mc, are returned unchanged.

    For names of a format in ``JOINING``: in other formats ``SmileDent`` may be one word.
    """
    return name if " " in name else _SCOTTISH.sub(r"\1", split_camel_case(name))


def split_camel_case(text: str) -> str:
    """Text with a space before each capital inside a word."""
    return _CAMEL.sub(" ", text)


def without_possessive(name: str) -> str:
    """``Ottoline's`` → ``Ottoline``; other names are returned unchanged."""
    return _POSSESSIVE.sub("", name)


def spelling_key(name: str) -> str:
    """Normalise a spelling: two with the same key are one row. Ignores case, width and runs of spaces."""
    normal = unicodedata.normalize("NFKC", name)
    visible = normal if normal.isprintable() else "".join(filter(str.isprintable, normal))
    return " ".join(visible.split()).casefold()


def compact_key(name: str) -> str:
    """Two spellings with the same compact key are surely one person: it ignores all spaces too."""
    return spelling_key(name).replace(" ", "")


def without_accents(text: str) -> str:
    """Text in lower case without diacritics, to match what people type: "Sofia" finds "Sofía"."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))


def with_plain_letters(text: str) -> str:
    """Text of the same length in which each letter has no diacritics; its case stays."""
    return text if text.isascii() else "".join(map(_plain_letter, text))


def _plain_letter(letter: str) -> str:
    parts = unicodedata.normalize("NFD", letter)
    return parts[0] if all(map(unicodedata.combining, parts[1:])) else letter


def is_phone_or_mail(name: str) -> bool:
    """Whether a sender is only known by a phone number or an e-mail address, as who is not a contact."""
    return _PHONE_OR_MAIL.fullmatch(name.strip()) is not None


def first_name(name: str) -> str:
    """The key of the first word of a name of several words, else an empty string."""
    words = spelling_key(name).split()
    if len(words) < MIN_WORDS or len(words[0]) < MIN_SHORT_NAME or words[0] in _TITLES:
        return ""
    return words[0] if len(words[0]) > MIN_SHORT_NAME or words[0].isalpha() else ""


def last_name(name: str) -> str:
    """The last word of a name of several words that has letters only, or an empty string.

    Emoji, numbers and remarks in brackets are no words of a name, and a title is not counted.
    """
    letters = [word for word in name.split() if _LETTERS.fullmatch(word)]
    words = [word for word in letters if word.casefold().rstrip(".") not in _TITLES]
    return words[-1] if len(words) >= MIN_WORDS and len(words[-1]) > MIN_SHORT_NAME else ""


def same_person(
    spellings: Mapping[int, str],
    senders: frozenset[int],
    rank: Mapping[int, tuple[bool, int, int]] | None = None,
) -> dict[int, int]:
    """Which spellings are the same person: ``{spelling id: id of the main spelling}``, one step deep.

    Two rules, both safe to undo: an equal compact key, and a single first name that exactly one person
    with a longer name has. A sender is preferred as the main spelling, then the lowest ``rank``, which
    is the id if ``rank`` is not given.
    """
    by_compact: dict[str, list[int]] = defaultdict(list)
    for identity, name in spellings.items():
        by_compact[compact_key(name)].append(identity)
    links: dict[int, int] = {}
    heads: dict[str, set[int]] = defaultdict(set)
    for group in by_compact.values():
        head = min(group, key=lambda i: (i not in senders, rank[i] if rank else (True, 0, i)))
        links.update({other: head for other in group if other != head})
        short = next((first_name(spellings[i]) for i in group if first_name(spellings[i])), "")
        if short:
            heads[short].add(head)
    for short, owners in heads.items():
        lone = by_compact.get(short)
        if lone and len(owners) == 1:
            links.update(dict.fromkeys(lone, next(iter(owners))))
    return {spelling: _last(links, head) for spelling, head in links.items()}


def _last(links: Mapping[int, int], spelling: int) -> int:
    """Follow links to their end; each leads to a longer name."""
    while spelling in links:
        spelling = links[spelling]
    return spelling


class PersonIndex:
    """Finds the people a text names. Built from ``{person id: spellings}`` of canonical people."""

    def __init__(self, people: Mapping[int, Iterable[str]]) -> None:
        self._exact: dict[str, set[int]] = defaultdict(set)
        self._short: dict[str, set[int]] = defaultdict(set)
        # by the words of a name: what it has before and after them, as in "Tom 🌸" or "+49 170 123"
        self._edged: dict[str, dict[tuple[str, str], set[int]]] = defaultdict(dict)
        forms = {
            form for one, names in people.items() for name in names for form in self._add(one, name)
        }
        known = {*self._exact, *self._short}
        for identity, names in people.items():
            for name in {form for one in names for form in _typed(one)}:
                if known.isdisjoint(
                    {spelling_key(name), first_name(name)} - {""}
                ):  # nobody's own name
                    forms |= self._add(identity, name)
        split = [w for name in (*forms, *self._exact, *self._short) if (w := _WORD.findall(name))]
        self._begins = {_word_key(words[0]) for words in split}
        self._longest = min(max(map(len, split), default=0), LONGEST_NAME)

    def _add(self, identity: int, name: str) -> set[str]:
        """Know a person by this name; returns its forms."""
        both = {name, split_joined(name)}
        for form in both:
            before, key, after = _parts(form)
            if before or after:
                self._edged[key].setdefault((before, after), set()).add(identity)
                self._short[key].add(identity)
            else:
                self._exact[key].add(identity)
        if first_name(name):
            self._short[first_name(name)].add(identity)
        return both

    def find(
        self, text: str, participants: frozenset[int] = frozenset(), *, lower: bool = True
    ) -> list[tuple[int, int, tuple[int, ...]]]:
        """``(start, end, people)`` of each name in ``text``; the longest possible name is taken.

        For a first name that several people share, ``people`` is the one who takes part in the chat, if
        exactly one does; else all of them, or nobody if there are more than ``MOST_SHARING``. With
        ``lower``, "nora" counts too, unless it is a common word ("mark") or follows a determiner ("the
        landlord"). "Will you?" names nobody.
        """
        if text.isascii() and self._begins.isdisjoint(_WORD.findall(text.lower())):
            return []  # quick way out for most messages
        words = list(_WORD.finditer(text))
        found: list[tuple[int, int, tuple[int, ...]]] = []
        index = 0
        while index < len(words):
            word, begin = words[index][0], words[index].start()
            may = _word_key(word) in self._begins and (lower or _may_begin(word))
            step = 1
            for size in range(min(self._longest, len(words) - index) if may else 0, 0, -1):
                end = words[index + size - 1].end()
                owners = self._owners(text[begin:end], participants)
                if owners and (size > 1 or self._is_name(text, begin, end)):
                    left = found[-1][1] if found else 0
                    found.append(self._with_edges(text, (begin, end, owners), left))
                    step = size
                    break
            index += step
        return found

    def called(self, word: str) -> frozenset[int]:
        """Those whose whole name is this word; emoji and other signs around it do not count."""
        key = spelling_key(word)
        edged = self._edged.get(key, {}).values()
        return frozenset(self._exact.get(key, ())).union(*edged)

    def knows(self, word: str) -> bool:
        """Whether this is somebody's name, the first word of one, or one without its emoji."""
        key = spelling_key(word)
        return key in self._exact or key in self._short

    def _with_edges(
        self, text: str, place: tuple[int, int, tuple[int, ...]], left: int
    ) -> tuple[int, int, tuple[int, ...]]:
        """The place of a name with the emoji, dot or plus sign that are part of it, if they are there.

        The name before it ends at ``left``.
        """
        begin, end, _owners = place
        edged = self._edged.get(spelling_key(text[begin:end]), {}) if self._edged else {}
        if len(edged) > MOST_SHARING:
            return place
        there = [
            (begin - len(before), end + len(after), tuple(sorted(whose)))
            for (before, after), whose in edged.items()
            if text.endswith(before, left, begin) and text.startswith(after, end)
        ]
        return max(there, key=lambda found: found[1] - found[0], default=place)

    def _is_name(self, text: str, start: int, end: int) -> bool:
        """Whether one word is meant as a name: not "Will" in "Will Nora come?", nor "the landlord"."""
        word, common = text[start:end], text[start:end].casefold() in NOT_NAMES
        if word.casefold() in _MONTHS and _NUMBERED.search(text, max(0, start - LEAD), start):
            return False  # "8th May"
        if not _may_begin(word):
            near = max(0, start - LEAD)
            if common or len(word) == 1:
                return False
            determined = _DETERMINED.search(text, near, start)
            return not determined or _CONJUNCTION.search(text, near, start) is not None
        if not common or not _BEGINS.search(text[max(0, start - LEAD) : start]):
            return True
        after = _WORD.match(text, end + 1)
        named = after is not None and _may_begin(after[0]) and self._owners(after[0], frozenset())
        return not named and not _ACTED.match(text, end)

    def _owners(self, phrase: str, participants: frozenset[int]) -> tuple[int, ...]:
        key = spelling_key(phrase)
        owners = self._exact.get(key) or self._short.get(key)
        if not owners:
            return ()
        if len(owners) > 1:
            few, many = sorted((owners, participants), key=len)
            present = list(islice((owner for owner in few if owner in many), 2))
            owners = set(present) if len(present) == 1 else owners
        return tuple(sorted(owners)) if len(owners) <= MOST_SHARING else ()


def _typed(name: str) -> set[str]:
    """A name as it is typed without a keyboard for its letters: "Juergen" and "Jurgen" for "Jürgen"."""
    return {name.translate(_SPELLED_OUT), with_plain_letters(name.translate(_UNMARKED))} - {name}


def _parts(name: str) -> tuple[str, str, str]:
    """What a name has before its words, the spelling key of these, and what it has after them."""
    name = " ".join(name.split())
    words = [word.span() for word in _WORD.finditer(name)]
    begin, end = (words[0][0], words[-1][1]) if words else (0, len(name))
    return name[:begin], spelling_key(name[begin:end]), name[end:]


def _word_key(word: str) -> str:
    """The spelling key of one word, computed faster if it is ASCII."""
    return word.lower() if word.isascii() else spelling_key(word)


def _may_begin(word: str) -> bool:
    """Whether a word may begin a name: it has a capital, or its script has no capitals."""
    return word[0].isupper() or word[0].lower() == word[0].upper()

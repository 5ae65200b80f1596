"""Names as people write them: joined, spaced, short. Decides which spellings may be one person.

``LiHua``, ``Li Hua`` and ``li  hua`` share a compact key; ``Wolfgang`` is the short form of
``WolfgangSchulz``. Whether a short form *is* that person is decided by :class:`PersonIndex`, which
knows who else has the same first name. Nothing here writes; links are stored by the store.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice

_CAMEL = re.compile(r"(?<=[a-z\u00df-\u00ff])(?=[A-Z\u00c0-\u00de])")
_SCOTTISH = re.compile(r"\b(Ma?c) (?=[A-Z])")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w[\w\-]*", re.UNICODE)
_POSSESSIVE = re.compile(r"['\u2019]s?$")
ME = ("me", "you", "self", "我")  # what exports call who exported them
MIN_SHORT_NAME = 3
LONGEST_NAME = 4
MOST_SHARING = 50  # people of one first name; shared by more of them it names nobody


def split_joined(name: str) -> str:
    """``WolfgangSchulz`` → ``Wolfgang Schulz``; names with a blank, or Mc, come back as they are."""
    return name if " " in name else _SCOTTISH.sub(r"\1", split_camel_case(name))


def split_camel_case(text: str) -> str:
    """Text with a blank before each capital inside a word."""
    return _CAMEL.sub(" ", text)


def without_possessive(name: str) -> str:
    """``Ottoline's`` → ``Ottoline``; other names come back as they are."""
    return _POSSESSIVE.sub("", name)


def spelling_key(name: str) -> str:
    """What makes two spellings the same row: case, width and runs of blanks do not count."""
    visible = "".join(c for c in unicodedata.normalize("NFKC", name) if c.isprintable())
    return _SPACE.sub(" ", visible).strip().casefold()


def compact_key(name: str) -> str:
    """What makes two spellings one person for certain: blanks do not count either."""
    return spelling_key(name).replace(" ", "")


def first_name(name: str) -> str:
    """The key of the first word of a name of several words, else an empty string."""
    words = spelling_key(split_joined(name)).split()
    return words[0] if len(words) > 1 and len(words[0]) >= MIN_SHORT_NAME else ""


def same_person(
    spellings: Mapping[int, str],
    senders: frozenset[int],
    rank: Mapping[int, tuple[bool, int, int]] | None = None,
) -> dict[int, int]:
    """Which spelling stands for which: ``{spelling id: id it belongs to}``, links one step deep.

    Two rules, both safe to undo: an equal compact key, and a lone first name that exactly one
    person of several words has. Senders are preferred as the one that others point to, then the
    lowest ``rank``, which is the id where none is given.
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
    return links


class PersonIndex:
    """Finds the people a text names. Built from ``{person id: spellings}`` of canonical people."""

    def __init__(self, people: Mapping[int, Iterable[str]]) -> None:
        self._exact: dict[str, set[int]] = defaultdict(set)
        self._short: dict[str, set[int]] = defaultdict(set)
        for identity, spellings in people.items():
            for name in spellings:
                self._exact[spelling_key(name)].add(identity)
                self._exact[spelling_key(split_joined(name))].add(identity)
                if first_name(name):
                    self._short[first_name(name)].add(identity)

    def find(
        self, text: str, participants: frozenset[int] = frozenset()
    ) -> list[tuple[int, int, tuple[int, ...]]]:
        """``(start, end, people)`` of each name in ``text``, the longest names first taken.

        A first name that several people share gives those who take part in the chat, where that
        leaves exactly one; else all of them, or none where they are more than ``MOST_SHARING``.
        """
        words = [(m.start(), m.end(), m.group()) for m in _WORD.finditer(text)]
        found: list[tuple[int, int, tuple[int, ...]]] = []
        index = 0
        while index < len(words):
            step = 1
            longest = min(LONGEST_NAME, len(words) - index) if _may_begin(words[index][2]) else 0
            for size in range(longest, 0, -1):
                start, end = words[index][0], words[index + size - 1][1]
                phrase = text[start:end]
                owners = self._owners(phrase, participants)
                if owners:
                    found.append((start, end, owners))
                    step = size
                    break
            index += step
        return found

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


def _may_begin(word: str) -> bool:
    """Say whether a name may begin with a word: a capital, or a script without capitals."""
    return word[0].isupper() or word[0].lower() == word[0].upper()

"""The chat whose title has other forms of the words by which a question calls it: "walking", "Walkers"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.store.text import stem

CLUB = r"(?:club|team|crew|gang|society|circle)"
"""What a question may call a group beside its title, and messages may call something else."""
_CLUB = lazy(CLUB, re.IGNORECASE)
_FEWEST = 4  # letters of a word and of its stem
_AGENT = 6  # letters of a stem that ends in "er" or "or"


def called_alike(words: Sequence[str], titles: Mapping[int, Sequence[str]]) -> frozenset[int]:
    """The chats of the only title in which each of these words has another form; none without one."""
    content = [word for word in words if word not in STOP_WORDS]
    if not content or min(map(len, content)) < _FEWEST:
        return frozenset()
    wanted = {_root(word) for word in content}
    found = {chat: tuple(title) for chat, title in titles.items() if wanted <= {*map(_root, title)}}
    return frozenset(found) if len({*found.values()}) == 1 else frozenset()


def of_club(words: Sequence[str], titles: Mapping[int, Sequence[str]]) -> frozenset[int]:
    """The chats of the only title with other forms of the words before "club": "the walking club"."""
    return called_alike(words[:-1], titles) if words[1:] and is_club(words[-1]) else frozenset()


def is_club(noun: str) -> bool:
    """Whether this is a word for a club."""
    return _CLUB.fullmatch(noun) is not None


def _root(word: str) -> str:
    """The stem of a word, for those who do something ("walker") that of what they do."""
    root = stem(word)
    if len(root) >= _AGENT and root.endswith(("er", "or")):
        root = root[:-2]
        root = root[:-1] if root[-1] == root[-2] else root
    return root.rstrip("e")

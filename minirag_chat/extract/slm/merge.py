"""Which names are one entity, and which message of a chunk says so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import PersonIndex, spelling_key, split_joined
from minirag_chat.records import EntityType, Message
from minirag_chat.store.text import stem
from minirag_chat.times import find_times

_ARTICLE = lazy(r"^(?:the|a|an|my|our|his|her|their|your|this|that)\s+")
_WORD = lazy(r"\w+")


def merge_key(
    name: str,
    kind: EntityType,
    said_at: datetime,
    people: PersonIndex,
    participants: frozenset[int] = frozenset(),
) -> tuple[str, int | None]:
    """The key that all names of one entity share, and the person where it is one.

    People by the spellings that are known of them, times by the day that they mean when they are
    said, everything else by its word stems without an article.
    """
    found = people.find(name, participants)
    if len(found) == 1 and len(found[0][2]) == 1 and found[0][:2] == (0, len(name)):
        return f"person {found[0][2][0]}", found[0][2][0]
    if kind == "time" and (times := find_times(name, said_at, prefer="future")):
        return f"time {times[0].start:%Y-%m-%d}", None
    plain = _ARTICLE.sub("", spelling_key(split_joined(name)))
    return " ".join(stem(word) for word in _WORD.findall(plain)) or plain, None


def stating_message(name: str, description: str, messages: Sequence[Message]) -> Message:
    """The message of a chunk that states what was extracted.

    Of those that hold the name, or else those of its sender, or else all, the one that shares the
    most words with what is said.
    """
    folded_name = name.casefold()
    holding = [m for m in messages if folded_name in m.text.casefold()]
    sending = [m for m in messages if folded_name in m.shown_sender.casefold()]
    words = set(_WORD.findall(description.casefold()))
    return max(
        holding or sending or messages,
        key=lambda m: (len(words & set(_WORD.findall(m.text.casefold()))), -m.id),
    )

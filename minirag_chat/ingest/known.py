"""An index of the chats in a database: by key, by title, or by their people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from minirag_chat.importers.phone_numbers import ends_of, may_be_same_chat
from minirag_chat.names import spelling_key

Row = tuple[int, str, str | None, str | None]  # chat, platform, key, title


@dataclass(slots=True)
class _Chat:
    """One chat: the platform's key, the title, and the people who write in it."""

    platform: str
    key: str | None
    title: str | None
    people: set[int] = field(default_factory=set)


class KnownChats:
    """Chats by platform and key, by platform and title, and those with neither by their people."""

    def __init__(self) -> None:
        self._chats: dict[int, _Chat] = {}
        self._keyless: dict[str, set[int]] = defaultdict(set)
        self._by_key: dict[tuple[str, str], int] = {}
        self._by_title: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._nameless: dict[tuple[str, int], set[int]] = defaultdict(set)
        self._ends: set[tuple[str, str | None]] = set()  # last digits of keys with phone numbers

    def put(self, row: Row, people: Iterable[int]) -> None:
        """Add a chat, or update one with a new key, title or more people."""
        chat, platform, key, title = row
        known = self._chats.setdefault(chat, _Chat(platform, key, title))
        known.key, known.title = key, title
        known.people.update(people)
        self._keyless[platform].add(chat)
        if key is not None:
            self._keyless[platform].discard(chat)
            self._by_key[platform, key] = chat
            self._ends.add((platform, ends_of(key)))
        if title is not None:
            self._by_title[platform, spelling_key(title)].add(chat)
        if key is None and title is None:
            for person in known.people:
                self._nameless[platform, person].add(chat)

    def may_have_key(self, chat: int, key: str | None) -> bool:
        """Whether an exported chat with this ``key`` may be the known one: their keys do not contradict it.

        They do not if one has no key, or if both are one phone number, with and without country code.
        """
        known = self._chats.get(chat)
        if known is None:
            return False
        return key is None or known.key is None or may_be_same_chat(known.key, key)

    def any_may_have_key(self, platform: str, key: str | None) -> bool:
        """Whether ``may_have_key`` is true of any known chat of the platform."""
        if key is None:
            return platform in self._keyless
        ends = ends_of(key)
        return bool(self._keyless.get(platform)) or (
            ends is not None and (platform, ends) in self._ends
        )

    def title(self, chat: int) -> str:
        """The title of a chat, normalised for comparison; empty if it has none."""
        return spelling_key(self._chats[chat].title or "")

    def with_key(self, platform: str, key: str) -> int | None:
        """The chat with this key of its platform."""
        return self._by_key.get((platform, key))

    def titled(self, platform: str, title: str) -> list[int]:
        """The chats that have, or had, this title, the oldest first."""
        return sorted(self._by_title.get((platform, spelling_key(title)), ()))

    def people(self, chat: int) -> frozenset[int]:
        """The people who write in a chat."""
        return frozenset(self._chats[chat].people)

    def groups(self) -> Iterator[frozenset[int]]:
        """The people who write, for each chat."""
        return (frozenset(chat.people) for chat in self._chats.values())

    def nameless_with(self, platform: str, people: Iterable[int]) -> list[int]:
        """The chats without key or title in which one of these people writes, the oldest first."""
        found = set[int]().union(*(self._nameless.get((platform, p), ()) for p in people))
        return sorted(chat for chat in found if self._is_nameless(chat))

    def _is_nameless(self, chat: int) -> bool:
        known = self._chats[chat]
        return known.key is None and known.title is None

"""Compares phone numbers, written with or without country code, and finds the chats that they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Numbers = tuple[str, ...]

_FEWEST_DIGITS = 7  # shorter ones are short numbers of services
_COUNTRY_CODE = 3  # digits at most
_WHOLE = "tel:"  # before a number in a key; earlier versions cut numbers, and wrote none
_CUT_DIGITS = 8
_BETWEEN = "~"


class NumberedChats:
    """The chats of one file by their numbers.

    A number with country code and one without are the same only if the contact's name is the same: in
    another country the digits may be somebody else's.
    """

    def __init__(self) -> None:
        self._chats: dict[Numbers, Numbers] = {}  # numbers: those with which the chat began
        self._alike: dict[tuple[str, Numbers], Numbers] = {}  # name and last digits: the same
        self._longest: dict[Numbers, Numbers] = {}  # a chat: its numbers with country codes

    def of(self, numbers: Iterable[str], name: str) -> Numbers:
        """Return the chat of these numbers; ``name`` is the contact's, or empty."""
        written = tuple(sorted(map(plain, numbers), key=lambda number: (_end(number), number)))
        if written not in self._chats:
            first = self._alike.setdefault((name, tuple(map(_end, written))), written)
            longest = self._longest.get(first, written)
            chat = first if all(map(is_same, longest, written)) else written
            self._chats[written] = chat
            pairs = zip(self._longest.get(chat, written), written, strict=True)
            self._longest[chat] = tuple(max(pair, key=len) for pair in pairs)
        return self._chats[written]

    def key(self, chat: Numbers) -> str:
        """Return the key of a chat: its numbers with country codes, if the file has them."""
        return _BETWEEN.join(
            number if _is_short(number) else f"{_WHOLE}{number}" for number in self._longest[chat]
        )


class ContactNames:
    """The names of the numbers of one file."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._alike: dict[str, str] = {}  # last digits: the number that had them last

    def put(self, number: str, name: str) -> None:
        """Give a number a name."""
        number = plain(number)
        self._names[number] = name
        self._alike[_end(number)] = number

    def put_all(self, numbers: Sequence[str], names: Sequence[str]) -> None:
        """Name the numbers of a group in order, if one of the names is known already and none contradicts."""
        if len(numbers) != len(names):
            return
        pairs = [
            (self.of(number), number, name) for number, name in zip(numbers, names, strict=True)
        ]
        if any(known for known, _, _ in pairs) and all(
            known in ("", name) for known, _, name in pairs
        ):
            for known, number, name in pairs:
                if not known and name:
                    self.put(number, name)

    def of(self, number: str) -> str:
        """Return the name of a number, with or without its country code; empty if none is known."""
        number = plain(number)
        alike = self._alike.get(_end(number), "")
        return self._names.get(number) or (self._names[alike] if is_same(alike, number) else "")


def digits_of(number: str) -> str:
    """A phone number without spaces and dashes; other texts stay."""
    return re.sub(r"[\s().-]", "", number) or number


def plain(number: str) -> str:
    """The digits of a number without what precedes the country code; a short one, or a name, as it is."""
    digits = digits_of(number)
    return digits if _is_short(digits) else _significant(digits)


def is_same(one: str, other: str) -> bool:
    """Whether two numbers differ by no more than a country code, or the zeros in its place."""
    short, long = sorted(map(_significant, (one, other)), key=len)
    return bool(short) and long.endswith(short) and len(long) - len(short) <= _COUNTRY_CODE


def ends_of(key: str) -> str | None:
    """The last digits of each number in a chat's key; None if it has none."""
    numbers = _numbers(key)
    return _BETWEEN.join(map(_end, numbers)) if any(map(_is_long, numbers)) else None


def may_be_same_chat(known: str, key: str) -> bool:
    """Whether two keys may be of one chat: one lacks a country code, or the known one has cut numbers."""
    numbers, others = _numbers(known), _numbers(key)
    if _WHOLE not in key or len(numbers) != len(others):
        return False
    if _WHOLE in known:
        return all(map(is_same, numbers, others))
    return all(other.endswith(number) for number, other in zip(numbers, others, strict=True))


def _numbers(key: str) -> list[str]:
    parts = (part.removeprefix(_WHOLE) for part in key.split(_BETWEEN))
    numbers = (part if len(part) <= _CUT_DIGITS else _significant(part) for part in parts)
    return sorted(numbers, key=lambda number: (_end(number), number))


def _significant(number: str) -> str:
    return number.removeprefix("+").lstrip("0")


def _is_short(number: str) -> bool:
    return not _is_long(_significant(number))


def _is_long(number: str) -> bool:
    return number.isdecimal() and len(number) >= _FEWEST_DIGITS


def _end(number: str) -> str:
    """The digits that a number has with and without its country code."""
    return number[-_FEWEST_DIGITS:] if _is_long(number) else number

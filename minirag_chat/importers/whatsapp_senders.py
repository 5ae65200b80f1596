"""Finds the senders in WhatsApp's lines, where names and notices may contain colons."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from minirag_chat.importers.base import MARKS, clean_name
from minirag_chat.importers.limits import LONGEST_NAME
from minirag_chat.importers.speakers import is_heading
from minirag_chat.importers.whatsapp_phrases import (
    OWN_MARKS,
    is_about_community,
    is_about_encryption,
    is_about_member,
    is_about_members,
    is_group_notice,
    is_notice,
    media_part,
    people_in_arabic_notice,
)
from minirag_chat.lazy_patterns import lazy

_LONGEST_NAME = 40
_OFTEN = 4
_MOSTLY = 0.8
_MOST_NAME_WORDS = 12
_WORDS_OF_NOTICE = 5  # at least, after the name of a member
_WORDS_BEFORE_QUOTE = 3
_NOTICED = 3  # times that a notice can be repeated
_FIRST = 5  # entries of a chat, among which the notice about encryption is
_FEWEST_OTHERS = 2  # members beside the name of a group
# An apostrophe stands after a letter or is never closed.
_SINGLE_OPENS, _SINGLE_CLOSES = lazy(r"(?<!\w)'(?=\w)"), lazy(r"(?<=\S)'(?!\w)")
_QUOTES = (("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("《", "》"))


class Names:
    """Decides which texts before a colon are senders, by their frequency in the whole file.

    A colon inside a quotation does not end a sender (``Ann changed the subject to "Rome: plan"``). A
    text that occurs several times, always with the same words up to a second colon, is the beginning of
    a name with a colon (``Dr. Hill: Surgery``). A name with only WhatsApp's own texts, such as a group's
    on iOS, ``speaks_as_system``. On iOS the notice about encryption is under the chat's name.
    """

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._marked: Counter[tuple[str, str]] = Counter()  # with the mark
        self._noticed: dict[str, str] = {}  # names with a notice about a group, and its mark
        self._chat: str | None = None  # the name with the notice about encryption
        self._further: dict[str, str] = {}
        self._agreed: Counter[str] = Counter()

    def see(self, first: str) -> None:
        """Count the sender of an entry's first line."""
        name, found, text = _at_colon(first)
        if found:
            sender = clean_sender(name)
            second, colon, _ = text.partition(": ")
            if colon and len(second) <= _LONGEST_NAME and not is_heading(second):
                self._agreed[sender] += self._further.setdefault(sender, second) == second
            self._count[sender] += 1
            if text.startswith(OWN_MARKS) and _is_own_words(text):
                self._see_own_words(sender, text)

    def _see_own_words(self, sender: str, text: str) -> None:
        mark = text[0]
        self._marked[sender, mark] += 1
        if self._chat is None and is_about_encryption(text):
            first = _FIRST if mark == OWN_MARKS[0] else 1
            self._chat = sender if self._count.total() <= first else None
        own = is_about(sender, text) or is_about_member(sender, text)
        if is_group_notice(text) and not own:
            self._noticed.setdefault(sender, mark)

    def speaks_as_system(self, sender: str) -> bool:
        """Whether all texts under a name are WhatsApp's own, and some are about a group.

        A person whose texts are all marked only sent media, in a language missing from our tables, or writes
        from right to left.
        """
        mark = self._noticed.get(sender, "")
        if not mark or self._count[sender] != self._marked[sender, mark]:
            return False
        is_group = sender == self._chat and len(self._count) > _FEWEST_OTHERS
        return is_group or mark == OWN_MARKS[0]

    def group_name(self) -> str | None:
        """The chat's name at the time of the export, which iOS writes as the sender of its notices."""
        found = [name for name in self._noticed if self.speaks_as_system(name)]
        return self._chat or (found[0] if len(found) == 1 else None)

    def is_about_own_encryption(self, sender: str, text: str) -> bool:
        """Whether a text is the notice about encryption, under the chat's name."""
        return sender == self._chat and is_about_encryption(text)

    def begins_with_member(self, text: str) -> bool:
        """Whether a sentence about members begins with the name of a sender."""
        said = clean_name(text).removeprefix("~")
        return is_about_members(text) and self._begins_with_another(said) > 0

    def writes_often(self, first: str) -> bool:
        """Whether an entry's first line names a sender of other entries too."""
        name, found, _ = _at_colon(first)
        return bool(found) and self._count[clean_sender(name)] > 1

    def writes_once(self, first: str) -> bool:
        """Whether an entry's first line names a sender of no other entry."""
        name, found, _ = _at_colon(first)
        return bool(found) and self._count[clean_sender(name)] == 1

    def split(self, first: str) -> tuple[str, str] | None:
        """Return sender and text of an entry's first line, or None for a system line."""
        name, found, text = _at_colon(first)
        if not found:
            name, found, text = first[:LONGEST_NAME].partition(":")
            text = first[len(name) + len(found) :]
            if self._count[clean_sender(name)] == 0:
                return None
        sender = clean_sender(name)
        if (
            not sender
            or self._is_cut_notice(sender, text)
            or self._ends_with_colon_name(sender, text)
        ):
            return None
        further = self._further.get(sender)
        if further is None or self._agreed[sender] < max(_OFTEN, _MOSTLY * self._count[sender]):
            return sender, text
        if text.startswith(f"{further}: "):
            return f"{sender}: {clean_sender(further)}", text[len(further) + 2 :]
        return None if text.startswith(f"{further} ") else (sender, text)

    def _is_cut_notice(self, name: str, text: str) -> bool:
        """Whether the text before a colon is part of a notice: by its quotation or its words."""
        if self._count[name] == 1 and (is_notice(name) or self._is_done_by_member(name, text)):
            return True
        if self._count[name] <= _NOTICED and is_about_community(name):
            return True
        if not _opens_quotation(name):
            return False
        return self._count[name] == 1 or self._begins_with_another(name) > 0

    def _is_done_by_member(self, name: str, text: str) -> bool:
        """Whether a member's name is followed by many words about a group, or by a quotation with a colon."""
        size = self._begins_with_another(name)
        rest = name.split()[size:]
        if not size or rest[0][0].isupper():
            return False
        if len(rest) >= _WORDS_OF_NOTICE and is_group_notice(" ".join(rest)):
            return True
        opened = len(_SINGLE_OPENS.findall(name)) > len(_SINGLE_CLOSES.findall(name))
        closed = _SINGLE_CLOSES.search(text) is not None
        return len(rest) > _WORDS_BEFORE_QUOTE and opened and closed

    def is_done_in_arabic(self, text: str) -> bool:
        """Whether a text is a notice in Arabic about a member, whose name is after the verb."""
        people = people_in_arabic_notice(clean_name(text))
        words = people.split()
        return any(
            self._count[" ".join(part)]
            for size in range(1, min(len(words), _MOST_NAME_WORDS) + 1)
            for part in (words[:size], words[-size:])
        )

    def _ends_with_colon_name(self, name: str, text: str) -> bool:
        """Whether a notice ends with a sender whose name has a colon: ``Ann added Dr. Hill: Surgery``."""
        words = name.split()
        return self._count[name] == 1 and any(
            self._agreed[last] >= _OFTEN and self._further[last] == text
            for last in (" ".join(words[at:]) for at in range(1, len(words)))
        )

    def _begins_with_another(self, name: str) -> int:
        """How many of the first words are another sender's name; 0 if none are."""
        words = name.split()
        sizes = range(min(len(words) - 1, _MOST_NAME_WORDS), 0, -1)
        return next((size for size in sizes if self._count[" ".join(words[:size])]), 0)


@lru_cache(maxsize=4096)
def _opens_quotation(name: str) -> bool:
    if name.count('"') % 2 == 1:
        return True
    return any(name.count(pair[0]) > name.count(pair[1]) for pair in _QUOTES)


def _at_colon(first: str) -> tuple[str, str, str]:
    """Split a line at its first colon followed by a space or nothing."""
    name, found, text = first.partition(": ")
    if not found and first.endswith(":"):
        name, found = first[:-1], ":"
    return (name, found, text) if len(name) <= LONGEST_NAME else (first, "", "")


@lru_cache(maxsize=4096)
def clean_sender(name: str) -> str:
    """Return a sender's name without marks and the ``~`` of people who are not contacts."""
    return clean_name(clean_name(name).removeprefix("~"))


def is_about(sender: str, text: str) -> bool:
    """Whether a notice begins with its sender's name, with a ``~`` if it is not a contact's.

    In Turkish a comma follows the name.
    """
    return text.lstrip(f"{MARKS}~\u202f\u00a0 ").startswith((f"{sender} ", f"{sender}, "))


def _is_own_words(text: str) -> bool:
    """Whether a text is WhatsApp's own, and not media, a link or the head of a poll."""
    if not text.startswith(OWN_MARKS) or media_part(text) is not None:
        return False
    return "://" not in text and not text.rstrip().endswith(":")

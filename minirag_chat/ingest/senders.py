"""Matches people between two exports of one chat that use different names.

If a contact was renamed in the phone, or another member made the export, times and texts are the same and
the names differ. Two chats are joined only if it is certain that they are one: texts that two
chats may share by chance (short ones, those sent to several people, forwarded messages) are not enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, count, islice

from minirag_chat.names import ME, is_phone_or_mail, spelling_key
from minirag_chat.store import Store
from minirag_chat.store.chat_overlap import ChatOverlap
from minirag_chat.store.messages import DIRECT_SIZE
from minirag_chat.ui_text import cut

# Share of the messages in the common period that must be in both chats, of all people and of each.
LARGELY = 0.7
TEXTS = 3  # different distinctive texts that two chats must share
ALONE = 3  # so many shared distinctive messages of one person are enough
LONGEST_TITLE = 100  # characters of a chat's title in a name such as ``Me (Family)``
LOOKED_AT = 3  # chats that are compared, those with most in common first
EACH = 2  # or so many of each of two people


def is_same(likeness: ChatOverlap) -> bool:
    """Whether two chats are certainly one: each has most of the other's messages, from every person."""
    shared = sum(likeness.pairs.values())
    most = max(sum(likeness.said.values()), sum(likeness.known.values()))
    return certain(likeness) and shared >= LARGELY * most and not contradicted(likeness)


def contradicted(likeness: ChatOverlap) -> bool:
    """Whether someone in either chat wrote messages in the common period that the other chat lacks.

    This keeps apart two people who get the same newsletter: each answers something else. In a group it
    takes several such messages, since one may have been deleted in an export.
    """
    found = partners(likeness)
    direct = max(len(likeness.said), len(likeness.known)) <= DIRECT_SIZE
    least = 1 if direct else EACH
    here = any(n >= least for who, n in likeness.said.items() if who not in found)
    return here or any(
        n >= least for who, n in likeness.known.items() if who not in {*found.values()}
    )


def certain(likeness: ChatOverlap) -> bool:
    """Whether both chats have messages of the same two people, or of one under two names, not by chance."""
    found = partners(likeness)
    each = [likeness.pairs[pair] for pair in found.items()]
    renamed = any(likeness.pairs[pair] >= ALONE for pair in found.items() if pair[0] != pair[1])
    return likeness.texts >= TEXTS and (renamed or sum(n >= EACH for n in each) > 1)


def partners(likeness: ChatOverlap) -> dict[int, int]:
    """Maps senders of an export to senders of the known chat with largely the same messages."""
    return {
        mine: theirs
        for (mine, theirs), shared in likeness.pairs.items()
        if shared >= LARGELY * max(likeness.said.get(mine, 0), likeness.known.get(theirs, 0))
    }


def quiet_partners(everything: ChatOverlap, found: dict[int, int]) -> dict[int, int]:
    """Maps senders with too few messages for ``partners`` to the known sender with exactly the same ones."""
    taken = {*found.values()}
    here, there = {*everything.said}, {*everything.known}
    return {
        mine: theirs
        for (mine, theirs), shared in everything.pairs.items()
        if mine not in found and theirs not in taken and mine not in there and theirs not in here
        and shared == everything.said[mine] == everything.known[theirs]
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Pair:
    """A sender in an export, with all spellings there, and the same person in the known chat.

    ``crossed``: one of the names also occurs in the other chat, for somebody else.
    """

    mine: int
    theirs: int
    spellings: list[int]
    crossed: bool


class Senders:
    """Links the senders of an exported chat to those of the known chat that it continues."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.links: list[tuple[str, str]] = []
        self._titles: dict[int, str] = {}
        # by spelling: the new name, and the number shown so far
        self._named: dict[int, tuple[str, str]] = {}

    def find(self, chat: int, may_be: Callable[[int], bool]) -> list[int]:
        """The known chat that certainly is the exported one, by its texts alone; at most one."""
        counts = Counter(self._store.chat_overlap.distinctive_matches(chat))
        likely = [i for i, shared in counts.most_common() if shared >= TEXTS and may_be(i)]
        return list(islice((i for i in likely[:LOOKED_AT] if self._may_be_same(chat, i)), 1))

    def are_apart(self, chat: int, known: int) -> bool:
        """Whether an exported chat is certainly not a known one with many of its messages."""
        return contradicted(self._store.chat_overlap.likeness(chat, known))

    def _may_be_same(self, chat: int, known: int) -> bool:
        """Whether two chats are certainly one, and no user separated the people this would link."""
        likeness = self._store.chat_overlap.likeness(chat, known)
        renamed = (mine for mine, theirs in partners(likeness).items() if mine != theirs)
        return is_same(likeness) and all(map(self._store.people.may_be_another, renamed))

    def link(self, chat: int, known: int) -> dict[int, int]:
        """Link the senders of an exported chat to those of the known one; returns the links by id."""
        alike = self._store.chat_overlap
        if not alike.strays(chat, known):
            return {}
        likeness = alike.likeness(chat, known)
        if not certain(likeness):
            return {}
        found = partners(likeness)
        if is_same(likeness):
            found |= quiet_partners(alike.likeness(chat, known, distinctive=False), found)
        here, there = self._people(chat), self._people(known)
        crossed = {i for i, j in found.items() if i in there or j in here}
        pairs = [(i, j) for i, j in found.items() if i != j]
        return {
            mine: theirs
            for mine, theirs in pairs
            if self._link(_Pair(mine, theirs, here[mine], mine in crossed), chat, known)
        }

    def _people(self, chat: int) -> dict[int, list[int]]:
        """The spellings of each person's name in a chat."""
        person = self._store.people.canonical()
        found: dict[int, list[int]] = {}
        for spelling in self._store.staging.senders(chat):
            found.setdefault(person[spelling], []).append(spelling)
        return found

    def _link(self, pair: _Pair, chat: int, known: int) -> bool:
        """Link a sender to a known one; False if a user said that it is somebody else.

        A name that means another person in other chats ("Me", somebody else's "Dad") keeps its meaning
        there: in this chat the person gets another spelling.
        """
        people, spelling = self._store.people, pair.mine
        names = people.spellings()
        name, into = names[pair.mine][0], names[pair.theirs][0]
        if not people.may_be_another(spelling):
            return False
        if self._is_common(pair, chat, [*names[pair.mine], *names[pair.theirs]]):
            name, spelling = self._free(name, pair.theirs, self._title(known))
            if not people.may_be_another(spelling):
                return False
            self._store.chat_overlap.sent_by(chat, pair.spellings, spelling)
        if people.canonical()[spelling] != pair.theirs:
            people.merge(spelling, pair.theirs, "messages")
            if is_phone_or_mail(into) and not is_phone_or_mail(name):
                self._named[spelling] = name, into
            else:
                self.links.append((name, into))
        return True

    def name_numbers(self) -> None:
        """Give people who had only a number the name in this import; call it after all chats are joined."""
        for spelling, (name, number) in self._named.items():
            self._store.people.show_as(spelling, "messages")
            self.links.append((number, name))
        self._named.clear()

    def _title(self, known: int) -> str:
        """The title of a known chat; titles are read again only if the chat is new in this import."""
        if known not in self._titles:
            self._titles = self._store.messages.titles()
        return self._titles[known]

    def _free(self, name: str, theirs: int, title: str) -> tuple[str, int]:
        """An unused spelling for a person in one chat, such as ``Me (Family)``, and its id."""
        title = cut(title, LONGEST_TITLE)
        people = self._store.people
        numbered = (f"{name} ({title}, {number})" for number in count(2))
        spellings = (
            (one, people.ensure("person", one)) for one in chain([f"{name} ({title})"], numbered)
        )
        return next(one for one in spellings if people.canonical()[one[1]] in (one[1], theirs))

    def _is_common(self, pair: _Pair, chat: int, names: Iterable[str]) -> bool:
        """Whether a name means somebody else in other chats, or in the known one."""
        mine = any(spelling_key(name) in ME for name in names)
        return (
            pair.crossed
            or mine
            or self._store.chat_overlap.alone_elsewhere(pair.mine, pair.theirs, chat)
        )

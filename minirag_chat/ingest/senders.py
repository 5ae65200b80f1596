"""Who is who in two exports of one chat, where people are called differently in each.

A contact is renamed in the phone, or somebody else in the chat exports it: then times and texts are
those that are known, and the names are not. Two chats are one only where this is certain; what two
chats may have in common by chance (a short text, what is sent to several people, a forwarded message) is
not enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, count, islice

from minirag_chat.names import ME, spelling_key
from minirag_chat.store import Store
from minirag_chat.store.alike import Likeness
from minirag_chat.store.messages import DIRECT_SIZE

# Share of what is said in the time of both chats, and by each person, that is in both.
LARGELY = 0.7
TEXTS = 3  # different telling texts that two chats must have in common to be one
ALONE = 3  # telling messages of one person that show it without anybody else's
LOOKED_AT = 3  # chats that have most in common with an exported one
EACH = 2  # or: telling messages of each of two people


def is_same(likeness: Likeness) -> bool:
    """Whether two chats are certainly one: most of what is in either is in the other too, by everybody."""
    shared = sum(likeness.pairs.values())
    most = max(sum(likeness.said.values()), sum(likeness.known.values()))
    return certain(likeness) and shared >= LARGELY * most and not contradicted(likeness)


def contradicted(likeness: Likeness) -> bool:
    """Whether somebody in either chat says what the other does not have, though it is about that time.

    So two people who get the same newsletter stay apart: each answers something else. In a group that
    takes several messages of theirs, since one may have been deleted in an export.
    """
    found = partners(likeness)
    direct = max(len(likeness.said), len(likeness.known)) <= DIRECT_SIZE
    least = 1 if direct else EACH
    here = any(n >= least for who, n in likeness.said.items() if who not in found)
    return here or any(
        n >= least for who, n in likeness.known.items() if who not in {*found.values()}
    )


def certain(likeness: Likeness) -> bool:
    """Whether what two people said, or one under two names, is in both chats, and not by chance."""
    found = partners(likeness)
    each = [likeness.pairs[pair] for pair in found.items()]
    renamed = any(likeness.pairs[pair] >= ALONE for pair in found.items() if pair[0] != pair[1])
    return likeness.texts >= TEXTS and (renamed or sum(n >= EACH for n in each) > 1)


def partners(likeness: Likeness) -> dict[int, int]:
    """For each sender in an export who in the known chat said largely the same, and nothing else."""
    return {
        mine: theirs
        for (mine, theirs), shared in likeness.pairs.items()
        if shared >= LARGELY * max(likeness.said.get(mine, 0), likeness.known.get(theirs, 0))
    }


def quiet_partners(everything: Likeness, found: dict[int, int]) -> dict[int, int]:
    """Those who said too little to tell, where all of it, and nothing else, is said by one other."""
    told = {*found.values()}
    here, there = {*everything.said}, {*everything.known}
    return {
        mine: theirs
        for (mine, theirs), shared in everything.pairs.items()
        if mine not in found and theirs not in told and mine not in there and theirs not in here
        and shared == everything.said[mine] == everything.known[theirs]
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Pair:
    """A sender in an export, with the spellings there, and who that is in the known chat.

    ``crossed`` where the name is there too, or the known one here: as somebody else's.
    """

    mine: int
    theirs: int
    spellings: list[int]
    crossed: bool


class Senders:
    """Links the senders of an exported chat to those of the known chat that it is."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.links: list[tuple[str, str]] = []

    def find(self, chat: int, may_be: Callable[[int], bool]) -> list[int]:
        """The known chat that an exported one certainly is, whoever sends in it."""
        counts = Counter(self._store.alike.telling(chat))
        likely = [i for i, shared in counts.most_common() if shared >= TEXTS and may_be(i)]
        return list(islice((i for i in likely[:LOOKED_AT] if self._may_be_same(chat, i)), 1))

    def are_apart(self, chat: int, known: int) -> bool:
        """Whether an exported chat is certainly not a known one that has much of what it says."""
        return contradicted(self._store.alike.likeness(chat, known))

    def _may_be_same(self, chat: int, known: int) -> bool:
        """Whether two chats are certainly one, and no user said that those who send are not the same."""
        likeness = self._store.alike.likeness(chat, known)
        renamed = (mine for mine, theirs in partners(likeness).items() if mine != theirs)
        return is_same(likeness) and all(map(self._store.people.may_be_another, renamed))

    def link(self, chat: int, known: int) -> dict[int, int]:
        """Let the senders of an exported chat be those of the known one; returns who is whom."""
        alike = self._store.alike
        if not alike.strays(chat, known):
            return {}
        likeness = alike.likeness(chat, known)
        if not certain(likeness):
            return {}
        found = partners(likeness)
        if is_same(likeness):
            found |= quiet_partners(alike.likeness(chat, known, telling=False), found)
        here, there = self._people(chat), self._people(known)
        crossed = {i for i, j in found.items() if i in there or j in here}
        pairs = [(i, j) for i, j in found.items() if i != j]
        return {
            mine: theirs
            for mine, theirs in pairs
            if self._link(_Pair(mine, theirs, here[mine], mine in crossed), chat, known)
        }

    def _people(self, chat: int) -> dict[int, list[int]]:
        """The spellings under which each person sends in a chat."""
        person = self._store.people.canonical()
        found: dict[int, list[int]] = {}
        for spelling in self._store.staging.senders(chat):
            found.setdefault(person[spelling], []).append(spelling)
        return found

    def _link(self, pair: _Pair, chat: int, known: int) -> bool:
        """Link a sender to a known one; False where a user said that it is somebody else.

        A name that is also another's in other chats ("Me", somebody else's "Dad") stays so there: what
        was sent in this chat gets a spelling of its own.
        """
        people, spelling = self._store.people, pair.mine
        names = people.spellings()
        name, into = names[pair.mine][0], names[pair.theirs][0]
        if not people.may_be_another(spelling):
            return False
        if self._is_common(pair, chat, [*names[pair.mine], *names[pair.theirs]]):
            name, spelling = self._free(name, pair.theirs, self._store.messages.titles()[known])
            if not people.may_be_another(spelling):
                return False
            self._store.alike.sent_by(chat, pair.spellings, spelling)
        if people.canonical()[spelling] != pair.theirs:
            people.link_by_messages(spelling, pair.theirs)
            self.links.append((name, into))
        return True

    def _free(self, name: str, theirs: int, title: str) -> tuple[str, int]:
        """A spelling for one chat alone, and its id: ``Me (Family)``, unless it is somebody else's."""
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
            pair.crossed or mine or self._store.alike.alone_elsewhere(pair.mine, pair.theirs, chat)
        )

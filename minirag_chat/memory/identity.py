"""Suggests which names may be one person across chats and apps, and which merges may be wrong.

Each suggestion has its evidence. Nothing is changed here: a person decides, and can undo it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from rapidfuzz import fuzz, process

from minirag_chat.names import ME, compact_key, spelling_key, split_joined
from minirag_chat.records import Person
from minirag_chat.store import Store
from minirag_chat.store.same_names import has_last_name, is_account_of, is_fuller, plain_name

ALIKE = 88  # of 100: the least similarity of two spellings
PHONE_DIGITS = 8
MOST = 50
MOST_COMPARED = 4000  # people; with more, only exact evidence is used
MOST_ALIKE = 20  # people of one key; if more share it, it is a common first name and says nothing
MOST_NEAR = 5
NAMED = 3
WORTH_SAYING = 0.3


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``merge``: ``spelling`` may be ``into``. ``split``: they are merged and may be two people.

    ``confidence`` in [0, 1] orders suggestions; it is not a probability.
    """

    action: Literal["merge", "split"]
    spelling: str
    into: str
    confidence: float
    evidence: tuple[str, ...]


def suggestions(store: Store) -> list[Suggestion]:
    """Return the suggestions, best first."""
    people = store.people.all()
    found = [*_merges(store, people), *_splits(store, people)]
    return sorted(found, key=lambda s: -s.confidence)[:MOST]


# --- merge ------------------------------------------------------------------------------------------


class _SocialContext:
    """The chats, the apps and the fellow writers of each person."""

    def __init__(self, store: Store, people: list[Person]) -> None:
        self._names = {person.id: person.name for person in people}
        self.chats = _of_people(store, store.writers.chats())
        self.platforms = _of_people(store, store.writers.platforms())
        self._members: dict[int, set[int]] = defaultdict(set)
        for person, those in self.chats.items():
            for chat in those:
                self._members[chat].add(person)

    def evidence(self, one: int, other: int) -> Iterator[tuple[float, str]]:
        """Reasons for and against two people being one: a weight and a text each."""
        together = len(self.chats[one] & self.chats[other])
        if together:
            yield -0.4, f"but both write in {together} of the same chats"
        shared = self._mates(one) & self._mates(other) - {one, other}
        if shared:
            names = ", ".join(sorted(self._names[i] for i in shared if i in self._names)[:NAMED])
            yield min(0.15, 0.05 * len(shared)), f"both write with {names}"
        if not self.platforms[one] & self.platforms[other]:
            apps = [", ".join(sorted(self.platforms[person])) for person in (one, other)]
            yield 0.1, f"they write on different apps: {apps[0]} and {apps[1]}"

    def _mates(self, person: int) -> set[int]:
        return set().union(*(self._members[chat] for chat in self.chats[person])) - {person}


def _merges(store: Store, people: list[Person]) -> Iterator[Suggestion]:
    context = _SocialContext(store, people)
    apart = store.told_apart.all()
    by_id = {person.id: person for person in people}
    asker = store.me.person()
    known = asker is not None and spelling_key(asker.name) not in ME
    owner = asker.id if asker and known else store.messages.owner()
    for (one, other), (alike, why) in _alike(people, owner).items():
        more = list(context.evidence(one, other))
        score = alike + sum(weight for weight, _ in more)
        if score < WORTH_SAYING or frozenset((one, other)) in apart:
            continue
        small, big = _by_fullness(by_id[one], by_id[other])
        evidence = (why, *(text for _, text in more))
        yield Suggestion("merge", small.name, big.name, min(round(score, 2), 1.0), evidence)


def _by_fullness(one: Person, other: Person) -> tuple[Person, Person]:
    """Two people, the one whose name is to be shown last: the fuller name, else of who writes more."""
    less, more = sorted((one, other), key=lambda p: (p.messages, p.name))
    return (more, less) if is_fuller(less.shown_name, more.shown_name) else (less, more)


class _Pairs:
    """Pairs of people, each with the strongest reason to think that they are one."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, int], tuple[float, str]] = {}

    def note(self, one: int, other: int, score: float, why: str) -> None:
        """Add a reason; of each pair the strongest is kept."""
        pair = (min(one, other), max(one, other))
        if one != other and (pair not in self.found or self.found[pair][0] < score):
            self.found[pair] = (score, why)


def _alike(people: list[Person], owner: int | None) -> dict[tuple[int, int], tuple[float, str]]:
    """Pairs of people whose names are similar, each with a score and the reason."""
    pairs = _Pairs()
    groups: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for person in people:
        for spelling in person.spellings:
            for evidence in _keys(spelling):
                groups[evidence][person.id] = None
        if spelling_key(person.name) in ME and owner is not None:
            why = f"\u201c{person.name}\u201d is what exports call the one who exported"
            pairs.note(person.id, owner, 0.6, why)
    _with_one_key(people, groups, pairs)
    if len(people) <= MOST_COMPARED:
        _spelled_alike(people, pairs)
        _accounts(people, pairs)
    return pairs.found


def _with_one_key(
    people: list[Person], groups: dict[tuple[str, str], dict[int, None]], pairs: _Pairs
) -> None:
    """Pairs of people who share a key of a name, such as the first name."""
    last = {person.id: _names_at(person, -1) for person in people}
    first = {person.id: _names_at(person, 0) for person in people}
    real = {person.id: any(map(has_last_name, person.spellings)) for person in people}
    for (reason, key), those in groups.items():
        for one, other in combinations(those, 2) if len(those) <= MOST_ALIKE else ():
            others = last[one] and last[other] and last[one].isdisjoint(last[other])
            if reason == _FIRST_NAME and others:
                if len(those) == _PAIR and not (real[one] and real[other]):
                    pairs.note(one, other, _BESIDE, f"{reason}, and nobody else has it: {key}")
                continue  # Sam Okafor and Sam Whitley
            if reason == _SHORT_FORM and not _shortened(first[one], first[other]):
                continue  # Fiona and Fiach McLeod
            pairs.note(one, other, _WEIGHTS[reason], f"{reason}: {key}")


def _accounts(people: list[Person], pairs: _Pairs) -> None:
    """Names of accounts that are made of a first and a last name: larip, caoimhe.byrne."""
    words = [(person, name) for person in people for name in person.spellings if " " not in name]
    whole: dict[str, list[tuple[Person, str]]] = defaultdict(list)
    for person in people:
        for name in person.spellings:
            if " " in name and (plain := plain_name(name)):
                whole[plain[0]].append((person, name))
    for person, handle in words:
        for other, name in whole[plain_name(handle)[:1]]:
            if is_account_of(handle, name):
                pairs.note(person.id, other.id, 0.45, f"{handle} is made of the name {name}")


def _spelled_alike(people: list[Person], pairs: _Pairs) -> None:
    names = [plain_name(person.name) for person in people]
    for index, person in enumerate(people):
        rest = names[index + 1 :]
        near = process.extract(
            names[index], rest, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=MOST_NEAR
        )
        for _name, score, at in near:
            other = people[index + 1 + at]
            why = f"the names are spelled alike: {person.name}, {other.name}"
            pairs.note(person.id, other.id, 0.3 + (score - ALIKE) / 60, why)


_FIRST_NAME = "the same first name"
_SHORT_FORM = "the same last name, and a short form of the first name"
_BEGINNING = 2  # letters that a short form has at least
_PAIR = 2
_BESIDE = 0.2
"""Score of one first name where a name has a note in place of the last one: Ann HCA, Ann Ward 7. Not enough
without more evidence, such as that they write on different apps."""
_WEIGHTS = {
    "the same telephone number": 0.9,
    "the same words in the name": 0.8,
    "the same name without accents": 0.8,
    "a first name and an initial": 0.5,
    _SHORT_FORM: 0.45,
    _FIRST_NAME: 0.3,
}


def _keys(spelling: str) -> Iterator[tuple[str, str]]:
    """Keys that spellings of the same person may share, each with the kind of evidence."""
    digits = re.sub(r"\D", "", spelling)
    if len(digits) >= PHONE_DIGITS and not re.search(r"[^\W\d_]{3}", spelling):
        yield "the same telephone number", digits[-PHONE_DIGITS:]
        return
    words = plain_name(split_joined(spelling)).split()
    if not words or not compact_key(spelling):
        return
    yield "the same name without accents", "".join(words)
    if len(words) > 1:
        yield "the same words in the name", " ".join(sorted(words))
        yield "a first name and an initial", f"{words[0]} {words[-1][0]}."
        yield _SHORT_FORM, f"{words[0][:_BEGINNING]}\u2026 {words[-1]}"
    yield _FIRST_NAME, words[0]


def _names_at(person: Person, place: int) -> set[str]:
    """The first or the last words of a person's names of several words, without accents."""
    names = (plain_name(split_joined(spelling)).split() for spelling in person.spellings)
    return {words[place] for words in names if words[1:]}


def _shortened(one: set[str], other: set[str]) -> bool:
    """Whether a first name of one begins with one of the other: "Fi" and "Fiona"."""
    pairs = ((a, b) for a in one for b in other if min(len(a), len(b)) >= _BEGINNING)
    return any(a.startswith(b) or b.startswith(a) for a, b in pairs)


def _of_people(store: Store, by_spelling: dict[int, frozenset[Any]]) -> dict[int, frozenset[Any]]:
    person = store.people.canonical()
    found: dict[int, frozenset[Any]] = defaultdict(frozenset)
    for spelling, those in by_spelling.items():
        found[person[spelling]] |= those
    return found


# --- split ------------------------------------------------------------------------------------------


def _splits(store: Store, people: list[Person]) -> Iterator[Suggestion]:
    """Spellings of one person that write in the same conversations: they may be two people."""
    ids = {person.id: [store.people.spelling_id(s) for s in person.spellings] for person in people}
    for person in people:
        head, *others = zip(person.spellings, ids[person.id], strict=True)
        for spelling, identity in others:
            if identity is None or head[1] is None:
                continue
            together = store.writers.sessions_together(identity, head[1])
            if together:
                yield Suggestion(
                    "split",
                    spelling,
                    person.name,
                    min(0.4 + 0.1 * together, 0.95),
                    (f"both names write in {together} of the same conversations",),
                )

"""Which names may be one person across chats and apps, and which links may be wrong: with evidence.

Nothing is changed here: a person decides, and can undo it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from rapidfuzz import fuzz, process

from minirag_chat.names import compact_key, spelling_key, split_joined
from minirag_chat.records import Person
from minirag_chat.store import Store

ME = ("me", "you", "self", "我")
ALIKE = 88  # of 100: how near two spellings must be to be worth a look
PHONE_DIGITS = 8
MOST = 50
MOST_COMPARED = 4000  # people; beyond that only exact evidence is looked at
WORTH_SAYING = 0.3


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``merge``: ``spelling`` may be ``into``. ``split``: it is taken for ``into`` and may not be.

    ``confidence`` in [0, 1] orders suggestions; it is no probability.
    """

    action: Literal["merge", "split"]
    spelling: str
    into: str
    confidence: float
    evidence: tuple[str, ...]


def suggestions(store: Store) -> list[Suggestion]:
    """Return what there is to decide, best first."""
    people = store.people.all()
    found = [*_merges(store, people), *_splits(store, people)]
    return sorted(found, key=lambda s: -s.confidence)[:MOST]


# --- merge ------------------------------------------------------------------------------------------


def _merges(store: Store, people: list[Person]) -> Iterator[Suggestion]:
    chats = _of_people(store, store.acquaintance.chats())
    platforms = _of_people(store, store.acquaintance.platforms())
    by_id = {person.id: person for person in people}
    mates: dict[int, set[int]] = defaultdict(set)
    inside: dict[int, set[int]] = defaultdict(set)
    for person, those in chats.items():
        for chat in those:
            inside[chat].add(person)
    for members in inside.values():
        for person in members:
            mates[person] |= members - {person}
    for (one, other), (score, why) in _alike(people, store.messages.owner()).items():
        together = chats[one] & chats[other]
        shared = (mates[one] & mates[other]) - {one, other}
        evidence = [why]
        if together:
            score -= 0.4
            evidence.append(f"but both write in {len(together)} of the same chats")
        if shared:
            score += min(0.15, 0.05 * len(shared))
            names = ", ".join(sorted(by_id[i].name for i in shared if i in by_id)[:3])
            evidence.append(f"both write with {names}")
        apart = platforms[one] ^ platforms[other]
        if apart and not platforms[one] & platforms[other]:
            score += 0.1
            evidence.append(f"they write on different apps: {_names(platforms[one], platforms[other])}")
        if score >= WORTH_SAYING:
            big, small = sorted((by_id[one], by_id[other]), key=lambda p: (-p.messages, p.name))
            if spelling_key(big.name) in ME:
                big, small = small, big
            yield Suggestion("merge", small.name, big.name, min(round(score, 2), 1.0), tuple(evidence))


def _alike(
    people: list[Person], owner: int | None
) -> dict[tuple[int, int], tuple[float, str]]:
    """Pairs of people whose names are alike, with how much that says and why."""
    found: dict[tuple[int, int], tuple[float, str]] = {}

    def note(one: int, other: int, score: float, why: str) -> None:
        pair = (min(one, other), max(one, other))
        if one != other and (pair not in found or found[pair][0] < score):
            found[pair] = (score, why)

    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for person in people:
        for spelling in person.spellings:
            for reason, key in _keys(spelling):
                groups[reason, key].append(person.id)
        if spelling_key(person.name) in ME and owner is not None:
            note(person.id, owner, 0.6, f"“{person.name}” is what exports call the one who exported")
    for (reason, key), those in groups.items():
        for one, other in combinations(dict.fromkeys(those), 2):
            note(one, other, _WEIGHTS[reason], f"{reason}: {key}")
    if len(people) <= MOST_COMPARED:
        names = [_plain(person.name) for person in people]
        for index, name in enumerate(names):
            later = names[index + 1 :]
            for _, score, at in process.extract(
                name, later, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=5
            ):
                other = people[index + 1 + at]
                why = f"the names are spelled alike: {people[index].name}, {other.name}"
                note(people[index].id, other.id, 0.3 + (score - ALIKE) / 60, why)
    return found


_WEIGHTS = {
    "the same telephone number": 0.9,
    "the same words in the name": 0.8,
    "the same name without accents": 0.8,
    "a first name and an initial": 0.5,
    "the same first name": 0.3,
}


def _keys(spelling: str) -> Iterator[tuple[str, str]]:
    """What a spelling shares with others of the same person, by the kind of evidence."""
    digits = re.sub(r"\D", "", spelling)
    if len(digits) >= PHONE_DIGITS and not re.search(r"[^\W\d_]{3}", spelling):
        yield "the same telephone number", digits[-PHONE_DIGITS:]
        return
    words = _plain(split_joined(spelling)).split()
    if not words or not compact_key(spelling):
        return
    yield "the same name without accents", "".join(words)
    if len(words) > 1:
        yield "the same words in the name", " ".join(sorted(words))
        yield "a first name and an initial", f"{words[0]} {words[-1][0]}."
    yield "the same first name", words[0]


def _plain(name: str) -> str:
    """A name without accents, marks and emoji, in lower case."""
    apart = unicodedata.normalize("NFKD", spelling_key(name))
    kept = "".join(c for c in apart if not unicodedata.combining(c))
    return " ".join(re.sub(r"[^\w\s]", " ", kept).split())


def _of_people(store: Store, by_spelling: dict[int, frozenset[Any]]) -> dict[int, frozenset[Any]]:
    person = store.people.canonical()
    found: dict[int, frozenset[Any]] = defaultdict(frozenset)
    for spelling, those in by_spelling.items():
        found[person[spelling]] |= those
    return found


def _names(one: frozenset[str], other: frozenset[str]) -> str:
    return f"{', '.join(sorted(one))} and {', '.join(sorted(other))}"


# --- split ------------------------------------------------------------------------------------------


def _splits(store: Store, people: list[Person]) -> Iterator[Suggestion]:
    """Spellings of one person that answer one another: who does that is two."""
    ids = {person.id: [store.people.spelling_id(s) for s in person.spellings] for person in people}
    for person in people:
        head, *others = zip(person.spellings, ids[person.id], strict=True)
        for spelling, identity in others:
            if identity is None or head[1] is None:
                continue
            together = store.acquaintance.sessions_together(identity, head[1])
            if together:
                yield Suggestion(
                    "split",
                    spelling,
                    person.name,
                    min(0.4 + 0.1 * together, 0.95),
                    (f"both names write in {together} of the same conversations",),
                )

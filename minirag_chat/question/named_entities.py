"""The people and things that a question names, also in scripts written without spaces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.names import (
    PersonIndex,
    first_name,
    last_name,
    split_joined,
    with_plain_letters,
    without_possessive,
)
from minirag_chat.question.names_like_words import names_like_words
from minirag_chat.question.otherwise_called import (
    people_as_asked,
    without_relatives_of_others,
)
from minirag_chat.question.speech import speaks_out
from minirag_chat.records import Entity
from minirag_chat.store import Store
from minirag_chat.store.text import searchable
from minirag_chat.times.ranges import find_atoms

_HOW = any_case(r"\bhow\s+(\w+)")
_WORD = lazy(r"\w[\w'\u2019\-]*")
_QUOTED = lazy(r"[\"\u201c\u00ab]([^\"\u201c\u201d\u00ab\u00bb]{2,80})[\"\u201d\u00bb]")
_SPEAKS = any_case(
    r"(?:according to|do|does|did|has|have|had|would|will|can|could|should|was|is)\s+$",
)
_DURING = any_case(r"\b(?:in|during|throughout)\s+$")
# "May's kitchen", "did June 2 days ago"
_AFTER = any_case(r"['\u2019]s?\b|\s+(?:minute|hour|day|week|month|year|time)s?\b")
_NOW = datetime(2000, 1, 1)  # any date: only the positions of times are used
_TITLES = (
    r"(?:uncle|aunt|auntie|aunty|mr|mrs|ms|miss|dr|prof|professor|grandma|grandpa|granny|tante|onkel"
    r"|oma|opa|herr|frau)\b\.?\s+"
)
_TITLE = any_case(_TITLES)
_TITLE_BEFORE = any_case(rf"(?<!\w){_TITLES}\Z")
_TITLE_OF = lazy(rf"(?i:{_TITLES})(?=[^\W\d_a-z])")
_WORD_BEFORE = lazy(r"(\w[\w'\u2019-]*)\s+$")
_WORD_AFTER = lazy(r"\s+(\w)")
_NO_NAMES = frozenset({"place", "organisation"})
_GENITIVE = lazy(r"\b(?:[^\W\d_a-z]\w{2,}s\b|[^\W\d_]{3,}s(?=\s+\w))")  # "joshs bike"
_RELATIVE = any_case(
    r"(?:['\u2019]s?|s)\s+(?:(?:own|ex|old|older|younger|little|big|best|new|former)\W+)?(?:step|grand|great-)?"
    r"(?:sister|brother|sibling|mother|mum|mom|mummy|mam|father|dad|daddy|parent|son|daughter|child|children"
    r"|kid|wife|husband|partner|spouse|fiancée?|fiancee?|girlfriend|boyfriend|ex|friend|mate|aunt|auntie"
    r"|uncle|cousin|niece|nephew|grandma|grandpa|nan|granny|gran|family|(?:\w+-)in-law|boss|manager"
    r"|colleague|landlord|landlady|neighbou?r|flatmate|roommate|housemate|teacher|doctor|dentist)s?\b",
)
"""Who says and does what "my sister" does is somebody else than the asker, who may have her in a chat.

Of the sister of anybody else these tell it themselves: of 104 questions such as "What did Ann's sister buy?"
to our histories Ann wrote the evidence of 92%.
"""
_INITIAL = lazy(
    r"(?<!\w)(?P<first>[^\W\d_][\w-]{1,40})\s+"
    r"(?:(?P<letter>[^\W\d_])\.|(?P<bare>[^\W\d_aeinorsuxyI](?!\w|-|['\u2019](?!s\b))))"
)
"""A first name and the first letter of a last name; without a point none that people write for a word."""
LEAD = 40  # characters before a name in which its lead-in ("what did") is looked for
LONGEST_ENTITY = 5  # words
SHORTEST_RUN, LONGEST_RUN = 2, 8  # characters of a name without spaces around it

Named = list[tuple[int, int, tuple[int, ...]]]


def people_in(text: str, store: Store) -> Named:
    """``(start, end, people)`` of each name in ``text``, in reading order.

    Also finds "Raj" for Uncle Raj, "Noras" for Nora, "Ashdown" or "Ben A." for Ben Ashdown, and "Jose" for
    José. In "in May" nobody called May is named, and in "did may write" somebody is.
    """
    index = people_as_asked(store)
    found = [place for place in index.find(text) if not _is_title(text, place[0], place[1], store)]
    found = _with_initials(text, found, store)
    untitled = _by(_untitled, "names without titles", store)
    for finder in (untitled.find, partial(_genitives, index)):
        found += [place for place in finder(text) if _is_free(place[:2], found)]
    for start, end in _inner(text):
        inside = index.find(text[start:end])
        whole = len(inside) == 1 and inside[0][:2] == (0, end - start)
        if whole and _is_free((start, end), found):
            found.append((start, end, inside[0][2]))
    found += _by_last_name(text, found, store)
    plain = _by(with_plain_letters, "names without accents", store)
    without_accents = with_plain_letters(text)
    for finder in (plain.find, index.find):
        found += [
            place
            for place in finder(without_accents)
            if _is_free(place[:2], found) and not _is_title(text, place[0], place[1], store)
        ]
    found = without_relatives_of_others(store, text, found)
    dates = dates_in(text)
    named = [
        (_with_title(text, start, owners, store), end, owners)
        for start, end, owners in found
        if not is_date(text, (start, end), dates)
    ]
    return sorted([*named, *names_like_words(text, index, named)])


def dates_in(text: str) -> list[tuple[int, int]]:
    """The places of dates in which a word can be no name: "in May", "3 May", "last May".

    "Before May" may name a person, and so may "in May's kitchen".
    """
    return [
        (atom.left, atom.right)
        for atom in find_atoms(text, _NOW, "past")
        if atom.shape in {"point", "range"} and not _AFTER.match(text, atom.right)
        if not text[atom.left : atom.right].isalpha()
        or _DURING.search(text, max(0, atom.left - LEAD), atom.left)
    ]


def is_date(text: str, place: tuple[int, int], dates: Sequence[tuple[int, int]]) -> bool:
    """Whether the name at ``place`` is one word, and a date or part of one."""
    start, end = place
    return text[start:end].isalpha() and any(
        left <= start and end <= right for left, right in dates
    )


def _is_title(text: str, start: int, end: int, store: Store) -> bool:
    """Whether this is only a title before a name ("Uncle" in "Uncle Raj"), and nobody's whole name."""
    title = _TITLE_OF.match(text, start)
    return title is not None and end < title.end() and not store.people.named(text[start:end])


def _with_title(text: str, start: int, people: Sequence[int], store: Store) -> int:
    """Where a name begins with the title before it, if each of the people has it: "Mr Petrie Landlord"."""
    before = _TITLE_BEFORE.search(text, max(0, start - LEAD), start)
    if before is None:
        return start
    spellings = store.people.spellings()
    title = before[0].casefold().strip(" .")
    has = all(any(_begins_with(title, name) for name in spellings.get(one, ())) for one in people)
    return before.start() if has else start


def _begins_with(title: str, name: str) -> bool:
    return name.casefold().replace(".", " ").split()[:1] == [title]


def _is_free(place: tuple[int, int], found: Named) -> bool:
    """Whether ``place`` overlaps none of the names that were found."""
    return all(place[1] <= left or right <= place[0] for left, right, _ in found)


def _untitled(name: str) -> str:
    """``name`` without "Uncle" or "Dr."; "" if it has none."""
    return _TITLE.sub("", name) if _TITLE.match(name) else ""


def _by(form: Callable[[str], str], kind: str, store: Store) -> PersonIndex:
    """Finds people by another form of their names; ``form`` gives "" or the name itself if there is none."""

    def made() -> PersonIndex:
        spellings = store.people.spellings().items()
        return PersonIndex(
            {
                person: [other for name in names if (other := form(name)) not in {"", name}]
                for person, names in spellings
            }
        )

    return store.cache.get(f"people by {kind}", made)


def _by_last_name(text: str, found: Named, store: Store) -> Named:
    """Names that are only a last name, as in "What did Ashdown say?".

    Not if it is also a place or an organisation of the messages, part of a longer name ("Tom Ashdown",
    "Ashdown Forest"), or in lower case in a question that has capitals.
    """
    index = _by(lambda name: last_name(store.people.shown(name)), "last names", store)
    return [
        (start, end, owners)
        for start, end, owners in index.find(text, lower=text.islower())
        if _is_free((start, end), found) and not _in_longer_name(text, start, end, found)
        if all(entity.type not in _NO_NAMES for entity in store.people.named(text[start:end]))
    ]


def _with_initials(text: str, found: Named, store: Store) -> Named:
    """The names that were found, and those with the first letter of the last name: "Ben A." is not Ben.

    Only where one person has this first name and a last name with this letter.
    """
    known = store.cache.get("people by first name and initial", partial(_initials, store))
    for match in _INITIAL.finditer(with_plain_letters(text)):
        owners = known.get(
            (match["first"].casefold(), (match["letter"] or match["bare"]).casefold())
        )
        others = [place for place in found if not _is_free(match.span(), [place])]
        alone = all(place[:2] == match.span("first") for place in others)
        if owners and len(owners) == 1 and alone:
            found = [place for place in found if place not in others]
            found.append((*match.span(), tuple(owners)))
    return sorted(found)


def _initials(store: Store) -> Mapping[tuple[str, str], set[int]]:
    """The people by the first name and the first letter of the last name."""
    known: dict[tuple[str, str], set[int]] = defaultdict(set)
    for person, names in store.people.spellings().items():
        for name in map(split_joined, names):
            first, last = (with_plain_letters(part) for part in (first_name(name), last_name(name)))
            if first and last:
                known[first, last[0].casefold()].add(person)
    return dict(known)


def _in_longer_name(text: str, start: int, end: int, found: Named) -> bool:
    """Whether another name stands right before or after this one.

    A title is no name, nor is the first word of a question.
    """
    if any(right < start and not text[right:start].strip() for _left, right, _owners in found):
        return True
    after = _WORD_AFTER.match(text, end)
    before = _WORD_BEFORE.search(text, max(0, start - LEAD), start)
    led = before is not None and before[1][0].isupper() and bool(text[: before.start()].strip())
    titled = before is not None and _TITLE.match(text, before.start())
    return (after is not None and after[1][0].isupper()) or (led and not titled)


def _genitives(index: PersonIndex, text: str) -> Named:
    """Names in the genitive without an apostrophe, such as "Noras", or "noras" before another word."""
    return [
        (start, end - 1, owners)
        for start, end in (word.span() for word in _GENITIVE.finditer(text))
        if text[start:end].casefold() not in STOP_WORDS
        for left, right, owners in index.find(text[: end - 1])
        if (left, right) == (start, end - 1)
    ]


def roles(text: str, named: Named, store: Store) -> tuple[tuple[Entity, ...], ...]:
    """The people named; those of them who act; those of these whose own words are asked for.

    Fourth is the asker, if the question names "my sister" instead, so that the asker does not act.
    """
    me = store.me.id()
    found: dict[int, Entity] = {}
    speakers: dict[int, Entity] = {}
    quoted_speakers: dict[int, Entity] = {}
    related: dict[int, Entity] = {}
    for start, end, owners in named:
        for owner in owners:
            entity = store.people.entity(owner)
            if entity is None:
                continue
            found[owner] = entity
            relative = _RELATIVE.match(text, end) is not None
            if relative and owner == me:
                related[owner] = entity
            elif not text[:start].strip() or _SPEAKS.search(text, max(0, start - LEAD), start):
                speakers[owner] = entity
                if not relative and speaks_out(text, start, end):
                    quoted_speakers[owner] = entity
    each = (found, speakers, quoted_speakers, related)
    return tuple(tuple(people.values()) for people in each)


def entities_in(text: str, store: Store, people: tuple[Entity, ...]) -> tuple[Entity, ...]:
    """V_q: the people, and every other name in the question that is an entity of the messages."""
    found = {entity.id: entity for entity in people}
    phrases = [match.group(1) for match in _QUOTED.finditer(text)]
    words = list(_WORD.finditer(text))
    asking = {match[1].casefold() for match in _HOW.finditer(text)}  # "much" of "how much"
    for size in range(LONGEST_ENTITY, 0, -1):
        for first in range(len(words) - size + 1):
            phrase = text[words[first].start() : words[first + size - 1].end()]
            if phrase.casefold() not in STOP_WORDS | asking:
                phrases += dict.fromkeys((phrase, without_possessive(phrase)))
    phrases += [text[start:end] for start, end in _inner(text)]
    for phrase in phrases:
        for entity in store.people.named(phrase):
            if entity.type != "person" and not _only_stressed(entity.name, phrase, text):
                found.setdefault(entity.id, entity)
    return tuple(found.values())


def _only_stressed(name: str, phrase: str, text: str) -> bool:
    """Whether the messages have ``name`` in capitals for emphasis, and a question has just its word.

    A question that has capitals names the MOT as "MOT", and has "and" only as a word. One that is all in
    lower case may name it "mot".
    """
    return name.isupper() and phrase.islower() and not text.islower()


def _inner(text: str) -> Iterator[tuple[int, int]]:
    """Substrings of words in an unspaced script that may be names, the longest of each run first.

    A word of another script inside such a run is one substring.
    """
    for word in _WORD.finditer(text):
        if searchable(word[0]).strip() == word[0]:
            continue
        for spaced, places in groupby(range(*word.span()), lambda at: _spaced(text[at])):
            run = list(places)
            sizes = (
                [len(run)] if spaced else range(min(len(run), LONGEST_RUN), SHORTEST_RUN - 1, -1)
            )
            for size in sizes:
                yield from ((at, at + size) for at in run[: len(run) - size + 1])


def _spaced(character: str) -> bool:
    """Whether a character is indexed in whole words, not in pairs of characters."""
    return searchable(character) == character

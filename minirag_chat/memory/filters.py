"""Resolves the names and dates that filter a question to ids and times."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta

from rapidfuzz import fuzz

from minirag_chat.errors import BadTime, NotFound
from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import compact_key, spelling_key, without_accents
from minirag_chat.records import Filters, Person, TimeSpan, clamped
from minirag_chat.store import Store
from minirag_chat.store.rows import LARGEST
from minirag_chat.times import doubt, find_times
from minirag_chat.times.reference import reference_time
from minirag_chat.ui_text import joined

CLOSE_ENOUGH = 60
MOST_NAMED = 3  # chats, of which one may be meant
LIST_CHATS = "Which chats do I have?"
NO_NEAREST = ": the list of {those} has the names."
_MONTH = lazy(r"^(\d{4})-(\d\d)$", re.ASCII)
When = str | date | datetime | None


def make_filters(
    store: Store,
    people: Sequence[str | int] | None = None,
    chats: Sequence[str | int] | None = None,
    since: When = None,
    until: When = None,
) -> Filters:
    """Resolve what the user wrote. Raises ``NotFound`` with the closest name, or ``BadTime``.

    A date without a time means the whole day: until 3 May includes 3 May.
    """
    begin, end = _moment(store, since, end=False), _moment(store, until, end=True)
    if begin is not None and end is not None and end < begin:
        raise BadTime(f"The time since {since} until {until} ends before it begins: swap the two.")
    return Filters(
        people=frozenset(i for name in each_of(people) for i in _people(store, name)),
        chats=frozenset(_chat(store, chat) for chat in each_of(chats)),
        since=begin,
        until=end,
    )


def each_of(names: Sequence[str | int] | str | int | None) -> Sequence[str | int]:
    """What is given, or the one name that is given: ``people="Ann"`` is not A, n and n."""
    return (names,) if isinstance(names, str | int) else names or ()


def _people(store: Store, name: str | int) -> tuple[int, ...]:
    if isinstance(name, int):  # a person's id, as ``people`` gives it
        if (person := _entity_id(store, name)) is None:
            raise NotFound(f"Nobody has the number {name}{NO_NEAREST.format(those='people')}")
        return (person,)
    if found := people_called(store, name):
        return found
    raise NotFound(nobody(name, store))


def people_called(store: Store, name: str) -> tuple[int, ...]:
    """The people whom a name means: a spelling, a first or last name, or the number of one; else none."""
    exact = store.people.spelling_id(name)  # also names that text search skips, such as an emoji
    entity = None if exact is None else store.people.entity(exact)
    if entity is not None:
        return (entity.id,)
    if called := store.people.called(name):
        return called
    key = spelling_key(name)
    nicknamed = [one for nick, one in store.nicknames.all().items() if spelling_key(nick) == key]
    if nicknamed:
        return tuple(nicknamed)
    known = store.people.all()
    wanted = without_accents(name)
    if same := tuple(person.id for person in known if wanted in _person_forms(person)):
        return same
    if name.isdecimal() and (person := _entity_id(store, int(name))) is not None:
        return (person,)
    return ()


def _entity_id(store: Store, number: int) -> int | None:
    """The id of the person whom a number of ``people`` means; None if it is nobody's."""
    entity = store.people.entity(number) if abs(number) <= LARGEST else None
    return None if entity is None else entity.id


def _person_forms(person: Person) -> set[str]:
    """A person's spellings and their words, without accents."""
    return {form for spelling in person.spellings for form in name_forms(spelling)}


def _chat(store: Store, chat: str | int) -> int:
    titles = store.messages.titles()
    if isinstance(chat, int) or (chat.isdecimal() and int(chat) in titles):
        if int(chat) in titles:
            return int(chat)
    else:
        wanted = without_accents(compact_key(chat))
        keys = {i: without_accents(compact_key(title)) for i, title in titles.items()}
        same = [i for i, key in keys.items() if key == wanted]
        starts = [i for i, key in keys.items() if key.startswith(wanted)]
        found = same or starts or [i for i, key in keys.items() if wanted in key]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(
                f"{len(found)} chats are called {chat!r}: name one by its number "
                f"({', '.join(map(str, found))}), as the list of chats has them."
            )
    raise NotFound(no_chat(str(chat), titles))


def nobody(name: str, store: Store) -> str:
    """That there is no such person, with the closest name."""
    names = [person.name for person in store.people.all()]
    near = _nearest(name, names) or NO_NEAREST.format(those="people")
    return f"Nobody is called {name!r}{near}"


def no_chat(name: str, titles: Mapping[int, str], groups: Collection[int] = ()) -> str:
    """That there is no such chat, with the closest title, or the first few, groups before others."""
    near = _nearest(name, titles.values())
    if near or not titles:
        return f"There is no chat {name!r}{near or NO_NEAREST.format(those='chats')}"
    ordered = sorted(titles, key=lambda chat: chat not in groups)
    known = [repr(title) for title in dict.fromkeys(titles[chat] for chat in ordered)]
    are = f"the chat is {known[0]}." if len(known) == 1 else f"the chats are {joined(known)}."
    if len(known) > MOST_NAMED:
        are = f"there are {joined(known[:MOST_NAMED], of=len(known))}; \u201c{LIST_CHATS}\u201d lists them."
    return f"There is no chat {name!r}: {are}"


def _nearest(name: str, names: Iterable[str]) -> str:
    """A hint at the closest known name: one that begins with ``name``, else one spelled alike; or ""."""
    near = nearest_names(name, names)
    return f": did you mean {near[0]!r}?" if near else ""


def nearest_names(name: str, names: Iterable[str]) -> list[str]:
    """Those that begin with ``name``, the shortest first; else those spelled alike, the closest first."""
    wanted = without_accents(name).strip()
    forms = {one: name_forms(one) for one in names}
    completions = [one for one, parts in forms.items() if any(p.startswith(wanted) for p in parts)]
    if wanted and completions:
        return sorted(completions, key=len)
    written = {wanted, *wanted.split()}
    alike = {
        one: max(_likeness(word, part) for word in written for part in parts)
        for one, parts in forms.items()
    }
    close = [one for one, likeness in alike.items() if likeness >= CLOSE_ENOUGH]
    return sorted(close, key=lambda one: (-alike[one], -fuzz.ratio(wanted, forms[one][0])))


def _likeness(word: str, part: str) -> float:
    """How alike two words are, in percent; the end of a longer word is none: "house" in "grindhouse"."""
    inside = word in part and not part.startswith(word)
    return 0.0 if inside else fuzz.ratio(word, part)


def name_forms(name: str) -> tuple[str, ...]:
    """A name and its words, without accents and in lower case."""
    plain = without_accents(name)
    return plain, *plain.split()


def _moment(store: Store, when: When, *, end: bool) -> datetime | None:
    if when is None or isinstance(when, datetime):
        return when if when is None else _without_zone(when)
    if isinstance(when, str):
        try:
            when = date.fromisoformat(when)
        except ValueError:
            return _parsed(store, str(when), end=end)
    if not isinstance(when, date):
        raise BadTime(f"The time {when!r} is no day: write it as 2026-05-03.")
    day = clamped(datetime(when.year, when.month, when.day))
    return day + timedelta(days=1) if end else day


def _parsed(store: Store, text: str, *, end: bool) -> datetime:
    try:
        return _without_zone(datetime.fromisoformat(text))
    except ValueError:
        now = reference_time(store.messages.extent()[1])
        spans = _spans(text, now)
        if not spans:
            why = doubt(text, now) or f"The time {text!r} is not understood"
            raise BadTime(f"{why}: write it as 2026-05-03.") from None
        return spans[0].end if end else spans[0].start


def _spans(text: str, now: datetime) -> Sequence[TimeSpan]:
    """The times of what was typed; also of "march", "summer" and "2026-06", which are none in a sentence."""
    alone = _MONTH.sub(r"\2/\1", text.strip())
    return find_times(text, now) or [
        span for span in find_times(f"in {alone}", now) if span.phrase == alone
    ]


def _without_zone(when: datetime) -> datetime:
    """The time itself. Raises ``BadTime`` if it has a zone."""
    if when.tzinfo is not None:
        raise BadTime(
            f"The time {when} has a time zone, but messages have the clock times of their chats: give it "
            "without one."
        )
    return when

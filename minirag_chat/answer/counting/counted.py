"""Lists of people, chats or times with their numbers of messages, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from minirag_chat.records import Filters, Message, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count, cut, day, joined, one_line

PLACES = {1: "", 2: "second ", 3: "third ", 4: "fourth "}
SHOWN = 8  # people, chats or times that are listed
QUOTED = 160  # characters
ALL = Filters()
Key = TypeVar("Key", int, str)


class NotRecordedError(Exception):
    """An export leaves out what would have to be counted; the message is the answer."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What has messages: its name and their number; of a person or chat the filters that they pass.

    ``last`` is the id of the last of these messages, of what was counted with a ``Tally``.
    """

    name: str
    messages: int
    filters: Filters = ALL
    last: int = 0


class Tally(Generic[Key]):
    """How many of something each person sent, or how often each word was written; and the last message."""

    def __init__(self) -> None:
        self.numbers: Counter[Key] = Counter()
        self._last: dict[Key, int] = {}

    def add(self, key: Key, message: int, number: int = 1) -> None:
        """Count what a message has; messages come in order of time."""
        self.numbers[key] += number
        self._last[key] = message

    def most_first(self, name: Callable[[Key], str]) -> list[Counted]:
        """All with their names, those with the most first."""
        return [
            Counted(name(key), number, last=self._last[key])
            for key, number in self.numbers.most_common()
        ]


def ranked(most_first: Sequence[Counted], plan: Metadata) -> tuple[list[Counted], str]:
    """Those with the most or the fewest first, from the place on that is asked about, and its word."""
    return in_place(most_first if plan.asks == "most" else most_first[::-1], plan.place)


def in_place(counted: Sequence[Counted], place: int) -> tuple[list[Counted], str]:
    """Those of a ranking from a place on, and its word ("second "); equal ones share one.

    All, and no word, if there are fewer places.
    """
    numbers = list(dict.fromkeys(one.messages for one in counted))
    from_there = {*numbers[place - 1 :]} or {*numbers}
    those = [one for one in counted if one.messages in from_there]
    return those, PLACES[place] if len(those) < len(counted) else ""


def ranking(
    counted: Sequence[Counted],
    total: int,
    head: str,
    *,
    most: int = SHOWN,
    cite_from: int = 1,
    kind: str = "message",
) -> str:
    """Which are first, as ``head`` says; several if they have as many messages; then the others.

    At most ``most`` are named; citations begin with the number ``cite_from``.
    """
    number_of_first = counted[0].messages
    first = [one for one in counted if one.messages == number_of_first]
    shown = [one.name + mark(one, number) for number, one in enumerate(first[:most], cite_from)]
    names = joined(shown, of=len(first))
    each = " each" if len(first) > 1 else ""
    text = f"{names} {head}: {number_of_first:,} of {count(total, kind)}{each}."
    rest, left = counted[len(first) : most], len(counted) - len(first)
    return f"{text} Then {listed_names(rest, left, cite_from + len(first))}." if rest else text


def listed_names(listed: Sequence[Counted], total: int, cite_from: int = 0) -> str:
    """Names with their numbers of messages, citations if these begin with a number, and how many are left."""
    parts = [f"{one.name} ({one.messages:,})" for one in listed]
    if cite_from:
        marks = map(mark, listed, range(cite_from, cite_from + len(listed)))
        parts = [part + mark for part, mark in zip(parts, marks, strict=True)]
    return joined(parts, of=total)


def mark(one: Counted, number: int) -> str:
    """The citation of what has messages."""
    return f" [{number}]" if one.messages else ""


def source(number: int, message: Message) -> Source:
    """A message that is counted, as a source."""
    return Source(number, message, cut(one_line(message.text), QUOTED))


def sources(store: Store, chosen: Sequence[int]) -> tuple[Source, ...]:
    """The messages with these ids as sources, numbered from 1."""
    messages = store.messages.by_ids(list(chosen))
    return tuple(source(number, messages[one]) for number, one in enumerate(chosen, start=1))


def end_sources(store: Store, ends: Iterable[int]) -> tuple[Source, ...]:
    """The first and the last message as sources; one if they are the same."""
    return sources(store, list(dict.fromkeys(ends)))


def last_sources(store: Store, listed: Sequence[Counted]) -> tuple[Source, ...]:
    """The last message of each that is shown, as sources."""
    return sources(store, [one.last for one in listed[:SHOWN]])


def said_when(one: Source) -> str:
    """Who sent it and when, as in "Ann, Friday, 1 May 2026, 10:30"."""
    return f"{one.shown_sender}, {one.sent_at:%A}, {day(one.sent_at)}, {one.sent_at:%H:%M}"


def first_and_last(cited: Sequence[Source], number: int) -> str:
    """The days of the first and the last of a number of messages, or other things; or their only day."""
    days = [day(one.sent_at) for one in cited]
    marks = [f" [{one.number}]" for one in cited]
    if not days[1:]:
        return f"on {days[0]}{marks[0]}"
    if days[0] == days[1]:
        return (
            f"{'both' if number == len(days) else 'all'} on {days[0]}{marks[0]}{marks[1].strip()}"
        )
    return f"the first on {days[0]}{marks[0]}, the last on {days[1]}{marks[1]}"

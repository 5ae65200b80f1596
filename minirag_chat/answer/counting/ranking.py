"""Who or what has most of something, in words: people, chats, times, words with their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from minirag_chat.answer.counting.cited import sources
from minirag_chat.answer.counting.request import CountRequest
from minirag_chat.records import Filters, Metadata, Source
from minirag_chat.ui_text import count, joined

PLACES = {1: "", 2: "second ", 3: "third ", 4: "fourth "}
SHOWN = 8  # people, chats or times that are listed
ALL = Filters()
Key = TypeVar("Key", int, str)


@dataclass(frozen=True, slots=True)
class Counted:
    """Who or what has messages or something else: the name and the number of these.

    Of a person or chat with messages the ``filters`` that these pass; of what was counted with a ``Tally``
    the id of the ``last`` message.
    """

    name: str
    number: int
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
    return in_place(most_first if plan.asks.end == "most" else most_first[::-1], plan.place)


def in_place(counted: Sequence[Counted], place: int) -> tuple[list[Counted], str]:
    """Those of a ranking from a place on, and its word ("second "); equal ones share one.

    All, and no word, if there are fewer places.
    """
    numbers = list(dict.fromkeys(one.number for one in counted))
    from_there = {*numbers[place - 1 :]} or {*numbers}
    those = [one for one in counted if one.number in from_there]
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
    number_of_first = counted[0].number
    first = [one for one in counted if one.number == number_of_first]
    shown = [one.name + mark(one, number) for number, one in enumerate(first[:most], cite_from)]
    names = joined(shown, of=len(first))
    each = " each" if len(first) > 1 else ""
    text = f"{names} {head}: {number_of_first:,} of {count(total, kind)}{each}."
    rest, left = counted[len(first) : most], len(counted) - len(first)
    return f"{text} Then {listed_names(rest, left, cite_from + len(first))}." if rest else text


def listed_names(listed: Sequence[Counted], total: int, cite_from: int = 0) -> str:
    """Names with their numbers of messages, citations if these begin with a number, and how many are left."""
    parts = [f"{one.name} ({one.number:,})" for one in listed]
    if cite_from:
        marks = map(mark, listed, range(cite_from, cite_from + len(listed)))
        parts = [part + mark for part, mark in zip(parts, marks, strict=True)]
    return joined(parts, of=total)


def mark(one: Counted, number: int) -> str:
    """The citation of what has messages."""
    return f" [{number}]" if one.number else ""


def last_sources(request: CountRequest, listed: Sequence[Counted]) -> tuple[Source, ...]:
    """The last message of each that is shown, as sources."""
    return sources(request.store, [one.last for one in listed[:SHOWN]])

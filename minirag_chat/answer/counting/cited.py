"""The messages that an answer cites, and in words when they were sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minirag_chat.records import Filters, Message, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import cut, day, one_line, said_at

QUOTED = 160  # characters


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


def said_when(one: Source) -> str:
    """Who sent it and when, as in "Ann, Friday, 1 May 2026, 10:30"."""
    return f"{one.shown_sender}, {one.sent_at:%A}, {day(one.sent_at)}, {one.sent_at:%H:%M}"


def first_and_last(cited: Sequence[Source], number: int, where: str = "") -> str:
    """The days of the first and the last of a number of messages, or other things; or their only day.

    The hours, if the text has the day in ``where``.
    """
    days = [day(one.sent_at) for one in cited]
    marks = [f" [{one.number}]" for one in cited]
    if len({*days}) == 1 and days[0] in where:
        hours = [f"at {one.sent_at:%H:%M}{mark}" for one, mark in zip(cited, marks, strict=True)]
        if number > len(hours) > 1:
            return f"the first {hours[0]}, the last {hours[1]}"
        return " and ".join(hours)
    if not days[1:]:
        return f"on {days[0]}{marks[0]}"
    if days[0] == days[1]:
        return (
            f"{'both' if number == len(days) else 'all'} on {days[0]}{marks[0]}{marks[1].strip()}"
        )
    return f"the first on {days[0]}{marks[0]}, the last on {days[1]}{marks[1]}"


def lines(cited: Sequence[Source], filters: Filters) -> str:
    """The messages one below the other with their senders and times, and chats unless all are of one."""
    in_chat = len(filters.chats) != 1
    return "\n\n".join(
        f"{said_at(one.message, one.quote, in_chat=in_chat)} [{one.number}]" for one in cited
    )

"""What there is about a person: how much they wrote and where, and what they and others say that tells most.

No model is asked: a small one makes one sentence of a person, and that often of a message about another.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from datetime import datetime
from math import ceil

import numpy as np

from minirag_chat.answer.counting.cited import QUOTED, first_and_last, sources
from minirag_chat.answer.counting.request import Told
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.where_and_when import no_messages, of_chats
from minirag_chat.answer.without_model import without_model
from minirag_chat.graph.keywords import shown_informativeness
from minirag_chat.question.stop_words import foreign_stop_words
from minirag_chat.records import Answer, Filters, Message, Question, Source
from minirag_chat.store import Store
from minirag_chat.store.arrays import Ids
from minirag_chat.ui_text import count, cut, one_line, said_at

OWN, OTHERS = 3, 2  # messages of the person, and of others who name them, that are quoted
MOST_CALLED_SO = 4  # people of one name
MOST_WEIGHED = 4000  # messages, evenly from all of the time
QUOTING = 0.5
"""The confidence, as of overviews: messages are quoted, and nothing is claimed."""


def portrait(store: Store, question: Question) -> Generator[str | Answer, None, None]:
    """Yield the ``Answer`` to "Tell me about Ann", about each person of this name; inside ``reading()``."""
    started_at = time.perf_counter()
    filters = replace(question.filters, periods=question.times)
    texts: list[str] = []
    cited: tuple[Source, ...] = ()
    for person in question.people[:MOST_CALLED_SO]:
        if told := told_of(store, person.id, filters, numbered_after=len(cited)):
            texts.append(told[0])
            cited += told[1]
    if not texts:
        people = frozenset(person.id for person in question.people)
        none = no_messages(store, replace(filters, people=people))
        yield without_model(question.text, none, started_at, reason="no_messages")
        return
    path = PathBuilder(store, question).build(cited, {})
    yield without_model(
        question.text,
        "\n\n".join(texts),
        started_at,
        sources=cited,
        path=path,
        confidence=QUOTING,
    )


def told_of(
    store: Store,
    person: int,
    filters: Filters,
    *,
    with_first: bool = False,
    numbered_after: int = 0,
) -> Told | None:
    """How many messages somebody wrote and where, and below it what tells most of their own and about them.

    ``with_first`` also quotes their first message, which often says who they are; the messages are numbered
    after as many others. None if they wrote nothing, and nobody names them, in what passes the filters.
    """
    whose = replace(filters, people=frozenset({person}))
    ends = store.message_counts.first_and_last(whose, in_words=True) or ()
    found = {message.id: message for message in _telling(store, person, filters)}
    if with_first and ends:
        found |= store.messages.by_ids(ends[:1])
    quoted = sorted(found.values(), key=_moment)
    shown = sources(store, list(dict.fromkeys([*ends, *(message.id for message in quoted)])))
    cited = tuple(replace(one, number=one.number + numbered_after) for one in shown)
    number = {one.message.id: one.number for one in cited}
    in_chat = len(filters.chats) != 1
    lines = [
        f"- {said_at(m, cut(one_line(m.text), QUOTED), in_chat=in_chat)} [{number[m.id]}]"
        for m in quoted
    ]
    if ends:
        lines[:0] = [_wrote(store, whose, cited[: len({*ends})]), ""]
    return ("\n".join(lines), cited) if cited else None


def _wrote(store: Store, whose: Filters, ends: Sequence[Source]) -> str:
    """How many messages a person wrote, in which chats, and when they begin and end."""
    (person,) = whose.people
    number = store.message_counts.number(whose)
    chats = frozenset(chat for chat, _messages in store.message_counts.by_chat(whose))
    wrote = f"{store.people.shown_by_id(person)} wrote {count(number, 'message')}"
    return f"{wrote}{of_chats(store, Filters(chats=chats))}, {first_and_last(ends, number)}."


def _telling(store: Store, person: int, filters: Filters) -> list[Message]:
    """What tells most of what somebody wrote, and of what others wrote who name them, in order of time."""
    allowed = store.columns.allowed(filters)
    own = store.columns.written_by([person])
    others = np.setdiff1d(np.array(store.index.messages_naming(person), dtype=np.int64), own)
    if allowed is not None:
        own, others = (np.intersect1d(ids, allowed) for ids in (own, others))
    of_others = _most_informative(store, others, OTHERS)
    of_own = _most_informative(store, own, OWN + OTHERS - len(of_others))
    if len(of_own) < OWN:
        of_others = _most_informative(store, others, OWN + OTHERS - len(of_own))
    return sorted([*of_own, *of_others], key=_moment)


def _most_informative(store: Store, ids: Ids, parts: int) -> list[Message]:
    """Of each of so many parts of the time the message that says most, none twice."""
    some = ids[:: max(ceil(len(ids) / MOST_WEIGHED), 1)]
    everyone = store.messages.by_ids(some.tolist()).values()
    messages = [message for message in everyone if not message.says_nothing] or everyone
    said = sorted({one_line(m.text): m for m in messages if not m.wordless}.values(), key=_moment)
    size = max(ceil(len(said) / parts), 1)

    says = shown_informativeness(store, foreign_stop_words)
    return [max(said[first : first + size], key=says) for first in range(0, len(said), size)]


def _moment(message: Message) -> tuple[datetime, int]:
    return message.sent_at, message.id

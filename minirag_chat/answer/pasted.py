"""The answer to a text that is no question but a message, or a part of one: its place, and what is around it.

No retrieval, and no model: whoever pastes a message wants to find its place.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from minirag_chat.answer.about_answer import (
    conversations,
    provenance,
    quoted_source,
    with_neighbours,
)
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.without_model import without_model
from minirag_chat.answer.word_search import messages_with_all
from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.wants import wants_something
from minirag_chat.question.words import words_of
from minirag_chat.records import Answer, Filters, Message, Question
from minirag_chat.store import Store

FEWEST_WORDS = 4
MOST = 3  # messages: what more of them have is a phrase, and no message that was pasted
AROUND = "Around it:"
_HEAD = lazy(
    r"^\[[^\]]{4,30}\] [^:]{1,60}: "
)  # "[19:12, 06/10/2025] Ben: ", as copied from a messenger


def pasted_messages(
    store: Store, text: str, filters: Filters, *, whole: bool = False
) -> list[Message]:
    """The messages that a text repeats, the newest first; empty if it asks for something.

    They have just its words; or where none has, and it need not be the ``whole`` message, its words in a
    row. None asks for anything either. Inside
    ``reading()``.
    """
    text = _HEAD.sub("", text)
    words = words_of(text)
    if len(words) < FEWEST_WORDS or wants_something(text):
        return []
    messages = messages_with_all(store, text, filters)
    same = [one for one in messages if words_of(one.text) == words]
    part = [one for one in messages if not whole and _in_a_row(words, words_of(one.text))]
    kept = [one for one in same or part if not wants_something(one.text)]
    return kept[::-1] if len(kept) <= MOST else []


def about_pasted(store: Store, text: str, found: Sequence[Message]) -> Iterator[str | Answer]:
    """Yield the text, then the ``Answer``: who wrote these, where and when, and what is around them."""
    started_at = time.perf_counter()
    with store.reading():
        near = with_neighbours(store, found)
        shown = {one.id for one in found}
        every = (*found, *(one for one in near if one.id not in shown))
        sources = tuple(quoted_source(number, one) for number, one in enumerate(every, 1))
        path = PathBuilder(store, Question(text)).build(sources, {})
    around = sources[len(found) :]
    parts = [*map(provenance, sources[: len(found)])]
    parts += [AROUND, *conversations(around)] if around else []
    said = "\n\n".join(parts)
    yield said
    yield without_model(text, said, started_at, sources=sources, path=path)


def _in_a_row(words: Sequence[str], of: Sequence[str]) -> bool:
    """Whether a text has these words side by side, in this order."""
    starts = range(len(of) - len(words) + 1)
    return any(list(of[at : at + len(words)]) == list(words) for at in starts)

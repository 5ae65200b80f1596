"""The answer to a question about the answer before it: its messages, who wrote them, when and where.

No retrieval, and no model: asked "who said that?", a small model guesses from the texts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from minirag_chat.answer.cite import LONGEST_QUOTE
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.where_and_when import quoted
from minirag_chat.answer.without_model import without_model
from minirag_chat.records import Answer, AnswerAspect, Message, Question, Reason, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import cut, day, one_line

MOST_QUOTED = 6  # messages of the earlier answer
AROUND = 2  # messages before and after each
CLOSEST = "I gave no answer. These messages came closest:"
COUNTED = "It was counted or compared in your messages by code, with these among them:"
OTHERS = "Then it may be one of these, which come next for \u201c{question}\u201d:"
MOST_OTHERS = 4  # messages that come next
MAY_BE = 0.45  # confidence: one of them often is what was asked for, and nobody knows which
LIKELY = "The chance that it is right is put at {percent}%. It rests on this:"


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The messages that an answer showed, as ids; if it abstained, why, and the messages only came close."""

    message_ids: tuple[int, ...]
    reason: Reason | None
    confidence: float


def about_answer(
    store: Store,
    question: str,
    aspect: AnswerAspect,
    earlier: GivenAnswer,
    shown: Sequence[Message],
) -> Iterator[str | Answer]:
    """Yield the text, then the ``Answer``; ``shown`` are the messages of the earlier answer."""
    started_at = time.perf_counter()
    messages = tuple(shown[:MOST_QUOTED])
    with store.reading():
        messages = with_neighbours(store, messages) if aspect == "context" else messages
        sources = tuple(quoted_source(n, message) for n, message in enumerate(messages, 1))
        path = PathBuilder(store, Question(question)).build(sources, {})
    parts = conversations(sources) if aspect == "context" else map(provenance, sources)
    text = "\n\n".join(filter(None, (_head(aspect, earlier), *parts)))
    yield text
    yield without_model(
        question,
        text,
        started_at,
        sources=sources,
        path=path,
        reason=earlier.reason,
        confidence=earlier.confidence if earlier.reason or aspect == "certainty" else 1.0,
    )


def other_messages(
    store: Store, question: str, earlier: str, messages: Sequence[Message]
) -> Iterator[str | Answer]:
    """Yield the text, then the ``Answer``: what comes next for the ``earlier`` question, unsure."""
    started_at = time.perf_counter()
    sources = tuple(quoted_source(n, message) for n, message in enumerate(messages, 1))
    with store.reading():
        path = PathBuilder(store, Question(question)).build(sources, {})
    text = "\n\n".join((OTHERS.format(question=earlier), *map(provenance, sources)))
    yield text
    yield without_model(question, text, started_at, sources=sources, path=path, confidence=MAY_BE)


def _head(aspect: AnswerAspect, earlier: GivenAnswer) -> str:
    if earlier.reason:
        return CLOSEST
    if aspect not in {"certainty", "others"}:
        return ""
    percent = round(100 * earlier.confidence)
    return COUNTED if earlier.confidence == 1.0 else LIKELY.format(percent=percent)


def provenance(source: Source) -> str:
    """Who wrote a message, where and when, and its text."""
    at = f"{source.sent_at:%A} {day(source.sent_at)} at {source.sent_at:%H:%M}"
    return f"{_sender(source)} wrote in {quoted(source.chat)} on {at}: {_quoted(source)}"


def with_neighbours(store: Store, messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with those around them in their conversations, each conversation in order."""
    found: dict[int, Message] = {}
    for message in messages:
        near = store.messages.around(message, AROUND)
        found |= {one.id: one for one in near if one.session_id == message.session_id}
    conversations = list(dict.fromkeys(message.session_id for message in messages))
    return tuple(
        sorted(
            found.values(),
            key=lambda one: (conversations.index(one.session_id), one.sent_at, one.id),
        )
    )


def conversations(sources: Sequence[Source]) -> Iterator[str]:
    """A line for each message, under the chat and day of its conversation."""
    for (chat, on), group in groupby(sources, key=lambda one: (one.chat, one.sent_at.date())):
        yield f"In {quoted(chat)} on {on:%A} {day(on)}:"
        for one in group:
            yield f"{one.sent_at:%H:%M} {_sender(one)}: {_quoted(one)}"


def _sender(source: Source) -> str:
    return one_line(source.message.shown_sender)


def _quoted(source: Source) -> str:
    return f"\u201c{source.quote}\u201d [{source.number}]"


def quoted_source(number: int, message: Message) -> Source:
    """A message as a source, with as much of its text as is quoted."""
    return Source(number, message, cut(one_line(message.text), LONGEST_QUOTE))

"""Who a writer is, as far as their messages tell: how many there are, where, and what the first one says.

Few messages say who somebody is ("Who is Joy?"), and the first one from a stranger often does: "this is Joy
from Border Care".
"""

from __future__ import annotations

import re
from dataclasses import replace

from minirag_chat.answer.counted import first_and_last, sources
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.scope import of_chats
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Answer, Filters, Question, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count

LIKELY = 0.5  # the least confidence of an answer that is not replaced
NOT_SAID = "I found no message that says who {name} is."
_WHO_IS = lazy(r"\W*who(?:['\u2019]?s| is| was)\s+", re.IGNORECASE)
_PRESENTS = lazy(
    r"\b(?:i['\u2019]?m|i am|this is|my name|call me|ich bin|mein name|hier ist)\b", re.IGNORECASE
)
_END = lazy(r"[\s?.!\uff1f]*")


def who_is_asked_about(question: Question) -> int | None:
    """The person of whom a question asks nothing but who this is; None if it asks anything else."""
    lead = _WHO_IS.match(question.text)
    if lead is None or len(question.spans) != 1:
        return None
    span = question.spans[0]
    alone = span.start == lead.end() and _END.fullmatch(question.text, span.end)
    return span.people[0] if alone and len(span.people) == 1 else None


def with_writer(store: Store, question: Question, answer: Answer) -> Answer:
    """The answer; or, if it says hardly who a writer is, the messages of this person, counted."""
    person = who_is_asked_about(question)
    if person is None or answer.stopped:
        return answer
    if not answer.abstained and answer.confidence >= LIKELY and not _is_their_own(person, answer):
        return answer
    with store.reading():
        found = _told(store, replace(question.filters, people=frozenset({person})))
        if found is None:
            return answer
        text, cited = found
        path = PathBuilder(store, question).build(cited, {})
    return replace(
        answer,
        text=text,
        abstained=False,
        confidence=1.0,
        reason=None,
        sources=cited,
        closest=(),
        path=path,
        signals={},
    )


def _is_their_own(person: int, answer: Answer) -> bool:
    """Whether the sources are what this person wrote of other things."""
    texts = [one.message.text for one in answer.sources if one.message.sender_id == person]
    return len(texts) == len(answer.sources) and not any(map(_PRESENTS.search, texts))


def _told(store: Store, filters: Filters) -> tuple[str, tuple[Source, ...]] | None:
    """How many messages, from when to when, in which chats, and the first one; None if there is none."""
    ends = store.message_counts.first_and_last(filters, in_words=True)
    if ends is None:
        return None
    (person,) = filters.people
    name = store.people.shown_by_id(person)
    number = sum(messages for _person, _name, messages in store.message_counts.by_sender(filters))
    chats = frozenset(chat for chat, _messages in store.message_counts.by_chat(filters))
    cited = sources(store, list(dict.fromkeys(ends)))
    wrote = f"{name} wrote {count(number, 'message')}{of_chats(store, Filters(chats=chats))}"
    first = f"The first says: \u201c{cited[0].quote}\u201d [1]."
    return f"{NOT_SAID.format(name=name)} {wrote}, {first_and_last(cited, number)}. {first}", cited

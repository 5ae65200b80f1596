"""Questions that the messages themselves suggest: at the start, and after an answer.

No model. People ask each other in chats, and mostly somebody answers: a question among the messages
that stands on its own ("Where is the spare key?") is one to ask here. What several messages name
gives the rest ("What did Tom say about Harbour Street?"). Nothing is invented.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from minirag_chat.names import split_joined
from minirag_chat.records import Answer, EntityType
from minirag_chat.store import Store
from minirag_chat.store.text import STOP_WORDS

TYPES: tuple[EntityType, ...] = ("title", "place", "organisation", "topic")
LEAST = 3  # messages that must name a thing
LONGEST_NAME = 40
SHORTEST, LONGEST = 16, 80  # characters of a question
CONTENT_WORDS, WORDS = 2, 5
_QUESTION = re.compile(
    r"(?:^|[.!?:\n]\s*)((?:who|what|when|where|why|which|whose|how)\b[^.!?\n]*\?)", re.IGNORECASE
)
# What points outside the question: at those who talk, at what was said before, at today.
_POINTS = re.compile(
    r"\b(?:i|me|my|we|us|our|you|your|u|it|its|he|him|his|she|her|they|them|their|this|that|these|"
    r"those|there|here|one|ones|else|again|now|today|tonight|tomorrow|yesterday|still|so|too|then|next|"
    r"last|yet|everyone|everybody|anyone|anybody|someone|other|more|first|exactly|say|said|btw)\b"
    r"|n't\b|'(?:s|re|d|ll|ve)\b(?!\s+[A-Z])",
    re.IGNORECASE,
)
_SALUTATION = re.compile(r"^(?:dear|hi|hello|aunt|mr|mrs|ms)\b.{0,2}$|^dear\b", re.IGNORECASE)


def openers(store: Store, count: int = 4) -> tuple[str, ...]:
    """Up to ``count`` questions about different times and things; none when there is nothing."""
    standing = list(_standing(text for _id, text in store.messages.asked()))
    best = sorted(standing, key=_content, reverse=True)[: 3 * count]
    chosen = _spread([question for question in standing if question in best], count)
    if len(chosen) < count:
        chosen += list(islice(_named(store), count))
    return tuple(dict.fromkeys(chosen))[:count]


def follow_ups(store: Store, answer: Answer, count: int = 3) -> tuple[str, ...]:
    """Up to ``count`` questions near what the cited (or closest) messages say, then others."""
    shown = [source.message for source in (answer.sources or answer.closest)[:2]]
    found = list(_about(store, [message.id for message in shown]))[:2]
    for message in shown:
        near = sorted(
            store.messages.asked(message.chat_id), key=lambda row: abs(row[0] - message.id)
        )
        found += list(_standing(text for _id, text in near))[:count]
    if len(found) < count:
        found += openers(store)
    own = answer.question.casefold()
    return tuple(q for q in dict.fromkeys(found) if q.casefold() != own)[:count]


def _standing(texts: Iterable[str]) -> Iterator[str]:
    """The questions in these texts that can be understood alone, each once."""
    seen = set()
    for text in texts:
        for match in _QUESTION.finditer(text):
            question = " ".join(match.group(1).split())
            words = re.findall(r"\w+", question.lower())
            content = [word for word in words if word not in STOP_WORDS]
            if (
                SHORTEST <= len(question) <= LONGEST
                and len(content) >= CONTENT_WORDS
                and len(words) >= WORDS
                and not _POINTS.search(question)
                and question.casefold() not in seen
            ):
                seen.add(question.casefold())
                yield question[0].upper() + question[1:]


def _content(question: str) -> int:
    """How many content words it has: the more, the clearer what it is about."""
    return sum(w.lower() not in STOP_WORDS for w in re.findall(r"\w+", question))


def _spread(questions: Sequence[str], count: int) -> list[str]:
    """``count`` of them, evenly over the time they were asked in."""
    if len(questions) <= count:
        return list(questions)
    return [questions[i * len(questions) // count] for i in range(count)]


def _named(store: Store) -> Iterator[str]:
    """What somebody said about a thing that several messages name; each person once."""
    people: set[int] = set()
    for entity, name, _kind, _count in store.index.much_named(TYPES, LEAST):
        fresh = [s for s in store.index.speakers_of(entity) if s[0] not in people]
        if fresh and _nameable(name):
            people.add(fresh[0][0])
            yield _say_about(fresh[0][1], name)


def _about(store: Store, messages: Sequence[int]) -> Iterator[str]:
    """What others said about the things that these messages name."""
    senders = {m.sender_id for m in store.messages.by_ids(messages).values()}
    for _message, entity, name, kind, _start, _end in store.index.named_in(messages):
        if kind in TYPES and _nameable(name):
            others = [s for s in store.index.speakers_of(entity) if s[0] not in senders]
            if others:
                yield _say_about(others[0][1], name)


def _nameable(name: str) -> bool:
    return (
        LEAST < len(name) <= LONGEST_NAME
        and name.isprintable()
        and not name.isupper()
        and not _SALUTATION.search(name)
    )


def _say_about(who: str, thing: str) -> str:
    thing = thing.removesuffix("'s")
    return f"What did {split_joined(who)} say about {thing}?"

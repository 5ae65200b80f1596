"""A question → its semantic mapping (paper 3.2.1): entities V_q, answer types T, people, times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from minirag_chat.names import without_possessive
from minirag_chat.question.shape import find_shape
from minirag_chat.question.speech import speaks_out
from minirag_chat.records import Entity, EntityType, Filters, Question, TimeSpan
from minirag_chat.store import Store
from minirag_chat.store.text import STOP_WORDS
from minirag_chat.times import question_window

_WORD = re.compile(r"\w[\w'\u2019\-]*")
_QUOTED = re.compile(r"[\"\u201c\u00ab]([^\"\u201c\u201d\u00ab\u00bb]{2,80})[\"\u201d\u00bb]")
_YES_NO = re.compile(
    r"^(?:and\s+|so\s+)?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"(?:according to|do|does|did|has|have|had|would|will|can|could|should|was|is)\s+$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:he|she)\b", re.IGNORECASE)
_CONTINUES = re.compile(r"^(?:and|but|or|also|what about|how about)\b", re.IGNORECASE)
_ANSWER_TYPES: tuple[tuple[str, tuple[EntityType, ...]], ...] = (
    (r"\b(?:who|whom|whose|which (?:person|friend|player|member))\b|谁", ("person",)),
    (r"\b(?:when|what time|what day|what date|which day|how long|how often)\b", ("time",)),
    (r"什么时候|几点|几号|哪天|何时|多久", ("time",)),
    (r"\b(?:where|which (?:place|city|restaurant|caf.))\b", ("place", "organisation")),
    (r"哪里|哪儿|什么地方", ("place", "organisation")),
    (r"\b(?:how (?:much|many|far|old)|price|cost|amount)\b|多少|几[个块元岁次]", ("amount",)),
    (
        r"\b(?:book|song|film|movie|game|show|series|title|album|name of|called(?! (?-i:[A-Z])))\b",
        ("title", "topic"),
    ),
    (r"\b(?:link|url|website)\b", ("link",)),
)
LONGEST_ENTITY = 5
FOLLOW_UP_WORDS = 1
MINUTE, BEFORE, AFTER = timedelta(minutes=1), timedelta(minutes=30), timedelta(hours=1)


def map_question(text: str, store: Store, now: datetime, filters: Filters) -> Question:
    """Find what the question names; ``now`` is the time of the newest message."""
    people, speakers, voices = _people(text, store)
    since, until, spans = question_window(text, now)
    times: tuple[TimeSpan, ...] = ()
    if since is not None or until is not None:
        phrase = ", ".join(span.phrase for span in spans)
        times = (TimeSpan(since or datetime.min, until or datetime.max, phrase),)
    return Question(
        text=text,
        entities=_entities(text, store, people),
        people=people,
        speakers=speakers,
        voices=voices,
        answer_types=answer_types(text),
        times=times,
        moments=tuple(_moments(spans, times)),
        filters=filters,
        yes_no=bool(_YES_NO.match(text)),
        shape=find_shape(text, [span[:2] for span in store.people.index().find(text)]),
    )


def _moments(spans: Sequence[TimeSpan], times: Sequence[TimeSpan]) -> Iterator[TimeSpan]:
    """About when the conversation was, where the question names a clock time of a day."""
    for span in spans:
        inside = any(time.start <= span.start < time.end for time in times)
        if inside and span.end - span.start <= MINUTE:
            yield TimeSpan(span.start - BEFORE, span.start + AFTER, span.phrase)


def event_question(event: Question, whole: Question) -> Question:
    """An event of a question as a question of its own, in the time that the whole one names.

    Who acts in it counts as its speaker; a pronoun at its beginning stands for who acts first.
    """
    speakers = event.speakers
    if not speakers and _PRONOUN.match(event.text):
        speakers = whole.speakers[:1]
    timed = whole if whole.times else event
    return replace(event, speakers=speakers, times=timed.times, moments=timed.moments, shape=None)


def answer_types(text: str) -> tuple[EntityType, ...]:
    """The likely types of the answer, T in the paper, by the question's words."""
    found = [
        kind
        for rule, kinds in _ANSWER_TYPES
        if re.search(rule, text, re.IGNORECASE)
        for kind in kinds
    ]
    return tuple(dict.fromkeys(found))


def lean(question: str, history: Sequence[tuple[str, str]]) -> str:
    """A follow-up ("And where?") joined to the question it leans on; others as they are."""
    if not history:
        return question
    content = [w for w in _WORD.findall(question.lower()) if w not in STOP_WORDS]
    names = [w for w in _WORD.findall(question)[1:] if w[0].isupper()]
    if _CONTINUES.match(question) or (len(content) <= FOLLOW_UP_WORDS and not names):
        return f"{history[-1][0]} {question}"
    return question


def _people(text: str, store: Store) -> tuple[tuple[Entity, ...], ...]:
    """Who is named; of these who acts; of these whose own words are asked for."""
    found: dict[int, Entity] = {}
    speakers: dict[int, Entity] = {}
    voices: dict[int, Entity] = {}
    for start, end, owners in store.people.index().find(text):
        for owner in owners:
            entity = store.people.entity(owner)
            if entity is None:
                continue
            found[owner] = entity
            if not text[:start].strip() or _SPEAKS.search(text[:start]):
                speakers[owner] = entity
                if speaks_out(text, start, end):
                    voices[owner] = entity
    return tuple(found.values()), tuple(speakers.values()), tuple(voices.values())


def _entities(text: str, store: Store, people: tuple[Entity, ...]) -> tuple[Entity, ...]:
    """V_q: the people, and every other name in the question that the messages know too."""
    found = {entity.id: entity for entity in people}
    phrases = [match.group(1) for match in _QUOTED.finditer(text)]
    words = list(_WORD.finditer(text))
    for size in range(LONGEST_ENTITY, 0, -1):
        for first in range(len(words) - size + 1):
            phrase = text[words[first].start() : words[first + size - 1].end()]
            if phrase.casefold() not in STOP_WORDS:
                phrases += dict.fromkeys((phrase, without_possessive(phrase)))
    for phrase in phrases:
        for entity in store.people.named(phrase):
            if entity.type != "person":
                found.setdefault(entity.id, entity)
    return tuple(found.values())

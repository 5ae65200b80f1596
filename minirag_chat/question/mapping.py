"""A question → its semantic mapping (paper 3.2.1): entities V_q, answer types T, people, times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.chats import in_chat_with, in_named_chat, without_titled_times
from minirag_chat.question.named_entities import entities_in, people_in, roles
from minirag_chat.question.obliged import without_obliged
from minirag_chat.question.own_words import in_own_words
from minirag_chat.question.shape import find_shape
from minirag_chat.question.yes_no import is_yes_no
from minirag_chat.records import Entity, EntityType, Filters, PersonSpan, Question, TimeSpan
from minirag_chat.store import Store
from minirag_chat.times import question_window
from minirag_chat.times.quoted import unquoted
from minirag_chat.times.ranges import find_atoms

_PRONOUN = any_case(r"(?:he|she)\b")
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
_AND = any_case(r"(?:\s*,\s*|,?\s+(?:and|or|und|oder)\s+)(?:(?:in|on|im|am)\s+)?(?:the\s+)?")
MINUTE, BEFORE, AFTER = timedelta(minutes=1), timedelta(minutes=30), timedelta(hours=1)


def map_question(text: str, store: Store, now: datetime, filters: Filters) -> Question:
    """Find what the question names; ``now`` is the time of the newest message.

    "In the X chat" and "in the chat with X" become filters, and are no part of the text that is looked up.
    """
    text, filters = in_named_chat(text, store.messages.titles(), filters)
    text, filters = in_chat_with(text, store, filters)
    named = people_in(text, store)
    people, speakers, quoted_speakers, related = roles(text, named, store)
    places = [span[:2] for span in named]
    shape = find_shape(text, places)
    occurs = shape is not None and shape.kind in {"count", "first", "last"}
    timed = without_titled_times(text, store.messages.titles().values(), now)
    since, until, spans = question_window(timed, now, years=occurs)
    times: tuple[TimeSpan, ...] = ()
    if since is not None or until is not None:
        phrase = ", ".join(span.phrase for span in spans)
        times = (TimeSpan(since or datetime.min, until or datetime.max, phrase),)
        times = _listed(unquoted(timed), now, times[0])
    spans_named = tuple(PersonSpan(*span) for span in named)
    return Question(
        text=text,
        entities=entities_in(text, store, people),
        people=people,
        spans=spans_named,
        speakers=speakers,
        quoted_speakers=quoted_speakers,
        related=related,
        answer_types=answer_types(text),
        times=times,
        moments=tuple(_moments(spans, times)),
        named_times=spans,
        filters=filters,
        yes_no=is_yes_no(text, places),
        shape=shape,
        unnamed=without_obliged(text, spans_named, speakers)
        or in_own_words(text, spans_named, store.me.id(), quoted_speakers),
    )


def _listed(text: str, now: datetime, whole: TimeSpan) -> tuple[TimeSpan, ...]:
    """The times of a list ("May and July", "in May and in July") from end to end of ``whole``; else that."""
    atoms = find_atoms(text, now, "past")
    lists = [atom.parts for atom in atoms if atom.parts]
    points = tuple(TimeSpan(*atom.days, text[atom.left : atom.right]) for atom in atoms)
    apart = all(_AND.fullmatch(text, a.right, b.left) for a, b in pairwise(atoms))
    if apart and len(atoms) > 1 and all(a.shape == "point" and not a.of_day for a in atoms):
        lists = [tuple(sorted(points, key=lambda span: span.start))]
    if len(lists) != 1:
        return (whole,)
    reach = lists[0][0].start, max(span.end for span in lists[0])
    return lists[0] if reach == (whole.start, whole.end) else (whole,)


def _moments(spans: Sequence[TimeSpan], times: Sequence[TimeSpan]) -> Iterator[TimeSpan]:
    """About when the conversation was, if the question names a clock time on a day."""
    for span in spans:
        inside = any(time.start <= span.start < time.end for time in times)
        representable = datetime.min + BEFORE <= span.start <= datetime.max - AFTER
        if inside and representable and span.end - span.start <= MINUTE:
            yield TimeSpan(span.start - BEFORE, span.start + AFTER, span.phrase)


def event_question(event: Question, whole: Question) -> Question:
    """An event of a question as a question of its own, with the time that the whole question names.

    Its subject counts as its speaker; a pronoun at its beginning refers to the whole question's first one.
    """
    speakers = event.speakers
    if not speakers and _PRONOUN.match(event.text):
        speakers = whole.speakers[:1]
    timed = whole if whole.times else event
    return replace(event, speakers=speakers, times=timed.times, moments=timed.moments, shape=None)


def with_person(question: Question, person: Entity) -> Question:
    """``question`` with a person whom it names without a recognisable name, such as by an emoji."""
    if person in question.people:
        return question
    return replace(
        question,
        people=(*question.people, person),
        speakers=(*question.speakers, person),
        entities=(*question.entities, person),
    )


def answer_types(text: str) -> tuple[EntityType, ...]:
    """The likely types of the answer, T in the paper, by the question's words."""
    found = [
        kind
        for rule, kinds in _ANSWER_TYPES
        if re.search(rule, text, re.IGNORECASE)
        for kind in kinds
    ]
    return tuple(dict.fromkeys(found))

"""Whether a question asks which day a time of the calendar is: "what date is next Saturday?"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import any_case
from minirag_chat.records import Metadata, Question, TimeSpan, Wanted
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import around

_DAY = r"(?:date|weekday|day of the week|day)"
_ASKS = any_case(
    rf"\W*(?:(?:on )?(?:what|which) {_DAY} (?:is|are|(?P<past>was|were)|will)(?: (?:it|we|be))*(?: on)?"
    rf"(?: (?P<when>\w[^?!]*?))?"
    rf"|what (?:is|was) (?:the {_DAY}(?: of)?(?: (?P<of>\w[^?!]*?))?|today['\u2019]?s {_DAY}))[\s?!.]*",
)
_THE = any_case(r"(?:(?:on|the)\s+)*")
_WHAT_IS = any_case(r"\bwhat['\u2019]?s\b")


def as_calendar_day(question: Question, newest: datetime) -> Metadata | None:
    """The plan of a question for the date or weekday of one day, today if it names none; else None."""
    found = _ASKS.fullmatch(_WHAT_IS.sub("what is", question.text))
    if found is None or question.spans:
        return None
    named = found["when"] or found["of"] or "today"
    left = _THE.match(named)
    when = named[left.end() if left else 0 :].strip()
    now = max(newest, datetime.now())
    atoms = find_atoms(when, now, "past" if found["past"] else "future")
    if len(atoms) != 1 or (atoms[0].left, atoms[0].right) != (0, len(when)):
        return None
    start, end = atoms[0].days
    if end - start != timedelta(days=1) or around(start, "day") != (start, end):
        return None
    return Metadata(
        question=replace(question, times=(TimeSpan(start, end, when),)), asks=Wanted("date")
    )

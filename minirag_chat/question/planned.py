"""Whether a question asks for all that is planned for a period, and not for one thing."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.overview import (
    AHEAD,
    QuestionParts,
    are_ahead,
    filters_within,
    is_all,
    question_parts,
    times_ahead,
)
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.question.words import name_parts, words_of
from minirag_chat.records import Question, Repeated, TimeSpan
from minirag_chat.times.spans import midnight

_WHEN = r"(?:when|which days|what days)"
_WORKING = r"(?:working|on shift|at work|in work|on the rota)"
_EVENTS = r"(?:events?|things?|plans?|dates?|appointments?)"
_PLANS = any_case(
    r"\bwhat (?:is|are|(?P<past>was|were)) (?:(?:the |our |my )?plans?|planned|scheduled|coming up)\b"
    r"(?: (?:for|on)\b)?"
    r"|^\W*(?:(?:(?:do(?:es)? we have|ha(?:ve|s) we got) )?any |the |our |my )?plans?\b(?: (?:for|on)\b)?"
    r"|\b(?:is )?(?:there )?anything (?:planned|scheduled|coming up)\b"
    r"|\bwhat plans (?:do(?:es)? we have|ha(?:ve|s) we (?:got|made))\b"
    rf"|\bwhat (?:is|are) (?:the |our |my )?(?:next|upcoming) {_EVENTS}\b"
    rf"|{AHEAD}|(?P<news>\bwhat is new\b)"
    rf"|\b{_WHEN} (?:am|are|is) we (?:next )?{_WORKING}\b(?: next\b)?"
    rf"|\b{_WHEN} do(?:es)? we (?:next work|work next)\b"
    r"|\b(?P<have>(?:what (?:else )?(?:do(?:es)? we have|ha(?:ve|s) we got)"
    r"|(?:do(?:es)? we have|ha(?:ve|s) we got) (?:any|some)thing)(?: on| planned)?"
    rf"|(?:{_WHEN} )?(?:am|are|is) we (?:still )?(?:free|busy|available|doing (?:any|some)thing)"
    rf"|(?:{_WHEN} )?do(?:es)? we work|(?:am|are|is) we {_WORKING}"
    r"|what (?:is|are) (?:my|our) (?:shifts?|rota|working hours)"
    r"|(?:what|which) shifts (?:do(?:es)? we have|have we got|(?:am|are|is) we (?:on|doing|working))"
    r"|(?:what|where) (?:am|are|is) we (?:doing|supposed to be))\b",
)
_FOR = any_case(r"\bfor(?: the)?\W*$")
"""Before a time that was taken out: "plans with Ann for December"."""
_THEY = lazy(r"(?<!\bwith )\bthey\b")
_SEE = r"(?:see|seeing|meet|meeting|visit|visiting)"
_MEETING = any_case(
    rf"\bwhen (?:am|are|is|do|does|will|can|shall) we (?:be )?(?:next )?{_SEE}(?: up)?(?: with)? they"
    r"(?: next| again)?\b"
    rf"|\b(?:when is )?(?:the )?next time (?:that )?we {_SEE} they\b",
)
_OF_WORK = any_case(
    rf"\bwe (?:next )?(?:work|{_WORKING})\b|\b(?:my|our|we|what|which) (?:shifts?|rota|working hours)\b"
)
_ASKS_TO_MEET = any_case(rf"\b(?:when|time)\b.*\b{_SEE}\b|\b{_WHEN} do(?:es)?\b.*\bwork\b")


def as_planned(question: Question, context: PlanContext) -> Question | None:
    """The question with the period for which it asks what is planned; None if it asks something else.

    Without a time the period begins with the newest message.
    The plans of one person ("What are Ann's plans?") are looked up: others may know them too.
    """
    newest = context.newest
    parts = question_parts(question, context)
    if parts is None or parts.repeated != Repeated():
        return None
    if _MEETING.search(parts.text) and not parts.spans and is_all(_MEETING.sub(" ", parts.text)):
        return planned_for(question, parts, (coming_up(newest),), context.me)
    asked = list(_PLANS.finditer(parts.text))
    rest = _PLANS.sub(" ", _FOR.sub(" ", parts.text) if parts.spans else parts.text)
    if not asked or not is_all(rest) or _THEY.search(rest):
        return None
    if not parts.spans and any(found["have"] or found["past"] for found in asked):
        return None  # "Do I have anything?" may ask for anything, and what was planned was for some time
    past = any(found["past"] for found in asked)
    spans = parts.spans if past else times_ahead(parts, newest)
    on = any(found["on"] for found in asked)
    if any(found["ahead"] or found["news"] for found in asked) and not are_ahead(
        spans, newest, begun=on
    ):
        return None
    return planned_for(question, parts, spans or (coming_up(newest),), context.me)


def asks_to_meet(text: str) -> bool:
    """Whether a question for what is planned asks when somebody is seen or works: the list may not tell."""
    return _ASKS_TO_MEET.search(text) is not None


def asks_for_work(question: Question, context: PlanContext) -> bool:
    """Whether a question for what is planned asks when the asker works."""
    parts = question_parts(question, context)
    return parts is not None and _OF_WORK.search(parts.text) is not None


def planned_for(
    question: Question, parts: QuestionParts, times: tuple[TimeSpan, ...], me: int | None
) -> Question | None:
    """The question for what is planned for these times, with others than the asker; None in no chat."""
    filters = filters_within(parts, question.filters)
    if filters is None:
        return None
    others = tuple(
        person
        for person in question.people
        if person.id != me and not _is_a_time(person.name, question.text, times)
    )
    return replace(question, times=times, people=others, filters=filters)


def _is_a_time(name: str, text: str, times: tuple[TimeSpan, ...]) -> bool:
    """Whether a person is named by no more than the times of a text: June, in "What's planned for June?"."""
    said, timed = words_of(text), [word for one in times for word in words_of(one.phrase)]
    named = [part for part in name_parts(name) if part in said]
    return bool(named) and all(said.count(part) <= timed.count(part) for part in named)


def coming_up(newest: datetime) -> TimeSpan:
    """The time from the day of the newest message on."""
    return TimeSpan(midnight(newest), datetime.max, "from then on")

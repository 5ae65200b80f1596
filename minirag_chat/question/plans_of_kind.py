"""Questions for what is planned of one kind: "When is my next shift?", "Has the quiz moved?"."""

from __future__ import annotations

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.overview import are_ahead, is_all, question_parts, times_ahead
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.question.planned import coming_up, planned_for
from minirag_chat.records import Overview, Question, Repeated
from minirag_chat.store.text import words

WORK = "work"
"""The kind of "When do I work this week?"."""
SHIFTS = frozenset({WORK, "shift", "shifts"})
"""Kinds of plans that messages name in many words, and in rotas in none: "Wed 8-2"."""
_NO_NAME = r"(?:and|or|to|of|in|on|at|for|with|from|we|they|everyone|thing|one|time|up)\b"
_WORD = rf"(?!{_NO_NAME})[^\W\d_][\w'\u2019-]+"
_KIND = rf"{_WORD}(?: {_WORD}){{0,2}}?"
_ENDS = r"(?=\s*(?:[?!.,]|\Z)|\s+(?:in|with|at|for|on|from)\b)"
_IS = r"(?: is|['\u2019]?s|(?P<several> are))"
_OWN = r"(?:(?:my|our|the|any) )?"
_HAVE = r"(?:is|are|do(?:es)? we have|have we got)"
_NEXT = any_case(
    rf"\s*(?:when|what|which){_IS} {_OWN}(?:(?P<first>next)|upcoming) (?P<next>{_KIND}){_ENDS}"
    rf"|\s*(?:which|what|any|(?:is|are) there(?: any)?) (?P<coming>{_KIND})(?: {_HAVE})? "
    rf"(?:coming up|up next|next){_ENDS}"
    rf"|\s*(?:who|which (?:of )?{_OWN}\w+) (?:has|have)(?: an?)? (?P<has>{_KIND}) (?:coming up|next){_ENDS}"
    rf"|\s*{_OWN}(?:upcoming|next) (?P<alone>{_KIND}){_ENDS}",
)
_CHANGE = (
    r"(?:(?:been|get|got|being) )?(?:moved?|changed?|postponed|rescheduled|cancell?ed|delayed|pushed back"
    r"|put back|called off|brought forward)"
)
_THE = r"(?:(?:the|my|our) )?"
_DID = r"(?:did|has|have|was|were|is|are)"
_MOVED = any_case(
    r"\s*what(?: is|['\u2019]s| has| was)?(?: been)? changed (?:about|with|for|in|on) "
    rf"{_THE}(?P<about>{_KIND}){_ENDS}"
    rf"|\s*{_DID} (?:the|there a change (?:of|to|in) the) (?:date|day|time)s? (?:of|for) "
    rf"{_THE}(?P<dated>{_KIND})(?: {_CHANGE})?{_ENDS}"
    rf"|\s*{_DID} {_THE}(?P<it>{_KIND}) {_CHANGE}{_ENDS}"
)
# Kinds of times and of what is no plan: "next week", "next message"
_NO_KIND = frozenset(
    "week weekend month year day days weeks months years weekends message messages chat chats text texts"
    " event events things plan plans date dates anything something comes goes happens follows is".split()
)
_MY_BIRTHDAY = any_case(r"\s*(?:when|which)\b.*\bmy\b.*\b(?:birthday|bday)\b")  # not anybody's


def as_plans_of_kind(question: Question, context: PlanContext) -> Overview | None:
    """The plan of a question for what comes next of a kind, or what of it was moved; None for others."""
    parts = question_parts(question, context)
    if parts is None or parts.repeated != Repeated():
        return None
    moved, coming = _MOVED.match(parts.text), _NEXT.match(parts.text)
    found = moved or coming
    if found is None or not is_all(parts.text[found.end() :]):
        return None
    named = found.groupdict()
    kind = next(one for key, one in named.items() if one and key not in {"several", "first"})
    if not _is_kind(kind) or _MY_BIRTHDAY.match(parts.text):
        return None
    spans = () if moved else times_ahead(parts, context.newest)
    if (moved and parts.spans) or (spans and not are_ahead(spans, context.newest)):
        return None
    asked = planned_for(question, parts, spans or (coming_up(context.newest),), context.me)
    first = coming is not None and coming["first"] is not None and not coming["several"]
    first = first and kind not in SHIFTS  # a rota names days of others too
    if asked is None:
        return None
    return Overview(asked, planned=True, kind=kind, first=first, moved=moved is not None)


def _is_kind(kind: str) -> bool:
    """Whether words name a kind of things that can be planned."""
    said = [word for word in words(kind) if word not in STOP_WORDS]
    return bool(said) and not _NO_KIND & {*said}

"""The shape of a question: two events to compare, a first or last time, a count.

A small model compares dates badly; code does it well. If a question has such a shape, its events are
looked up one by one, each gets the date of a message, and the rest is arithmetic.

A question is only split if its parts look like events: clauses that begin with a person, a pronoun or
a verb in -ing. "Did Ann call before six?" compares no events: a named time ("six", "last Friday",
"spring 2026") is not an event.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.placeholders import TIME
from minirag_chat.records import Relation, Shape
from minirag_chat.times.number_words import NUMBERS
from minirag_chat.times.patterns import mentions_time
from minirag_chat.times.ranges import find_atoms

_IGNORED = re.IGNORECASE
_NOW = datetime(2000, 1, 1)  # any date: only the positions of times are used
_OPENS = lazy(r".*\b(?:before|after|since|until|till?)\s+(?:the\s+)?", _IGNORED | re.DOTALL)
_LEAD = any_case(
    r"^\s*(?:question\s*:\s*)?(?:(?:and|so|but|well|in\s+total|altogether|overall)\b\s*,?\s*)?"
    r"(?:(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?(?:tell|remind)\s+me\s+"
    r"|do\s+you\s+(?:know|remember)\s+)?",
)
_AUXILIARY = r"(?:did|does|do|has|have|had|was|were|is|are|will|would)"
_PRONOUN = (
    r"(?:he|she|they|it|i|we|you|his|her|their|my|our|the\s+(?:group|band|others|two|team|family))"
)
_SUBJECT = any_case(rf"{_PRONOUN}\b|[a-z]+ing\b")
_PERSONAL = any_case(r"(?:he|she|they|it|i|we|you)\b")
_NOT_ALONE = any_case(r"\s*(?:['\u2019,]|(?:and|or)\b)")  # "Ann and Ben", "Ann's dog"
_LONE_AUXILIARY = any_case(rf"\s+{_AUXILIARY}\s*$")
_DETERMINED = any_case(
    rf"(?:{_PRONOUN}|the|an?|this|that|these|those|all|both|every\w*|any\w*|some\w*|people)\b",
)
_HAPPEN = any_case(r"\b(?:happen|take place|come|start|begin|end|occur)(?:ed|s|n)?\s*$")
_ORDER = any_case(
    r"\b(before or after|after or before|before|after|(?:earlier|sooner|later) than|prior to)\b",
)
_PHRASAL = any_case(
    r"\b(?:look|ask|chas|tak|took)\w*\s*$|\bnam(?:e|es|ed|ing)\b(?:\s+\w+){0,3}\s*$"
)
"""Verbs of which "after" is a part: "look after", "named his boat after"."""
_YES_NO = any_case(rf"^{_AUXILIARY}\b\s*")
_WHICH_FIRST = any_case(
    r"^(?:which|what)\s+(?:of\s+(?:these|the\s+two)\s+)?(?:event\s+)?"
    r"(?:came|happened|was|took\s+place|occurred)\s+(first|earlier|sooner|last|later)\s*[,:;\u2013\-]*\s*(.+)$",
)
_AMOUNT = any_case(
    r"\b(not?\s+)?(more|longer|less|fewer|shorter|over|under|at\s+least|at\s+most|within)\s*(?:than\s+)?"
    rf"(\d+|{'|'.join(NUMBERS)})\s+"
    r"(minute|hour|day|week|month|year)s?\b",
)
_UNLIMITED = any_case(
    rf"\b(?:(?:about|exactly|just|only)\s+)?(?:\d+|{'|'.join(NUMBERS)}|(?:an?\s+)?(?:few|couple\s+of)"
    r"|several)\s+(?:minute|hour|day|week|month|year)s?$",
)
"""An amount that is no limit ("two days after"): how long it was is told, and not whether it is true."""
_LIMITS: dict[str, Relation] = {
    "more": "more", "longer": "more", "over": "more", "at least": "at least",
    "less": "less", "fewer": "less", "shorter": "less", "under": "less",
    "at most": "at most", "within": "at most",
}  # fmt: skip
_NOT: dict[Relation, Relation] = {
    "more": "at most", "at most": "more", "less": "at least", "at least": "less",
}  # fmt: skip
_BETWEEN = any_case(r"\b(between|from)\s+(.+)$")
_HOW_LONG = r"\bhow\s+(?:long|much\s+time|many\s+(?:days|weeks|months|hours|minutes|years))\b"
_GAP = any_case(
    rf"{_HOW_LONG}"
    r"|\b(?:interval|gap|time\s+between)\b|\btake\s+(?:more|less|longer|over|under|at)\b",
)
_GAP_ORDER = any_case(rf"^{_HOW_LONG}\s+(?:later\s+)?(after|before)\s+")
_INVERTED = lazy(rf"(?<=\s){_AUXILIARY}\s+")  # "Will" is a name
_JOINT = any_case(r"\s+(?:and|to|until|till)\s+")
_DOING = any_case(r"\s*(?!during\b)[a-z]+ing\b\s*")
_OR = any_case(r"\s*,?\s+or\s+")
_FURTHER = any_case(r"\s*,?\s+and\s+(?:how|when|where|by)\b.*$")
_ASIDE = lazy(r"\s?\([^()]*\)")
_EXTREME = any_case(
    r"\b(?:for\s+)?(?:the\s+)?(?:very\s+)?(first|last|latest|earliest)\s+time\b"
    r"|\b(most\s+recently|most\s+recent)\b",
)
_WHEN_EXTREME = any_case(
    r"^(?:when|where)\s+(?:(?:did|has|have|had)\b.*?\b(first|last)\s+"
    r"(?!(?:few\s+)?(?:week|month|year|night|day|evening|morning|afternoon|hour|minute)|(?:name|aid|class|lady)\b)[a-z]+|(?:was|were|is)\b.*?\b(first|last)\s+[a-z]+(?:ed|en|wn|ght|ld|de)\b)",
)
_WHEN_AT_END = any_case(
    rf"^(?:when|where)\s+{_AUXILIARY}\s+(?!(?:the|an?|my|our|your|his|her|their)\s+\S+\s+last$)\S+\s+\S.*\s"
    r"(?<!\bat\s)(?:the\s+)?(first|last)$",
)
"""Needs a verb besides "last", which may be one: "When does the party last?"."""
_WHEN = any_case(r"\bwhen\b")
_OWNED = any_case(r"(?:['\u2019]s?|\b(?:my|our|your|his|her|its|their))\s+$")
_COUNT = any_case(
    r"^how\s+(?:many\s+times\s+(?!(?:an?|per|as|the|more|\w+er|will|can|could|should|would|must)\b)"
    r"|often\s+(?=(?:did|has|have|had|was|were)(?:n['\u2019]t)?\b))(.+)$",
)
"""Matches what happened: no habits ("How often does she run?"), no proportions ("how many times bigger")."""
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30.44, "year": 365.25}
SHORTEST_EVENT = 2  # words


@dataclass(frozen=True, slots=True)
class _Body:
    """A question without its opening: ``text``, ``plain`` (its times masked) and names (start: end)."""

    text: str
    plain: str
    names: Mapping[int, int]

    def is_event(self, at: int) -> bool:
        """Whether a clause that describes an event begins at ``at``."""
        if len(self.plain[at:].split()) < SHORTEST_EVENT:
            return False
        subject = _SUBJECT.match(self.plain, at)
        return at in self.names or (subject is not None and not mentions_time(subject[0]))

    def subject(self, at: int) -> str:
        """The one name or pronoun that is the subject of the clause at ``at``; else empty."""
        pronoun = _PERSONAL.match(self.plain, at)
        end = self.names.get(at, pronoun.end() if pronoun else at)
        return "" if _NOT_ALONE.match(self.plain, end) else self.text[at:end]

    def lone_subject(self, at: int) -> str:
        """The subject of a clause that has nothing else but an auxiliary ("Ann did"); empty if it has."""
        subject = self.subject(at)
        return subject if _LONE_AUXILIARY.match(self.plain, at + len(subject)) else ""


def find_shape(text: str, names: Sequence[tuple[int, int]]) -> Shape | None:
    """The shape of a question; None if it is an ordinary one.

    ``names`` are the (start, end) of the people that ``text`` names.
    """
    text, names = _without_asides(text, names)
    lead = _LEAD.match(text)
    begin = lead.end() if lead else 0
    end = len(text.rstrip(" ?!."))
    body = _Body(
        text[begin:end],
        _without_times(text, names)[begin:end],
        {start - begin: end - begin for start, end in names},
    )
    return _interval(body) or _order(body) or _extreme(body) or _count(body)


def _without_asides(
    text: str, names: Sequence[tuple[int, int]]
) -> tuple[str, list[tuple[int, int]]]:
    """``text`` without remarks in brackets, and the new positions of the names outside them."""
    asides = list(_ASIDE.finditer(text))
    moved = []
    for start, end in names:
        if all(end <= aside.start() or aside.end() <= start for aside in asides):
            cut = sum(len(aside[0]) for aside in asides if aside.end() <= start)
            moved.append((start - cut, end - cut))
    return _ASIDE.sub("", text), moved


def _without_times(text: str, names: Sequence[tuple[int, int]]) -> str:
    """``text`` with its times masked, except names ("May") and the words that introduce a time."""
    for atom in find_atoms(text, _NOW, "past"):
        if not any(start < atom.right and atom.left < end for start, end in names):
            opens = _OPENS.match(text, atom.left, atom.right)
            left = opens.end() if opens else atom.left
            text = text[:left] + TIME * (atom.right - left) + text[atom.right :]
    return text


def _order(body: _Body) -> Shape | None:
    first = _WHICH_FIRST.match(body.plain)
    if first:
        this, *others = _OR.split(_FURTHER.sub("", body.text[first.start(2) :]))
        late = first[1].lower() in {"last", "later"}
        if len(others) == 1 and "," not in this:  # "a, b or c" are three
            return Shape("which", (this, *others), "after" if late else "before")
    question = _YES_NO.match(body.plain)
    if not question:
        return None
    for joint in reversed(list(_ORDER.finditer(body.plain))):
        right = _next_word(body.plain, joint.end())
        before = body.text[question.end() : joint.start()].strip(" ,")
        if "after" in joint[1].lower() and _PHRASAL.search(before):
            continue
        amount = _last_amount(before)
        before = before[: amount.start()].strip(" ,") if amount else before
        nominal = _HAPPEN.search(before) is not None and body.plain[right:].strip(TIME) != ""
        if nominal or body.is_event(right):
            late = joint[1].lower().startswith(("after", "later"))
            relation: Relation | None = "after" if late else "before"
            if " or " in joint[1].lower():
                relation = None
            events = (_HAPPEN.sub("", before).strip() if nominal else before, body.text[right:])
            if subject := body.lone_subject(right):
                first_subject = body.subject(question.end())
                predicate = before[len(first_subject) :] if first_subject else ""
                events = (before, subject + predicate if predicate else "")
            if not all(len(e.split()) >= 1 + bool(amount) for e in events):
                return None
            return _apart(events, relation, amount) if amount else Shape("order", events, relation)
    return None


def _last_amount(text: str) -> re.Match[str] | None:
    """The amount with which a text ends: "Ann moved less than a week"."""
    limit = next((a for a in _AMOUNT.finditer(text) if a.end() == len(text)), None)
    return limit or _UNLIMITED.search(text)


def _apart(
    events: tuple[str, str], relation: Relation | None, amount: re.Match[str]
) -> Shape | None:
    """The interval of "A less than a week after B", the earlier event first; None if unclear."""
    limited = amount.re.pattern == _AMOUNT.pattern
    told = _limit(amount) if limited else None
    if relation is None or (limited and told is None):
        return None
    in_turn = events if relation == "before" else (events[1], events[0])
    limit, span = told or (None, None)
    return Shape("interval", in_turn, limit, span, in_order=True)


def _interval(body: _Body) -> Shape | None:
    if opens := _GAP_ORDER.match(body.plain):
        return _gap_order(body, opens)
    amount = _AMOUNT.search(body.plain)
    if not amount and not _GAP.search(body.plain):
        return None
    text, plain = body.text, body.plain
    if amount:
        blank = " " * len(amount[0])
        text, plain = (t[: amount.start()] + blank + t[amount.end() :] for t in (text, plain))
    between = _BETWEEN.search(plain)
    if not between or not (_GAP.search(body.plain) or between[1].lower() == "between"):
        return None
    begin = between.start(2)
    subject = body.subject(begin)
    does = _DOING.match(plain, begin + len(subject)) if subject else None
    joints = [
        j for j in _JOINT.finditer(plain, begin)
        if body.is_event(j.end()) or (does and _DOING.fullmatch(plain, j.end()))
    ]  # fmt: skip
    if not joints:
        return None
    events = (text[begin : joints[0].start()].strip(), " ".join(text[joints[0].end() :].split()))
    shared = does and _DOING.match(events[1])
    if does and shared:
        events = _shared(subject, text[does.end() : joints[0].start()], events, shared.end())
    in_order = between[1].lower() == "from" or bool(shared)
    if not amount:
        asked = not _YES_NO.match(plain)
        return Shape("interval", events, in_order=in_order) if asked else None
    told = _limit(amount)
    return Shape("interval", events, *told, in_order=in_order) if told else None


def _shared(subject: str, of_first: str, events: tuple[str, str], at: int) -> tuple[str, str]:
    """The events of "Ann failing and passing her test", each with the subject and the object."""
    first, second = events
    of_second = second[at:]
    if not of_first.strip():
        first = f"{first} {of_second}".strip()
    return first, f"{subject} {second}" if of_second else f"{subject} {second} {of_first}".strip()


def _gap_order(body: _Body, opens: re.Match[str]) -> Shape | None:
    """How long after (before) one event another was: split at the auxiliary that a subject follows."""
    joints = list(_INVERTED.finditer(body.plain, opens.end()))
    subjects = (
        j for j in joints if j.end() in body.names or _DETERMINED.match(body.plain, j.end())
    )
    joint = next(subjects, joints[-1] if joints else None)
    if joint is None:
        return None
    known = body.text[opens.end() : joint.start()].strip(" ,")
    asked = body.text[joint.end() :]
    if not known or not asked:
        return None
    early = opens[1].lower() == "after"
    return Shape("interval", (known, asked) if early else (asked, known), in_order=True)


def _limit(amount: re.Match[str]) -> tuple[Relation, timedelta] | None:
    """The relation and the duration asked about; None if that is too long for a ``timedelta``."""
    negated, side, number, unit = (
        " ".join((group or "").lower().split()) for group in amount.groups()
    )
    try:
        span = timedelta(days=(NUMBERS.get(number) or int(number)) * _DAYS[unit])
    except (OverflowError, ValueError):
        return None
    limit = _LIMITS[side]
    return _NOT[limit] if negated else limit, span


def _extreme(body: _Body) -> Shape | None:
    found = _EXTREME.search(body.plain) or _WHEN_EXTREME.match(body.plain)
    found = found or _WHEN_AT_END.match(body.plain)
    if not found:
        return None
    index = found.lastindex or 1
    which = found[index].lower()
    if which == "first" and _YES_NO.match(body.plain) and not _WHEN.search(body.plain):
        return None  # "Did Ann pass the first time?": at her first try
    alone = found.re.pattern == _EXTREME.pattern
    start, end = found.span() if alone else found.span(index)
    if not alone and _OWNED.search(body.plain[:start]):
        return None  # "Ann's first child" is one child
    event = " ".join(f"{body.text[:start]} {body.text[end:]}".split())
    if len(event.split()) < SHORTEST_EVENT:
        return None
    return Shape("first" if which in {"first", "earliest"} else "last", (event,))


def _count(body: _Body) -> Shape | None:
    found = _COUNT.match(body.plain)
    if not found:
        return None
    event = _YES_NO.sub("", body.text[found.start(1) : found.end(1)])
    return Shape("count", (event,)) if len(event.split()) >= SHORTEST_EVENT else None


def _next_word(text: str, at: int) -> int:
    rest = re.compile(r"\S").search(text, at)
    return rest.start() if rest else len(text)

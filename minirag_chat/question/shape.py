"""The shape of a question: two events to compare, a first or last time, a count, a sender.

A small model compares dates badly, and code compares them well. Where a question has such a shape,
its events are looked up one by one, each gets the date of a message, and the rest is arithmetic.

A question is only taken apart where the parts are events by their looks: a clause that begins with
a person, a pronoun or a verb in -ing. "Did Ann call before six?" compares nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from minirag_chat.question.speech import who_says
from minirag_chat.records import Relation, Shape

_IGNORED = re.IGNORECASE
_LEAD = re.compile(r"^\s*(?:question\s*:\s*)?(?:and|so|but|well)?\s*,?\s*", _IGNORED)
_AUXILIARY = r"(?:did|does|do|has|have|had|was|were|is|are|will|would)"
_PRONOUN = (
    r"(?:he|she|they|it|i|we|you|his|her|their|my|our|the\s+(?:group|band|others|two|team|family))"
)
_SUBJECT = re.compile(rf"{_PRONOUN}\b|[a-z]+ing\b", _IGNORED)
_HAPPEN = re.compile(r"\b(?:happen|take place|come|start|begin|end|occur)(?:ed|s|n)?\s*$", _IGNORED)
_ORDER = re.compile(
    r"\b(before or after|after or before|before|after|(?:earlier|sooner|later) than|prior to)\b",
    _IGNORED,
)
_YES_NO = re.compile(rf"^{_AUXILIARY}\b\s*", _IGNORED)
_WHICH_FIRST = re.compile(
    r"^(?:which|what)\s+(?:of\s+(?:these|the\s+two)\s+)?(?:event\s+)?"
    r"(?:came|happened|was|took\s+place|occurred)\s+(first|earlier|sooner|last|later)\s*[,:;\u2013\-]*\s*(.+)$",
    _IGNORED,
)
_AMOUNT = re.compile(
    r"\b(more|longer|less|fewer|shorter|over|under|at\s+least|at\s+most|within)\s*(?:than\s+)?"
    r"(\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+"
    r"(minute|hour|day|week|month|year)s?\b",
    _IGNORED,
)
_BETWEEN = re.compile(r"\b(?:between|from)\s+(.+)$", _IGNORED)
_GAP = re.compile(
    r"\bhow\s+(?:long|much\s+time|many\s+(?:days|weeks|months|hours|minutes|years))\b"
    r"|\b(?:interval|gap|time\s+between)\b|\btake\s+(?:more|less|longer|over|under|at)\b",
    _IGNORED,
)
_GAP_ORDER = re.compile(
    r"^how\s+(?:long|much\s+time|many\s+(?:days|weeks|months|hours|minutes|years))\s+(?:later\s+)?"
    rf"(after|before)\s+(.+?)\s*,?\s+{_AUXILIARY}\s+(.+)$",
    _IGNORED,
)
_JOINT = re.compile(r"\s+(?:and|to|until|till)\s+", _IGNORED)
_OR = re.compile(r"\s*,?\s+or\s+", _IGNORED)
_FURTHER = re.compile(r"\s*,?\s+and\s+(?:how|when|where|by)\b.*$", _IGNORED)
_ASIDE = re.compile(r"\([^()]*\)")
_EXTREME = re.compile(
    r"\b(?:for\s+)?(?:the\s+)?(?:very\s+)?(first|last|latest|earliest)\s+time\b"
    r"|\b(most\s+recently|most\s+recent)\b",
    _IGNORED,
)
_WHEN_EXTREME = re.compile(
    r"^(?:when|where)\s+(?:(?:did|has|have|had)\b.*?\b(first|last)\s+(?!week|month|year|night|day)"
    r"[a-z]+|(?:was|were|is)\b.*?\b(first|last)\s+[a-z]+(?:ed|en|wn|ght|ld|de)\b)",
    _IGNORED,
)
_COUNT = re.compile(r"^how\s+(?:many\s+times|often)\s+(.+)$", _IGNORED)
_NUMBERS = dict(
    zip("a an one two three four five six seven eight nine ten twelve".split(),
        (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12), strict=True)
)  # fmt: skip
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30.44, "year": 365.25}
SHORTEST_EVENT = 2  # words


def find_shape(text: str, names: Sequence[tuple[int, int]] = ()) -> Shape | None:
    """The shape of a question, None where it is to be read as any other.

    ``names`` are the (start, end) of the people that ``text`` names.
    """
    asides = _ASIDE.sub(lambda found: " " * len(found[0]), text)
    lead = _LEAD.match(asides)
    begin = lead.end() if lead else 0
    body = asides[begin:].rstrip(" ?!.")
    starts = frozenset(start - begin for start, _end in names)
    return (
        _interval(body, starts)
        or _order(body, starts)
        or _extreme(body)
        or _count(body)
        or who_says(body)
    )


def _is_event(text: str, at: int, starts: frozenset[int]) -> bool:
    """Whether a clause that tells of an event begins at ``at``."""
    words = len(text[at:].split())
    return words >= SHORTEST_EVENT and (at in starts or _SUBJECT.match(text, at) is not None)


def _order(body: str, starts: frozenset[int]) -> Shape | None:
    first = _WHICH_FIRST.match(body)
    if first:
        this, *others = _OR.split(_FURTHER.sub("", first[2]))
        late = first[1].lower() in {"last", "later"}
        if len(others) == 1:
            return Shape("which", (this, *others), "after" if late else "before")
    question = _YES_NO.match(body)
    if not question:
        return None
    for joint in reversed(list(_ORDER.finditer(body))):
        right = _next_word(body, joint.end())
        before = body[question.end() : joint.start()].strip(" ,")
        nominal = _HAPPEN.search(before) is not None
        if nominal or _is_event(body, right, starts):
            late = joint[1].lower().startswith(("after", "later"))
            relation: Relation | None = "after" if late else "before"
            if " or " in joint[1].lower():
                relation = None
            events = (_HAPPEN.sub("", before).strip() if nominal else before, body[right:])
            return Shape("order", events, relation) if all(e.split() for e in events) else None
    return None


def _interval(body: str, starts: frozenset[int]) -> Shape | None:
    after = _GAP_ORDER.match(body)
    if after:
        return Shape("interval", (after[2], after[3]))
    if not _GAP.search(body):
        return None
    amount = _AMOUNT.search(body)
    plain = body
    if amount:
        plain = body[: amount.start()] + " " * len(amount[0]) + body[amount.end() :]
    between = _BETWEEN.search(plain)
    if not between:
        return None
    begin = between.start(1)
    joints = [
        (joint.start(), joint.end())
        for joint in _JOINT.finditer(plain, begin)
        if _is_event(plain, joint.end(), starts)
    ]
    if not joints:
        return None
    events = (plain[begin : joints[0][0]].strip(), " ".join(plain[joints[0][1] :].split()))
    if not amount:
        return None if _YES_NO.match(body) else Shape("interval", events)
    small = amount[1].lower().split()[0] in {"less", "fewer", "shorter", "under", "within"}
    most = amount[1].lower().split() == ["at", "most"]
    number = _NUMBERS.get(amount[2].lower()) or int(amount[2])
    span = timedelta(days=number * _DAYS[amount[3].lower()])
    return Shape("interval", events, "less" if small or most else "more", span)


def _extreme(body: str) -> Shape | None:
    found = _EXTREME.search(body) or _WHEN_EXTREME.match(body)
    if not found:
        return None
    index = next(i for i, group in enumerate(found.groups(), start=1) if group)
    which = found[index].lower()
    start, end = found.span(index) if found.re is _WHEN_EXTREME else found.span()
    event = " ".join(f"{body[:start]} {body[end:]}".split())
    return Shape("first" if which in {"first", "earliest"} else "last", (event,))


def _count(body: str) -> Shape | None:
    found = _COUNT.match(body)
    if not found:
        return None
    return Shape("count", (_YES_NO.sub("", found[1]),))


def _next_word(text: str, at: int) -> int:
    rest = re.compile(r"\S").search(text, at)
    return rest.start() if rest else len(text)

"""Whether a question asks for an overview: what was talked about at all, and not for one thing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from minirag_chat.names import split_joined
from minirag_chat.records import Question, TimeSpan
from minirag_chat.times.ranges import Atom, find_atoms
from minirag_chat.times.spans import around

_TALK = r"(?:talk(?:ed|ing)?|chat(?:ted|ting)?|discuss(?:ed|ing)?|writ(?:e|ten|ing)|wrote|message)"
_WHOLE = re.compile(
    rf"what (?:did|do|have|had|were|was) (?:we|i|they|you|people|everyone)?\s*(?:all |been |mostly |mainly )*"
    rf"{_TALK}(?: about)?"
    r"|(?:what (?:are|were)|which are|list|give me|tell me) (?:the |our |my )*"
    r"(?:main |biggest |common |recurring |most important )*(?:themes?|topics?|subjects?)"
    r"|(?:give me |write )?(?:an? |the )?(?:overview|summary|recap)(?: of (?:everything|(?:our|my|the|all) "
    r"(?:\w+ )?(?:chats?|conversations?|messages|talks?)))?"
    r"|(?:please |can you )*(?:sum up|summari[sz]e|recap)(?: (?:everything|(?:our|my|the|all)(?: the)? "
    r"(?:\w+ )?(?:chats?|conversations?|messages|talks?|what we \w+ about)))?"
    r"|what (?:has |have |is |was |were )?(?:been )?(?:going on|happening|new|happened|i missed|did i miss)"
    r"|(?:\u6211\u4eec|\u4ed6\u4eec|\u5927\u5bb6)?\s*(?:\u90fd|\u4e3b\u8981)?(?:\u804a|\u8c08|\u8ba8\u8bba)"
    r"(?:\u4e86|\u8fc7)?(?:\u4e9b)?\u4ec0\u4e48(?:\u5185\u5bb9|\u8bdd\u9898)?"
    r"|\u4e3b\u8981(?:\u8bdd\u9898|\u4e3b\u9898)(?:\u662f\u4ec0\u4e48|\u6709\u54ea\u4e9b)?",
    re.IGNORECASE,
)
_LINKS = re.compile(
    r"\b(?:they|with|by|from|between|and|among|in|on|at|during|over|since|until|to|the|so far|lately|"
    r"all|this|of|about)\b|[\u548c\u8ddf\u4e0e\u5728\u7684]|[^\w\s]|'s\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_THEY = re.compile(r"\bthey(?:(?:\s*,\s*|\s+)(?:and\s+)?they)+\b")
_OPEN = frozenset({"since", "until", "till", "til", "before", "after"})


def as_overview(question: Question, newest: datetime) -> Question | None:
    """The question with the period that it names, where it asks for an overview; else None.

    What it asks with, its times and its people are taken out; an overview leaves nothing. ``newest``
    is the time of the newest message.
    """
    if question.shape is not None:
        return None
    known = {part for person in question.people for part in _name_parts(person.name)} | {"i", "we"}
    text, spans = _without_times(question.text, newest, known)
    text = re.sub(r"\w+", lambda w: "they" if w.group().casefold() in known else w.group(), text)
    text = _THEY.sub("they", " ".join(text.split()))
    asked = _WHOLE.search(text)
    if asked is None:
        return None
    rest = text[: asked.start()] + " " + text[asked.end() :]
    if _LINKS.sub(" ", rest).strip():
        return None
    return replace(question, times=spans)


def _without_times(
    text: str, newest: datetime, known: set[str]
) -> tuple[str, tuple[TimeSpan, ...]]:
    """``text`` without the times that it names, and these: several periods, or what open ones share.

    A season or a year is one here with no preposition before it too ("our 2025 chats").
    """
    spans: list[TimeSpan] = []
    shared: list[TimeSpan] = []
    for atom in reversed(find_atoms(text, newest, "past")):
        span = TimeSpan(*_whole_days(atom), text[atom.left : atom.right])
        (shared if atom.shape in _OPEN else spans).insert(0, span)
        text = f"{text[: atom.left]} {text[atom.right :]}"
    for word in _WORD.findall(text):
        bare = () if word.casefold() in known else find_atoms(f"in {word}", newest, "past")
        for atom in bare:
            spans.append(TimeSpan(atom.start, atom.end, word))
            text = re.sub(rf"\b{word}\b", " ", text)
    if shared:
        start = max(span.start for span in shared)
        end = min(span.end for span in shared if span.end > start)
        spans.append(TimeSpan(start, end, ", ".join(span.phrase for span in shared)))
    return text, tuple(spans)


def _whole_days(atom: Atom) -> tuple[datetime, datetime]:
    """The span of a time; for a clock time, its day."""
    if "clock" not in atom.kinds or atom.shape != "point":
        return atom.start, atom.end
    return around(atom.start, "day")


def _name_parts(name: str) -> set[str]:
    return {part.casefold() for part in re.findall(r"\w+", f"{name} {split_joined(name)}")}

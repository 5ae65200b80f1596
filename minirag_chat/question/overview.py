"""Whether a question asks for an overview: what was talked about at all, and not for one thing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from minirag_chat.names import split_joined
from minirag_chat.records import Question, TimeSpan

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
    r"|(?:\u6211\u4eec|\u4ed6\u4eec|\u5927\u5bb6)?(?:\u90fd|\u4e3b\u8981)?(?:\u804a|\u8c08|\u8ba8\u8bba)"
    r"(?:\u4e86|\u8fc7)?(?:\u4e9b)?\u4ec0\u4e48(?:\u5185\u5bb9|\u8bdd\u9898)?"
    r"|\u4e3b\u8981(?:\u8bdd\u9898|\u4e3b\u9898)(?:\u662f\u4ec0\u4e48|\u6709\u54ea\u4e9b)?",
    re.IGNORECASE,
)
_LINKS = re.compile(
    r"\b(?:they|with|by|from|between|and|among|in|on|at|during|over|since|until|to|the|so far|lately|"
    r"all|this|of|about)\b|[\u548c\u8ddf\u4e0e\u5728\u7684]|[^\w\s]|'s\b",
    re.IGNORECASE,
)
_THEY = re.compile(r"\bthey(?:(?:\s*,\s*|\s+)(?:and\s+)?they)+\b")
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SEASON = re.compile(
    rf"\b(?:in |during |over )?(?:the |this |last )?({'|'.join(_SEASONS)})(?: of)?(?: (\d{{4}}))?\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:in |during |over )?((?:19|20)\d{2})\b")
_MONTHS = 12


def as_overview(question: Question, newest: datetime) -> Question | None:
    """The question with the period that it names, where it asks for an overview; else None.

    What it asks with, its times and its people are taken out; an overview leaves nothing. Seasons and
    years are understood here too; ``newest`` is the time of the newest message.
    """
    if question.shape is not None:
        return None
    text = question.text
    spans = list(question.times)
    for span in spans:
        text = text.replace(span.phrase, " ")
    for find in (_season, _year):
        found = find(text, newest)
        if found is not None:
            text = text.replace(found.phrase, " ")
            spans.append(found)
    known = {part for person in question.people for part in _name_parts(person.name)}
    known |= {"i", "we"}
    text = re.sub(r"\w+", lambda w: "they" if w.group().casefold() in known else w.group(), text)
    text = _THEY.sub("they", " ".join(text.split()))
    asked = _WHOLE.search(text)
    if asked is None:
        return None
    rest = text[: asked.start()] + " " + text[asked.end() :]
    if _LINKS.sub(" ", rest).strip():
        return None
    return replace(question, times=tuple(spans))


def _season(text: str, newest: datetime) -> TimeSpan | None:
    """A season of the northern half of the earth: the latest one that has begun, or of a year."""
    match = _SEASON.search(text)
    if match is None:
        return None
    month = _SEASONS[match.group(1).casefold()]
    begun = newest.year if month <= newest.month else newest.year - 1
    start = datetime(int(match.group(2) or begun), month, 1)
    end = datetime(start.year + (month + 3 > _MONTHS), (month + 2) % _MONTHS + 1, 1)
    return TimeSpan(start, end, match.group().strip())


def _year(text: str, _newest: datetime) -> TimeSpan | None:
    match = _YEAR.search(text)
    if match is None:
        return None
    year = int(match.group(1))
    return TimeSpan(datetime(year, 1, 1), datetime(year + 1, 1, 1), match.group().strip())


def _name_parts(name: str) -> set[str]:
    return {part.casefold() for part in re.findall(r"\w+", f"{name} {split_joined(name)}")}

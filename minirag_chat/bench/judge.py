"""The deterministic judge: is an answer right, wrong or irrelevant, by readable rules.

Only parts of the gold answer that are not in the question count. Hard facts (dates in any form, clock
times, weekdays, numbers) must all occur; people must be the right ones; every part of a list must
occur; of free text half of the stems. An answer that adds nothing to the question, or says
that the messages do not say, is irrelevant, like silence. The agreement with people is printed beside every
figure of this judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Literal

from minirag_chat.answer import word_overlap
from minirag_chat.answer.facts import STAMP, Clock, Facts, clock_of, read_facts
from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import compact_key, split_camel_case

Verdict = Literal["right", "wrong", "irrelevant"]
ENOUGH = 0.5
LIGHT = frozenset("make get go also just veri realli more".split())  # stems without information
MOST_OF_A_LIST = 2 / 3
SHORT_LIST = 2
LONGEST_NAME = 3
MARKS = lazy(r"\s*\[\d+\]")  # the numbers of messages behind a sentence, as in "[2]"
_SILENT = lazy(
    r"\b(?:messages?|chats?|conversations?|context|they|it|text)\s+(?:do(?:es)?|did)\s*(?:not|n't)\s+"
    r"(?:\w+\s+)?(?:say|mention|state|specify|provide|contain|tell|indicate)"
    r"|\b(?:is|are|was|were)\s*(?:not|n't)\s+(?:\w+\s+)?(?:mentioned|specified|stated|provided|given in)"
    r"|\bI\s+(?:do\s+not|don't|can(?:no|')t)\s+(?:know|answer|tell|find)|\binsufficient information"
    r"|\bno information\b|\bnothing (?:about|is said)|\u6ca1\u6709\u63d0"
    r"|\u6ca1\u63d0\u5230|\u4e0d\u77e5\u9053|\u6ca1\u6709\u4fe1\u606f",
    re.IGNORECASE,
)
_HEDGE = r"^\W*(?:(?:most |very )?(?:likely|probably)\W+)?"
_YES = lazy(_HEDGE + r"(?:yes|yeah|yep|true|correct|\u662f|\u5bf9|\u4f1a|\u6709)", re.IGNORECASE)
_NO = lazy(_HEDGE + r"(?:no\b|nope|false|not\b|\u4e0d|\u6ca1|\u5426)", re.IGNORECASE)
_NEGATED = lazy(r"\b(?:not|never|no)\b|n['\u2019]t\b|\u6ca1|\u4e0d", re.IGNORECASE)
_QUOTED = lazy('[\u201c"\u300c].*?[\u201d"\u300d]', re.DOTALL)
_ASKED_YES_NO = lazy(
    r"^\W*(?:question:\s*)?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b"
    r"|\u5417[?\uff1f]?\s*$",
    re.IGNORECASE,
)
_WHO = lazy(r"\b(?:who|whom|whose|which (?:person|friend|member))\b|\u8c01", re.IGNORECASE)
_SAYING = (
    r"(?:says?|said|mentions?|mentioned|thinks?|suggests?|suggested|tells?|told|writes?|wrote|"
    r"states?|stated|confirms?|confirmed)"
)
_ATTRIBUTED = lazy(
    rf"^(?:[A-Z][\w\-]+\s+){{1,3}}{_SAYING}\s+(?:that\s+)?(?=(?:[A-Z][\w\-]+\s+){{1,3}}[a-z])"
)
_ASKS_WHO_SAYS = lazy(
    rf"\b(?:{_SAYING}|say|mention|think|suggest|recommend|propose|praise|describe|according)",
    re.IGNORECASE,
)
_SUBJECT = lazy(r"^((?:[A-Z][\w\-]+\s+){1,2}[A-Z][\w\-]+)\s+[a-z]")
_NAME = lazy(r"[A-Z][\w\-.]*(?:\s+[A-Z][\w\-.]*)*")
_ALIAS = lazy(r"\(([^()]*)\)")
_LIST = lazy(r"\s*[&;,\u3001\uff0c\uff1b]\s*(?:and\s+)?")
_FROM_TO = lazy(r"^\s*from\s+(.+?)\s+to\s+", re.IGNORECASE)
_AND = lazy(r"\s*[&;,\u3001\uff0c\uff1b]\s*|\s+and\s+|\u548c")
_OR = lazy(r"\s+or\s+|\s*/\s*(?=\D)|\u6216\u8005")
_CLOCK_ASKED = lazy(r"\bwhat time\b|\bat what\b|\u51e0\u70b9", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """A verdict, the rule that gave it, and the share of the gold answer that was found."""

    verdict: Verdict
    rule: str
    share: float


def unanswerable(gold: str) -> bool:
    """Whether the gold answer says that the messages have no answer."""
    return gold.strip().casefold() in {"insufficient information", "n/a", "null", ""}


def judge(
    question: str, gold: str, answer: str, *, abstained: bool = False, now: datetime
) -> RuleVerdict:
    """Judge one answer; ``now`` completes dates without a year, in both texts."""
    said = MARKS.sub("", answer).strip()
    silent = abstained or not said or _SILENT.search(said) is not None
    if unanswerable(gold):
        return RuleVerdict("right" if silent else "wrong", "unanswerable", float(silent))
    if silent:
        return RuleVerdict("irrelevant", "silent", 0.0)
    polarity = _polarity(gold)
    if polarity is not None and (_ASKED_YES_NO.search(question) or len(gold.split()) == 1):
        return _yes_no(question, polarity, said)
    found = [_alternative(question, part, said, now) for part in _alternatives(gold)]
    best = max(found, key=lambda judgement: (judgement.verdict == "right", judgement.share))
    if best.verdict != "right" and not set(stems(said)) - set(stems(question)):
        return RuleVerdict("irrelevant", "restated", best.share)
    return best


def _yes_no(question: str, gold: bool, answer: str) -> RuleVerdict:
    """By the first word; else a statement that repeats the question is a yes, unless negated.

    A quotation counts as neither: it leaves the judgement to the asker.
    """
    said = _polarity(answer)
    if said is None:
        stated = _QUOTED.sub(" ", answer)
        asked = set(stems(question))
        if len(asked & set(stems(stated))) < ENOUGH * len(asked):
            return RuleVerdict("irrelevant", "yes/no, neither", 0.0)
        said = _NEGATED.search(stated) is None
    return RuleVerdict("right" if said == gold else "wrong", "yes/no", float(said == gold))


def _polarity(text: str) -> bool | None:
    """True if the first word says yes, False if it says no, else None."""
    if _NO.match(text):
        return False
    return True if _YES.match(text) else None


def _alternatives(gold: str) -> list[str]:
    """The accepted answers: without the remarks in brackets, each remark, either side of "or"."""
    plain = _ALIAS.sub(" ", gold).strip()
    remarks = [remark for remark in _ALIAS.findall(gold) if re.search(r"\d", remark)]
    return [part for part in (*_OR.split(plain), *remarks) if part.strip()] or [gold]


def stems(text: str) -> list[str]:
    """The stems of the content words of a text, in order; unspaced scripts as pairs of characters."""
    return word_overlap.stems(text.replace("_", " "))


def _alternative(question: str, gold: str, answer: str, now: datetime) -> RuleVerdict:
    wanted, there, asked = (read_facts(text, now) for text in (gold, answer, question))
    timed = not STAMP.search(gold) or bool(there.clocks or _CLOCK_ASKED.search(question))
    missing, count = _missing_facts(wanted, there, asked, timed=timed)
    if missing:
        return RuleVerdict("wrong", f"fact: {missing}", 0.0)
    if _is_name(question, gold):
        return _people(question, gold, answer)
    known = set(stems(question))
    fresh = [s for s in dict.fromkeys(stems(wanted.rest)) if s not in known | LIGHT]
    if not fresh and not count:
        fresh = list(dict.fromkeys(stems(gold)))
    said = set(stems(answer))
    total = count + len(fresh)
    share = (count + sum(s in said for s in fresh)) / total if total else 0.0
    right = share >= ENOUGH and _list_complete(wanted.rest, known, said)
    return RuleVerdict(
        "right" if right else "wrong", "facts and words" if count else "words", share
    )


def _missing_facts(wanted: Facts, there: Facts, asked: Facts, *, timed: bool) -> tuple[str, int]:
    """The kind of the first missing fact, or an empty string; and how many facts were wanted.

    Clock times need not be there unless ``timed``.
    """
    days = [d for d in wanted.days if not any(d.same(a) for a in asked.days)] or list(wanted.days)
    if any(not any(d.same(t) for t in there.days) for d in days):
        return "date", len(days)
    months = (wanted.months - asked.months) or wanted.months
    if months - there.months - {day.month for day in there.days}:
        return "month", len(months)
    hours = (*there.clocks, *(c for n in there.numbers for c in clock_of(n)))
    if timed and any(not any(c.same(h) for h in hours) for c in wanted.clocks):
        return "time", len(wanted.clocks)
    implied = {d.weekday for d in there.days}
    weekdays = wanted.weekdays if not wanted.days else frozenset()
    if any(day not in there.weekdays | implied for day in weekdays):
        return "weekday", len(weekdays)
    numbers = (wanted.numbers - asked.numbers) or wanted.numbers
    if any(not _has_number(n, there) for n in numbers):
        return "number", len(numbers)
    return "", len(days) + len(months) + len(wanted.clocks) + len(weekdays) + len(numbers)


def _has_number(number: float, there: Facts) -> bool:
    hours: Iterator[Clock] = clock_of(number)
    return number in there.numbers or any(h.same(c) for h in hours for c in there.clocks)


def _list_complete(gold: str, known: set[str], said: set[str]) -> bool:
    """Whether each part of a list occurs; of three or more parts, two thirds."""
    listed = _LIST.split(_FROM_TO.sub(r"\1 & ", gold))
    parts = [[s for s in stems(part) if s not in known | LIGHT] for part in listed]
    parts = [part for part in parts if part]
    if len(parts) < SHORT_LIST:
        return True
    found = sum(sum(s in said for s in part) / len(part) >= ENOUGH for part in parts)
    needed = len(parts) if len(parts) <= SHORT_LIST else ceil(MOST_OF_A_LIST * len(parts))
    return found >= needed


def _is_name(question: str, gold: str) -> bool:
    parts = [part for part in _AND.split(split_camel_case(gold)) if part.strip()]
    return bool(_WHO.search(question)) and all(
        len(part.split()) <= LONGEST_NAME and _NAME.fullmatch(part.strip()) for part in parts
    )


def _people(question: str, gold: str, answer: str) -> RuleVerdict:
    """Judge a who-question: every person of the gold answer, and no one else as the subject."""
    text = split_camel_case(answer)
    if not _ASKS_WHO_SAYS.search(question):
        text = _ATTRIBUTED.sub("", text)
    names = [part.strip() for part in _AND.split(split_camel_case(gold)) if part.strip()]
    share = sum(_named(name, text) for name in names) / len(names)
    subject = _SUBJECT.match(text)
    if subject and compact_key(subject[1]) not in compact_key(question):
        first = subject[1].split()[0]
        if first not in {name.split()[0] for name in names}:
            return RuleVerdict("wrong", f"person: {subject[1]}", share)
    return RuleVerdict("right" if share == 1 else "wrong", "people", share)


def _named(name: str, text: str) -> bool:
    """Whether ``text`` names this person: in full, or by the first name without another last name."""
    if compact_key(name) in compact_key(text):
        return True
    first, *rest = name.split()
    for match in re.finditer(rf"\b{re.escape(first)}\b(?:['\u2019]s)?(?:\s+([A-Z][\w\-]+))?", text):
        if not match[1] or match[1] in rest or not rest:
            return True
    return False

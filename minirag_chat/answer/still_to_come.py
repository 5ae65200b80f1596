"""Whether an answer gives a day that is still to come to a question that asks when something was."""

from __future__ import annotations

import re
from datetime import datetime

from minirag_chat.answer.facts import read_facts
from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.spans import first_moment

_ASKS_WHEN_IT_WAS = lazy(
    r"\b(?:when|(?:what|which) (?:day|date|month|year))\s+(?:did|was|were)\b", re.IGNORECASE
)
# What was planned, said or asked may be for a day to come.
_OF_A_PLAN = lazy(
    r"\b(?:plan|schedul|book|suppos|intend|arrang|mov(?:ed|ing) to|postpon|push|resched|due|going to|meant"
    r"|say|said|tell|told|ask|mention|announc|suggest|propos|invit|promis|agree|decid|want|hop[ei])\w*",
    re.IGNORECASE,
)


def is_still_to_come(question: str, answer: str, now: datetime) -> bool:
    """Whether a question asks of the past, and each day that the answer states is after ``now``.

    "When did we move?" is not answered by a neighbour's move of next month.
    """
    if not _ASKS_WHEN_IT_WAS.search(question) or _OF_A_PLAN.search(question):
        return False
    days = read_facts(answer, now).days
    moments = [first_moment(day.year, day.month, day.day) for day in days if day.year]
    return bool(moments) and len(moments) == len(days) and all(m and m > now for m in moments)

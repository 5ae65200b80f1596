"""Whether an answer gives a day that is still to come to a question that asks when somebody did something."""

from __future__ import annotations

from datetime import datetime

from minirag_chat.answer.facts import read_facts
from minirag_chat.lazy_patterns import any_case
from minirag_chat.times.spans import first_moment

_ASKS_WHEN_DONE = any_case(r"\b(?:when|(?:what|which) (?:day|date|month|year)) (?:did|was|were)\b")
# What was planned, said, chosen or asked for may be for a day to come.
_OF_A_PLAN = any_case(
    r"\b(?:plan(?:ned|ning)?|schedul(?:ed?|ing)|book(?:ed|ing)?|suppos(?:ed?|ing)|intend(?:ed)?|arranged?|postponed?"
    r"|push(?:ed)?|reschedul(?:ed?)|meant?|say|said|tell|told|ask(?:ed)?|mention(?:ed)?|announced?|suggest(?:ed)?"
    r"|propos(?:ed?)|invited?|promised?|agreed?|decided?|want(?:ed)?|hoped?|g[ia]ve|pick(?:ed)?|cho(?:o?se|sen)"
    r"|settled?|set|fix(?:ed)?|need(?:ed)?|again)\b|\b(?:for|on|to)\W*$",
)


def is_still_to_come(question: str, answer: str, newest: datetime) -> bool:
    """Whether it is asked when something was, and each day that the answer states is after all messages.

    ``newest`` is when the last message was sent. "When did we move?" is not answered by a neighbour's move
    of next month.
    """
    if not _ASKS_WHEN_DONE.search(question) or _OF_A_PLAN.search(question):
        return False
    days = read_facts(answer, newest).days
    moments = [first_moment(day.year, day.month, day.day) for day in days if day.year]
    return bool(moments) and len(moments) == len(days) and all(m and m > newest for m in moments)

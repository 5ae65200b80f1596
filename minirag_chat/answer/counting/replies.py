"""How long people take to reply, and who is fastest or slowest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median_low

from minirag_chat.answer.counting.cited import sources
from minirag_chat.answer.counting.ranking import SHOWN
from minirag_chat.answer.counting.request import CountRequest, NotRecordedError, Told
from minirag_chat.answer.durations import two_largest
from minirag_chat.records import Metadata
from minirag_chat.ui_text import count, joined

LONGEST = timedelta(days=1)
"""A message that comes later than this replies to nothing."""
MINUTE = timedelta(minutes=1)
FEWEST = 5
"""Replies of a person without which no time is given."""
_MEANT = " A reply is the next message in a chat after one from {whom}, within a day."
_NO_TIMES = (
    "I cannot say how long replies take{where}: the export has one time for each conversation."
)


@dataclass(frozen=True, slots=True)
class _Replier:
    """Who replies: how often, the mean and the median time, and a message that came after just the median."""

    person: int
    name: str
    replies: int
    mean: timedelta
    takes: timedelta
    message: int

    @property
    def after(self) -> str:
        return _in_words(self.takes)

    @property
    def on_average(self) -> str:
        """The number of replies with their mean time, which tells apart those of one median."""
        return f"{count(self.replies, 'reply', 'replies')}, on average {_in_words(self.mean)}"


def reply_times(request: CountRequest) -> Told:
    """The text, and a reply of each person that came after the median time.

    Raises ``NotRecordedError`` if the messages have no times of their own.
    """
    plan = request.plan
    rows = request.counts.after_others(request.filters, plan.answering)
    times: dict[int, list[tuple[timedelta, int]]] = defaultdict(list)
    for message, person, length in rows:
        if length is not None and length <= LONGEST:
            times[person].append((length, message))
    others = request.names(plan.answering)
    where = f"{f' to {others}' if others else ''}{request.where}"
    if rows and all(length is None for *_message, length in rows):
        raise NotRecordedError(_NO_TIMES.format(where=where))
    found = [
        _Replier(person, request.name(person), len(own), _mean(own), *median_low(own))
        for person, own in times.items()
        if len(own) >= FEWEST
    ]
    meant = _MEANT.format(whom=others or "somebody else")
    if not found:
        who = request.senders or "Nobody"
        has = "have" if len(plan.senders) > 1 else "has"
        number = f"fewer than {FEWEST}" if plan.senders else str(FEWEST)
        return f"{who} {has} {number} replies{where}, too few to say how long they take.{meant}", ()
    found.sort(key=lambda one: (one.takes // MINUTE, one.mean), reverse=plan.asks.end == "slowest")
    few = len(times) - len(found)
    left = f" {count(few, 'person has', 'people have')} fewer than {FEWEST}." if few else ""
    cited = sources(request.store, [one.message for one in found[:SHOWN]])
    verdict = ""
    if plan.compared and found[1:]:
        verdict = "Yes: " if found[0].person in plan.compared else "No: "
    return f"{verdict}{_said(found, where, plan)}{meant}{left}", cited


def _in_words(time: timedelta) -> str:
    return two_largest(time) or "less than a minute"


def _mean(times: Sequence[tuple[timedelta, int]]) -> timedelta:
    return sum((length for length, _message in times), timedelta()) / len(times)


def _said(found: list[_Replier], where: str, plan: Metadata) -> str:
    """Who is first, with the median, and then the others."""
    if not plan.asks.end and len(found) == 1:
        (one,) = found
        median = f"the median of {count(one.replies, 'reply', 'replies')} [1]"
        return f"{one.name} takes {one.after} to reply{where}, {median}."
    first = [one for one in found if one.after == found[0].after]
    rest = found[len(first) : SHOWN]
    parts = [
        f"{one.name} ({one.on_average if first[1:] else count(one.replies, 'reply', 'replies')}) [{number}]"
        for number, one in enumerate(first[:SHOWN], start=1)
    ]
    then = [
        f"{one.name} ({one.after}, {one.replies:,}) [{number}]"
        for number, one in enumerate(rest, start=len(first) + 1)
    ]
    how = f" {plan.asks.end}" if plan.asks.end else ""
    verb = "reply" if first[1:] else "replies"
    names = joined(parts, of=len(first))
    text = f"{names} {verb}{how}{where}: after {found[0].after}, the median."
    left = len(found) - len(first)
    return f"{text} Then {joined(then, of=left)}." if left else text

"""Finds lines of another chat that somebody pasted into a message: they look like messages of their own."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import NamedTuple

from minirag_chat.importers.base import DateOrder
from minirag_chat.importers.dates import Triple, to_datetime
from minirag_chat.importers.limits import LONGEST_NAME
from minirag_chat.importers.whatsapp_senders import Names

_BACK = timedelta(days=1)
"""By how much the time of a pasted line is before that of the message with it; clocks differ by less."""
_MOST = 1000

PastedLine = tuple[Triple, time, str]


class _Candidate(NamedTuple):
    before: PastedLine
    line: PastedLine
    behind: PastedLine


class PastedLines:
    """A line is pasted if its sender writes nothing else in the file, and its time alone runs backwards.

    The messages before and behind it are in order, and it is earlier than both by more than a day: an export
    is in the order of time. Two exports in one file do not return to the time before.
    """

    def __init__(self) -> None:
        self._last: list[PastedLine] = []  # the last two lines with a time
        self._senders: set[str] = set()
        self._candidates: dict[str, _Candidate] = {}  # of who wrote once so far

    def see(self, date: Triple, clock: time, rest: str) -> None:
        """Note a line that begins as a message does."""
        line = (date, clock, rest)
        if len(self._last) > 1:
            before, between = self._last
            sender = _sender(between)
            if sender in self._senders:
                self._candidates.pop(sender, None)
            elif sender and before[0] != between[0] != date and len(self._candidates) < _MOST:
                self._candidates[sender] = _Candidate(before, between, line)
            self._senders.add(sender)
        self._last = [*self._last[-1:], line]

    def found(self, order: DateOrder, names: Names) -> frozenset[PastedLine]:
        """The lines that were pasted."""
        return frozenset(
            each.line
            for each in self._candidates.values()
            if names.writes_once(each.line[2]) and _runs_backwards(each, order)
        )


def _sender(line: PastedLine) -> str:
    name, colon, _text = line[2].partition(": ")
    return name if colon and len(name) <= LONGEST_NAME else ""


def _runs_backwards(candidate: _Candidate, order: DateOrder) -> bool:
    times: list[datetime] = []
    for date, clock, _rest in candidate:
        at = to_datetime(date, order, clock)
        if at is None:
            return False
        times.append(at)
    before, pasted, behind = times
    return pasted + _BACK < before <= behind

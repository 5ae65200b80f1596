"""Days of a rota: hours behind a weekday ("Wed 8-2"), and weekdays below a week ("w/c 30 Nov: Ann Mon Thu").

"Sat 10-18" may be days of a month: it has hours unless the 10th of one of the next weeks is a Saturday.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.atoms import DATES, Atom, lead_before
from minirag_chat.times.names_of_days import WEEKDAYS
from minirag_chat.times.patterns import HOURS, JOIN, NEAR, weekday_of
from minirag_chat.times.spans import DAY, around, midnight

_IGNORED = re.IGNORECASE
_HOURS = lazy(rf",?\s+{HOURS}", _IGNORED)
_LATEST_MORNING = 12
_SOON = 45  # days
_WEEK_OF = lazy(
    r"\b(?:w/c|w\.c\.?|wc|(?:week|wk)\s+(?:commencing|beginning))\s*:?\s+(?:the\s+)?\Z", _IGNORED
)
_HEADS = lazy(r"\)?\s*:(?!\d)")
_TO = lazy(JOIN, _IGNORED)
_AND = lazy(r"\s+(?:and|or|n|&)\s+", _IGNORED)  # "mon + tue" is a habit as often
_REPEATED = lazy(r"\s+(?:mornings|afternoons|evenings|nights)\b", _IGNORED)
_WEEKDAYS = {("weekday",), ("listed",)}
_NEAR = lazy(NEAR, _IGNORED)
_SHORTEST, _LONGEST = timedelta(days=5), timedelta(days=7)


def has_hours(text: str, weekday: Atom, sent_at: datetime) -> bool:
    """Whether hours follow a weekday: "Thu 12-6"."""
    found = _HOURS.match(text, weekday.right)
    if found is None:
        return False
    first, last = int(found["first"] or found["late"]), int(found["last"] or found["night"])
    if last <= first or last <= _LATEST_MORNING:
        return True
    today = midnight(sent_at)
    days = (today + n * DAY for n in range(_SOON))
    return all(one.day != first or one.weekday() != weekday.start.weekday() for one in days)


def below_their_weeks(text: str, atoms: list[Atom]) -> list[Atom]:
    """The times of a text; each weekday after the heading of a week is of it: "Next week: Jo Tue, Max Wed".

    A heading ends with a colon, or is the day on which a week begins ("w/c 30 Nov"). It ends where another
    day is named with its date. "Tue Fri Sun" without a heading is left out, and "sat and sun" is not.
    """
    weeks = [_week_of(text, atom) for atom in atoms]
    return [*_placed(text, weeks)]


def _placed(text: str, atoms: list[Atom]) -> Iterator[Atom]:
    week: Atom | None = None
    for n, atom in enumerate(atoms):
        if heading := _heading(text, atom, atoms[n - 1] if n else None):
            week = heading
        elif {*atom.kinds} & DATES:
            week = None
        days = atom.kinds in _WEEKDAYS and not _NEAR.match(text, atom.left)
        if week and days:
            yield _in_week(text, atom, week)
        elif atom.kinds != ("listed",):
            yield atom
        elif _has_neighbour(text, atoms, n):
            yield replace(atom, kinds=("weekday",))


def _has_neighbour(text: str, atoms: list[Atom], at: int) -> bool:
    """Whether a weekday stands beside the one before or after it: "sat and sun", "fri or sat"."""
    pairs = ((atoms[n - 1], atoms[n]) for n in (at, at + 1) if 0 < n < len(atoms))
    return any(_are_neighbours(text, first, second) for first, second in pairs)


def _are_neighbours(text: str, first: Atom, second: Atom) -> bool:
    """Whether two times are one weekday and the next one: of a habit they are as often others."""
    named = {first.kinds, second.kinds} <= _WEEKDAYS and not _NEAR.match(text, first.left)
    if not named or not _AND.fullmatch(text, first.right, second.left):
        return False
    one, other = (weekday_of(text[day.left : day.right]) for day in (first, second))
    return (other - one) % len(WEEKDAYS) == 1 and not _REPEATED.match(text, second.right)


def _week_of(text: str, atom: Atom) -> Atom:
    """The week that "w/c 30 Nov" names."""
    lead = lead_before(_WEEK_OF, text, atom.left) if {*atom.kinds} & DATES else None
    if lead is None or not atom.one_day:
        return atom
    start, end = around(atom.start, "week")
    return replace(atom, left=lead.start(), start=start, end=end, kinds=("weekof",))


def _heading(text: str, atom: Atom, before: Atom | None) -> Atom | None:
    """The week that a time is if it heads what follows: "w/c 30 Nov", "next week:", "30 Nov to 6 Dec:"."""
    if before and {*before.kinds} & DATES and _TO.fullmatch(text, before.right, atom.left):
        atom = replace(atom, start=before.start)
    is_week = _SHORTEST <= atom.end - atom.start <= _LONGEST and not atom.of_day
    heads = atom.kinds == ("weekof",) or _HEADS.match(text, atom.right)
    return atom if is_week and heads else None


def _in_week(text: str, weekday: Atom, week: Atom) -> Atom:
    """A weekday on its day of a week that need not begin on a Monday."""
    days = (weekday_of(text[weekday.left : weekday.right]) - week.start.weekday()) % len(WEEKDAYS)
    start = midnight(week.start) + days * DAY
    return replace(weekday, start=start, end=start + DAY, kinds=("weekof", "weekday"))

"""What "tomorrow" meant: the days that a message names, in full beside its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from minirag_chat.times.patterns import NEAR
from minirag_chat.times.ranges import Atom, find_atoms
from minirag_chat.times.tense import looks

LONGEST = timedelta(days=7)  # a longer time ("next year") is as plain as it stands
_RELATIVE = frozenset(
    {"relative", "offset", "moment", "weekday", "unit", "last", "ordinal", "foreign"}
)
_WITH_THEM = frozenset({"clock", "clocks", "daypart"})
_BARE = frozenset({"weekday", "unit", "ordinal"})  # "Friday", "the weekend", "on the 3rd"
_OWNS = re.compile(r"['\u2019]s\b")  # "Friday's rehearsal" names a rehearsal
_NEAR = re.compile(rf"\b{NEAR}", re.IGNORECASE)


def with_dates(text: str, sent_at: datetime) -> str:
    """``text`` with the date behind each day that it names relative to ``sent_at``.

    "See you tomorrow at 10" → "See you tomorrow at 10 (Friday 13 March)". "Friday" is the next one,
    or the last one where the words around it look back ("we went there on Friday"). Dates and
    feasts, the day of sending itself (a heading says it), times longer than a week and days that
    may lie on either side stay as they are.
    """
    pieces = []
    done = 0
    for atom in _meant(text, sent_at):
        if _needs_date(atom, text, sent_at):
            pieces += [text[done : atom.right], f" ({_days(atom, text)})"]
            done = atom.right
    return "".join([*pieces, text[done:]])


def looked_back_on(text: str, sent_at: datetime) -> datetime | None:
    """The one day before ``sent_at``'s that a message names, as in "we moved in on Friday"."""
    past = {
        atom.start
        for atom in _meant(text, sent_at)
        if atom.start.date() < sent_at.date()
        and atom.end - atom.start <= timedelta(days=1)
        and not _OWNS.match(text, atom.right)
    }
    return past.pop() if len(past) == 1 else None


def _meant(text: str, sent_at: datetime) -> Iterator[Atom]:
    """The times of a message, each in the past or to come as its words have it."""
    past: dict[tuple[int, int], Atom] | None = None
    for atom in find_atoms(text, sent_at, "future"):
        kinds = frozenset(atom.kinds)
        bare = kinds & _BARE and kinds <= _BARE | _WITH_THEM
        seen = looks(text, atom.left, atom.right) if bare else "ahead"
        if seen == "ahead" or _NEAR.search(text[atom.left : atom.right]):
            yield atom
        elif seen == "back":
            if past is None:
                past = {(a.left, a.right): a for a in find_atoms(text, sent_at, "past")}
            if meant := past.get((atom.left, atom.right)):
                yield meant


def _needs_date(atom: Atom, text: str, sent_at: datetime) -> bool:
    phrase = text[atom.left : atom.right]
    if _OWNS.match(text, atom.right):
        return False
    kinds = frozenset(atom.kinds)
    relative = bool(kinds & _RELATIVE) and kinds <= _RELATIVE | _WITH_THEM
    if "foreign" in kinds and any(c.isdigit() for c in phrase):
        return False
    short = timedelta(0) < atom.end - atom.start <= LONGEST
    return relative and short and atom.start.date() != sent_at.date()


def _days(atom: Atom, text: str) -> str:
    first = atom.start
    last = atom.end - timedelta(seconds=1)
    if atom.end - first <= timedelta(days=1):
        day = f"{first.day} {first:%B}"
        named = f"{first:%A}".casefold() in text[atom.left : atom.right].casefold()
        return day if named else f"{first:%A} {day}"
    if first.month == last.month:
        return f"{first.day}\u2013{last.day} {first:%B}"
    return f"{first.day} {first:%B}\u2013{last.day} {last:%B}"

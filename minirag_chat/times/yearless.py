"""The year of a date that says none, and the month of a day that says none, by the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import clamped
from minirag_chat.times.atoms import OF_DAY, Atom
from minirag_chat.times.names_of_days import WEEKDAYS
from minirag_chat.times.patterns import NEAR, weekday_of
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import DAY, GRACE, Prefer, first_moment
from minirag_chat.times.tense import (
    CLAUSE,
    NEARBY,
    SENTENCE,
    Looks,
    has_past_form,
    looks,
    part_around,
)

_IGNORED = re.IGNORECASE
# What puts a date without a year ahead of its message: "we will in May", "it's on 3 June". "Photos from
# 3 June are online" does not.
_NO_PART = r"(?!(?:(?<!\bout\s)of|from|since|like|about|dated|why|what|how|where)\b)"
_COMES = lazy(
    r"(?:\b(?:will|won['\u2019]t|shall|gonna|going\s+to|see\s+(?:you|ya)|let['\u2019]s)|['\u2019]ll)\b"
    rf"(?:\s+{_NO_PART}[\w'\u2019]+){{0,6}}\s+\Z"
    r"|(?:\b(?:is|are|(?:it|that|there|when)['\u2019]?s)|['\u2019]re)"
    rf"(?:(?:\s+{_NO_PART}(?!(?:for|after|as)\b)\w+){{0,2}}(?:\s+(?:on|in))?"
    r"|(?:\s+(?:set|planned|scheduled|booked|due))?\s+for)(?:\s+the)?\s+\Z"
    r"|\b(?:starts|begins|ends|opens|takes\s+place|happens)\s+(?:(?:on|in)\s+)?(?:the\s+)?\Z",
    _IGNORED,
)
# "The wedding is in August", written in September, is in the next one
_IS_IN = lazy(
    r"(?:\b(?:is|are)|['\u2019](?:s|re)|\b(?:it|that|there|when)s|\b(?:they|we)re)(?:\s+\w+){0,2}\s+in\s+\Z",
    _IGNORED,
)
_WILL = lazy(r"\b(?:will|won['\u2019]t|shall|gonna|going)\b|['\u2019]ll\b", _IGNORED)
_BORN = lazy(r"\bborn\b(?:\s+\w+)?\s+\Z", _IGNORED)  # in a year that nobody says
_PLANNED_FOR = lazy(r"\b(?:for|to|by|till?|until)\s+(?:the\s+)?\Z", _IGNORED)
_IN_GERMAN = lazy(
    r"\b(?:im|am|vom|zum|de[nmr]|seit|ab|bis|anfang|mitte|ende)\s+\Z", _IGNORED
)  # where "was" and "will" are "what" and "wants"
SAYS_NEAR = lazy(rf"\b{NEAR}", _IGNORED)
_DAY_NAME = lazy(rf"(?:{'|'.join(day[:3] for day in WEEKDAYS)})", _IGNORED)
_YEARLESS = frozenset({"date", "month", "months", "part", "season", "weekof"})
SOON = timedelta(days=31)
_FAR = timedelta(days=122)
"""A third of a year: then the last and the next one are about equally far."""


def year_looks(text: str, left: int, right: int) -> Looks:
    """Whether the words around a date without a year certainly put it before or after its message."""
    if _IN_GERMAN.search(text, max(0, left - NEARBY), left):
        return "unclear"
    seen = looks(text, left, right)
    if seen == "back":
        return seen
    start, end = max(0, left - NEARBY), min(len(text), right + NEARBY)
    near, far = part_around(
        CLAUSE, text, left, right, *part_around(SENTENCE, text, left, right, start, end)
    )
    before, after = text[near:left], text[right:far]
    comes = _COMES.search(before) or _WILL.search(after)
    past = has_past_form(before) or has_past_form(after)
    return "ahead" if comes and not past else "unclear"


@lru_cache(maxsize=8)
def read_times(text: str, moment: datetime, prefer: Prefer) -> dict[tuple[int, int], Atom]:
    """The times of a text by where they begin and end."""
    return {(atom.left, atom.right): atom for atom in find_atoms(text, moment, prefer)}


def is_yearless(text: str, atom: Atom) -> bool:
    """Whether this is a date, a month or a part of the year without anything that tells its year."""
    kinds = frozenset(atom.kinds)
    whole = kinds & _YEARLESS and kinds <= _YEARLESS | OF_DAY and atom.shape in {"point", "range"}
    return bool(whole) and not atom.dated and not SAYS_NEAR.match(text[atom.left : atom.right])


def in_their_months(text: str, atoms: Iterable[Atom], sent_at: datetime) -> Iterator[Atom]:
    """The times; the number of a day is of the month before it: "in october, the 10th at 2".

    Not if that month is over, in an earlier sentence: "I've read it since May. I'll bring it on the 5th".
    """
    month: Atom | None = None
    for atom in atoms:
        month = atom if atom.kinds == ("month",) else month
        of_month = "ordinal" in atom.kinds and {*atom.kinds} <= {"ordinal", "nth"}
        if month is None or not of_month or _is_over(text, month, atom, sent_at):
            yield atom
            continue
        first, last = (
            first_moment(month.start.year, month.start.month, at.day)
            for at in (atom.start, atom.end - DAY)
        )
        if first and last and first <= last:
            yield replace(atom, start=first, end=last + DAY, kinds=("date",))
        else:
            yield atom


def _is_over(text: str, month: Atom, day: Atom, sent_at: datetime) -> bool:
    """Whether a month of an earlier sentence was over when the message was sent, or lasted until then."""
    past = month.shape == "since" or month.end <= sent_at
    past = past and looks(text, day.left, day.right) != "back"
    return past and SENTENCE.search(text, month.right, day.left) is not None


def in_their_years(text: str, sent_at: datetime) -> Iterator[Atom]:
    """The times of a text, read as ahead, but each date without a year in the year that is meant."""
    for atom in read_times(text, sent_at, "future").values():
        meant = _in_its_year(text, atom, sent_at) if is_yearless(text, atom) else atom
        if meant:
            yield meant


def _in_its_year(text: str, atom: Atom, sent_at: datetime) -> Atom | None:
    """A date without a year in the year that is meant; None if that is not certain.

    Where the words do not tell, ``atom`` stays. "Friday 3 June" is of the year in which that is a Friday,
    unless it is near: then the weekday may be wrong.
    """
    at = (atom.left, atom.right)
    past = read_times(text, sent_at, "past").get(at)
    ahead = read_times(text, clamped(sent_at) + GRACE, "future").get(at)
    if past is None or ahead is None or past.start >= ahead.start:
        return atom
    if named := _DAY_NAME.match(text, *at):
        fit = [one for one in (past, ahead) if one.start.weekday() == weekday_of(named[0])]
        return fit[0] if len(fit) == 1 and abs(atom.start - sent_at) > SOON else atom
    led = text[max(0, atom.left - NEARBY) : atom.left]
    if _BORN.search(led):
        return None
    seen = year_looks(text, *at)
    before, after = sent_at - past.end, ahead.start - sent_at
    if seen == "unclear":
        planned = looks(text, *at) != "unclear" or _PLANNED_FOR.search(led)
        return atom if planned or min(before, after) < _FAR else None
    if seen == "back":
        return None if after < SOON < before else past
    soon_over = before < SOON < after and not (atom.kinds == ("month",) and _IS_IN.search(led))
    return None if soon_over else ahead

"""All times of a text: joins neighbours to days with hours and to ranges.

"Saturday" and "6 PM" become one time, "from 3 May to 5 June" one range, "since May" an open range. An
``Atom`` keeps the kinds that it was made of, which ``window`` uses.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from dateutil.relativedelta import relativedelta

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import clamped
from minirag_chat.times.atoms import (
    AFTER_BETWEEN,
    AGO,
    DATES,
    MINUTE,
    OF_DAY,
    YEARLY,
    Atom,
    lead_before,
    scan,
)
from minirag_chat.times.foreign import OPENING, may_open, opened_by
from minirag_chat.times.neighbours import (
    ago_from,
    of_near_week,
    of_near_year,
    on_its_weekday,
    share_month,
    share_week,
    share_year,
    side_of,
    with_its_date,
)
from minirag_chat.times.patterns import COUNT, HIGH_ORDINAL, JOIN, OF_DAYS, ORDINAL, mentions_time
from minirag_chat.times.phrases import count_of
from minirag_chat.times.rotas import below_their_weeks
from minirag_chat.times.spans import (
    BEGINNING,
    DAY,
    FOREVER,
    Prefer,
    Span,
    around,
    midnight,
    stretch,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_PARTIAL = {("daypart",), ("loose",), ("now",), ("nth",)}  # times only when joined with a neighbour
_BESIDE = lazy(r"(?:['\u2019]s)?\s+(?:(?:of|on)\s+)?(?:the\s+)?", re.IGNORECASE)
_THEN_CLOCK = lazy(r"\s*[,@(]?\s*(?:at|around|about|from|in|on)?\s*(?:the\s+)?", re.IGNORECASE)
_THEN_DAY = lazy(r"\s*,?\s*(?:on|of)?\s*(?:the\s+)?", re.IGNORECASE)
_TO = lazy(rf"{JOIN}(?:the\s+)?|\s*[到至]\s*|\s+bis\s+(?:zum\s+)?", re.IGNORECASE)
_AND = lazy(r"\s+(?:and\s+(?:the\s+)?|und\s+(?:dem\s+)?)", re.IGNORECASE)
_ONWARDS = lazy(r"\b(?:after|since|from)\s+$", re.IGNORECASE)
_FROM = lazy(r"\b(?:from\s+(?:the\s+)?|vo[mn]\s+)$", re.IGNORECASE)
# "The race is postponed from 13 June to 21 June" is about the second date only.
_PUT_OFF = lazy(
    r"\b(?:mov(?:e[ds]?|ing)|postpon(?:ed?|ing)|reschedul(?:ed?|ing)|push(?:ed|ing)?|delay(?:ed|ing)?|shift(?:ed|ing)?"
    r"|chang(?:ed?|ing)|put\s+(?:back|off)|brought\s+forward|verschoben|verlegt)"
    r"(?:\s+(?!(?:in|out|up|down|house|home|here|there)\b)[\w'\u2019]+){0,3}\s+$",
    re.IGNORECASE,
)
_IS_NTH = lazy(rf"{ORDINAL}\b", re.IGNORECASE)
_IS_DAY = lazy(rf"{HIGH_ORDINAL}\b|{ORDINAL}{OF_DAYS}", re.IGNORECASE)
# "we moved to the 3rd": the floor, or the place
_SOMEBODY = lazy(
    r"\b(?:i|we|he|she|they|you|u|who)(?:['\u2019]\w+|\s+(?:have|has|had|are|is|was|were|am|all|both|just))*\s+$",
    re.IGNORECASE,
)
_ENDS_THERE = lazy(rf"{ORDINAL}(?=\s*(?:[,.!?;)\n]|\Z))", re.IGNORECASE)
_TO_THE = lazy(r"\bto\s+(?:the\s+)?$", re.IGNORECASE)
_OPEN = lazy(
    rf"(?P<shift>\b(?:the|{COUNT})\s+(?:day|week|fortnight|month|year|hour|minute)s?\s+"
    r"|(?<!\bevery )(?<!\beach )\b(?:day|week)\s+)?"
    rf"\b(?P<word>since|until|till?|before|after|seit|bis|vor|nach|{OPENING})"
    r"(?:\s+(?:(?:the|dem|zum)\s+)?|(?<=['\u2019]))$",
    re.IGNORECASE,
)


def _on_day(of_day: Atom, day: Atom, now: datetime) -> Span:
    """Move a time of day, which was read as on the day of ``now``, to another day."""
    shift = midnight(day.start) - midnight(now)
    return of_day.start + shift, of_day.end + shift


def _combined(text: str, atoms: list[Atom]) -> list[Atom]:
    """Leave out neighbours that belong together and do not fit: no time is better than a wrong one.

    They are the ends of a range that is none ("from Friday to last week"), and times beside each other
    with no moment in common, or after "ago" ("a week ago last Friday"). Of a weekday beside a date, the
    date stays.
    """
    unread: set[int] = set()
    for n, (a, b) in enumerate(pairwise(atoms)):
        if a.of_day or b.of_day:
            continue
        between = text[a.right : b.left]
        ranged = (_TO.fullmatch(between) and lead_before(_FROM, text, a.left)) or (
            _AND.fullmatch(between) and lead_before(AFTER_BETWEEN, text, a.left)
        )
        listed = {a.kinds, b.kinds} == {("weekof", "weekday")}  # "Ann Mon Thu"
        apart = a.end <= b.start or b.end <= a.start or AGO.search(text, a.left, a.right)
        if ranged or (apart and not listed and _BESIDE.fullmatch(between)):
            either = {n: a, n + 1: b}
            dated = {at for at, one in either.items() if {*one.kinds} & DATES}
            weekdays = {at for at, one in either.items() if one.kinds == ("weekday",)}
            unread |= weekdays if dated and weekdays and not ranged else {*either}
    return [atom for n, atom in enumerate(atoms) if n not in unread]


def _with_clock(text: str, a: Atom, b: Atom, now: datetime) -> Atom | None:
    """Join "Saturday at 6 PM", "10 AM tomorrow", "the evening of 3 May"."""
    between = text[a.right : b.left]
    if a.one_day and b.of_day and "clock" not in a.kinds and _THEN_CLOCK.fullmatch(between):
        start, end = _on_day(b, a, now)
    elif a.of_day and b.one_day and "clock" not in b.kinds and _THEN_DAY.fullmatch(between):
        start, end = _on_day(a, b, now)
        begins = text[a.left : a.right].lower() == "midnight" and lead_before(
            _ONWARDS, text, a.left
        )
        if begins and b.end - b.start == DAY:
            start, end = start - DAY, end - DAY  # "after midnight on 3 May" is after its beginning
    else:
        return None
    return Atom(a.left, b.right, start, end, (*a.kinds, *b.kinds))


def _put_off(text: str, a: Atom, b: Atom) -> Atom | None:
    """Replace "postponed from A to B" by the time B, at the place of the whole phrase."""
    lead = lead_before(_FROM, text, a.left) if _TO.fullmatch(text, a.right, b.left) else None
    moved = lead is not None and lead_before(_PUT_OFF, text, lead.start())
    return replace(b, left=lead.start()) if lead and moved else None


def is_put_off_to(text: str, left: int) -> bool:
    """Whether what begins at this position is what a plan is put off to: "brunch moves to the 21st".

    "We moved to the 3rd" may be about a floor or a place, unless "now", "instead" or an hour follows.
    """
    lead = lead_before(_TO_THE, text, left) if _IS_NTH.match(text, left) else None
    moved = lead_before(_PUT_OFF, text, lead.start()) if lead else None
    if moved is None or _IS_DAY.match(text, left):
        return moved is not None
    by_itself = lead_before(_SOMEBODY, text, moved.start()) is None
    return by_itself and _ENDS_THERE.match(text, left) is not None


def _as_range(text: str, a: Atom, b: Atom, now: datetime, prefer: Prefer) -> Atom | None:
    """Join "from A to B", "A - B" and "between A and B"."""
    between = text[a.right : b.left]
    lead = lead_before(_FROM, text, a.left) if _TO.fullmatch(between) else None
    if _AND.fullmatch(between):
        lead = lead_before(AFTER_BETWEEN, text, a.left)
        if not lead:
            return None
    elif not _TO.fullmatch(between):
        return None
    if a.shape != "point" or b.shape != "point" or (a.of_day and not (b.of_day or b.one_day)):
        return None
    if b.of_day and not OF_DAY & set(a.kinds):  # "move tomorrow to 10:30"
        return None
    span = _ordered(a, b, now, prefer)
    if span is None:
        return None
    left = lead.start() if lead else a.left
    return Atom(left, b.right, *span, kinds=(*a.kinds, *b.kinds), shape="range")


def _ordered(a: Atom, b: Atom, now: datetime, prefer: Prefer) -> Span | None:
    """Return the span from ``a`` to ``b``, moving a day or a year so that it runs forwards."""
    start, end = a.start, b.start if "clock" in b.kinds else b.end
    if a.of_day and b.one_day:
        start = _on_day(a, b, now)[0]
    elif b.of_day and a.one_day:
        end = _on_day(replace(b, end=b.start + DAY), a, now)[0]
    if start < end:
        return start, end
    if b.of_day:
        return start, end + DAY
    if a.of_day and "clock" in b.kinds:  # "between 11 pm and 2 am on 3 May"
        return start - DAY, end
    if b.kinds == ("weekday",):
        weeks = (start - end) // timedelta(weeks=1) + 1
        return start, end + weeks * timedelta(weeks=1)
    return _across_years(a, start, end, prefer) if {*a.kinds, *b.kinds} <= YEARLY else None


def _across_years(a: Atom, start: datetime, end: datetime, prefer: Prefer) -> Span | None:
    """Let "November to February" begin a year earlier or end a year later."""
    try:
        if prefer == "past" and not a.dated:
            start -= relativedelta(years=1)
        else:
            end += relativedelta(years=1)
    except (ValueError, OverflowError):
        return None
    return (start, end) if start < end else None


def _between(text: str, atom: Atom) -> Atom:
    """Take "between" into the time that follows it, if this has both ends: "between 1 and 15 July"."""
    lead = lead_before(AFTER_BETWEEN, text, atom.left)
    if not lead or atom.shape != "point" or atom.kinds != ("date",) or atom.one_day:
        return atom
    return replace(atom, left=lead.start(), shape="range")


def _opened(text: str, atom: Atom, free: int, now: datetime, prefer: Prefer) -> Atom:
    """Make "since May" or "before 6 PM" an open range; shift "two days after Easter".

    A range at a clock time stays within its day, "since" ends with today, and a range before a future
    day ("until Sunday") begins today.
    """
    lead = lead_before(_OPEN, text, atom.left, free)
    if not lead or atom.shape != "point" or not may_open(text, lead["word"], atom.kinds):
        return atom
    word = opened_by(lead["word"].lower())
    if lead["shift"] and word in {"before", "after"}:
        return _shifted(atom, lead["shift"], lead.start(), 1 if word == "after" else -1)
    today = midnight(now)
    first, last, over = BEGINNING, FOREVER, atom.end
    if "clock" in atom.kinds:
        over, first = atom.start, midnight(atom.start - MINUTE)  # "before midnight" is that day
        last = midnight(atom.start) + DAY
    elif word == "since" and atom.start <= today:
        last = today + DAY
    elif prefer == "future" and atom.start > today:
        first = today
    start, end = {
        "since": (atom.start, last),
        "after": (over, last),
        "before": (first, atom.start),
    }.get(word, (first, over))
    if start >= end:
        return atom
    return replace(atom, left=lead.start("word"), start=start, end=end, shape=word)


def _shifted(atom: Atom, amount: str, left: int, sign: int) -> Atom:
    """Return the day, week or month that is an amount of time before or after ``atom``.

    "The week before" a day are the seven days before it.
    """
    number, unit = count_of(amount.lower())
    first = atom.start if sign < 0 else max(atom.start, atom.end - MINUTE)
    try:
        moment = first + stretch(sign * number, unit)
    except (ValueError, OverflowError):
        return atom
    start, end = around(moment, "time" if unit in {"hours", "minutes"} else unit[:-1])
    if unit == "weeks" and amount.lower().startswith(("the", "week")):
        day = midnight(moment)
        start, end = (day, midnight(first)) if sign < 0 else (midnight(first) + DAY, day + DAY)
    return replace(atom, left=left, start=start, end=end, kinds=(*atom.kinds, "offset"))


def _merge(atoms: list[Atom], join: Callable[[Atom, Atom], Atom | None]) -> list[Atom]:
    merged: list[Atom] = []
    for atom in atoms:
        joined = join(merged[-1], atom) if merged else None
        if joined:
            merged[-1] = joined
        else:
            merged.append(atom)
    return merged


def _placed(atoms: list[Atom], now: datetime) -> list[Atom]:
    """Put clock times without a day on the nearest day in the text; drop kinds in ``_PARTIAL``."""
    days = [atom for atom in atoms if atom.one_day and atom.kinds not in _PARTIAL]
    placed: list[Atom] = []
    for atom in atoms:
        if atom.kinds in _PARTIAL:
            continue
        if not atom.of_day:
            placed.append(atom)
            continue
        near = min(
            days, key=lambda day: (day.left > atom.left, abs(day.left - atom.left)), default=None
        )
        start, end = _on_day(atom, near, now) if near else (atom.start, atom.end)
        placed.append(replace(atom, start=start, end=end))
    return placed


def find_atoms(text: str, now: datetime, prefer: Prefer) -> tuple[Atom, ...]:
    """Return the times of a text in reading order, joined with their neighbours."""
    if not mentions_time(text):
        return ()
    now = clamped(now)
    atoms = scan(text, now, prefer)
    atoms = _merge(atoms, lambda a, b: of_near_year(text, a, b, now, prefer))
    atoms = _merge(atoms, lambda a, b: of_near_week(text, a, b))
    atoms = _merge(atoms, lambda a, b: ago_from(text, a, b) or side_of(text, a, b))
    atoms = _merge(atoms, lambda a, b: with_its_date(text, a, b))
    atoms = _merge(atoms, lambda a, b: on_its_weekday(text, a, b, now, prefer))
    atoms = share_month(text, atoms)
    atoms = share_week(text, share_year(text, atoms, now, prefer), now, prefer)
    atoms = below_their_weeks(text, atoms)
    atoms = _merge(atoms, lambda a, b: _with_clock(text, a, b, now))
    atoms = _merge(atoms, lambda a, b: _put_off(text, a, b))
    atoms = [  # the "21st" of "brunch moves to the 21st" is a day by itself
        replace(a, kinds=("ordinal",)) if a.kinds == ("nth",) and is_put_off_to(text, a.left) else a
        for a in atoms
    ]
    atoms = _merge(atoms, lambda a, b: _as_range(text, a, b, now, prefer))
    atoms = [_between(text, atom) for atom in _placed(_combined(text, atoms), now)]
    free = (0, *(atom.right for atom in atoms))
    return tuple(
        _opened(text, atom, after, now, prefer) for atom, after in zip(atoms, free, strict=False)
    )

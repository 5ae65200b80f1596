"""Times of one text that tell each other's year, month or week: "4 and 6 June", "Friday: 27 November"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from dateutil.rrule import MONTHLY, rrule

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.atoms import AGO, DATES, MINUTE, YEARLY, Atom, lead_before
from minirag_chat.times.foreign import is_near
from minirag_chat.times.names_of_days import WEEKDAYS
from minirag_chat.times.patterns import BEFORE_WEEKDAY, COUNT, JOIN, NEAR, SHORT_DAYS, weekday_of
from minirag_chat.times.phrases import count_of, listed_parts, read_phrase
from minirag_chat.times.spans import DAY, Prefer, midnight, stretch

_NTH = {"nth", "ordinal"}
_IN_ONE_YEAR = YEARLY | {"months", "quarter", "weekof", "foreign"}
OF_YEAR = lazy(rf"\b{NEAR}year\b", re.IGNORECASE)
_OF_WEEK = lazy(rf"{NEAR}(?:week|wk)|{COUNT}\s+(?:week|wk|fortnight)s?\s+ago", re.IGNORECASE)
_WEEKEND = lazy(r"the\s+weekend", re.IGNORECASE)
_THE = lazy(r"\bthe\s+$", re.IGNORECASE)
_EITHER_SIDE = lazy(r"\s+(?P<word>before|after)\s+(?:the\s+)?", re.IGNORECASE)
_AGO_ON = lazy(r"\s*,?\s+on\s+", re.IGNORECASE)
_YEARS_AGO = lazy(rf"{COUNT}\s+(?:year|yr)s?\s+ago", re.IGNORECASE)
_SPACE = lazy(r"\s+")
_NEAR = lazy(NEAR, re.IGNORECASE)
_OF = lazy(r"\s+(?:of\s+)?", re.IGNORECASE)
_IN = lazy(r"(?:['\u2019]s)?\s+(?:(?:in|on|at|during|over|im|am)\s+)?(?:the\s+)?", re.IGNORECASE)
_LISTED = lazy(
    rf"(?:{JOIN}|,?\s+(?:and|or|und|oder|bis)\s+|,\s+)(?:(?:in|on|at|im|am|zum|dem)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_LONGEST_MONTH = timedelta(days=31)
# "Friday (27 November)", "Friday: 27 Nov", and "Friday - 27 Nov" if that is a Friday
_ITS_DATE = lazy(
    r"\s*\(\s*(?:the\s+)?|:\s+(?:the\s+)?|(?P<dash>\s+[-\u2013]\s+)(?:the\s+)?", re.IGNORECASE
)
_THEN_WEEKDAY = lazy(BEFORE_WEEKDAY, re.IGNORECASE)
_ITS_WEEKDAY = lazy(r",\s+(?:an?\s+)?|\s*\(\s*", re.IGNORECASE)  # "27 November (Friday)"
_DAY_NAMED = lazy(rf"(?:{NEAR})?(?P<day>(?:{'|'.join((*WEEKDAYS, *SHORT_DAYS))})\b)", re.IGNORECASE)
_ON_WEEKDAY = {"date", "numbered", "dayed"}
_NEXT_TO_IT = lazy(rf"{JOIN}|\s+(?:and|und|bis)\s+", re.IGNORECASE)


def _in_year(text: str, atom: Atom, year: int, now: datetime, prefer: Prefer) -> Atom | None:
    """``atom`` in ``year``; None if its words say its year, or it does not recur each year."""
    phrase = text[atom.left : atom.right]
    if "foreign" in atom.kinds and is_near(phrase.lower()):
        return None
    if atom.dated or not {*atom.kinds} <= _IN_ONE_YEAR or _NEAR.match(phrase):
        return None
    span = read_phrase(atom.kinds[0], f"{phrase} {year}", now, prefer)
    if span is None:
        return None
    parts = listed_parts(atom.kinds[0], f"{phrase} {year}", span) if atom.parts else ()
    return replace(atom, start=span[0], end=span[1], dated=True, parts=parts)


def of_near_year(text: str, a: Atom, b: Atom, now: datetime, prefer: Prefer) -> Atom | None:
    """Join "May last year", "last year's May" and "two years ago in May".

    ``kinds`` has "unit" if that is in the future.
    """
    between = text[a.right : b.left]
    if _is_near_year(text, b) and _OF.fullmatch(between):
        named, year = a, b.start.year
    elif _is_near_year(text, a) and _IN.fullmatch(between):
        named, year = b, a.start.year
    else:
        return None
    found = _in_year(text, named, year, now, prefer)
    if found is None or text.startswith(("'s", "\u2019s"), b.right):  # "last year's budget"
        return None
    kinds = found.kinds if found.start < now else (*found.kinds, "unit")
    return replace(found, left=a.left, right=b.right, kinds=kinds)


def of_near_week(text: str, a: Atom, b: Atom) -> Atom | None:
    """Join "Friday next week", "next week on Friday" and "two weeks ago on Friday"."""
    between = text[a.right : b.left]
    # "a week ago Friday" may also be a week before last Friday
    then = _AGO_ON if AGO.search(text, a.left, a.right) else _IN
    for day, week, joint in ((a, b, _OF), (b, a, then)):
        named = text[day.left : day.right]
        near = _OF_WEEK.fullmatch(text, week.left, week.right) and joint.fullmatch(between)
        if near and day.kinds == ("weekday",) and not _NEAR.match(named):
            start = week.start + weekday_of(named) * DAY
            return Atom(a.left, b.right, start, start + DAY, (*week.kinds, *day.kinds))
    return None


def ago_from(text: str, a: Atom, b: Atom) -> Atom | None:
    """Join "a year ago today" and "two weeks ago yesterday"."""
    ago = a.kinds == ("offset",) and AGO.search(text, a.left, a.right)
    day = b.kinds == ("relative",) and b.one_day
    if not ago or not day or not _SPACE.fullmatch(text, a.right, b.left):
        return None
    number, unit = count_of(text[a.left : a.right].lower())
    step = stretch(number, unit)
    return replace(
        b, left=a.left, start=b.start - step, end=b.end - step, kinds=(*a.kinds, *b.kinds)
    )


def side_of(text: str, a: Atom, b: Atom) -> Atom | None:
    """Join "the Friday before Christmas" and "the weekend after Easter"."""
    side = _EITHER_SIDE.fullmatch(text, a.right, b.left)
    weekend = _WEEKEND.fullmatch(text, a.left, a.right)
    named = text[a.left : a.right]
    weekday = a.kinds == ("weekday",) and lead_before(_THE, text, a.left) and not _NEAR.match(named)
    if not side or not (weekend or weekday) or b.of_day or b.shape != "point":
        return None
    first, days = (5, 2) if weekend else (weekday_of(named), 1)
    if side["word"].lower() == "before":
        last = midnight(b.start) - days * DAY
        start = last - (last.weekday() - first) % 7 * DAY
    else:
        day = midnight(b.end - MINUTE) + DAY
        start = day + (first - day.weekday()) % 7 * DAY
    return Atom(a.left, b.right, start, start + days * DAY, (*b.kinds, "offset"))


def _is_near_year(text: str, atom: Atom) -> bool:
    """Whether this is "last year", "letztes Jahr" or "two years ago"."""
    phrase = text[atom.left : atom.right]
    if "foreign" in atom.kinds:
        return atom.end - atom.start > _LONGEST_MONTH and is_near(phrase.lower())
    if OF_YEAR.fullmatch(phrase):
        return True
    return _YEARS_AGO.fullmatch(phrase) is not None and atom.end - atom.start > _LONGEST_MONTH


def share_year(text: str, atoms: list[Atom], now: datetime, prefer: Prefer) -> list[Atom]:
    """Give "3 March" in "from 3 March to 9 March 2024" the latest year that does not put it after that."""
    shared = list(atoms)
    for n in range(len(atoms) - 2, -1, -1):
        a, b = shared[n], shared[n + 1]
        if b.dated and b.kinds != ("year",) and _LISTED.fullmatch(text, a.right, b.left):
            years = (b.start.year, b.start.year - 1)
            read = [_in_year(text, a, year, now, prefer) for year in years if year > 0]
            shared[n] = next((one for one in read if one and one.start <= b.start), a)
    return shared


def share_month(text: str, atoms: list[Atom]) -> list[Atom]:
    """Read days of one month together.

    "The 5th" in "from 28 June to the 5th" is the first 5th after that, and "Friday the 24th" in "Friday the
    24th to Sunday the 26th of January" the last 24th before.
    """
    shared = list(atoms)
    for n, b in enumerate(atoms[1:], 1):
        a = shared[n - 1]
        if not _LISTED.fullmatch(text, a.right, b.left):
            continue
        if {*b.kinds} <= _NTH and {*a.kinds} <= _NTH | DATES:
            day = rrule(MONTHLY, bymonthday=b.start.day, dtstart=a.end, count=1)[0]
            shared[n] = replace(b, start=day, end=day + DAY, kinds=("ordinal",))
        elif {*a.kinds} <= _NTH | {"numbered"} and {*b.kinds} <= DATES and a.one_day and b.one_day:
            two_months = b.start - 2 * _LONGEST_MONTH  # not every month has a 31st
            day = rrule(MONTHLY, bymonthday=a.start.day, dtstart=two_months, until=b.start)[-1]
            shared[n - 1] = replace(a, start=day, end=day + DAY)
    return shared


def with_its_date(text: str, a: Atom, b: Atom) -> Atom | None:
    """Join "Friday (27 November)", "27 November, a Friday", and "Friday - 27 Nov" unless that is a range."""
    if b.kinds == ("weekday",) and a.kinds[:1] in {("date",), ("numeric",)} and a.one_day:
        beside = _ITS_WEEKDAY.fullmatch(text, a.right, b.left)
        same = beside and _named_day(text, b) == a.start.weekday()
        return replace(a, right=b.right) if same else None
    beside = _ITS_DATE.fullmatch(text, a.right, b.left)
    if not beside or a.kinds != ("weekday",) or b.kinds[:1] not in {("date",), ("numeric",)}:
        return None
    if not b.one_day or (beside["dash"] and _named_day(text, a) != b.start.weekday()):
        return None
    closes = beside[0].lstrip().startswith("(") and text.startswith(")", b.right)
    return replace(b, left=a.left, right=b.right + closes)


def on_its_weekday(text: str, a: Atom, b: Atom, now: datetime, prefer: Prefer) -> Atom | None:
    """Join "17th i think, thurs" to a 17th that is a Thursday."""
    of_number = a.kinds[0] in _NTH and b.kinds in {("weekday",), ("listed",)}
    if not of_number or not _THEN_WEEKDAY.fullmatch(text, a.right, b.left):
        return None
    named = f"{text[b.left : b.right]} {text[a.left : a.right]}"
    span = read_phrase("numbered", named, now, prefer)
    return (
        replace(a, right=b.right, start=span[0], end=span[1], kinds=("numbered",)) if span else None
    )


def _named_day(text: str, atom: Atom) -> int | None:
    """The weekday, from 0 for Monday, that a time begins with."""
    named = _DAY_NAMED.match(text, atom.left, atom.right)
    return weekday_of(named["day"]) if named else None


def share_week(text: str, atoms: list[Atom], now: datetime, prefer: Prefer) -> list[Atom]:
    """Read "Friday" in "Friday or Saturday 28 November" and "Saturday" in "Friday 27.11 and Saturday".

    They are of the week of the date. A weekday that may be of another one is left out, as in "Saturday 28.11
    or Monday".
    """
    shared = list(atoms)
    dated = {n for n, atom in enumerate(atoms) if _has_weekday(text, atom)}
    unread: set[int] = set()
    pairs = [(n, n + 1) for n in range(len(atoms) - 1)]
    for at, other in (*reversed(pairs), *((after, before) for before, after in pairs)):
        bare = atoms[at].kinds == ("weekday",) and not _NEAR.match(text, atoms[at].left)
        joint = text[atoms[min(at, other)].right : atoms[max(at, other)].left]
        if not bare or at in dated or other not in dated or not _LISTED.fullmatch(joint):
            continue
        week = shared[other].start.weekday()
        days = ((_named_day(text, atoms[at]) or 0) - week) % 7 - 7 * (at < other)
        start = midnight(shared[other].start) + days * DAY
        over = prefer == "future" and start < midnight(now) <= shared[other].start
        if days not in {0, -7} and not over:
            shared[at] = replace(atoms[at], start=start, end=start + DAY)
            sure = 0 <= week + days < len(WEEKDAYS) or _NEXT_TO_IT.fullmatch(joint)
            (dated if sure else unread).add(at)
    return [atom for n, atom in enumerate(shared) if n not in unread]


def _has_weekday(text: str, atom: Atom) -> bool:
    """Whether this is a date that begins with its weekday."""
    of_date = not _ON_WEEKDAY.isdisjoint(atom.kinds) and atom.one_day
    return of_date and _named_day(text, atom) == atom.start.weekday()

"""All times of a text: finds the phrases, reads them, and joins neighbours.

"Saturday" and "6 PM" become one time, "from 3 May to 5 June" one range, "since May" an open range. An
``Atom`` keeps the kinds that it was made of, which ``window`` uses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from dateutil.relativedelta import relativedelta
from dateutil.rrule import MONTHLY, rrule

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import TimeSpan, clamped
from minirag_chat.times.dayed import before_clock
from minirag_chat.times.foreign import OPENING, is_near, may_open, opened_by
from minirag_chat.times.patterns import (
    COUNT,
    JOIN,
    NEAR,
    SHORT_DAYS,
    WEEKDAYS,
    mentions_time,
    parts_of_dayed,
    times_in,
    weekday_of,
)
from minirag_chat.times.phrases import HAS_YEAR, count_of, listed_parts, read_phrase
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
from minirag_chat.times.translated import is_another_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OF_DAY = frozenset({"clock", "clocks", "daypart"})
_YEARLY = {"date", "month", "loose", "part", "holiday", "season", "hanzi"}
_PARTIAL = {("daypart",), ("loose",), ("now",), ("nth",)}  # times only when joined with a neighbour
_NTH = {"nth", "ordinal"}
_DATES = {"date", "numbered", "dayed", "numeric", "stamp"}
_IN_ONE_YEAR = _YEARLY | {"months", "quarter", "weekof", "foreign"}
OF_YEAR = lazy(rf"\b{NEAR}year\b", re.IGNORECASE)
_OF_WEEK = lazy(rf"{NEAR}(?:week|wk)|{COUNT}\s+(?:week|wk|fortnight)s?\s+ago", re.IGNORECASE)
_AGO = lazy(r"\bago\Z", re.IGNORECASE)
_WEEKEND = lazy(r"the\s+weekend", re.IGNORECASE)
_THE = lazy(r"\bthe\s+$", re.IGNORECASE)
_EITHER_SIDE = lazy(r"\s+(?P<word>before|after)\s+(?:the\s+)?", re.IGNORECASE)
_AGO_ON = lazy(r"\s*,?\s+on\s+", re.IGNORECASE)
_YEARS_AGO = lazy(rf"{COUNT}\s+(?:year|yr)s?\s+ago", re.IGNORECASE)
_SPACE = lazy(r"\s+")
_BESIDE = lazy(r"(?:['\u2019]s)?\s+(?:(?:of|on)\s+)?(?:the\s+)?", re.IGNORECASE)
_NEAR = lazy(NEAR, re.IGNORECASE)
_OF = lazy(r"\s+(?:of\s+)?", re.IGNORECASE)
_IN = lazy(r"(?:['\u2019]s)?\s+(?:(?:in|on|at|during|over|im|am)\s+)?(?:the\s+)?", re.IGNORECASE)
_LISTED = lazy(
    rf"(?:{JOIN}|,?\s+(?:and|or|und|oder|bis)\s+|,\s+)(?:(?:in|on|at|im|am|zum|dem)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
MOST_TIMES = 100
"""How many phrases of a text are read: a text of nothing but times must not take minutes."""
_LEAD = 40  # characters before a time in which "between the" or "two weeks after" is looked for
_MINUTE = timedelta(minutes=1)
_LONGEST_DAY = timedelta(hours=36)
_LONGEST_MONTH = timedelta(days=31)
# "may 10 people come", in lower case
_VERB = lazy(r"(?:may|march|mar)\s+\d{1,3}\b(?!,?\s+\d)")
_DATED = lazy(r"\b(?:on|by|from|to|for|since|until|before|after|between)\s+$", re.IGNORECASE)
_THEN_CLOCK = lazy(r"\s*[,@(]?\s*(?:at|around|about|from|in|on)?\s*(?:the\s+)?", re.IGNORECASE)
_THEN_DAY = lazy(r"\s*,?\s*(?:on|of)?\s*(?:the\s+)?", re.IGNORECASE)
# "Friday (27 November)", "Friday: 27 Nov", and "Friday - 27 Nov" if that is a Friday
_ITS_DATE = lazy(
    r"\s*\(\s*(?:the\s+)?|:\s+(?:the\s+)?|(?P<dash>\s+[-\u2013]\s+)(?:the\s+)?", re.IGNORECASE
)
_ITS_WEEKDAY = lazy(r",\s+(?:an?\s+)?|\s*\(\s*", re.IGNORECASE)  # "27 November (Friday)"
_DAY_NAMED = lazy(rf"(?:{NEAR})?(?P<day>(?:{'|'.join((*WEEKDAYS, *SHORT_DAYS))})\b)", re.IGNORECASE)
_ON_WEEKDAY = {"date", "numbered", "dayed"}
_NEXT_TO_IT = lazy(rf"{JOIN}|\s+(?:and|und|bis)\s+", re.IGNORECASE)
_TO = lazy(rf"{JOIN}(?:the\s+)?|\s*[到至]\s*|\s+bis\s+(?:zum\s+)?", re.IGNORECASE)
_AND = lazy(r"\s+(?:and\s+(?:the\s+)?|und\s+(?:dem\s+)?)", re.IGNORECASE)
_SINCE = lazy(r"\b(?:since\s+(?:the\s+)?|seit\s+(?:dem\s+)?)$", re.IGNORECASE)
_ONWARDS = lazy(r"\b(?:after|since|from)\s+$", re.IGNORECASE)
_FROM = lazy(r"\b(?:from\s+(?:the\s+)?|vo[mn]\s+)$", re.IGNORECASE)
# "The race is postponed from 13 June to 21 June" is about the second date only.
_PUT_OFF = lazy(
    r"\b(?:mov(?:e[ds]?|ing)|postpon(?:ed?|ing)|reschedul(?:ed?|ing)|push(?:ed|ing)?|delay(?:ed|ing)?|shift(?:ed|ing)?"
    r"|chang(?:ed?|ing)|put\s+(?:back|off)|brought\s+forward|verschoben|verlegt)"
    r"(?:\s+(?!(?:in|out|house|home|here|there)\b)[\w'\u2019]+){0,3}\s+$",
    re.IGNORECASE,
)
_TO_THE = lazy(r"\bto\s+(?:the\s+)?$", re.IGNORECASE)
_BETWEEN = lazy(r"\b(?:between\s+(?:the\s+)?|zwischen\s+(?:dem\s+)?)$", re.IGNORECASE)
_OPEN = lazy(
    rf"(?P<shift>\b(?:the|{COUNT})\s+(?:day|week|fortnight|month|year|hour|minute)s?\s+"
    r"|(?<!\bevery )(?<!\beach )\b(?:day|week)\s+)?"
    rf"\b(?P<word>since|until|till?|before|after|seit|bis|vor|nach|{OPENING})"
    r"(?:\s+(?:(?:the|dem|zum)\s+)?|(?<=['\u2019]))$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Atom:
    """A time in a text: its position, its span, and what it was read from.

    ``kinds`` are kinds of ``patterns.KINDS``; ``shape`` is "point", "range" or the word of an open
    range ("since", "until", "before", "after"). ``dated``: the text has the year. ``parts`` are the times
    of a list, if days between them are left out ("May and July").
    """

    left: int
    right: int
    start: datetime
    end: datetime
    kinds: tuple[str, ...]
    shape: str = "point"
    dated: bool = False
    parts: tuple[TimeSpan, ...] = ()

    @property
    def of_day(self) -> bool:
        """Whether this is only a time of day, without a date."""
        return all(kind in OF_DAY for kind in self.kinds)

    @property
    def one_day(self) -> bool:
        """Whether this names one day, with or without a time of day."""
        return not self.of_day and self.shape == "point" and self.end - self.start <= _LONGEST_DAY

    @property
    def days(self) -> Span:
        """The span; of a clock time its whole day, and of midnight the day before it and the day after."""
        if "clock" not in self.kinds or self.shape != "point":
            return self.start, self.end
        last = midnight(max(self.start, self.end - _MINUTE))
        return midnight(self.start - _MINUTE), last + DAY


def _before(lead: re.Pattern[str], text: str, left: int, free: int = 0) -> re.Match[str] | None:
    """Return the match of ``lead`` that ends at ``left`` and begins at ``free`` or later."""
    return lead.search(text, max(free, left - _LEAD), left)


def _found(text: str, now: datetime) -> Iterator[re.Match[str]]:
    """The phrases; of a weekday with digits that are no date of it, what is certain."""
    for found in times_in(text):
        if is_another_word(found[0], text):
            continue
        if found.lastgroup != "dayed" or read_phrase("dayed", found[0], now, "future"):
            yield found
        else:
            yield from parts_of_dayed(found, clock=before_clock(found[0].lower(), now))


def _scan(text: str, now: datetime, prefer: Prefer) -> list[Atom]:
    atoms: list[Atom] = []
    for found in islice(_found(text, now), MOST_TIMES):
        kind = found.lastgroup or ""
        if kind != "dayed" and _VERB.match(found[0]) and not _before(_DATED, text, found.start()):
            continue
        since = _before(_SINCE, text, found.start())
        span = read_phrase(kind, found[0], now, "past" if since else prefer)
        if span:
            atoms.append(
                Atom(
                    found.start(),
                    found.end(),
                    *span,
                    kinds=(kind,),
                    dated=HAS_YEAR.search(found[0]) is not None,
                    parts=()
                    if _before(_BETWEEN, text, found.start())
                    else listed_parts(kind, found[0], span),
                )
            )
    return atoms


def _on_day(of_day: Atom, day: Atom, now: datetime) -> Span:
    """Move a time of day, which was read as on the day of ``now``, to another day."""
    shift = midnight(day.start) - midnight(now)
    return of_day.start + shift, of_day.end + shift


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


def _of_near_year(text: str, a: Atom, b: Atom, now: datetime, prefer: Prefer) -> Atom | None:
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


def _of_near_week(text: str, a: Atom, b: Atom) -> Atom | None:
    """Join "Friday next week", "next week on Friday" and "two weeks ago on Friday"."""
    between = text[a.right : b.left]
    # "a week ago Friday" may also be a week before last Friday
    then = _AGO_ON if _AGO.search(text, a.left, a.right) else _IN
    for day, week, joint in ((a, b, _OF), (b, a, then)):
        named = text[day.left : day.right]
        near = _OF_WEEK.fullmatch(text, week.left, week.right) and joint.fullmatch(between)
        if near and day.kinds == ("weekday",) and not _NEAR.match(named):
            start = week.start + weekday_of(named) * DAY
            return Atom(a.left, b.right, start, start + DAY, (*week.kinds, *day.kinds))
    return None


def _ago_from(text: str, a: Atom, b: Atom) -> Atom | None:
    """Join "a year ago today" and "two weeks ago yesterday"."""
    ago = a.kinds == ("offset",) and _AGO.search(text, a.left, a.right)
    day = b.kinds == ("relative",) and b.one_day
    if not ago or not day or not _SPACE.fullmatch(text, a.right, b.left):
        return None
    number, unit = count_of(text[a.left : a.right].lower())
    step = stretch(number, unit)
    return replace(
        b, left=a.left, start=b.start - step, end=b.end - step, kinds=(*a.kinds, *b.kinds)
    )


def _side_of(text: str, a: Atom, b: Atom) -> Atom | None:
    """Join "the Friday before Christmas" and "the weekend after Easter"."""
    side = _EITHER_SIDE.fullmatch(text, a.right, b.left)
    weekend = _WEEKEND.fullmatch(text, a.left, a.right)
    named = text[a.left : a.right]
    weekday = a.kinds == ("weekday",) and _before(_THE, text, a.left) and not _NEAR.match(named)
    if not side or not (weekend or weekday) or b.of_day or b.shape != "point":
        return None
    first, days = (5, 2) if weekend else (weekday_of(named), 1)
    if side["word"].lower() == "before":
        last = midnight(b.start) - days * DAY
        start = last - (last.weekday() - first) % 7 * DAY
    else:
        day = midnight(b.end - _MINUTE) + DAY
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


def _share_year(text: str, atoms: list[Atom], now: datetime, prefer: Prefer) -> list[Atom]:
    """Give "3 March" in "from 3 March to 9 March 2024" the latest year that does not put it after that."""
    shared = list(atoms)
    for n in range(len(atoms) - 2, -1, -1):
        a, b = shared[n], shared[n + 1]
        if b.dated and b.kinds != ("year",) and _LISTED.fullmatch(text, a.right, b.left):
            years = (b.start.year, b.start.year - 1)
            read = [_in_year(text, a, year, now, prefer) for year in years if year > 0]
            shared[n] = next((one for one in read if one and one.start <= b.start), a)
    return shared


def _share_month(text: str, atoms: list[Atom]) -> list[Atom]:
    """Read days of one month together.

    "The 5th" in "from 28 June to the 5th" is the first 5th after that, and "Friday the 24th" in "Friday the
    24th to Sunday the 26th of January" the last 24th before.
    """
    shared = list(atoms)
    for n, b in enumerate(atoms[1:], 1):
        a = shared[n - 1]
        if not _LISTED.fullmatch(text, a.right, b.left):
            continue
        if {*b.kinds} <= _NTH and {*a.kinds} <= _NTH | _DATES:
            day = rrule(MONTHLY, bymonthday=b.start.day, dtstart=a.end, count=1)[0]
            shared[n] = replace(b, start=day, end=day + DAY, kinds=("ordinal",))
        elif {*a.kinds} <= _NTH | {"numbered"} and {*b.kinds} <= _DATES and a.one_day and b.one_day:
            two_months = b.start - 2 * _LONGEST_MONTH  # not every month has a 31st
            day = rrule(MONTHLY, bymonthday=a.start.day, dtstart=two_months, until=b.start)[-1]
            shared[n - 1] = replace(a, start=day, end=day + DAY)
    return shared


def _with_its_date(text: str, a: Atom, b: Atom) -> Atom | None:
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


def _named_day(text: str, atom: Atom) -> int | None:
    """The weekday, from 0 for Monday, that a time begins with."""
    named = _DAY_NAMED.match(text, atom.left, atom.right)
    return weekday_of(named["day"]) if named else None


def _share_week(text: str, atoms: list[Atom], now: datetime, prefer: Prefer) -> list[Atom]:
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
        ranged = (_TO.fullmatch(between) and _before(_FROM, text, a.left)) or (
            _AND.fullmatch(between) and _before(_BETWEEN, text, a.left)
        )
        apart = a.end <= b.start or b.end <= a.start or _AGO.search(text, a.left, a.right)
        if ranged or (apart and _BESIDE.fullmatch(between)):
            either = {n: a, n + 1: b}
            dated = {at for at, one in either.items() if {*one.kinds} & _DATES}
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
        begins = text[a.left : a.right].lower() == "midnight" and _before(_ONWARDS, text, a.left)
        if begins and b.end - b.start == DAY:
            start, end = start - DAY, end - DAY  # "after midnight on 3 May" is after its beginning
    else:
        return None
    return Atom(a.left, b.right, start, end, (*a.kinds, *b.kinds))


def _put_off(text: str, a: Atom, b: Atom) -> Atom | None:
    """Of "postponed from A to B" only B, which takes the whole place."""
    lead = _before(_FROM, text, a.left) if _TO.fullmatch(text, a.right, b.left) else None
    moved = lead is not None and _before(_PUT_OFF, text, lead.start())
    return replace(b, left=lead.start()) if lead and moved else None


def is_put_off_to(text: str, left: int) -> bool:
    """Whether what begins at this position is what a plan is put off to: "brunch moves to the 21st"."""
    lead = _before(_TO_THE, text, left)
    return lead is not None and _before(_PUT_OFF, text, lead.start()) is not None


def _as_range(text: str, a: Atom, b: Atom, now: datetime, prefer: Prefer) -> Atom | None:
    """Join "from A to B", "A - B" and "between A and B"."""
    between = text[a.right : b.left]
    lead = _before(_FROM, text, a.left) if _TO.fullmatch(between) else None
    if _AND.fullmatch(between):
        lead = _before(_BETWEEN, text, a.left)
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
    return _across_years(a, start, end, prefer) if {*a.kinds, *b.kinds} <= _YEARLY else None


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
    lead = _before(_BETWEEN, text, atom.left)
    if not lead or atom.shape != "point" or atom.kinds != ("date",) or atom.one_day:
        return atom
    return replace(atom, left=lead.start(), shape="range")


def _opened(text: str, atom: Atom, free: int, now: datetime, prefer: Prefer) -> Atom:
    """Make "since May" or "before 6 PM" an open range; shift "two days after Easter".

    A range at a clock time stays within its day, "since" ends with today, and a range before a future
    day ("until Sunday") begins today.
    """
    lead = _before(_OPEN, text, atom.left, free)
    if not lead or atom.shape != "point" or not may_open(text, lead["word"], atom.kinds):
        return atom
    word = opened_by(lead["word"].lower())
    if lead["shift"] and word in {"before", "after"}:
        return _shifted(atom, lead["shift"], lead.start(), 1 if word == "after" else -1)
    today = midnight(now)
    first, last, over = BEGINNING, FOREVER, atom.end
    if "clock" in atom.kinds:
        over, first = atom.start, midnight(atom.start - _MINUTE)  # "before midnight" is that day
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
    first = atom.start if sign < 0 else max(atom.start, atom.end - _MINUTE)
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
    atoms = _scan(text, now, prefer)
    atoms = _merge(atoms, lambda a, b: _of_near_year(text, a, b, now, prefer))
    atoms = _merge(atoms, lambda a, b: _of_near_week(text, a, b))
    atoms = _merge(atoms, lambda a, b: _ago_from(text, a, b) or _side_of(text, a, b))
    atoms = _merge(atoms, lambda a, b: _with_its_date(text, a, b))
    atoms = _share_month(text, atoms)
    atoms = _share_week(text, _share_year(text, atoms, now, prefer), now, prefer)
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

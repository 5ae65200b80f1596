"""Which of a question's times say when messages were sent, and may therefore filter them.

A wrong filter hides the answer, so only calendar dates and past periods are used. Every other time in
a question (clock times, weekdays, future times, holidays, years, titles in quotes) is taken as part of
what the messages say.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import TimeSpan, clamped
from minirag_chat.times.atoms import OF_DAY, Atom
from minirag_chat.times.foreign import is_change, is_dated_range, is_measured, without_lookalikes
from minirag_chat.times.holidays import feast_days
from minirag_chat.times.quoted import unquoted
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import BEGINNING, DAY, FOREVER, Span, midnight
from minirag_chat.times.tense import looks_ahead
from minirag_chat.times.translated import in_english

_CALENDAR = frozenset(
    {
        "stamp",
        "numeric",
        "dayed",
        "date",
        "weekof",
        "part",
        "quarter",
        "season",
        "months",
        "month",
        "loose",
    }
    | {"hanzi"}
)
_PAST = frozenset({"relative", "unit", "offset", "last", "foreign"})
_MEANT_FOR = lazy(
    r"\b(?:for|by)\s+(?:the\s+)?(?:months?\s+of\s+)?$"
    r"|\b(?:before|after)\b[^.?!]{0,30}\bor\s+$",  # "before or after May": either side of it
    re.IGNORECASE,
)
_OR_AFTER = lazy(r",?\s+or\s+(?:before|after)\b", re.IGNORECASE)
_OWNED = lazy(r"['’]s?\b|的")  # noqa: RUF001 - the apostrophe that phones type
_THE = lazy(r"\b(?:since|until|till?|before|after|between|from)\s+the\s+\w+", re.IGNORECASE)
_NAMES = frozenset({"month", "months", "year", "holiday"})
_FROM = lazy(r"\bfrom\s+(?:the\s+)?", re.IGNORECASE)
_MOVED = lazy(
    r"\b(?:move[ds]?|moving|postpone[ds]?|reschedul(?:e[ds]?|ing)|shift(?:s|ed|ing)?|chang(?:e[ds]?|ing)"
    r"|push(?:ed)?(?: back)?|delay(?:ed)?|br(?:ing|ought) forward)"
    r"(?:\s+(?:it|that|this|them|(?:the|our|my|your|his|her|their)\s+\w+(?:\s+\w+)?))?\s+$",
    re.IGNORECASE,
)
_VOM = lazy(r"\bvo[mn]\s+$", re.IGNORECASE)
_AUF = lazy(r"\s+auf\s+(?:den\s+)?(?=\w)", re.IGNORECASE)
_AGO = frozenset({"offset", "moment", "last"})  # "where did she move from two years ago?"
_MORNING = timedelta(hours=6)


def _is_past(text: str, atom: Atom, now: datetime) -> bool:
    """Whether this is a period that is over by ``now``: "yesterday", "the last two weeks"."""
    kind, day = atom.kinds[0], midnight(now)
    if kind == "foreign" and (english := in_english(text[atom.left : atom.right].lower())):
        kind = "last" if english[0] == "weekday" else english[0]
        kind = "unit" if kind == "season" else kind
    if kind == "weekday":
        return re.match(r"(?:last|past)\b", text[atom.left :], re.IGNORECASE) is not None
    if kind == "last":
        return atom.start < day
    return kind in _PAST and atom.start < day and atom.end <= day + _MORNING


def _filters(text: str, atom: Atom, now: datetime, calendar: frozenset[str]) -> bool:
    """Whether messages may be filtered by ``atom``; ``calendar`` are the kinds that always may."""
    if _MEANT_FOR.search(text[: atom.left]) or _OWNED.match(text, atom.right):
        return False
    if _OR_AFTER.match(text, atom.right):
        return False
    days = [kind for kind in atom.kinds if kind not in OF_DAY]
    if not days or is_measured(text, atom.left):
        return False
    if _NAMES & {*days} and (_THE.match(text, atom.left) or text[: atom.left].endswith("the ")):
        return False  # "before the May meeting" names a meeting
    if atom.shape == "point":
        return set(days) <= calendar or _is_past(text, atom, now)
    if is_dated_range(text, atom.left, atom.right):
        calendar |= {"foreign"}
    begun = atom.shape == "range" and atom.start < midnight(now)
    return set(days) <= calendar | {"holiday", "now", *(["relative"] if begun else [])}


def _changes(text: str, atoms: tuple[Atom, ...]) -> set[Atom]:
    """The times of a change of plan, no period: "moved from 3 May to 5 May", "vom 3.5. auf den 5.5."."""
    found: set[Atom] = set()
    for atom in atoms:
        leads = list(_FROM.finditer(text, 0, atom.right))
        led = bool(leads) and atom.left in {leads[-1].start(), leads[-1].end()}
        if led and not _AGO & {*atom.kinds} and _MOVED.search(text[: leads[-1].start()]):
            found.add(atom)
        if "foreign" in atom.kinds and is_change(text, atom.left, atom.right):
            found.add(atom)
        to = _AUF.match(text, atom.right)
        if to and _VOM.search(text[: atom.left]):
            found |= {atom, *(other for other in atoms if other.left == to.end())}
    return found


def _hull(atoms: list[Atom]) -> tuple[datetime | None, datetime | None]:
    """Return the smallest window around all bounded times; else the intersection of open ranges."""
    bounded = [atom for atom in atoms if atom.shape in {"point", "range"}]
    if bounded:
        first = min(atom.days[0] for atom in bounded)
        last = max(atom.days[1] for atom in bounded)
        return midnight(first), midnight(last) + timedelta(days=last > midnight(last))
    since = max((midnight(atom.start) for atom in atoms), default=BEGINNING)
    until = min((atom.end for atom in atoms if atom.shape != "since"), default=FOREVER)
    if since >= until:
        return None, None
    return (
        None if since == BEGINNING else since,
        None if until == FOREVER else until,
    )


def feast_of(text: str, atom: Atom) -> Span | None:
    """All days of a holiday that ``atom`` names alone; None for any other time."""
    if atom.kinds != ("holiday",) or atom.shape != "point":
        return None
    before, after = feast_days(text[atom.left : atom.right])
    return atom.start - before * DAY, atom.end + after * DAY


def question_window(
    text: str, now: datetime, *, years: bool = False
) -> tuple[datetime | None, datetime | None, tuple[TimeSpan, ...]]:
    """Return (since, until, times): when the messages asked for were sent, if that is safe.

    ``times`` are all times of the question outside quotes, whether or not they filter. ``since``
    (inclusive) and ``until`` (exclusive) are whole days, and None where the question leaves them
    open. A date may be that of an event which earlier messages announce: rank by it instead of
    filtering, or search again without it if it leaves too little.

    A question about the future ("What is planned in June?") means the next June, and its future times
    are not used as filters. With ``years``, bare years after a preposition filter too
    ("in 2025", "since 2023"), as counting needs it.
    """
    now = clamped(now)
    plain = unquoted(text)
    ahead = looks_ahead(without_lookalikes(plain))
    atoms = find_atoms(plain, now, "future" if ahead else "past")
    calendar = _CALENDAR | {"year"} if years else _CALENDAR
    over = midnight(now) + DAY if ahead else FOREVER
    kept = [atom for atom in atoms if atom not in _changes(plain, atoms) and atom.end <= over]
    since, until = _hull([atom for atom in kept if _filters(plain, atom, now, calendar)])
    times = tuple(
        TimeSpan(*(feast_of(plain, atom) or (atom.start, atom.end)), text[atom.left : atom.right])
        for atom in atoms
    )
    return since, until, times

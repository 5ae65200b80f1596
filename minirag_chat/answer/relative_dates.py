"""Resolves relative times in a message ("tomorrow", "last month") and adds the date after them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from minirag_chat.times.atoms import OF_DAY, Atom
from minirag_chat.times.in_messages import OWNS, message_times
from minirag_chat.times.neighbours import OF_YEAR
from minirag_chat.times.numeric import NumericOrder
from minirag_chat.times.translated import in_english
from minirag_chat.times.yearless import is_yearless, year_looks

LONGEST = timedelta(days=7)  # a longer time is given as its month or year, or not at all
MONTHS = 12  # of a year
_RELATIVE = frozenset(
    {"relative", "offset", "moment", "weekday", "numbered", "dayed", "unit", "last", "ordinal"}
    | {"later", "foreign"}
)


def with_dates(
    text: str,
    sent_at: datetime,
    after: datetime | None = None,
    order: NumericOrder | None = None,
) -> str:
    """``text`` with the date after each day, week, month or year that it names relative to ``sent_at``.

    "See you tomorrow at 10" → "See you tomorrow at 10 (Friday 13 March)", "we moved last month" →
    "we moved last month (February 2025)". "Friday" is the next one, or the last one if the words
    around it are about the past ("we went there on Friday"). "The concert is on 3 June" gets its year, if
    that is another one than that of sending. Nothing is added to other dates and holidays, to
    the day, month or year of sending (the heading has it), to spans such as "the last two months", and
    to days that may be past or future. ``after`` is a date that the messages before it name: "the 20th" may
    be of its month. In ``order`` 3/4/2026 is read.
    """
    pieces = []
    done = 0
    for atom in _undated(text, sent_at, after, order):
        days = _days(atom, text, sent_at)
        other_year = "dayed" in atom.kinds and atom.start.year != sent_at.year
        told = f"{days} {atom.start.year}" if other_year else days  # it may be many months ahead
        pieces += [text[done : atom.right], f" ({told})"]
        done = atom.right
    return "".join([*pieces, text[done:]])


def dates_named(text: str, sent_at: datetime, order: NumericOrder | None = None) -> dict[str, str]:
    """The date, with its year, of each such phrase: {"tomorrow": "Friday 13 March 2026"}.

    A phrase that has two dates in the text has none here.
    """
    found: dict[str, set[str]] = {}
    for atom in _undated(text, sent_at, None, order):
        days, year = _days(atom, text, sent_at), f"{(atom.end - timedelta(seconds=1)).year}"
        phrase = text[atom.left : atom.right]
        found.setdefault(phrase, set()).add(days if days.endswith(year) else f"{days} {year}")
    return {phrase: dates.pop() for phrase, dates in found.items() if len(dates) == 1}


def _undated(
    text: str, sent_at: datetime, after: datetime | None, order: NumericOrder | None
) -> Iterator[Atom]:
    """The times that need a date."""
    times = message_times(text, sent_at, after=after, order=order)
    return (atom for atom in times if _needs_date(atom, text, sent_at))


def _needs_date(atom: Atom, text: str, sent_at: datetime) -> bool:
    phrase = text[atom.left : atom.right]
    if OWNS.match(text, atom.right):
        return False
    if _is_of_year(atom, phrase) or _is_of_told_year(atom, text):
        return atom.start.year != sent_at.year
    kinds = frozenset(atom.kinds)
    relative = bool(kinds & _RELATIVE) and kinds <= _RELATIVE | OF_DAY
    if "foreign" in kinds and any(c.isdigit() for c in phrase):
        return False
    if atom.end - atom.start > LONGEST:
        return relative and _whole(atom) is not None and not atom.start <= sent_at < atom.end
    return relative and atom.start < atom.end and atom.start.date() != sent_at.date()


def _is_of_year(atom: Atom, phrase: str) -> bool:
    """Whether ``phrase`` names a time of a year by its distance: "in May last year"."""
    named = atom.shape == "point" and atom.kinds != ("unit",)
    return named and OF_YEAR.search(phrase) is not None


def _is_of_told_year(atom: Atom, text: str) -> bool:
    """Whether a date or month has no year, and the verb beside it tells that."""
    return is_yearless(text, atom) and year_looks(text, atom.left, atom.right) != "unclear"


def _is_weeks_away(atom: Atom, text: str) -> bool:
    """Whether a time is a number of weeks before or after the message, with no day of the week."""
    if atom.end - atom.start != LONGEST or atom.shape != "point":
        return False
    read_as = in_english(text[atom.left : atom.right].lower())
    kinds = (read_as[0],) if read_as else atom.kinds
    return kinds == ("offset",)


def _whole(atom: Atom) -> str | None:
    """``atom`` as "June 2023" or "2022", if it is exactly a calendar month or year."""
    first, end = atom.start, atom.end
    months = (end.year - first.year) * 12 + end.month - first.month
    if (first.day, end.day) != (1, 1) or first.time() != time.min or end.time() != time.min:
        return None
    if months == 1:
        return f"{first:%B} {first.year}"
    return f"{first.year}" if months == MONTHS and first.month == 1 else None


def _days(atom: Atom, text: str, sent_at: datetime) -> str:
    if _is_of_year(atom, text[atom.left : atom.right]) or _is_of_told_year(atom, text):
        return f"{atom.start.year}"
    if atom.end - atom.start > LONGEST:
        return _whole(atom) or ""
    first = atom.start
    if _is_weeks_away(atom, text):  # "two weeks ago", said on a Sunday, is about that Sunday
        first += timedelta(days=sent_at.weekday())
        return f"around {first.day} {first:%B}"
    last = atom.end - timedelta(seconds=1)
    if atom.end - first <= timedelta(days=1):
        day = f"{first.day} {first:%B}"
        named = f"{first:%A}".casefold() in text[atom.left : atom.right].casefold()
        return day if named else f"{first:%A} {day}"
    if first.month == last.month:
        return f"{first.day}\u2013{last.day} {first:%B}"
    return f"{first.day} {first:%B}\u2013{last.day} {last:%B}"

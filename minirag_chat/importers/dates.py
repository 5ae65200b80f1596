"""Numeric dates as chat exports write them, of several calendars, and the order of day and month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise

from minirag_chat.importers.base import ANY_GAP, ANY_MARKS, DATE_ORDERS, DateOrder
from minirag_chat.lazy_patterns import lazy
from minirag_chat.ui_text import DATE_ORDER_WORDS, WEEKDAYS

Triple = tuple[str, str, str]

_SEPARATOR = rf"{ANY_MARKS}[/.\-年월月년]{ANY_MARKS}{ANY_GAP}"
DATE = (
    rf"(?P<d1>\d{{1,4}}){_SEPARATOR}(?P<d2>\d{{1,2}}){_SEPARATOR}(?P<d3>\d{{4}}|\d{{1,2}})(?!\d){ANY_MARKS}"
    rf"(?:{ANY_GAP}(?:[日일г]|BE|B\.E|AP|พ\.ศ))?\.?"
)
# Before it neither WhatsApp nor Telegram existed; an order with earlier messages is unlikely.
_FIRST_YEAR = 2009
_EARLIEST_YEAR, _LAST_YEAR = 1900, 2099
# Years of other calendars that phones use, limited to the time since chat apps exist, so none can be
# mistaken for a Gregorian year. Two digits: up to 51 are 20xx, 52 to 75 Buddhist, above 19xx.
_BUDDHIST, _BUDDHIST_SHORT = range(2540, 2640), range(52, 76)
_TAIWANESE = range(90, 140)
_PERSIAN = range(1380, 1425)
_BEFORE_OURS, _AFTER_OURS = 1911, 543
_PERSIAN_START = date(2001, 3, 21)  # 1 Farvardin 1380
_PERSIAN_LEAP = (1, 5, 9, 13, 17, 22, 26, 30)  # of each 33 years
_SAYS_WEEKDAY = lazy(
    rf"\b(?:happy|it['\u2019]?s|it is|today is) (?P<day>{'|'.join(WEEKDAYS)})\b", re.IGNORECASE
)
_FEWEST_WEEKDAYS = 2  # texts; with one, it may be about another day
_A_DAY = timedelta(days=1)
_FEWEST_DAYS = 3  # with fewer, the time between them is no evidence
_FAR = timedelta(days=5 * 365)  # between two readings of a date, of which the older is unlikely
_CLEARLY = 5  # ratio; wrong in 1 of 2,500 simulated chats whose dates were in order both ways


@dataclass(frozen=True, slots=True)
class OrderDecision:
    """The order of day, month and year; ``certain``: no other order is possible.

    ``exists``: at least one of the dates is valid in this order.
    """

    order: DateOrder
    certain: bool
    exists: bool = True


@lru_cache(maxsize=65536)
def to_date(parts: Triple, order: DateOrder) -> date | None:
    """Return the date of three numbers in this order, or None if it is not valid."""
    numbers = dict(zip(order, parts, strict=True))
    if len(numbers["d"]) > 2 or len(numbers["m"]) > 2:  # noqa: PLR2004 - digits of a date
        return None
    day, month, written = int(numbers["d"]), int(numbers["m"]), int(numbers["y"])
    digits = len(numbers["y"])
    try:
        if digits == 4 and written in _PERSIAN:  # noqa: PLR2004 - the year in full
            return _persian(written, month, day)
        year = _our_year(written, digits)
        return None if year is None else date(year, month, day)
    except ValueError:
        return None


def _our_year(written: int, digits: int) -> int | None:
    """Return the year in the Gregorian calendar, or None if no chat can have it."""
    match digits:
        case 2 if written in _BUDDHIST_SHORT:
            return 2500 + written - _AFTER_OURS
        case 2:
            return written + (2000 if written < _BUDDHIST_SHORT.stop else 1900)
        case 3 if written in _TAIWANESE:
            return written + _BEFORE_OURS
        case 4 if written in _BUDDHIST:
            return written - _AFTER_OURS
        case 4 if _EARLIEST_YEAR <= written <= _LAST_YEAR:
            return written
    return None


def _persian(year: int, month: int, day: int) -> date:
    """Return the date of a day of the Persian solar calendar; raises ``ValueError`` if it does not exist."""
    leap = year % 33 in _PERSIAN_LEAP
    longest = 31 if month <= 6 else 30 if month < 12 or leap else 29  # noqa: PLR2004 - its months
    if not (1 <= month <= 12 and 1 <= day <= longest):  # noqa: PLR2004 - its months
        raise ValueError
    leaps = sum(y % 33 in _PERSIAN_LEAP for y in range(_PERSIAN.start, year))
    before = 31 * (month - 1) - max(month - 7, 0)
    return _PERSIAN_START + timedelta(365 * (year - _PERSIAN.start) + leaps + before + day - 1)


class OrderChooser:
    """Collects the dates of a file, and decides the order of day and month for all of them."""

    def __init__(self) -> None:
        self._distinct: list[Triple] = []
        self._times: list[int] = []
        self._american = True
        self._weekdays: list[tuple[Triple, int]] = []

    def see(self, triple: Triple, *, american: bool = False, text: str = "") -> None:
        """Add the next date; repeated dates are counted once.

        ``american``: only phones set to the United States write this form. ``text``: what was written that
        day, which may name its weekday.
        """
        if "day" in text and (said := _SAYS_WEEKDAY.search(text)):
            self._weekdays.append((triple, WEEKDAYS.index(said["day"].title())))
        self._american = self._american and american
        if self._distinct and self._distinct[-1] == triple:
            self._times[-1] += 1
        else:
            self._distinct.append(triple)
            self._times.append(1)

    @property
    def ambiguous(self) -> int:
        """How many of the dates would be another day with day and month swapped."""
        return sum(
            count
            for triple, count in zip(self._distinct, self._times, strict=True)
            if to_date(triple, "dmy") != to_date(triple, "mdy")
        )

    def decide(
        self, forced: DateOrder | None = None, *, today: date | None = None
    ) -> OrderDecision:
        """Return the order that reads all dates best.

        Evidence, strongest first: every date exists; dates do not run backwards by more than a day; none
        is earlier than chat apps. If ``dmy`` and ``mdy`` are equally good, the one without dates after
        ``today`` is certain, and so is ``dmy`` if both give the same dates. Otherwise the decision is not
        certain: the order in which the weekdays that the texts name are right, else the one with far less
        time between the dates, else ``mdy`` if all dates are written as in the United States, else ``dmy``.
        ``ymd`` is certain if it is better than both others, and may be chosen if it is as good as they are:
        see :func:`_compare_year_first`.
        """
        if forced is not None:
            return OrderDecision(forced, certain=True, exists=self._exists(forced))
        readings = {o: [to_date(triple, o) for triple in self._distinct] for o in DATE_ORDERS}
        scores = {order: _score(dates) for order, dates in readings.items()}
        now = today or datetime.now(UTC).date()
        usual_score = min(scores["dmy"], scores["mdy"])
        if scores["ymd"] < usual_score:
            return OrderDecision("ymd", certain=True, exists=self._exists("ymd"))
        if scores["dmy"] == scores["mdy"] and readings["dmy"] != readings["mdy"]:
            usual = self._day_or_month_first(readings["dmy"], readings["mdy"], now)
        else:
            order: DateOrder = "dmy" if scores["dmy"] == usual_score else "mdy"
            usual = OrderDecision(order, certain=True, exists=self._exists(order))
        if scores["ymd"] > usual_score or readings["ymd"] == readings[usual.order]:
            return usual
        first, certain = _compare_year_first(readings["ymd"], readings[usual.order], now)
        if first:
            return OrderDecision("ymd", certain=False)
        return replace(usual, certain=usual.certain and certain)

    def _day_or_month_first(
        self, days: Sequence[date | None], months: Sequence[date | None], now: date
    ) -> OrderDecision:
        """Return ``dmy`` or ``mdy``, which are equally good and give these dates."""
        if (late := _is_late(days, now)) != _is_late(months, now):
            return OrderDecision("mdy" if late else "dmy", certain=True)
        closer: DateOrder | None = None
        if len(set(days)) >= _FEWEST_DAYS:
            closer = "mdy" if _closer(months, days) else "dmy" if _closer(days, months) else None
        order = self._by_weekdays() or closer or ("mdy" if self._american else "dmy")
        return OrderDecision(order, certain=False, exists=self._exists(order))

    def _by_weekdays(self) -> DateOrder | None:
        """Return the order in which all named weekdays are right, if in the other all are wrong."""
        if len({triple for triple, _ in self._weekdays}) < _FEWEST_WEEKDAYS:
            return None
        orders: tuple[tuple[DateOrder, DateOrder], ...] = (("dmy", "mdy"), ("mdy", "dmy"))
        for order, other in orders:
            if all(_is_on(one, order) and not _is_on(one, other) for one in self._weekdays):
                return order
        return None

    def proven(self, decision: OrderDecision) -> str:
        """The order that the dates prove; empty if they do not, or would be the same in another order."""
        return decision.order if decision.certain and self.ambiguous else ""

    def _exists(self, order: DateOrder) -> bool:
        return any(to_date(triple, order) is not None for triple in self._distinct)


def _is_on(named: tuple[Triple, int], order: DateOrder) -> bool:
    """Whether a date is on the weekday that a text of that day names."""
    day = to_date(named[0], order)
    return day is not None and day.weekday() == named[1]


def _score(dates: Sequence[date | None]) -> tuple[int, int, int]:
    real = [day for day in dates if day is not None]
    backwards = sum(after < before - _A_DAY for before, after in pairwise(real))
    early = sum(day.year < _FIRST_YEAR for day in real)
    return len(dates) - len(real), backwards, early


def _is_late(dates: Sequence[date | None], today: date) -> bool:
    """Whether a date is after tomorrow, which no message can have."""
    return any(day is not None and day > today + _A_DAY for day in dates)


def _closer(dates: Sequence[date | None], others: Sequence[date | None]) -> bool:
    """Whether the first dates are clearly closer together than the others.

    11/4, 11/5, 11/6 are three days in a row rather than the same day of three months.
    """
    return _between(others) >= _CLEARLY * _between(dates)


def _compare_year_first(
    years: Sequence[date | None], usual: Sequence[date | None], now: date
) -> tuple[bool, bool]:
    """Compare equally good readings; return whether the year is first, and whether it hardly can be.

    24/3/12, 24/3/13, 24/3/14 are three days in a row of 2024 rather than the same day of three years, but
    12/3/22, 12/3/23, 12/3/24 can be birthdays: the year, which phones seldom write first with two digits, is
    first only if its dates are closer together and not older, or those of the usual order are to come.
    """
    if _is_late(years, now):
        return False, True
    newest, newest_usual = _newest(years), _newest(usual)
    if _is_late(usual, now):
        return now - newest <= _FAR, False
    several = len(set(usual)) > 1
    closer = several and _closer(years, usual)
    return closer and newest >= newest_usual, not (closer or newest - newest_usual >= _FAR)


def _newest(dates: Sequence[date | None]) -> date:
    return max((day for day in dates if day is not None), default=date.min)


def _between(dates: Sequence[date | None]) -> int:
    """Return the sum of the days between neighbouring dates."""
    real = [day for day in dates if day is not None]
    return sum(abs((after - before).days) for before, after in pairwise(real))


def order_note(name: str, order: DateOrder) -> str:
    """Return the note for a file whose dates do not say what their order is."""
    return (
        f"The dates in {name} can be read in more than one way and were read {DATE_ORDER_WORDS[order]}; "
        "the option date_order (dmy, mdy or ymd) changes that."
    )


def to_datetime(parts: Triple, order: DateOrder, clock: time) -> datetime | None:
    """Return date and clock as a naive wall-clock datetime, or None if there is no such day."""
    day = to_date(parts, order)
    return None if day is None else datetime.combine(day, clock)

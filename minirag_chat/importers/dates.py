"""Numeric dates and clock times as chat exports write them, and the order of day and month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from minirag_chat.importers.base import DATE_ORDERS, MARKS, Clock, DateOrder

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

Triple = tuple[str, str, str]

_M = f"[{MARKS}]*"
_GAP = r"[ \t\u00a0\u202f]*"
_SEPARATOR = rf"{_M}[/.\-]{_M}{_GAP}"
DATE = (
    rf"(?P<d1>\d{{1,4}}){_SEPARATOR}(?P<d2>\d{{1,2}}){_SEPARATOR}(?P<d3>\d{{4}}|\d{{1,2}}){_M}\.?"
)
CLOCK = (
    rf"(?:(?P<pre>[^\W\d_]{{2,4}}){_GAP})?"
    rf"(?P<hour>\d{{1,2}}){_GAP}[:.h]{_GAP}(?P<minute>\d{{2}})(?:[:.]{_GAP}(?P<second>\d{{2}}))?"
    rf"(?:\.\d{{1,6}})?"
    rf"(?:{_M}{_GAP}(?P<post>[^\W\d_][^\W\d_.\u00a0\u202f ]*[^\d\[\]:,\-–—]{{0,8}}?))?"  # noqa: RUF001 - exports have these dashes
)

# Normalised: lower case, without dots and spaces.
_MORNING = """
am πμ ص 上午 午前 오전 凌晨 早上 清晨 öö fm vorm पूर्वाह्न sa pg ap dop délelőtt de damanhã
"""
_AFTERNOON = """
pm μμ م 下午 午後 오후 中午 晚上 傍晚 ös em nachm अपराह्न ch ptg ip odp délután du datarde danoite
"""
_HALVES = dict.fromkeys(_MORNING.split(), "am") | dict.fromkeys(_AFTERNOON.split(), "pm")
# WhatsApp and Telegram are younger than this; an order that puts messages before it is unlikely.
_FIRST_YEAR = 2009
_LAST_YEAR = 2099
_HOURS = 24
_NOON = 12
_YEAR_DIGITS = 4


@dataclass(frozen=True, slots=True)
class OrderDecision:
    """The order of day, month and year; ``certain`` says that the dates leave no other."""

    order: DateOrder
    certain: bool


@lru_cache(maxsize=65536)
def to_date(parts: Triple, order: DateOrder) -> date | None:
    """Return the date that three numbers name in this order, or None if there is none."""
    numbers = dict(zip(order, parts, strict=True))
    if len(numbers["d"]) > 2 or len(numbers["m"]) > 2 or len(numbers["y"]) in (1, 3):  # noqa: PLR2004 - digits of a date
        return None
    year = int(numbers["y"])
    if len(numbers["y"]) < _YEAR_DIGITS:
        year += 2000
    if year > _LAST_YEAR:
        return None
    try:
        return date(year, int(numbers["m"]), int(numbers["d"]))
    except ValueError:
        return None


class OrderChooser:
    """Sees the dates of a file one by one, and decides the order of day and month over all."""

    def __init__(self) -> None:
        self._distinct: list[Triple] = []
        self._times: list[int] = []

    def see(self, triple: Triple) -> None:
        """Take the next date; the same one again costs nothing."""
        if self._distinct and self._distinct[-1] == triple:
            self._times[-1] += 1
        else:
            self._distinct.append(triple)
            self._times.append(1)

    @property
    def open(self) -> int:
        """How many of the dates seen name another day when day and month change places."""
        return sum(
            count
            for triple, count in zip(self._distinct, self._times, strict=True)
            if to_date(triple, "dmy") != to_date(triple, "mdy")
        )

    def decide(self, forced: DateOrder | None = None) -> OrderDecision:
        """Return the order that reads all dates best.

        Evidence, strongest first: every date exists, dates do not run backwards by more than a
        day, none lies before chat apps did. A year of two digits comes first only where nothing
        else will do. Where day and month tie, the day comes first and the decision is not certain,
        unless both name the same dates.
        """
        if forced is not None:
            return OrderDecision(forced, certain=True)
        readings = {o: [to_date(triple, o) for triple in self._distinct] for o in DATE_ORDERS}
        scores = {order: _score(dates) for order, dates in readings.items()}
        best = min(scores.values())
        order = next(order for order in DATE_ORDERS if scores[order] == best)
        open_ = order == "dmy" and scores["mdy"] == best and readings["mdy"] != readings["dmy"]
        return OrderDecision(order, certain=not open_)


def _score(dates: Sequence[date | None]) -> tuple[int, int, int]:
    real = [day for day in dates if day is not None]
    backwards = sum(after < before - timedelta(days=1) for before, after in pairwise(real))
    early = sum(day.year < _FIRST_YEAR for day in real)
    return len(dates) - len(real), backwards, early


def order_note(name: str) -> str:
    """Return the note for a file whose dates do not say what their order is."""
    return (
        f"The dates in {name} can be read in more than one way and were read day first; "
        "the option date_order (dmy, mdy or ymd) changes that."
    )


def to_time(match: re.Match[str], clock: Clock | None = None) -> time | None:
    """Return the clock time of a match of ``CLOCK``, or None if it is none.

    With ``clock`` ``24`` the hour is taken as it is, whatever mark stands beside it.
    """
    pre, hour, minute, second, post = match.group("pre", "hour", "minute", "second", "post")
    return clock_time(hour, minute, second, None if clock == "24" else pre or post)


@lru_cache(maxsize=65536)
def clock_time(hour: str, minute: str, second: str | None, mark: str | None) -> time | None:
    """Return the time of day that the parts of a written one name, or None if there is none."""
    half = _half(mark)
    if half is None:
        return None
    hours, minutes, seconds = int(hour), int(minute), int(second or 0)
    if half and hours <= _NOON:
        hours = hours % _NOON + (_NOON if half == "pm" else 0)
    if hours >= _HOURS or max(minutes, seconds) > 59:  # noqa: PLR2004 - minutes and seconds
        return None
    return time(hours, minutes, seconds)


class HalfDays:
    """Tells morning from afternoon in a file whose 12-hour clock has no mark of either.

    A day's second half begins where its hours run backwards. Without ``clock`` ``12`` it leaves
    times as they are.
    """

    def __init__(self, clock: Clock | None) -> None:
        self._asked = clock == "12"
        self._last: datetime | None = None

    def place(self, when: datetime) -> datetime:
        """Return the time, twelve hours later where it is in the afternoon."""
        if not self._asked or when.hour > _NOON:
            return when
        written = when.replace(hour=when.hour % _NOON)
        last = self._last
        same_day = last is not None and last.date() == written.date()
        if same_day and last is not None and written < last:
            written += timedelta(hours=_NOON)
        self._last = written
        return written


def _half(mark: str | None) -> str | None:
    """Return "am", "pm", "" where there is no mark, or None for a mark that is neither."""
    if mark is None:
        return ""
    letters = "".join(c for c in mark.casefold() if not c.isspace() and c not in "." + MARKS)
    return _HALVES.get(letters)


def to_datetime(parts: Triple, order: DateOrder, clock: time) -> datetime | None:
    """Return date and clock as a naive wall-clock datetime, or None if there is no such day."""
    day = to_date(parts, order)
    return None if day is None else datetime.combine(day, clock)

"""Reads the times of a table's column: ISO, seconds since 1970, numeric dates, names of months."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING

from minirag_chat.importers.clocks import CLOCK, to_time
from minirag_chat.importers.dates import DATE, OrderChooser, order_note, to_datetime

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dateparser.date import DateDataParser

    from minirag_chat.importers.account import Account
    from minirag_chat.importers.base import DateOrder

_NUMERIC = re.compile(rf"{DATE}(?:[,،T]?\s*(?:{CLOCK}))?")
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d.*)?")
_NUMBER = re.compile(r"\d{9,11}(?:\.\d+)?|\d{12,14}")
_MILLISECONDS = 10**11
_NAMED = re.compile(r".*[^\W\d_]{3}.*", re.DOTALL)
# Text that no language's dates match costs a search through all of them each time.
_MOST_FAILURES = 20
_MOST_KNOWN = 10_000
# Where dateutil fills in a missing day, month or year, these two give different results.
_DEFAULTS = (datetime(2001, 1, 1), datetime(2002, 2, 2))


class MomentReader:
    """Turns one column's cells into wall-clock times.

    Numeric dates are ordered over the whole column. Times with an offset are moments: they are
    shown as the wall clock of the options' zone. Dates with names of months, in any language,
    are left to dateparser and must name day, month and year. What was decided is put into the
    account.
    """

    def __init__(self, cells: Iterable[str], account: Account) -> None:
        self._account = account
        self._failures = 0
        self._known: dict[str, datetime | None] = {}
        self._parser: DateDataParser | None = None
        chooser = OrderChooser()
        for cell in map(str.strip, cells):
            if not _ISO.fullmatch(cell) and (match := _NUMERIC.fullmatch(cell)):
                chooser.see((match["d1"], match["d2"], match["d3"]))
        decision = chooser.decide(account.options.date_order)
        self._order: DateOrder = decision.order
        if not decision.certain:
            account.decide(
                "date order", self._order, "date_order", order_note(account.name), chooser.open
            )

    def read(self, cell: str) -> datetime | None:
        """Return the wall-clock time a cell names, or None if it names none."""
        cell = cell.strip()
        if cell not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[cell] = self._parse(cell)
        return self._known[cell]

    def _parse(self, cell: str) -> datetime | None:
        try:
            if _NUMBER.fullmatch(cell):
                number = float(cell)
                return self._account.wall_clock(
                    datetime.fromtimestamp(number / (1000 if number >= _MILLISECONDS else 1), UTC)
                )
            if _ISO.fullmatch(cell):
                return self._account.wall_clock(datetime.fromisoformat(cell.replace(" UTC", "Z")))
        except (ValueError, OverflowError, OSError):
            return None
        match = _NUMERIC.fullmatch(cell)
        if match is not None:
            clock = time() if match["hour"] is None else to_time(match, self._account.options.clock)
            if clock is None:
                return None
            return to_datetime((match["d1"], match["d2"], match["d3"]), self._order, clock)
        return self._named(cell)

    def _named(self, cell: str) -> datetime | None:
        """Read a date with a name of a month, such as ``March 5, 2021 at 10:00 PM``."""
        if not _NAMED.fullmatch(cell):
            return None
        found = _english(cell, day_first=self._order == "dmy") or self._other_language(cell)
        return None if found is None else self._account.wall_clock(found)

    def _other_language(self, cell: str) -> datetime | None:
        if self._failures >= _MOST_FAILURES:
            return None
        if self._parser is None:
            self._parser = _named_date_parser(self._order)
        found: datetime | None = self._parser.get_date_data(cell).date_obj
        self._failures += found is None
        return found


def _english(cell: str, *, day_first: bool) -> datetime | None:
    """Return the time of a date with an English month; None if day, month or year is missing."""
    from dateutil import parser

    try:
        first, second = (
            parser.parse(cell, default=default, dayfirst=day_first, tzinfos=_no_zone)
            for default in _DEFAULTS
        )
    except (ValueError, OverflowError, TypeError):
        return None
    return first if first == second else None


def _no_zone(_name: str | None, offset: int | None) -> tzinfo | None:
    """Give an offset its zone; a bare name, such as IST, may be any of several."""
    return None if offset is None else timezone(timedelta(seconds=offset))


def _named_date_parser(order: DateOrder) -> DateDataParser:
    from dateparser.date import DateDataParser

    return DateDataParser(
        settings={
            "STRICT_PARSING": True,
            "PARSERS": ["absolute-time"],
            "DATE_ORDER": order.upper(),
        }
    )

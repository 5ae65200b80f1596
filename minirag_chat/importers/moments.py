"""Parses the times in a table's column: ISO, seconds since 1970, numeric dates, month names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, time, tzinfo

from minirag_chat.importers.base import DateOrder
from minirag_chat.importers.clocks import CLOCK, to_time
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.dates import DATE, OrderChooser, order_note, to_datetime
from minirag_chat.importers.limits import cell as short_cell
from minirag_chat.importers.month_names import Layouts, MonthNames
from minirag_chat.importers.zones import ambiguous_zone, with_plain_offset, without_region
from minirag_chat.lazy_patterns import lazy

_NUMERIC = lazy(rf"{DATE}(?:[,،T]?\s*(?:{CLOCK}))?")
# Other English-speaking countries write numbers with a leading zero, AM in lower case, or both.
_AMERICAN = lazy(r"[1-9]\d?/[1-9]\d?/(?:\d\d){1,2},? [1-9]\d?:\d\d(?::\d\d)?[ \u202f]?[AP]M")
_OFFSET = lazy(r"(.*\d:\d\d.*?)\s*(?:(?:UTC|GMT)?([+-]\d\d:?\d\d)|UTC|GMT|Z)")
_ISO = lazy(r"\d{4}-\d\d-\d\d(?:[T ]\d\d.*)?|\d{8}T\d{4}.*")
_NUMBER = lazy(r"\d{9,11}(?:\.\d+)?|\d{12,14}")
_MILLISECONDS = 10**11
_MOST_KNOWN = 10_000
_MOST_ZONES = 5  # named in a note


class MomentReader:
    """Turns one column's cells into wall-clock times.

    The order of numeric dates is decided for the whole column. Times with an offset are converted to
    wall-clock times in the zone of the options. Dates with month names, in any language, must have a day,
    month and year. Decisions are recorded in the context.
    """

    def __init__(self, cells: Iterable[str], context: ImportContext) -> None:
        self._context = context
        self._known: dict[str, datetime | None] = {}
        self.readable = False  # whether any cell was a time
        self.unreadable = ""  # the first cell that was none
        chooser, layouts, zones = OrderChooser(), Layouts(), dict[str, None]()
        for cell in (without_region(_written(cell))[0] for cell in cells):
            if (zone := ambiguous_zone(cell)) and len(zones) < _MOST_ZONES:
                zones[zone] = None
            if _iso(cell) is None and (match := _NUMERIC.fullmatch(_split(cell)[0])):
                american = _AMERICAN.fullmatch(cell) is not None
                chooser.see((match["d1"], match["d2"], match["d3"]), american=american)
            else:
                layouts.see(cell)
        decision = chooser.decide(context.options.date_order)
        self._order: DateOrder = decision.order
        self._names = MonthNames(decision.order, layouts.most_common())
        context.date_order = chooser.proven(decision)
        if zones:
            context.notes.append(
                f"The zones behind times in {context.name} are not known for certain and were ignored: "
                f"{', '.join(zones)}."
            )
        if not decision.certain:
            note = order_note(context.name, self._order)
            context.decide("date order", self._order, "date_order", note, chooser.ambiguous)

    def read(self, cell: str) -> datetime | None:
        """Return the wall-clock time of a cell, or None if it is not one."""
        written = _written(cell)
        if written not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[written] = self._in_zone(*without_region(written))
            self.readable = self.readable or found is not None
            self.unreadable = self.unreadable or ("" if found else written)
        moment = self._known[written]
        try:
            return None if moment is None else self._context.wall_clock(moment)
        except OverflowError:
            return None

    def _in_zone(self, cell: str, zone: tzinfo | None) -> datetime | None:
        found = self._parse(cell)
        return (
            found if zone is None or found is None or found.tzinfo else found.replace(tzinfo=zone)
        )

    def _parse(self, cell: str) -> datetime | None:
        if _NUMBER.fullmatch(cell):
            number = float(cell)
            return datetime.fromtimestamp(number / (1000 if number >= _MILLISECONDS else 1), UTC)
        found = _iso(cell)
        written, offset = _split(cell)
        match = _NUMERIC.fullmatch(written)
        if found is None and match is not None:
            clock = time() if match["hour"] is None else to_time(match, self._context.options.clock)
            if clock is not None:
                there = to_datetime((match["d1"], match["d2"], match["d3"]), self._order, clock)
                return there and there.replace(tzinfo=offset)
        return found or self._names.read(cell)


def _written(cell: str) -> str:
    """Return a cell, not too long, with its offset from UTC in one form."""
    return with_plain_offset(short_cell(cell))


def _split(cell: str) -> tuple[str, tzinfo | None]:
    """Return a cell without the offset or UTC after its clock time, and the offset."""
    match = _OFFSET.fullmatch(cell)
    try:
        return (cell, None) if match is None else (match[1], _zone(match[2] or "Z"))
    except ValueError:
        return cell, None


def _zone(offset: str) -> tzinfo | None:
    return datetime.strptime(offset, "%z").tzinfo


def _iso(cell: str) -> datetime | None:
    try:
        if _ISO.fullmatch(cell) is None:
            return None
        return datetime.fromisoformat(re.sub(" ?(?:UTC|GMT)$", "Z", cell))
    except ValueError:
        return None

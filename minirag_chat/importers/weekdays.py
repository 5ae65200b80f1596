"""Decides the order of day and month by weekdays beside the dates, in any language."""

from __future__ import annotations

from collections.abc import Collection

from minirag_chat.importers.base import DateOrder
from minirag_chat.importers.dates import Triple, to_date

_ENGLISH = {name: day for day, name in enumerate("mon tue wed thu fri sat sun".split())}


def order_by_weekdays(dates: Collection[tuple[str, Triple]]) -> DateOrder | None:
    """Return the order in which each name is always the same day of the week; None if both or neither are.

    English names must also be the right day; of other languages only equal names are compared.
    """
    fitting: list[DateOrder] = [order for order in ("dmy", "mdy") if _fits(dates, order)]
    return fitting[0] if len(fitting) == 1 else None


def _fits(dates: Collection[tuple[str, Triple]], order: DateOrder) -> bool:
    days: dict[str, int] = {}
    for name, parts in dates:
        day = to_date(parts, order)
        key = name.casefold()
        if day is None or days.setdefault(key, day.weekday()) != day.weekday():
            return False
        if _ENGLISH.get(key[:3], day.weekday()) != day.weekday():
            return False
    return len(set(days.values())) == len(days)

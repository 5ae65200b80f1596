"""Lengths of time in words: in the two largest units, rounded, to the minute, or from one day to another."""

from __future__ import annotations

from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from minirag_chat.ui_text import count, joined

FROM_HALF_HOURS, FROM_HOURS = 90, 180  # minutes from which a length is in half hours, in hours
DAYS_WITH_HOURS = 7  # a length of this many days or more is given in days, without hours
FROM_WEEKS, FROM_MONTHS = 14, 60  # days from which one from day to day is given in weeks, in months
_A_MINUTE = timedelta(minutes=1)


def two_largest(length: timedelta) -> str:
    """In its two largest units: "1 day and 3 hours"; empty if it is less than a minute."""
    return joined([count(number, unit) for number, unit in _in_units(length // _A_MINUTE)[:2]])


def rounded(length: timedelta) -> str:
    """Rounded by its length: minutes, half hours, hours, days with hours, days."""
    minutes = round(abs(length) / _A_MINUTE)
    if minutes < FROM_HALF_HOURS:
        return _amount(minutes, "minute") if minutes else "no time"
    if minutes < FROM_HOURS:
        return _amount(round(minutes / 30) / 2, "hour")
    hours = round(abs(length) / timedelta(hours=1))
    if hours < 24 * DAYS_WITH_HOURS:
        return joined([_amount(number, unit) for number, unit in _in_units(60 * hours)])
    return _amount(round(abs(length) / timedelta(days=1)), "day")


def to_the_minute(length: timedelta) -> str:
    """In days, hours and minutes."""
    minutes = round(abs(length) / _A_MINUTE)
    return joined([_amount(number, unit) for number, unit in _in_units(minutes)])


def from_day_to_day(day: date, until: date) -> str:
    """In days, weeks, or years and months: "6 weeks"."""
    days = (until - day).days
    if days < FROM_WEEKS:
        return count(days, "day")
    if days < FROM_MONTHS:
        return count(round(days / 7), "week")
    between = relativedelta(until, day)
    parts = {"year": between.years, "month": between.months}
    return joined([count(number, unit) for unit, number in parts.items() if number])


def _in_units(minutes: int) -> list[tuple[int, str]]:
    """The days, hours and minutes, without those of which there are none."""
    units = (minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")
    return [(number, unit) for number, unit in units if number]


def _amount(number: float, unit: str) -> str:
    return f"{number:g} {unit}{'s' * (number != 1)}"

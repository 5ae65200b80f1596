"""The dates of movable holidays, and of a few fixed ones, in a given year."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter
from dateutil.relativedelta import SU, relativedelta

from minirag_chat.times.spans import DAY

_FIXED = {
    "valentines day": (2, 14),
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "new years eve": (12, 31),
    "new years day": (1, 1),
    "bonfire night": (11, 5),
}
_AROUND_EASTER = {
    "mothering sunday": -21, "palm sunday": -7, "good friday": -2, "easter": 0, "easter monday": 1,
    "pentecost": 49,
}  # fmt: skip
_SUNDAYS = {
    "mothers day": relativedelta(month=5, day=1, weekday=SU(2)),  # in Britain Mothering Sunday
    "fathers day": relativedelta(month=6, day=1, weekday=SU(3)),
}
# The country and name under which the holidays library has a holiday.
_LISTED = {
    "lunar new year": ("CN", "Chinese New Year (Spring Festival)"),
    "dragon boat festival": ("CN", "Dragon Boat Festival"),
    "mid-autumn festival": ("CN", "Mid-Autumn Festival"),
    "thanksgiving": ("US", "Thanksgiving Day"),
    "memorial day": ("US", "Memorial Day"),
    "labor day": ("US", "Labor Day"),
    "independence day": ("US", "Independence Day"),
    "eid al-fitr": ("IN", "Eid al-Fitr"),
    "eid al-adha": ("IN", "Eid al-Adha"),
    "diwali": ("IN", "Diwali"),
    "holi": ("IN", "Holi"),
}
_BESIDE = {
    "christmas": (1, 1), "xmas": (1, 1), "weihnachten": (1, 1), "easter": (2, 1), "ostern": (2, 1),
}  # fmt: skip
_INDIA_YEARS = range(2001, 2036)  # outside these the library warns and guesses
_OTHER_NAMES = {
    "easter sunday": "easter",
    "christmas day": "christmas",
    "new year": "new years day",
    "new years": "new years day",
    "valentines": "valentines day",
    "guy fawkes": "bonfire night",
    "guy fawkes night": "bonfire night",
    "guy fawkes day": "bonfire night",
    "weihnachten": "christmas",
    "heiligabend": "christmas eve",
    "silvester": "new years eve",
    "nye": "new years eve",
    "neujahr": "new years day",
    "karfreitag": "good friday",
    "ostern": "easter",
    "ostermontag": "easter monday",
    "pfingsten": "pentecost",
    "new year eve": "new years eve",
    "new year day": "new years day",
    "spring festival": "lunar new year",
    "lunar new year day": "lunar new year",
    "thanksgiving day": "thanksgiving",
}


def _plain(name: str) -> str:
    """Reduce spellings to the keys of the tables above."""
    words = name.lower().replace("\u2019", "").replace("'", "").replace("labour", "labor").split()
    plain = " ".join(words).replace("xmas", "christmas").replace("chinese", "lunar")
    if plain.startswith("lunar new years"):
        plain = plain.replace("years", "year")
    return _OTHER_NAMES.get(plain, plain)


@lru_cache(maxsize=256)
def _listed(country: str, year: int) -> dict[str, date]:
    """Return the first day of each holiday of a country in a year, by English name."""
    if country == "IN" and year not in _INDIA_YEARS:
        return {}
    import holidays

    days: dict[str, date] = {}
    for day, names in sorted(
        holidays.country_holidays(country, years=year, language="en_US").items()
    ):
        for name in names.split("; "):
            days.setdefault(name.removesuffix(" (estimated)"), day)
    return days


def feast_days(phrase: str) -> tuple[int, int]:
    """Return how many days before and after its day a holiday lasts: "Christmas" is 24 to 26 December.

    "Christmas" and "Easter" are several days, "Christmas Eve" and "Easter Sunday" one day.
    """
    words = re.sub(r"[\s,]+(?:of\s+)?(?:\d+|(?:last|this) year)$", "", phrase.lower()).split()
    return _BESIDE.get(words[-1], (0, 0))


def feast_span(name: str, year: int) -> tuple[date, date] | None:
    """Return the first and the last day that a holiday may be in ``year``, or None if no table has it.

    They are the same, but Mother's Day is in March in some countries and in May in others.
    """
    day = feast_day(name, year)
    first = feast_day("mothering sunday", year) if _plain(name) == "mothers day" else day
    return (first, day) if first and day else None


def feast_day(name: str, year: int) -> date | None:
    """Return the day of a holiday in ``year``, or None if no table has it."""
    name = _plain(name)
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name in _SUNDAYS:
        return date(year, 1, 1) + _SUNDAYS[name]
    if name in _LISTED:
        country, listed = _LISTED[name]
        return _listed(country, year).get(listed)
    if name == "lunar new year eve" and (day := feast_day("lunar new year", year)):
        return day - DAY
    orthodox = name.startswith("orthodox ")
    offset = _AROUND_EASTER.get(name.removeprefix("orthodox "))
    if offset is None:
        return None
    return easter(year, EASTER_ORTHODOX if orthodox else EASTER_WESTERN) + timedelta(days=offset)

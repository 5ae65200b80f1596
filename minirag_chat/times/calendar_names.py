"""The names of weekdays and months in the languages of answers, from Unicode's CLDR."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from babel import Locale

from minirag_chat.times.patterns import month_of, weekday_of

LANGUAGES = tuple("en de es fr it nl pt pl ru uk cs sv da nb ro".split())


@cache
def weekdays(language: str) -> tuple[str, ...]:
    """The weekdays of a language in small letters, from Monday on."""
    names = Locale(language).days["format"]["wide"]
    return tuple(names[number].lower() for number in range(7))


@cache
def months(language: str) -> tuple[str, ...]:
    """The months of a language in small letters, as they stand in a date, from January on."""
    names = Locale(language).months["format"]["wide"]
    return tuple(names[number].lower() for number in range(1, 13))


@cache
def weekday_numbers() -> Mapping[str, int]:
    """The number of each weekday's name in small letters, from 0 for Monday."""
    return _numbers(map(weekdays, LANGUAGES), 0)


@cache
def month_numbers() -> Mapping[str, int]:
    """The number of each month's name in small letters, from 1 for January."""
    return _numbers(map(months, LANGUAGES), 1)


def weekday_number(name: str) -> int:
    """The number of a weekday, from 0 for Monday, by its name in any case, or an English abbreviation."""
    known = weekday_numbers().get(name.lower())
    return weekday_of(name) if known is None else known


def month_number(name: str) -> int:
    """The number of a month, from 1 for January, by its name in any case, or an English abbreviation."""
    return month_numbers().get(name.lower()) or month_of(name)


def language_of(weekday: str, month: str) -> str:
    """The first language with both names, in any case; of names that are not known, English."""
    day, of_year = weekday.lower(), month.lower()
    both = (one for one in LANGUAGES if day in weekdays(one) and of_year in months(one))
    return next(both, next((one for one in LANGUAGES if day in weekdays(one)), LANGUAGES[0]))


def _numbers(languages: Iterable[tuple[str, ...]], first: int) -> Mapping[str, int]:
    """The number of each name, counted from ``first``; of several languages the first one decides."""
    numbers: dict[str, int] = {}
    for names in languages:
        numbers = {name: number for number, name in enumerate(names, first)} | numbers
    return numbers

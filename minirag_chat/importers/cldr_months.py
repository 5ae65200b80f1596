"""Dates with month names of any language in English words, for a parser that knows English only.

The names of months and weekdays are those of Unicode's CLDR, from which the programs that write such dates
have them too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

import regex

from minirag_chat.importers.base import MARKS
from minirag_chat.importers.clocks import half_of
from minirag_chat.lazy_patterns import lazy_regex

# Languages of phones and of the large services, the most common first: a name that is one month here and
# another there is the first one's, unless a date before was in the other language.
LANGUAGES = """
en es pt fr de it nl pl ru tr id vi ja ko zh ar hi bn ur fa th cs sk sv da nb nn fi hu ro bg el uk he hr sr
sr_Latn bs sl mk lt lv et ca gl eu af sq am hy az be fil ka gu is ga jv kn kk km ky lo ms ml mt mr mn my ne
ps pa si so sw ta te uz cy zu tg eo fr_CA de_AT
""".split()
ENGLISH = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_CLOCK = lazy_regex(
    r"(?<![\d.:])(?P<hour>\d\d?)[:.](?P<minute>[0-5]\d)(?:[:.](?P<second>[0-5]\d))?(?![\d.:]*\d)"
)
_OFFSET = lazy_regex(r"[+-]\d\d:?\d\d$")
_ZONE = lazy_regex(r"\b(?:utc|gmt)\b")
_WORDS = lazy_regex(r"[\p{L}\p{M}.]+")
_RUN = lazy_regex(r"[\p{L}\p{M}]+")
# What stands directly around the month in CLDR's patterns: "d \u05d1MMMM y", "y 'оны' MMM'ын' d".
_AFFIXES = lazy_regex(r"(?<![\p{L}'])'?(\p{L}*?)'?M{3,}'?(\p{L}*)'?")
_NUMBER = lazy_regex(r"\d+")
_IN_FULL = 4  # digits of a year
_OF_BUDDHA = 543  # years that the Thai count is ahead
_THAI_YEARS = range(2443, 2643)


class MonthWords:
    """Finds the months in the dates of one file, which are in one language."""

    def __init__(self) -> None:
        self._languages = LANGUAGES

    def in_english(self, written: str) -> str | None:
        """A date as "3 Jan 2023 9:06 pm"; None if it is not just a month, a day, a year and a time."""
        text, clock, offset = _without_clock(_plain(written))
        if clock is None:
            return None
        months = _months(text, self._languages) or _months(text, LANGUAGES)
        if not months:
            return None
        self._languages = list(months)
        start, end, month = next(iter(months.values()))
        numbers = _NUMBER.findall(f"{text[:start]} {text[end:]}")
        if len(numbers) != 2:  # noqa: PLR2004 - day and year
            return None
        day, year = sorted(numbers, key=lambda number: len(number) == _IN_FULL)
        number = int(year) - (_OF_BUDDHA if int(year) in _THAI_YEARS else 0)
        return f"{int(day)} {ENGLISH[month - 1]} {number:0{len(year)}} {clock} {offset}".strip()


def is_weekday(name: str) -> bool:
    """Whether this is the name of a day of the week in one of the languages, in full or short."""
    return _plain(name).rstrip(".") in _weekdays()


def _plain(text: str) -> str:
    """A text in lower case without invisible marks, and its spaces plain."""
    lowered = unicodedata.normalize("NFC", text.casefold())
    return "".join(" " if c.isspace() else c for c in lowered if c not in MARKS)


def _without_clock(text: str) -> tuple[str, str | None, str]:
    """A date without its clock time, this time, and its offset; None if its half of the day is not known."""
    offset = _OFFSET.search(text)
    zone = offset[0] if offset else "UTC" if _ZONE.search(text) else ""
    text = _ZONE.sub(" ", text.removesuffix(zone))
    found = [*_CLOCK.finditer(text)]
    if not found:
        return text, "", zone
    clock = found[-1]
    before, after = text[: clock.start()], text[clock.end() :]
    half = _half(before, after)
    time = ":".join(part for part in clock.groups() if part)
    return f"{before} {after}", None if half is None else f"{time} {half}".strip(), zone


def _half(before: str, after: str) -> str | None:
    """What half of the day is written around a clock time, "" if none; None if what follows is unknown."""
    words = _WORDS.findall(_NUMBER.split(before)[-1])
    for number in (1, 2):
        if half := half_of(" ".join(words[-number:])):
            return half
    behind = _WORDS.findall(_NUMBER.split(after)[0])
    if len(behind) > 1 and half_of(behind[-1]) == "":
        behind.pop()  # "am बजे": o'clock
    half = half_of(" ".join(behind) or None)
    return half if before.strip() else half or ""  # after a time that comes first is the date


def _months(text: str, languages: Container[str]) -> dict[str, tuple[int, int, int]]:
    """Where the month stands in a text, and its number, for each language that it may be in."""
    by_run = _languages_by_run()
    may_be = {language for run in _RUN.findall(text) for language in by_run.get(run, ())}
    found = {one: _month(text, one) for one in LANGUAGES if one in may_be and one in languages}
    return {language: month for language, month in found.items() if month}


def _month(text: str, language: str) -> tuple[int, int, int] | None:
    names = _names(language)
    without_days = names.weekday.sub(lambda match: " " * len(match[0]), text)
    for one in (without_days, text):  # Spanish "mar" is a weekday and a month
        found = [*names.month.finditer(one)]
        if len(found) == 1:
            return *found[0].span(), names.numbers[found[0][0]]
    return None


class _Names(NamedTuple):
    """The months of a language with their numbers, and patterns that find a month and a weekday."""

    numbers: dict[str, int]
    month: regex.Pattern[str]
    weekday: regex.Pattern[str]


@lru_cache(maxsize=len(LANGUAGES))
def _names(language: str) -> _Names:
    from babel import Locale

    locale = Locale.parse(language)
    patterns = [form.pattern for form in locale.date_formats.values()]
    months = dict(_each(locale.months))
    for pattern in patterns:
        if (affixes := _AFFIXES.search(pattern)) and any(affixes.groups()):
            before, after = (_plain(affix) for affix in affixes.groups())
            months |= {f"{before}{name}{after}": number for name, number in [*months.items()]}
    weekdays = [name for name, _number in _each(locale.days)]
    return _Names(months, _any_of(months), _any_of(weekdays))


def _any_of(names: Iterable[str]) -> regex.Pattern[str]:
    """A pattern of these names as whole words; a number in front of "月" is whole too."""
    inside = "|".join(map(regex.escape, sorted(names, key=len, reverse=True)))
    begins = r"(?:(?<![\p{L}\p{M}])(?=\p{L})|(?<!\d)(?=\d))"
    return regex.compile(rf"{begins}(?:{inside})(?![\p{{L}}\p{{M}}])")


def _each(named: Mapping[str, Mapping[str, Mapping[int, str]]]) -> Iterator[tuple[str, int]]:
    """The names, in full and short, as they are in a date and alone, with their numbers."""
    for widths in named.values():
        for width in ("abbreviated", "wide"):
            for number, name in widths[width].items():
                yield _plain(name).rstrip("."), number


@cache
def _languages_by_run() -> dict[str, set[str]]:
    """The languages in whose months' names a run of letters is: few are to be tried for a text."""
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for name in _names(language).numbers:
            for run in _RUN.findall(name):
                found.setdefault(run, set()).add(language)
    return found


@cache
def _weekdays() -> frozenset[str]:
    from babel import Locale

    days = (Locale.parse(language).days for language in LANGUAGES)
    return frozenset(name for named in days for name, _number in _each(named))

"""Clock times and numbers as people say and type them: "ten past six", "half an hour", "12k", "in '98".

Each reading that a text may have is given: a fact in doubt counts as stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from minirag_chat.answer.facts import HALF_DAY, LARGE, VALUES, Clock
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.times.number_words import FOREIGN, NUMBERS, ORDINALS, TO_TWELVE

_MINUTES = ("twenty-five", "twenty five", "twenty", "ten", "five")
_SPOKEN = {**VALUES, "twenty-five": 25, "twenty five": 25}
_PAST = any_case(
    rf"\b(?:half(?:\s+past)?|(?:(?P<quarter>a?\s*quarter)|(?P<minutes>[1-5]?\d|{'|'.join(_MINUTES)}))"
    rf"(?:\s+minutes)?\s+(?P<side>past|to))\s+(?P<hour>\d\d?|{'|'.join(TO_TWELVE)})\b",
)
_TYPED = any_case(r"(?<!\d)(?P<hour>[01]?\d|2[0-3])(?:[h.]|(?<=\d\d))(?P<minutes>[0-5]\d)(?!\d)")
_GERMAN_HOURS = ["eins", *FOREIGN["de"]][:12]
_FOREIGN = {word: number for words in FOREIGN.values() for word, number in words.items()}
_FOREIGN_WORD = any_case(rf"\b(?:{'|'.join(_FOREIGN)})\b")
_HALB = any_case(rf"\bhalb\s+(\d\d?|{'|'.join(_GERMAN_HOURS)})\b")
_WORD = rf"an?|\d+|{'|'.join(VALUES)}"
_HALF = any_case(
    rf"\b(?:(?P<whole>{_WORD})\s+(?:and\s+a\s+half\s+(?P<halves>\w+?)|(?P<unit>\w+?)\s+and\s+a\s+half)"
    r"|half\s+an?\s+(?P<one>\w+?))s?\b",
)
_SIZES = {"hour": 60, "minute": 60, "year": 12, **LARGE}
_THOUSANDS = any_case(r"(?<![\w.,])(\d+(?:[.,]\d+)?)\s?k\b")
_COMMA = lazy(r"(?<![\d.,])(\d+),(\d\d?)(?![\d,])")
_DOTTED = lazy(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.])")
_SHORT_YEAR = lazy(r"(?<!\w)['\u2018\u2019](\d\d)\b")
_LIFETIME = range(-89, 51)  # years
_ORDINAL = any_case(
    rf"(?<!\ba )(?<!\bper )(?<!\bevery )\b(?:(twenty|thirty)[- ])?({'|'.join(ORDINALS)})\b",
)
_RUN = lazy(r"\d[\d \t()/.-]{4,}\d")
_DATE_LIKE = lazy(r"\d{1,4}([./-]) ?\d{1,2}\1 ?\d{2,4}")


def clocks(text: str) -> Iterator[Clock]:
    """Clock times: "half past 7", "ten to eight", "1830", "18.30", "halb acht"."""
    for match in _PAST.finditer(text):
        word, minutes = match["hour"].lower(), match["minutes"]
        hour = int(word) if word.isdigit() else NUMBERS[word]
        minutes_past = _number(minutes) if minutes else 15 if match["quarter"] else 30
        at = 60 * hour + (-minutes_past if (match["side"] or "").lower() == "to" else minutes_past)
        yield Clock(at // 60 % 24, at % 60, hour > HALF_DAY)
    for match in _TYPED.finditer(text):
        hour = int(match["hour"])
        yield Clock(hour, int(match["minutes"]), hour > HALF_DAY)
    for word in map(str.lower, _HALB.findall(text)):
        hour = int(word) if word.isdigit() else _GERMAN_HOURS.index(word) + 1
        yield Clock((hour - 1) % 24, 30, hour > HALF_DAY)


def numbers(text: str, now: datetime) -> Iterator[float]:
    """Numbers that ``read_facts`` does not find: halves, "12k", "12,50", "1.250", "'98", "third", "sieben".

    A year of two digits is one in a lifetime around ``now``; there may be two of them.
    """
    for match in _HALF.finditer(text):
        whole = (match["whole"] or "").lower()
        value = (1 if whole in {"a", "an"} else _number(whole) if whole else 0) + 0.5
        yield value
        unit = (match["halves"] or match["unit"] or match["one"]).lower()
        yield value * _SIZES.get(unit, 1)
    yield from (1000 * float(n.replace(",", ".")) for n in _THOUSANDS.findall(text))
    yield from (float(f"{whole}.{part}") for whole, part in _COMMA.findall(text))
    yield from (float(n.replace(".", "")) for n in _DOTTED.findall(text))
    yield from (float(_FOREIGN[word.lower()]) for word in _FOREIGN_WORD.findall(text))
    for year in map(int, _SHORT_YEAR.findall(text)):
        yield from (float(n + year) for n in (1900, 2000) if n + year - now.year in _LIFETIME)
    for tens, nth in _ORDINAL.findall(text):
        yield float(ORDINALS[nth.lower()] + (VALUES[tens.lower()] if tens else 0))


def without_known_runs(text: str, known_texts: Iterable[str]) -> str:
    """``text`` without telephone and other long numbers that a known text has, however grouped."""
    runs = {_digits(run) for each in known_texts for run in _RUN.findall(each)}

    def replacement(match: re.Match[str]) -> str:
        is_known = _digits(match[0]) in runs and not _DATE_LIKE.fullmatch(match[0])
        return " " if is_known else match[0]

    return _RUN.sub(replacement, text)


def _digits(run: str) -> str:
    return re.sub(r"\D", "", run)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _SPOKEN[word.lower()]

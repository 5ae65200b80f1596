"""Dates and relative days in other languages, from the words that dateparser knows.

Only what cannot be confused with English is looked for: a month's name with a day, a year or its
preposition ("3. Mai", "abril de 2026", "im Mai"), and words for times near today ("gestern", "la semana
pasada", "去年"). Chinese dates are in ``hanzi``.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from importlib import import_module

LANGUAGES = ("de", "es", "fr", "it", "nl", "pt", "zh")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december",
)  # fmt: skip
_NEAR = (
    "0 day ago", "1 day ago", "2 day ago", "in 1 day", "in 2 day",
    "0 week ago", "1 week ago", "in 1 week", "0 month ago", "1 month ago", "in 1 month",
    "0 year ago", "1 year ago", "in 1 year",
)  # fmt: skip
# Not "set", "out", "ago", "mar" and others that are words: "3 out of 5".
_SHORT_MONTHS = ("dez", "okt", "d\u00e9c", "f\u00e9vr", "janv", "juil", "dic")
_AMBIGUOUS = frozenset({"hier", "morgen"})  # German "here" and "morning"
_SHORTEST = 4
# "la mañana" is the morning; and what dateparser has only as one word, or not at all, is another day.
_OTHERWISE = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "la", "esta", "una", "cada", "pasado", "depois de", "antes de", "apr\u00e8s", "dopo",
    )
)  # fmt: skip
_NEAR_YEARS = {"letzten": -1, "vorigen": -1, "vergangenen": -1, "dieses": 0, "n\u00e4chsten": 1}
OF_NEAR_YEAR = rf"\s+(?:des\s+)?(?:{'|'.join(_NEAR_YEARS)})\s+jahres"
_NEAR_YEAR = re.compile(rf"{OF_NEAR_YEAR}$")
_GERMAN_JOIN = r"(?:\.\s+(?:bis(?:\s+zum)?|und(?:\s+dem)?)\s+|\.?\s?[-\u2013]\s?)"
_DAYS = re.compile(rf"(\d\d?){_GERMAN_JOIN}(\d\d?)\.(\s.*)")
_LEADS = ("im", "seit", "bis", "vor", "nach")
EDGES = {"anfang": "early", "mitte": "mid", "ende": "late"}
_MONTHS = re.compile(r"(?:von|zwischen)\s+(\S+)\s+(?:bis|und)\s+(\S+)")


@cache
def _vocabulary() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of months, and the words for days to years near today."""
    months = set(_SHORT_MONTHS)
    near: set[str] = set()
    for language in LANGUAGES:
        info = import_module(f"dateparser.data.date_translation_data.{language}").info
        for month in MONTHS:
            months.add(max(info[month], key=len))
        for key in _NEAR:
            near.update(info["relative-type"].get(key, ()))
    safe = {word for word in near if not word.isascii() or len(word) >= _SHORTEST} - _AMBIGUOUS
    return tuple(sorted(months, key=len, reverse=True)), tuple(sorted(safe, key=len, reverse=True))


@cache
def foreign_words() -> frozenset[str]:
    """Return the lower-case words that may belong to a date in another language."""
    months, near = _vocabulary()
    return frozenset(re.findall(r"[^\W\d_]+", " ".join(near + months)))


def with_year(phrase: str, now: datetime) -> str:
    """Return ``phrase``, in lower case, with its year in digits: "mai letzten jahres" → "mai 2025"."""
    return _NEAR_YEAR.sub(lambda of: f" {now.year + _NEAR_YEARS[of[0].split()[-2]]}", phrase)


def ends_of(name: str) -> tuple[str, str]:
    """Return the first and the last day or month of "3. bis 5. mai" or "zwischen m\u00e4rz und mai"."""
    if days := _DAYS.fullmatch(name):
        return f"{days[1]}.{days[3]}", f"{days[2]}.{days[3]}"
    months = _MONTHS.fullmatch(name)
    return (months[1], months[2]) if months else (name, name)


def is_near(phrase: str) -> bool:
    """Return whether ``phrase``, in lower case, is a word for a time near today."""
    return phrase in _vocabulary()[1]


@cache
def foreign_shape() -> str:
    """Return the regular expression of a date in another language."""
    months, near = (
        "|".join(re.escape(word) for word in words if word.isascii() or word[0] < "\u2e80")
        for words in _vocabulary()
    )
    cjk = "|".join(re.escape(word) for word in _vocabulary()[1] if word[0] >= "\u2e80")
    year = r"\s+(?:de\s+)?(?:19|20)\d\d\b"
    of_year = rf"(?:{year}|{OF_NEAR_YEAR}\b)?"
    led = "|".join(rf"(?<=\b{word} )" for word in _LEADS)
    return (
        rf"\b(?:von|zwischen)\s+(?:{months})\s+(?:bis|und)\s+(?:{months})\b{of_year}"
        rf"|\b\d\d?{_GERMAN_JOIN}\d\d?\.\s+(?:{months})\b{of_year}"
        rf"|(?:\b\d\d?\.?\s+(?:de\s+)?|{led}|(?<=\be[nm] ))(?:{months})\b{of_year}"
        rf"|\b(?:{months}){year}|\b(?:{'|'.join(EDGES)})\s+(?:{months})\b{of_year}|{_OTHERWISE}\b(?:{near})\b|(?:{cjk})(?![轻纪代级龄])"
    )

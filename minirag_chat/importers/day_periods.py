"""Words for morning and afternoon beside a clock time, in the languages of phones, from Unicode's CLDR."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from minirag_chat.importers.base import MARKS
from minirag_chat.importers.cldr_months import LANGUAGES

# Further languages in which phones can be set, though the large services are not.
_FURTHER = """
as ast bo br ckb cv dsb ff fo fy gd gsw ha hsb ia ig kl kok ks lb ln mai mi nds nso om or os qu rm rn rw sa sc
sd se sn st su tk tn tt ug wo xh yi yo yue
""".split()
PHONES = (*LANGUAGES, *_FURTHER)
_IGNORED = frozenset(".'\"’״׳" + MARKS)  # noqa: RUF001 - these very marks
_NOON = 12 * 60 * 60  # seconds
_MIDNIGHT = 2 * _NOON


def without_dots(word: str) -> str:
    """Return a word in lower case, without dots, quotes and spaces: "pm" for ``p. m.``."""
    plain = unicodedata.normalize("NFC", word.casefold())
    return "".join(c for c in plain if not c.isspace() and c not in _IGNORED)


@lru_cache(maxsize=4096)
def half_in_any_language(word: str) -> str | None:
    """Return "am" or "pm" for a word ``without_dots``, or None.

    Languages are loaded one after the other until the word is found: each takes some milliseconds.
    """
    return next((half for one in PHONES if (half := halves_in(one).get(word))), None)


@lru_cache(maxsize=len(PHONES))
def halves_in(language: str) -> dict[str, str]:
    """Return the half of the day of each word of a language.

    Beside the two halves these are parts of the day that lie in one half, so a night that begins in one and
    ends in the other is missing, and so is a word of both halves. The
    narrow forms, initials, are not written beside a clock time.
    """
    from babel import Locale

    locale = Locale.parse(language)
    halves = {"am": "am", "pm": "pm", **_halves(locale.day_period_rules)}
    found = {
        (without_dots(word), halves[period])
        for widths in locale.day_periods.values()
        for width in ("abbreviated", "wide")
        for period, word in widths.get(width, {}).items()
        if period in halves and len(word) > 1
    }
    times = Counter(word for word, _ in found)
    return {word: half for word, half in found if times[word] == 1}


def _halves(rules: Mapping[Any, Mapping[str, Sequence[Mapping[str, int]]]]) -> dict[str, str]:
    return {
        period: half
        for period, spans in rules.get(None, {}).items()
        for half in _half_of_spans(spans)
    }


def _half_of_spans(spans: Sequence[Mapping[str, int]]) -> Iterator[str]:
    """Yield the half in which a part of the day lies, if it lies in one; its hours are in seconds."""
    for span in spans:
        start = span.get("from", span.get("at", 0))
        end = span.get("before", span.get("at", 0))
        if start <= end <= _NOON and start < _NOON:
            yield "am"
        elif _NOON <= start <= (end or _MIDNIGHT):
            yield "pm"

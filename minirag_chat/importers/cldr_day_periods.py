"""The words of many languages for the two halves of the day, as Unicode's CLDR has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

# Languages of phones and of the large services, the most common first: a name that is one month here and
# another there is the first one's, unless a date before was in the other language.
LANGUAGES = """
en es pt fr de it nl pl ru tr id vi ja ko zh ar hi bn ur fa th cs sk sv da nb nn fi hu ro bg el uk he hr sr
sr_Latn bs sl mk lt lv et ca gl eu af sq am hy az be fil ka gu is ga jv kn kk km ky lo ms ml mt mr mn my ne
ps pa si so sw ta te uz cy zu tg eo fr_CA de_AT
""".split()
_SHORTEST = 2  # letters


@cache
def day_halves() -> Mapping[str, str]:
    """Which half, "am" or "pm", each word means; without words that mean both, in two languages."""
    halves: dict[str, set[str]] = {}
    for word, half in _words():
        halves.setdefault(word, set()).add(half)
    return {
        word: found.pop()
        for word, found in halves.items()
        if len(found) == 1 and len(word) >= _SHORTEST
    }


def _words() -> Iterator[tuple[str, str]]:
    from babel import Locale  # loads files of a language when it is asked for one

    for language in LANGUAGES:
        for widths in Locale.parse(language).day_periods.values():
            for width in ("wide", "abbreviated"):
                for half in ("am", "pm"):
                    if word := widths.get(width, {}).get(half):
                        yield word, half

"""Number words in small letters: of English from zero to ninety, and some of German, Spanish and French."""

from __future__ import annotations

from collections.abc import Mapping

TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ENGLISH: Mapping[str, int] = {
    **{word: number for number, word in enumerate(TO_NINETEEN)},
    **{word: 10 * number for number, word in enumerate(TENS, start=2)},
}
TO_TWELVE = TO_NINETEEN[1:13]
NUMBERS: Mapping[str, int] = {"an": 1, "a": 1, **{word: ENGLISH[word] for word in TO_TWELVE}}
"""Numbers up to twelve, and the articles, which are one: "a week ago"."""
ORDINALS: Mapping[str, int] = {
    **{f"{word}th": number for word, number in ENGLISH.items()},  # with "nineth", as people write
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
    "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
TO_THIRTY_FIRST: Mapping[str, int] = {
    **{word: number for word, number in ORDINALS.items() if number in {*range(1, 21), 30}},
    **{
        f"twenty-{word}": 20 + number for word, number in ORDINALS.items() if number in range(1, 10)
    },
    "thirty-first": 31,
}
"""The days of a month in words: "twenty-first"."""
_FROM_TWO = {
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
}
_TENS_FROM_TWENTY = {
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien",
    "fr": "vingt trente quarante cinquante soixante",
}
FOREIGN: Mapping[str, Mapping[str, int]] = {
    language: {
        **{word: number for number, word in enumerate(words.split(), start=2)},
        **{
            word: 10 * number
            for number, word in enumerate(_TENS_FROM_TWENTY[language].split(), start=2)
        },
    }
    for language, words in _FROM_TWO.items()
}
"""By language. The smallest is two, for one is an article too: "ein", "un"."""

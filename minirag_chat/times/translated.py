"""Words for times near today in other languages that are read as English ones: "vor zwei Wochen"."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.names_of_days import GERMAN_WEEKDAYS, WEEKDAYS

_COUNTS = (
    ("2", "zwei", "deux", "dos", "due", "twee", "duas", "dois"),
    ("3", "drei", "trois", "tres", "tre", "drie", "três"),
    ("4", "vier", "quatre", "cuatro", "quattro", "quatro"),
    ("5", "fünf", "cinq", "cinco", "cinque", "vijf"),
    ("6", "sechs", "six", "seis", "sei", "zes"),
    ("1", "einer", "einem", "un", "une", "una", "een", "uma", "um"),
)
_UNITS = {
    "day": r"tage?n?|jours?|d[ií]as?|giorn[oi]|dag(?:en)?",
    "week": r"wochen?|semaines?|semanas?|settiman[ae]|week|weken",
    "month": r"monate?n?|mois|mes(?:es)?|mes[ei]|maand(?:en)?|mês",
    "year": r"jahre?n?|ans?|años?|ann[oi]|jaar|anos?",
}
_WEEKDAYS = dict(zip(GERMAN_WEEKDAYS, WEEKDAYS, strict=True))
_SEASONS = {
    "frühling": "spring", "frühjahr": "spring", "sommer": "summer", "herbst": "autumn",
    "winter": "winter",
}  # fmt: skip
_SAME: dict[str, tuple[str, str]] = {
    "hier": ("relative", "yesterday"),
    "morgen": ("relative", "tomorrow"),
    "wochenende": ("unit", "the weekend"),
}
"""The kind of each phrase of one word, and its English."""
_NUMBER = rf"(?P<n>\d\d?|{'|'.join(word for words in _COUNTS for word in words[1:])})"
_UNIT = rf"(?P<unit>{'|'.join(_UNITS.values())})"
_AGO = (
    rf"(?:il\s+y\s+a|vor|hace|há)\s+{_NUMBER}\s+{_UNIT}",
    rf"{_NUMBER}\s+{_UNIT}\s+(?:fa|geleden|atrás)",
)
_LAST = (
    rf"(?<=\bden )letzten\s+{_NUMBER}\s+{_UNIT}",
    rf"(?<=\bles ){_NUMBER}\s+derni(?:ers|ères)\s+{_UNIT}",
    rf"últim[oa]s\s+{_NUMBER}\s+{_UNIT}",
    rf"(?:gli|le)\s+ultim[ie]\s+{_NUMBER}\s+{_UNIT}",
    rf"(?<=\bde )(?:laatste|afgelopen)\s+{_NUMBER}\s+{_UNIT}",
)
_COUNTED = tuple(
    (kind, english, lazy(re.sub(r"\(\?<=[^)]*\)", "", shape)))
    for kind, english, shapes in (("offset", "{} {}s ago", _AGO), ("last", "last {} {}s", _LAST))
    for shape in shapes
)
"""The kind and the English of each shape that counts days to years, without the words before it."""
_NOT_OF = r"(?!\s+(?:im|in|des?|vo[mr]|nach|del?|di|du|van|que|che)\b)"  # "letzten Montag im Mai"
_LAST_DAY = rf"(?:letzten|vergangenen|vorigen)\s+(?:{'|'.join(_WEEKDAYS)})"
_SEASON = rf"(?<=\bim )(?:(?:letzten|vergangenen|vorigen)\s+)?(?:{'|'.join(_SEASONS)})"
_HALF = r"(?<=\bim )(?:erst|zweit)en\s+halbjahr(?:\s+(?:19|20)\d\d)?"
_WEEKEND = r"(?<=\bam )wochenende(?!\s+(?:vor|nach|de[rs]|vom)\b)"
_HIER = "hier"  # French "yesterday", and German "here"
_MORGEN = "morgen"  # German and Dutch "tomorrow", and "morning"
_MORNING_OF = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "am", "de", "der", "den", "dem", "des", "guten", "gute", "goede", "jeden", "jede", "elke", "diesen",
        "deze", "einen", "een", "eines", "heute", "gestern", "selben", "nächsten", "letzten",
        "sonnabend", *GERMAN_WEEKDAYS,
        "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",
    )
)  # fmt: skip
_NOT_A_GREETING = (
    r"(?=\s+(?:um|om|ab|vanaf|gegen|früh|vroeg|vormittag|ochtend|mittag|middag|nachmittag|abend|avond"
    r"|mit|met|zum|zur|im|auf|op|bei|bij|nach|naar|wieder|weer|noch|nog|nicht|niet|ist|is|sind|zijn|hab\w*|heb\w*|kann|kan|könn\w*|kunnen|muss|moet\w*"
    r"|geh\w*|gaa?\w*|komm?\w*|fahr\w*|wird|wil\w*)\b)"
)
_TOMORROW = (
    rf"{_MORNING_OF}(?-i:(?<=[\w,;] ){_MORGEN})\b(?!\s+(?:des|der|vom|am|zusammen|alle|allerseits)\b)"
    rf"|(?<![\w,;] ){_MORGEN}{_NOT_A_GREETING}"
)
_FRENCH = lazy(
    r"\b(?:qui|que|quoi|quand|où|les?|la|une|dit|avec|dans|est|nous|vous|elle|qu['\u2019]|j['\u2019])(?!\w)"
    r"|\bqu['\u2019]|\bj['\u2019]",
    re.IGNORECASE,
)
_GERMAN = lazy(
    r"\b(?:der|die|das|ist|wer|was|wo|wir|ich|und|war|hat|gibt|sind|es|ein|eine|nicht|kommt)\b",
    re.IGNORECASE,
)
_IN_PAST = lazy(
    r"\b(?:waren?|warst|wart|wurden?|hatten?|sagten?|machten?|passiert(?:en?)?|schrieb|kam|ging|fuhr|gab|traf|lief"
    r"|(?:schrieb|kam|ging|fuhr|gab|traf|lief)en|ge(?!plant|bucht|reserviert|gen|stern)[a-zäöü]{3,}(?:t|en))\b"
)
# Only a question is read so: "im Sommer" of a message may be past or to come.
_OF_QUESTIONS = frozenset({"season", "unit"})

SHAPE = re.sub(
    r"\?P<\w+>",
    "?:",
    rf"(?:{'|'.join((*_AGO, *_LAST, _LAST_DAY))})\b{_NOT_OF}|{_SEASON}|{_HALF}|{_WEEKEND}|{_HIER}"
    rf"|{_TOMORROW}",
)
WORDS = frozenset(
    re.findall(
        r"[^\W\d_]{4,}",
        "tage tagen jour jours día días dia dias giorno giorni dagen woche wochen semaine semaines "
        "semana semanas settimana settimane weken monat monate monaten mois meses mese mesi maand maanden "
        "jahr jahre jahren año años anno anni jaar anos",
    )
) | {
    _HIER, _MORGEN, "wochenende", "halbjahr", "mes", "ans", *_WEEKDAYS, *_SEASONS,
}  # fmt: skip


def in_english(phrase: str) -> tuple[str, str] | None:
    """The kind and the English of a phrase in small letters: "2 weeks ago", an offset, of "vor 2 wochen"."""
    if phrase in _SAME:
        return _SAME[phrase]
    for kind, english, shape in _COUNTED:
        if found := shape.fullmatch(phrase):
            return kind, english.format(_number(found["n"]), _unit(found["unit"]))
    return _named(phrase.split())


def _named(words: list[str]) -> tuple[str, str] | None:
    """The kind and the English of a season, the last one too, a half-year, or the last Monday and so on."""
    if words[-1] in _SEASONS:
        return "season", f"{'last ' if words[1:] else ''}{_SEASONS[words[-1]]}"
    if words[-1] in _WEEKDAYS:
        return "weekday", f"last {_WEEKDAYS[words[-1]]}"
    if "halbjahr" in words:
        half = "first" if words[0] == "ersten" else "second"
        return "part", f"{half} half of {words[2] if words[2:] else 'this year'}"
    return None


def _number(word: str) -> str:
    return next((words[0] for words in _COUNTS if word in words), word)


def _unit(word: str) -> str:
    return next(unit for unit, shape in _UNITS.items() if re.fullmatch(shape, word))


def only_asked(kind: str) -> bool:
    """Whether times of this kind are read in questions about the past only."""
    return kind in _OF_QUESTIONS


def is_another_word(phrase: str, text: str) -> bool:
    """Whether a phrase may mean something else: "hier" not in French, "im Sommer" of the next summer."""
    said = phrase.lower()
    if said in _SEASONS and not re.search(rf"\bim\s+{said}\b", text, re.IGNORECASE):
        return False  # "in winter" is English
    if said in _SEASONS or said == "wochenende":
        return _IN_PAST.search(text) is None
    return said == _HIER and (not _FRENCH.search(text) or _GERMAN.search(text) is not None)

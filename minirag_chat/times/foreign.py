"""Dates and relative days in other languages, from the words that dateparser knows.

Only what cannot be confused with English is looked for: a month's name with a day, a year or its
preposition ("3. Mai", "abril de 2026", "im Mai", "in ottobre"), both ends of a range with the words around
them ("del 3 al 5 de abril"), and words for times near today ("gestern", "la semana pasada", "去年"). Chinese
dates are in ``hanzi``. A month's name may lack its accents, but Marco is a person.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from importlib import import_module

from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import without_accents
from minirag_chat.times.dayed import ABROAD
from minirag_chat.times.names_of_days import GERMAN_MONTHS, MONTHS
from minirag_chat.times.translated import SHAPE, WORDS, in_english

LANGUAGES = ("de", "es", "fr", "it", "nl", "pt", "zh")
_NEAR = (
    "0 day ago", "1 day ago", "2 day ago", "in 1 day", "in 2 day",
    "0 week ago", "1 week ago", "in 1 week", "0 month ago", "1 month ago", "in 1 month",
    "0 year ago", "1 year ago", "in 1 year",
)  # fmt: skip
# Not "set", "out", "ago", "mar" and others that are words: "3 out of 5".
_SHORT_MONTHS = ("dez", "okt", "déc", "févr", "janv", "juil", "dic")
_AMBIGUOUS = frozenset({"hier", "morgen"})  # German "here" and "morning"
_SHORTEST = 4
# "la mañana" is the morning; and what dateparser has only as one word, or not at all, is another day.
_OTHERWISE = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "esta", "una", "cada", "pasado", "depois de", "antes de", "après", "dopo",
    )
)  # fmt: skip
_OTHERWISE += r"(?!(?<=\bla )mañana)"
_NEAR_YEARS = {"letzten": -1, "vorigen": -1, "vergangenen": -1, "dieses": 0, "nächsten": 1}
OF_NEAR_YEAR = rf"\s+(?:des\s+)?(?:{'|'.join(_NEAR_YEARS)})\s+jahres"
_NEAR_YEAR = lazy(rf"{OF_NEAR_YEAR}$")
_MARCO = "marco"
_WITHOUT_UMLAUT = {"maerz": 3, "marz": 3}
_SHORT_NAMES = {
    "ene": 1, "janv": 1, "fév": 2, "févr": 2, "fevr": 2, "mrt": 3, "abr": 4, "giu": 6, "juil": 7,
    "sept": 9, "okt": 10, "ott": 10, "déc": 12, "dic": 12, "dez": 12,
}  # fmt: skip
# "3 jan" is English, "3 de jan" is not.
_SHORT_AFTER_DE = {"jan": 1, "feb": 2, "fev": 2, "mar": 3, "jun": 6, "jul": 7, "nov": 11}
_NTH = {"primero": "1", "primeiro": "1", "primo": "1", "premier": "1", "ersten": "1"}
_DAY = rf"(?:\d\d?(?:er|ro|º|\u00b0)?|{'|'.join(_NTH)})"
_ITALIAN = (
    "gennaio", "febbraio", "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "novembre",
    "dicembre",
)  # fmt: skip
_ITALIAN_OR_SPANISH = ("marzo", "agosto")
_DUTCH = ("januari", "februari", "maart", "juni", "juli", "augustus", "oktober")
_OF_MONTH = ("mese di", "mes de", "mês de", "mois de", "mois d'", "maand", "monat")
_GERMAN_JOIN = r"(?:\.\s+(?:bis(?:\s+zum)?|und(?:\s+dem)?)\s+|\.?\s?[-\u2013]\s?)"
_DAYS = lazy(rf"(\d\d?){_GERMAN_JOIN}(\d\d?)\.(\s.*)")
_LEADS = ("im", "seit", "bis", "vor", "nach", "ab", "für", "für den")
# Before a month without a day, in small letters: "antes de Julio" may be before a person came.
_LEADS_ABROAD = (
    "desde", "hasta", "antes de", "después de", "despues de", "depois de", "a partir de", "até",
    "avant", "après", "apres", "depuis", "jusqu'en", "jusqu\u2019en", "prima di", "dopo", "fino a",
    "sinds", "vanaf", "tot",
)  # fmt: skip
_DAY_OF = r"(?:\s+d[ií]a)?"
_OPENS = {
    "since": r"(?:desde|a\s+partir\s+de)(?:\s+(?:el|o))?|a\s+partir\s+del|depuis(?:\s+le)?"
    r"|d[èe]s\s+le|[àa]\s+partir\s+d[ue]|(?:a\s+partire\s+)?dal(?:l['\u2019])?|da|sinds|vanaf|ab",
    "before": r"antes\s+d(?:el?|o)|avant(?:\s+le)?|prima\s+d(?:i|el(?:l['\u2019])?)|v(?:oo|óó)r",
    "after": r"despu[eé]s\s+del?|depois\s+d[eo]|apr[eè]s(?:\s+le)?"
    r"|dopo(?:\s+(?:il|l['\u2019]))?|na",
    "until": r"hasta(?:\s+el)?|at[eé](?:\s+(?:ao?|o))?|jusqu['\u2019](?:au|en|[àa])"
    r"|fino\s+a(?:l(?:l['\u2019])?)?|tot(?:\s+en\s+met)?",
}
OPENING = rf"(?:{'|'.join(_OPENS.values())}){_DAY_OF}"
_OPENED = {word: lazy(rf"(?:{lead}){_DAY_OF}", re.IGNORECASE) for word, lead in _OPENS.items()}
_GERMAN_OPENS = {"seit": "since", "bis": "until", "vor": "before", "nach": "after"}
_LED = lazy(rf"{OPENING}(?:\s|(?<=['\u2019]))", re.IGNORECASE)
_NOT_ONLY_THERE = frozenset({"da", "ate", "dopo", "prima di"})  # words of English and of slang too
_IS_DUTCH = lazy(
    r"\b(?:wat|wie|waar|wanneer|hoe|het|een|heeft|heb|hebben|zijn|werd|er|ik|wij|jij|met|niet|naar|gezegd)\b",
    re.IGNORECASE,
)
_AM = lazy(r"\bam\s+(?=\d\d?\.\s*[^\W_]|ersten\b|wochenende\b)", re.IGNORECASE)
_DO = lazy(r"\bdo\b", re.IGNORECASE)
_IS = lazy(r"\bis\b", re.IGNORECASE)
_IS_PORTUGUESE = lazy(r"\b(?:que|quem|quando|onde|disse|foi|dia|n[ãa]o|em|de)\b", re.IGNORECASE)
_IS_ENGLISH = lazy(
    r"\b(?:the|what|who|when|where|which|how|you|they|did|does|have|has)\b", re.IGNORECASE
)
_DUTCH_PAST = lazy(r"\bge(?!pland|boekt|reserveerd)\w{2,}(?:d|t|en)\b", re.IGNORECASE)
_ONLY_NA = lazy(r"na\s+\d\d?\s+[^\W\d_]+(?:\s+\d{4})?\W*")
# "two days after", "the day before", and "before or after"
_MEASURED = lazy(
    r"\b(?:d[ií]as?|semanas?|mes(?:es)?|mês|a[nñ]os?|horas?|jours?|semaines?|mois|ans?|giorn[oi]"
    r"|settiman[ae]|mes[ei]|ann[oi]|veille|dag(?:en)?|week|weken|maand(?:en)?|jaar|jaren|tage?n?|wochen?|monate?n?"
    r"|(?:antes|despu[eé]s|depois|avant|apr[eè]s|prima|dopo|v(?:oo|óó)r|na)\s+(?:ou?|of?))\s+$",
    re.IGNORECASE,
)
_CHANGED = lazy(
    r"\b(?:mov(?:i[ódo]|er|eu)|(?:cambi|aplaz|retras|adelant|adi|antecip|mud)(?:[oóaeou]|amos|aron|aram)"
    r"|pospus|pospon|traslad|d[eé]plac|d[eé]cal|report[eé]|repouss|spost|rinvi|rimand|anticip"
    r"|verplaats|verzet|verschoven|uitgesteld|verschob|verleg)\w*",
    re.IGNORECASE,
)
_ARTICLE = r"(?:(?:el|le|il|o|os|los|les|de)\s+|l['\u2019])?(?:d[ií]as?\s+)?"
_TO = (
    r"\s+(?:al?|ao|au|[àá]|hasta|jusqu['\u2019]au|fino\s+al?|at[eé](?:\s+ao?)?"
    r"|tot(?:\s+en\s+met)?|t/m|naar)\s+|\s+(?:all|fino\s+all)['\u2019]|\s?[-\u2013]\s?"
)
_RANGE_LEADS = (
    (
        r"(?:desde|depuis|del?|du|dal|da|vanaf|van)\s+|dall['\u2019]|d['\u2019]",
        _TO,
    ),
    (r"(?:entre|tra|fra|tussen)\s+", r"\s+(?:y|et?|en)\s+"),
)
# "Sábado 19 a las 16.40", "Samstag, den 19.", "le samedi 5": with "el" or "den" also a number that may be
# an hour, and not "lunes 19 personas".
_AT = r"a\s+las?|[àá]s?|um|om|alle|dalle|ab|gegen|vers|hacia|por\s+la|da"
_GOES_ON = (
    r"y|e|et|und|en|o|ou|oder|of|pero|mais|mas|aber|maar|ma|para|pour|per|con|com|avec|mit"
    r"|met|chez|bei|bij|in|no|na|em"
)
_ENDS = r"(?=\s*(?:\Z|[,;!?)\n])|\.(?!\w))"
_MONTHS_BEGIN = (
    "jan|gen|ene|feb|fév|mär|mar|maa|mrz|apr|avr|abr|mai|may|mag|mei|jui|jun|giu|jul|lug|aug|ago|aoû|sep|set"
    "|okt|oct|ott|out|nov|dez|dec|déc|dic"
)
_NAME = rf"\b(?:{'|'.join(ABROAD)}),?\s+"
NUMBERED = (
    rf"(?:{_NAME}(?:(?:el|le|il|den|dem|de)\s+)?(?:d[ií]a\s+)?(?:3[01]|2\d|1[3-9])"
    rf"(?:{_ENDS}|(?=\.?\s+(?:{_AT}|{_GOES_ON})\b))"
    rf"|(?:(?:(?<=\bel )|(?<=\ble )|(?<=\bil )){_NAME}|{_NAME}(?:den|d[ií]a)\s+)(?:1[0-2]|0?[1-9])"
    rf"(?:{_ENDS}|(?=\.?\s+(?:{_AT})\b)))"
    rf"(?!\.?\s+(?:(?:de\s+)?(?:{_MONTHS_BEGIN})|(?:bis|hasta|al|au|ao|tot)\b))"
)
EDGES = {"anfang": "early", "mitte": "mid", "ende": "late"}
_MONTHS = lazy(r"(?:von|zwischen)\s+(\S+)\s+(?:bis|und)\s+(\S+)")


@cache
def _month_numbers() -> dict[str, int]:
    """The number of each month's name in small letters; those without accents too."""
    numbers: dict[str, int] = {}
    for language in LANGUAGES:
        info = import_module(f"dateparser.data.date_translation_data.{language}").info
        for number, month in enumerate(MONTHS, 1):
            name = max(info[month], key=len).lower()
            numbers |= {name: number, without_accents(name): number}
    return numbers | _WITHOUT_UMLAUT


@cache
def _vocabulary() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of months, and the words for days to years near today."""
    months = {*_month_numbers(), *_SHORT_MONTHS} - {_MARCO}
    near: set[str] = set()
    for language in LANGUAGES:
        info = import_module(f"dateparser.data.date_translation_data.{language}").info
        for key in _NEAR:
            near.update(info["relative-type"].get(key, ()))
    safe = {word for word in near if not word.isascii() or len(word) >= _SHORTEST} - _AMBIGUOUS | {
        "hoy"
    }
    return tuple(sorted(months, key=len, reverse=True)), tuple(sorted(safe, key=len, reverse=True))


@cache
def foreign_words() -> frozenset[str]:
    """Return the lower-case words that may belong to a date in another language."""
    months, near = _vocabulary()
    said = " ".join((*near, *months, *MONTHS, *_SHORT_NAMES, _MARCO, *ABROAD))
    return frozenset(re.findall(r"[^\W\d_]+", said)) | WORDS


def with_year(phrase: str, now: datetime) -> str:
    """Return ``phrase``, in lower case, with its year in digits: "mai letzten jahres" → "mai 2025"."""
    return _NEAR_YEAR.sub(lambda of: f" {now.year + _NEAR_YEARS[of[0].split()[-2]]}", phrase)


def ends_of(name: str) -> tuple[str, str]:
    """Return the first and the last day or month of "3. bis 5. mai" or "del 3 al 5 abril", in German."""
    for lead, to in _RANGE_LEADS:
        found = re.fullmatch(rf"(?:{lead}){_ARTICLE}(.+?)(?:{to}){_ARTICLE}(.+)", name)
        if found:
            last = _in_german(found[2])
            first = f"{found[1]} {last.split()[-1]}" if re.fullmatch(_DAY, found[1]) else found[1]
            return _in_german(first), last
    if days := _DAYS.fullmatch(name):
        return _in_german(f"{days[1]}.{days[3]}"), _in_german(f"{days[2]}.{days[3]}")
    months = _MONTHS.fullmatch(name)
    return (months[1], months[2]) if months else (_in_german(name), _in_german(name))


def _in_german(name: str) -> str:
    """A month, with or without a day, as dateparser surely reads it: "1er abr." \u2192 "1. april"."""
    found = re.fullmatch(rf"(?:({_DAY})\.?\s+(?:de\s+)?)?([^\W\d_]+)\.?(?:\s+del)?", name)
    names = (
        _month_numbers()
        | _SHORT_NAMES
        | _SHORT_AFTER_DE
        | dict(zip(MONTHS, range(1, 13), strict=True))
    )
    if not found or found[2] not in names:
        return name
    day = _NTH.get(found[1], re.sub(r"\D", "", found[1])) if found[1] else ""
    return f"{day}. {GERMAN_MONTHS[names[found[2]] - 1]}".removeprefix(". ")


def opened_by(lead: str) -> str:
    """The English word of an open range, of the words before a time: "antes del" \u2192 "before"."""
    word = _GERMAN_OPENS.get(lead, lead)
    return next((open_ for open_, shape in _OPENED.items() if shape.fullmatch(lead)), word)


def may_open(text: str, lead: str, kinds: tuple[str, ...]) -> bool:
    """Whether the words before a time surely make an open range; those of English always do."""
    lead = " ".join(lead.lower().split())
    if not any(shape.fullmatch(lead) for shape in _OPENED.values()):
        return True
    if kinds[0] not in {"foreign", "date", "numeric", "stamp", "month"}:
        return False
    if lead == "na":
        return (_IS_DUTCH.search(text) or _ONLY_NA.fullmatch(text)) is not None
    return kinds[0] == "foreign" or lead not in _NOT_ONLY_THERE


def is_measured(text: str, left: int) -> bool:
    """Whether what looks like an open range is a distance from a day: "dos días después del 5 de abril"."""
    return _LED.match(text, left) is not None and _MEASURED.search(text[:left]) is not None


def without_lookalikes(question: str) -> str:
    """A question without what only looks like an English verb: "am 3. Mai", "do jantar", "is er gezegd"."""
    question = _AM.sub("", question)
    if _IS_ENGLISH.search(question):
        return question
    if _IS_PORTUGUESE.search(question):
        question = _DO.sub("", question)
    if _IS_DUTCH.search(question) and _DUTCH_PAST.search(question):
        question = _IS.sub("", question)
    return question


def is_change(text: str, left: int, right: int) -> bool:
    """Whether the range of two days is a change of plan: "se movió la cena del 3 al 5 de abril"."""
    phrase = text[left:right].lower()
    led = re.match(r"(?:del?|desde|du|d['\u2019]|dal|da|van(?:af)?)\b", phrase) is not None
    return led and (" naar " in phrase or _CHANGED.search(text) is not None)


def is_dated_range(text: str, left: int, right: int) -> bool:
    """Whether an open range of another language, but German, is one of dates: not "desde ayer"."""
    phrase = text[left:right].lower()
    return _LED.match(text, left) is not None and _near_words().search(phrase) is None


@cache
def _near_words() -> re.Pattern[str]:
    """Matches a word for a time near today."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _vocabulary()[1]))})(?!\w)")


def is_near(phrase: str) -> bool:
    """Return whether ``phrase``, in lower case, is a word for a time near today."""
    return phrase in _vocabulary()[1] or in_english(phrase) is not None


@cache
def foreign_shape() -> str:
    """Return the regular expression of a date in another language."""
    months, near = (
        "|".join(re.escape(word) for word in words if word.isascii() or word[0] < "\u2e80")
        for words in _vocabulary()
    )
    cjk = "|".join(re.escape(word) for word in _vocabulary()[1] if word[0] >= "\u2e80")
    year = r"\s+(?:del?\s+)?(?:19|20)\d\d\b"
    of_year = rf"(?:{year}|{OF_NEAR_YEAR}\b)?"
    led = "|".join(rf"(?<=\b{word} )" for word in _LEADS)
    return (
        rf"\b(?:von|zwischen)\s+(?:{months})\s+(?:bis|und)\s+(?:{months})\b{of_year}"
        rf"|\b\d\d?{_GERMAN_JOIN}\d\d?\.\s+(?:{months})\b{of_year}"
        rf"|{_range_shape(months)}{of_year}"
        rf"|(?:\b{_DAY}\.?\s+(?:de\s+)?|{led}|(?<=\be[nm] ))(?:{months})\b{of_year}"
        rf"|{_day_or_led(months)}{of_year}"
        rf"|\b(?:{months}){year}|\b(?:{'|'.join(EDGES)})\s+(?:{months})\b{of_year}|{_OTHERWISE}\b(?:{near})\b|\b(?:{SHAPE})\b|(?:{cjk})(?![轻纪代级龄])"
    )


def _range_shape(months: str) -> str:
    """The shape of a range with both ends: "del 3 al 5 de abril", "tra aprile e giugno"."""
    named = rf"(?:{months}|{'|'.join(MONTHS)})\b"
    dated = rf"{_DAY}\s+(?:de\s+)?{named}"
    shapes = []
    for lead, to in _RANGE_LEADS:
        ends = rf"{_DAY}(?:\s+(?:de\s+)?{named})?(?:{to}){_ARTICLE}{dated}"
        whole = rf"(?-i:{named})(?:{to})(?-i:{named})"
        shapes.append(rf"\b(?:{lead})(?:{_ARTICLE}{ends}|{whole})")
    return rf"(?:{'|'.join(shapes)})"


def _day_or_led(months: str) -> str:
    """The shape of a day with a short month ("5 de abr."), and of a month after its preposition."""
    short = "|".join(_SHORT_NAMES)
    after_de = "|".join((*_SHORT_AFTER_DE, _MARCO))
    abroad = "|".join(rf"(?<=\b{word} )" for word in _LEADS_ABROAD)
    of_month = "|".join(
        rf"(?<=\b{word}{'' if word.endswith(chr(39)) else ' '})" for word in _OF_MONTH
    )
    italian, both = "|".join(_ITALIAN), "|".join((*_ITALIAN, *_ITALIAN_OR_SPANISH, *_DUTCH))
    return (
        rf"(?:\b{_DAY}\.?\s+(?:(?:de\s+)?(?:{short})|de\s+(?:{after_de}))\b"
        rf"|(?<=\bde ){_MARCO}(?=\s+de\s+20\d\d\b)|(?<=\bim )(?:{short})\b"
        rf"|(?:{abroad})(?-i:{months})\b|(?:{of_month})(?:{months})\b"
        rf"|(?:(?<=\ba )|(?<=\bda ))(?:{italian})\b|(?<=\bin )(?:{both})\b)"
    )

"""German questions about the messages, in the English words by which such questions are recognised."""

from __future__ import annotations

import re
from collections.abc import Callable

from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.about_messages.german_files import files_in_english
from minirag_chat.question.about_messages.german_words import (
    FIRST_OR_LAST,
    FIRST_OR_LAST_TIME,
    HAS,
    LEFT,
    MUCH,
    SHOW,
    first_or_last,
)
from minirag_chat.question.marks import SIGN, WORD
from minirag_chat.times.number_words import FOREIGN

_IGNORED = re.IGNORECASE
_SAID = {
    "geschrieben": "write", "gesendet": "send", "geschickt": "send", "gesagt": "say", "gepostet": "post",
    "geredet": "talk", "gesprochen": "talk", "besprochen": "discuss", "diskutiert": "discuss",
    "unterhalten": "talk",
}  # fmt: skip
_ASKS = {"was": "what", "worüber": "what", "wovon": "what", "wann": "when"}
_WRITTEN = rf"(?P<verb>{'|'.join(_SAID)})\b"
_MENTIONED = r"(?:erwähnt|gesagt|geschrieben|benutzt|verwendet|gesendet|geschickt)\b"
_ASKED = lazy(
    rf"\b(?P<asks>{'|'.join(_ASKS)}|wie ?viele nachrichten) {HAS}(?P<who>\b.*?)"
    rf"(?P<last> zuletzt)?{LEFT}(?P<to> (?:mit|an|zu|von) .*?)?(?P<late> zuletzt)?{LEFT} {_WRITTEN}",
    _IGNORED,
)
_UNITS = {
    "monat": "month", "jahr": "year", "tag": "day", "wochentag": "day of the week", "woche": "week",
}  # fmt: skip
_MARKED = {"gelöscht": "deleted", "bearbeitet": "edited"}
_LENGTHS = {"längste": "longest", "kürzeste": "shortest"}
_NUMBERS = FOREIGN["de"]
_A_UNIT = rf"(?:pro|je|jede[nrs]?|am|im|in der) (?P<unit>{'|'.join(_UNITS)})\b"
_WHICH_UNIT = rf"\b(?:(?:in|an|zu) )?welche[mrn]? (?P<unit>{'|'.join(_UNITS)})"
_HAD_MOST = rf"{_WHICH_UNIT} (?:hatte|hat|gab es) die meisten nachrichten"
_BUSIEST = (
    rf"{_WHICH_UNIT} (?:habe|hat|haben)(?P<who>\b.*?)"
    rf"{LEFT} (?:am|die) meisten(?: nachrichten)?{LEFT} {_WRITTEN}"
)
_FORMS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bwas gibt(?: e|['\u2019])?s(?: so| alles)? neues\b", "what is new"),
    (r"^\W*was war(?: (?:im|in|am|an|um)){0,3}(?=\W*$)", "what happened"),
    (
        (
            r"\bwas (?:haben|hatten) wir{LEFT} vor(?=\W*$)|\bwas steht{LEFT} an(?=\W*$)"
            r"|^\W*(?:(?:die|unsere|meine) )?pl(?:an|äne)(?: für(?: den)?)?{LEFT}(?=\W*$)"
            r"|\bwas ist{LEFT} geplant(?=\W*$)|\bwelche pläne (?:haben wir|gibt es)\b"
        ).replace("{LEFT}", LEFT),
        "what are the plans",
    ),
    (r"\bworum (?:ging|geht) es\b(?=\W*\w)", "what was discussed"),
    (
        (
            r"^\W*(?:(?:gib|gebt|schick|schreib)e?(?: (?:mir|uns))? )?(?:bitte )?(?:eine? )?(?:kurzen? )?"
            r"(?:zusammenfassung|überblick)\b(?: (?:vom|von|des|der)\b)?"
        ),
        "summary",
    ),
    (r"\bwas (?:ist|war)((?: \w+){0,2}) (?:passiert|los|geschehen)\b", r"what happened\1"),
    (r"\bfass(?:e|t)?(?: (?:uns|bitte|mal))*\b(.*?)\bzusammen\b", r"summarize\1"),
    (
        (
            rf"\bwer (?:(?P<has>hat)|schreibt){LEFT} (?:(?:am|die) )?(?P<much>{'|'.join(MUCH)})"
            rf"(?: nachrichten)?(?(has){LEFT} {_WRITTEN}|\b)"
        ),
        lambda found: f"who {'wrote' if found['has'] else 'writes'} {MUCH[found['much'].lower()]}",
    ),
    (
        rf"{_WHICH_UNIT} war(?:en)? (?:am aktivsten|de[rn] aktivsten?|die aktivsten?)",
        lambda found: f"which {_UNITS[found['unit'].lower()]} was most active",
    ),
    (_BUSIEST, lambda found: f"which {_UNITS[found['unit'].lower()]} did{found['who']} write most"),
    (
        r"\bwann schreib(?:t|en)(?P<who>\b.*?) (?:am|die) meisten(?: nachrichten)?\b",
        r"when do\g<who> write most",
    ),
    (
        _HAD_MOST,
        lambda found: f"which {_UNITS[found['unit'].lower()]} had most messages",
    ),
    (
        rf"^\W*{HAS}(?P<who>\b.*?){LEFT} (?:irgend)?etwas{LEFT} ge(?:schrieben|postet)\b",
        r"did\g<who> write anything",
    ),
    (
        (
            rf"\bwie oft {HAS}(?P<who>\b.*?){LEFT} (?:das wort )?(?P<word>[{WORD}{SIGN}])"
            rf"{LEFT} {_MENTIONED}"
        ),
        r"how often did\g<who> say \g<word>",
    ),
    (
        (
            rf"^\W*{HAS}(?P<who>\b.*?){LEFT} (?:je(?:mals)? )?(?:das wort )?"
            rf"(?P<word>[{WORD}{SIGN}]){LEFT} {_MENTIONED}"
        ),
        r"did\g<who> say \g<word>",
    ),
    (
        (
            rf"\bwhen did(?P<who>\b.*?) {FIRST_OR_LAST_TIME}"
            rf"{LEFT} über (?:(?:der|die|das|den|dem) )?(?P<word>{WORD}) (?:talk|write|discuss|say)\b"
        ),
        lambda found: f"when did{found['who']} {first_or_last(found)} talk about {found['word']}",
    ),
    (
        (
            rf"\bwann wurde (?:(?:der|die|das) )?(?P<word>[{WORD}{SIGN}])"
            rf" {FIRST_OR_LAST_TIME}{LEFT} (?:{_MENTIONED}|besprochen\b)"
        ),
        lambda found: f"when was {found['word']} {first_or_last(found)} mentioned",
    ),
    (
        r"\bwie ?viele nachrichten (?:wurden|sind) (?:worden )?(?P<mark>gelöscht|bearbeitet)\b",
        lambda found: f"how many messages were {_MARKED[found['mark'].lower()]}",
    ),
    (
        (
            rf"\bwie ?viele nachrichten {HAS}(?P<who>\b.*?)"
            rf"{LEFT} (?P<mark>gelöscht|bearbeitet)\b"
        ),
        lambda found: f"how many messages did{found['who']} {_MARKED[found['mark'].lower()]}",
    ),
    (r"\bwie ?viele (?:verpasste )?anrufe (?:gab es|hatten wir)\b", "how many calls were there"),
    (r"\bwie oft schreib(?:t|en)(?P<who>\b[^?!.]*)", r"how often does\g<who> write"),
    (
        rf"\bwie ?viele nachrichten (?:schreib|schick|send)(?:e?t|en)(?P<who>\b.*?) {_A_UNIT}",
        lambda found: (
            f"how many messages does{found['who']} send a {_UNITS[found['unit'].lower()]}"
        ),
    ),
    (
        rf"\bwie ?viele nachrichten {_A_UNIT} (?:schreib|schick|send)(?:e?t|en)(?P<who>\b[^?!.]*)",
        lambda found: (
            f"how many messages a {_UNITS[found['unit'].lower()]} does{found['who']} send"
        ),
    ),
    (
        (
            r"\bwie lange (?:ist es her|liegt)?(?:,? (?:seit|dass) )?(?:ist )?die letzte nachricht\b"
            r"(?P<whose>.*?)(?: her| zurück)?(?=\W*$)"
        ),
        r"how long ago was the last message\g<whose>",
    ),
    (
        (
            r"^\W*ha(?:be|t|ben|bt) (?P<one>\S+) (?P<more>mehr|weniger)(?: nachrichten)?"
            rf"(?: (?:{'|'.join(_SAID)}))? als (?P<other>\S+?)(?: (?:{'|'.join(_SAID)}))?(?=\W*$)"
        ),
        lambda found: (
            f"did {found['one']} write {'more' if found['more'].lower() == 'mehr' else 'less'}"
            f" than {found['other']}"
        ),
    ),
    (rf"\bwer hat{LEFT} (?:noch )?(?:nie|nichts){LEFT} {_WRITTEN}", "who never wrote"),
    (rf"\bwer hat{LEFT} zuletzt {_WRITTEN}", "who wrote the last message"),
    (rf"\bwer hat an (\S+) zuletzt {_WRITTEN}", r"who wrote to \1 last"),
    (r"\bwer schreibt an (\S+) (?:am|die) meisten(?: nachrichten)?\b", r"who writes to \1 most"),
    (r"\bwas war die letzte nachricht\b", "what was the last message"),
    (
        rf"^\W*(?:die )?{FIRST_OR_LAST}e nachricht\b",
        lambda found: f"the {first_or_last(found)} message",
    ),
    (rf"^\W*wie ?viele nachrichten(?: insgesamt)?{LEFT}(?=\W*$)", "how many messages are there"),
    (
        r"^\W*wie ?viele nachrichten (?:sind|waren|kamen|kommen) nicht von\b",
        "how many messages are not from",
    ),
    (
        rf"^\W*wie ?viele nachrichten (?:enthalten|mit) (?:(?:das|dem) wort )?(?P<word>{WORD})",
        r"how many messages mention \g<word>",
    ),
    (
        (
            rf"^\W*(?:{SHOW} )?alles,? was(?P<who>\b.*?){LEFT}"
            r" (?:gesagt|geschrieben|geschickt|gepostet) ha(?:t|be|ben|bt)\b"
        ),
        r"everything\g<who> said",
    ),
    (
        (
            rf"\b(?:(?:was|welche) (?:sind|waren) |{SHOW} )?"
            rf"die {FIRST_OR_LAST}en"
            rf"(?: (?P<number>\d+|paar|{'|'.join(_NUMBERS)}))? nachrichten\b"
        ),
        lambda found: f"the {first_or_last(found)} {_listed(found['number'])} messages",
    ),
    (r"\bwie ?viele nachrichten (?:gibt es|sind)\b(?! nicht)", "how many messages are there"),
    (
        rf"\bwer antwortet{LEFT} am (schnell|langsam)sten\b",
        lambda found: f"who replies {'fastest' if found[1].lower() == 'schnell' else 'slowest'}",
    ),
    (
        r"\bwas (?:ist|war) die (längste|kürzeste) nachricht\b",
        lambda found: f"what is the {_LENGTHS[found[1].lower()]} message",
    ),
    (
        rf"\bwer schreibt{LEFT} die (längste|kürzeste)n nachrichten\b",
        lambda found: f"who writes the {_LENGTHS[found[1].lower()]} messages",
    ),
    (
        rf"\bwer (?:benutzt|verwendet|schickt){LEFT} die meisten emojis?\b",
        "who uses the most emoji",
    ),
    (
        (
            r"\bwelche[sn]? emojis? (?:benutz|verwende|schick|schreib)e?(?:t|n)?(?P<who>\b.*?)"
            r" am (?:meisten|häufigsten)\b"
        ),
        r"which emoji does\g<who> use most",
    ),
)
_WORDS = {
    "mit": "with", "bei": "with", "und": "and", "oder": "or", "wir": "we", "ihr": "you", "uns": "us",
    "von": "from", "an": "to", "zu": "to", "im": "in", "am": "on", "der": "the", "die": "the", "das": "the",
    "den": "the", "dem": "the", "zwischen": "between", "unser": "our", "unsere": "our",
    "nachrichten": "messages", "alles": "all",
    "gespräche": "conversations", "alle": "everyone", "allen": "everyone", "neulich": "lately",
    "gruppe": "group", "jemand": "anyone", "irgendjemand": "anyone", "irgendwer": "anyone", "je": "ever",
}  # fmt: skip
_WORD = lazy(rf"\b(?:{'|'.join(_WORDS)})\b", _IGNORED)


def in_english(text: str) -> str:
    """A German question of these forms in English words, its names as they are; any other text unchanged.

    "Was hat Lena zuletzt geschrieben?" → "what did Lena last write?"; its times are to be taken out before.
    """
    text = " ".join(text.split())
    asked = _ASKED.sub(_in_order, files_in_english(text))
    for form, by in _FORMS:
        asked = re.sub(form, by, asked, flags=_IGNORED)
    return text if asked == text else _WORD.sub(lambda word: _WORDS[word[0].lower()], asked)


def _listed(said: str | None) -> str:
    """How many messages are to be listed."""
    low = (said or "paar").lower()
    return str(_NUMBERS.get(low, low.replace("paar", "few")))


def _in_order(found: re.Match[str]) -> str:
    """The English question, with its verb after the subject."""
    asks = _ASKS.get(found["asks"].lower(), "how many messages")
    last = " last" if found["last"] or found["late"] else ""
    return f"{asks} did{found['who']}{last} {_SAID[found['verb'].lower()]}{found['to'] or ''}"

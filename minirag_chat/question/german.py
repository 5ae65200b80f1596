"""German questions about the messages, in the English words by which such questions are recognised."""

from __future__ import annotations

import re
from collections.abc import Callable

from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.german_files import files_in_english
from minirag_chat.question.marks import SIGN, WORD

_IGNORED = re.IGNORECASE
_SAID = {
    "geschrieben": "write", "gesendet": "send", "geschickt": "send", "gesagt": "say", "gepostet": "post",
    "geredet": "talk", "gesprochen": "talk", "besprochen": "discuss", "diskutiert": "discuss",
    "unterhalten": "talk",
}  # fmt: skip
_ASKS = {"was": "what", "wor\u00fcber": "what", "wovon": "what", "wann": "when"}
_WRITTEN = rf"(?P<verb>{'|'.join(_SAID)})\b"
_LEFT = r"(?: (?:im|in|am|an|zu|um|von|seit|bis|everyone)){0,3}"  # of a time or a chat
_MENTIONED = r"(?:erw\u00e4hnt|gesagt|geschrieben|benutzt|verwendet|gesendet|geschickt)\b"
_ASKED = lazy(
    rf"\b(?P<asks>{'|'.join(_ASKS)}|wie ?viele nachrichten) (?:habe|hat|haben|habt)(?P<who>\b.*?)"
    rf"(?P<last> zuletzt)?{_LEFT}(?P<to> (?:mit|an|zu|von) .*?)?(?P<late> zuletzt)?{_LEFT} {_WRITTEN}",
    _IGNORED,
)
_UNITS = {
    "monat": "month", "jahr": "year", "tag": "day", "wochentag": "day of the week", "woche": "week",
}  # fmt: skip
_MARKED = {"gel\u00f6scht": "deleted", "bearbeitet": "edited"}
_LENGTHS = {"l\u00e4ngste": "longest", "k\u00fcrzeste": "shortest"}
_SHOW = r"(?:zeige?|liste|lies|gib)(?: (?:mir|uns))?(?: bitte)?"
_NUMBERS = "zwei drei vier f\u00fcnf sechs sieben acht neun zehn".split()
_ENDS = {"l": "last", "n": "last", "e": "first"}
_A_UNIT = rf"(?:pro|je|jede[nrs]?|am|im|in der) (?P<unit>{'|'.join(_UNITS)})\b"
_WHICH_UNIT = rf"\b(?:(?:in|an|zu) )?welche[mrn]? (?P<unit>{'|'.join(_UNITS)})"
_HAD_MOST = rf"{_WHICH_UNIT} (?:hatte|hat|gab es) die meisten nachrichten"
_BUSIEST = (
    rf"{_WHICH_UNIT} (?:habe|hat|haben)(?P<who>\b.*?)"
    rf"{_LEFT} (?:am|die) meisten(?: nachrichten)?{_LEFT} {_WRITTEN}"
)
_FORMS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bwas gibt(?: e|['\u2019])?s(?: so| alles)? neues\b", "what is new"),
    (r"^\W*was war(?: (?:im|in|am|an|um)){0,3}(?=\W*$)", "what happened"),
    (
        (
            r"\bwas (?:haben|hatten) wir{LEFT} vor(?=\W*$)|\bwas steht{LEFT} an(?=\W*$)"
            r"|^\W*(?:(?:die|unsere|meine) )?pl(?:an|\u00e4ne)(?: f\u00fcr(?: den)?)?{LEFT}(?=\W*$)"
            r"|\bwas ist{LEFT} geplant(?=\W*$)|\bwelche pl\u00e4ne (?:haben wir|gibt es)\b"
        ).replace("{LEFT}", _LEFT),
        "what are the plans",
    ),
    (r"\bworum (?:ging|geht) es\b(?=\W*\w)", "what was discussed"),
    (
        (
            r"^\W*(?:(?:gib|gebt|schick|schreib)e?(?: (?:mir|uns))? )?(?:bitte )?(?:eine? )?(?:kurzen? )?"
            r"(?:zusammenfassung|\u00fcberblick)\b(?: (?:vom|von|des|der)\b)?"
        ),
        "summary",
    ),
    (r"\bwas (?:ist|war)((?: \w+){0,2}) (?:passiert|los|geschehen)\b", r"what happened\1"),
    (r"\bfass(?:e|t)?(?: (?:uns|bitte|mal))*\b(.*?)\bzusammen\b", r"summarize\1"),
    (
        rf"\bwer hat{_LEFT} (?:am meisten|die meisten|mehr)(?: nachrichten)?{_LEFT} {_WRITTEN}",
        "who wrote most",
    ),
    (
        rf"\bwer hat{_LEFT} (?:am wenigsten|die wenigsten|weniger)(?: nachrichten)?{_LEFT} {_WRITTEN}",
        "who wrote fewest",
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
        rf"\bwer schreibt{_LEFT} (?:am meisten|die meisten|mehr)(?: nachrichten)?\b",
        "who writes most",
    ),
    (
        rf"\bwer schreibt{_LEFT} (?:am wenigsten|die wenigsten|weniger)(?: nachrichten)?\b",
        "who writes fewest",
    ),
    (
        rf"^\W*ha(?:be|t|ben|bt)(?P<who>\b.*?){_LEFT} (?:irgend)?etwas{_LEFT} ge(?:schrieben|postet)\b",
        r"did\g<who> write anything",
    ),
    (
        (
            rf"\bwie oft (?:habe|hat|haben|habt)(?P<who>\b.*?){_LEFT} (?:das wort )?(?P<word>[{WORD}{SIGN}])"
            rf"{_LEFT} {_MENTIONED}"
        ),
        r"how often did\g<who> say \g<word>",
    ),
    (
        (
            rf"^\W*ha(?:be|t|ben|bt)(?P<who>\b.*?){_LEFT} (?:je(?:mals)? )?(?:das wort )?"
            rf"(?P<word>[{WORD}{SIGN}]){_LEFT} {_MENTIONED}"
        ),
        r"did\g<who> say \g<word>",
    ),
    (
        (
            rf"\bwhen did(?P<who>\b.*?) (?P<end>zuerst|zum ersten mal|zuletzt|zum letzten mal)"
            rf"{_LEFT} \u00fcber (?:(?:der|die|das|den|dem) )?(?P<word>{WORD}) (?:talk|write|discuss|say)\b"
        ),
        lambda found: f"when did{found['who']} {_end(found)} talk about {found['word']}",
    ),
    (
        (
            rf"\bwann wurde (?:(?:der|die|das) )?(?P<word>[{WORD}{SIGN}])"
            rf" (?P<end>zuerst|zum ersten mal|zuletzt|zum letzten mal){_LEFT} (?:{_MENTIONED}|besprochen\b)"
        ),
        lambda found: f"when was {found['word']} {_end(found)} mentioned",
    ),
    (
        r"\bwie ?viele nachrichten (?:wurden|sind) (?:worden )?(?P<mark>gel\u00f6scht|bearbeitet)\b",
        lambda found: f"how many messages were {_MARKED[found['mark'].lower()]}",
    ),
    (
        (
            r"\bwie ?viele nachrichten (?:habe|hat|haben|habt)(?P<who>\b.*?)"
            rf"{_LEFT} (?P<mark>gel\u00f6scht|bearbeitet)\b"
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
            r"(?P<whose>.*?)(?: her| zur\u00fcck)?(?=\W*$)"
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
    (rf"\bwer hat{_LEFT} (?:noch )?(?:nie|nichts){_LEFT} {_WRITTEN}", "who never wrote"),
    (rf"\bwer hat{_LEFT} zuletzt {_WRITTEN}", "who wrote the last message"),
    (rf"\bwer hat an (\S+) zuletzt {_WRITTEN}", r"who wrote to \1 last"),
    (r"\bwer schreibt an (\S+) (?:am|die) meisten(?: nachrichten)?\b", r"who writes to \1 most"),
    (r"\bwas war die letzte nachricht\b", "what was the last message"),
    (
        r"^\W*(?:die )?(?P<end>letzt|neue?st|erst)e nachricht\b",
        lambda found: f"the {_ENDS[found['end'][0].lower()]} message",
    ),
    (rf"^\W*wie ?viele nachrichten(?: insgesamt)?{_LEFT}(?=\W*$)", "how many messages are there"),
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
            rf"^\W*(?:{_SHOW} )?alles,? was(?P<who>\b.*?){_LEFT}"
            r" (?:gesagt|geschrieben|geschickt|gepostet) ha(?:t|be|ben|bt)\b"
        ),
        r"everything\g<who> said",
    ),
    (
        (
            rf"\b(?:(?:was|welche) (?:sind|waren) |{_SHOW} )?"
            r"die (?P<end>letzt|neue?st|erst)en"
            rf"(?: (?P<number>\d+|paar|{'|'.join(_NUMBERS)}))? nachrichten\b"
        ),
        lambda found: f"the {_ENDS[found['end'][0].lower()]} {_listed(found['number'])} messages",
    ),
    (r"\bwie ?viele nachrichten (?:gibt es|sind)\b(?! nicht)", "how many messages are there"),
    (
        rf"\bwer antwortet{_LEFT} am (schnell|langsam)sten\b",
        lambda found: f"who replies {'fastest' if found[1].lower() == 'schnell' else 'slowest'}",
    ),
    (
        r"\bwas (?:ist|war) die (l\u00e4ngste|k\u00fcrzeste) nachricht\b",
        lambda found: f"what is the {_LENGTHS[found[1].lower()]} message",
    ),
    (
        rf"\bwer schreibt{_LEFT} die (l\u00e4ngste|k\u00fcrzeste)n nachrichten\b",
        lambda found: f"who writes the {_LENGTHS[found[1].lower()]} messages",
    ),
    (
        rf"\bwer (?:benutzt|verwendet|schickt){_LEFT} die meisten emojis?\b",
        "who uses the most emoji",
    ),
    (
        (
            r"\bwelche[sn]? emojis? (?:benutz|verwende|schick|schreib)e?(?:t|n)?(?P<who>\b.*?)"
            r" am (?:meisten|h\u00e4ufigsten)\b"
        ),
        r"which emoji does\g<who> use most",
    ),
)
_WORDS = {
    "mit": "with", "bei": "with", "und": "and", "oder": "or", "wir": "we", "ihr": "you", "uns": "us",
    "von": "from", "an": "to", "zu": "to", "im": "in", "am": "on", "der": "the", "die": "the", "das": "the",
    "den": "the", "dem": "the", "zwischen": "between", "unser": "our", "unsere": "our",
    "nachrichten": "messages", "alles": "all",
    "gespr\u00e4che": "conversations", "alle": "everyone", "allen": "everyone", "neulich": "lately",
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


def _end(found: re.Match[str]) -> str:
    """Whether the first or the last time is asked for."""
    return "first" if "erst" in found["end"].lower() else "last"


def _listed(said: str | None) -> str:
    """How many messages are to be listed."""
    low = (said or "paar").lower()
    return str(_NUMBERS.index(low) + 2) if low in _NUMBERS else low.replace("paar", "few")


def _in_order(found: re.Match[str]) -> str:
    """With the verb behind who speaks, as in English."""
    asks = _ASKS.get(found["asks"].lower(), "how many messages")
    last = " last" if found["last"] or found["late"] else ""
    return f"{asks} did{found['who']}{last} {_SAID[found['verb'].lower()]}{found['to'] or ''}"

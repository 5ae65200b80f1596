"""German questions about the messages, in the English words by which such questions are recognised.

Each form is a regular expression with the English question below it, in which ``{who}`` is what the group of
this name has found: a name as it is, of other groups the English word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.placeholders import SIGN, WORD
from minirag_chat.times.number_words import FOREIGN

_VERBS = {
    "geschrieben": "write", "gesendet": "send", "geschickt": "send", "gesagt": "say", "gepostet": "post",
    "geredet": "talk", "gesprochen": "talk", "besprochen": "discuss", "diskutiert": "discuss",
    "unterhalten": "talk",
}  # fmt: skip
_UNITS = {
    "monat": "month", "jahr": "year", "tag": "day", "wochentag": "day of the week", "woche": "week",
}  # fmt: skip
_MUCH = {"meisten": "most", "wenigsten": "fewest", "mehr": "more", "weniger": "fewer"}
_FILES = {
    "foto": "photo", "fotos": "photos", "bild": "photo", "bilder": "photos", "bildern": "photos",
    "video": "video", "videos": "videos", "videonachricht": "video message",
    "videonachrichten": "video messages",
    "sprachnachricht": "voice note", "sprachnachrichten": "voice notes", "sprachmemo": "voice note",
    "sprachmemos": "voice notes", "sticker": "sticker", "stickern": "stickers", "gif": "gif", "gifs": "gifs",
    "datei": "file", "dateien": "files", "anhang": "file", "anhänge": "files", "link": "link",
    "links": "links", "emoji": "emoji", "emojis": "emojis", "herz": "heart", "herzen": "hearts",
    "audiodatei": "audio file", "audiodateien": "audio files",
}  # fmt: skip
_NUMBERS = FOREIGN["de"]
_ENGLISH: Mapping[str, Mapping[str, str]] = {
    "asks": {"was": "what", "worüber": "what", "wovon": "what", "wann": "when"},
    "verb": _VERBS,
    "unit": _UNITS,
    "much": _MUCH,
    "more": {"mehr": "more", "weniger": "less"},
    "mark": {"gelöscht": "deleted", "bearbeitet": "edited"},
    "length": {"längste": "longest", "kürzeste": "shortest"},
    "speed": {"schnell": "fastest", "langsam": "slowest"},
    "number": {"paar": "few", **{word: str(number) for word, number in _NUMBERS.items()}},
    "file": _FILES,
}
"""The English word of each that a group of this name finds."""

_HAS = r"(?:habe|hat|haben|habt)"
_LEFT = r"(?: (?:im|in|am|an|zu|um|von|seit|bis|schon|jemals|(?<!haben )alle|everyone)){0,3}"
"""What is left of a time or a chat, or asks for nothing more; in "haben alle" the "alle" is the subject."""
_SHOW = r"(?:zeige?|liste|lies|such|finde?|gib)(?: (?:mir|uns))?(?: bitte)?(?: mal)?"
_END = r"(?P<end>letzt|neue?st|erst)"
_END_OF_ONE = rf"{_END}e[nrs]?"
_END_OF_TIME = r"(?P<end>zuerst|zum ersten mal|zuletzt|zum letzten mal)"
_WHO = r"(?P<who>\b.*?)"
_TO = r"(?P<to> (?:mit|an|zu) .*?)?"
_WRITTEN = rf"(?P<verb>{'|'.join(_VERBS)})\b"
_MENTIONED = r"(?:erwähnt|gesagt|geschrieben|benutzt|verwendet|gesendet|geschickt)\b"
_THE = r"(?:(?:der|die|das|den|dem) )?"
_SAID = rf"(?P<word>[{WORD}{SIGN}])"
_MOST = rf"(?P<much>{'|'.join(_MUCH)})"
_A_UNIT = rf"(?:pro|je|jede[nrs]?|am|im|in der) (?P<unit>{'|'.join(_UNITS)})\b"
_WHICH_UNIT = rf"\b(?:(?:in|an|zu) )?welche[mrn]? (?P<unit>{'|'.join(_UNITS)})"
_FILE = rf"(?P<file>{'|'.join(sorted(_FILES, key=len, reverse=True))})\b"
_A = r"(?:(?:ein|eine|einen|irgendein|irgendeine|irgendeinen|irgendwelche|mal) )*"
_SENT = r"(?:ge(?:schickt|sendet|teilt|postet|schrieben)|verschickt|versendet|benutzt|verwendet)\b"

# "{files}" is the plural of the group "file", which German may write as its singular: "die Sticker".
_OF_FILES = rf"""
    \bwie ?viele {_FILE} {_HAS}{_WHO}{_LEFT}{_TO}{_LEFT} {_SENT}
        => how many {{files}} did{{who}} send{{to}}
    \bwie ?viele {_FILE} (?:gibt es|sind es|wurden{_LEFT} {_SENT}|sind{_LEFT} {_SENT})
        => how many {{files}} are there
    \bwer (?:hat|schickt|sendet|teilt|postet|benutzt|verwendet){_LEFT} (?:die )?{_MOST} {_FILE}{_LEFT}
            (?: {_SENT})?
        => who sent {{much}} {{files}}
    \bwer hat{_LEFT} (?:das|die|den) {_END_OF_ONE} {_FILE}{_LEFT} {_SENT}
        => who sent the {{end}} {{file}}
    \bwer hat{_LEFT} zuletzt {_A}{_FILE}{_LEFT} {_SENT}
        => who sent the last {{file}}
    \bwann {_HAS}{_WHO} {_END_OF_TIME} {_A}{_FILE}{_TO}{_LEFT} {_SENT}
        => when did{{who}} {{end}} send a {{file}}{{to}}
    \bwann {_HAS}{_WHO} (?:das|die|den) {_END_OF_ONE} {_FILE}{_TO}{_LEFT} {_SENT}
        => when did{{who}} {{end}} send a {{file}}{{to}}
    \bwelche[sn]? {_FILE} {_HAS}{_WHO}{_LEFT}{_TO}{_LEFT} {_SENT}
        => which {{files}} did{{who}} send{{to}}
    \bwer hat{_LEFT} {_A}{_FILE}{_LEFT} {_SENT}
        => who sent {{files}}
    ^\W*{_HAS}{_WHO}{_LEFT} {_A}{_FILE}{_TO}{_LEFT} {_SENT}
        => did{{who}} send {{files}}{{to}}
    \b{_SHOW} (?:(?:die|alle|everyone|all|unsere) ){{0,2}}{_FILE}(?!\s+(?:mit|vom|über|auf)\b)
        => show me the {{files}}
    ^\W*(?:(?:die|alle|irgendwelche) )?{_FILE}(?=(?: von .*?)?(?: (?:im|in|am|aus|vom)){{0,2}}\W*$)
        => the {{files}}
    \bwas (?:ist|war) (?:das|die|der) {_END_OF_ONE} {_FILE}
        => what was the {{end}} {{file}}
"""
_OF_MESSAGES = rf"""
    \b(?P<asks>was|worüber|wovon|wann) {_HAS}{_WHO}(?P<last> zuletzt)?{_LEFT}(?P<to> (?:mit|an|zu|von) .*?)?
            (?P<late> zuletzt)?{_LEFT} {_WRITTEN}
        => {{asks}} did{{who}}{{last}} {{verb}}{{to}}
    \bwie ?viele nachrichten {_HAS}{_WHO}(?P<last> zuletzt)?{_LEFT}(?P<to> (?:mit|an|zu|von) .*?)?
            (?P<late> zuletzt)?{_LEFT} {_WRITTEN}
        => how many messages did{{who}}{{last}} {{verb}}{{to}}
    \bwas gibt(?: e|['\u2019])?s(?: so| alles)? neues\b
        => what is new
    ^\W*was war(?: (?:im|in|am|an|um)){{0,3}}(?=\W*$)
        => what happened
    \bwas (?:haben|hatten) wir{_LEFT} vor(?=\W*$)|\bwas steht{_LEFT} an(?=\W*$)
            |^\W*(?:(?:die|unsere|meine) )?pl(?:an|äne)(?: für(?: den)?)?{_LEFT}(?=\W*$)
            |\bwas ist{_LEFT} geplant(?=\W*$)|\bwelche pläne (?:haben wir|gibt es)\b
        => what are the plans
    \bworum (?:ging|geht) es\b(?=\W*\w)
        => what was discussed
    ^\W*(?:(?:gib|gebt|schick|schreib)e?(?: (?:mir|uns))? )?(?:bitte )?(?:eine? )?(?:kurzen? )?
            (?:zusammenfassung|überblick)\b(?: (?:vom|von|des|der)\b)?
        => summary
    \bwas (?:ist|war)(?P<rest>(?: \w+){{0,2}}) (?:passiert|los|geschehen)\b
        => what happened{{rest}}
    \bfass(?:e|t)?(?: (?:uns|bitte|mal))*\b(?P<rest>.*?)\bzusammen\b
        => summarize{{rest}}
    \bwer hat{_LEFT} (?:(?:am|die) )?{_MOST}(?: nachrichten)?{_LEFT} {_WRITTEN}
        => who wrote {{much}}
    \bwer schreibt{_LEFT} (?:(?:am|die) )?{_MOST}(?: nachrichten)?\b
        => who writes {{much}}
    {_WHICH_UNIT} war(?:en)? (?:am aktivsten|de[rn] aktivsten?|die aktivsten?)
        => which {{unit}} was most active
    {_WHICH_UNIT} (?:habe|hat|haben){_WHO}{_LEFT} (?:am|die) meisten(?: nachrichten)?{_LEFT} {_WRITTEN}
        => which {{unit}} did{{who}} write most
    \bwann schreib(?:t|en){_WHO} (?:am|die) meisten(?: nachrichten)?\b
        => when do{{who}} write most
    {_WHICH_UNIT} (?:hatte|hat|gab es) die meisten nachrichten
        => which {{unit}} had most messages
    ^\W*{_HAS}{_WHO}{_LEFT} (?:irgend)?etwas{_LEFT} ge(?:schrieben|postet)\b
        => did{{who}} write anything
    \bwie oft {_HAS}{_WHO}{_LEFT} (?:das wort )?{_SAID}{_LEFT} {_MENTIONED}
        => how often did{{who}} say {{word}}
    ^\W*{_HAS}{_WHO}{_LEFT} (?:je(?:mals)? )?(?:das wort )?{_SAID}{_LEFT} {_MENTIONED}
        => did{{who}} say {{word}}
    \bwhen did{_WHO} {_END_OF_TIME}{_LEFT} über {_THE}(?P<word>{WORD}) (?:talk|write|discuss|say)\b
        => when did{{who}} {{end}} talk about {{word}}
    \bwann wurde (?:(?:der|die|das) )?{_SAID} {_END_OF_TIME}{_LEFT} (?:{_MENTIONED}|besprochen\b)
        => when was {{word}} {{end}} mentioned
    \bwie ?viele nachrichten (?:wurden|sind) (?:worden )?(?P<mark>gelöscht|bearbeitet)\b
        => how many messages were {{mark}}
    \bwie ?viele nachrichten {_HAS}{_WHO}{_LEFT} (?P<mark>gelöscht|bearbeitet)\b
        => how many messages did{{who}} {{mark}}
    \bwie ?viele (?:verpasste )?anrufe (?:gab es|hatten wir)\b
        => how many calls were there
    \bwie oft schreib(?:t|en)(?P<who>\b[^?!.]*)
        => how often does{{who}} write
    \bwie ?viele nachrichten (?:schreib|schick|send)(?:e?t|en){_WHO} {_A_UNIT}
        => how many messages does{{who}} send a {{unit}}
    \bwie ?viele nachrichten {_A_UNIT} (?:schreib|schick|send)(?:e?t|en)(?P<who>\b[^?!.]*)
        => how many messages a {{unit}} does{{who}} send
    \bwie lange (?:ist es her|liegt)?(?:,? (?:seit|dass) )?(?:ist )?die letzte nachricht\b(?P<whose>.*?)
            (?: her| zurück)?(?=\W*$)
        => how long ago was the last message{{whose}}
    ^\W*ha(?:be|t|ben|bt) (?P<one>\S+) (?P<more>mehr|weniger)(?: nachrichten)?(?: (?:{"|".join(_VERBS)}))?
            (?: als (?P<other>\S+?))(?: (?:{"|".join(_VERBS)}))?(?=\W*$)
        => did {{one}} write {{more}} than {{other}}
    \bwer hat{_LEFT} (?:noch )?(?:nie|nichts){_LEFT} {_WRITTEN}
        => who never wrote
    \bwer hat{_LEFT} zuletzt {_WRITTEN}
        => who wrote the last message
    \bwer hat an (?P<whom>\S+) zuletzt {_WRITTEN}
        => who wrote to {{whom}} last
    \bwer schreibt an (?P<whom>\S+) (?:am|die) meisten(?: nachrichten)?\b
        => who writes to {{whom}} most
    \bwas war die letzte nachricht\b
        => what was the last message
    ^\W*(?:die )?{_END}e nachricht\b
        => the {{end}} message
    ^\W*wie ?viele nachrichten(?: insgesamt)?{_LEFT}(?=\W*$)
        => how many messages are there
    ^\W*wie ?viele nachrichten (?:sind|waren|kamen|kommen) nicht von\b
        => how many messages are not from
    ^\W*wie ?viele nachrichten (?:enthalten|mit) (?:(?:das|dem) wort )?(?P<word>{WORD})
        => how many messages mention {{word}}
    ^\W*(?:{_SHOW} )?alles,? was{_WHO}{_LEFT} (?:gesagt|geschrieben|geschickt|gepostet) ha(?:t|be|ben|bt)\b
        => everything{{who}} said
    \b(?:(?:was|welche) (?:sind|waren) |{_SHOW} )?die {_END}en(?: (?P<number>\d+|paar|{"|".join(_NUMBERS)}))?
            (?: nachrichten)\b
        => the {{end}} {{number}} messages
    \bwie ?viele nachrichten (?:gibt es|sind)\b(?! nicht)
        => how many messages are there
    \bwer antwortet{_LEFT} am (?P<speed>schnell|langsam)sten\b
        => who replies {{speed}}
    \bwas (?:ist|war) die (?P<length>längste|kürzeste) nachricht\b
        => what is the {{length}} message
    \bwer schreibt{_LEFT} die (?P<length>längste|kürzeste)n nachrichten\b
        => who writes the {{length}} messages
    \bwer (?:benutzt|verwendet|schickt){_LEFT} die meisten emojis?\b
        => who uses the most emoji
    \bwelche[sn]? emojis? (?:benutz|verwende|schick|schreib)e?(?:t|n)?{_WHO} am (?:meisten|häufigsten)\b
        => which emoji does{{who}} use most
"""
_WORDS = {
    "mit": "with", "bei": "with", "und": "and", "oder": "or", "wir": "we", "ihr": "you", "uns": "us",
    "von": "from", "an": "to", "zu": "to", "im": "in", "am": "on", "der": "the", "die": "the", "das": "the",
    "den": "the", "dem": "the", "zwischen": "between", "unser": "our", "unsere": "our",
    "nachrichten": "messages", "alles": "all",
    "gespräche": "conversations", "alle": "everyone", "allen": "everyone", "neulich": "lately",
    "gruppe": "group", "jemand": "anyone", "irgendjemand": "anyone", "irgendwer": "anyone", "je": "ever",
}  # fmt: skip
_WORD = any_case(rf"\b(?:{'|'.join(_WORDS)})\b")
_PLACE = lazy(r"\{(\w+)\}")


def in_english(text: str) -> str:
    """A German question of these forms in English words, its names as they are; any other text unchanged.

    "Was hat Lena zuletzt geschrieben?" → "what did Lena last write?"; its times are to be taken out before.
    """
    text = " ".join(text.split())
    asked = text
    for form, filled in _FORMS:
        asked = form.sub(filled, asked)
    return text if asked == text else _WORD.sub(lambda word: _WORDS[word[0].lower()], asked)


def _forms(table: str) -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]:
    """Each form of a table, and what makes the English question of a match."""
    forms, written = [], ""
    for line in map(str.strip, table.strip().splitlines()):
        if line.startswith("=> "):
            forms.append((any_case(written), _filling(line.removeprefix("=> "))))
            written = ""
        else:
            written += line
    return forms


def _filling(question: str) -> Callable[[re.Match[str]], str]:
    """Fills an English question with what a form has found."""
    return lambda found: _PLACE.sub(
        lambda place: _in_english(place[1], found.groupdict()), question
    )


def _in_english(group: str, parts: Mapping[str, str | None]) -> str:
    """What a group has found, in English; empty if it has found nothing."""
    if group == "files":
        return f"{_in_english('file', parts).removesuffix('s')}s"
    if group == "last":
        return " last" if parts["last"] or parts["late"] else ""
    said = (parts[group] or ("paar" if group == "number" else "")).lower()
    if group == "end":
        return "first" if "erst" in said else "last"
    return _ENGLISH[group].get(said, said) if group in _ENGLISH else parts[group] or ""


_FORMS = [*_forms(_OF_FILES), *_forms(_OF_MESSAGES)]

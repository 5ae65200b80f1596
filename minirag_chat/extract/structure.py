"""Entities and entity–chunk edges without a model: names, quotes, times, amounts, links, places.

The default extractor. The description d_eβ of an entity is the sentence that names it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import itemgetter

import regex

from minirag_chat.common_words import is_stressed
from minirag_chat.extract import LONGEST_NAME
from minirag_chat.extract.sentences import SENTENCE
from minirag_chat.lazy_patterns import lazy, lazy_regex
from minirag_chat.names import PersonIndex, without_possessive
from minirag_chat.records import EntityType, Mention, Message
from minirag_chat.times import message_times
from minirag_chat.times.names_of_days import MONTHS, WEEKDAYS
from minirag_chat.times.patterns import GIVEN_NAMES, SHORT_DAYS

_QUOTED = lazy(
    r"[\"\u201c\u00ab\u300c\u300a]([^\"\u201c\u201d\u00ab\u00bb\u300d\u300b\n]{2,60})[\"\u201d\u00bb\u300d\u300b]"
)
LINK = lazy(r"\b(?:https?://|www\.)[^\s<>\"')\]]+", re.IGNORECASE)
_AMOUNT = lazy_regex(
    r"\p{Sc}\s?\d[\d.,]{0,20}(?:k\b)?|\b\d[\d.,]{0,20}\s?(?:k\b\s?)?"
    r"(?:(?<=[\dk])\p{Sc}|\p{Sc}(?!\d)|(?:dollars?|bucks|euros?|pounds?|quid|yuan|"
    r"francs?|franken|kr|k\u010d|z\u0142|eur|usd|gbp|chf|pln|sek|nok|dkk|czk|jpy|cny|inr|"
    r"percent|%|km|kg|kcal|minutes?|mins?|hours?|people|servings?)(?!\w))",
    regex.IGNORECASE,
)
# Whether a text may have an amount: `regex` looks for one in ten times the time.
_MAY_BE_AMOUNT = lazy(r"\d[.,]*\s?[^\s\d.,]|[^\w\s]\s?\d")
_PROPER = lazy_regex(
    r"\b\p{Lu}[\w'\u2019\-]*(?:(?:[^\S\n]+(?:of|the|and|de|del|la|le|du|van|von|&))?[^\S\n]+"
    r"(?:\p{Lu}[\w'\u2019\-]*|\d{1,4}\b))*"
)
_WORD = lazy(r"\S+")
_PLACE_WORD = lazy(
    r"\b(?:street|st|road|avenue|square|park|beach|station|airport|museum|theat(?:er|re)|cinema|hall|"
    r"caf[e\u00e9]|restaurant|bar|pub|bakery|hotel|library|gym|stadium|market|bridge|garden|lake|river|"
    r"island|centre|center|plaza|mall|hospital|church|school|studio|basement)$",
    re.IGNORECASE,
)
_ORGANISATION_WORD = lazy(
    r"\b(?:inc|ltd|gmbh|llc|university|college|company|bank|committee|association|club|group|team|band)$",
    re.IGNORECASE,
)
_BEFORE_PLACE = lazy(
    r"\b(?:in|at|from|near|to|around|visit(?:ing|ed)?)\s+(?:the\s+)?$", re.IGNORECASE
)
_NOT_A_NAME = frozenset(
    "I I'm I've I'll I'd Hi Hey Hello Yes No Ok Okay Thanks Thank Sure Great Oh Wow Well So And But "
    "Let Let's Just Also Maybe Please Sounds Absolutely Definitely Awesome Perfect Sorry The This "
    "That These Those It It's We We'll We're You You're Your My Our They He She What When Where Who "
    "Why How If As For In On At To Not Do Does Did Is Are Was Can Could Would Should Have Has PM AM "
    "Any All Some Every Sometimes Always Never Each Both After Before Then Now Today Tomorrow "
    "Yesterday Still Here's What's Who's How's She's He's They're We've You've You'll Isn't "
    "Good Nice Cool Haha Lol Looking See Don't Can't That's There There's Here".split()
)
_OF_TIME = frozenset({*MONTHS, *(name[:3] for name in MONTHS), "sept", *WEEKDAYS, *SHORT_DAYS})
_GIVEN_NAMES = GIVEN_NAMES | {"jan"}
MIN_PROPER = 3
_BLANKS = " \t\u00a0\u200e\u200f"  # also the invisible marks that WhatsApp puts before "OPTION:" of a poll
NEAR = 40  # characters before a name that tell its kind

NameSpan = tuple[str, EntityType, int, int]  # name, type, start, end


def mentions(
    message: Message,
    people: PersonIndex,
    participants: frozenset[int],
    names: dict[int, str],
    after: datetime | None = None,
) -> list[Mention]:
    """The entities that ``message`` names, with the position of the sentence that names each.

    ``participants`` are the people of the message's chat, to tell two of the same first name
    apart; ``names`` gives the name of a person by id. ``after`` is a date that the messages before it name.
    """
    text = message.text
    found = list(_marked(text))
    for start, end, owners in people.find(text, participants):
        found += [(names[owner], "person", start, end) for owner in owners]
    found += _times(message, after)
    taken = bytearray(len(text))
    for _name, _kind, start, end in found:
        taken[max(start, 0) : end] = b"x" * (end - max(start, 0))
    named = () if _only_placeholder(message) else _proper_names(text)
    found += [proper for proper in named if b"x" not in taken[proper[2] : proper[3]]]
    sentences = [match.span() for match in SENTENCE.finditer(text)] if found else []
    return [
        Mention(name, kind, message.id, *_sentence_around(sentences, start, end))
        for name, kind, start, end in found
        if len(name) <= LONGEST_NAME
    ]


def _only_placeholder(message: Message) -> bool:
    """Whether the text stands for a file without a name, such as ``<Media omitted>``: it names nothing."""
    return message.wordless and not any(attached.name for attached in message.attachments)


def _sentence_around(sentences: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The offsets of the sentence in which ``start`` lies."""
    left, right = sentences[max(bisect_right(sentences, start, key=itemgetter(0)) - 1, 0)]
    return (left, max(right, end)) if left <= start < right else (start, end)


def _marked(text: str) -> Iterator[NameSpan]:
    """Entities with distinctive marks: links, quoted titles, amounts."""
    if "://" in text or "www." in text.lower():
        for match in LINK.finditer(text):
            yield match.group(), "link", *match.span()
    for match in _QUOTED.finditer(text):
        yield match.group(1).strip(" ,.!?"), "title", *match.span()
    for amount in _AMOUNT.finditer(text) if _MAY_BE_AMOUNT.search(text) else ():
        yield amount.group().strip(" .,"), "amount", *amount.span()


def _times(message: Message, after: datetime | None) -> Iterator[NameSpan]:
    """Dates, also relative ones, resolved against the message's own time."""
    for time in message_times(message.text, message.sent_at, after=after, order=message.date_order):
        yield f"{time.start:%Y-%m-%d}", "time", time.left, time.right


def _proper_names(text: str) -> Iterator[NameSpan]:
    if text.isascii() and text == text.lower():
        return
    for match in _PROPER.finditer(text):
        found = _WORD.finditer(match.group())
        first = next(
            (w for w in found if w.group().replace("\u2019", "'") not in _NOT_A_NAME), None
        )
        if first is None:
            continue
        name, start = match.group()[first.start() :], match.start() + first.start()
        words = name.split()
        if words[-1].replace("\u2019", "'") in _NOT_A_NAME:
            continue
        before = text[max(start - NEAR, 0) : start]
        led = before.rstrip(_BLANKS)
        opens = not led or led[-1] in ".!?:\n\u2026*-"
        kind = _kind(name, before)
        if _is_time(words) and (kind == "place" or words[0].casefold() not in _GIVEN_NAMES):
            continue
        if kind != "place":  # it keeps its 's (Lindqvist's); others lose it (Ottoline's buns)
            name = without_possessive(name)
        if len(name) < MIN_PROPER or (len(words) == 1 and (opens or is_stressed(name))):
            continue
        yield name, kind, start, start + len(name)


def _is_time(words: Sequence[str]) -> bool:
    """Whether a name has only months, weekdays and numbers: one that is no certain date is no place."""
    return all(word.isdigit() or word.casefold() in _OF_TIME for word in words)


def _kind(name: str, before: str) -> EntityType:
    if _ORGANISATION_WORD.search(name):
        return "organisation"
    if _PLACE_WORD.search(name) or _BEFORE_PLACE.search(before[-20:]):
        return "place"
    return "topic"

"""Decides which ``Name:`` lines begin a message, in a chat log without times, from that log alone.

A colon after a few words is weak evidence: it is common in recipes, schedules and lists. The rules below
use the position of the line, the form of the label, and how often it occurs.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from minirag_chat.importers.base import clean_name
from minirag_chat.lazy_patterns import lazy

_Items = Literal["bullets", "labels"]
Shape = Literal["joined", "word", "spaced", "lower", "caps", "letter", "uncased", "phrase"]

_LABEL = lazy(r"(?P<name>[^\s:：][^:：\n]{0,47})(?P<colon>[:：])(?P<rest>.*)")  # noqa: RUF001 - these very marks
_OPENS_LIST = (":", "：")  # noqa: RUF001 - these very marks
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？")  # noqa: RUF001 - these very marks
_BULLET = lazy(r"\s*(?:[-–—*•·▪◦‣>#]|\d{1,3}[.)]|\(?[a-z]\))\s")  # noqa: RUF001 - these very marks
_FORBIDDEN = frozenset('!?,;"()[]{}*#<>/\\|=•…、。！？，；“”„«»')  # noqa: RUF001 - these very marks
_INITIAL = lazy(r"(?:\w{1,4}\.)+")
_PHONE = lazy(r"\+[\d\s-]{6,}")
_PARTICLE_WORDS = "de da do dos del della der den di du la le el al bin ibn van von y e zu ter"
_PARTICLES = frozenset(_PARTICLE_WORDS.split())
# Emoji, their modifiers and joiners; also combining marks, which are not letters.
_EMOJI_CATEGORIES = frozenset(("So", "Sk", "Mn", "Cf", "Cs", "Co"))
_MOST_WORDS = 4
_LONGEST_UNCASED = 8
_REPEATED = 2
# Words that are headings inside messages far more often than names of senders.
_GENERIC_WORDS = """
note notes nb ps tip tips hint warning caution attention important reminder update edit info
fyi eta tldr todo rsvp re subject title name names address date time times when where who what
why how place location venue address phone email mail website link url source sources price
cost total budget question questions answer answers q a example examples summary conclusion
result results reason option options pros cons plan agenda schedule menu recipe ingredients
instructions directions method steps step serves preparation equipment materials supplies
breakfast brunch lunch dinner supper snack snacks dessert drinks appetizer starter main
morning afternoon evening night today tomorrow tonight yesterday weekend weekdays
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
first second third finally also day week month year part bonus quote caption translation
http https www wifi password code pin iban spoiler pro con fact joke topic status result score
youtube linkedin whatsapp instagram facebook tiktok
notiz hinweis achtung wichtig tipp wann wo wer was ort zeit datum adresse betreff zutaten
zubereitung frühstück mittagessen abendessen montag dienstag mittwoch donnerstag freitag
samstag sonntag
nota importante consejo cuándo dónde quién lugar hora fecha dirección asunto ingredientes
preparación desayuno almuerzo cena lunes martes miércoles jueves viernes sábado domingo
remarque attention quand où qui lieu heure date adresse objet ingrédients préparation lundi
mardi mercredi jeudi vendredi samedi dimanche
注意 备注 備註 时间 時間 地点 地點 提醒 重要 材料 步骤 步驟 做法 早餐 午餐 晚餐
メモ 場所 日時 주의 시간 장소
важно внимание время место адрес дата примечание ингредиенты
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())


def is_heading(text: str) -> bool:
    """Whether the words before a colon are a heading in a message rather than a sender."""
    return text.strip().casefold() in _GENERIC


@dataclass(frozen=True, slots=True)
class Label:
    """A line that could begin a message. ``spaced``: there is a space after the colon."""

    name: str
    rest: str
    colon: str
    spaced: bool


def split_label(line: str) -> Label | None:
    """Return the label of a line of the form ``Name: text``, or None if it has none.

    There is none if the line is indented or looks like a list item, or if the label has more than
    four words or the punctuation of a sentence.
    """
    match = _LABEL.match(line.lstrip("\u200e\u200f\ufeff"))
    if match is None or _BULLET.match(line):
        return None
    name, rest = clean_name(match["name"]), match["rest"]
    if not name or len(name.split()) > _MOST_WORDS or not _FORBIDDEN.isdisjoint(name):
        return None
    spaced = not rest or rest[0].isspace() or match["colon"] != ":"
    return Label(name, rest.strip(), match["colon"], spaced) if shape_of(name) else None


@lru_cache(maxsize=4096)
def shape_of(name: str) -> Shape | None:
    """Return the form of a label without emoji, or None if it cannot be a name."""
    words = [word for word in _without_emoji(name).split() if not _INITIAL.fullmatch(word)]
    if not words:
        return "uncased" if len(name.split()) <= 2 and not name.isascii() else None  # noqa: PLR2004 - a first and a last name
    if words[0].isdigit() or not any(c.isalpha() for c in name):
        return "word" if _PHONE.fullmatch(name) else None
    if len(words) == 1:
        return _shape_of_word(words[0])
    if not _has_case(name):
        return "lower"
    plain = words[-1] not in _PARTICLES and not any(w.isdigit() or "." in w for w in words)
    titled = all(word[0].isupper() or word in _PARTICLES for word in words)
    return "spaced" if plain and titled else "phrase"


def _without_emoji(name: str) -> str:
    return "".join(c for c in name if unicodedata.category(c) not in _EMOJI_CATEGORIES)


def _has_case(text: str) -> bool:
    return any(c.isupper() or c.islower() for c in text)


def _shape_of_word(word: str) -> Shape | None:
    letters = [c for c in word if c.isalpha()]
    if not _has_case(word):
        return "uncased" if len(word) <= _LONGEST_UNCASED else None
    if len(letters) == 1:
        return "letter"
    if not word[0].isupper() or "." in word.strip("."):
        return "lower"
    if all(c.isupper() for c in letters):
        return "caps"
    return "joined" if any(a.islower() and b.isupper() for a, b in pairwise(word)) else "word"


def joined(name: str) -> str:
    """Return the name without spaces, as a key for both spellings."""
    return "".join(name.split()).casefold()


class SpeakerRules:
    """The evidence in one log. ``lines`` are its lines without the header.

    ``labels`` are the lines that could begin a message, by index. A log writes one kind of
    colon, that of its first label: the other kind, ``:`` or full width, is text.

    A label is a speaker

    1. if it begins the first message: a log begins with one;
    2. if it returns: it heads two lines that stand like messages (below) and is no common
       heading such as ``Note``, nor a phrase;
    3. if a speaker's name is the same but for spaces or case;
    4. if it heads one line that stands like a message, is no common heading, and is written as
       a name is in this log: a joined name (``AnnaSmith``), a single word or a word of a script
       without case always; with spaces unless the log joins names; in lower case, in capitals
       or in several words of a script without case only if another speaker's is.

    A line stands like a message if text follows the colon, no blank line comes before it (unless
    this log sets its messages apart by them), and it is not in a list. A line that ends with a
    colon opens one if bullets, labels or a few words are below it; it ends where they end, or
    where a known speaker comes.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        split = ((number, split_label(line)) for number, line in enumerate(lines))
        labels = {number: label for number, label in split if label is not None}
        colon = next(iter(labels.values())).colon if labels else ":"
        self.labels: Mapping[int, Label] = {
            number: label for number, label in labels.items() if label.colon == colon
        }

    def speakers(self) -> frozenset[str]:
        """Return the names that begin messages, as they are written, in each spelling."""
        first = next((number for number, line in enumerate(self._lines) if line.strip()), None)
        known: set[str] = set()
        if first is not None and first in self.labels:
            known.add(self.labels[first].name)
        apart = self._messages_apart(known, first)
        known |= self._returning(known, apart=apart)
        known |= self._spellings(known)
        shapes = {shape_of(name) for name in known}
        for _, label in self._standing(known, apart=apart):
            if self._is_written_alike(label, shapes):
                known.add(label.name)
                shapes.add(shape_of(label.name))
        return frozenset(known | self._spellings(known))

    def _messages_apart(self, known: set[str], first: int | None) -> bool:
        """Say whether blank lines set messages apart, by the header's or the first speaker's."""
        if first:
            return True
        later = [
            number
            for number, label in self.labels.items()
            if label.name in known and number != first
        ]
        return bool(later) and all(not self._lines[number - 1].strip() for number in later)

    def _standing(self, known: set[str], *, apart: bool) -> Iterator[tuple[int, Label]]:
        """Yield the labels on lines that stand like messages."""
        items: _Items | None = None
        for number, line in enumerate(self._lines):
            label = self.labels.get(number)
            is_known = label is not None and label.name in known
            if is_known or (line.strip() and self._items_at(number) != items):
                items = None
            after_blank = number > 0 and not self._lines[number - 1].strip()
            if label and label.spaced and label.rest and not items and (apart or not after_blank):
                yield number, label
            if line.rstrip().endswith(_OPENS_LIST):
                items = self._items_below(number)

    def _items_below(self, number: int) -> _Items | None:
        """Return what the list consists of that a line with a colon at its end opens, if any."""
        below = range(number + 1, len(self._lines))
        return next((self._items_at(n) for n in below if self._lines[n].strip()), None)

    def _items_at(self, number: int) -> _Items | None:
        line = self._lines[number]
        if _BULLET.match(line):
            return "bullets"
        is_short = len(line.split()) <= _MOST_WORDS and not line.rstrip().endswith(_SENTENCE_ENDS)
        return "labels" if number in self.labels or is_short else None

    def _returning(self, known: set[str], *, apart: bool) -> set[str]:
        counts = Counter(label.name for _, label in self._standing(known, apart=apart))
        shapes = {shape_of(name) for name in known}
        return {
            name
            for name, count in counts.items()
            if count >= _REPEATED
            and name.casefold() not in _GENERIC
            and (shape := shape_of(name)) != "phrase"
            and (shape != "letter" or "letter" in shapes)
        }

    def _spellings(self, known: set[str]) -> set[str]:
        forms = {joined(name) for name in known}
        return {label.name for label in self.labels.values() if joined(label.name) in forms}

    def _is_written_alike(self, label: Label, shapes: set[Shape | None]) -> bool:
        """Say whether a label is written as a name is in a log with names of these shapes."""
        if not shapes or _without_emoji(label.name).strip().casefold() in _GENERIC:
            return False
        shape = shape_of(label.name)
        if shape in ("joined", "word", "uncased"):
            return True
        if shape == "spaced":
            words = label.name.casefold().split()
            return "joined" not in shapes and _GENERIC.isdisjoint(words)
        return shape in ("lower", "caps") and shape in shapes

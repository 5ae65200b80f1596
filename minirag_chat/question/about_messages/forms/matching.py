"""A question with a mark for each name, without times and chats → what it asks of the messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.about_messages.forms import FORMS
from minirag_chat.question.about_messages.forms.vocabulary import ANY_LAST, PERSON, USUALLY
from minirag_chat.question.placeholders import NAMES, SIGN, WORD
from minirag_chat.records import MOST_LISTED, AskedFor, End, FileKind, Mark, TimeUnit, Wanted
from minirag_chat.times.number_words import NUMBERS

_OR = any_case(r"\bor\b")
_PLACE = lazy(PERSON)
_REST = any_case(
    r"\b(?:please|(?:can|could|would) you|(?:tell|show|give) (?:me|us)|in total|on average|in|on|at|from"
    r"|during|over|for|of|to|the|and|so far|altogether|together|combined|overall|ever|all|exactly|everyone"
    r"|chat|here)\b"
    r"|[.,;:!?\u2026\u00bf\u00a1\uff1f\uff01\u3002\uff0c\u3001'\"\u2018-\u201f\u00ab\u00bb\u2039\u203a()\[\]\-\u2010-\u2015]",
)
"""Words that ask for nothing more, and plain punctuation: any other sign may be what is asked about."""
_MUTUAL = any_case(r"\b(?:exchanged?|each other)\b")
_BETWEEN = any_case(rf"\bbetween {PERSON}")
_TALKED = any_case(
    rf"{PERSON} (?:(?:ever|{ANY_LAST}|{USUALLY}) )?(?:(?P<both>talk(?:ed)?|chat(?:ted)?|sp(?:eak|oke|oken))"
    r"|text(?:ed)?|messaged?)\b",
)
_THAN = any_case(rf"(?P<first>{PERSON})[^{NAMES}]* than (?={PERSON})")
_EITHER = any_case(r"\b(?:or|either)\b")
_OF_TALK: frozenset[AskedFor] = frozenset(
    {"count", "times", "days", "when", "average", "message", "streak"}
)
"""What is asked of which those who talk do so with each other, and are not compared."""
_OF_MESSAGES: frozenset[AskedFor] = frozenset({"count", "message"})
_WHEN_OR_WHO = any_case(r"when|who|how long|how many")  # ask for a time or a sender, not for a text
_FILES: dict[str, FileKind] = {
    "photo": "photo", "pic": "photo", "image": "photo", "video message": "video message",
    "video note": "video message", "video": "video", "voice": "voice note", "audio file": "audio file",
    "audio": "voice note", "heart": "heart", "sticker": "sticker", "gif": "gif", "file": "file",
    "attachment": "file", "link": "link", "url": "link", "emoji": "emoji",
    "question": "question", "ask": "question",
}  # fmt: skip
_PLACES = {"se": 2, "2n": 2, "th": 3, "3r": 3, "fo": 4, "4t": 4}
_MARKS: dict[str, Mark] = {
    "del": "deleted", "edi": "edited", "for": "forwarded", "reaction": "reaction", "cal": "call",
    "react": "reacted", "gave": "reacted", "give": "reacted", "left": "reacted", "leave": "reacted",
}  # fmt: skip
_A_FEW = {"few": 5, "cou": 2}
_OF_TIME: frozenset[AskedFor] = frozenset({"times", "average"})
_GROUPS = any_case(r"\bgroups?\b")
_DIRECT = any_case(r"\b(?:one[ -](?:on|to)[ -]one|1[ :-]1|1[ -]on[ -]1|direct|private)\b")
_OPPOSITE: Mapping[End | None, End] = {
    "most": "fewest", "fastest": "slowest", "longest": "shortest",
}  # fmt: skip
"""The end that a form asks for of which the group ``extreme`` has a word of ``_FEW``."""
_FEW = any_case(r"few|least|less|quiet|calm|small|short|slow")
_PAST = any_case(r"when (?:did|was|were|had)\b")
_HOW_OFTEN = any_case(r"how often\b")
_UNITS: dict[str, TimeUnit] = {  # "time of day", "days of the week" …: the first that is in the words counts
    "ofday": "hour", "oftheday": "hour", "ofthe": "weekday", "weekday": "weekday", "week": "week",
    "time": "hour", "hour": "hour", "day": "day", "date": "day", "month": "month", "year": "year",
}  # fmt: skip
FIRST = frozenset({"first", "earliest", "oldest"})
_OF_ONE: frozenset[AskedFor] = frozenset({"partners", "addressees", "chats", "sizes"})
"""What is asked of which the answer does not say who wrote."""


@dataclass(frozen=True, slots=True)
class MarkedNames:
    """The people of each mark that stands for a name in a text, and who asks."""

    people: Mapping[str, tuple[int, ...]]
    me: int | None

    @property
    def mine(self) -> str:
        """The mark of who asks; empty if the text does not name them."""
        return next((mark for mark in self.people if self.people[mark] == (self.me,)), "")

    def ids(self, marks: str | None) -> frozenset[int]:
        """The people of all marks in a part of the text."""
        found = _PLACE.findall(marks or "")
        return frozenset(person for mark in found for person in self.people[mark])


@dataclass(frozen=True, slots=True)
class Form:
    """How a text asks: for what, and whom it names as writers and as the people written to."""

    asks: Wanted
    by: frozenset[int] = frozenset()
    to: frozenset[int] = frozenset()
    in_words: bool = False
    units: tuple[TimeUnit, ...] = ()
    place: int = 1
    files: FileKind | None = None
    counts_word: bool = False
    without: frozenset[int] = frozenset()
    number: int = 0
    all_named: bool = False
    compared: frozenset[int] = frozenset()
    marked: Mark | None = None
    among: frozenset[int] = frozenset()
    understood_as: str = ""
    listed: bool = False
    of_times: bool = False
    timed: bool = False


def match_form(text: str, names: MarkedNames) -> Form | None:
    """What a text with marks for names asks; None if it asks for anything else, or more.

    A name that several people have means all of them as writers, since the answer says who wrote; elsewhere
    it could be any of them, and so could the chat in which one of them writes to somebody.
    """
    for asks, form in FORMS:
        found = form.search(text)
        if found and not _left(f"{text[: found.start()]} {text[found.end() :]}"):
            unclear = _is_unclear(asks, found, names)
            return None if unclear else _as_form(asks, found, names)
    return None


def _is_unclear(asks: Wanted, found: re.Match[str], names: MarkedNames) -> bool:
    """Whether a match names several people by one name, or does not tell who the others are."""
    parts = found.groupdict()
    addressed = _PLACE.search(f"{parts.get('to')} {parts.get('hears')}")
    of_one = _is_mutual(asks, found) or addressed or asks.what in _OF_ONE
    named = " ".join(
        name
        for part, name in parts.items()
        if name and part != "several" and (part != "by" or of_one)
    )
    if any(len(names.people[mark]) > 1 for mark in _PLACE.findall(named)):
        return True
    if parts.get("several") and len(names.people[parts["several"]]) == 1:
        return True
    if parts.get("others") and names.me is None:
        return True
    # It is not known to whom somebody else's messages are.
    return bool(parts.get("me")) and names.people[parts["me"]] != (names.me,)


def _is_mutual(asks: Wanted, found: re.Match[str]) -> bool:
    """Whether those who are named wrote to each other."""
    between = asks.what == "count" and _BETWEEN.search(found[0])
    return bool((asks.what in _OF_TALK and _talk(found)) or _MUTUAL.search(found[0]) or between)


def _as_form(asks: Wanted, found: re.Match[str], names: MarkedNames) -> Form | None:
    """What a match of a form asks; None if it is about talks of which only some may be written."""
    parts, me = found.groupdict(), names.me
    by, to, hears, without = (
        names.ids(parts.get(part)) for part in ("by", "to", "hears", "not_by")
    )
    by |= names.ids(parts.get("has")) - {me}  # the asker has them all
    by |= names.ids(parts.get("several"))
    if both := parts.get("both"):
        joined = names.ids(both) | to
        if me not in joined and both.casefold() != "we":
            return None  # others may have talked face to face
        to = joined | {me} if me and to else joined
        # In a group others write too, whose messages are not theirs.
        return Form(_ended(asks, found), by=to if len(to) > 1 else frozenset(), to=to)
    to |= hears - {me} if me else hears  # the asker takes part in every chat: no restriction
    reacted = _mark(parts.get("marked")) == "reacted"
    to_me = to == {me} and not by and asks.what in _OF_MESSAGES and not reacted
    if to_me:  # in any chat, as "who wrote to me?"
        to = frozenset()
    mutual = _is_mutual(asks, found)
    if mutual and len(by | to) > 1:  # both write, and to each other
        by = to = by | to
    together = to if asks.what == "replies" or reacted else by | to
    formed = _formed(asks, found, by, together if to else frozenset())
    if me and (to_me or parts.get("me") or parts.get("others")):
        without |= {me} - by
    than = _THAN.search(found[0])
    return replace(
        formed,
        all_named=formed.all_named and (_MUTUAL.search(found[0]) is not None or not mutual),
        without=without,
        compared=names.ids(than["first"]) if than else frozenset[int](),
        among=names.ids(parts.get("among")),
    )


def _talk(found: re.Match[str]) -> bool:
    """Whether those who are named talk with each other: "Ann and I text", "I talk to Ann"."""
    parts, verb = found.groupdict(), _TALKED.search(found[0])
    by, to = (parts.get(part) or "" for part in ("by", "to"))
    if verb is None or _OR.search(by):
        return False
    named = len(_PLACE.findall(by))
    return (verb["both"] is not None and named > 0) if _PLACE.search(to) else named > 1


def _ended(asks: Wanted, found: re.Match[str]) -> Wanted:
    """What a match asks, with the end of the order that its words say, and of groups if it says so."""
    parts = found.groupdict()
    if asks.what == "message" and not asks.end:
        asks = replace(asks, end="first" if parts["which"].casefold() in FIRST else "last")
    if asks.end in _OPPOSITE and _FEW.search(parts.get("extreme") or ""):
        asks = replace(asks, end=_OPPOSITE[asks.end])
    if asks.of == "chats" and _DIRECT.search(found[0]):
        return replace(asks, of="direct chats")
    return replace(asks, of="groups") if asks.of == "chats" and _GROUPS.search(found[0]) else asks


def _formed(
    asks: Wanted, found: re.Match[str], by: frozenset[int], between: frozenset[int]
) -> Form:
    """What a match of a form asks, with its units of time and what it counts."""
    parts = found.groupdict()
    return Form(
        asks=_ended(asks, found),
        by=by,
        to=between,
        in_words=_WHEN_OR_WHO.match(found[0]) is None,
        units=_units(found) if asks.what in _OF_TIME else (),
        place=_PLACES.get((parts.get("nth") or "").casefold()[:2], 1),
        files=_files(parts.get("files")),
        marked=_mark(parts.get("marked")),
        counts_word=WORD in found[0] or SIGN in found[0],
        number=_number(parts),
        all_named=_EITHER.search(parts.get("by") or "") is None,
        of_times=bool(parts.get("of_times")),
        timed="timed" in parts,
    )


def _units(found: re.Match[str]) -> tuple[TimeUnit, ...]:
    """The units of time of which the busiest is asked for: "when do" asks for hours and weekdays.

    "How often" asks for the average of one of several.
    """
    said = (found["unit"] if "unit" in found.re.groupindex else None) or ""
    if not said and _HOW_OFTEN.match(found[0]):
        return ("day", "week", "month", "year")
    if not said:
        return ("month", "hour") if _PAST.match(found[0]) else ("weekday", "hour")
    low = said.casefold().replace(" ", "")
    return (next(unit for word, unit in _UNITS.items() if word in low),)


def _number(parts: Mapping[str, str | None]) -> int:
    """How many messages are to be listed: all with files, a few of others if it is not said; or 0."""
    if "listed" in parts:
        return MOST_LISTED
    if "number" not in parts:
        return 0
    low = (parts["number"] or "few").casefold()
    return int(low) if low.isdigit() else NUMBERS.get(low) or _A_FEW[low[:3]]


def _files(said: str | None) -> FileKind | None:
    """What is counted instead of messages."""
    low = (said or "").casefold()
    return next((kind for word, kind in _FILES.items() if low.startswith(word)), None)


def _mark(said: str | None) -> Mark | None:
    """What messages are marked with."""
    low = (said or "").casefold()
    return next((mark for word, mark in _MARKS.items() if low.startswith(word)), None)


def _left(rest: str) -> str:
    """What is left of a text after removing words that ask for nothing more."""
    return _REST.sub(" ", rest).strip()

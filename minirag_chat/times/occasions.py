"""Holidays that only name something, and days that are corrected: "xmas jumpers", "not on the 19th"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.atoms import Atom
from minirag_chat.times.tense import NEARBY

_IGNORED = re.IGNORECASE
DATED = frozenset({"date", "dayed", "stamp", "numeric"})
_NOT_ON = lazy(r"(?<!\bwhy )(?<!\bif )(?<!\bor )\bnot\s+(?:on\s+)?(?:the\s+)?\Z", _IGNORED)
_OFFERED = lazy(r"\s*(?:\?|or\b)", _IGNORED)  # "not Friday or Saturday?" asks
_LED = lazy(
    r"\b(?:at|on|for|over|by|till?|until|before|after|since|around|during|this|next|last|merry|happy)\s+\Z",
    _IGNORED,
)
# The rest of an occasion's name and what leads to its date: " meal: ", " party on the "
_OCCASION = lazy(
    r"(?:\s+(?!(?:and|or|to|till?|until|but|then)\b)[\w'\u2019]+){1,3}\s*[:,\u2013-]?\s+(?:(?:on|the)\s+)*",
    _IGNORED,
)
_LONGEST_NAME = 60  # characters of it
_THING_OF = lazy(  # that is bought, made or held for a holiday, mostly not on the day itself
    r"\s+(?:(?:carol|present|gift|letter|card|thing|light|song|bonnet|egg|market|tree|programme|program"
    r"|concert|cake|pudding|jumper|sweater|list|film|movie|decoration|costume|outfit|fair|hamper"
    r"|menu|advert|bonus|box|wreath|stocking|bauble)(?:e?s)?|stuff|shopping|sweets|fayre|fete|nativity|raffle|marathon)\b",
    _IGNORED,
)
_OF_CHRISTMAS = lazy(  # what is mostly held on another day before it
    r"(?:christmas|xmas)\s+(?:part(?:y|ies)|meals?|drinks|do(?!\s+(?:i|you|we|they)\b))\b", _IGNORED
)
_DAY_OF = lazy(r"(?:day|eve|night|sunday|monday|friday|year)\Z", _IGNORED)


def without_occasions(text: str, atoms: Sequence[Atom]) -> Iterator[Atom]:
    """The times of a text without a holiday that only names something: "xmas jumpers", "xmas meal: 12 Dec".

    Nor is a day meant that is corrected by a later one: "not on the 19th, it's the 26th".
    """
    last_day = max((atom.left for atom in atoms if atom.one_day and not atom.of_day), default=0)
    for atom, after in zip_longest(atoms, atoms[1:]):
        is_not = _NOT_ON.search(text, max(0, atom.left - NEARBY), atom.left)
        if (
            is_not
            and atom.one_day
            and atom.left < last_day
            and not _OFFERED.match(text, atom.right)
        ):
            continue
        if _names_a_thing(text, atom):
            continue
        is_date = after and {*after.kinds} & DATED and after.shape == "point"
        if not is_date or not _is_occasion(text, atom, after):
            yield atom


def _names_a_thing(text: str, holiday: Atom) -> bool:
    """Whether a time is a holiday before a thing of it: "xmas jumpers", and not "Christmas Eve drinks"."""
    if holiday.kinds != ("holiday",) or _DAY_OF.search(text, holiday.left, holiday.right):
        return False
    thing = _THING_OF.match(text, holiday.right) or _OF_CHRISTMAS.match(text, holiday.left)
    return thing is not None


def _is_occasion(text: str, holiday: Atom, date: Atom) -> bool:
    """Whether a time is a holiday that is part of the name of what is on this date."""
    if holiday.kinds != ("holiday",) or date.left - holiday.right > _LONGEST_NAME:
        return False
    if _LED.search(text, max(0, holiday.left - NEARBY), holiday.left):
        return False
    return _OCCASION.fullmatch(text, holiday.right, date.left) is not None

"""Holidays that only name something, and days that are corrected: "xmas jumpers", "not on the 19th"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.atoms import Atom
from minirag_chat.times.patterns import NEAR
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
_NEAR = lazy(NEAR, _IGNORED)
_LONGEST_NAME = 60  # characters of it
_THING_OF = lazy(  # that is bought, made or held for a holiday, mostly not on the day itself
    r"\s+(?:(?:carol|present|gift|letter|card|thing|light|song|bonnet|egg|market|tree|programme|program"
    r"|concert|cake|pudding|jumper|sweater|list|film|movie|decoration|costume|outfit|fair|hamper"
    r"|menu|advert|bonus|box|wreath|stocking|bauble)(?:e?s)?|stuff|shopping|sweets|fayre|fete|nativity|raffle|marathon)\b",
    _IGNORED,
)
# What follows a holiday and names no thing of it: "xmas at mum's", "Christmas we fly", "Christmas dinner".
_NO_THING = lazy(
    r"\s+(?:(?:dinner|lunch|breakfast|brunch|mass|day|eve|night|morning|afternoon|evening|week|weekend|month|year"
    r"|holiday|hol|break|period|time|season|vacation|plan|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|mon|tue|wed|thu|fri|sat|sun|wish|greeting)(?:e?s)?|part(?:y|ies)|parades?|sales?|and|or|n|but|so|then|than|if|when|while|because|cos|coz|bc"
    r"|since|as|though|tho|unless|at|on|in|with|w|without|for|from|to|of|by|till?|until|before|after|about|around|over"
    r"|near|between|during|like|this|last|next|that|these|those|the|an?|my|your|our|his|her|its|their|i|im|ill|ive|id|we"
    r"|you|u|ya|y(?:o)?u?all|he|hes|she|shes|it|they|theyre|who|whos|what|whats|where|how|why|which|is|isnt|are|arent|was"
    r"|wasnt|were|be|been|will|wont|would|can|cant|could|should|may|might|must|do|does|did|dont|has|have|had|having|get"
    r"|gets|got|go|goes|going|gone|comes?|came|falls?|fell|starts?|begins?|ends?|feels?|felt|means?|sucks?|looks?|seems?"
    r"|makes?|needs?|wants?|says|said|lands?|works?|went|already|again|also|too|now|today|tomorrow|tonight|yet|still|just"
    r"|only|ever|here|there|away|off|out|up|down|alone|together|instead|early|late|soon|maybe|not|no|yes|yeah|ok|okay"
    r"|pls|please|plz|lol|haha\w*|xx*|love|babe|darling|hun|mate|guys|everyone|everybody|all|both|itself|mum|mom|dad|nan"
    r"|happened|\w+(?:ing|ly|ed)|\d\w*)\b|\s+(?=\W)",
    _IGNORED,
)
_A_THING = lazy(r"(?:\s+|-)(?=[^\W\d_]{2})")
_IN_GERMAN = lazy(  # "Ostern bin ich zu Hause"
    r"(?:weihnachten|heiligabend|neujahr|karfreitag|oster\w+|pfingsten|silvester)\Z", _IGNORED
)
_FATHER = lazy(r"\bfather\s+\Z", _IGNORED)  # Christmas, who comes on no certain day
_OF_CHRISTMAS = lazy(  # what is mostly held on another day before it
    r"(?:christmas|xmas)\s+(?:part(?:y|ies)|meals?|drinks|do(?!\s+(?:i|you|we|they)\b))\b", _IGNORED
)
_DAY_OF = lazy(r"(?:day|eve|night|sunday|monday|friday|year)\Z", _IGNORED)


def without_occasions(text: str, atoms: Sequence[Atom]) -> Iterator[Atom]:
    """The times of a text without a holiday that only names something: "xmas jumpers", "xmas meal: 12 Dec".

    Nor is a day meant that another one stands for: "not on the 19th, it's the 26th", "Tuesday 15 December,
    not the Monday".
    """
    days = [atom for atom in atoms if atom.one_day]
    for atom, after in zip_longest(atoms, atoms[1:]):
        is_not = _NOT_ON.search(text, max(0, atom.left - NEARBY), atom.left)
        if is_not and atom.one_day and len(days) > 1 and not _OFFERED.match(text, atom.right):
            continue
        if _names_a_thing(text, atom):
            continue
        is_date = after and {*after.kinds} & DATED and after.shape == "point"
        if not is_date or not _is_occasion(text, atom, after):
            yield atom


def _names_a_thing(text: str, holiday: Atom) -> bool:
    """Whether a time is a holiday before a thing of it: "xmas jumpers", and not "Christmas Eve drinks".

    Any word may be a thing that cannot go on otherwise, but not after "at" and the like: "at Christmas Ulric
    cooks".
    """
    if holiday.kinds != ("holiday",) or _DAY_OF.search(text, holiday.left, holiday.right):
        return False
    if _THING_OF.match(text, holiday.right) or _OF_CHRISTMAS.match(text, holiday.left):
        return True
    before = max(0, holiday.left - NEARBY)
    if _FATHER.search(text, before, holiday.left):
        return True
    if _LED.search(text, before, holiday.left) or _NEAR.match(text, holiday.left, holiday.right):
        return False
    if holiday.shape != "point" or _IN_GERMAN.search(text, holiday.left, holiday.right):
        return False
    return bool(_A_THING.match(text, holiday.right)) and not _NO_THING.match(text, holiday.right)


def _is_occasion(text: str, holiday: Atom, date: Atom) -> bool:
    """Whether a time is a holiday that is part of the name of what is on this date."""
    if holiday.kinds != ("holiday",) or date.left - holiday.right > _LONGEST_NAME:
        return False
    if _LED.search(text, max(0, holiday.left - NEARBY), holiday.left):
        return False
    return _OCCASION.fullmatch(text, holiday.right, date.left) is not None

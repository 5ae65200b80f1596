"""Whether a message names a day as past or as future: "we went on Friday", "see you on Friday".

The same for questions: "What did we do in May?", "What do we do in May?".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import zip_longest
from typing import Literal

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import clamped
from minirag_chat.times.atoms import OF_DAY, Atom
from minirag_chat.times.names_of_days import WEEKDAYS
from minirag_chat.times.patterns import COUNT, NEAR, SOME, weekday_of
from minirag_chat.times.ranges import find_atoms, is_put_off_to
from minirag_chat.times.spans import DAY, GRACE, Prefer, around, first_moment

Looks = Literal["back", "ahead", "unclear"]
_IGNORED = re.IGNORECASE
_SENTENCE = lazy(r"[.!?\u3002\uff01\uff1f\n]+(?=\s|$)|\n")
_CLAUSE = lazy(
    r"[,;:()\u2026\u2013\u2014]|\b(?:and|but|so|or|then|because|since|when|while|that)\b", _IGNORED
)
_OWNER = r"(?:the|an?|my|our|his|her|their|your|some)"
_PARTICIPLE = lazy(
    rf"(\b(?:am|is|are|be|been|being|gets?|getting)\s+(?:(?:{_OWNER}\s+)?\w+\s+)?"
    rf"|['\u2019](?:m|s|re)\s+(?:\w+\s+)?|\b{_OWNER}\s+)"
    r"(?:[a-z]+ed|left|held|made|paid|sold|sent|kept|found|taught)\b",
    _IGNORED,
)
# "Pool closed Friday" leaves out "is", "was" or "will be", unless the clause has a subject of its own.
_LONE = lazy(
    r"\b(?!(?:arriv|happen|start|end|di|rain|snow|land|return|call|phon|text|email|visit|stay|liv|travell?)ed\b)"
    r"(?:[a-z]{2,}ed|paid|sold|sent|taught|found)"
    r"(?:\s+(?:on|from|at|over|this|all|day|the|whole|again|early|late|only))*\s*\Z",
    _IGNORED,
)
_SUBJECT = lazy(
    rf"\b(?:{_OWNER}|I|we|you|he|she|it|they|who|which|this|that|every\w+|some\w+|nobody|people)\b",
    _IGNORED,
)
# Past forms that may still be about a future day ("he said Friday"); and names ("Ahmed").
_EITHER = r"got|said|told|thought|knew|meant|agreed|left|kept|made|held|(?-i:[A-Z])[a-z]+ed"
_BACK = lazy(
    r"\b(?:(?:was|were|did|had)(?:n['\u2019]t)?|been|went|came|saw|met|took|gave|ate|drank|bought"
    r"|brought|found|lost|won(?!['\u2019]t)|slept|died|spent|felt|fell|flew|drove|rode|ran|sang|swam|wrote|sent|stood"
    r"|sat(?!\.?,?\s+(?:night|nite|morning|afternoon|evening|eve|week|mtg)\b|\.?,?\s+\d)"
    r"|began|broke|heard|paid|sold|taught|wore|forgot"
    r"|spoke|chose|grew|threw|became|caught|woke|drew|stole|shook|understood"
    rf"|(?!hundred)(?-i:[a-z]{{3,}})(?<!e)ed|{_EITHER})\b",
    _IGNORED,
)
# Verbs with the same form in past and present: "I put it there on Sunday".
_SAME = lazy(
    r"\b(?:put|set|cut|let|hit|hurt|cost|quit|read|shut|spread|split|beat|bet|burst|lay)\b",
    _IGNORED,
)
# What is said both before and after a day: "Thanks for the lift on Friday".
_OF_EITHER = lazy(
    r"\b(?:thanks?|thx|sorry|(?:great|good|nice|lovely)\s+(?:to\s+)?(?:see|meet)\w*)\b", _IGNORED
)
_AHEAD = lazy(
    r"\b(?:am|is|are|will|won['\u2019]t|would|can|can['\u2019]t|could|should|shall|may|might|must|let['\u2019]s"
    r"|(?:it|he|she|there|that|who|what|where|how)['\u2019]s|its\s+(?:on|in|at)"
    r"|going|gonna|coming|see (?:you|ya)|if"
    r"|(?:how|what) about|thinking|wondering|looking|suppos\w*|plan\w*|decid\w*|agre\w*|book\w*|order\w*"
    r"|reserv\w*|(?:re)?schedul\w*|push(?:ed|ing)|put\s+(?:back|off)|brought\s+forward|want\w*|hop(?:e|ed|ing)|need\w*|mov(?:e|ed|ing)|postpon\w*|delay\w*|cancel\w*"
    r"|invit\w*|suggest\w*|propos\w*|confirm\w*|expect\w*|promis\w*|ask\w*|offer\w*|arrang\w*|remind\w*"
    rf"|mention\w*|announc\w*|{_EITHER})\b|['\u2019](?:ll|d|re|m)\b"
    r"|\bto\s+(?!(?:the|an?|my|our|his|her|their|your|this|that|it)\b)(?-i:[a-z])"
    r"|\b(?:for|by|to|till?|until|about|of)(?:\s+the)?\s*$",
    _IGNORED,
)
# What puts a date without a year ahead of its message: "we will in May", "it's on 3 June". "Photos from
# 3 June are online" does not.
_NO_PART = r"(?!(?:(?<!\bout\s)of|from|since|like|about|dated|why|what|how|where)\b)"
_COMES = lazy(
    r"(?:\b(?:will|won['\u2019]t|shall|gonna|going\s+to|see\s+(?:you|ya)|let['\u2019]s)|['\u2019]ll)\b"
    rf"(?:\s+{_NO_PART}[\w'\u2019]+){{0,6}}\s+\Z"
    r"|(?:\b(?:is|are|(?:it|that|there|when)['\u2019]?s)|['\u2019]re)"
    rf"(?:(?:\s+{_NO_PART}(?!(?:for|after|as)\b)\w+){{0,2}}(?:\s+(?:on|in))?"
    r"|(?:\s+(?:set|planned|scheduled|booked|due))?\s+for)(?:\s+the)?\s+\Z"
    r"|\b(?:starts|begins|ends|opens|takes\s+place|happens)\s+(?:(?:on|in)\s+)?(?:the\s+)?\Z",
    _IGNORED,
)
_WILL = lazy(r"\b(?:will|won['\u2019]t|shall|gonna|going)\b|['\u2019]ll\b", _IGNORED)
_BORN = lazy(r"\bborn\b(?:\s+\w+)?\s+\Z", _IGNORED)  # in a year that nobody says
_PLANNED_FOR = lazy(r"\b(?:for|to|by|till?|until)\s+(?:the\s+)?\Z", _IGNORED)
_IN_GERMAN = lazy(
    r"\b(?:im|am|vom|zum|de[nmr]|seit|ab|bis|anfang|mitte|ende)\s+\Z", _IGNORED
)  # where "was" and "will" are "what" and "wants"
# "We moved to Leeds" puts off no plan.
_RELOCATED = lazy(
    r"\bmoved(?=\s+(?:in|out|here|there|house|home|away|into|(?:to|from)\s+(?-i:[A-Z]\w*))\b)",
    _IGNORED,
)
# Words of questions about the future; they count only if there is no past form.
_COMING = lazy(
    r"\b(?:going|gonna|plan(?:s|ned|ning)?|scheduled|booked|coming|upcoming|(?:next|due)(?!\s+to\b)|wo?n['\u2019]t|shall"
    r"|am|is|are|isn['\u2019]t|aren['\u2019]t|do|does|don['\u2019]t|doesn['\u2019]t|should|must"
    r"|can(?!\s+(?:you|i)\b)|happens|comes|starts|begins|takes|(?-i:will))\b|^\s*will\b|['\u2019](?:ll|re|m)\b"
    r"|\b(?:it|he|she|there|that|who|what|which|where|when|how)['\u2019]s\b"
    r"|打算|计划|准备|即将|将[要会]|(?<![聚机议晚宴舞])会[去来做有]|要[去来做]",
    _IGNORED,
)
_RECORDED = lazy(
    r"\b(?:happened|remember|recall|messages?|chats?|conversations?|photos?|posts?|says?|writes?|talks?"
    r"|discuss(?:es)?|mentions?|tells?|asks?)\b|[了过]",
    _IGNORED,
)
_PLANNED = lazy(r"\b(?:planned|scheduled|booked|arranged)\b", _IGNORED)
_BE_DO = lazy(r"\b(?:am|is|are|do|does|any\w*)\b|\bwhat['\u2019]s\b", _IGNORED)
_NAME = lazy(r"(?<=\s)[A-Z][a-z]+ed\b")
OWNS = lazy(r"['\u2019]s\b")  # "Friday's rehearsal" names a rehearsal
# "Friday", "Friday 6th", "the weekend", "on the 3rd", "Friday week"
_BARE = frozenset({"weekday", "numbered", "unit", "ordinal", "later"})
_DATED = frozenset({"date", "dayed", "stamp", "numeric"})
_NEAR = lazy(rf"\b{NEAR}", _IGNORED)
_DAY_NAME = lazy(rf"(?:{'|'.join(day[:3] for day in WEEKDAYS)})", _IGNORED)
_THIS = lazy(r"this\s+(?!coming|past)", _IGNORED)
_SOME = lazy(rf"\b{SOME}\b", _IGNORED)
_YEARLESS = frozenset({"date", "month", "months", "part", "season", "weekof"})
_SOON = timedelta(days=31)
_A_WEEK = timedelta(days=7)
_FAR = timedelta(days=122)
"""A third of a year: then the last and the next one are about equally far."""
# Before a number that is a rank: "he's the 15th", "chapter the 14th", "Louis the 14th"
_BEING = (
    r"\b(?:i|he|she|they|you|we|that|who)(?:['\u2019](?:m|re|s)|\s+(?:am|is|are|was|were))"
    r"|\b(?:was|were|been)"
)
_NUMBERED = r"\b(?:chapter|page|platform|part|floor|number|verse|hole|round)"
_NO_NAME = (  # capital as the first word of a sentence
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|So|Then|And|But|Or|For|On|By|Till?|Until|From|Is|Not|Maybe|Yes"
    r"|No|Ok|Okay|Still|Now|Home|Back|Free|Just|Only|Also|After|Before|Since|About|Are|Was|What|How"
)
_RANKED = lazy(
    rf"(?:{_BEING}|{_NUMBERED}|(?-i:\b(?!(?:{_NO_NAME})\b)[A-Z][a-z]+))\s+(?:only\s+|just\s+)?the\s+\Z",
    _IGNORED,
)
_NOT_ON = lazy(r"(?<!\bwhy )(?<!\bif )(?<!\bor )\bnot\s+(?:on\s+)?(?:the\s+)?\Z", _IGNORED)
_OFFERED = lazy(r"\s*(?:\?|or\b)", _IGNORED)  # "not Friday or Saturday?" asks
_ON_THE = lazy(r"\bon\s+the\s+\Z", _IGNORED)
_NEARBY = 300  # characters before and after a time that are looked at
# Weekdays that are no certain day: "every other Friday", "a week from Friday", "born on a Monday".
_ANY_OF = lazy(
    r"\b(?:every\s+\w+|an?|(?:day|week|fortnight|month)s?\s+(?:from|on)|black|cyber|ash)\s+\Z",
    _IGNORED,
)
_WEEKS = lazy(r"\b(?:week|fortnight|month|year)s?\s+(?:(?:from|on)\s+)?\Z", _IGNORED)
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
    r"|menu|advert|bonus)(?:e?s)?|shopping|sweets|fayre|fete|nativity|raffle|marathon)\b",
    _IGNORED,
)
_OF_CHRISTMAS = lazy(  # what is mostly held on another day before it
    r"(?:christmas|xmas)\s+(?:part(?:y|ies)|meals?|drinks|do(?!\s+(?:i|you|we|they)\b))\b", _IGNORED
)
_DAY_OF = lazy(r"(?:day|eve|night|sunday|monday|friday|year)\Z", _IGNORED)
_HAPPY = lazy(r"\bhappy\s+\Z", _IGNORED)
_IT_IS = lazy(r"\b(?:it|today)(?:['\u2019]s|\s+is)\s+\Z", _IGNORED)
_USUALLY = lazy(
    r"\b(?:usually|normally|always|generally|typically)(?:\s+(?!(?:and|but|so)\b)[\w'\u2019]+){0,5}\s+\Z",
    _IGNORED,
)
# "Bins are collected Tuesday now"
_PASSIVE = lazy(r"\b(?:is|are|gets?)\s+\w+(?:ed|held|sold|sent|shut)(?:\s+on)?\s+\Z", _IGNORED)
_NOW = lazy(r"\s+now\b", _IGNORED)
_LATER = lazy(
    rf"\s+(?:week|fortnight|after\s+next|before\s+last|in\s+(?:{COUNT}\s+weeks?|{COUNT}\s+fortnight))\b",
    _IGNORED,
)
# "the Friday before", "the weekend after the wedding"
_THE = lazy(r"\bthe\s+\Z|\Athe\s", _IGNORED)
_OF_ANOTHER = lazy(r"\s+(?:before|after)\b", _IGNORED)
# "Friday 20", but not "Friday 7:30"
_NUMBER = lazy(r",?\s+(?:the\s+)?(\d\d?)(?![\w:]|[.,]\d)", _IGNORED)
_SAME_DAY = lazy(
    r"[\s,(\u2013-]*(?:(?:an?|the|which is|is|that['\u2019]s|that is)\s+)?\Z", _IGNORED
)


def looks_ahead(question: str) -> bool:
    """Whether a question is about the future: "Where is Nora going?", "What is planned?".

    It is about the past if it has a past form, a word for what was written, or no verb.
    """
    if not _COMING.search(question) or _RECORDED.search(question):
        return False
    plain = _NAME.sub("", question)
    return not _past(_PLANNED.sub("", plain) if _BE_DO.search(plain) else plain)


def looks(text: str, left: int, right: int) -> Looks:
    """Whether the time ``text[left:right]`` is past or future, by the verb forms in its clause.

    It is unclear if a past form comes with words for plans ("we decided to meet on Friday"), may leave out
    its verb ("pool closed Friday"), or is in another clause of the sentence. Without any past form, the
    time is in the future.
    """
    start, end = max(0, left - _NEARBY), min(len(text), right + _NEARBY)
    start, end = _around(_SENTENCE, text, left, right, start, end)
    if _OF_EITHER.search(text[start:left]):
        return "unclear"
    near, far = _around(_CLAUSE, text, left, right, start, end)
    before, after = _RELOCATED.sub("went", text[near:left]), text[right:far]
    back = _past(before) or _past(after)
    ahead = _AHEAD.search(before) or _AHEAD.search(after)
    if back:
        return "unclear" if ahead or _is_lone(before) else "back"
    if not ahead and _SAME.search(text[near:far]):
        return "unclear"
    elsewhere = _past(text[start:left]) or _past(text[right:end])
    return "ahead" if ahead or not elsewhere else "unclear"


def year_looks(text: str, left: int, right: int) -> Looks:
    """Whether the words around a date without a year certainly put it before or after its message."""
    if _IN_GERMAN.search(text, max(0, left - _NEARBY), left):
        return "unclear"
    seen = looks(text, left, right)
    if seen == "back":
        return seen
    start, end = max(0, left - _NEARBY), min(len(text), right + _NEARBY)
    near, far = _around(
        _CLAUSE, text, left, right, *_around(_SENTENCE, text, left, right, start, end)
    )
    before, after = text[near:left], text[right:far]
    comes = (_COMES.search(before) or _WILL.search(after)) and not (_past(before) or _past(after))
    return "ahead" if comes else "unclear"


def _is_lone(before: str) -> bool:
    """Whether what stands before a time ends with a participle that has no subject and no object."""
    lone = _LONE.search(before)
    if lone is None:
        return False
    led = before[: lone.start()]
    return not _SUBJECT.search(led) and not _past(led)


def message_times(text: str, sent_at: datetime) -> Iterator[Atom]:
    """The times that a message names, each read as past or future by the words around it.

    A day that may be either is left out, except a weekday with its date ("Tuesday 21st"), which is the
    nearest one; so is a weekday right after its date, or after a later day, and what has no known date.
    "This Friday" is that of the week, unless the words around it look back and it is still to come, or look
    ahead and it is over. A date or month without a year is of the year that the words tell ("the concert is
    on 3 June").
    """
    dated: Atom | None = None  # the last date
    day: Atom | None = None  # the last day with a weekday and a number
    for atom in _without_occasions(
        text, [*_in_their_months(text, _in_their_years(text, sent_at), sent_at)]
    ):
        kinds = frozenset(atom.kinds)
        if kinds & _DATED:
            dated = atom
        elif dated and kinds == {"weekday"} and _repeats(text, dated, atom):
            continue
        if _is_uncertain(text, atom, sent_at) or (day and _may_be_after(text, day, atom, sent_at)):
            continue
        day = atom if kinds & {"numbered", "dayed"} else day
        seen = _seen(text, atom, sent_at)
        if seen == "ahead" and "numbered" in kinds and sent_at - atom.start > _SOON:
            continue  # "Friday 28" was months ago
        if seen == "ahead":
            yield _in_month_of(dated, atom, text) if dated else atom
            continue
        if seen == "unclear" and "numbered" not in kinds:
            continue
        meant = _read(text, sent_at, "past").get((atom.left, atom.right))
        if meant and seen == "unclear":
            meant = _nearer(meant, atom, sent_at)
        if meant:
            yield meant


@lru_cache(maxsize=8)
def _read(text: str, moment: datetime, prefer: Prefer) -> dict[tuple[int, int], Atom]:
    """The times of a text by where they begin and end."""
    return {(atom.left, atom.right): atom for atom in find_atoms(text, moment, prefer)}


def is_yearless(text: str, atom: Atom) -> bool:
    """Whether this is a date, a month or a part of the year without anything that tells its year."""
    kinds = frozenset(atom.kinds)
    whole = kinds & _YEARLESS and kinds <= _YEARLESS | OF_DAY and atom.shape in {"point", "range"}
    return bool(whole) and not atom.dated and not _NEAR.match(text[atom.left : atom.right])


def _without_occasions(text: str, atoms: Sequence[Atom]) -> Iterator[Atom]:
    """The times of a text without a holiday that only names something: "xmas jumpers", "xmas meal: 12 Dec".

    Nor is a day meant that is corrected by a later one: "not on the 19th, it's the 26th".
    """
    last_day = max((atom.left for atom in atoms if atom.one_day and not atom.of_day), default=0)
    for atom, after in zip_longest(atoms, atoms[1:]):
        is_not = _NOT_ON.search(text, max(0, atom.left - _NEARBY), atom.left)
        if (
            is_not
            and atom.one_day
            and atom.left < last_day
            and not _OFFERED.match(text, atom.right)
        ):
            continue
        if _names_a_thing(text, atom):
            continue
        is_date = after and {*after.kinds} & _DATED and after.shape == "point"
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
    if _LED.search(text, max(0, holiday.left - _NEARBY), holiday.left):
        return False
    return _OCCASION.fullmatch(text, holiday.right, date.left) is not None


def _in_their_months(text: str, atoms: Iterable[Atom], sent_at: datetime) -> Iterator[Atom]:
    """The times; the number of a day is of the month before it: "in october, the 10th at 2".

    Not if that month is over, in an earlier sentence: "I've read it since May. I'll bring it on the 5th".
    """
    month: Atom | None = None
    for atom in atoms:
        month = atom if atom.kinds == ("month",) else month
        of_month = "ordinal" in atom.kinds and {*atom.kinds} <= {"ordinal", "nth"}
        if month is None or not of_month or _is_over(text, month, atom, sent_at):
            yield atom
            continue
        first, last = (
            first_moment(month.start.year, month.start.month, at.day)
            for at in (atom.start, atom.end - DAY)
        )
        if first and last and first <= last:
            yield replace(atom, start=first, end=last + DAY, kinds=("date",))
        else:
            yield atom


def _is_over(text: str, month: Atom, day: Atom, sent_at: datetime) -> bool:
    """Whether a month of an earlier sentence was over when the message was sent, or lasted until then."""
    past = month.shape == "since" or month.end <= sent_at
    past = past and looks(text, day.left, day.right) != "back"
    return past and _SENTENCE.search(text, month.right, day.left) is not None


def _in_their_years(text: str, sent_at: datetime) -> Iterator[Atom]:
    """The times of a text, read as ahead, but each date without a year in the year that is meant."""
    for atom in _read(text, sent_at, "future").values():
        meant = _in_its_year(text, atom, sent_at) if is_yearless(text, atom) else atom
        if meant:
            yield meant


def _in_its_year(text: str, atom: Atom, sent_at: datetime) -> Atom | None:
    """A date without a year in the year that is meant; None if that is not certain.

    Where the words do not tell, ``atom`` stays. "Friday 3 June" is of the year in which that is a Friday,
    unless it is near: then the weekday may be wrong.
    """
    at = (atom.left, atom.right)
    past = _read(text, sent_at, "past").get(at)
    ahead = _read(text, clamped(sent_at) + GRACE, "future").get(at)
    if past is None or ahead is None or past.start >= ahead.start:
        return atom
    if named := _DAY_NAME.match(text, *at):
        fit = [one for one in (past, ahead) if one.start.weekday() == weekday_of(named[0])]
        return fit[0] if len(fit) == 1 and abs(atom.start - sent_at) > _SOON else atom
    led = text[max(0, atom.left - _NEARBY) : atom.left]
    if _BORN.search(led):
        return None
    seen = year_looks(text, *at)
    before, after = sent_at - past.end, ahead.start - sent_at
    if seen == "unclear":
        planned = looks(text, *at) != "unclear" or _PLANNED_FOR.search(led)
        return atom if planned or min(before, after) < _FAR else None
    if seen == "back":
        return None if after < _SOON < before else past
    return None if before < _SOON < after else ahead


def _seen(text: str, atom: Atom, sent_at: datetime) -> Looks:
    """Whether a time is past or future; it is read as ahead if no verb decides on it ("next Friday")."""
    kinds = frozenset(atom.kinds)
    this = _THIS.match(text, atom.left) is not None
    bare = kinds & _BARE and kinds <= _BARE | OF_DAY
    if not this and (not bare or _NEAR.search(text[atom.left : atom.right])):
        return "ahead"
    if "ordinal" in kinds and is_put_off_to(text, atom.left):
        return "ahead"
    seen = looks(text, atom.left, atom.right)
    return "ahead" if this and seen == "unclear" and _may_be_meant(atom, sent_at) else seen


def _may_be_meant(this: Atom, sent_at: datetime) -> bool:
    """Whether "this Monday" may be the next one: in the same week, or within three days."""
    last = max(around(sent_at, "week")[1], sent_at + 3 * DAY)
    return "weekday" not in this.kinds or this.start < last


def _repeats(text: str, dated: Atom, weekday: Atom) -> bool:
    """Whether a weekday says again which day a date is: "6 december, a saturday"."""
    ended = text[dated.right - 1] == "."
    return not ended and _SAME_DAY.match(text[dated.right : weekday.left]) is not None


def _may_be_after(text: str, day: Atom, atom: Atom, sent_at: datetime) -> bool:
    """Whether a weekday may be of the week of a later ``day``: "party Friday 27th, cleaning on Sunday"."""
    bare = "weekday" in atom.kinds and not _NEAR.match(text, atom.left)
    later = sent_at < atom.start < day.start and day.start - sent_at > _A_WEEK
    return bare and later and not _SENTENCE.search(text, day.right, atom.left)


def _in_month_of(dated: Atom, atom: Atom, text: str) -> Atom:
    """Put "on the 14th" after "13 to 17 June" into June, if that is later than the next 14th."""
    if atom.kinds != ("ordinal",) or not _ON_THE.search(text[: atom.left]):
        return atom
    try:
        start = dated.start.replace(day=atom.start.day)
    except ValueError:  # there is no 31 June
        return atom
    return replace(atom, start=start, end=start + DAY) if start > atom.start else atom


def _nearer(past: Atom, ahead: Atom, sent_at: datetime) -> Atom | None:
    """Of the last and the next "Tuesday 21st" the nearer one; None if both are far away."""
    nearer = min(past, ahead, key=lambda day: abs(day.start - sent_at))
    only = past.start == ahead.start  # there is none on the other side
    return nearer if only or abs(nearer.start - sent_at) < _SOON else None


def _is_uncertain(text: str, atom: Atom, sent_at: datetime) -> bool:
    """Whether a time has no known date: "every other Friday", "the weekend before", "a week from Friday".

    So is a weekday with a number that is not its date, as in "Friday 20 people came", and the day of
    sending in "It's Friday!".
    """
    if atom.kinds[:1] == ("ordinal",) and _RANKED.search(
        text[max(0, atom.left - _NEARBY) : atom.left]
    ):
        return True
    if "last" in atom.kinds:
        return _SOME.search(text, atom.left, atom.right) is not None
    if "relative" in atom.kinds:
        return _WEEKS.search(text, max(0, atom.left - _NEARBY), atom.left) is not None
    if not _BARE & frozenset(atom.kinds):
        return False
    before = text[max(0, atom.left - _NEARBY) : atom.left]
    the = _THE.search(before) or _THE.search(text[atom.left : atom.right])
    if the and _OF_ANOTHER.match(text, atom.right):
        return True
    return "weekday" in atom.kinds and _is_any_weekday(text, atom, before, sent_at)


def _is_any_weekday(text: str, atom: Atom, before: str, sent_at: datetime) -> bool:
    """Whether a weekday, with the text ``before`` it, is no certain one, or the day of sending.

    That of a habit is none: "bins are collected Tuesday now", "we usually meet on Friday".
    """
    number = _NUMBER.match(text, atom.right) if atom.kinds == ("weekday",) else None
    if number is not None and int(number[1]) != atom.start.day:
        return True
    today = atom.start.weekday() == sent_at.weekday() and _IT_IS.search(before)
    led = today or _HAPPY.search(before) or _ANY_OF.search(before) or _USUALLY.search(before)
    if _PASSIVE.search(before) and _NOW.match(text, atom.right):
        return True
    return bool(led or _LATER.match(text, atom.right))


def _past(text: str) -> bool:
    """Whether there is a past form; a participle ("is closed") does not count."""
    return _BACK.search(_PARTICIPLE.sub(r"\1", text)) is not None


def _around(
    border: re.Pattern[str], text: str, left: int, right: int, start: int, end: int
) -> tuple[int, int]:
    """The start and end of the part of the text between the nearest borders around a time."""
    before = [found.end() for found in border.finditer(text, start, left)]
    after = border.search(text, right, end)
    return max(before, default=start), after.start() if after else end

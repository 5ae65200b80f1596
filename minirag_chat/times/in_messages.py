"""The times that a message names, each read as past or as future by the words around it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.atoms import OF_DAY, Atom
from minirag_chat.times.names_of_days import WEEKDAYS
from minirag_chat.times.numeric import NumericOrder, in_order, is_of_doubtful_day
from minirag_chat.times.occasions import DATED, without_occasions
from minirag_chat.times.patterns import COUNT, SHORT_DAYS, SOME, weekday_of
from minirag_chat.times.ranges import is_put_off_to
from minirag_chat.times.rotas import has_hours
from minirag_chat.times.spans import DAY, around, midnight
from minirag_chat.times.tense import NEARBY, SENTENCE, Looks, looks
from minirag_chat.times.yearless import SAYS_NEAR, SOON, in_their_months, in_their_years, read_times

_IGNORED = re.IGNORECASE
SHORT = 90  # characters of a message that takes the month from those before it
FEW, SOON_AFTER = 6, timedelta(hours=1)  # so many messages, and so long before it
LONG = 500  # characters that are read of these
_OF_A_DAY_BEFORE = lazy(  # "the 20th", "thurs"
    rf"\d(?:st|nd|rd|th)\b|\bthe \d\d?\b|\b(?:{'|'.join((*WEEKDAYS, *SHORT_DAYS))})\b", _IGNORED
)
_WEEKDAY = lazy(rf"\b(?:{'|'.join((*WEEKDAYS, *SHORT_DAYS))})\b", _IGNORED)
OWNS = lazy(r"['\u2019]s\b")  # "Friday's rehearsal" names a rehearsal
# "Friday", "Friday 6th", "the weekend", "on the 3rd", "Friday week"
_BARE = frozenset({"weekday", "numbered", "unit", "ordinal", "later"})
# Days that end a time: "till the 16th"
_ENDING = frozenset(
    {"date", "weekday", "numbered", "ordinal", "dayed", "numeric", "relative", "later"}
)
_FROM_TO = ("ordinal", "ordinal")
_MONTH = 31
_UNTIL = frozenset({"until", "till", "til"})
_ENDED = _UNTIL | {"before"}
_THIS = lazy(r"this\s+(?!coming|past)", _IGNORED)
_SOME = lazy(rf"\b{SOME}\b", _IGNORED)
_A_WEEK = timedelta(days=7)
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
# What is paid each month is not of the month that was spoken of.
_MONTHLY = lazy(
    r"\b(?:pay\s?day|get\s+paid|gets\s+paid|paid\s+on|rent|salary|wages|mortgage|direct\s+debit)\b",
    _IGNORED,
)
_RANKED = lazy(
    rf"(?:{_BEING}|{_NUMBERED}|(?-i:\b(?!(?:{_NO_NAME})\b)[A-Z][a-z]+))\s+(?:only\s+|just\s+)?the\s+\Z",
    _IGNORED,
)
_ON_THE = lazy(r"\bon\s+the\s+\Z", _IGNORED)
# Weekdays that are no certain day: "every other Friday", "a week from Friday", "born on a Monday".
_ANY_OF = lazy(
    r"\b(?:every\s+\w+|an?|(?:day|week|fortnight|month)s?\s+(?:from|on)|black|cyber|ash)\s+\Z",
    _IGNORED,
)
_WEEKS = lazy(r"\b(?:week|fortnight|month|year)s?\s+(?:(?:from|on)\s+)?\Z", _IGNORED)
_HAPPY = lazy(r"\bhappy\s+\Z", _IGNORED)
_IT_IS = lazy(r"\b(?:its|(?:it|today)(?:['\u2019]s|\s+is))\s+\Z", _IGNORED)
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
_NTH_WORD = lazy(  # "Friday the fifth" is a certain Friday that is not read
    r",?\s+the\s+(?:first|second|third|twent\w+|thirt\w+|\w{2,10}th)\b", _IGNORED
)
_RULED_OUT = lazy(
    r"(?:(?<!why )\bnot|\binstead\s+of|\brather\s+than)\s+(?:on\s+)?(?:the\s+)?\Z", _IGNORED
)
_LAST_DAY = lazy(r"last\s+(?!(?:week|month|year)\b)[a-z]+\Z", _IGNORED)
# "On the last night", "last night is sat 19 dec": the final one, not that of yesterday
_FINAL = lazy(r"\b(?:the|my|our|your|its)\s+\Z", _IGNORED)
_IS_FINAL = lazy(
    rf"\s+(?:is|will\s+be|was\s+(?:on\s+)?(?:the\s+)?(?:\d|{'|'.join((*WEEKDAYS, *SHORT_DAYS))}))\b",
    _IGNORED,
)
_BEGINS = lazy(r"(?:\A|[,;:.!?\n])\s*\Z")
_SAME_DAY = lazy(
    r"[\s,(\u2013-]*(?:(?:an?|the|which is|is|that['\u2019]s|that is)\s+)?\Z", _IGNORED
)


def message_times(
    text: str,
    sent_at: datetime,
    *,
    after: datetime | None = None,
    order: NumericOrder | None = None,
) -> Iterator[Atom]:
    """The times that a message names, each read as past or future by the words around it.

    A day that may be either is left out, except a weekday with its date ("Tuesday 21st"), which is the
    nearest one; so is a weekday right after its date, or after a later day, and what has no known date.
    "This Friday" is that of the week, unless the words around it look back and it is still to come, or look
    ahead and it is over. A date or month without a year is of the year that the words tell ("the concert is
    on 3 June"). "The 20th" of a short message is of the month of ``after``, a date that the messages before
    it name, if that is later than the next 20th; and "Thursday" is this date if it is a later Thursday.
    Without an ``order`` of day and month 3/4/2026 is left out, and so is the time of day beside it.
    """
    plain, places = in_order(text, sent_at, order) if order else (text, [])
    for atom in _times(plain, sent_at, after):
        if places:
            left, right = (_before_writing(at, places) for at in (atom.left, atom.right))
            yield replace(atom, left=left, right=right)
        elif not (atom.of_day and is_of_doubtful_day(text, atom.left, atom.right, sent_at)):
            yield atom


def _before_writing(at: int, places: list[tuple[int, int]]) -> int:
    """Where a place of a text is in the one whose dates were written otherwise (``in_order``)."""
    return at - next((longer for end, longer in reversed(places) if end <= at), 0)


def _times(text: str, sent_at: datetime, after: datetime | None) -> Iterator[Atom]:
    """The times of a text whose dates in digits have one reading."""
    dated: Atom | None = None  # the last date
    day: Atom | None = None  # the last day with a weekday and a number
    times = (_at_its_end(one, sent_at) for one in in_their_years(text, sent_at))
    for atom in without_occasions(text, [*in_their_months(text, times, sent_at)]):
        kinds = frozenset(atom.kinds)
        if kinds & DATED:
            dated = atom
        elif dated and kinds == {"weekday"} and _repeats(text, dated, atom):
            continue
        if _is_uncertain(text, atom, sent_at) or (day and _may_be_after(text, day, atom, sent_at)):
            continue
        day = atom if kinds & {"numbered", "dayed"} else day
        seen = _seen(text, atom, sent_at)
        if seen == "ahead" and "numbered" in kinds and sent_at - atom.start > SOON:
            continue  # "Friday 28" was months ago
        same = None if seen == "back" else _on_the_day_before(after, atom, text)
        if same or seen == "ahead":
            in_month = (
                _in_month_of(dated, atom, text) if dated else _in_month_after(after, atom, text)
            )
            yield same or in_month
            continue
        if seen == "unclear" and "numbered" not in kinds:
            continue
        meant = read_times(text, sent_at, "past").get((atom.left, atom.right))
        if meant and seen == "unclear":
            meant = _nearer(meant, atom, sent_at)
        if meant:
            yield meant


def is_ruled_out(text: str, left: int) -> bool:
    """Whether the words before a time say that it is another one: "Wednesday, not Thursday"."""
    return _RULED_OUT.search(text[max(0, left - NEARBY) : left]) is not None


def _at_its_end(atom: Atom, sent_at: datetime) -> Atom:
    """The day that "till the 16th" or "before Friday" names, for the time until then."""
    kinds = frozenset(atom.kinds)
    if not kinds or not kinds <= _ENDING or atom.start != midnight(sent_at):
        return atom
    if atom.shape in _UNTIL:
        return replace(atom, start=max(atom.start, atom.end - DAY))
    return replace(atom, start=atom.end, end=atom.end + DAY) if atom.shape == "before" else atom


def _seen(text: str, atom: Atom, sent_at: datetime) -> Looks:
    """Whether a time is past or future; it is read as ahead if no verb decides on it ("next Friday")."""
    kinds = frozenset(atom.kinds)
    this = _THIS.match(text, atom.left) is not None
    bare = kinds & _BARE and kinds <= _BARE | OF_DAY
    if not this and (not bare or SAYS_NEAR.search(text[atom.left : atom.right])):
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
    bare = "weekday" in atom.kinds and not SAYS_NEAR.match(text, atom.left)
    later = sent_at < atom.start < day.start and day.start - sent_at > _A_WEEK
    return bare and later and not SENTENCE.search(text, day.right, atom.left)


def _in_month_of(dated: Atom, atom: Atom, text: str) -> Atom:
    """Put "on the 14th" after "13 to 17 June" into June, if that is later than the next 14th."""
    bare = atom.kinds == ("ordinal",) and _ON_THE.search(text[: atom.left])
    return _moved_to_month(dated.start, atom) if bare else atom


def _in_month_after(date: datetime | None, atom: Atom, text: str) -> Atom:
    """Put "the 20th works" after "Saturday 13 September?" into September, and "18th to 21st" too."""
    if date is None or len(text) > SHORT or _MONTHLY.search(text):
        return atom
    ended = atom.shape in _ENDED and atom.end - atom.start == DAY
    day = atom.kinds == ("ordinal",) and (atom.one_day or ended)
    days = atom.kinds == _FROM_TO and atom.shape == "range"
    return _moved_to_month(date, atom) if day or days else atom


def _on_the_day_before(date: datetime | None, atom: Atom, text: str) -> Atom | None:
    """The day before it, if that is later than the next: "thurs works" after "Thursday 17 December?"."""
    plain = {*atom.kinds} - OF_DAY == {"weekday"} and atom.one_day
    if date is None or not plain or len(text) > SHORT or SAYS_NEAR.match(text, atom.left):
        return None
    later = midnight(date) - midnight(atom.start)
    fits = later > timedelta(0) and later.days % _A_WEEK.days == 0
    return replace(atom, start=atom.start + later, end=atom.end + later) if fits else None


def _moved_to_month(date: datetime, atom: Atom) -> Atom:
    """The day of this number in the month of a date, if it is later; of a range its first day."""
    try:
        start = midnight(date).replace(day=atom.start.day)
    except ValueError:  # there is no 31 June
        return atom
    last = atom.end - DAY
    days = (one for n in range(_MONTH) if (one := start + n * DAY).day == last.day)
    end = next(days, start) + DAY
    return replace(atom, start=start, end=end) if start > atom.start else atom


def date_before(
    said: Collection[tuple[str, datetime]],
    text: str,
    sent_at: datetime,
    order: NumericOrder | None = None,
) -> datetime | None:
    """The last date to come that one of the messages ``said`` shortly before names; None if none does.

    It is looked for only if the ``text`` of the message after them may name a day by its number or its
    weekday alone.
    """
    if not _OF_A_DAY_BEFORE.search(text):
        return None
    for earlier, at in reversed([*said][-FEW:]):
        if sent_at - at > SOON_AFTER:
            return None
        times = message_times(earlier[:LONG], at, order=order)
        named = [_named_in(one, text) for one in times if _tells_month(one)]
        if ahead := [start for start in named if start > at]:
            return ahead[-1]
    return None


def _tells_month(time: Atom) -> bool:
    """Whether days that are named after this time by their numbers may be of its month."""
    return bool((DATED | {"numbered", "holiday"}) & {*time.kinds}) and time.shape not in _ENDED


def _named_in(time: Atom, text: str) -> datetime:
    """The day that tells the month: of "new year" the last day of the year, of some days that of a weekday.

    "Sat 17 to Tue 20 May" is 20 May for "I'll take the tues off".
    """
    if time.kinds == ("holiday",) and time.start.day == 1:
        return time.start - DAY
    weekday = _WEEKDAY.search(text) if DAY < time.end - time.start <= _A_WEEK else None
    later = (weekday_of(weekday[0]) - time.start.weekday()) % 7 * DAY if weekday else timedelta(0)
    return time.start + later if time.start + later < time.end else time.start


def _nearer(past: Atom, ahead: Atom, sent_at: datetime) -> Atom | None:
    """Of the last and the next "Tuesday 21st" the nearer one; None if both are far away."""
    nearer = min(past, ahead, key=lambda day: abs(day.start - sent_at))
    only = past.start == ahead.start  # there is none on the other side
    return nearer if only or abs(nearer.start - sent_at) < SOON else None


def _is_uncertain(text: str, atom: Atom, sent_at: datetime) -> bool:
    """Whether a time has no known date: "every other Friday", "the weekend before", "a week from Friday".

    So is a weekday with a number that is not its date, as in "Friday 20 people came", and the day of
    sending in "It's Friday!".
    """
    before = text[max(0, atom.left - NEARBY) : atom.left]
    ranked = atom.kinds[:1] == ("ordinal",) and _RANKED.search(before)
    if ranked or _is_final(text, atom, before, sent_at):
        return True
    if "last" in atom.kinds:
        return _SOME.search(text, atom.left, atom.right) is not None
    if "relative" in atom.kinds:
        return _WEEKS.search(before) is not None
    if not _BARE & frozenset(atom.kinds):
        return False
    the = _THE.search(before) or _THE.search(text[atom.left : atom.right])
    if the and _OF_ANOTHER.match(text, atom.right):
        return True
    return "weekday" in atom.kinds and _is_any_weekday(text, atom, before, sent_at)


def _is_final(text: str, atom: Atom, before: str, sent_at: datetime) -> bool:
    """Whether "last Sunday" or "last night", with the text ``before`` it, may be the final one of some.

    On a Sunday it may be this one too, as in "last sunday long-ish one", if it begins its clause and no
    verb is past.
    """
    if not _LAST_DAY.match(text[atom.left : atom.right]):
        return False
    if _FINAL.search(before) or _IS_FINAL.match(text, atom.right):
        return True
    same = atom.kinds == ("weekday",) and atom.start.weekday() == sent_at.weekday()
    begins = same and _BEGINS.search(before) is not None
    return begins and looks(text, atom.left, atom.right) == "ahead"


def _is_any_weekday(text: str, atom: Atom, before: str, sent_at: datetime) -> bool:
    """Whether a weekday, with the text ``before`` it, is no certain one, or the day of sending.

    That of a habit is none: "bins are collected Tuesday now", "we usually meet on Friday".
    """
    if _NTH_WORD.match(text, atom.right):
        return True
    number = _NUMBER.match(text, atom.right) if atom.kinds == ("weekday",) else None
    ruled = number is not None and int(number[1]) != atom.start.day
    if ruled and not has_hours(text, atom, sent_at):
        return True
    today = atom.start.weekday() == sent_at.weekday() and _IT_IS.search(before)
    led = today or _HAPPY.search(before) or _ANY_OF.search(before) or _USUALLY.search(before)
    if _PASSIVE.search(before) and _NOW.match(text, atom.right):
        return True
    return bool(led or _LATER.match(text, atom.right))

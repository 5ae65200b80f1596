"""An earlier question with one part of the next in place of its own: a person, a time or a question word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.named_entities import Named
from minirag_chat.question.neighbouring_time import neighbouring_time
from minirag_chat.question.repeated import without_repeated
from minirag_chat.question.text_alone import TextReader
from minirag_chat.records import Overview
from minirag_chat.times.atoms import Atom
from minirag_chat.times.neighbours import OF_YEAR

_IGNORED = re.IGNORECASE
LONGEST = 300  # characters of a rewritten question: names in place of names must not multiply
LEAD = 30  # characters before a name or time in which its preposition is looked for
AUXILIARY = r"(?:did|does|do|is|are|was|were|has|have|had|will|would|can|could|should)\b"
_HE = any_case(r"\b(?:s?he|him|they|them)\b")
_IN_TOTAL = any_case(
    r"(?:(?:in|of) (?:total|all)|altogether|all in all|overall|(?:of|over) all time|insgesamt|ever)\W*$",
)
WORD_ASKING = (
    r"(?:who|whom|(?:what|which) (?:time|day|date|year)|what|when|where|why"
    r"|how (?:many times|much|long|often|old|far))"
)
_ASKED = lazy(
    rf"(?:(?:(?:since|until|till)\s+)?(?!who){WORD_ASKING}\s+(?:exactly\s+)?)?"
    rf"(?P<rest>(?:(?:did|does|do)\s|{AUXILIARY}\s+(?:(?:the|an?|my|our|your|his|her|their|its|it|he|she"
    r"|they|we|you|i|there)\b|(?-i:[A-Z]))).*)$",
    _IGNORED | re.DOTALL,
)
_SENT_TO = any_case(r"\bto\s+$")
_TOWARDS = any_case(r"\b(with|without|for|to|from|about|mit|für|von|con|para)\s+$")
_ACTS = any_case(rf"\b{AUXILIARY}\s+$")
_JOINED = any_case(r"\s*(?:,|(?:and|or)\b)")
_LISTED = any_case(r"\s*(?:,\s*(?:and\s+)?|and\s+)")
_MUTUAL = any_case(
    r"\b(?:do|are|were|have|both|each|together|in common|agreed?|meet|met|between)\b",
)  # of which a list cannot become one person
_RANKED = any_case(r"\b(?:most|fewest|least|first|last|second|third)\b")
_WHEN = any_case(r"\b(?:in|on|at|during|of|for|by)\s+(?:the\s+)?$")
_WHAT_IS = any_case(r"\bwhat(?:['\u2019]?s| is|(?: else)? was| is there)\s+$")
_OF_TIME = any_case(r"\b(?:in|on|at|during|of|for|by|from)\s+(?:the\s+)?$")
_YEAR = lazy(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NEAR = any_case(r"(?:last|this|next|past|coming|every|each|the|from|between)\b")
_IN = {"loose", "month", "months", "season", "year", "quarter"}
_NUMBERS = {"nth", "ordinal"}
_MONTHS = {"month", "date"}
_ON = {"date", "weekday", "numbered", "numeric", "stamp", "ordinal"}


def asked_anew(asked: re.Match[str], before: str) -> str | None:
    """The previous question with another question word: "When is it?", "where?" → "Where is it?"."""
    word, ask = asked["word"], asked["ask"]
    if re.match(rf"{word}\b", before, _IGNORED):
        return ask[:1].upper() + ask[1:] + before[len(word) :]
    found = _ASKED.match(before)
    if not found or (not asked["to"] and word.casefold() in {"who", "whom", "what"}):
        return None
    return f"{ask[:1].upper()}{ask[1:]} {found['rest'][:1].lower()}{found['rest'][1:]}"


def swapped(
    rest: str, named: Named, times: Sequence[Atom], before: str, reader: TextReader
) -> str | None:
    """The previous question with the people and the time of ``rest``; None if they do not fit."""
    text = _with_people(before, rest, named, reader) if named else before
    if text and times:
        text = _with_time(text, rest, times[0], reader) if len(times) == 1 else None
    return text


def _with_people(text: str, rest: str, named: Named, reader: TextReader) -> str | None:
    """``text`` with the person of ``rest`` in place of its only person, or its subject; None if unclear."""
    start, end = named[0][0], named[-1][1]
    known = reader.people(text)
    if not _MUTUAL.search(text):
        known = _lists(text, known)
    me = (reader.store.me.id(),)
    mine = all(owners == me for *_place, owners in named)
    if mine and any(owners == me for *_place, owners in known):
        return None  # "When did I last talk to Ben?", "and me?"
    towards = _leading(_TOWARDS, rest, start)
    if towards:
        lead = re.compile(rf"\b{towards[1]}\s+$", _IGNORED)
        known = [place for place in known if _leading(lead, text, place[0])]
    elif len({owners for *_place, owners in known}) > 1:
        others = _not_me(known, reader)  # "When did I last talk to Ben?", "and Ann?"
        acts = [p for p in others if _leading(_ACTS, text, p[0]) and not _JOINED.match(text, p[1])]
        known = acts if len({owners for *_place, owners in others}) > 1 else others
    if towards and not known and towards[1].casefold() in {"from", "with"}:  # "how many from Ben?"
        known = [place for place in reader.people(text) if not _leading(_SENT_TO, text, place[0])]
    if len({owners for *_place, owners in known}) > 1:
        known = _not_me(known, reader)  # "between me and Ben"
    if len({owners for *_place, owners in known}) > 1 or (towards and not known):
        return None
    places = [place[:2] for place in known] or [found.span() for found in _HE.finditer(text)]
    for left, right in reversed(places):
        text = text[:left] + rest[start:end] + text[right:]
    return text if places and len(text) <= LONGEST else None


def _not_me(named: Named, reader: TextReader) -> Named:
    """The names of others than the asker, if there are any."""
    me = (reader.store.me.id(),)
    return [place for place in named if place[2] != me] or named


def _lists(text: str, named: Named) -> Named:
    """The names, of which those of a list ("Ann, Ben and Cy") are one."""
    found: Named = []
    for place in named:
        if found and _LISTED.fullmatch(text, found[-1][1], place[0]):
            first = found.pop()
            found.append((first[0], place[1], (*first[2], *place[2])))
        else:
            found.append(place)
    return found


def _with_time(text: str, rest: str, time: Atom, reader: TextReader) -> str | None:
    """``text`` with the time of ``rest``; None if ``text`` has several times."""
    new = _phrase(rest, time)
    old = reader.times(text)
    if len(old) > 1:
        return None
    if not old or (time.of_day and not old[0].of_day):
        body = text.rstrip(" ?!.\uff1f")
        return f"{body} {new}{text[len(body) :] or '?'}"
    lead = _leading(_WHEN, text, old[0].left)
    if lead and _WHAT_IS.search(text, 0, lead.start()) and not new.startswith("on "):
        lead = None  # "what's on this weekend"
    return text[: lead.start() if lead else old[0].left] + new + text[old[0].right :]


def in_total(rest: str, before: str, reader: TextReader) -> str | None:
    """The previous question without its times, also those that come again, if ``rest`` is "in total"."""
    if not _IN_TOTAL.match(rest):
        return None
    left, _each = without_repeated(before, reader.now)
    for time in reversed(reader.times(left)):
        lead = _leading(_OF_TIME, left, time.left)
        left = f"{left[: lead.start() if lead else time.left].rstrip()}{left[time.right :]}"
    return " ".join(left.split())


def beside(rest: str, before: str, reader: TextReader) -> str:
    """The time next to the only one of ``before`` ("and the month before?"); empty if not asked for."""
    old = reader.times(before)
    one = old[0] if len(old) == 1 and old[0].shape == "point" else None
    if one is None:
        return ""
    plan = reader.plan(before)
    planned = plan.question.times if isinstance(plan, Overview) and plan.planned else ()
    start, end = (planned[0].start, planned[0].end) if len(planned) == 1 else (one.start, one.end)
    return neighbouring_time(rest, start, end)


def _in_same_month(rest: str, new: Atom, old: Atom) -> str:
    """``rest`` with the month of an earlier time, if its own is only the number of a day: "the 19th"."""
    if not {*new.kinds} <= _NUMBERS or not {*old.kinds} & _MONTHS or old.shape != "point":
        return rest
    try:
        day = old.start.replace(day=new.start.day)
    except ValueError:
        return rest
    lead = _leading(_OF_TIME, rest, new.left)
    date = f"{day.day} {day:%B %Y}" if old.dated else f"{day.day} {day:%B}"
    return f"{rest[: lead.start() if lead else new.left]}on {date}{rest[new.right :]}"


def in_same_year(rest: str, times: Sequence[Atom], before: str, reader: TextReader) -> str:
    """``rest`` with the year that ``before`` says, if its only time can have one and says none.

    A mere "the 19th" gets the month too.
    """
    old = reader.times(before)
    if len(times) != 1 or len(old) != 1 or _YEAR.search(rest):
        return rest
    new, said = times[0], before[old[0].left : old[0].right]
    if not _RANKED.search(before) and (monthly := _in_same_month(rest, new, old[0])) != rest:
        return monthly
    years = {*_YEAR.findall(said)}
    if (old[0].dated or OF_YEAR.search(said)) and old[0].shape in {"point", "since"}:
        years = years or {str(old[0].start.year)}
    if len(years) != 1 or old[0].shape not in {"point", "range", new.shape}:
        return rest
    year = f" {years.pop()}"
    dated = rest[: new.right] + year + rest[new.right :]
    read = reader.times(dated)
    past = old[0].start >= reader.now and all(
        one.end <= reader.now for one in read
    )  # of what is to come
    return dated if [one.right for one in read] == [new.right + len(year)] and not past else rest


def _phrase(text: str, time: Atom) -> str:
    """A time with its preposition; the usual one is added if it has none."""
    lead, said = _leading(_WHEN, text, time.left), text[time.left : time.right]
    if lead:
        return lead[0] + said
    kinds = set() if _NEAR.match(said) or time.shape != "point" else {*time.kinds}
    return f"in {said}" if kinds & _IN else f"on {said}" if kinds & _ON else said


def _leading(words: re.Pattern[str], text: str, at: int) -> re.Match[str] | None:
    """The match of ``words`` that ends at position ``at``."""
    return words.search(text, max(0, at - LEAD), at)

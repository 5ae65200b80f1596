"""Whether a question asks for an overview of what was talked about, and not for one thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.about_messages.german import in_english
from minirag_chat.question.about_messages.paraphrase import as_known_overview
from minirag_chat.question.chats import GENERIC, sum_up_named_chat, without_groups
from minirag_chat.question.named_times import OPEN, YEAR_IS_CLEAR, without_times
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.question.repeated import without_repeated
from minirag_chat.question.words import name_parts, words_of
from minirag_chat.records import Entity, Filters, Question, Repeated, TimeSpan
from minirag_chat.times.atoms import OF_DAY
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import DAY, midnight
from minirag_chat.times.window import feast_of

LONGEST = 600  # characters; enough for a chain of four questions
LATELY = timedelta(days=30)
DAYS_AROUND = timedelta(days=3)  # before and after a time that "around" is said of
LONGEST_WITH_AROUND = timedelta(days=7)  # a longer time is not made longer by "around"

_TALKED = r"(?:talk(?:ed|ing)?|chat(?:ted|ting)?|discuss(?:ed|ing)?)"
_WROTE = r"(?:writ(?:e|ten|ing)|wrote|messag(?:e|ed|ing))"
_SAID = (
    r"(?:sa(?:y|id|ying)|t(?:ell|old|elling)|post(?:ed|ing)?|text(?:ed|ing)?|s(?:end|ent|ending)"
    r"|shar(?:e|ed|ing)|mention(?:ed|ing)?)"
)
_AUX = r"(?:did|do|does|have|has|had|were|was|are|is)"
_CHATS = (
    rf"(?:everything|(?:our|my|the|all|these|this)(?: (?:{'|'.join((*GENERIC, 'they', 'we', 'everyone'))}))*"
    r" (?:chats?|conversations?|messages|talks?))"
)
AHEAD = r"(?P<ahead>\bwhat (?:is|are) (?:(?P<on>happening|on)|going on|up)\b)"
"""Asks for what was said if its time is over, and for what is planned if it is not."""
# Matches a text in which names are replaced by "they", the asker by "we" and groups by "everyone".
_WHOLE = any_case(
    rf"\bwhat (?:{_AUX} (?:(?P<who>we|they|everyone|you|people) )?|(?P<whom>we|they|everyone) )"
    rf"(?:have |all |both |been |mostly |mainly |usually |normally )*"
    rf"(?:{_TALKED}|(?P<own>{_WROTE}|(?P<said>{_SAID})))\b(?: about\b)?"
    r"|(?:what (?:are|were)|which are|list|give me|tell me) (?:the |our |my )*"
    r"(?:main |biggest |common |recurring |most important )*(?:themes?|topics?|subjects?)"
    rf"|(?:give me |write )?(?:an? |the )?(?:overview|summary|recap)(?: of {_CHATS})?"
    rf"|\b(?:sum up|summari[sz]e|recap)(?: {_CHATS})?"
    r"|\b(?:catch|fill|bring) (?:me|us|we) (?:up|in)(?= on\b)"
    rf"|\btell me about {_CHATS}"
    r"|(?P<alone>\btell me (?:all |more |something )?about\b"
    r"|\bwhat (?:did|have|had|were|was) (?:we|everyone|you|people) (?:all |both |been )*"
    r"(?:do|done|doing|up to)\b)"
    rf"|{AHEAD}"
    r"|(?P<busy>\bwhat (?:has|have) they (?:all |both )?been (?:up to|doing)\b)"
    r"|(?P<news>\bwhat (?:is|was|has been) (?:new|the latest|the news)\b|\b(?:anything new|any news)\b"
    r"|\bhow (?:is|has) they (?:been )?(?:doing|getting on|keeping)\b|\bhow has they been\b"
    r"|\bwhat (?:(?:did|have|has|had) )?we (?:have )?(?:all )?miss(?:ed)?\b)"
    r"|(?P<happened>\bwhat (?:(?:is|has|have) been |has |have |had |was |were |did |all )?"
    r"(?:happen(?:ed|ing)?|going on)\b"
    r"|\b(?:did|has|have) (?:anything|something|much)"
    r"(?: (?:interesting|important|special|else|new))? happen(?:ed)?\b)"
    r"|(?:我们|他们|大家)?\s*(?:都|主要)?(?:聊|谈|讨论)"
    r"(?:了|过)?(?:些)?什么(?:内容|话题)?"
    r"|主要(?:话题|主题)(?:是什么|有哪些)?"
    r"|都?发生(?:了|过)?(?:些?什么|哪些)(?:事情?)?",
)
_LATELY = r"\b(?:lately|recently|these days|of late)\b|最近"
_RECENT = any_case(_LATELY)
_LINKS = any_case(
    rf"{_LATELY}|\b(?:please|pls|plz|bitte|(?:can|could|would) you|(?:tell|remind|show) me)\b"
    r"|\b(?:they|we|me|us|everyone|with|by|from|between|and|among|in|on|at|during|over|since|until|to|the|"
    r"so far|all|this|of|about)\b|我们|他们|大家|[和跟与在的]"
    r"|[^\w\s]|'s\b",
)
_AROUND = r"\b(?:around|round|circa)(?: the)?\s+"
_WHAT_IS = any_case(r"\bwhat['\u2019]?s\b")
_OWNS = lazy(r"['\u2019]s\b")
_WORD = lazy(r"\w+")
_SIGN = lazy(r"[^\w\s.'\u2019-]")  # such as an emoji
_SOME = r"(?:they|we|everyone)"
_JOINED = lazy(rf"\b{_SOME}(?:(?:\s*,\s*|\s+|[-'\u2019])(?:and\s+)?{_SOME})+\b")
_ABOUT_ONE = lazy(r"\babout (?:they|we|everyone|me|us)\b")
_TO_ONE = lazy(r"\b(?:to (?:we|everyone|me|us)|with (?:we|me|us))\b")
_MISSED = any_case(r"\bmiss(?:ed)?\b")
_THEY = lazy(r"\bthey\b")
_BETWEEN = lazy(r"\bbetween they\b")
_FROM_ONE = lazy(r"\b(?:with|from|of|by) they\b")
_THIS = any_case(r"this\b")  # the part of the week that has begun
_SPEAKS = any_case(rf"\bwhat\b(?P<head>.*?)\b(?:{_WROTE}|{_SAID})\b")
_DID = any_case(r"\bwhat (?:did|have|had|were|was)\b(?P<head>.*?)\b(?:do|done|doing|up to)\b")
_SENT = any_case(
    r"\bmessages (?:(?:sent|written) )?(?:from|by)\b(?P<head>.*?)(?=\b(?:to|with|about)\b|$)",
)
_SUMS_UP = any_case(r"\b(?:sum up|summari[sz]e|summary|recap|overview|happened)\b")
_SUMMED = any_case(
    r"(?:give me |write )?(?:an? |the )?(?:sum up|summari[sz]e|summary|recap|overview)\b"
)
_OUR_TIME = any_case(r"\b(?:my|our) (day|week|weekend|month|year)\b")
_MEANT = {
    "day": "today", "week": "the last 7 days", "weekend": "the weekend", "month": "the last 30 days",
    "year": "this year",
}  # fmt: skip
"""The time that "Summarize my week" asks for."""
_AROUND_SAID = "around "
_YEARLY = frozenset(
    "date foreign hanzi holiday loose month months part quarter season weekof".split()
)


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """A question's text without its times and chats, and these.

    ``text`` has pronouns for people ("they", "we"), ``plain`` their names, ``named`` also the times.
    ``known`` are the words of people's names, ``mine`` those of who asks.
    """

    text: str
    plain: str
    named: str
    spans: tuple[TimeSpan, ...]
    repeated: Repeated
    chats: frozenset[int]
    known: frozenset[str]
    mine: frozenset[str]


def as_overview(question: Question, context: PlanContext) -> Question | None:
    """The question with the period, people and chats that it names, if it asks for an overview.

    It does if nothing is left after removing the phrase that asks, the times, people and chats; or, with
    ``context.in_other_words``, if a classifier is sure that it means such a question.
    In the result, ``quoted_speakers`` are those whose own messages are asked for, ``people`` those who
    take part.
    """
    parts = question_parts(question, context)
    if parts is None:
        return None
    asked = list(_WHOLE.finditer(parts.text))
    rest = _WHOLE.sub(" ", parts.text)
    if not asked or not is_all(rest) or _ABOUT_ONE.search(parts.text):
        return None
    times = _times_asked_for(parts, asked, context.newest)
    timed = bool(times) or parts.repeated != Repeated() or bool(_RECENT.search(parts.text))
    summed = any(_SUMMED.match(found[0]) for found in asked)
    if times is None or not all(_fits(one, rest, timed=timed, summed=summed) for one in asked):
        return None
    if not times and (_RECENT.search(parts.text) or any(map(_of_late, asked))):
        times = (_lately(context.newest),)
    filters = filters_within(parts, question.filters)
    if filters is None:
        return None
    called = _called(question, context.me)
    people, quoted_speakers = _roles(question.people, called, parts, asked, rest)
    if any(_MISSED.search(found[0]) for found in asked):  # the asker cannot have written that
        people = tuple(person for person in people if person.id != context.me)
    filters = replace(filters, repeated=parts.repeated)
    return replace(
        question, times=times, people=people, quoted_speakers=quoted_speakers, filters=filters
    )


def _times_asked_for(
    parts: QuestionParts, asked: Sequence[re.Match[str]], newest: datetime
) -> tuple[TimeSpan, ...] | None:
    """The times that a question names; None if it asks what is planned for them."""
    if not any(found["ahead"] for found in asked):
        return parts.spans
    times = times_ahead(parts, newest)
    begun = any(found["on"] for found in asked)
    return None if are_ahead(times, newest, begun=begun) else times


def _of_late(asked: re.Match[str]) -> bool:
    """Whether this phrase asks for the last weeks if no time is named: "what's new?"."""
    return bool(asked["ahead"] or asked["news"] or asked["busy"])


def question_parts(question: Question, context: PlanContext) -> QuestionParts | None:
    """The parts of a question that can ask for an overview; None if it is too long or compares."""
    if question.shape is not None or len(question.text) > LONGEST:
        return None
    newest, chats, me = context.newest, context.titles, context.me
    names = _called(question, me)
    known = {part for parts in names.values() for part in parts}
    mine = known - {part for person, parts in names.items() if person != me for part in parts}
    asks = _with_my(question, me)
    if _SUMS_UP.search(asks):
        asks = _OUR_TIME.sub(lambda time: _MEANT[time[1].lower()], asks)
    general, called, name = sum_up_named_chat(asks, chats)
    named, groups = without_groups(general if called else asks, chats, known, newest)
    named, repeated = without_repeated(named, newest, habits=True)
    plain, spans = _without_times(_WHAT_IS.sub("what is", named), newest, known)
    plain = in_english(plain)
    if question.follow_up:  # its time takes the place of that of the earlier questions
        spans = without_times(question.follow_up, newest, known, "past")[1] or spans
    text = _pronouns(plain, known, mine)
    unknown = name is not None and not called  # it is not all chats that are asked for
    text = as_known_overview(text) if context.in_other_words and not unknown else text
    return QuestionParts(
        text, plain, named, spans, repeated, called or groups, frozenset(known), frozenset(mine)
    )


def _called(question: Question, me: int | None) -> dict[int, set[str]]:
    """The words by which a question may name each of its people: those of the name, and of a nickname."""
    called = {person.id: name_parts(person.name) for person in question.people}
    for span in question.spans:
        for person in span.people:
            if person != me and person in called:
                called[person] |= name_parts(question.text[span.start : span.end])
    return called


def filters_within(parts: QuestionParts, filters: Filters) -> Filters | None:
    """The filters with only the chats that the question names; None if these allow no chat."""
    chats = parts.chats & (filters.chats or parts.chats)
    if parts.chats and not chats:
        return None
    return replace(filters, chats=chats or filters.chats)


def is_all(rest: str) -> bool:
    """Whether this rest of a text, which has pronouns, asks for nothing more."""
    return not _LINKS.sub(" ", rest).strip()


def times_ahead(parts: QuestionParts, newest: datetime) -> tuple[TimeSpan, ...]:
    """The times of the question, those to come where its words allow it."""
    return without_times(parts.named, newest, {*parts.known}, "future")[1]


def are_ahead(spans: Sequence[TimeSpan], newest: datetime, *, begun: bool = False) -> bool:
    """Whether a time is to come, is today or goes on after it.

    "This week" is so on its first day, or with ``begun``: "What's on this week?" asks for what is planned,
    "what's up this week?" for what was said.
    """
    today = midnight(newest)
    tomorrow = today + DAY
    return any(
        span.start > newest
        or span.start >= today
        or (span.end > tomorrow and (begun or not _THIS.match(span.phrase)))
        for span in spans
    )


def read_at(question: Question, now: datetime) -> Question:
    """The question as read at an earlier ``now``: each time without a year is read again."""
    return replace(question, times=tuple(_read_anew(span, now) for span in question.times))


def _without_times(
    text: str, newest: datetime, known: set[str]
) -> tuple[str, tuple[TimeSpan, ...]]:
    """``text`` without its times, and these: "around Easter" has some days more on each side."""
    plain, spans = without_times(text, newest, known, "past")
    near = tuple(
        _around(span) if re.search(_AROUND + re.escape(span.phrase), text, re.IGNORECASE) else span
        for span in spans
    )
    return (plain if near == spans else re.sub(_AROUND, " ", plain, flags=re.IGNORECASE)), near


def _around(span: TimeSpan) -> TimeSpan:
    """A short time with some days more on each side."""
    if span.end - span.start > LONGEST_WITH_AROUND or span.start - datetime.min < DAYS_AROUND:
        return replace(span, phrase=f"{_AROUND_SAID}{span.phrase}")
    latest = min(span.end, datetime.max - DAYS_AROUND) + DAYS_AROUND
    return TimeSpan(span.start - DAYS_AROUND, latest, f"{_AROUND_SAID}{span.phrase}")


def _read_anew(span: TimeSpan, now: datetime) -> TimeSpan:
    if span.phrase.startswith(_AROUND_SAID):
        return _around(
            _read_anew(replace(span, phrase=span.phrase.removeprefix(_AROUND_SAID)), now)
        )
    if span.phrase == _lately(now).phrase:  # starts earlier, and keeps its end
        return replace(span, start=_lately(now).start)
    atoms = find_atoms(f"in {span.phrase}", now, "past")
    if len(atoms) != 1 or YEAR_IS_CLEAR.search(span.phrase):
        return span
    guessed = {*atoms[0].kinds} - OF_DAY
    near = "foreign" in guessed and not re.search(r"\d", span.phrase)  # "gestern"
    if near or not guessed or not guessed <= _YEARLY or atoms[0].shape in OPEN:
        return span
    feast = feast_of(f"in {span.phrase}", atoms[0])
    return TimeSpan(*(feast or atoms[0].days), span.phrase)


def _lately(newest: datetime) -> TimeSpan:
    today = midnight(newest)
    return TimeSpan(today - LATELY, today + DAY, "lately")


def _fits(asked: re.Match[str], rest: str, *, timed: bool, summed: bool) -> bool:
    """Whether, given the rest of the text, this phrase asks for an overview.

    "What happened with Ann?" asks for one event, but for an overview if another phrase asks to sum it up.
    """
    if asked["said"]:
        return timed
    if asked["alone"]:
        return timed and not _THEY.search(rest)
    of_one = asked["news"] or (asked["ahead"] and not timed) or (asked["happened"] and summed)
    if of_one and _FROM_ONE.search(rest):
        return True  # "What's up with Ann?" asks for news
    if asked["ahead"] or asked["news"] or asked["happened"]:
        return not _TO_ONE.search(rest) and (not _THEY.search(rest) or bool(_BETWEEN.search(rest)))
    return True


def _roles(
    people: Sequence[Entity],
    called: Mapping[int, set[str]],
    parts: QuestionParts,
    asked: Sequence[re.Match[str]],
    rest: str,
) -> tuple[tuple[Entity, ...], tuple[Entity, ...]]:
    """Of the people whom the text names: those who take part, and those whose own messages are asked for.

    ``called`` are the words of each one's names.
    """
    plain, mine = parts.plain, parts.mine
    words = set(words_of(plain))
    named = [person for person in people if called[person.id] & words]
    own = [found["who"] or found["whom"] for found in asked if found["own"]]
    speaks = _SPEAKS.search(plain)
    head: set[str] = set()
    if speaks and ("they" in own or mine & {*words_of(speaks["head"])}):
        head = set(words_of(speaks["head"]))
    elif speaks and None in own and "by they" in rest:
        head = words
    if any(found["busy"] or (found["news"] and _FROM_ONE.search(rest)) for found in asked):
        head = words  # what is new with somebody is what they write
    did = _DID.search(plain)
    if did and mine & {*words_of(did["head"])}:  # what the asker did is in their own messages
        head |= set(words_of(did["head"]))
    if sent := _SENT.search(plain):
        head |= set(words_of(sent["head"]))
    quoted_speakers = tuple(person for person in named if called[person.id] & head)
    return tuple(person for person in named if person not in quoted_speakers), quoted_speakers


def _with_my(question: Question, me: int | None) -> str:
    """The question's text with "my" for the asker's name in the genitive, and names without signs."""
    text = question.text
    for span in reversed(question.spans):
        owns = _OWNS.match(text, span.end) if span.people == (me,) else None
        name = "my" if owns else " ".join(words_of(text[span.start : span.end]))
        if owns or _SIGN.search(text, span.start, span.end):
            text = f"{text[: span.start]}{name}{text[owns.end() if owns else span.end :]}"
    return text


def _pronouns(text: str, known: set[str], mine: set[str]) -> str:
    """``text`` as ``_WHOLE`` expects it: "they" for names, "we" for the asker; of a list one of these."""

    def pronoun(word: re.Match[str]) -> str:
        low = word[0].casefold()
        return "we" if low in mine | {"i", "we"} else "they" if low in known else word[0]

    def one(joined: re.Match[str]) -> str:
        return "they" if {*words_of(joined[0])} <= {"they", "and"} else "we"

    return _JOINED.sub(one, " ".join(_WORD.sub(pronoun, text).split()))

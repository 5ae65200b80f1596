"""What is planned for a period: the messages that name days of it and were written before these."""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from itertools import compress
from operator import itemgetter

import numpy as np
from dateutil.relativedelta import relativedelta

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.overview import read_at
from minirag_chat.question.planned import asks_to_meet
from minirag_chat.question.plans_of_kind import SHIFTS, WORK
from minirag_chat.records import (
    Answer,
    Message,
    Overview,
    Question,
    QuestionPlan,
    Source,
    TimeSpan,
)
from minirag_chat.store import Store
from minirag_chat.store.arrays import Ids
from minirag_chat.store.columns import is_among
from minirag_chat.store.text import in_other_number, words
from minirag_chat.summaries.overview import listed, scope_of, sources_of
from minirag_chat.times import message_times
from minirag_chat.times.atoms import OF_DAY, Atom
from minirag_chat.times.patterns import HOURS, SHORT_DAYS
from minirag_chat.times.spans import DAY, GRACE, midnight
from minirag_chat.times.yearless import is_yearless, year_looks
from minirag_chat.ui_text import MAY_HAVE_CHANGED, WEEKDAYS, day, joined, one_line, said_at

MOST = 10  # messages that are listed
MOST_READ = 100  # messages with a day of the period that are read, those with the earliest days
_WEEKDAY = lazy(rf"\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
_NOTHING_SAID = lazy(
    r"\b(?:weeks?|yes|yeah|yep|yup|no|nope|ok|okay|sure|maybe|sorry|fine|works?|good|great)\b",
    re.IGNORECASE,
)
_OF_WORK = lazy(
    r"\b(?:work(?:ing)?|shifts?|rotas?|roster|swap(?:ped|ping)?|cover(?:ing)?|on call|i['\u2019]?m in)\b"
    rf"|\b(?:{'|'.join((*WEEKDAYS, *SHORT_DAYS))}),?\s+{HOURS}",
    re.IGNORECASE,
)
NAMED = 0.8
"""The confidence: a message may name a day and plan nothing, or plan something and name no day."""
MET = 0.45
"""The same if it is asked when somebody is seen or works: what is planned may be something else."""
OF_KIND = 0.6
"""The same for plans of one kind: a message may name a day and have a word for another reason."""
LONGEST = timedelta(days=31)  # of a time in what is coming up
FARTHEST = timedelta(days=5 * 365)  # from a message to what it plans
WEEKEND, WEEK = timedelta(days=2), timedelta(days=7)
SEVEN_MONTHS = timedelta(days=213)
SHORTEST_MONTH = timedelta(days=28)
_DAYS = frozenset(
    {"date", "foreign", "numeric"}
)  # kinds of times that may be several days: "17 to 20 October"
NOTHING = (
    "I found nothing that is coming up: no message{whose} seems to name a day after the newest one."
)
NOTHING_FOR = "I found nothing planned {time}: no message{whose} seems to name a day of it."
PERHAPS = "Nothing is surely planned {time}. This names the number of such a day, perhaps of another month:"
_MORE = "And up to {count} more, the last for {day}: ask for a shorter time."


@dataclass(frozen=True, slots=True)
class DayAhead:
    """A message and the first day of the period that it names; ``was`` the one before it was moved."""

    day: datetime
    message: Message
    was: datetime | None = None


@dataclass(frozen=True, slots=True)
class Plans:
    """What is planned, in order of the days, and how many messages more may be, until which day.

    Not ``sure``: the messages name the number of the day, and perhaps mean another month.
    """

    first: tuple[DayAhead, ...] = ()
    more: int = 0
    until: datetime | None = None
    sure: bool = True


def planned_messages(store: Store, question: Question, kind: str = "") -> Plans:
    """The first messages that name a day of the question's times, in order of these days.

    They were written before that day, or on it if all were; and have all words of ``kind``, or say something
    of work if that is asked for and any does. If nobody planned anything for a time to come, it is the one
    before it if that is nearer and was of late: "in May", asked in June. Call it inside ``reading()``.
    """
    newest = store.messages.extent()[1]
    past = () if newest is None else (read_at(question, newest),)
    for asked in (question, *(one for one in past if newest and _is_nearer(one, question, newest))):
        if (found := _naming(store, asked, kind)).first:
            return found
    if kind == WORK:
        return planned_messages(store, question)
    return _with_number(store, question, newest) if newest and not kind else Plans()


def _is_nearer(past: Question, ahead: Question, newest: datetime) -> bool:
    """Whether the times of one question are nearer to the newest message than those to come of the other.

    What is planned for June is not what was planned for the last one, if this has long been over.
    """
    last = max((span.end for span in past.times), default=datetime.min)
    next_one = min((span.start for span in ahead.times), default=datetime.max)
    return newest - last < min(next_one - newest, GRACE)


def with_new_days(plans: Plans, times: Sequence[TimeSpan], moved: Mapping[int, date]) -> Plans:
    """The plans in the order of their days, of which some ``moved`` to another one of the times asked for."""

    def placed(one: DayAhead) -> DayAhead:
        new = moved.get(one.message.id)
        at = None if new is None else datetime.combine(new, time_of_day())
        inside = at is not None and any(span.start <= at < span.end for span in times)
        return replace(one, day=at, was=one.day) if at is not None and inside else one

    return replace(plans, first=tuple(sorted(map(placed, plans.first), key=_in_order)))


def only_next(plans: Plans) -> Plans:
    """The plans for the first of their days."""
    first = tuple(one for one in plans.first if one.day.date() == plans.first[0].day.date())
    return Plans(first, sure=plans.sure)


def _in_order(one: DayAhead) -> tuple[datetime, datetime, int]:
    return one.day, one.message.sent_at, one.message.id


def plans_nothing(store: Store, plan: QuestionPlan) -> bool:
    """Whether a plan asks what was planned for a time that has begun, and no message names a day of it.

    A message with the same words may still say it; so may one if what is asked for next has no day to come.
    """
    if not isinstance(plan, Overview) or not plan.planned or plan.moved:
        return False
    newest = store.messages.extent()[1]
    times = plan.question.times
    begun = newest is None or any(
        span.start <= newest and span.end != datetime.max for span in times
    )
    may_say = begun or bool(plan.kind)
    found = planned_messages(store, plan.question, plan.kind) if may_say else Plans()
    return may_say and not (found.first and found.sure)


def all_planned(
    asked: Overview, plans: Plans, changes: Mapping[int, Source]
) -> Generator[str | Answer, None, None]:
    """Yield a line for each of the messages, then the ``Answer``; if there are none, only this.

    ``changes`` has by message id what a later message says that may move its day.
    """
    question = asked.question
    begun = time.perf_counter()
    shown = plans.first
    if not shown:
        yield replace(
            listed(question, _none(question), (), begun, 0.0),
            abstained=True,
            reason="no_messages",
        )
        return
    sources = sources_of([one.message for one in shown])
    moves = _numbered(sources, [changes[s.message_id] for s in sources if s.message_id in changes])
    in_chat = len({one.message.chat for one in shown}) > 1
    lines = [
        *([] if plans.sure else [PERHAPS.format(time=joined([*map(_as_asked, question.times)]))]),
        *(() if asked.first else _from_when(question.times)),
        *(
            f"- {_day_of(one, plans)}{_said(source, in_chat=in_chat)} [{source.number}]"
            + _moved(changes.get(source.message_id), moves)
            for one, source in zip(shown, sources, strict=True)
        ),
    ]
    if plans.until:
        lines.append(_MORE.format(count=plans.more, day=day(plans.until)))
    yield from (line + "\n" for line in lines)
    more = [one for one in moves.values() if one.number > len(sources)]
    told = asked.kind in SHIFTS and all(_is_of_work(one.message) for one in shown)
    meets = asks_to_meet(question.text) or asked.kind == WORK
    unsure = (meets and not told) or not plans.sure
    confidence = MET if unsure else OF_KIND if asked.kind else NAMED
    yield listed(question, "\n".join(lines), [*sources, *more], begun, confidence)


def _day_of(one: DayAhead, plans: Plans) -> str:
    if one.was is not None:
        return f"For {day(one.day)} instead of {day(one.was)}: "
    return f"For {_named(one)}: " if plans.sure else ""


def _said(source: Source, *, in_chat: bool) -> str:
    return said_at(source.message, one_line(source.quote), in_chat=in_chat)


def _numbered(sources: Sequence[Source], changes: Sequence[Source]) -> dict[int, Source]:
    """The changes by message id, numbered after the sources if they are none of these."""
    there = {source.message_id: source for source in sources}
    new = {change.message_id: change for change in changes if change.message_id not in there}
    number = len(sources)
    return there | {m: replace(one, number=number + n) for n, (m, one) in enumerate(new.items(), 1)}


def _moved(change: Source | None, numbered: Mapping[int, Source]) -> str:
    """What may move a day, with the number of its message."""
    if change is None:
        return ""
    return f" {MAY_HAVE_CHANGED}: {_said(change, in_chat=False)} [{numbered[change.message_id].number}]"


def _from_when(times: Sequence[TimeSpan]) -> list[str]:
    """A line with the day from which all that is planned is listed: now, or the end of older messages."""
    return [f"From {day(span.start)} on:" for span in times if span.end == datetime.max][:1]


def _none(question: Question) -> str:
    """The sentence that nothing was found for the times of a question: a message may say it otherwise."""
    names = [person.name for person in question.people]
    whose = f" with {joined(names)}" if names else ""
    if any(span.end == datetime.max for span in question.times):
        return NOTHING.format(whose=whose)
    return NOTHING_FOR.format(time=joined([*map(_as_asked, question.times)]), whose=whose)


def _as_asked(span: TimeSpan) -> str:
    """A time in the words of the question, of one day with its date: "for tomorrow, 3 May 2026"."""
    phrase = _WEEKDAY.sub(lambda named: named[0].capitalize(), span.phrase)
    if span.end - span.start > DAY:
        return phrase if phrase.startswith(("from ", "between ")) else f"for {phrase}"
    has_digits = any(map(str.isdigit, phrase))
    return f"for {day(span.start)}" if has_digits else f"for {phrase}, {day(span.start)}"


def _naming(store: Store, question: Question, kind: str) -> Plans:
    """The messages in scope that name a day of the question's times, or a period that reaches into them."""
    scope = scope_with(store, question, kind)
    times = tuple(map(_whole_day, question.times))
    running, _unread = _read(store, [_before(span) for span in times], scope)
    starting, unread = _read(store, [_ends(span) for span in times], scope)
    read = [pair for pair in (*running, *starting) if _is_meant(*pair, times)]
    pairs = [pair for pair in read if _is_at_hours(*pair, question.times)]
    before = [pair for pair in pairs if pair[1].sent_at < pair[0]]
    days: dict[int, DayAhead] = {}
    for at, message in before or pairs:
        days.setdefault(message.id, DayAhead(at, message))
    shown = _without_bare_days(list(days.values()))
    further = {message: key for message, key in unread if message not in days}
    if kind in SHIFTS:
        shown, further = [one for one in shown if _is_of_work(one.message)], {}
    elif kind:
        shown = [one for one in shown if says(one.message, kind)]
    found = sorted(shown, key=_in_order)
    left = [one.day for one in found[MOST:]] + [*map(datetime.fromisoformat, further.values())]
    return Plans(tuple(found[:MOST]), len(left), max(left, default=None))


def _whole_day(span: TimeSpan) -> TimeSpan:
    """The day of a part of it, "tomorrow night": most messages name no time of day."""
    if span.end - span.start >= DAY:
        return span
    start = midnight(span.start)
    return TimeSpan(start, start + DAY, span.phrase)


def _is_at_hours(at: datetime, message: Message, times: Sequence[TimeSpan]) -> bool:
    """Whether a message that names this day tells no other time of it than that which is asked for."""
    named = _time_from(at, message)
    if named is None or OF_DAY.isdisjoint(named.kinds):
        return True
    return any(
        span.end - span.start >= DAY or (named.start < span.end and span.start < named.end)
        for span in times
    )


def scope_with(store: Store, question: Question, kind: str) -> Ids | None:
    """The messages of any time that a question is about and that have all words of ``kind``; None for all."""
    scope = scope_of(store, replace(question, times=()))
    if not kind or kind in SHIFTS:
        return scope
    said = np.array(store.words.having_all(kind), np.int64)
    return said if scope is None else np.intersect1d(said, scope)


def says(message: Message, kind: str) -> bool:
    """Whether a message has the words of a kind, in one number or the other: "book" is not in "booked"."""
    said = words(message.text)
    return all(not said.isdisjoint((word, *in_other_number(word))) for word in words(kind))


def _is_of_work(message: Message) -> bool:
    """Whether a message says something of somebody's work, or has hours behind a weekday: "Ann Thu 12-6"."""
    return _OF_WORK.search(message.text) is not None


def _without_bare_days(found: Sequence[DayAhead]) -> list[DayAhead]:
    """Without messages that only name a day ("1 dec") of which others of their conversation say more."""
    bare = {one.message.id for one in found if _is_bare(one.message)}
    told = {(one.day, one.message.session_id) for one in found if one.message.id not in bare}
    return [
        one
        for one in found
        if one.message.id not in bare or (one.day, one.message.session_id) not in told
    ]


def _is_bare(message: Message) -> bool:
    """Whether a message says nothing besides its days: "yes Saturday", "tues as in tmrw week"."""
    text = message.text
    times = sorted(
        message_times(text, message.sent_at, order=message.date_order), key=lambda one: -one.left
    )
    if any(one.end - one.start < DAY for one in times):  # "8pm"
        return False
    for one in times:
        text = f"{text[: one.left]} {text[one.right :]}"
    return all(word in STOP_WORDS for word in words(_NOTHING_SAID.sub(" ", text)))


def _with_number(store: Store, question: Question, newest: datetime) -> Plans:
    """The last weeks' messages that name the number of a day asked for, read as that of a month earlier.

    "I'll fly on the 27th", said on 17 November, may be about December.
    """
    short = [one for one in question.times if one.end - one.start <= WEEK]
    spans = [_a_month_before(one) for one in short if one.start - datetime.min > LONGEST]
    scope = scope_of(store, replace(question, times=()))
    pairs, _unread = _read(store, [_ends(span) for span in spans], scope)
    found = [
        DayAhead(at, message)
        for at, message in pairs
        if newest - message.sent_at < LONGEST
        and (named := _time_from(at, message))
        and named.kinds == ("ordinal",)
    ]
    return Plans(tuple(found[:MOST]), sure=False) if found else Plans()


def _a_month_before(span: TimeSpan) -> TimeSpan:
    start = midnight(span.start) - relativedelta(months=1)
    return TimeSpan(start, start + (span.end - midnight(span.start)), span.phrase)


def _read(
    store: Store, periods: Sequence[tuple[str, str]], scope: Ids | None
) -> tuple[list[tuple[datetime, Message]], list[tuple[int, str]]]:
    """The messages in scope that name a day of these periods, with it; and those that are not read."""
    named = sorted(
        {pair for period in periods for pair in store.columns.days_ahead(*period)},
        key=itemgetter(1, 0),
    )
    if scope is not None:
        inside = is_among(np.array([message for message, _day in named], np.int64), scope)
        named = list(compress(named, inside.tolist()))
    messages = store.messages.by_ids([message for message, _day in named[:MOST_READ]])
    read = [
        (datetime.fromisoformat(key), messages[one])
        for one, key in named[:MOST_READ]
        if one in messages
    ]
    return read, named[MOST_READ:]


def _is_meant(at: datetime, message: Message, times: Sequence[TimeSpan]) -> bool:
    """Whether the time that begins with this day is one of these, and neither long nor far away.

    "In September" is no plan for 1 September, and "next year" none for what is coming up; "from 28 December
    to 3 January" is one for both years, and "next weekend" one for each of its days. A mere month that
    may as well be over ("you owe me 55 from November") is not coming up.
    """
    named = _time_from(at, message)
    if named is None or at - message.sent_at > FARTHEST:
        return False
    ends = named.days[1]
    long = bool(_DAYS & {*named.kinds}) and ends - at < SHORTEST_MONTH
    days = named.shape == "range" or long or ends - at <= WEEKEND
    if days and DAY < ends - at <= LONGEST:
        return any(span.start < ends and at < span.end for span in times)
    return any(
        span.start <= at < span.end
        and ends <= span.end
        and (
            span.end != datetime.max or (ends - at <= LONGEST and not _may_be_over(named, message))
        )
        for span in times
    )


def _may_be_over(named: Atom, message: Message) -> bool:
    """Whether a time is a month without a year that is far ahead, and no word says that it is to come.

    Seven of 313 months that are read ahead in our histories are; four of these are over.
    """
    months = named.kinds == ("month",) and is_yearless(message.text, named)
    looks = year_looks(message.text, named.left, named.right) if months else "ahead"
    return looks == "unclear" and named.start - message.sent_at > SEVEN_MONTHS


def _time_from(at: datetime, message: Message) -> Atom | None:
    """The shortest time that a message names and that begins with this day.

    Its number alone may name the day if the messages before it spoke of that month.
    """
    text, sent_at, order = message.text, message.sent_at, message.date_order
    times = (
        *message_times(text, sent_at, order=order),
        *message_times(text, sent_at, after=at, order=order),
    )
    found = [time for time in times if midnight(time.start) == at]
    return min(found, key=lambda time: time.days[1], default=None)


def _named(one: DayAhead) -> str:
    """The day, or the month or other time that begins with it."""
    named = _time_from(one.day, one.message)
    end = named.days[1] if named else one.day + DAY
    if end - one.day <= DAY:
        return day(one.day)
    if one.day.day == end.day == 1 and end - one.day <= LONGEST:
        return f"{one.day:%B %Y}"
    return f"{day(one.day)} to {day(end - datetime.resolution)}"


def _before(span: TimeSpan) -> tuple[str, str]:
    """The days on which a period that reaches into this one may have begun."""
    start = midnight(span.start)
    first = start - LONGEST if start - datetime.min > LONGEST else datetime.min
    return _ends(TimeSpan(first, start, span.phrase)) if first < start else ("", "")


def _ends(span: TimeSpan) -> tuple[str, str]:
    """The first and the last day of a period, as the store has them."""
    return f"{span.start:%Y-%m-%d}", f"{span.end - datetime.resolution:%Y-%m-%d}"

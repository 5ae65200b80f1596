"""A later message that may change the day which an answer states: "brewery moved us to sat 12th".

The reader mostly takes the first date for the one that holds, and the message that moves it seldom repeats
what is moved, so it is not among those that are read. Measured in docs/measured.md, "Days that were moved".
English and German; a few words of Spanish, French, Italian, Portuguese and Dutch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import islice

from minirag_chat.answer.facts import read_facts
from minirag_chat.answer.number_ruled_out import with_another_number
from minirag_chat.answer.word_overlap import stems
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.records import Filters, Message, Source
from minirag_chat.store import Store
from minirag_chat.store.columns import is_among
from minirag_chat.times import message_times
from minirag_chat.times.names_of_days import MONTHS, WEEKDAYS
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import first_moment
from minirag_chat.ui_text import MAY_HAVE_CHANGED, one_line, said_at

CHANGED = 0.49  # the most confidence of an answer that a later message may change
NEAR = timedelta(days=42)  # from the day that is stated to the one that it is moved to
SHORT = 140  # characters of a message that is looked at as a whole, else sentence by sentence
LONGEST = 2_000  # characters of a message that are looked at
SHORTEST_WORD = 4
MOST_READ = 60
SPLIT = 60  # characters of a message that may go on with what its writer sent just before
AT_ONCE = timedelta(minutes=2)  # between these two
JUST_BEFORE = 8  # messages between a day and the words that move "it"
# Not "Reply CANCEL to cancel"
_CANCELLED = r"(?<!\bcancel to )(?<!\bcall to )(?<!\breply )(?<!\btext )cancel\w*"
_IS_MOVED = (
    rf"moved?|moves to|changed?|put back|postponed?|pushed|reschedul\w+|{_CANCELLED}|instead|delayed"
    r"|brought forward|correction|now(?! (?:that|and))|moving (?:the|our|it|this)"
    r"|(?:change|push|put) (?:it|this|that|everything) (?:back |forward )?(?:to|until)"
    r"|verschoben|verlegt|stattdessen|jetzt|verplaatst|verzet|uitgesteld|afgelast"
    r"|cambiad[oa]|cambio de planes|aplazad[oa]|pospuest[oa]|adelantad[oa]|cancelad[oa]|anulad[oa]|adiad[oa]"
    r"|remarcad[oa]|spostat[oa]|rimandat[oa]|annullat[oa]"
    r"|report[\u00e9e]e?|d[\u00e9e]cal[\u00e9e]e?|d[\u00e9e]plac[\u00e9e]e?|annul[\u00e9e]e?"
)
_IS_OFF = (
    rf"won['\u2019]?t (?:happen|work|be)|{_CANCELLED}|is off|called off|off now|not (?:on )?the"
    r"|f\u00e4llt aus|abgesagt"
)
# "It's been moved to the 21st", "they cancelled. 24th now", "ok i'll move it to sat 12th": of what was spoken
# of just before
_IS_IT_MOVED = (
    r"(?:(?:it|they|that|this|everything)(?:['\u2019]?(?:s|ve)| has| was| is| got| have)?\s+)?"
    r"(?:(?:been|just|now|all|also|only|had to)\s+)?"
    r"(?:moved|postponed|pushed|put back|reschedul\w+|cancel\w*|delayed|brought forward|changed)\b"
    r"(?!\s+(?:it|that|them|this|m[ey]|us|our|the)\b)"
)
_MOVES_IT = (
    r"(?:(?:i|we|you|they|he|she|let)(?:['\u2019]?(?:ll|m|re|s|ve|d))?\s+(?:\w+\s+){0,2})?"
    r"(?:mov(?:ed?|ing)|chang(?:ed?|ing)|push(?:ed|ing)?|postpon(?:ed?|ing)|reschedul(?:ed?|ing)|put|br(?:ing|ought))"
    r"\s+(?:it|this|that|everything)(?:\s+(?:back|forward|on|out))?\s+(?:to|till?|until)\b"
)
_OF_IT = any_case(
    r"\W*(?:(?:ok|so|ugh|argh|oh|omg|well|update|hi|hey|sorry|btw|right|fine|then)\W+){0,2}"
    rf"(?:{_IS_IT_MOVED}|{_MOVES_IT})",
)
_HOLDS_NOW = any_case(r"\b(?:now|instead)\b")
_MOVED = any_case(rf"\b(?:{_IS_MOVED})\b")
_OFF = any_case(rf"\b(?:{_IS_OFF})\b")
_CHANGES = any_case(rf"\b(?:{_IS_MOVED}|{_IS_OFF})\b")
_MONTH = rf"(?:{'|'.join(name[:3] for name in MONTHS)})[a-z]*"
_NO_LONGER = any_case(  # not "at 8 not 9": an hour
    r"(?<!why )\b(?:not|instead of|rather than)\s+(?:(?:(?:on|until|before)\s+)?(?:the\s+)?"
    rf"(?:(?P<nth>[1-3]?\d)(?:st|nd|rd|th)|(?P<day>[1-3]?\d)\s+{_MONTH}|{_MONTH}\s+(?P<of>[1-3]?\d)"
    rf"|(?P<weekday>{'|'.join(WEEKDAYS)})))\b"
    rf"|(?:\d\s+{_MONTH}|{_MONTH}\s+\d\d?)(?:\s+now)?,?\s+not\s+(?P<bare>[1-3]?\d)\b(?![:.]\d)"
)
"""The day that something was planned for before: "its 16 jan now, not the 9th", "8.40 not Thursday"."""
_MAY_CHANGE = any_case(rf"\b(?:{_IS_MOVED}|{_IS_OFF}|not|instead of|rather than)\b")
_NAMES_NOTHING = frozenset(
    stems(
        "same time just still also already later really everything thing something people everyone"
    )
)
_ASKS_FOR_THE_FIRST = any_case(
    r"\b(?:first|original\w*|initial\w*|previous\w*|before|urspr\u00fcnglich|zuerst|vorher)\b",
)
_ASKS_WHERE = any_case(
    r"\bwhere\b|\b(?:which|what) (?:time|place|venue|room|pub|restaurant)\b|\bwo\b"
)
_ORDINAL = any_case(r"\b([1-3]?\d)(?:st|nd|rd|th)\b")
_SENTENCE = lazy(r"[^.!?;\n]+[.!?;]?")


def changed_later(
    store: Store, question: str, answer: str, sources: Sequence[Source], now: datetime | None
) -> Source | None:
    """The first later message of the same chat that seems to move or cancel a day which ``answer`` states.

    It says so in words and names this day, or shares a word with the cited message and names another day
    nearby, or it moves "it" shortly after. What is where, or at what time, is so on the days of the cited
    message. Where no day is stated, the first that rules out a number of the answer for another one
    (``number_ruled_out``). None if there is none, or the question asks for what was
    planned at first. ``now`` completes the answer's days; without it the answer quotes its sources, and has
    the days of the first: the others may be about something else. Call it inside ``reading()``.
    """
    if _ASKS_FOR_THE_FIRST.search(question):
        return None
    stated = set() if now is None else _stated(answer, now)
    for source in sources if now else sources[:1]:
        days = days_named(source.message, source.quote if now is None else source.message.text)
        is_where = not stated and _ASKS_WHERE.search(question) is not None
        if now is not None and not is_where:
            days &= stated
        change = _changed(store, source.message, days)
        if not days:
            said = source.quote if now is None else answer
            other = with_another_number(store, said, source.message)
            change = Source(1, other, one_line(other.text.strip())) if other else None
        if change is not None:
            return replace(change, number=len(sources) + 1)
    return None


def _stated(answer: str, now: datetime) -> set[date]:
    """The days that an answer states with their years."""
    moments = (
        first_moment(one.year, one.month, one.day)
        for one in read_facts(answer, now).days
        if one.year
    )
    return {moment.date() for moment in moments if moment}


def with_change(
    text: str, sources: tuple[Source, ...], change: Source
) -> tuple[str, tuple[Source, ...]]:
    """The answer followed by the message that may change it, as one more source if it is none yet."""
    said = said_at(change.message, change.quote, in_chat=False)
    there = next((one for one in sources if one.message_id == change.message_id), None)
    told = f"{text}\n\n{MAY_HAVE_CHANGED}: {said} [{(there or change).number}]"
    return told, sources if there else (*sources, change)


def changes_of(store: Store, messages: Sequence[Message]) -> dict[int, Source]:
    """By message id what a later one says that may move a day which the message names."""
    found = ((one.id, _changed(store, one, days_named(one, one.text))) for one in messages)
    return {message: change for message, change in found if change is not None}


def _changed(store: Store, message: Message, days: set[date]) -> Source | None:
    """What the first later message says that seems to move or cancel one of these days, if it is to come."""
    planned = {one for one in days if one >= message.sent_at.date()}
    if not planned:
        return None
    said = _long_words(message)
    for later, led in _later(store, message, planned):
        change = _change(later, led, said, planned)
        moves_it = not change and _moves_it(later, planned)
        if moves_it and _is_just_after(store, message, later, planned):
            change = later.text.strip()
        if change:
            return Source(1, later, one_line(change))
    return None


def _moves_it(later: Message, planned: set[date]) -> bool:
    """Whether a short message moves what it does not name to another day: "its been moved to the 21st".

    The day is in the sentence that says so, or one begins with it or has "now" or "instead": "they cancelled.
    24th now", but not "changed. back on sat 9 january".
    """
    text = later.text
    moved = _OF_IT.match(text) if len(text) <= SHORT else None
    if not moved or text.rstrip().endswith("?") or _moves_to(later, text, planned):
        return False
    rest = _SENTENCE.match(text, moved.end())
    end = rest.end() if rest else moved.end()
    parts = [text[:end], *(one.strip() for one in _SENTENCE.findall(text[end:]))]
    told = [one for n, one in enumerate(parts) if not n or _tells_the_day(one, later)]
    return _is_near({day for part in told for day in days_named(later, part)}, planned, later)


def _tells_the_day(sentence: str, later: Message) -> bool:
    """Whether a sentence tells when something is that the one before it moved."""
    times = message_times(sentence, later.sent_at, order=later.date_order)
    begins = any(one.left == 0 for one in times)
    return begins or _HOLDS_NOW.search(sentence) is not None


def _is_just_after(store: Store, message: Message, later: Message, planned: set[date]) -> bool:
    """Whether few messages of their chat are between the two, and none that is only about other days."""
    between = Filters(
        chats=frozenset({message.chat_id}), since=message.sent_at, until=later.sent_at
    )
    ids = store.columns.allowed(between)
    if ids is None or len(ids) > JUST_BEFORE:
        return False
    first, last = ((one.sent_at, one.id) for one in (message, later))
    for one in store.messages.by_ids(ids.tolist()).values():
        ahead = {day for day in days_named(one, one.text) if day >= one.sent_at.date()}
        if first < (one.sent_at, one.id) < last and ahead and not ahead & planned:
            return False
    return True


def _is_near(days: set[date], planned: set[date], later: Message) -> bool:
    """Whether a message names another day to come, near to one that is planned."""
    others = {one for one in days - planned if one >= later.sent_at.date()}
    return any(abs(one - day) <= NEAR for one in others for day in planned)


def _later(store: Store, message: Message, planned: set[date]) -> Iterator[tuple[Message, str]]:
    """The messages of its chat after it, until these days are over, that name a day near them; in order.

    Each with what its writer sent just before it: "agent moved the viewing", "fri 4th now".
    """
    naming = store.columns.naming_days(
        (min(planned) - NEAR).isoformat(), (max(planned) + NEAR).isoformat()
    )
    over = datetime.combine(max(planned) + timedelta(days=1), time())
    chat = Filters(chats=frozenset({message.chat_id}), since=message.sent_at, until=over)
    after = store.columns.allowed(chat)
    ids = naming if after is None else naming[is_among(naming, after)]
    found = sorted(
        store.messages.by_ids(ids.tolist()).values(), key=lambda each: (each.sent_at, each.id)
    )
    before = (message.sent_at, message.id)
    later = (one for one in found if (one.sent_at, one.id) > before and not one.deleted)
    changing = (one for one in later if _MAY_CHANGE.search(one.text[:LONGEST]))
    for one in islice(changing, MOST_READ):
        yield one, _sent_just_before(store, one)


def _sent_just_before(store: Store, message: Message) -> str:
    """What its writer sent right before a short message and says that something moved; else empty."""
    if len(message.text) > SPLIT:
        return ""
    before = store.messages.around(message, 1)[0]  # the message itself, if it is the first
    same = before.id != message.id and before.sender_id == message.sender_id
    goes_on = same and message.sent_at - before.sent_at <= AT_ONCE
    return before.text if goes_on and _MOVED.search(before.text) else ""


def _change(later: Message, led: str, said: set[str], planned: set[date]) -> str:
    """What a message says that seems to move or cancel one of these days of an earlier one; or "".

    ``said`` are the earlier one's long words, ``led`` is what was sent just before it.
    """
    text = later.text[:LONGEST]
    shared = (_long_words(later) | _named_in(led)) & said
    parts = [text] if len(text) <= SHORT else _SENTENCE.findall(text)
    for part in parts:
        if part.rstrip().endswith("?") or _moves_to(later, part, planned):
            continue
        days = days_named(later, part)
        near = _is_near(days, planned, later)
        numbers = {int(number) for number in _ORDINAL.findall(part)}
        named = bool(days & planned) or any(day.day in numbers for day in planned)
        moves = _MOVED.search(f"{led} {part}") or days_no_longer(part, planned)
        if near and ((shared and moves) or (named and _CHANGES.search(part))):
            return part.strip()
        if named and _OFF.search(part):
            return part.strip()
    return ""


def _moves_to(later: Message, part: str, planned: set[date]) -> bool:
    """Whether a part of a message moves something from another day to one of these."""
    old = [*_NO_LONGER.finditer(part)]
    return (
        bool(old) and not days_no_longer(part, planned) and bool(days_named(later, part) & planned)
    )


def days_no_longer(part: str, planned: set[date]) -> set[date]:
    """Those of these days of which a part of a message says that they hold no longer."""
    found = [one.groupdict() for one in _NO_LONGER.finditer(part)]
    said = {(text or "").casefold() for one in found for text in one.values()}
    return {day for day in planned if said & {str(day.day), WEEKDAYS[day.weekday()]}}


def _long_words(message: Message) -> set[str]:
    """The stems of a message's words that may name what is moved: no times, and not "moved"."""
    text = message.text[:LONGEST]
    for atom in reversed([*find_atoms(text, message.sent_at, "past")]):
        text = f"{text[: atom.left]} {text[atom.right :]}"
    return _named_in(text)


def _named_in(text: str) -> set[str]:
    """The stems of the long words of a text without times."""
    named = {stem for stem in stems(_MOVED.sub(" ", text)) if len(stem) >= SHORTEST_WORD}
    return named - _NAMES_NOTHING


def days_named(message: Message, text: str) -> set[date]:
    """The days that a text of a message names, but for the first and the last weeks of the calendar."""
    times = message_times(text[:LONGEST], message.sent_at, order=message.date_order)
    days = {atom.start.date() for atom in times if atom.one_day}
    return {one for one in days if date.min + NEAR < one < date.max - NEAR}

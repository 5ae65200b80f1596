"""Questions about time, answered in code: each event is found and dated, then the dates are compared.

The model only says, for one short window of messages at a time, whether the event is in it. The rest is
arithmetic, and the answer shows the messages that it uses, so that a person can check it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import product
from statistics import fmean

from minirag_chat.answer.abstain import answerable, confidence
from minirag_chat.answer.cite import coverage, sentence
from minirag_chat.answer.durations import rounded, to_the_minute
from minirag_chat.answer.readers import Reader
from minirag_chat.answer.word_overlap import share, stem_weights, stems
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.event_dates import announces, is_undated, when_happened
from minirag_chat.question.speech import is_said
from minirag_chat.records import Cancelled, EventEvidence, Extreme, Message, Relation, Shape, Source
from minirag_chat.store.text import stem
from minirag_chat.times.in_messages import message_times
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import midnight
from minirag_chat.ui_text import day, joined, one_line

SHOWN = "happened"  # the signal that a model read the window
LEAST_SURE = 0.1  # below this nothing says that the event is in the window
PERHAPS = 0.49  # the most confidence of what only words show, or of a day that may have been moved
HAPPENED = 0.5  # an occurrence counts from this P(the event is in the window) on
TRUST = 2.0  # weight of that probability, added to a retrieval score (a sum of z-scores)
MARGIN = 1.5  # pairs of events that fit this much worse than the best one still count
ONE_SESSION = 2.0  # penalty for a pair of events in one session
QUOTED = 110  # characters
_SPEAKS = any_case(r"(?:talk|chat|discuss|speak|spoke)")  # in addition to ``is_said``
_WORD = lazy(r"\w+")
_PARTED = any_case(r"\b(\w+)\s+(in|out|up|off|away|back|over|down)\W*$")
# Between a verb and its particle: "moved the sofa in", but not "moving to mine in May"
_OBJECT = r"(?:\s+(?!(?:to|from|at|on|with|into|for)\b)[\w'\u2019]+){0,3}?\s+"
AT_ONCE = timedelta(minutes=1)
A_DAY = timedelta(days=1)
A_CLOCK_TIME = timedelta(hours=1)  # an evening, or a day, is longer
_HOLDS: Mapping[Relation | None, Callable[[timedelta, timedelta], bool]] = {
    "more": operator.gt, "at least": operator.ge, "less": operator.lt, "at most": operator.le,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An event, the message that shows it, and when it was; ``sure``, in [0, 1], is how sure that is.

    ``by_day``: nobody said at what time of that day, as in "we moved in yesterday". ``undated``: it is to
    come, and no day is surely its own; ``at`` is then when the message was sent. ``perhaps``: another
    message seems to move it to this day, and does not name it.
    """

    event: str
    message: Message
    at: datetime
    quote: str
    sure: float
    score: float
    signals: Mapping[str, float]
    by_day: bool = False
    undated: bool = False
    perhaps: bool = False


@dataclass(frozen=True, slots=True)
class ComputedAnswer:
    """The text with its citations, and the dated occurrences that it rests on.

    ``sure`` is P(the messages show it), ``confidence`` P(it is right).
    """

    text: str
    sources: tuple[Source, ...]
    occurrences: tuple[Occurrence, ...]
    sure: float
    confidence: float


def occurrences(event: EventEvidence, reader: Reader, cancelled: Cancelled) -> list[Occurrence]:
    """Each candidate of an event with the probability that it shows the event, best first.

    Without a model those are left out that have only the event's verb without its particle.
    """
    found: list[Occurrence] = []
    weights = stem_weights(event.rare)
    wanted = set(stems(event.text))
    shown = reader.happened(event.text, event.windows, cancelled)
    for candidate, window, probability in zip(event.candidates, event.windows, shown, strict=True):
        message = candidate.message
        if probability is None and _has_another_verb(event.text, message.text):
            continue
        plain = _without_times(event.text, message.sent_at)
        covered = coverage(plain, [window], weights)
        sure = _said(plain, message, weights) if probability is None else probability
        score = candidate.score + TRUST * sure
        said = sentence(message.text, wanted, weights)
        signals = {"coverage": covered, "cosine": event.cosine}
        if probability is not None:
            signals[SHOWN] = probability
        at, end = when_happened(event.text, message)
        by_day = end - at > A_CLOCK_TIME
        undated = is_undated(event.text, message)
        found.append(
            Occurrence(event.text, message, at, said, sure, score, signals, by_day, undated)
        )
    return sorted(_last_announced(found), key=lambda one: -one.score)


def _last_announced(found: Sequence[Occurrence]) -> list[Occurrence]:
    """Without what a later announcement moves to another day: of equally sure ones the last is right."""
    told = [one for one in found if announces(one.at, one.message) and one.sure >= HAPPENED]
    return [
        one
        for one in found
        if one not in told
        or not any(
            one.message.sent_at < other.message.sent_at < one.at != other.at for other in told
        )
    ]


def _has_another_verb(event: str, text: str) -> bool:
    """Whether a text has the verb with which an event ends, but without its particle.

    "Start time moved" does not tell of "moving in".
    """
    parted = _PARTED.search(event)
    if parted is None:
        return False
    verb = stem(parted[1].casefold())
    after = [word.end() for word in _WORD.finditer(text) if stem(word[0].casefold()) == verb]
    particle = any_case(rf"{_OBJECT}{parted[2]}\b")
    return bool(after) and not any(particle.match(text, at) for at in after)


def announced(found: Iterable[Occurrence]) -> list[Message]:
    """The messages that announce an event for a day to come."""
    return [one.message for one in found if announces(one.at, one.message)]


def after_changes(found: Iterable[Occurrence], changes: Mapping[int, Source]) -> list[Occurrence]:
    """Each occurrence on the day to which a later message moves it; without a day if that names no other."""
    moved = [
        _moved(one, changes[one.message.id]) if one.message.id in changes else one for one in found
    ]
    dated = {one.message.id for one in moved if not one.undated}
    return [one for one in moved if not one.undated or one.message.id not in dated]


def _moved(one: Occurrence, change: Source) -> Occurrence:
    """An occurrence that another message moves, as that message shows it."""
    later = change.message
    times = message_times(change.quote, later.sent_at, order=later.date_order)
    starts = {midnight(time.start) for time in times if time.one_day}
    days = {start for start in starts if later.sent_at < start != midnight(one.at)}
    if len(days) != 1:
        return replace(one, undated=True)
    missed = {*stems(one.event)} - {*stems(later.text)}
    return replace(
        one, message=later, at=days.pop(), quote=change.quote, by_day=True, perhaps=bool(missed)
    )


def _without_times(event: str, now: datetime) -> str:
    """What is to be found in a message: its time is when it was sent, or is worked out."""
    for atom in reversed(find_atoms(event, now, "past")):
        event = f"{event[: atom.left]} {event[atom.right :]}"
    return event


def _said(event: str, message: Message, weights: Mapping[str, float]) -> float:
    """The share of an event's words that a message has, in [0, 1]; its writer's name counts for nothing.

    Nor do verbs of saying: who mentions the sea writes "sea", and not "mention".
    """
    writer = stems(f"{message.sender} {message.shown_sender}")
    rest = " ".join(w for w in event.split() if not is_said(w) and not _SPEAKS.match(w))
    wanted = {*stems(rest)} - {*writer} or {*stems(event)} - {*writer}
    return share(wanted, stems(message.text), weights)


def compare(shape: Shape, candidates: Sequence[Sequence[Occurrence]]) -> ComputedAnswer | None:
    """Compare the two events of ``shape``; None where they were not found.

    An order holds if it holds for some occurrence of each event: among the pairs that score at most
    ``MARGIN`` below the best one, a pair in the order that the question supposes is preferred, if it shows
    both events or shows them as surely as the best one. If the question fixes the order of an interval
    (``in_order``), only a pair in that order is used, or one whose order is unknown; else the earlier one
    is told first. None too where the best pair has an event to come whose day is unknown.
    """
    pairs = sorted(
        ((_fit(a, b), a, b) for a, b in product(*candidates) if a.message.id != b.message.id),
        key=lambda pair: -pair[0],
    )
    if not pairs:
        return None
    best, first, second = pairs[0]
    wanted = "before" if shape.in_order else shape.relation if shape.kind == "order" else None
    if wanted is not None:
        likely = (
            (a, b) for fit, a, b in pairs
            if fit >= best - MARGIN and _shows(a, first) and _shows(b, second)
            and not (a.undated or b.undated)
        )  # fmt: skip
        fitting = (wanted, None) if shape.in_order else (wanted,)
        agreeing = next(((a, b) for a, b in likely if _side(a, b) in fitting), None)
        if agreeing is None and shape.in_order:
            return None
        first, second = agreeing or (first, second)
    if first.undated or second.undated:
        return None
    if shape.kind == "interval" and first.at > second.at:
        first, second = second, first
    compared = _computed(_verdict(shape, first, second), (first, second), min)
    unsure = first.perhaps or second.perhaps
    return replace(compared, confidence=min(compared.confidence, PERHAPS)) if unsure else compared


def _shows(one: Occurrence, best: Occurrence) -> bool:
    """Whether a message shows its event, or shows it as surely as the message that fits best."""
    return one.sure >= min(HAPPENED, best.sure)


def _fit(first: Occurrence, second: Occurrence) -> float:
    """A score for two messages as the two events; two sessions are likelier than one."""
    together = first.message.session_id == second.message.session_id
    return first.score + second.score - ONE_SESSION * together


def count(candidates: Sequence[Occurrence], *, more: bool = False) -> ComputedAnswer | None:
    """How often it happened: occurrences on one day of one chat count once.

    With ``more``, there are more candidates than these: if all of these count, the answer is "at least".
    Without a model nothing but words says that these are occurrences, and the answer says so.
    """
    days: dict[tuple[date, int], Occurrence] = {}
    for one in candidates:
        if one.sure >= HAPPENED:
            days.setdefault((one.at.date(), one.message.chat_id), one)
    kept = sorted(days.values(), key=lambda one: one.at)
    if not kept:
        return None
    times = {1: "Once", 2: "Twice"}.get(len(kept), f"{len(kept)} times")
    if more and all(one.sure >= HAPPENED for one in candidates):
        times = f"At least {times.lower()}"
    dated = [f"{day(one.at)} [{n}]" for n, one in enumerate(kept, start=1)]
    read = any(SHOWN in one.signals for one in kept)
    how = "as far as your messages show" if read else "judging by the words of your messages alone"
    text = f"{times if read else f'Perhaps {times.lower()}'}, {how}: {joined(dated)}."
    counted = _computed(text, kept, fmean)
    return counted if read else replace(counted, confidence=min(counted.confidence, PERHAPS))


def extreme(which: Extreme, candidates: Sequence[Occurrence]) -> Occurrence | None:
    """The earliest or latest occurrence of an event; if none is sure enough, of those that are surest."""
    surest = max((one.sure for one in candidates), default=0.0)
    if surest < LEAST_SURE:
        return None
    kept = [one for one in candidates if round(one.sure, 2) >= round(min(surest, HAPPENED), 2)]
    return (min if which == "first" else max)(kept, key=lambda one: one.at)


def _computed(
    text: str, chosen: Sequence[Occurrence], join: Callable[[Iterable[float]], float]
) -> ComputedAnswer:
    return ComputedAnswer(
        text,
        _sources(chosen),
        tuple(chosen),
        sure=join([answerable(one.signals) for one in chosen]),
        confidence=join([confidence(one.signals) for one in chosen]),
    )


def _verdict(shape: Shape, first: Occurrence, second: Occurrence) -> str:
    gap = _gap(first, second)
    sentences = _sentence(first, 1), _sentence(second, 2)
    if shape.kind == "interval":
        return f"{_interval(shape, gap, by_day=_by_day(first, second))}: {sentences[0]}, and {sentences[1]}."
    side = _side(first, second)
    if side is None:
        return f"On the same day, and which came first is not said: {sentences[0]}, and {sentences[1]}."
    apart = rounded(gap) if abs(gap) > AT_ONCE else "just"
    statement = f"{sentences[0]}, {apart} {side} {sentences[1]}"
    if shape.kind == "which":
        chosen = shape.events[0 if side == shape.relation else 1]
        return f"{chosen[:1].upper()}{chosen[1:]}: {statement}."
    if shape.relation is None:
        return f"{side.capitalize()}: {statement}."
    return f"{'Yes' if side == shape.relation else 'No'}: {statement}."


def _interval(shape: Shape, gap: timedelta, *, by_day: bool) -> str:
    """How long lay between two events, and whether that is what the question supposes.

    If only the days are known, an amount in hours cannot be judged.
    """
    apart = "on the same day" if by_day and not gap else f"{rounded(gap)} lay between them"
    asked = shape.amount
    if asked is None or (by_day and asked % A_DAY and abs(abs(gap) - asked) < A_DAY):
        return f"{apart[:1].upper()}{apart[1:]}"
    agrees = _HOLDS[shape.relation](abs(gap), asked)
    if (
        rounded(gap) == rounded(asked) and abs(gap) != asked
    ):  # not "No, 3 hours" to "at most three?"
        apart = f"{to_the_minute(gap)} lay between them"
    return f"{'Yes' if agrees else 'No'}, {apart}"


def _by_day(first: Occurrence, second: Occurrence) -> bool:
    return first.by_day or second.by_day


def _gap(first: Occurrence, second: Occurrence) -> timedelta:
    """The time from the first to the second: whole days, if of one of them only the day is known."""
    if _by_day(first, second):
        return second.at.date() - first.at.date()
    return second.at - first.at


def _side(first: Occurrence, second: Occurrence) -> Relation | None:
    """Whether the first is before or after the second; at the same time, the message ids decide.

    None if both were on one day, and of one of them only the day is known.
    """
    if _by_day(first, second) and first.at.date() == second.at.date():
        return None
    keys = [(one.at, one.message.id) for one in (first, second)]
    return "before" if keys[0] < keys[1] else "after"


def _sentence(occurrence: Occurrence, number: int) -> str:
    return f"{occurrence.message.shown_sender} {_wrote(occurrence, number)}"


def _wrote(occurrence: Occurrence, number: int) -> str:
    flat = one_line(occurrence.quote)
    short = flat if len(flat) <= QUOTED else f"{flat[:QUOTED].rsplit(' ', 1)[0]}\u2026"
    sent = occurrence.message.sent_at
    about = f" about {day(occurrence.at)}" if occurrence.at.date() != sent.date() else ""
    return f"wrote \u201c{short}\u201d on {day(sent)}{about} [{number}]"


def _sources(chosen: Sequence[Occurrence]) -> tuple[Source, ...]:
    return tuple(
        Source(number, one.message, one.quote) for number, one in enumerate(chosen, start=1)
    )

"""A plan and its evidence → the answer: read, or computed from dates, with sources and path."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from minirag_chat.answer.abstain import COMPUTED_SHARE, answerable, confidence, reason
from minirag_chat.answer.cite import cite, cite_named, quotations
from minirag_chat.answer.computed import (
    ComputedAnswer,
    Occurrence,
    after_changes,
    announced,
    compare,
    count,
    extreme,
    occurrences,
)
from minirag_chat.answer.elapsed import today
from minirag_chat.answer.instead import told_instead
from minirag_chat.answer.later_change import CHANGED, changed_later, changes_of, with_change
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.prompt import PromptContext, build_context
from minirag_chat.answer.readers import (
    ExtractiveReader,
    Judgement,
    ModelReader,
    Reader,
    Reply,
    Words,
)
from minirag_chat.answer.retrieved import RetrievedEvidence
from minirag_chat.answer.trained_reader import TrainedReader
from minirag_chat.answer.word_overlap import stem_weights, stems
from minirag_chat.models.protocols import ChatModel, ChatReader
from minirag_chat.records import (
    WITHHELD,
    Answer,
    Cancelled,
    Compare,
    Computed,
    Extreme,
    Lookup,
    Message,
    OnContext,
    Question,
    Reason,
    Source,
    ignore_context,
)
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.ui_text import SILENCES

MOST_CLOSEST = 3
SELF_REFUSING_SHARE = 0.5
"""A reader that may refuse is asked from this fraction of ``abstain_below`` on."""


@dataclass(frozen=True, slots=True)
class RequestContext:
    """What is used to answer a question, and the callbacks of the caller.

    ``timings`` are seconds by step; each step adds its own. ``started_at`` is the ``perf_counter()`` at
    which the question came. ``on_context`` is called with the messages of the prompt, best first.
    """

    store: Store
    settings: Settings
    model: ChatModel | None
    timings: dict[str, float]
    started_at: float
    cancelled: Cancelled
    on_context: OnContext = ignore_context

    def record_time(self, step: str, started_at: float) -> None:
        """Record how long a step took."""
        self.timings[step] = time.perf_counter() - started_at


@dataclass(frozen=True, slots=True)
class _Work:
    """A mapped question, what was found for it, who reads that, and the request."""

    question: Question
    retrieved: RetrievedEvidence
    reader: Reader
    ctx: RequestContext


def answer(
    plan: Lookup | Computed, retrieved: RetrievedEvidence, ctx: RequestContext
) -> Generator[str | Answer, None, None]:
    """Yield the answer's text in pieces, then the ``Answer``, whose text is final."""
    work = _Work(plan.question, retrieved, _reader(retrieved, ctx), ctx)
    if isinstance(plan, Lookup) or retrieved.no_message_passes:
        yield from _look_up(plan, work)
    else:
        yield from _work_out(plan, work)


def _look_up(plan: Lookup | Computed, work: _Work) -> Iterator[str | Answer]:
    """Read the best messages, or those around the first or last time that something happened."""
    if isinstance(plan, Lookup) and plan.extreme and not work.retrieved.no_message_passes:
        work = replace(work, retrieved=_narrow(plan.extreme, work))
    context = _prompt_context(work.retrieved, work.ctx)
    yield from _read(work, context, _judge(context, work))


def _work_out(plan: Computed, work: _Work) -> Iterator[str | Answer]:
    """Compute the answer from dates; read the messages if that is not possible."""
    ctx = work.ctx
    context = _prompt_context(work.retrieved, ctx)
    judgement = _judge(context, work)
    signals = {**work.retrieved.signals, **judgement.signals}
    threshold = ctx.settings.abstain_below
    has_silence = "silence" in signals  # else the events decide whether to abstain
    sure = answerable(signals)
    computed = None if has_silence and sure < threshold else _computed(plan, work)
    if computed is None or ctx.cancelled():
        yield from _read(work, context, judgement)
        return
    sure = sure if has_silence else computed.sure
    why = reason(signals, sure, threshold) if sure < threshold else None
    unlikely = computed.confidence < COMPUTED_SHARE * threshold
    if why is None and ctx.settings.does("check") and unlikely:
        why = "unsure"
    if why is None:
        ctx.record_time("first_words", ctx.started_at)
        yield computed.text
    ctx.record_time("total", ctx.started_at)
    yield _computed_answer(work, computed, sure, why)


def _reader(retrieved: RetrievedEvidence, ctx: RequestContext) -> Reader:
    """The reader: a model trained to read, another model, or the extractive one without a model."""
    if ctx.model is None:
        return ExtractiveReader(
            retrieved.weights, retrieved.scores, dated=ctx.settings.does("dated")
        )
    if isinstance(ctx.model, ChatReader) and ctx.settings.does("trained"):
        with ctx.store.reading():
            newest = ctx.store.messages.extent()[1] or datetime.min
        return TrainedReader(ctx.model, ctx.model, ctx.settings, retrieved.scores, newest)
    return ModelReader(ctx.model, ctx.settings.answer_tokens)


def _date_events(work: _Work) -> list[list[Occurrence]]:
    """Where each event of the question may have happened."""
    started_at = time.perf_counter()
    events = work.retrieved.events
    dated = [occurrences(event, work.reader, work.ctx.cancelled) for event in events]
    work.ctx.record_time("events", started_at)
    return dated


def _narrow(which: Extreme, work: _Work) -> RetrievedEvidence:
    """What was found, with the messages around the first or last occurrence as evidence, if there is one."""
    retrieved = work.retrieved
    one = extreme(which, _date_events(work)[0])
    if one is None:
        return retrieved
    event = retrieved.events[0]
    place = next(n for n, c in enumerate(event.candidates) if c.message.id == one.message.id)
    return replace(
        retrieved,
        candidates=event.windows[place],
        unlikely=frozenset(),
        signals={**retrieved.signals, **one.signals},
    )


def _prompt_context(retrieved: RetrievedEvidence, ctx: RequestContext) -> PromptContext:
    """The messages that fit in the prompt; reports them to ``ctx.on_context``."""
    left_out = retrieved.unlikely if ctx.settings.does("cutoff") else ()
    context = build_context(
        retrieved.question_text,
        [message for message in retrieved.candidates if message.id not in left_out],
        budget=ctx.settings.evidence_tokens,
        count_tokens=ctx.model.count_tokens if ctx.model else lambda text: len(text) // 4,
        words=list(retrieved.weights),
        close=retrieved.nearly_best if ctx.settings.does("close") else (),
        history=retrieved.history,
        dated=ctx.settings.does("dated"),
    )
    ctx.on_context(context.best_first)
    return context


def _judge(context: PromptContext, work: _Work) -> Judgement:
    """The reader's judgement of whether these messages state the answer."""
    started_at = time.perf_counter()
    asks = bool(context.messages) and work.ctx.settings.does("stated")
    judgement = work.reader.judge(context, work.ctx.cancelled) if asks else Judgement()
    work.ctx.record_time("answerability", started_at)
    return judgement


def _read(work: _Work, context: PromptContext, judgement: Judgement) -> Iterator[str | Answer]:
    """Let the reader answer, if the messages seem to state the answer."""
    ctx = work.ctx
    signals: Mapping[str, float] = {**work.retrieved.signals, **judgement.signals}
    threshold, sure = ctx.settings.abstain_below, answerable(signals)
    text, reply = "", Reply()
    share = SELF_REFUSING_SHARE if judgement.may_refuse else 1
    if context.messages and sure >= threshold * share:
        words = work.reader.read(context, work.question, judgement, ctx.cancelled)
        text, reply = yield from _collected(words, ctx)
        signals = {**signals, **reply.signals}
        sure = answerable(signals)
    ctx.record_time("total", ctx.started_at)
    yield _read_answer(work, context, text, reply, signals, sure)


def _read_answer(
    work: _Work,
    context: PromptContext,
    text: str,
    reply: Reply,
    signals: Mapping[str, float],
    sure: float,
) -> Answer:
    """The answer that was read; or what is told instead; or silence, with the messages that came closest."""
    ctx, retrieved = work.ctx, work.retrieved
    stopped = ctx.cancelled()
    sources: tuple[Source, ...] = ()
    changed = False
    if text.strip():
        text, sources, changed = _sourced(work, text, context, reply)
    abstained = not stopped and not text.strip()
    why = reply.reason or reason(signals, sure, ctx.settings.abstain_below) if abstained else None
    if why is not None and retrieved.no_message_passes:
        why = "no_messages"
    closest = _closest(retrieved, context, reply.cited) if abstained else ()
    likely = sure if abstained and reply.reason not in WITHHELD else confidence(signals)
    with ctx.store.reading():
        path = PathBuilder(ctx.store, work.question).build(sources or closest, retrieved.chunk_of)
    found = Answer(
        question=retrieved.question_text,
        text=SILENCES[why].sentence if why else text,
        abstained=abstained,
        confidence=min(likely, CHANGED) if changed else likely,
        reason=why,
        sources=sources,
        closest=closest,
        path=path,
        timings=ctx.timings,
        model=work.reader.name,
        stopped=stopped,
        signals={**signals, "answerable": sure, "evidence_tokens": float(context.tokens)},
    )
    quoted = isinstance(work.reader, ExtractiveReader)
    return told_instead(ctx.store, work.question, found, quoted=quoted, changed=changed)


def _sourced(
    work: _Work, text: str, context: PromptContext, reply: Reply
) -> tuple[str, tuple[Source, ...], bool]:
    """The text with its sources, and with the message that may change it; and whether there is one."""
    text, sources = _cite(work, text, context, reply)
    change = _changed(work, text, sources)
    if change is None:
        return text, sources, False
    return *with_change(text, sources, change), True


def _collected(words: Words, ctx: RequestContext) -> Generator[str, None, tuple[str, Reply]]:
    """Pass on the pieces of text as they come; return the whole text and the reader's ``Reply``."""
    text = ""
    while True:
        try:
            piece = next(words)
        except StopIteration as end:
            return text, end.value
        ctx.timings.setdefault("first_words", time.perf_counter() - ctx.started_at)
        text += piece
        yield piece


def _computed(plan: Computed, work: _Work) -> ComputedAnswer | None:
    """The answer computed from dates; None if the reader must answer instead."""
    dated = _date_events(work)
    if isinstance(plan, Compare):
        store, to_come = work.ctx.store, [one for found in dated for one in announced(found)]
        with store.reading():
            changes = changes_of(store, to_come) if work.ctx.settings.does("changed") else {}
        return compare(plan.shape, [after_changes(found, changes) for found in dated])
    return count(dated[0], more=work.retrieved.events[0].more)


def _computed_answer(
    work: _Work, computed: ComputedAnswer, sure: float, why: Reason | None
) -> Answer:
    """The computed answer; or silence, for the reason ``why``, with the messages that came closest."""
    ctx, retrieved = work.ctx, work.retrieved
    dated = [(one.event, one.message, one.at) for one in computed.occurrences]
    with ctx.store.reading():
        builder = PathBuilder(ctx.store, work.question)
        path = builder.build(computed.sources, retrieved.chunk_of, dated)
    events = {f"event {n}": one.sure for n, one in enumerate(computed.occurrences, start=1)}
    # Where this is False, the messages do not state the answer; P(right) then means nothing.
    decided = why is None or sure >= ctx.settings.abstain_below
    right = {"computed": computed.confidence} if decided else {}
    return Answer(
        question=retrieved.question_text,
        text=SILENCES[why].sentence if why else computed.text,
        abstained=why is not None,
        confidence=computed.confidence if decided else sure,
        reason=why,
        sources=() if why else computed.sources,
        closest=computed.sources if why else (),
        path=path,
        timings=ctx.timings,
        model=work.reader.name,
        signals={**events, **right, "answerable": sure},
    )


def _cite(
    work: _Work, text: str, context: PromptContext, reply: Reply
) -> tuple[str, tuple[Source, ...]]:
    """The text with the numbers of its sources, and the sources."""
    question = work.question.text
    with work.ctx.store.reading():
        weights = stem_weights(work.ctx.store.words.rarity(f"{question} {text}"))
    if reply.cited and not any(map(_has_words, reply.cited)):  # "\U0001faa6" states nothing
        rewritten, sources = cite(question, text, context.messages, weights)
        if sources:
            return rewritten, sources
    if reply.cited:
        if isinstance(work.reader, ExtractiveReader):  # whose quotes have their numbers
            return text, quotations(set(stems(question)), reply.cited, weights)
        return cite_named(question, text, reply.cited, weights)
    return cite(question, text, context.messages, weights)


def _changed(work: _Work, text: str, sources: Sequence[Source]) -> Source | None:
    """What a later message says that may move a day of the answer."""
    if not work.ctx.settings.does("changed"):
        return None
    now = None if isinstance(work.reader, ExtractiveReader) else _today(work.ctx)
    with work.ctx.store.reading():
        asked = work.question.follow_up or work.question.text
        return changed_later(work.ctx.store, asked, text, sources, now)


def _has_words(message: Message) -> bool:
    return any(map(str.isalnum, message.text))


def _today(ctx: RequestContext) -> datetime:
    with ctx.store.reading():
        return today(ctx.store)


def _closest(
    retrieved: RetrievedEvidence, context: PromptContext, cited: Sequence[Message]
) -> tuple[Source, ...]:
    """The messages that the reader named as sources of an answer that is not shown, then the best ones."""
    best = context.best_first
    shown = {m.id: m for m in (*cited, *best) if not m.wordless} or {m.id: m for m in best}
    closest = list(shown.values())[:MOST_CLOSEST]
    return quotations(set(retrieved.weights), closest, retrieved.weights)

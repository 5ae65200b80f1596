"""A plan and its evidence → the answer: read, or computed from dates, with sources and path."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from minirag_chat.answer.abstain import COMPUTED_SHARE, answerable, confidence, reason
from minirag_chat.answer.cite import cite, cite_named, cite_quoted, quote
from minirag_chat.answer.computed import (
    ComputedAnswer,
    Occurrence,
    compare,
    count,
    extreme,
    occurrences,
)
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
from minirag_chat.answer.word_overlap import stem_weights
from minirag_chat.models.protocols import ChatModel, ChatReader
from minirag_chat.records import (
    WITHHELD,
    Answer,
    Compare,
    Computed,
    Extreme,
    Lookup,
    Message,
    OnContext,
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
    cancelled: Callable[[], bool]
    on_context: OnContext = ignore_context

    def record_time(self, step: str, started_at: float) -> None:
        """Record how long a step took."""
        self.timings[step] = time.perf_counter() - started_at


def answer(
    plan: Lookup | Computed, retrieved: RetrievedEvidence, ctx: RequestContext
) -> Generator[str | Answer, None, None]:
    """Yield the answer's text in pieces, then the ``Answer``, whose text is final."""
    reader = _reader(retrieved, ctx)
    if isinstance(plan, Lookup) or retrieved.shut_out:
        yield from _look_up(plan, retrieved, reader, ctx)
    else:
        yield from _work_out(plan, retrieved, reader, ctx)


def _look_up(
    plan: Lookup | Computed, retrieved: RetrievedEvidence, reader: Reader, ctx: RequestContext
) -> Iterator[str | Answer]:
    """Read the best messages, or those around the first or last time that something happened."""
    if isinstance(plan, Lookup) and plan.extreme and not retrieved.shut_out:
        retrieved = _narrow(plan.extreme, retrieved, reader, ctx)
    context = _prompt_context(retrieved, ctx)
    judgement = _judge(context, reader, ctx)
    yield from _read(plan, retrieved, context, judgement, reader, ctx)


def _work_out(
    plan: Computed, retrieved: RetrievedEvidence, reader: Reader, ctx: RequestContext
) -> Iterator[str | Answer]:
    """Compute the answer from dates; read the messages if that is not possible."""
    context = _prompt_context(retrieved, ctx)
    judgement = _judge(context, reader, ctx)
    signals = {**retrieved.signals, **judgement.signals}
    threshold = ctx.settings.abstain_below
    has_silence = "silence" in signals  # else the events decide whether to abstain
    sure = answerable(signals)
    computed = None if has_silence and sure < threshold else _computed(plan, retrieved, reader, ctx)
    if computed is None or ctx.cancelled():
        yield from _read(plan, retrieved, context, judgement, reader, ctx)
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
    yield _computed_answer(plan, retrieved, computed, sure, why, reader, ctx)


def _reader(retrieved: RetrievedEvidence, ctx: RequestContext) -> Reader:
    """The reader: a model trained to read, another model, or the extractive one without a model."""
    if ctx.model is None:
        return ExtractiveReader(retrieved.weights, retrieved.scores)
    if isinstance(ctx.model, ChatReader) and ctx.settings.does("trained"):
        return TrainedReader(ctx.model, ctx.model, ctx.settings)
    return ModelReader(ctx.model, ctx.settings.answer_tokens)


def _date_events(
    retrieved: RetrievedEvidence, reader: Reader, ctx: RequestContext
) -> list[list[Occurrence]]:
    """Where each event of the question may have happened."""
    started_at = time.perf_counter()
    dated = [occurrences(event, reader, ctx.cancelled) for event in retrieved.events]
    ctx.record_time("events", started_at)
    return dated


def _narrow(
    which: Extreme, retrieved: RetrievedEvidence, reader: Reader, ctx: RequestContext
) -> RetrievedEvidence:
    """``retrieved`` with the messages around the first or last occurrence as evidence, if there is one."""
    one = extreme(which, _date_events(retrieved, reader, ctx)[0])
    if one is None:
        return retrieved
    event = retrieved.events[0]
    place = next(n for n, c in enumerate(event.candidates) if c.message.id == one.message.id)
    return replace(
        retrieved,
        candidates=event.windows[place],
        far=frozenset(),
        signals={**retrieved.signals, **one.signals},
    )


def _prompt_context(retrieved: RetrievedEvidence, ctx: RequestContext) -> PromptContext:
    """The messages that fit in the prompt; reports them to ``ctx.on_context``."""
    far = retrieved.far if ctx.settings.does("cutoff") else ()
    context = build_context(
        retrieved.question_text,
        [message for message in retrieved.candidates if message.id not in far],
        budget=ctx.settings.evidence_tokens,
        count_tokens=ctx.model.count_tokens if ctx.model else lambda text: len(text) // 4,
        words=list(retrieved.weights),
        close=retrieved.close if ctx.settings.does("close") else (),
        history=retrieved.history,
        dated=ctx.settings.does("dated"),
    )
    order = sorted(range(len(context.messages)), key=context.ranks.__getitem__)
    ctx.on_context([context.messages[place] for place in order])
    return context


def _judge(context: PromptContext, reader: Reader, ctx: RequestContext) -> Judgement:
    """The reader's judgement of whether these messages state the answer."""
    started_at = time.perf_counter()
    asks = bool(context.messages) and ctx.settings.does("stated")
    judgement = reader.judge(context, ctx.cancelled) if asks else Judgement()
    ctx.record_time("answerability", started_at)
    return judgement


def _read(
    plan: Lookup | Computed,
    retrieved: RetrievedEvidence,
    context: PromptContext,
    judgement: Judgement,
    reader: Reader,
    ctx: RequestContext,
) -> Iterator[str | Answer]:
    """Let the reader answer, if the messages seem to state the answer."""
    signals: Mapping[str, float] = {**retrieved.signals, **judgement.signals}
    threshold, sure = ctx.settings.abstain_below, answerable(signals)
    text, reply = "", Reply()
    share = SELF_REFUSING_SHARE if judgement.may_refuse else 1
    if context.messages and sure >= threshold * share:
        words = reader.read(context, plan.question, judgement, ctx.cancelled)
        text, reply = yield from _collected(words, ctx)
        signals = {**signals, **reply.signals}
        sure = answerable(signals)
    ctx.record_time("total", ctx.started_at)
    stopped = ctx.cancelled()
    sources: tuple[Source, ...] = ()
    if text.strip():
        text, sources = _cite(plan, text, context, reply, reader, ctx)
    abstained = not stopped and not text.strip()
    why = (reply.reason or reason(signals, sure, threshold)) if abstained else None
    if why is not None and retrieved.shut_out:
        why = "no_messages"
    closest = _closest(retrieved, context, reply.cited) if abstained else ()
    with ctx.store.reading():
        path = PathBuilder(ctx.store, plan.question).build(sources or closest, retrieved.chunk_of)
    yield Answer(
        question=retrieved.question_text,
        text=SILENCES[why].sentence if why else text,
        abstained=abstained,
        confidence=sure if abstained and reply.reason not in WITHHELD else confidence(signals),
        reason=why,
        sources=sources,
        closest=closest,
        path=path,
        timings=ctx.timings,
        model=reader.name,
        stopped=stopped,
        signals={**signals, "answerable": sure, "evidence_tokens": float(context.tokens)},
    )


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


def _computed(
    plan: Computed, retrieved: RetrievedEvidence, reader: Reader, ctx: RequestContext
) -> ComputedAnswer | None:
    """The answer computed from dates; None if the reader must answer instead."""
    dated = _date_events(retrieved, reader, ctx)
    if isinstance(plan, Compare):
        return compare(plan.shape, dated)
    return count(dated[0], more=retrieved.events[0].more)


def _computed_answer(
    plan: Computed,
    retrieved: RetrievedEvidence,
    computed: ComputedAnswer,
    sure: float,
    why: Reason | None,
    reader: Reader,
    ctx: RequestContext,
) -> Answer:
    """The computed answer; or silence, for the reason ``why``, with the messages that came closest."""
    dated = [(one.event, one.message, one.at) for one in computed.occurrences]
    with ctx.store.reading():
        builder = PathBuilder(ctx.store, plan.question)
        path = builder.build(computed.sources, retrieved.chunk_of, dated)
    events = {f"event {n}": one.sure for n, one in enumerate(computed.occurrences, start=1)}
    # Where this is False, the messages do not state the answer; P(it is right) is then no use.
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
        model=reader.name,
        signals={**events, **right, "answerable": sure},
    )


def _cite(
    plan: Lookup | Computed,
    text: str,
    context: PromptContext,
    reply: Reply,
    reader: Reader,
    ctx: RequestContext,
) -> tuple[str, tuple[Source, ...]]:
    """The text with the numbers of its sources, and the sources."""
    question = plan.question.text
    with ctx.store.reading():
        weights = stem_weights(ctx.store.words.rarity(f"{question} {text}"))
    if reply.cited:
        by = cite_quoted if isinstance(reader, ExtractiveReader) else cite_named
        return by(question, text, reply.cited, weights)
    return cite(question, text, context.messages, weights)


def _closest(
    retrieved: RetrievedEvidence, context: PromptContext, cited: Sequence[Message]
) -> tuple[Source, ...]:
    """The messages that the reader named as sources of an answer that is not shown, then the best ones."""
    order = sorted(range(len(context.messages)), key=context.ranks.__getitem__)
    best = [context.messages[place] for place in order]
    shown = {m.id: m for m in (*cited, *best) if not m.wordless} or {m.id: m for m in best}
    return tuple(
        Source(n, message, quote(message.text, set(retrieved.weights), retrieved.weights))
        for n, message in enumerate(list(shown.values())[:MOST_CLOSEST], start=1)
    )

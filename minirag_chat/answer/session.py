"""One question being answered: evidence chosen, the flag decided, the text read and cited."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from datetime import datetime

from minirag_chat.answer.abstain import answerable, confidence, reason, wording
from minirag_chat.answer.cite import cite, cite_named, coverage, quote
from minirag_chat.answer.computed import (
    COMPARED,
    EXTREMES,
    ComputedAnswer,
    Occurrence,
    compare,
    count,
    extreme,
    occurrences,
    sender,
)
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.prompt import PromptContext, build_reading
from minirag_chat.answer.read import ExtractiveReader, ModelReader, Reader, Reply, Words
from minirag_chat.answer.trained import TrainedReader
from minirag_chat.answer.words import stem_weights, stems
from minirag_chat.models.protocols import ChatModel, ChatReader
from minirag_chat.records import (
    STATES,
    Answer,
    EventEvidence,
    Evidence,
    Message,
    Question,
    Reads,
    ReasoningPath,
    ScoredChunk,
    Source,
    unseen,
)
from minirag_chat.settings import Settings
from minirag_chat.store import Store

CHUNKS_SHOWN = 12
CHUNKS_FOR_SIGNALS = 5
MOST_CLOSEST = 3
CLOSE = 2.5  # log-odds of the ranker between the best message and one that may answer as well
SELF_REFUSING_SHARE = 0.5
"""How much of the sureness that is wanted suffices to ask a reader that says itself if there is none."""


class AnswerRun:
    """Answers one question. Construct it inside ``Store.reading()``; ``run`` needs no transaction."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        question: Question,
        ranked: Sequence[ScoredChunk],
        evidence: Sequence[Evidence],
        *,
        asked: str,
        history: Sequence[tuple[str, str]],
        cosine: float,
        events: Sequence[EventEvidence] = (),
    ) -> None:
        self._store = store
        self._settings = settings
        self._question = question
        self._asked = asked
        self._history = history
        self._events = events
        self._candidates = [item.message for item in evidence]
        chunks = [c.chunk_id for c in ranked[:CHUNKS_SHOWN]]
        members = store.index.members(chunks)
        found = store.messages.by_ids(sorted({m for c in chunks for m in members[c]}))
        self._windows = [[found[m] for m in members[c]] for c in chunks]
        self._chunk_of: dict[int, int] = {}
        for chunk in reversed(chunks):
            self._chunk_of.update(dict.fromkeys(members[chunk], chunk))
        self._chunk_of.update({item.message.id: item.chunk_id for item in evidence})
        for event in events:
            self._chunk_of.update({c.message.id: c.chunk_id for c in event.candidates})
        self._weights = stem_weights(store.words.rarity(question.text))
        covered = coverage(question.text, self._windows[:CHUNKS_FOR_SIGNALS], self._weights)
        self._signals = {"coverage": covered, "cosine": cosine}
        judged = [item for item in evidence if STATES in item.signals]
        self._scores = {item.message.id: item.score for item in judged}
        self._close: frozenset[int] = frozenset()
        if judged:
            best = self._signals[STATES] = max(item.signals[STATES] for item in judged)
            self._close = frozenset(
                item.message.id for item in judged if item.signals[STATES] > best - CLOSE
            )

    def run(
        self,
        model: ChatModel | None,
        timings: dict[str, float],
        begun: float,
        cancelled: Callable[[], bool],
        reads: Reads = unseen,
    ) -> Generator[str, None, Answer]:
        """Yield pieces of text; return the answer. ``reads`` gets what is about to be read, best first."""
        reader = self._reader(model)
        shape = self._question.shape
        found: list[list[Occurrence]] = []
        if shape and shape.kind in EXTREMES:
            found = self._found(reader, timings, cancelled)
        reading = self._reading(model, found)
        order = sorted(range(len(reading.messages)), key=reading.ranks.__getitem__)
        reads([reading.messages[place] for place in order])
        sure = self._judged(reader, reading, timings, cancelled)
        # Where no model judged it, the events themselves tell whether to keep silent.
        told = bool({"silence", "probe"} & set(self._signals))
        if self._events and not found and not (told and sure < self._settings.abstain_below):
            computed = self._computed(self._found(reader, timings, cancelled))
            if computed is not None and not cancelled():
                sure = sure if told else computed.sure
                if sure >= self._settings.abstain_below:
                    timings["first_words"] = time.perf_counter() - begun
                    yield computed.text
                timings["total"] = time.perf_counter() - begun
                return self._computed_answer(computed, sure, reader, timings)
        return (yield from self._read(reader, reading, sure, timings, begun, cancelled))

    def _reader(self, model: ChatModel | None) -> Reader:
        """Who reads: a model that was trained to, another one, or none."""
        if model is None:
            return ExtractiveReader(self._weights, self._scores)
        if isinstance(model, ChatReader) and self._settings.does("trained"):
            return TrainedReader(model, model, self._settings)
        return ModelReader(model, self._settings.answer_tokens)

    def _found(
        self, reader: Reader, timings: dict[str, float], cancelled: Callable[[], bool]
    ) -> list[list[Occurrence]]:
        """Where each event of the question may have happened."""
        step = time.perf_counter()
        found = [occurrences(event, reader, cancelled) for event in self._events]
        timings["events"] = time.perf_counter() - step
        return found

    def _judged(
        self,
        reader: Reader,
        reading: PromptContext,
        timings: dict[str, float],
        cancelled: Callable[[], bool],
    ) -> float:
        """P(the messages state the answer), after the reader has been asked."""
        step = time.perf_counter()
        if reading.messages and self._settings.does("stated"):
            judged = reader.judged(reading, cancelled)
            if not self._settings.does("probe"):
                judged.pop("probe", None)
            self._signals |= judged
        timings["check"] = time.perf_counter() - step
        return answerable(self._signals)

    def _read(
        self,
        reader: Reader,
        reading: PromptContext,
        sure: float,
        timings: dict[str, float],
        begun: float,
        cancelled: Callable[[], bool],
    ) -> Generator[str, None, Answer]:
        """Let the reader read, where the messages seem to say."""
        threshold = self._settings.abstain_below
        text, reply = "", Reply()
        if reading.messages and sure >= threshold * (SELF_REFUSING_SHARE if reader.refuses else 1):
            words = reader.read(reading, self._question, cancelled)
            text, reply = yield from _collected(words, timings, begun)
            self._signals |= reply.signals
            sure = answerable(self._signals)
        timings["total"] = time.perf_counter() - begun
        stopped = cancelled()
        abstained = not stopped and not text.strip()
        marked = not isinstance(reader, ExtractiveReader)  # which quotes what stands there
        if text.strip() and not abstained:
            text, sources = self._cited(text, reading, reply, marked=marked)
        else:
            sources = ()
        why = reason(self._signals, sure, threshold) if abstained else None
        closest = self._closest(reading) if abstained else ()
        return Answer(
            question=self._asked,
            text=wording(why) if why else text,
            abstained=abstained,
            confidence=sure if abstained else confidence(self._signals),
            reason=why,
            sources=sources,
            closest=closest,
            path=self._path(sources or closest),
            timings=timings,
            model=reader.name,
            stopped=stopped,
            signals={
                **self._signals,
                "answerable": sure,
                "evidence_tokens": float(reading.tokens),
            },
        )

    def _computed(self, found: Sequence[list[Occurrence]]) -> ComputedAnswer | None:
        """What code can say without the reader; None where the reader is to say it."""
        shape = self._question.shape
        if shape is None:
            return None
        if shape.kind in COMPARED:
            return compare(shape, found)
        if shape.kind == "sender":
            return sender(found[0])
        return count(found[0], more=self._events[0].more) if shape.kind == "count" else None

    def _computed_answer(
        self,
        computed: ComputedAnswer,
        sure: float,
        reader: Reader,
        timings: dict[str, float],
    ) -> Answer:
        """The answer that dates give, or silence where an event is not sure enough."""
        silent = sure < self._settings.abstain_below
        dated = [(one.event, one.message, one.at) for one in computed.occurrences]
        return Answer(
            question=self._asked,
            text=wording("not_stated") if silent else computed.text,
            abstained=silent,
            confidence=sure if silent else computed.confidence,
            reason="not_stated" if silent else None,
            sources=() if silent else computed.sources,
            closest=computed.sources if silent else (),
            path=self._path(computed.sources, dated),
            timings=timings,
            model=reader.name,
            signals={
                **{f"event {n}": one.sure for n, one in enumerate(computed.occurrences, start=1)},
                "answerable": sure,
            },
        )

    def _reading(self, model: ChatModel | None, found: Sequence[list[Occurrence]]) -> PromptContext:
        """What is read: one occurrence's conversation, or the best messages that have room."""
        shape = self._question.shape
        asked, candidates = self._asked, self._candidates
        one = extreme(shape, found[0]) if shape and found else None
        if shape and one:
            asked = shape.events[0]
            candidates = next(
                list(window)
                for item, window in zip(
                    self._events[0].candidates, self._events[0].windows, strict=True
                )
                if item.message.id == one.message.id
            )
            self._signals |= one.signals
        return build_reading(
            asked,
            candidates,
            budget=self._settings.evidence_tokens,
            count_tokens=model.count_tokens if model else lambda text: len(text) // 4,
            words=list(self._weights),
            close=self._close if self._settings.does("close") else (),
            history=self._history,
            dated=self._settings.does("dated"),
        )

    def _cited(
        self,
        text: str,
        reading: PromptContext,
        reply: Reply,
        *,
        marked: bool,
    ) -> tuple[str, tuple[Source, ...]]:
        with self._store.reading():
            rare = self._store.words.rarity(f"{self._question.text} {text}")
        weights = stem_weights(rare)
        if reply.cited:
            return cite_named(self._question.text, text, reply.cited, weights)
        return cite(self._question.text, text, reading.messages, weights, marked=marked)

    def _closest(self, reading: PromptContext) -> tuple[Source, ...]:
        """The best message of each of the best windows."""
        asked = set(stems(self._question.text))
        readable = {m.id for m in reading.messages}
        found: dict[int, Message] = {}
        for window in (*self._windows, reading.messages):
            inside = [m for m in window if m.id in readable]
            if inside and len(found) < MOST_CLOSEST:
                best = max(inside, key=lambda m: len(asked & set(stems(m.text))))
                found.setdefault(best.id, best)
        return tuple(
            Source(n, m, quote(m.text, asked, self._weights))
            for n, m in enumerate(found.values(), start=1)
        )

    def _path(
        self,
        sources: Sequence[Source],
        dated: Sequence[tuple[str, Message, datetime]] = (),
    ) -> ReasoningPath:
        with self._store.reading():
            return PathBuilder(self._store, self._question).build(sources, self._chunk_of, dated)


def _collected(
    words: Words, timings: dict[str, float], begun: float
) -> Generator[str, None, tuple[str, Reply]]:
    """Pass on the words as they come; return all of them, and what its reader says beside."""
    text = ""
    while True:
        try:
            piece = next(words)
        except StopIteration as end:
            return text, end.value
        timings.setdefault("first_words", time.perf_counter() - begun)
        text += piece
        yield piece

"""Reading: evidence → the text of an answer, by a language model or by quoting."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol

from minirag_chat.answer.cite import LONGEST_QUOTE, quote
from minirag_chat.answer.prompt import PromptContext, event_turns, with_instruction
from minirag_chat.answer.word_overlap import share, stems
from minirag_chat.models.protocols import NOT_STATED, ChatModel
from minirag_chat.records import Message, Question, Reason
from minirag_chat.store.text import asks
from minirag_chat.ui_text import day, one_line

YES_NO = ("Yes", "No")
AROUND, SPEAKER, ASKS, RANK = 0.5, 0.3, 0.2, 0.03  # weights; that of a message's own words is 1
_YES_NO_BEGINS = re.compile(
    r"^\W*(Yes|No)\b\**(?=\s*(?:[^\w\s*'\u2019-]|-+\s|messages?\s*:|$)|[^\S\n]*\n)"
    r"[\s.,:;*\u2013\u2014-]*(?:messages?\s*:\s*)?",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^(?:\[\d*\]?|[^\w\[])+")  # what comes before the first word
SILENT = (NOT_STATED.casefold().rstrip("."), "the messages do not", "the messages don't")
"""The beginnings of replies that say that there is no answer."""
BEGINNING = 16  # characters: yes or no, and what small models write after it
MOST_QUOTED, NEARLY = 2, 0.3  # messages, and how much worse than the best the next one may fit
NEARLY_AFTER = 0.5  # the same for one that comes soon after the best, and often goes on with it
SCORE = 0.4  # weight of the score after reranking (a sum of z-scores) as a fit
SOON = 3  # messages
BEGINS = 3  # words at the beginning of a message, one of which says that it asks
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A reader's judgement, before it answers, of whether the messages state the answer.

    ``signals`` say how likely they do. With ``may_refuse`` the reader has no such signals; instead, it may
    reply "Not stated." when it reads.
    """

    signals: Mapping[str, float] = field(default_factory=dict)
    may_refuse: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reader returns in addition to its text.

    ``cited`` are the messages that it names as its sources, if any, ``signals`` how sure of its words it
    was, and ``reason`` why it gave no answer, if it decided that itself.
    """

    cited: tuple[Message, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)
    reason: Reason | None = None


Words = Generator[str, None, Reply]
"""Yields the pieces of an answer's text and returns its ``Reply``."""


class Reader(Protocol):
    """Turns a reading into an answer's text, in pieces."""

    name: str

    def judge(self, reading: PromptContext, cancelled: Callable[[], bool]) -> Judgement:
        """Whether the messages state the answer; no signals if that is unknown."""

    def happened(
        self, event: str, windows: Sequence[Sequence[Message]], cancelled: Callable[[], bool]
    ) -> list[float | None]:
        """For each window, the probability that it shows an event; None where unknown."""

    def read(
        self,
        reading: PromptContext,
        question: Question,
        judgement: Judgement,
        cancelled: Callable[[], bool],
    ) -> Words:
        """Yield the answer's text; ends early once ``cancelled`` says so."""


class ModelReader:
    """Reads with a language model."""

    def __init__(self, model: ChatModel, max_new_tokens: int) -> None:
        self.name = model.name
        self._model = model
        self._max_new_tokens = max_new_tokens

    def judge(self, reading: PromptContext, cancelled: Callable[[], bool]) -> Judgement:
        """``stated``: P(Yes) to "do the messages explicitly state the answer?".

        A model that gives no probabilities may refuse instead.
        """
        turns = with_instruction(reading, "stated")
        choice = self._model.choose(turns, YES_NO, cancelled=cancelled)
        return Judgement(may_refuse=True) if choice is None else Judgement({"stated": choice[0]})

    def happened(
        self, event: str, windows: Sequence[Sequence[Message]], cancelled: Callable[[], bool]
    ) -> list[float | None]:
        """P(Yes) to "do these messages show that this happened or was said?"."""
        prompts = [event_turns(event, window) for window in windows]
        chosen = self._model.choose_each(prompts, YES_NO, cancelled=cancelled)
        return [None if choice is None else choice[0] for choice in chosen]

    def read(
        self,
        reading: PromptContext,
        question: Question,
        judgement: Judgement,
        cancelled: Callable[[], bool],
    ) -> Words:
        """Stream the model's one sentence. Signal, if it may refuse: ``says``, 1 for an answer, else 0."""
        instructions = ["answer_yes_no" if question.yes_no else "answer"]
        instructions += ["or_silence"] if judgement.may_refuse else []
        pieces = self._model.stream(
            with_instruction(reading, *instructions),
            max_new_tokens=self._max_new_tokens,
            cancelled=cancelled,
        )
        begun = _unless_silent(pieces) if judgement.may_refuse else ""
        if begun is None:
            if isinstance(pieces, Generator):
                pieces.close()  # stop the model: the rest is not needed
            return Reply(signals={"says": 0.0}, reason="not_stated")
        whole = chain([begun] if begun else [], pieces)
        yield from _word_first(whole) if question.yes_no else whole
        return Reply(signals={"says": 1.0} if judgement.may_refuse else {})


def _unless_silent(pieces: Iterator[str]) -> str | None:
    """The beginning of an answer; None if it says that the messages do not state it."""
    begun = ""
    for piece in pieces:
        begun += piece
        words = _MARKS.sub("", begun).casefold().replace("\u2019", "'")
        if words.startswith(SILENT):
            return None
        if not any(silent.startswith(words) for silent in SILENT):
            break
    return begun


def _word_first(pieces: Iterator[str]) -> Iterator[str]:
    """Turns “Yes Message: Ann: …”, as small models write, into “Yes. Ann: …”."""
    begun, more = "", True
    while more and len(begun) < BEGINNING:
        piece = next(pieces, "")
        begun, more = begun + piece, bool(piece)
    if word := _YES_NO_BEGINS.match(begun):
        begun = f"{word[1].capitalize()}. {begun[word.end() :]}"
    if begun:
        yield begun if more else begun.rstrip()
    yield from pieces


class ExtractiveReader:
    """Reads without a model: quotes the messages that rank highest.

    ``scores`` are the scores after reranking, by message id. Without a ranker it quotes the messages with
    most of the question's words, weighted by their rarity, ``weights``.
    """

    name = "extractive reader (no language model)"

    def __init__(self, weights: Mapping[str, float], scores: Mapping[int, float]) -> None:
        self._weights = weights
        self._scores = scores

    def judge(self, reading: PromptContext, cancelled: Callable[[], bool]) -> Judgement:
        """No signals: there is no model to ask."""
        del reading, cancelled
        return Judgement()

    def happened(
        self, event: str, windows: Sequence[Sequence[Message]], cancelled: Callable[[], bool]
    ) -> list[float | None]:
        """Unknown: there is no model to ask."""
        del event, cancelled
        return [None] * len(windows)

    def read(
        self,
        reading: PromptContext,
        question: Question,
        judgement: Judgement,
        cancelled: Callable[[], bool],
    ) -> Words:
        """Quote the message that fits best, and the next one if it fits nearly as well.

        Each quote says who wrote it and when. If a quoted message is a question, the reply to it is quoted
        too. One that asks just what the question asks adds nothing, so it is left out if there are others.
        A file without text is not quoted, and what has no word only as a reply.
        """
        del judgement
        if cancelled() or all(message.wordless for message in reading.messages):
            return Reply()
        asked = set(stems(question.text))
        quoted = self._quoted(reading, self._fits(reading, question, asked))
        new = [n for n in quoted if set(stems(reading.messages[n].text)) != asked] or quoted
        for index in new:
            yield "\n\n" if index != new[0] else ""
            yield self._said(reading.messages[index], asked)
        return Reply(cited=tuple(reading.messages[index] for index in new))

    @staticmethod
    def _quoted(reading: PromptContext, fits: Sequence[float]) -> list[int]:
        """The indexes of the messages to quote, in the order of the quotes."""
        texts = {n: m.text for n, m in enumerate(reading.messages) if not m.wordless}
        worded = [n for n, text in texts.items() if _WORD.search(text)] or list(texts)
        best, *others = sorted(worded, key=lambda n: -fits[n])
        after = _soon_after(best, reading)
        margins = (NEARLY_AFTER if n in after else NEARLY for n in others)
        nearly = [
            n for n, most in zip(others, margins, strict=True) if fits[best] - fits[n] <= most
        ]
        quoted: list[int] = []
        for index in [best, *nearly][:MOST_QUOTED]:
            if index not in quoted:
                replies = sorted(_soon_after(index, reading), key=lambda n: -fits[n])
                reply = replies[:1] if _asks(texts[index], reading.question) else []
                quoted += [index, *(n for n in reply if n not in quoted)]
        return quoted

    def _fits(self, reading: PromptContext, question: Question, asked: set[str]) -> list[float]:
        """How well each message fits: by the ranker, else by its words."""
        if all(message.id in self._scores for message in reading.messages):
            return [
                SCORE * self._scores[message.id] - ASKS * _asks(message.text, reading.question)
                for message in reading.messages
            ]
        wanted = {entity.id for entity in question.speakers}
        return [self._fit(i, reading, asked, wanted) for i in range(len(reading.messages))]

    def _fit(self, index: int, reading: PromptContext, asked: set[str], wanted: set[int]) -> float:
        """A score of the question's words in a message and the two around it, of its sender and rank."""
        message = reading.messages[index]
        own = share(asked, stems(f"{message.sender} {message.text}"), self._weights)
        near = reading.messages[max(0, index - 1) : index + 2]
        around = share(asked, [s for m in near for s in stems(m.text)], self._weights)
        fit = own + AROUND * around + SPEAKER * (message.sender_id in wanted)
        return fit - ASKS * _asks(message.text, reading.question) - RANK * reading.ranks[index]

    def _said(self, message: Message, asked: set[str]) -> str:
        text = one_line(message.text)
        if len(text) > LONGEST_QUOTE:
            text = one_line(quote(message.text, asked, self._weights))
        when = f"{message.sent_at:%A} {day(message.sent_at)}"
        return f"{one_line(message.shown_sender)} wrote on {when}: \u201c{text}\u201d"


def _soon_after(index: int, reading: PromptContext) -> list[int]:
    """The indexes of the next few messages of the same conversation that are no files without text."""
    message = reading.messages[index]
    after = [
        n
        for n, other in enumerate(reading.messages[index + 1 :], start=index + 1)
        if (other.chat_id, other.session_id) == (message.chat_id, message.session_id)
    ]
    return [n for n in after[:SOON] if not reading.messages[n].wordless]


def _asks(text: str, question: str) -> bool:
    """Whether a message asks: it has a question mark, or begins like the question and is about the same."""
    if asks(text):
        return True
    begins = [word.casefold() for word in _WORD.findall(question)[:1]]
    first = [word.casefold() for word in _WORD.findall(text)[:BEGINS]]
    return any(word in first for word in begins) and bool({*stems(question)} & {*stems(text)})

"""Reading: evidence → the text of an answer, by a language model or by quoting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

from minirag_chat.answer.cite import COLONS, LONGEST_QUOTE, quote
from minirag_chat.answer.prompt import PromptContext, event_turns, with_instruction
from minirag_chat.answer.relative_dates import dates_named
from minirag_chat.answer.word_overlap import share, stems
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.models.protocols import NOT_STATED, ChatModel
from minirag_chat.records import Cancelled, Message, Question, Reason
from minirag_chat.store.text import asks
from minirag_chat.ui_text import day, one_line

YES_NO = ("Yes", "No")
AROUND, SPEAKER, ASKS, RANK = 0.5, 0.3, 0.2, 0.03  # weights; that of a message's own words is 1
_YES_NO_BEGINS = any_case(
    r"^\W*(Yes|No)\b\**(?=\s*(?:[^\w\s*'\u2019-]|-+\s|messages?\s*:|$)|[^\S\n]*\n)"
    r"[\s.,:;*\u2013\u2014-]*(?:messages?\s*:\s*)?",
)
_MARKS = lazy(r"^(?:\[\d*\]?|[^\w\[])+")  # what comes before the first word
SILENT = (NOT_STATED.casefold().rstrip("."), "the messages do not", "the messages don't")
"""The beginnings of replies that say that there is no answer."""
BEGINNING = 16  # characters: yes or no, and what small models write after it
MOST_QUOTED, NEARLY = 2, 0.3  # messages, and how much worse than the best the next one may fit
NEARLY_AFTER = 0.5  # the same for one that comes soon after the best, and often goes on with it
SCORE = 0.4  # weight of the score after reranking (a sum of z-scores) as a fit
SOON = 3  # messages
OTHERS = 0.15  # how much better what its own sender writes has to fit as the reply to a question
MOST_DATES = 3  # behind a quote
BEGINS = 3  # words at the beginning of a message, one of which says that it asks
_WORD = lazy(r"\w+")
_SENTENCE_ASKS = lazy(r"[?\uff1f]\s")  # "May I take it with juice? I have a glass every morning."


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


class Reader(ABC):
    """Turns the prompt context into an answer's text, in pieces."""

    name: str

    def judge(self, context: PromptContext, cancelled: Cancelled) -> Judgement:
        """Whether the messages state the answer; no signals if that is unknown."""
        del context, cancelled
        return Judgement()

    def happened(
        self, event: str, windows: Sequence[Sequence[Message]], cancelled: Cancelled
    ) -> list[float | None]:
        """For each window, the probability that it shows an event; None where unknown."""
        del event, cancelled
        return [None] * len(windows)

    @abstractmethod
    def read(
        self, context: PromptContext, question: Question, judgement: Judgement, cancelled: Cancelled
    ) -> Words:
        """Yield the answer's text; ends early once ``cancelled`` says so."""


class ModelReader(Reader):
    """Reads with a language model."""

    def __init__(self, model: ChatModel, max_new_tokens: int) -> None:
        self.name = model.name
        self._model = model
        self._max_new_tokens = max_new_tokens

    def judge(self, context: PromptContext, cancelled: Cancelled) -> Judgement:
        """``stated``: P(Yes) to "do the messages explicitly state the answer?".

        A model that gives no probabilities may refuse instead.
        """
        turns = with_instruction(context, "stated")
        (choice,) = self._model.choose_each([turns], YES_NO, cancelled=cancelled)
        return Judgement(may_refuse=True) if choice is None else Judgement({"stated": choice[0]})

    def happened(
        self, event: str, windows: Sequence[Sequence[Message]], cancelled: Cancelled
    ) -> list[float | None]:
        """P(Yes) to "do these messages show that this happened or was said?"."""
        prompts = [event_turns(event, window) for window in windows]
        chosen = self._model.choose_each(prompts, YES_NO, cancelled=cancelled)
        return [None if choice is None else choice[0] for choice in chosen]

    def read(
        self, context: PromptContext, question: Question, judgement: Judgement, cancelled: Cancelled
    ) -> Words:
        """Stream the model's one sentence. Signal, if it may refuse: ``says``, 1 for an answer, else 0."""
        instructions = ["answer_yes_no" if question.yes_no else "answer"]
        instructions += ["or_silence"] if judgement.may_refuse else []
        pieces = self._model.stream(
            with_instruction(context, *instructions),
            max_new_tokens=self._max_new_tokens,
            cancelled=cancelled,
        )
        beginning = _unless_silent(pieces) if judgement.may_refuse else ""
        if beginning is None:
            if isinstance(pieces, Generator):
                pieces.close()  # stop the model: the rest is not needed
            return Reply(signals={"says": 0.0}, reason="not_stated")
        whole = chain([beginning] if beginning else [], pieces)
        yield from _word_first(whole) if question.yes_no else whole
        return Reply(signals={"says": 1.0} if judgement.may_refuse else {})


def _unless_silent(pieces: Iterator[str]) -> str | None:
    """The beginning of an answer; None if it says that the messages do not state it."""
    beginning = ""
    for piece in pieces:
        beginning += piece
        words = _MARKS.sub("", beginning).casefold().replace("\u2019", "'")
        if words.startswith(SILENT):
            return None
        if not any(silent.startswith(words) for silent in SILENT):
            break
    return beginning


def _word_first(pieces: Iterator[str]) -> Iterator[str]:
    """Turns “Yes Message: Ann: …”, as small models write, into “Yes. Ann: …”."""
    beginning, more = "", True
    while more and len(beginning) < BEGINNING:
        piece = next(pieces, "")
        beginning, more = beginning + piece, bool(piece)
    if word := _YES_NO_BEGINS.match(beginning):
        beginning = f"{word[1].capitalize()}. {beginning[word.end() :]}"
    if beginning:
        yield beginning if more else beginning.rstrip()
    yield from pieces


class ExtractiveReader(Reader):
    """Reads without a model: quotes the messages that rank highest.

    ``scores`` are the scores after reranking, by message id. Without a ranker it quotes the messages with
    most of the question's words, weighted by their rarity, ``weights``. With ``dated`` a quote is followed
    by the dates of its "tomorrow" and "on Friday".
    """

    name = "extractive reader (no language model)"

    def __init__(
        self, weights: Mapping[str, float], scores: Mapping[int, float], *, dated: bool = True
    ) -> None:
        self._weights = weights
        self._scores = scores
        self._dated = dated

    def read(
        self, context: PromptContext, question: Question, judgement: Judgement, cancelled: Cancelled
    ) -> Words:
        """Quote the message that fits best, and the next one if it fits nearly as well.

        Each quote says who wrote it and when, and ends with its ``[n]``. If a quoted message is a question,
        the reply to it is quoted too, and if it ends with a colon, what its sender writes next. One that
        asks just what the question asks adds nothing, so it is left out if there are others. A file without
        text is not quoted, and a message without a word, such as an emoji, only as a reply.
        """
        del judgement
        if cancelled() or all(message.wordless for message in context.messages):
            return Reply()
        question_stems = set(stems(question.text))
        quoted = self._quoted(context, self._fits(context, question, question_stems))
        new = [
            n for n in quoted if set(stems(context.messages[n].text)) != question_stems
        ] or quoted
        for number, index in enumerate(new, start=1):
            yield "\n\n" if number > 1 else ""
            yield f"{self._quotation(context.messages[index], question_stems)} [{number}]"
        return Reply(cited=tuple(context.messages[index] for index in new))

    @staticmethod
    def _quoted(context: PromptContext, fits: Sequence[float]) -> list[int]:
        """The indexes of the messages to quote, in the order of the quotes."""
        texts = {n: m.text for n, m in enumerate(context.messages) if not m.wordless}
        worded = [n for n, text in texts.items() if _WORD.search(text)] or list(texts)
        best, *others = sorted(worded, key=lambda n: -fits[n])
        after = _soon_after(best, context)
        margins = (NEARLY_AFTER if n in after else NEARLY for n in others)
        nearly = [
            n for n, most in zip(others, margins, strict=True) if fits[best] - fits[n] <= most
        ]
        quoted: list[int] = []
        for index in [best, *nearly][:MOST_QUOTED]:
            if index not in quoted:
                further = _announced(index, context)
                if not further and (
                    _asks(texts[index], context.question) or _SENTENCE_ASKS.search(texts[index])
                ):
                    further = _best_reply(index, context, fits)
                quoted += [index, *(n for n in further if n not in quoted)]
        return quoted

    def _fits(
        self, context: PromptContext, question: Question, question_stems: set[str]
    ) -> list[float]:
        """How well each message fits: by the ranker, else by its words."""
        if all(message.id in self._scores for message in context.messages):
            return [
                SCORE * self._scores[message.id] - ASKS * _asks(message.text, context.question)
                for message in context.messages
            ]
        speaker_ids = {entity.id for entity in question.speakers}
        return [
            self._fit(i, context, question_stems, speaker_ids) for i in range(len(context.messages))
        ]

    def _fit(
        self, index: int, context: PromptContext, question_stems: set[str], speaker_ids: set[int]
    ) -> float:
        """A score of the question's words in a message and the two around it, of its sender and rank."""
        message = context.messages[index]
        own = share(question_stems, stems(f"{message.sender} {message.text}"), self._weights)
        near = context.messages[max(0, index - 1) : index + 2]
        around = share(question_stems, [s for m in near for s in stems(m.text)], self._weights)
        fit = own + AROUND * around + SPEAKER * (message.sender_id in speaker_ids)
        return fit - ASKS * _asks(message.text, context.question) - RANK * context.ranks[index]

    def _quotation(self, message: Message, question_stems: set[str]) -> str:
        text = one_line(message.text)
        if len(text) > LONGEST_QUOTE:
            text = one_line(quote(message.text, question_stems, self._weights))
        when = f"{message.sent_at:%A} {day(message.sent_at)}"
        said = f"{one_line(message.shown_sender)} wrote on {when}: \u201c{text}\u201d"
        at, order = message.sent_at, message.date_order
        named = dates_named(message.text, at, order).items() if self._dated else ()
        dates = [f"{phrase}: {date}" for phrase, date in named if phrase in text]
        return f"{said} ({'; '.join(dates[:MOST_DATES])})" if dates else said


def _soon_after(index: int, context: PromptContext) -> list[int]:
    """The indexes of the next few messages of the same conversation that are no files without text."""
    message = context.messages[index]
    after = [
        n
        for n, other in enumerate(context.messages[index + 1 :], start=index + 1)
        if (other.chat_id, other.session_id) == (message.chat_id, message.session_id)
    ]
    return [n for n in after[:SOON] if not context.messages[n].wordless]


def _best_reply(index: int, context: PromptContext, fits: Sequence[float]) -> list[int]:
    """The index of what fits best soon after a message; what its own sender writes has to fit far better."""
    writer = context.messages[index].sender_id
    return sorted(
        _soon_after(index, context),
        key=lambda n: -fits[n] - OTHERS * (context.messages[n].sender_id != writer),
    )[:1]


def _announced(index: int, context: PromptContext) -> list[int]:
    """The indexes of what the sender writes right after a message that ends with a colon."""
    message = context.messages[index]
    if not message.text.rstrip().endswith(COLONS):
        return []
    return list(
        takewhile(
            lambda n: context.messages[n].sender_id == message.sender_id,
            _soon_after(index, context),
        )
    )


def _asks(text: str, question: str) -> bool:
    """Whether a message asks: it has a question mark, or begins like the question and is about the same."""
    if asks(text):
        return True
    begins = [word.casefold() for word in _WORD.findall(question)[:1]]
    first = [word.casefold() for word in _WORD.findall(text)[:BEGINS]]
    return any(word in first for word in begins) and bool({*stems(question)} & {*stems(text)})

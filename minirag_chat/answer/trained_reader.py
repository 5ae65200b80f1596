"""Reading by a trained model: it replies with message numbers and the answer, or "Not stated.".

Its answer is checked before it is shown: the messages that it names must state its dates, times and
numbers. If they do not, it reads only these messages once more; that answer is shown only if it passes
the check, or does without the day of a month of which the messages name no day.

It reads the other messages instead if the answer is a day still to come, and the question asks when
somebody did something. What the writer of a message says of themself is no answer about somebody else, and
whoever wrote a message is no answer if it tells of somebody else. An answer that is unlikely to be right is
not shown either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from minirag_chat.answer.abstain import (
    LISTED_SHARE,
    READ_SHARE,
    WRITTEN_SHARE,
    answerable,
    confidence,
)
from minirag_chat.answer.cite import with_stating
from minirag_chat.answer.counterfactual import about_the_writer
from minirag_chat.answer.fact_check import SupportedFacts
from minirag_chat.answer.named_in_question import repeats_question
from minirag_chat.answer.of_the_reporter import (
    is_told_of,
    named_writer,
    who_says_me,
    with_asked,
    with_stand_in,
    without_writers_surname,
)
from minirag_chat.answer.of_the_writer import is_of_the_writer
from minirag_chat.answer.prompt import PromptContext, build_context, reader_turns, with_question
from minirag_chat.answer.readers import Judgement, ModelReader, Reply, Words
from minirag_chat.answer.still_to_come import is_still_to_come
from minirag_chat.answer.told_years import with_told_years
from minirag_chat.answer.weekdays import by_calendar, contradicts
from minirag_chat.lazy_patterns import lazy
from minirag_chat.models.protocols import (
    NOT_STATED,
    VERDICT,
    VERDICTS,
    ChatModel,
    ChatReader,
    Piece,
)
from minirag_chat.question import asks_for_several
from minirag_chat.records import Cancelled, Message, Question, Reason
from minirag_chat.settings import Settings

_NUMBERS = lazy(r"^\s*((?:\[\d+\][\s,]*)+)")
_NUMBER = lazy(r"\d+")
_REPEATED = lazy(r"(?<![^\s;,])([^:;,.\[\]]{1,40})(?:: \1)+(?![^\s;,.:])")


@dataclass(frozen=True, slots=True)
class _Draft:
    """An answer, the messages that it names, and the pieces in which the model wrote it."""

    text: str
    cited: tuple[Message, ...]
    pieces: tuple[Piece, ...]


class TrainedReader(ModelReader):
    """Reads with a ``ChatReader``; whether an event happened it asks the model without its adapter."""

    def __init__(
        self,
        model: ChatModel,
        reader: ChatReader,
        settings: Settings,
        scores: Mapping[int, float],
        newest: datetime,
    ) -> None:
        """``scores`` are the ranker's, by message id; without a ranker there are none.

        ``newest`` is when the last message of all was sent.
        """
        super().__init__(model, settings.answer_tokens)
        self._reader = reader
        self._settings = settings
        self._scores = scores
        self._newest = newest

    def judge(self, context: PromptContext, cancelled: Cancelled) -> Judgement:
        """``silence``: the log-odds that the messages do not state the answer."""
        silence = self._reader.silence(reader_turns(context), cancelled=cancelled)
        return Judgement() if silence is None else Judgement({"silence": silence})

    def read(
        self, context: PromptContext, question: Question, judgement: Judgement, cancelled: Cancelled
    ) -> Words:
        """The answer in one piece; none if its messages do not support it or it is unsure.

        Signals: ``mean`` and ``weakest``, the mean and minimum of its pieces' log-probabilities;
        ``checked``, 1 if the first answer passed the check and 0 if a second one was needed;
        ``supported``, 0 if neither passed; ``other``, how much likelier (log-odds, at threshold 0) it is that
        the messages answer the same question about the author of the cited message; ``cited``, the
        ranker's score of the best message that the answer names, where there is a ranker.
        """
        several = asks_for_several(question.text)
        first = self._generate(context, cancelled, several=several)
        draft, supported = self._checked(first, context, question, cancelled, several=several)
        signals = {**_sureness(draft.pieces), "checked": float(draft is first)}
        if not supported:
            return Reply(signals={**signals, "supported": 0.0}, reason="unsupported")
        ranked = [self._scores[one.id] for one in draft.cited if one.id in self._scores]
        if draft.text and ranked:
            signals["cited"] = max(ranked)
        silence = judgement.signals.get("silence")
        if draft.text and silence is not None:
            question_text = about_the_writer(
                context.question, question, draft.cited, context.messages
            )
            signals["other"] = self._other(context, question_text, silence, cancelled)
        why: Reason | None = "not_stated"
        if draft.text:
            share = LISTED_SHARE if several else READ_SHARE
            why = self._withheld({**judgement.signals, **signals}, share)
        if why is None:
            yield draft.text
        shown = with_stating(question.text, draft.text, draft.cited, context.messages)
        return Reply(shown if draft.text else (), signals, why)

    def _checked(
        self,
        draft: _Draft,
        context: PromptContext,
        question: Question,
        cancelled: Cancelled,
        *,
        several: bool,
    ) -> tuple[_Draft, bool]:
        """The answer, or one read anew where it cannot be right; and whether its messages support it."""
        if not draft.text or not self._settings.does("check"):
            return draft, True
        if is_still_to_come(question.text, draft.text, self._newest):
            others = [one for one in context.messages if one not in draft.cited]
            context = self._with(context, others)
            draft = self._generate(context, cancelled, several=several)
            if not others or is_still_to_come(question.text, draft.text, self._newest):
                return draft, False
        if is_of_the_writer(question, draft.text, draft.cited):
            return draft, False
        if repeats_question(question, draft.text):
            return draft, False
        if draft.text and not _holds(question, draft):
            cited_only = self._with(context, draft.cited or context.messages)
            return _to_the_month(question, self._generate(cited_only, cancelled, several=several))
        return self._told_of(draft, context, question, cancelled) or draft, True

    def _told_of(
        self, draft: _Draft, context: PromptContext, question: Question, cancelled: Cancelled
    ) -> _Draft | None:
        """The answer whom the cited messages tell of, where it is their writer only since they wrote it."""
        writer = named_writer(draft.text, draft.cited)
        if writer is None:
            return None
        if me := who_says_me(question.text, writer, draft.cited, context.messages):
            return replace(draft, text=me.shown_sender, cited=(me,))
        exchange = with_asked(draft.cited, context.messages)
        unnamed = self._with(context, with_stand_in(exchange, writer))
        silence = self._reader.silence(reader_turns(unnamed), cancelled=cancelled)
        if silence is None or silence > 0:  # they more likely state nothing
            return None
        told = self._generate(unnamed, cancelled, several=False)
        return replace(told, cited=draft.cited) if is_told_of(told.text, draft.cited) else None

    def _withheld(self, signals: Mapping[str, float], share: float) -> Reason | None:
        """Why an answer is not shown; None if it is. Without the signal ``silence`` it always is.

        ``share`` is the fraction of the threshold that P(right) must reach.
        """
        if "silence" not in signals or not self._settings.does("check"):
            return None
        threshold, sure = self._settings.abstain_below, answerable(signals)
        if sure < threshold:
            return "not_stated"  # ``other`` lowers it: it may be true of the author instead
        doubtful = sure < min(1.0, WRITTEN_SHARE * threshold)
        return "unsure" if doubtful or confidence(signals) < share * threshold else None

    def _other(
        self,
        context: PromptContext,
        question_text: str | None,
        silence: float,
        cancelled: Cancelled,
    ) -> float:
        """How much lower (log-odds) ``silence`` is for ``question_text``, about the cited author."""
        if question_text is None or not self._settings.does("counterfactual"):
            return 0.0
        turns = reader_turns(with_question(context, question_text))
        other = self._reader.silence(turns, cancelled=cancelled)
        return 0.0 if other is None else max(0.0, silence - other)

    def _generate(self, context: PromptContext, cancelled: Cancelled, *, several: bool) -> _Draft:
        pieces = tuple(
            self._reader.read(
                reader_turns(context),
                max_new_tokens=self._settings.answer_tokens,
                several=several,
                cancelled=cancelled,
            )
        )
        whole = "".join(piece.text for piece in pieces)
        numbers = _NUMBERS.match(whole)
        places = [int(n) for n in _NUMBER.findall(numbers[1])] if numbers else []
        known = dict(enumerate(context.messages, start=1))
        cited = tuple(known[place] for place in dict.fromkeys(places) if place in known)
        text = _verdict_first((whole[numbers.end() :] if numbers else whole).strip(), cited)
        text = _REPEATED.sub(r"\1", text)  # “Ann: Ann: Ann” is Ann
        text = "; ".join(dict.fromkeys(text.split("; ")))  # “tea; milk; tea” is “tea; milk”
        if self._settings.does("check"):
            text = by_calendar(with_told_years(text, cited), cited)
            text = without_writers_surname(text, cited)
        return _Draft("" if _is_silent(text) else text, cited, pieces)

    def _with(self, context: PromptContext, messages: Sequence[Message]) -> PromptContext:
        """The prompt context with these messages alone."""
        return build_context(
            context.question,
            messages,
            budget=self._settings.evidence_tokens,
            count_tokens=self._model.count_tokens,
            words=(),
            dated=self._settings.does("dated"),
        )


def _is_silent(text: str) -> bool:
    """Whether a reply is a variant of "Not stated." ("not stated", "不 stated.")."""
    reply, silent = text.strip("[]. ").casefold(), NOT_STATED.strip(". ").casefold()
    return reply == silent or (len(reply) < len(silent) and reply.endswith(silent.split()[-1]))


def _verdict_first(text: str, cited: Sequence[Message]) -> str:
    """Turns “he sold it in April => No”, where the reason comes first, into “No, he sold it in April”.

    The model, which is taught this for yes and no, gives reasons of other answers in this way too. An arrow
    that a message has stays: “open Settings => Privacy”.
    """
    parts = [part.strip() for part in text.split(VERDICT.strip()) if part.strip()]
    conclusion = parts[-1].rstrip(" .") if parts else ""
    verdict = VERDICTS.fullmatch(conclusion) is not None
    if not verdict and any(VERDICT.strip() in message.text for message in cited):
        return text
    if not parts[1:]:
        return parts[0] if parts else ""
    return f"{conclusion}{',' if verdict else ':'} {', '.join(parts[:-1])}"


def _holds(question: Question, draft: _Draft) -> bool:
    """Whether the messages that an answer names state its dates, times and numbers."""
    facts = SupportedFacts(question.text, draft.cited)
    return not contradicts(draft.text, draft.cited) and facts.lacks(draft.text) is None


def _to_the_month(question: Question, draft: _Draft) -> tuple[_Draft, bool]:
    """The answer, without a day where its messages name the month alone; and whether it holds."""
    if _holds(question, draft):
        return draft, True
    text = SupportedFacts(question.text, draft.cited).to_the_month(draft.text)
    of_month = replace(draft, text=text)
    return (of_month, True) if text != draft.text and _holds(question, of_month) else (draft, False)


def _sureness(pieces: Sequence[Piece]) -> dict[str, float]:
    logs = [piece.log_probability for piece in pieces]
    return {"mean": sum(logs) / len(logs), "weakest": min(logs)} if logs else {}

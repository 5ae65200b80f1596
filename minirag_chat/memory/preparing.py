"""A question and the exchanges before it → the plan by which it is answered, and the search for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from minirag_chat.answer.without_model import NO_PATH
from minirag_chat.memory.context import MemoryContext, Part
from minirag_chat.memory.finding import Finding
from minirag_chat.memory.overviews import moves_of
from minirag_chat.memory.question_text import (
    GUESSED,
    day_of_words,
    lookup_text,
    read_as_relative,
    with_known_names,
)
from minirag_chat.question import (
    FollowUp,
    PlanContext,
    carried,
    follow_up,
    foreign_language,
    languages_of,
    make_plan,
    may_ask_about_messages,
    people_in,
    same_time,
    spelling_note,
    translated,
    with_names,
    with_other_namesake,
    with_placeholders,
    without_correction,
)
from minirag_chat.records import (
    Answer,
    Cancelled,
    Filters,
    Lookup,
    Metadata,
    Overview,
    Question,
    QuestionPlan,
    Reason,
    TimeSpan,
)
from minirag_chat.retrieve import Search
from minirag_chat.summaries.planned import plans_nothing
from minirag_chat.times.reference import reference_time
from minirag_chat.ui_text import SILENCES, repeated_words

ONLY_THEN = "Only from messages {when}, in the clock of the chats."


@dataclass(frozen=True, slots=True)
class PreparedQuestion:
    """A question as it is looked up, the search for it, its plan, and what to say about its names.

    ``of_day``: the day on which what it asks for was said, and a note for an answer without a message of it.
    ``of_nobody``: it asks for messages of somebody who does not exist, to which none comes close.
    ``confidence``: how sure it is that the question means the people and chats of the plan.
    """

    rewritten: FollowUp
    search: Search
    plan: QuestionPlan
    note: str = ""
    of_day: tuple[TimeSpan, str] | None = None
    of_nobody: bool = False
    confidence: float = 1.0

    def note_of(self, answer: Answer) -> str:
        """What to say with an answer."""
        span, otherwise = self.of_day or (None, "")
        shown = [message.sent_at for message in answer.shown]
        elsewhere = span and shown and not any(span.start <= at < span.end for at in shown)
        return f"{self.note} {otherwise}".strip() if elsewhere else self.note

    def shown(self, answer: Answer) -> Answer:
        """The answer, without what came close where that cannot be what is asked for."""
        answer = replace(answer, confidence=min(answer.confidence, self.confidence))
        if not (answer.abstained and self.of_nobody):
            return answer
        nothing: Reason = "nothing_found"
        return replace(
            answer, text=SILENCES[nothing].sentence, reason=nothing, closest=(), path=NO_PATH
        )


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, the exchanges before it, and the options that it is asked with."""

    text: str
    past: Sequence[tuple[str, str]]
    method: str | None
    filters: Callable[[], Filters]
    """Called inside ``reading()``: others may change the messages meanwhile."""
    disputed: int = 0
    """How often it was said before that the answer to the last question is wrong."""


class Preparing(Part):
    """Prepares questions: follow-ups become complete, and each gets its plan."""

    def __init__(self, context: MemoryContext, finding: Finding) -> None:
        super().__init__(context)
        self._finding = finding

    def prepared(self, asked: AskedQuestion, translation: str = "") -> PreparedQuestion:
        """How a question is to be answered; inside ``reading()``. Raises ``BadQuestion``."""
        now, filters = reference_time(self._store.messages.extent()[1]), asked.filters()
        *exchanges, (text, _) = self._corrected([*asked.past, (asked.text, "")])
        rewritten = follow_up(text, exchanges, self._store, now)
        search = self._finding.search_for_lookup(rewritten.text, filters, asked.method, translation)
        if rewritten.context:
            earlier = self._finding.search_for_lookup(rewritten.before, filters).question
            search.question = carried(search.question, earlier, fragment=rewritten.fragment)
        plan = self.plan_of(search.question)
        moved = isinstance(plan, Overview) and plan.moved and not moves_of(self._context, plan)
        if moved or plans_nothing(self._store, plan):
            plan = Lookup(
                question=search.question
            )  # a message with the same words may still say it
        context = PlanContext.of(self._store, now)
        plan, note, of_nobody, sure = with_known_names(self._store, plan, context)
        for read_as in (spelling_note, read_as_relative):
            if read := read_as(self._store, asked.text):
                note, sure = f"{read} {note}".strip(), min(sure, GUESSED)
        looked_up = not isinstance(plan, Overview | Metadata)
        if isinstance(plan, Overview) and (when := repeated_words(plan.question.filters.repeated)):
            note = f"{note} {ONLY_THEN.format(when=when)}".strip()
        of_day = day_of_words(self._store, plan.question) if looked_up else None
        return PreparedQuestion(rewritten, search, plan, note, of_day, of_nobody, sure)

    def _corrected(self, exchanges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """The exchanges with each question as it is looked up; what corrects one before is a follow-up.

        What corrects a correction takes its place.
        """
        found: list[tuple[str, str]] = []
        again = False
        for question, said in exchanges:
            text, corrects = without_correction(question) if found else (question, False)
            if found:
                text = with_other_namesake(text, found[-1], self._store)
            if again and corrects:
                found.pop()
            again = corrects
            found.append((lookup_text(self._context, text), said))
        return found

    def plan_of(self, question: Question) -> QuestionPlan:
        """The plan of a mapped question; inside ``reading()``."""
        now = reference_time(self._store.messages.extent()[1])
        events = self._context.settings.does("events")
        return make_plan(question, PlanContext.of(self._store, now), events=events)

    def language_to_search(self, prepared: PreparedQuestion) -> str | None:
        """The messages' language, if the question is in another one; otherwise None. Inside ``reading()``."""
        looked_up = not isinstance(prepared.plan, Overview | Metadata)
        if not looked_up or not self._translates():
            return None
        chats = prepared.plan.question.filters.chats
        languages = self._store.messages.languages(languages_of, chats)
        text = prepared.rewritten.text
        named = [place[:2] for place in people_in(text, self._store)]
        return foreign_language(text, languages, named)

    def _translates(self) -> bool:
        """Whether questions are translated: by the language model, which may have changed."""
        extractive = self._context.models.settings.model == "extractive"
        return not extractive and self._context.settings.does("translation")

    def counted_in_english(self, asked: AskedQuestion, cancelled: Cancelled) -> str:
        """A question of another language in English, if there it asks for nothing but what is counted.

        Empty if it is understood as it is, or asks for more, or there is no language model.
        """
        if not self._translates() or not may_ask_about_messages(asked.text):
            return ""
        with self._store.reading():
            prepared = self.prepared(asked)
            now = reference_time(self._store.messages.extent()[1])
        if isinstance(prepared.plan, Overview | Metadata) or prepared.rewritten.context:
            return ""
        question = prepared.plan.question
        text, names = with_placeholders(question.text, question.spans)
        english = with_names(self.translated_to(text, "en", cancelled), names)
        if not english or not same_time(question.text, english, now):
            return ""
        with self._store.reading():
            plan = self.prepared(replace(asked, text=english)).plan
        return english if isinstance(plan, Overview | Metadata) else ""

    def translated_to(self, question: str, language: str, cancelled: Cancelled) -> str:
        """The question in that language; empty without a language model."""
        model = self._context.models.chat_model()
        return "" if model is None else translated(question, language, model, cancelled)

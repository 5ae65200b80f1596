"""A question → its answer, step by step: docs/how-a-question-travels.md walks through it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from minirag_chat.answer.about_answer import MOST_OTHERS, GivenAnswer, about_answer, other_messages
from minirag_chat.answer.counting.carry_out import about_messages
from minirag_chat.answer.elapsed import asks_elapsed, today, with_elapsed, with_time_left
from minirag_chat.answer.later_change import changes_of
from minirag_chat.answer.leaning import leans
from minirag_chat.answer.moved_days import moves_about, new_days
from minirag_chat.answer.pasted import about_pasted, pasted_messages
from minirag_chat.answer.portrait import portrait
from minirag_chat.answer.retrieved import RetrievedEvidence
from minirag_chat.answer.steps import RequestContext, answer
from minirag_chat.answer.where_and_when import no_messages
from minirag_chat.answer.without_model import NO_PATH
from minirag_chat.memory.about_program import about_program, asked_of_program
from minirag_chat.memory.asker_note import other_names_note, with_part_of_me
from minirag_chat.memory.context import MemoryContext, Part
from minirag_chat.memory.days_until import days_until
from minirag_chat.memory.filters import When, make_filters
from minirag_chat.memory.finding import Finding
from minirag_chat.memory.indexes import Indexes
from minirag_chat.memory.introduction import introduction
from minirag_chat.memory.options import only_known_options
from minirag_chat.memory.question_text import (
    GUESSED,
    UNDERSTOOD_AS,
    answer_note,
    checked_question,
    day_of_words,
    lookup_text,
    read_as_relative,
    with_known_names,
    with_original_question,
)
from minirag_chat.models.load import trimmed
from minirag_chat.question import (
    MOST_HISTORY,
    FollowUp,
    PlanContext,
    asks_about_answer,
    carried,
    event_until,
    follow_up,
    foreign_language,
    in_named_chat,
    is_small_talk,
    languages_of,
    listing,
    make_plan,
    may_ask_about_messages,
    people_in,
    same_time,
    spelling_note,
    translated,
    with_event_before,
    with_names,
    with_other_namesake,
    with_placeholders,
    without_correction,
    without_politeness,
)
from minirag_chat.records import (
    Answer,
    Cancelled,
    Computed,
    Filters,
    Lookup,
    Message,
    Metadata,
    OnContext,
    Overview,
    Question,
    QuestionPlan,
    Reason,
    Source,
    TimeSpan,
    ignore_context,
    never,
)
from minirag_chat.retrieve import Search, retriever
from minirag_chat.summaries.moved import all_moved
from minirag_chat.summaries.overview import (
    all_quoted,
    few_messages,
    needs_reports,
    overview,
    themes,
)
from minirag_chat.summaries.planned import (
    all_planned,
    only_next,
    planned_messages,
    plans_nothing,
    scope_with,
    with_new_days,
)
from minirag_chat.system.monitoring import monitored
from minirag_chat.times.reference import reference_time
from minirag_chat.ui_text import SILENCES, repeated_words

READ_AS_FOLLOW_UP = (
    "Read as a follow-up of \u201c{question}\u201d. To ask it alone, start a new conversation."
)
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
class _Asked:
    """A question, the exchanges before it, and the options that it is asked with."""

    text: str
    past: Sequence[tuple[str, str]]
    method: str | None
    filters: Callable[[], Filters]
    """Called inside ``reading()``: others may change the messages meanwhile."""


class Asking(Part):
    """Answers questions, and remembers the conversation that they make."""

    def __init__(self, context: MemoryContext, finding: Finding, indexes: Indexes) -> None:
        super().__init__(context)
        self._finding = finding
        self._indexes = indexes
        self._conversation: list[tuple[str, str]] = []
        self._last_deletion = 0, 0  # wipings asked for and the newest deletion, when last checked

    @only_known_options
    def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
        history: Sequence[tuple[str, str]] | None = None,
        cancelled: Cancelled = never,
        reads: OnContext = ignore_context,
    ) -> Generator[str | Answer, None, None]:
        """Yield the answer's text in pieces, and at the end the ``Answer``, whose text is final.

        ``history`` is the conversation so far as (question, answer) pairs; by default this
        memory's own. Once ``cancelled`` returns true, generation stops and the ``Answer`` says so.
        ``reads`` is called with the messages before they are read; reading may take seconds.
        """
        with monitored("question") as record:
            retriever(method or self._context.settings.method)  # raises for an unknown method
            with self._store.reading():
                question_text = checked_question(self._context, question)
                now = reference_time(self._store.messages.extent()[1])
                past = list(self.remembered() if history is None else history)
            conversation = self._conversation  # of this question, also if it is forgotten meanwhile
            past = [one for one in past if not _is_aside(one[0])]
            # The same question again, as when a cell of a notebook runs twice, is no follow-up.
            while past and past[-1][0] == question_text:
                past.pop()
            del past[:-MOST_HISTORY]
            filters = partial(make_filters, self._store, people, chats, since, until)
            text = without_politeness(question_text)
            text = with_event_before(text, [asked for asked, _said in past])
            asked = _Asked(text, past, method, filters)
            with trimmed(), closing(self._answer_pieces(asked, cancelled, reads)) as pieces:
                for said in pieces:
                    if isinstance(said, str):
                        yield said
                        continue
                    piece = self._with_time_left(said, text)
                    if not piece.stopped:
                        self._context.given.add(question_text, piece)
                    if history is None and not piece.stopped:
                        if conversation and conversation[-1][0] == question_text:
                            conversation.pop()
                        conversation.append((question_text, piece.text))
                        del conversation[:-MOST_HISTORY]
                    record.answer = piece
                    yield with_original_question(piece, question_text, now)

    def ask(self, /, question: str, **options: Any) -> Answer:
        """Answer a question; takes what :meth:`stream` takes."""
        with closing(self.stream(question, **options)) as pieces:  # an interrupt ends the model too
            return next(piece for piece in pieces if isinstance(piece, Answer))

    def forget_conversation(self) -> None:
        """Begin a new conversation: the next question does not refer to an earlier one."""
        self._conversation = []

    def warm_up(self) -> str:
        """Load the models now rather than with the first question; returns the reader's name."""
        self._context.embedder()
        self._finding.ranker()
        model = self._context.models.chat_model()
        return model.name if model else self._context.models.choice().name

    def remembered(self) -> list[tuple[str, str]]:
        """The conversation so far; cleared if any process has deleted something since."""
        wipings, newest = self._store.wiping.requests(), self._store.trash.newest()
        if wipings != self._last_deletion[0] or newest > self._last_deletion[1]:
            self._conversation.clear()
        self._last_deletion = wipings, newest
        return self._conversation

    # --- inside ------------------------------------------------------------------------------------

    def _answer_pieces(
        self, asked: _Asked, cancelled: Cancelled, reads: OnContext
    ) -> Generator[str | Answer, None, None]:
        """What :meth:`stream` yields."""
        request = RequestContext(
            self._store, self._context.settings, None, {}, time.perf_counter(), cancelled, reads
        )
        pieces = self._at_once(asked)
        yield from self._looked_up(asked, request) if pieces is None else pieces

    def _at_once(self, asked: _Asked) -> Iterable[str | Answer] | None:
        """The answer to what is no question about the messages, or about the answer before; else None."""
        if about := self._about_answer(asked):
            return about
        if of_program := asked_of_program(asked.text):
            return about_program(self._context, asked.text, of_program)
        if is_small_talk(asked.text):
            return introduction(self._store, asked.text)
        if known_day := days_until(self._store, asked.text):
            return (known_day,)
        pasted = self._pasted(asked)
        return about_pasted(self._store, asked.text, pasted) if pasted else None

    def _about_answer(self, asked: _Asked) -> Iterable[str | Answer] | None:
        """What is asked about the answer before; None if that is anything else, or it is not known."""
        aspect = asks_about_answer(asked.text) if asked.past else None
        if aspect == "list" and (counted := self._counted_before(asked)):
            return about_messages(self._store, counted)
        earlier = self._context.given.find(*asked.past[-1]) if aspect else None
        shown = self._shown(earlier) if earlier else []
        if not (aspect and earlier and shown):
            return None
        if aspect == "others":
            others = self._others(asked, shown)
            if others:
                return other_messages(self._store, asked.text, asked.past[-1][0], others)
        return about_answer(self._store, asked.text, aspect, earlier, shown)

    def _others(self, asked: _Asked, shown: Sequence[Message]) -> list[Message]:
        """What comes next for the last question, after the messages shown; empty if they were counted."""
        self._context.embedder()  # slow to load: outside ``reading()``
        self._finding.ranker(asked.method)
        *past, (last, _) = asked.past
        with self._store.reading():
            prepared = self._prepared(replace(asked, text=last, past=past))
            if isinstance(prepared.plan, Overview | Metadata):
                return []
            found = self._finding.best(prepared.search, asked.method, len(shown) + MOST_OTHERS)
        seen = {message.id for message in shown}
        return [one.message for one in found if one.message.id not in seen][:MOST_OTHERS]

    def _pasted(self, asked: _Asked) -> list[Message]:
        """The messages that a text repeats; empty if it is to be looked up or counted."""
        with self._store.reading():
            whole = bool(asked.past)  # a part of a message may go on with the question before
            found = pasted_messages(self._store, asked.text, asked.filters(), whole=whole)
        if not found:
            return []
        self._context.embedder()  # slow to load: outside ``reading()``
        with self._store.reading():
            text = lookup_text(self._context, asked.text)
            question = self._finding.search_for_lookup(text, asked.filters()).question
            plan = self._plan_of(question)
        return [] if isinstance(plan, Overview | Metadata) else found

    def _looked_up(
        self, asked: _Asked, request: RequestContext
    ) -> Generator[str | Answer, None, None]:
        """The answer from the messages, or from their numbers."""
        self._context.embedder()  # slow to load: outside ``reading()``, so that others need not wait
        self._finding.ranker(asked.method)
        english = self._counted_in_english(asked, request.cancelled)
        if english:
            asked = replace(asked, text=english)
            request.record_time("translate", request.started_at)
        with self._store.reading():
            prepared = self._prepared(asked)
            language = self._language_to_search(prepared)
            if language is None:
                pieces = self._carried_out(prepared, asked, request)
            note = answer_note(self._context, prepared.plan, asked.text)
            before = asked.past[-1][0] if asked.past else ""
            me_too = other_names_note(self._store, prepared.plan, asked.text, before)
        if language is not None:
            translation = self._translated(prepared.rewritten.text, language, request.cancelled)
            request.record_time("translate", request.started_at)
            with self._store.reading():  # others may have changed the messages meanwhile
                prepared = self._prepared(asked, translation)
                pieces = self._carried_out(prepared, asked, request)
                note = answer_note(self._context, prepared.plan, asked.text, translation)
        with closing(pieces):
            for piece in pieces:
                if isinstance(piece, Answer):
                    understood = UNDERSTOOD_AS.format(question=english) if english else ""
                    notes = filter(
                        None, (understood, piece.note, prepared.note_of(piece), note, me_too)
                    )
                    piece = with_part_of_me(piece) if me_too else piece  # noqa: PLW2901 - so too
                    piece = replace(piece, timings={**request.timings, **piece.timings})  # noqa: PLW2901 - so too
                    piece = prepared.shown(replace(piece, note=" ".join(notes)))  # noqa: PLW2901 - with its note
                yield piece

    def _with_time_left(self, found: Answer, question: str) -> Answer:
        """The answer, with how long it is until its day, or was since, if the question asks for that."""
        if found.abstained or found.stopped or not event_until(question):
            return self._with_elapsed(found, question)
        with self._store.reading():
            return replace(
                found, text=with_time_left(found.text, found.sources, today(self._store))
            )

    def _with_elapsed(self, found: Answer, question: str) -> Answer:
        """The answer in words of its own, with how long ago its day was if the question asks for that."""
        if found.abstained or found.stopped or "\u201c" in found.text or not asks_elapsed(question):
            return found
        with self._store.reading():
            return replace(found, text=with_elapsed(question, found.text, today(self._store)))

    def _counted_before(self, asked: _Asked) -> Metadata | None:
        """The plan that lists the messages that the last question had counted; None if it counted none."""
        self._context.embedder()
        self._finding.ranker(asked.method)
        *past, (last, _) = asked.past
        with self._store.reading():
            plan = self._prepared(replace(asked, text=last, past=past)).plan
        return listing(plan) if isinstance(plan, Metadata) else None

    def _shown(self, given: GivenAnswer) -> list[Message]:
        """The messages of an earlier answer, in its order; empty if one of them is gone."""
        with self._store.reading():
            found = self._store.messages.by_ids(given.message_ids)
        messages = [found[one] for one in given.message_ids if one in found]
        return messages if len(messages) == len(given.message_ids) else []

    def _carried_out(
        self, prepared: PreparedQuestion, asked: _Asked, request: RequestContext
    ) -> Generator[str | Answer, None, None]:
        """What a plan yields; inside ``reading()``, in which what is looked up is found."""
        plan, rewritten = prepared.plan, prepared.rewritten
        if isinstance(plan, Overview):
            if plan.planned:
                return self._planned(plan)
            if plan.portrait:
                return portrait(self._store, plan.question)
            return self._overview(plan.question, request.cancelled)
        if isinstance(plan, Metadata):
            return about_messages(self._store, plan)
        history = [(rewritten.before, asked.past[-1][1])] if rewritten.context else ()
        titles = self._store.messages.titles()
        read, _filters = in_named_chat(rewritten.text, titles, asked.filters())
        near = self._sessions_of_last(asked) if rewritten.fragment and rewritten.context else set()
        evidence = self._finding.evidence_for(
            plan, prepared.search, read, history, asked.method, near
        )
        alone = plan
        if isinstance(plan, Lookup) and rewritten.possible:
            plan, evidence = self._as_follow_up(plan, evidence, rewritten, asked)
        note = "" if plan is alone else READ_AS_FOLLOW_UP.format(question=rewritten.possible[-1])
        return self._from_messages(plan, evidence, request, note)

    def _sessions_of_last(self, asked: _Asked) -> set[int]:
        """The conversations of the messages that answered the last question. Inside ``reading()``."""
        given = self._context.given.find(*asked.past[-1])
        if given is None or given.reason is not None:
            return set()
        shown = self._store.messages.by_ids(given.message_ids).values()
        return {message.session_id for message in shown}

    def _planned(self, plan: Overview) -> Generator[str | Answer, None, None]:
        """What is planned, in the order of the days that hold, or what was moved; inside ``reading()``."""
        if plan.moved:
            return all_moved(plan, self._moves(plan))
        found = planned_messages(self._store, plan.question, plan.kind)
        shown = [one.message for one in found.first]
        changed = self._context.settings.does("changed")
        changes = changes_of(self._store, shown) if changed else {}
        if changed:
            days = [(one.day.date(), one.message) for one in found.first]
            found = with_new_days(found, plan.question.times, new_days(days, changes))
        if plan.first and found.first:
            found = only_next(found)
        return all_planned(plan, found, changes)

    def _moves(self, plan: Overview) -> list[tuple[Message, Source]]:
        """What was moved of the topic that a plan asks about; inside ``reading()``."""
        if not self._context.settings.does("changed"):
            return []
        return moves_about(self._store, scope_with(self._store, plan.question, plan.kind))

    def _as_follow_up(
        self, plan: Lookup, alone: RetrievedEvidence, rewritten: FollowUp, asked: _Asked
    ) -> tuple[Lookup, RetrievedEvidence]:
        """The plan of a complete question and what is found, with the earlier question if it leans on that.

        It does not lean on an overview or a count, whose messages are of many conversations. Inside
        ``reading()``.
        """
        last, method = asked.past[-1], asked.method
        sessions = self._sessions_of_last(asked)
        if not sessions:
            return plan, alone
        filters = plan.question.filters
        before = self._finding.search_for_lookup(rewritten.possible[-1], filters).question
        if isinstance(self._plan_of(before), Overview | Metadata):
            return plan, alone
        search = self._finding.search_for_lookup(rewritten.text, filters, method)
        earlier = self._finding.search_for_lookup(rewritten.before, filters).question
        search.question = carried(plan.question, earlier, fragment=False)
        leaning = replace(plan, question=search.question)
        history = [(rewritten.before, last[1])]
        together = self._finding.evidence_for(leaning, search, alone.question_text, history, method)
        if leans(alone, together, sessions):
            return leaning, together
        return plan, alone

    def _prepared(self, asked: _Asked, translation: str = "") -> PreparedQuestion:
        """How a question is to be answered; inside ``reading()``. Raises ``BadQuestion``."""
        now, filters = reference_time(self._store.messages.extent()[1]), asked.filters()
        *exchanges, (text, _) = self._corrected([*asked.past, (asked.text, "")])
        rewritten = follow_up(text, exchanges, self._store, now)
        search = self._finding.search_for_lookup(rewritten.text, filters, asked.method, translation)
        if rewritten.context:
            earlier = self._finding.search_for_lookup(rewritten.before, filters).question
            search.question = carried(search.question, earlier, fragment=rewritten.fragment)
        plan = self._plan_of(search.question)
        moved = isinstance(plan, Overview) and plan.moved and not self._moves(plan)
        if moved or plans_nothing(
            self._store, plan
        ):  # a message with the same words may still say it
            plan = Lookup(question=search.question)
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
        corrects = False
        for question, said in exchanges:
            text = without_correction(question) if found else question
            if found:
                text = with_other_namesake(text, found[-1], self._store)
            if corrects and text != question:
                found.pop()
            corrects = text != question
            found.append((lookup_text(self._context, text), said))
        return found

    def _plan_of(self, question: Question) -> QuestionPlan:
        """The plan of a mapped question; inside ``reading()``."""
        now = reference_time(self._store.messages.extent()[1])
        events = self._context.settings.does("events")
        return make_plan(question, PlanContext.of(self._store, now), events=events)

    def _language_to_search(self, prepared: PreparedQuestion) -> str | None:
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

    def _counted_in_english(self, asked: _Asked, cancelled: Cancelled) -> str:
        """A question of another language in English, if there it asks for nothing but what is counted.

        Empty if it is understood as it is, or asks for more, or there is no language model.
        """
        if not self._translates() or not may_ask_about_messages(asked.text):
            return ""
        with self._store.reading():
            prepared = self._prepared(asked)
            now = reference_time(self._store.messages.extent()[1])
        if isinstance(prepared.plan, Overview | Metadata) or prepared.rewritten.context:
            return ""
        question = prepared.plan.question
        text, names = with_placeholders(question.text, question.spans)
        english = with_names(self._translated(text, "en", cancelled), names)
        if not english or not same_time(question.text, english, now):
            return ""
        with self._store.reading():
            plan = self._prepared(replace(asked, text=english)).plan
        return english if isinstance(plan, Overview | Metadata) else ""

    def _translated(self, question: str, language: str, cancelled: Cancelled) -> str:
        """The question in that language; empty without a language model."""
        model = self._context.models.chat_model()
        return "" if model is None else translated(question, language, model, cancelled)

    def _overview(
        self, question: Question, cancelled: Cancelled
    ) -> Generator[str | Answer, None, None]:
        """Answer an overview question; if it needs reports and there are none yet, write them first."""
        with self._store.reading():
            every = few_messages(self._store, question)
            reports = not every and needs_reports(self._store, question)
        if every:
            yield from all_quoted(question, every)
            return
        if reports:
            self._indexes.report_quickly(cancelled)
        with self._store.reading():
            found = themes(self._store, question)
        for piece in overview(question, found, cancelled):
            alone = not question.people  # else they may have written to others
            if isinstance(piece, Answer) and piece.reason == "no_messages" and alone:
                speakers = frozenset(person.id for person in question.quoted_speakers)
                people = speakers or question.filters.people
                scope = replace(question.filters, people=people, periods=question.times)
                with self._store.reading():
                    none = no_messages(self._store, scope)
                piece = replace(piece, text=none)  # noqa: PLW2901 - the same, with what there is none of
            yield piece

    def _from_messages(
        self,
        plan: Lookup | Computed,
        evidence: RetrievedEvidence,
        request: RequestContext,
        note: str,
    ) -> Generator[str | Answer, None, None]:
        """Answer from what was found, with a note, outside any transaction: loading a model takes long."""
        timings = request.timings
        elapsed = time.perf_counter() - request.started_at
        timings["retrieve"] = elapsed - timings.get("translate", 0.0)
        model = self._context.models.chat_model()
        with closing(answer(plan, evidence, replace(request, model=model))) as pieces:
            for piece in pieces:
                yield replace(piece, note=note) if isinstance(piece, Answer) else piece


def _is_aside(text: str) -> bool:
    """Whether a text asks nothing of the messages, so that no later question goes on from it."""
    return bool(is_small_talk(text) or asks_about_answer(text) or asked_of_program(text))

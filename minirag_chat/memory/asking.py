"""A question → its answer, step by step: docs/how-a-question-travels.md walks through it."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

from minirag_chat.answer.about_answer import MOST_OTHERS, GivenAnswer, about_answer, other_messages
from minirag_chat.answer.counting.carry_out import about_messages
from minirag_chat.answer.elapsed import asks_elapsed, today, with_elapsed, with_time_left
from minirag_chat.answer.leaning import leans
from minirag_chat.answer.pasted import about_pasted, pasted_messages
from minirag_chat.answer.retrieved import RetrievedEvidence
from minirag_chat.answer.steps import RequestContext, answer
from minirag_chat.memory.about_program import about_program, asked_of_program
from minirag_chat.memory.asker_note import other_names_note, with_part_of_me
from minirag_chat.memory.context import MemoryContext, Part
from minirag_chat.memory.days_until import days_until
from minirag_chat.memory.filters import When, make_filters
from minirag_chat.memory.finding import Finding
from minirag_chat.memory.indexes import Indexes
from minirag_chat.memory.introduction import introduction
from minirag_chat.memory.options import only_known_options
from minirag_chat.memory.overviews import Overviews
from minirag_chat.memory.preparing import AskedQuestion, PreparedQuestion, Preparing
from minirag_chat.memory.question_text import (
    UNDERSTOOD_AS,
    answer_note,
    checked_question,
    lookup_text,
    with_original_question,
)
from minirag_chat.models.load import trimmed
from minirag_chat.question import (
    MOST_HISTORY,
    FollowUp,
    asks_about_answer,
    carried,
    event_until,
    in_named_chat,
    is_small_talk,
    listing,
    with_event_before,
    without_correction,
    without_politeness,
)
from minirag_chat.records import (
    Answer,
    Cancelled,
    Computed,
    Lookup,
    Message,
    Metadata,
    OnContext,
    Overview,
    ignore_context,
    never,
)
from minirag_chat.retrieve import retriever
from minirag_chat.system.monitoring import monitored
from minirag_chat.times.reference import reference_time

READ_AS_FOLLOW_UP = (
    "Read as a follow-up of \u201c{question}\u201d. To ask it alone, start a new conversation."
)


class Asking(Part):
    """Answers questions, and remembers the conversation that they make."""

    def __init__(self, context: MemoryContext, finding: Finding, indexes: Indexes) -> None:
        super().__init__(context)
        self._finding = finding
        self._preparing = Preparing(context, finding)
        self._overviews = Overviews(context, indexes)
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
            disputed = _disputed([asked for asked, _said in past])
            past = [one for one in past if not _is_aside(one[0])]
            # The same question again, as when a cell of a notebook runs twice, is no follow-up.
            while past and past[-1][0] == question_text:
                past.pop()
            del past[:-MOST_HISTORY]
            filters = partial(make_filters, self._store, people, chats, since, until)
            text = without_politeness(question_text)
            text = with_event_before(text, [asked for asked, _said in past])
            asked = AskedQuestion(text, past, method, filters, disputed)
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
        self, asked: AskedQuestion, cancelled: Cancelled, reads: OnContext
    ) -> Generator[str | Answer, None, None]:
        """What :meth:`stream` yields."""
        request = RequestContext(
            self._store, self._context.settings, None, {}, time.perf_counter(), cancelled, reads
        )
        pieces = self._at_once(asked)
        yield from self._looked_up(asked, request) if pieces is None else pieces

    def _at_once(self, asked: AskedQuestion) -> Iterable[str | Answer] | None:
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

    def _about_answer(self, asked: AskedQuestion) -> Iterable[str | Answer] | None:
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

    def _others(self, asked: AskedQuestion, shown: Sequence[Message]) -> list[Message]:
        """What comes next for the last question, after the messages shown; empty if they were counted."""
        self._context.embedder()  # slow to load: outside ``reading()``
        self._finding.ranker(asked.method)
        *past, (last, _) = asked.past
        with self._store.reading():
            prepared = self._preparing.prepared(replace(asked, text=last, past=past))
            if isinstance(prepared.plan, Overview | Metadata):
                return []
            seen, told = {message.id for message in shown}, asked.disputed * MOST_OTHERS
            found = self._finding.best(
                prepared.search, asked.method, len(seen) + told + MOST_OTHERS
            )
        further = [one.message for one in found if one.message.id not in seen]
        return further[told : told + MOST_OTHERS]

    def _pasted(self, asked: AskedQuestion) -> list[Message]:
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
            plan = self._preparing.plan_of(question)
        return [] if isinstance(plan, Overview | Metadata) else found

    def _looked_up(
        self, asked: AskedQuestion, request: RequestContext
    ) -> Generator[str | Answer, None, None]:
        """The answer from the messages, or from their numbers."""
        self._context.embedder()  # slow to load: outside ``reading()``, so that others need not wait
        self._finding.ranker(asked.method)
        english = self._preparing.counted_in_english(asked, request.cancelled)
        if english:
            asked = replace(asked, text=english)
            request.record_time("translate", request.started_at)
        with self._store.reading():
            prepared = self._preparing.prepared(asked)
            language = self._preparing.language_to_search(prepared)
            if language is None:
                pieces = self._carried_out(prepared, asked, request)
            note = answer_note(self._context, prepared.plan, asked.text)
            before = asked.past[-1][0] if asked.past else ""
            me_too = other_names_note(self._store, prepared.plan, asked.text, before)
        if language is not None:
            translation = self._preparing.translated_to(
                prepared.rewritten.text, language, request.cancelled
            )
            request.record_time("translate", request.started_at)
            with self._store.reading():  # others may have changed the messages meanwhile
                prepared = self._preparing.prepared(asked, translation)
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

    def _counted_before(self, asked: AskedQuestion) -> Metadata | None:
        """The plan that lists the messages that the last question had counted; None if it counted none."""
        self._context.embedder()
        self._finding.ranker(asked.method)
        *past, (last, _) = asked.past
        with self._store.reading():
            plan = self._preparing.prepared(replace(asked, text=last, past=past)).plan
        return listing(plan) if isinstance(plan, Metadata) else None

    def _shown(self, given: GivenAnswer) -> list[Message]:
        """The messages of an earlier answer, in its order; empty if one of them is gone."""
        with self._store.reading():
            found = self._store.messages.by_ids(given.message_ids)
        messages = [found[one] for one in given.message_ids if one in found]
        return messages if len(messages) == len(given.message_ids) else []

    def _carried_out(
        self, prepared: PreparedQuestion, asked: AskedQuestion, request: RequestContext
    ) -> Generator[str | Answer, None, None]:
        """What a plan yields; inside ``reading()``, in which what is looked up is found."""
        plan, rewritten = prepared.plan, prepared.rewritten
        if isinstance(plan, Overview):
            return self._overviews.pieces(plan, request.cancelled)
        if isinstance(plan, Metadata):
            return about_messages(self._store, plan)
        history = [(rewritten.before, asked.past[-1][1])] if rewritten.context else ()
        titles = self._store.messages.titles()
        read, _filters = in_named_chat(rewritten.text, titles, asked.filters())
        goes_on = rewritten.fragment and rewritten.context and not without_correction(asked.text)[1]
        near = self._sessions_of_last(asked) if goes_on else set()
        evidence = self._finding.evidence_for(
            plan, prepared.search, read, history, asked.method, near
        )
        alone = plan
        if isinstance(plan, Lookup) and rewritten.possible:
            plan, evidence = self._as_follow_up(plan, evidence, rewritten, asked)
        note = "" if plan is alone else READ_AS_FOLLOW_UP.format(question=rewritten.possible[-1])
        return self._from_messages(plan, evidence, request, note)

    def _sessions_of_last(self, asked: AskedQuestion) -> set[int]:
        """The conversations of the messages that answered the last question. Inside ``reading()``."""
        given = self._context.given.find(*asked.past[-1])
        if given is None or given.reason is not None:
            return set()
        shown = self._store.messages.by_ids(given.message_ids).values()
        return {message.session_id for message in shown}

    def _as_follow_up(
        self, plan: Lookup, alone: RetrievedEvidence, rewritten: FollowUp, asked: AskedQuestion
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
        if isinstance(self._preparing.plan_of(before), Overview | Metadata):
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


def _disputed(asked: Sequence[str]) -> int:
    """How many of these texts, the last ones, say that an answer is wrong."""
    return sum(
        1 for _ in takewhile(lambda text: asks_about_answer(text) == "others", reversed(asked))
    )


def _is_aside(text: str) -> bool:
    """Whether a text asks nothing of the messages, so that no later question goes on from it."""
    return bool(is_small_talk(text) or asks_about_answer(text) or asked_of_program(text))

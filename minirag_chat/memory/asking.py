"""A question → its answer, step by step: docs/how-a-question-travels.md walks through it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from minirag_chat.answer.metadata import about_messages
from minirag_chat.answer.retrieved import RetrievedEvidence
from minirag_chat.answer.steps import RequestContext, answer
from minirag_chat.memory.filters import When, make_filters
from minirag_chat.memory.finding import Finding
from minirag_chat.memory.indexes import Indexes
from minirag_chat.memory.opened import Opened, Part
from minirag_chat.memory.question_text import (
    as_asked,
    checked,
    looked_up,
    must_be_spoken_of,
    note_on,
)
from minirag_chat.models.load import trimmed
from minirag_chat.models.protocols import never
from minirag_chat.question import (
    MOST_HISTORY,
    carried,
    follow_up,
    in_named_chat,
    make_plan,
    unknown_chat,
)
from minirag_chat.records import (
    Answer,
    Computed,
    Filters,
    Lookup,
    Metadata,
    Overview,
    Question,
    Reads,
    unseen,
)
from minirag_chat.retrieve import retriever
from minirag_chat.summaries.overview import overview, themes
from minirag_chat.system.monitoring import watched


class Asking(Part):
    """Answers questions, and remembers the conversation that they make."""

    def __init__(self, opened: Opened, finding: Finding, indexes: Indexes) -> None:
        super().__init__(opened)
        self._finding = finding
        self._indexes = indexes
        self._conversation: list[tuple[str, str]] = []
        self._seen = 0, 0  # wipings asked for and the newest deletion, when last checked

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
        cancelled: Callable[[], bool] = never,
        reads: Reads = unseen,
    ) -> Generator[str | Answer, None, None]:
        """Yield the answer's text in pieces, and at the end the ``Answer``, whose text is final.

        ``history`` is the conversation so far as (question, answer) pairs; by default this
        memory's own. Once ``cancelled`` returns true, generation stops and the ``Answer`` says so.
        ``reads`` is called with the messages before they are read; reading may take seconds.
        """
        with watched("question") as seen:
            retriever(method or self._opened.settings.method)  # raises for an unknown method
            with self._store.reading():
                asked = checked(self._opened, question)
                past = list(self.remembered() if history is None else history)
            while past and past[-1][0] == asked:  # again, as when a cell of a notebook runs twice
                past.pop()
            del past[:-MOST_HISTORY]
            filters = partial(make_filters, self._store, people, chats, since, until)
            with (
                trimmed(),
                closing(self._answered(asked, past, method, filters, cancelled, reads)) as pieces,
            ):
                for piece in pieces:
                    if isinstance(piece, str):
                        yield piece
                        continue
                    if history is None and not piece.stopped:
                        if self._conversation and self._conversation[-1][0] == asked:
                            self._conversation.pop()
                        self._conversation.append((asked, piece.text))
                        del self._conversation[:-MOST_HISTORY]
                    seen.answer = piece
                    yield as_asked(piece, asked)

    def ask(self, /, question: str, **options: Any) -> Answer:
        """Answer a question; takes what :meth:`stream` takes."""
        with closing(self.stream(question, **options)) as pieces:  # an interrupt ends the model too
            return next(piece for piece in pieces if isinstance(piece, Answer))

    def forget_conversation(self) -> None:
        """Begin a new conversation: the next question does not refer to an earlier one."""
        self._conversation.clear()

    def warm_up(self) -> str:
        """Load the models now rather than with the first question; returns the reader's name."""
        self._opened.embedder()
        self._finding.ranker()
        model = self._opened.models.chat_model()
        return model.name if model else self._opened.models.choice().name

    def remembered(self) -> list[tuple[str, str]]:
        """The conversation so far; cleared if any process has deleted something since."""
        wipings, newest = self._store.wiping.asked(), self._store.trash.newest()
        if wipings != self._seen[0] or newest > self._seen[1]:
            self._conversation.clear()
        self._seen = wipings, newest
        return self._conversation

    # --- inside ------------------------------------------------------------------------------------

    def _answered(
        self,
        asked: str,
        past: list[tuple[str, str]],
        method: str | None,
        filters: Callable[[], Filters],
        cancelled: Callable[[], bool],
        reads: Reads,
    ) -> Generator[str | Answer, None, None]:
        """What :meth:`stream` yields."""
        begun = time.perf_counter()
        self._opened.embedder()  # slow to load: outside ``reading()``, so that others need not wait
        self._finding.ranker(method)
        with self._store.reading():
            newest = self._store.messages.extent()[1] or datetime.min
            before = [(looked_up(self._opened, question), text) for question, text in past]
            said = follow_up(looked_up(self._opened, asked), before, self._store, newest)
            search = self._finding.search_as_looked_up(said.text, filters(), method)
            if said.context:
                earlier = self._finding.search_as_looked_up(said.before, filters()).question
                search.question = carried(search.question, earlier, fragment=said.fragment)
            note = note_on(self._opened, asked)
            titles = self._store.messages.titles()
            events = self._opened.settings.does("events")
            person = self._store.me.person()
            me = person.id if person else None
            plan = make_plan(search.question, newest, titles, me=me, events=events)
            if name := unknown_chat(search.question, newest, titles, me):
                must_be_spoken_of(self._store, name)
            if isinstance(plan, Overview):
                pieces = self._overview(plan.question, cancelled)
            elif isinstance(plan, Metadata):
                pieces = about_messages(self._store, plan)
            else:
                history = [(said.before, past[-1][1])] if said.context else ()
                read, _filters = in_named_chat(said.text, titles, filters())
                found = self._finding.found(plan, search, read, history, method)
                pieces = self._from_messages(plan, found, begun, cancelled, reads)
        with closing(pieces):
            for piece in pieces:
                yield piece if isinstance(piece, str) else replace(piece, note=note)

    def _overview(
        self, question: Question, cancelled: Callable[[], bool]
    ) -> Generator[str | Answer, None, None]:
        """Answer an overview question; if there are no reports yet, write them first."""
        self._indexes.report_quickly(cancelled)
        with self._store.reading():
            found = themes(self._store, question)
        yield from overview(question, found, self._opened.models.chat_model(), cancelled)

    def _from_messages(
        self,
        plan: Lookup | Computed,
        found: RetrievedEvidence,
        begun: float,
        cancelled: Callable[[], bool],
        reads: Reads,
    ) -> Generator[str | Answer, None, None]:
        """Answer from what was found, outside any transaction: loading a model takes long."""
        timings = {"retrieve": time.perf_counter() - begun}
        model = self._opened.models.chat_model()
        yield from answer(
            plan,
            found,
            RequestContext(
                self._store, self._opened.settings, model, timings, begun, cancelled, reads
            ),
        )

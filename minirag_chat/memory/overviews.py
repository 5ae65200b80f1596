"""What an overview says: a time, a chat or a person summed up, what is planned, and what was moved."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from minirag_chat.answer.later_change import changes_of
from minirag_chat.answer.moved_days import moves_about, new_days
from minirag_chat.answer.portrait import portrait
from minirag_chat.answer.where_and_when import no_messages
from minirag_chat.memory.context import MemoryContext, Part
from minirag_chat.memory.indexes import Indexes
from minirag_chat.records import Answer, Cancelled, Message, Overview, Question, Source
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
    says,
    scope_with,
    with_new_days,
)


class Overviews(Part):
    """Carries out the plans of overviews."""

    def __init__(self, context: MemoryContext, indexes: Indexes) -> None:
        super().__init__(context)
        self._indexes = indexes

    def pieces(self, plan: Overview, cancelled: Cancelled) -> Generator[str | Answer, None, None]:
        """The text in pieces, then the ``Answer``. Inside ``reading()``."""
        if plan.planned:
            return self._planned(plan)
        if plan.portrait:
            return portrait(self._store, plan.question)
        return self._overview(plan.question, cancelled)

    def _planned(self, plan: Overview) -> Generator[str | Answer, None, None]:
        """What is planned, in the order of the days that hold, or what was moved; inside ``reading()``."""
        if plan.moved:
            return all_moved(plan, moves_of(self._context, plan))
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


def moves_of(context: MemoryContext, plan: Overview) -> list[tuple[Message, Source]]:
    """What was moved of the topic that a plan asks about; inside ``reading()``."""
    if not context.settings.does("changed"):
        return []
    found = moves_about(context.store, scope_with(context.store, plan.question, plan.kind))
    return [(message, change) for message, change in found if says(message, plan.kind)]

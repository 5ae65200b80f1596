"""A mapped question → its plan: look up, compare, count, give an overview, or facts about the messages."""

from __future__ import annotations

from dataclasses import replace

from minirag_chat.question.about_messages.metadata import as_metadata
from minirag_chat.question.overview import as_overview
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.question.planned import as_planned, asks_for_work
from minirag_chat.question.plans_of_kind import WORK, as_plans_of_kind
from minirag_chat.question.portrait import as_portrait
from minirag_chat.records import Compare, Count, Lookup, Metadata, Overview, Question, QuestionPlan


def make_plan(question: Question, context: PlanContext, *, events: bool = True) -> QuestionPlan:
    """How a question is to be answered.

    Without ``events``, questions that compare or count are looked up instead.
    """
    one_each = all(len(span.people) == 1 for span in question.spans)
    classified = one_each and not question.follow_up  # which stands behind other questions
    for in_other_words in (False, True) if classified else (False,):
        whole = _about_all(question, replace(context, in_other_words=in_other_words))
        if whole is not None:
            return whole
    shape = question.shape if events else None
    if shape is None:
        return Lookup(question=question)
    if shape.kind == "count":
        return Count(question=question, events=shape.events)
    if shape.kind == "first" or shape.kind == "last":  # noqa: PLR1714 - mypy follows this form
        return Lookup(question=question, events=shape.events, extreme=shape.kind)
    return Compare(question=question, events=shape.events, shape=shape)


def _about_all(question: Question, context: PlanContext) -> Metadata | Overview | None:
    """The plan of a question about the messages themselves, all plans or all that was said; else None."""
    facts = as_metadata(question, context)
    if facts is not None:
        return facts
    if not context.in_other_words and (portrait := as_portrait(question, context)):
        return Overview(portrait, portrait=True)
    if (planned := as_planned(question, context)) is not None:
        kind = WORK if asks_for_work(question, context) else ""
        return Overview(planned, planned=True, kind=kind)
    if not context.in_other_words and (of_kind := as_plans_of_kind(question, context)):
        return of_kind
    asked = as_overview(question, context)
    return Overview(asked) if asked is not None else None

"""The plan of a question's text, as it would be asked now and without filters."""

from __future__ import annotations

from datetime import datetime

from minirag_chat.question.mapping import map_question
from minirag_chat.question.plan import make_plan
from minirag_chat.records import Filters, QuestionPlan
from minirag_chat.store import Store


def plan_of(text: str, store: Store, now: datetime) -> QuestionPlan:
    """The plan of this text, asked as a question of its own."""
    question = map_question(text, store, now, Filters())
    return make_plan(question, now, store.messages.titles(), me=store.me.id())

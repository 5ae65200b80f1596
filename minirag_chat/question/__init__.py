"""A question → its semantic mapping (paper 3.2.1) and its shape: what code can work out itself."""

from __future__ import annotations

from minirag_chat.question.first_person import about, is_first_person
from minirag_chat.question.follow_up import FollowUp, carried, follow_up
from minirag_chat.question.mapping import answer_types, event_question, map_question, with_person
from minirag_chat.question.overview import as_overview
from minirag_chat.question.shape import find_shape

__all__ = [
    "FollowUp",
    "about",
    "answer_types",
    "as_overview",
    "carried",
    "event_question",
    "find_shape",
    "follow_up",
    "is_first_person",
    "map_question",
    "with_person",
]

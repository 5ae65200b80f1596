"""A question → its semantic mapping (paper 3.2.1) and its shape: what code can work out itself."""

from __future__ import annotations

from minirag_chat.question.follow_up import FollowUp, carried, follow_up
from minirag_chat.question.mapping import answer_types, event_question, map_question
from minirag_chat.question.overview import as_overview
from minirag_chat.question.shape import find_shape

__all__ = [
    "FollowUp",
    "answer_types",
    "as_overview",
    "carried",
    "event_question",
    "find_shape",
    "follow_up",
    "map_question",
]

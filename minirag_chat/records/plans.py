"""A question's plan: the one of four ways in which it is answered, decided before anything is looked up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minirag_chat.records.asked import Question, Shape

Extreme = Literal["first", "last"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """``events`` are looked up and dated one by one, beside the question."""

    question: Question
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup(_Plan):
    """Read the messages that fit best, or with ``extreme`` those around an event's first or last time."""

    extreme: Extreme | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(_Plan):
    """Compare the dates of two events, as ``shape`` says."""

    shape: Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(_Plan):
    """Count the days on which an event happened."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Sum up what was talked about: in the period, chats and with the people that the question names."""

    question: Question


Computed = Compare | Count
"""Plans whose answer code works out from dated messages, where it finds them."""
QuestionPlan = Lookup | Computed | Overview

"""Says with an answer which name "I" means, while the same person may have others in these messages."""

from __future__ import annotations

import shlex
from dataclasses import replace

from minirag_chat.question import is_first_person
from minirag_chat.records import Answer, Metadata, QuestionPlan
from minirag_chat.store import Store
from minirag_chat.ui_text import I_IS, I_IS_CALLED, joined

NAMED = 3  # other names in a note
_OF_ALL = frozenset({"count", "sizes", "members", "times", "message"})
PART_OF_ME = 0.5
"""The most confidence of an answer about the asker that may have left out what they wrote by another name."""


def with_part_of_me(answer: Answer) -> Answer:
    """The answer with the confidence of one that may be about a part of the asker's messages only."""
    return replace(answer, confidence=min(PART_OF_ME, answer.confidence))


def other_names_note(store: Store, plan: QuestionPlan, question: str, before: str) -> str:
    """Which name "I" means and which other names may be the asker's, if the question is about the asker.

    ``before`` is the question that a count may continue ("And in May?"). Inside ``reading()``.
    """
    asker = store.me.person()
    if asker is None or not _is_about(asker.id, plan, question, before):
        return ""
    if others := store.me.may_be_too():
        names = joined([other.shown_name for other in others[:NAMED]])
        pair = shlex.join((others[0].name, asker.name))
        return I_IS.format(name=asker.shown_name, others=names, pair=pair)
    only_called = not store.me.is_decided() and not store.me.is_named()
    unsure = only_called and store.me.may_be_called_otherwise()
    return I_IS_CALLED.format(name=asker.shown_name) if unsure else ""


def _is_about(asker: int, plan: QuestionPlan, question: str, before: str) -> bool:
    """Whether "I" matters for a plan: not for what is counted over all messages.

    A question that does not say "I" means it only if its plan names the asker, as what continues one may.
    """
    named = isinstance(plan, Metadata) and asker in (
        plan.senders | plan.without | plan.between | plan.answering | plan.compared
    )
    if not is_first_person(question):
        return named and is_first_person(before)
    of_all = isinstance(plan, Metadata) and plan.asks.what in _OF_ALL
    return named or not of_all

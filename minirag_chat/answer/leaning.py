"""How far a question leans on the one before it, by what is found for it.

"Who came along?" after "When did we fetch the hens?" has an answer near the messages that answered the first
question; "Where is the spare key?" has one elsewhere. Words alone do not tell the two apart. A mere "how
much?" is asked of these messages.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from minirag_chat.answer.retrieved import RetrievedEvidence
from minirag_chat.records import STATES, Evidence

NEARER = 2.0  # log-odds by which a message beside the last answer is likelier to answer "how much?"


def leans(alone: RetrievedEvidence, together: RetrievedEvidence, sessions: Collection[int]) -> bool:
    """Whether the best message is of the ``sessions`` that answered the earlier question.

    Their messages have the scores of ``together``, ranked with the earlier question, all others those of
    ``alone``, ranked without it. False without a ranker, whose scores compare.
    """
    session = {m.id: m.session_id for found in (alone, together) for m in found.candidates}
    scores = {**alone.scores, **together.scores}
    near = [score for one, score in scores.items() if session[one] in sessions]
    others = [score for one, score in alone.scores.items() if session[one] not in sessions]
    return bool(near) and max(near) > max(others, default=-math.inf)


def favouring(evidence: Sequence[Evidence], sessions: Collection[int]) -> list[Evidence]:
    """The evidence for a fragment of a question, with that of the last answer's conversations before other.

    Measured in docs/measured.md, "Follow-ups".
    """
    return sorted((_nearer(one, sessions) for one in evidence), key=lambda one: -one.score)


def _nearer(one: Evidence, sessions: Collection[int]) -> Evidence:
    if one.message.session_id not in sessions:
        return one
    states = {STATES: one.signals[STATES] + NEARER} if STATES in one.signals else {}
    return replace(one, score=one.score + NEARER, signals={**one.signals, **states})

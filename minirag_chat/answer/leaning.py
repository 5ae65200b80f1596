"""Whether a complete question that names nobody is a follow-up, by what is found for it.

"Who came along?" after "When did we fetch the hens?" has an answer near the messages that answered the first
question; "Where is the spare key?" has one elsewhere. Words alone do not tell the two apart.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from minirag_chat.answer.retrieved import RetrievedEvidence


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

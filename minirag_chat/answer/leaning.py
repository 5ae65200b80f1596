"""Whether a complete question that names nobody is a follow-up, by what is found for it.

"Who came along?" after "When did we fetch the hens?" has an answer near the messages that answered the first
question; "Where is the spare key?" has one elsewhere. Words alone do not tell the two apart.
"""

from __future__ import annotations

from collections.abc import Collection

from minirag_chat.answer.retrieved import RetrievedEvidence


def leans(alone: RetrievedEvidence, together: RetrievedEvidence, sessions: Collection[int]) -> bool:
    """Whether the best message is of the ``sessions`` that answered the earlier question.

    Their messages have the scores of ``together``, ranked with the earlier question, all others those of
    ``alone``, ranked without it. False without a ranker, whose scores compare.
    """
    near = [
        evidence.scores[message.id]
        for evidence in (alone, together)
        for message in evidence.candidates
        if message.session_id in sessions
        and message.id in evidence.scores
        and (evidence is together or message.id not in together.scores)
    ]
    others = [
        alone.scores[message.id]
        for message in alone.candidates
        if message.session_id not in sessions and message.id in alone.scores
    ]
    return bool(near) and max(near) > max(others, default=min(near))

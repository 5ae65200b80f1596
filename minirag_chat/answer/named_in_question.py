"""Whether an answer is only somebody whom the question itself names beside the one it asks for.

"Who is coming to the viewing with Zuri?" is not answered by "Zuri", who wrote "me" about it.
"""

from __future__ import annotations

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.words import words_of
from minirag_chat.records import Question

_WHO = any_case(
    r"\W*(?:(?:and|so|but|also)\s+)?who(?:se|m)?\b|\W*(?:(?:and|so)\s+)?who['\u2019]?s\b"
)
_EITHER = any_case(r"\bor\b")
_BESIDE = any_case(r"\b(?:with|to|for|from|beside|besides|than|without)\s+$")
_OWNS = any_case(r"['\u2019]s?\b")
LEAD = 12  # characters before a name in which its preposition is looked for


def repeats_question(question: Question, answer: str) -> bool:
    """Whether a question for somebody is answered with whom it names as another: "with Ann", "Ann's aunt"."""
    text, said = question.text, {*words_of(answer)}
    if not said or not _WHO.match(text) or _EITHER.search(text):
        return False
    names = {person.id: {*words_of(person.shown_name)} for person in question.people}
    return any(
        said <= names.get(person, set())
        for span in question.spans
        for person in span.people
        if _BESIDE.search(text, max(0, span.start - LEAD), span.start)
        or _OWNS.match(text, span.end)
    )

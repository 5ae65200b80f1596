"""A question about the asker as they put it: "When is Ann's flu jab?" by Ann is "When is my flu jab?".

It is looked up with the name (``first_person``), which is also the sender of every message by the asker: the
ranker would prefer Ann's "Thank you" to what the surgery wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.first_person import is_english
from minirag_chat.records import Entity, PersonSpan

_OWNS = any_case(r"['\u2019]?s\b")
_AUXILIARY = (
    r"(?:am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|must|may|might)"
    r"(?:n['\u2019]t)?"
)
_ACTS_BEFORE = any_case(
    rf"(?:^\W*|\b(?:{_AUXILIARY}|and|or|that|what|who|which|when|where|why|how|if|whether)\s+)$"
)
_ACTS_AFTER = any_case(rf"\s+{_AUXILIARY}\b")


def in_own_words(
    text: str, spans: Sequence[PersonSpan], asker: int | None, quoted: Sequence[Entity] = ()
) -> str:
    """The question with "my", "I" and "me" where it names the ``asker``; empty if it does so nowhere.

    Empty too if it asks for the asker's own words ("What did I say?"), which are among the ``quoted``
    people, and in other languages than English.
    """
    own = [span for span in spans if span.people == (asker,)]
    if not own or any(person.id == asker for person in quoted) or not is_english(text):
        return ""
    for span in sorted(own, key=lambda span: -span.start):
        before, after = text[: span.start], text[span.end :]
        owns = _OWNS.match(after)
        if owns:
            word, after = "my", after[owns.end() :]
        else:
            acts = _ACTS_BEFORE.search(before) or _ACTS_AFTER.match(after)
            word = "I" if acts else "me"
        text = f"{before}{word}{after}"
    return text

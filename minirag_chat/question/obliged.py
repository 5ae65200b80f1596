"""Questions about what somebody is to do, which others mostly say: "What do I have to bring?"."""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.lazy_patterns import any_case
from minirag_chat.records import Entity, PersonSpan

_MODAL = r"should|must|soll(?:en|st|te|ten)?|muss(?:te)?|müssen"
_OBLIGED = any_case(
    rf"\b(?:{_MODAL}|(?:supposed|meant|expected|asked|told|have|has|had|need|needs|needed) to)\b",
)
_BEFORE = any_case(rf"\b(?:{_MODAL})\s+$")


def without_obliged(text: str, spans: Sequence[PersonSpan], speakers: Sequence[Entity]) -> str:
    """The question with "I" for who is to do something; empty if it asks for nothing of this kind.

    The ranker has learned that who is named mostly wrote the message: in 19 of 20 answers to other
    questions, and in two of three to these.
    """
    acting = {person.id for person in speakers}
    named = [span for span in spans if acting.intersection(span.people)]
    if not named:
        return ""
    before, after = text[: named[0].start], text[named[0].end :]
    obliged = _BEFORE.search(before) or _OBLIGED.search(after)
    return f"{before}I{after}" if obliged else ""

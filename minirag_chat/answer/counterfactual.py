"""Detects misattribution: asks once more with the name of the person who wrote the cited message.

A reader easily gives Ben's words to a question about Ann. Where the message that it names was written by
somebody whom the question does not name, the same question about the writer tells the two apart: "What
did Ann find?" is then compared with "What did Ben find?", and the likelier one is what the messages say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minirag_chat.records import Message, Question


def about_the_writer(asked: str, question: Question, cited: Sequence[Message]) -> str | None:
    """What was ``asked`` with its first name replaced by that of the first cited message's writer.

    ``question`` is what it means; of a follow-up it has the words of the questions before it too.
    None where ``asked`` names no person, or one who wrote a cited message.
    """
    named = {person for span in question.spans for person in span.people}
    if not cited or not question.spans or named & {message.sender_id for message in cited}:
        return None
    first = question.spans[0]
    name = re.escape(question.text[first.start : first.end])
    place = re.search(rf"\b{name}\b", asked) or re.search(name, asked)
    if place is None:
        return None
    return f"{asked[: place.start()]}{cited[0].shown_sender}{asked[place.end() :]}"

"""Detects misattribution: asks once more with the name of the person who wrote the cited message.

Asked about Ann, a reader easily answers with Ben's words. If somebody whom the question does not name
wrote the cited message, the same question is asked about that writer: "What did Ann find?" is compared
with "What did Ben find?", and the messages answer the likelier one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minirag_chat.records import Message, Question


def about_the_writer(
    question_text: str, question: Question, cited: Sequence[Message]
) -> str | None:
    """``question_text`` with the name of the first cited message's writer in place of its first name.

    ``question`` is its semantic mapping; that of a follow-up has the earlier questions' words too.
    None if ``question_text`` names no person, or one who wrote a cited message.
    """
    named = {person for span in question.spans for person in span.people}
    if not cited or not question.spans or named & {message.sender_id for message in cited}:
        return None
    first = question.spans[0]
    name = re.escape(question.text[first.start : first.end])
    place = re.search(rf"\b{name}\b", question_text) or re.search(name, question_text)
    if place is None:
        return None
    return f"{question_text[: place.start()]}{cited[0].shown_sender}{question_text[place.end() :]}"

"""Detects misattribution: asks once more with the name of the person who wrote the cited message.

Asked about Ann, a reader easily answers with Ben's words. If somebody whom the question does not name
wrote the cited message, the same question is asked about that writer: "What did Ann find?" is compared
with "What did Ben find?", and the messages answer the likelier one. But "your appointment is at 8.40", which
Ben writes to Ann, says nothing of Ben.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minirag_chat.answer.of_the_writer import SPEAKS_OF_SELF
from minirag_chat.lazy_patterns import any_case
from minirag_chat.records import Message, Question

_YOU = any_case(r"\b(?:you['\u2019]?(?:re|ve|ll|d)?|your|yours|u|ur|du|dich|dir|dein\w{0,2})\b")
_WE = any_case(r"\b(?:we|our|ours|us|wir|uns|unser\w{0,2})\b")


def about_the_writer(
    question_text: str, question: Question, cited: Sequence[Message], read: Sequence[Message]
) -> str | None:
    """``question_text`` with the name of the first cited message's writer in place of its first name.

    ``question`` is its semantic mapping; that of a follow-up has the earlier questions' words too.
    ``read`` are all messages of the prompt. None if ``question_text`` names no person, or one who wrote a
    cited message, or to whom the first of these says "you" without a word of its writer.
    """
    named = {person for span in question.spans for person in span.people}
    if not cited or not question.spans or named & {message.sender_id for message in cited}:
        return None
    if _is_said_to(named, cited[0], read):
        return None
    first = question.spans[0]
    name = re.escape(question.text[first.start : first.end])
    place = re.search(rf"\b{name}\b", question_text) or re.search(name, question_text)
    if place is None:
        return None
    return f"{question_text[: place.start()]}{cited[0].shown_sender}{question_text[place.end() :]}"


def _is_said_to(named: set[int], message: Message, read: Sequence[Message]) -> bool:
    """Whether a message speaks to "you" alone, and one of these people writes in its conversation too."""
    text = message.text
    if not _YOU.search(text) or SPEAKS_OF_SELF.search(text) or _WE.search(text):
        return False
    return any(one.session_id == message.session_id and one.sender_id in named for one in read)

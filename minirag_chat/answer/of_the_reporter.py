"""Whether the writer of a message is taken for somebody of whom it tells.

"Who picks up Gran?" is easily answered with the sender of "dad picks her up at 4". So where the answer is
the sender of a cited message, the messages are read once more with a stand-in for that name, each after what
it replies to. The answer is then the stand-in if they speak of themself, and whoever else the message names.
Who asked "whos on the book" is not who is: that is the next who says "me".
And "my manager is called fintan", of Ann Reed, does not tell of a Fintan Reed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from minirag_chat.answer.of_the_writer import SPEAKS_OF_SELF
from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.words import words_of
from minirag_chat.records import Message

STAND_IN = "Writer"
_SPEAKS = frozenset({"i", "we", "ich", "wir"})  # what the writer says of themself names nobody
_ASKS_WHO = any_case(  # not "I won, who would have thought" and "for those who can't eat nuts"
    r"(?:^|[.!?;,\n]\s*)(?:(?:ok|so|and|btw|hey|also)\W+)*(?:who|wer|qui[e\u00e9]n|qui)(?:['\u2019]?s)?\b[^.!;\n]*$"
    r"|^\W*who\s*[.?!]"  # "who. name and shame"
)
_ITS_ME = any_case(  # "me", "me, prompt corner queen", "I can", "i'll do it", and no more of their own
    r"\W*(?:(?:yes|yeah|yep|ok|oh|ja)\W+)?"
    r"(?:(?:(?:it|that|this)(?:['\u2019]?s|\s+was|\s+is)\s+)?(?:me|ich|yo|moi)(?!\s+(?:neither|too\s+late|auch\s+nicht))\b"
    r"|i(?:['\u2019]?(?:ll|m|ve)|\s+(?:can|will|am|do|did|have))(?:\s+(?:it|that|this|them|be\s+there))?(?=\W|$)"
    r"(?!\s+[\w]))"
)
_ABOUT_ASKING = any_case(r"\b(?:ask(?:s|ed|ing)?|wonder\w*|want(?:s|ed)? to know)\b")
REPLIES = 3  # messages after a question, in which somebody says that it is them


def named_writer(answer: str, cited: Sequence[Message]) -> int | None:
    """The person id of the sender of a cited message whose name the whole answer is; None if it is none."""
    said = {*words_of(answer)}
    senders = (one.sender_id for one in cited if said and said <= {*words_of(one.shown_sender)})
    return next(senders, None)


def with_asked(cited: Sequence[Message], read: Sequence[Message]) -> list[Message]:
    """The cited messages, each after the one that somebody else wrote before it in the conversation.

    Of those that were ``read``: "who minds the dog" makes "ben. he asked" an answer.
    """
    found = {one.id: one for one in cited}
    for message in cited:
        earlier = [
            one for one in read if one.session_id == message.session_id and one.id < message.id
        ]
        before = max(earlier, key=lambda one: one.id, default=message)
        if before.sender_id != message.sender_id:
            found[before.id] = before
    return [found[one] for one in sorted(found)]


def without_writers_surname(answer: str, cited: Sequence[Message]) -> str:
    """The answer without a surname that only the writer has, behind a name that the message tells."""
    told = {word for one in cited for word in words_of(one.text)}
    for message in cited:
        given, *surnames = words_of(message.shown_sender) or [""]
        said = words_of(answer)
        for before, word in pairwise(said):
            if word in surnames and word not in told and before in told and given not in said:
                answer = re.sub(rf"(?i)(?<=\w) {re.escape(word)}(?!\w)", "", answer, count=1)
    return answer


def with_stand_in(messages: Sequence[Message], writer: int) -> list[Message]:
    """The messages, those of the writer with the stand-in as their sender."""
    return [
        replace(one, sender=STAND_IN, joined_name=False) if one.sender_id == writer else one
        for one in messages
    ]


def is_told_of(answer: str, cited: Sequence[Message]) -> bool:
    """Whether the texts of the cited messages have each word of an answer, and it names somebody."""
    said = {*words_of(answer)}
    written = {word for one in cited for word in words_of(one.text)}
    return bool(said - STOP_WORDS) and not said & _SPEAKS and said <= written


def who_says_me(
    question: str, writer: int, cited: Sequence[Message], read: Sequence[Message]
) -> Message | None:
    """What somebody else says soon after the writer asked who: "me"; None if the writer may be meant.

    ``read`` are the messages of the prompt.
    """
    own = [one for one in cited if one.sender_id == writer]
    if _ABOUT_ASKING.search(question) or not all(map(_only_asks_who, own)):
        return None
    for asked in own:
        later = [
            one
            for one in sorted(read, key=_place)
            if one.session_id == asked.session_id and _place(one) > _place(asked)
        ]
        for reply in later[:REPLIES]:
            if reply.sender_id != writer and _ITS_ME.match(reply.text):
                return reply
    return None


def _only_asks_who(message: Message) -> bool:
    """Whether a message ends with a question for who, and says nothing of its writer."""
    return _ASKS_WHO.search(message.text) is not None and not SPEAKS_OF_SELF.search(message.text)


def _place(message: Message) -> tuple[datetime, int]:
    """Where a message stands in its chat."""
    return message.sent_at, message.id

"""Forms of questions about the messages themselves, as regular expressions; the first that matches counts.

Those for the first or the last message tell which of them in their group ``which``. With a word such as
"fewest" or "slowest" in its group ``extreme`` a form asks for the opposite (``matching.py``). A form is
matched in a text in which each name is a mark, and times and chats are taken out (``metadata.py``). Groups
say of whom it is asked: ``by`` who writes, ``to`` whom, ``not_by`` whose messages are left out.
"""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.about_messages.forms.ends import END_FORMS
from minirag_chat.question.about_messages.forms.files import (
    EMOJI_FORMS,
    FILE_FORMS,
    FILE_LIST_FORMS,
    USED_WORD_FORMS,
)
from minirag_chat.question.about_messages.forms.lengths import LENGTH_FORMS
from minirag_chat.question.about_messages.forms.lists import LIST_FORMS
from minirag_chat.question.about_messages.forms.marked import MARK_FORMS
from minirag_chat.question.about_messages.forms.rates import IN_ONE_TIME, RATE_FORMS, TIME_FORMS
from minirag_chat.question.about_messages.forms.replies import REPLY_FORMS, UNANSWERED_FORMS
from minirag_chat.question.about_messages.forms.senders import SENDER_FORMS
from minirag_chat.question.about_messages.forms.vocabulary import (
    ANYONE,
    LAST,
    PERSON,
    WRITE,
    WRITES,
)
from minirag_chat.question.about_messages.forms.words import SIGN_FORMS, WORD_FORMS

_ALL = (
    *LIST_FORMS,
    *FILE_LIST_FORMS,
    *SENDER_FORMS,
    *TIME_FORMS,
    *EMOJI_FORMS,
    *USED_WORD_FORMS,
    *FILE_FORMS,
    *WORD_FORMS,
    *SIGN_FORMS,
    *RATE_FORMS,
    *END_FORMS,
    *UNANSWERED_FORMS,
    *REPLY_FORMS,
    *LENGTH_FORMS,
    *MARK_FORMS,
)
FORMS = tuple((asks, any_case(rf"(?<!\w)(?:{form})(?!\w)")) for asks, form in _ALL)
LATEST = any_case(
    r"\b(?:who is (?:(?:the|our|my) )?(?:biggest |worst )?night owl"
    rf"|who (?:{WRITE}|{WRITES})(?: (?:to )?(?:{PERSON}|us))?(?: the)? latest (?:at|in the) night"
    r"|wer (?:schreibt|schrieb|hat) nachts am spätesten(?: geschrieben)?)\b",
)
"""Asks for the latest time of the day, and "at night" is no time in which the last message is looked for."""
LAST_TIME = any_case(rf"\bwhen (?:is|was) the {LAST} time(?: that)? (?P<who>{ANYONE})(?!\w)")
_IN_ONE_TIME = any_case(IN_ONE_TIME)


def with_times_asked_for(text: str) -> str:
    """The text with "which day had the most messages" for "the most messages in one day", no time."""

    def asked(found: re.Match[str]) -> str:
        writer = found["by"] or found["writer"]
        whose = f" from {writer}" if writer else ""
        return f"which {found['unit']} had the {found['most']} messages{whose}"

    return _IN_ONE_TIME.sub(asked, text)

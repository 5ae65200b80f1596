"""Forms that ask for the longest or shortest message, and for who writes such messages."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import table
from minirag_chat.question.about_messages.forms.vocabulary import (
    ASKS,
    AUX,
    BY,
    FROM,
    MESSAGE,
    MESSAGES,
    OF,
    OF_BY,
    PEOPLE,
    PERSON,
    TO,
    TO_NAMED,
    WHICH_OF,
    WRITE,
    WRITES,
)

_SENT = rf"(?:has |have )?(?:ever )?{WRITE}"
_LONGEST = r"(?P<extreme>longest|shortest)"
_LONGEST_OR_LONGER = r"(?P<extreme>longest|longer|shortest|shorter)"
LENGTH_FORMS = table(rf"""
    longest:
        (?:{ASKS} )?(?:(?:the|our) )?{_LONGEST} {MESSAGE}(?: {_SENT}(?! {PERSON}))?{FROM}{TO_NAMED}
        (?:(?:{ASKS}|how long (?:is|was)) )?{OF_BY} {_LONGEST} {MESSAGE}{TO_NAMED}
        (?:what|which) {MESSAGE}(?: (?:from|by|of) {BY})? (?:is|was) (?:the )?{_LONGEST}
        {ASKS} the {_LONGEST} {MESSAGE}(?: that)? {BY} {_SENT}{TO}
        who {_SENT}(?: the)? {_LONGEST} {MESSAGE}
    wordiest:
        {WHICH_OF} (?:has |have )?(?:{WRITE}|{WRITES})(?: the)? {_LONGEST_OR_LONGER} {MESSAGES}{OF}
        how long (?:is|are|was|were) {BY}['\u2019]s? (?:average {MESSAGE}|(?:average )?{MESSAGES})
        (?:what is )?(?:the )?average length of {BY}['\u2019]s? {MESSAGES}
        (?:what is )?(?:the )?average length of {MESSAGES} (?:from|by) {BY}
        (?:what is )?{BY}['\u2019]s? average {MESSAGE} length
    words:
        how many words {AUX} {BY} (?:{WRITE}|say|said|type|typed|use){TO}
        how many words (?:are|were)(?: there| written)?(?: (?:by|from) {BY})?
        how many words(?: (?:are|were)(?: there| written)?| {AUX} we (?:{WRITE}|exchanged?))?
            (?: (?:with|between) (?P<to>{PEOPLE}))
    most_words:
        {WHICH_OF} (?:has |have )?(?:{WRITE}|{WRITES}|said|says|uses|used) (?:the )?most words{OF}
""")

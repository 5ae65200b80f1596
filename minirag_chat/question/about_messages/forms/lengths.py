"""Forms that ask for the longest or shortest message, and for who writes such messages."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.vocabulary import (
    ASKS,
    AUX,
    BY,
    FROM,
    MESSAGE,
    MESSAGES,
    OF,
    OF_BY,
    PERSON,
    TO,
    TO_NAMED,
    WHICH_OF,
    WRITE,
    WRITES,
)
from minirag_chat.records import MetadataKind

_SENT = rf"(?:has |have )?(?:ever )?{WRITE}"
_LONGEST = r"(?P<extreme>longest|shortest)"
_LONGEST_OR_LONGER = r"(?P<extreme>longest|longer|shortest|shorter)"
LENGTH_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    (
        "longest",
        (
            rf"(?:{ASKS} )?(?:(?:the|our) )?{_LONGEST} {MESSAGE}(?: {_SENT}(?! {PERSON}))?{FROM}"
            rf"{TO_NAMED}"
        ),
    ),
    (
        "longest",
        rf"(?:(?:{ASKS}|how long (?:is|was)) )?{OF_BY} {_LONGEST} {MESSAGE}{TO_NAMED}",
    ),
    (
        "longest",
        rf"(?:what|which) {MESSAGE}(?: (?:from|by|of) {BY})? (?:is|was) (?:the )?{_LONGEST}",
    ),
    ("longest", rf"{ASKS} the {_LONGEST} {MESSAGE}(?: that)? {BY} {_SENT}{TO}"),
    ("longest", rf"who {_SENT}(?: the)? {_LONGEST} {MESSAGE}"),
    (
        "wordiest",
        (
            rf"{WHICH_OF} (?:has |have )?(?:{WRITE}|{WRITES})(?: the)? {_LONGEST_OR_LONGER}"
            rf" {MESSAGES}{OF}"
        ),
    ),
    (
        "wordiest",
        (
            rf"how long (?:is|are|was|were) {BY}['\u2019]s? "
            rf"(?:average {MESSAGE}|(?:average )?{MESSAGES})"
        ),
    ),
    ("wordiest", rf"(?:what is )?(?:the )?average length of {BY}['\u2019]s? {MESSAGES}"),
    ("wordiest", rf"(?:what is )?(?:the )?average length of {MESSAGES} (?:from|by) {BY}"),
    ("wordiest", rf"(?:what is )?{BY}['\u2019]s? average {MESSAGE} length"),
    ("words", rf"how many words {AUX} {BY} (?:{WRITE}|say|said|type|typed|use){TO}"),
    ("words", rf"how many words (?:are|were)(?: there| written)?(?: (?:by|from) {BY})?"),
    (
        "words",
        rf"{WHICH_OF} (?:has |have )?(?:{WRITE}|{WRITES}|said|says|uses|used) (?:the )?most words{OF}",
    ),
)

"""Forms that ask for the longest or shortest message, and for who writes such messages."""

from __future__ import annotations

from minirag_chat.question.forms.vocabulary import (
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


def _of_length(
    one: MetadataKind, many: MetadataKind, most: str, more: str
) -> tuple[tuple[MetadataKind, str], ...]:
    """The forms that ask for the longest message, and for who writes the longest ones; or the shortest."""
    sent = rf"(?:has |have )?(?:ever )?{WRITE}"
    return (
        (
            one,
            rf"(?:{ASKS} )?(?:(?:the|our) )?{most} {MESSAGE}(?: {sent}(?! {PERSON}))?{FROM}{TO_NAMED}",
        ),
        (one, rf"(?:(?:{ASKS}|how long (?:is|was)) )?{OF_BY} {most} {MESSAGE}{TO_NAMED}"),
        (one, rf"(?:what|which) {MESSAGE}(?: (?:from|by|of) {BY})? (?:is|was) (?:the )?{most}"),
        (one, rf"{ASKS} the {most} {MESSAGE}(?: that)? {BY} {sent}{TO}"),
        (one, rf"who {sent}(?: the)? {most} {MESSAGE}"),
        (
            many,
            (
                rf"{WHICH_OF} (?:has |have )?(?:{WRITE}|{WRITES})(?: the)? (?:{most}|{more})"
                rf" {MESSAGES}{OF}"
            ),
        ),
    )


LENGTH_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    *_of_length("longest", "wordiest", "longest", "longer"),
    *_of_length("shortest", "briefest", "shortest", "shorter"),
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

"""Forms that ask for deleted and edited messages, reactions and calls."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.vocabulary import (
    AUX,
    BY,
    EVER_ALL,
    HAVE,
    MARKED,
    MESSAGE,
    MESSAGES,
    MOST,
    MOST_OR_FEWEST,
    OF,
    TO,
    WHICH_OF,
)
from minirag_chat.records import MetadataKind

_REACTIONS = r"(?P<marked>reactions)"
_GET = r"(?:got|gets?|received?|receives|ha[ds]|have)"
MARK_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    ("count", rf"how many {MESSAGES} (?:are|were|have been) {MARKED}(?: by {BY})?"),
    ("count", rf"how many {MESSAGES} (?:did|has|have) {BY} {MARKED}"),
    (
        "count",
        rf"how many {MARKED} {MESSAGES}(?: (?:are there|were there|{HAVE}))?(?: (?:by|from) {BY})?",
    ),
    ("count", rf"(?:did|has|have) {BY}{EVER_ALL} {MARKED} (?:a|any) (?:{MESSAGE}|{MESSAGES})"),
    ("count", rf"who (?:has )?{MARKED} (?:a |any )?(?:{MESSAGE}|{MESSAGES})"),
    ("most", rf"{WHICH_OF} (?:has |have )?{MARKED}{MOST_OR_FEWEST}(?: {MESSAGES})?{OF}"),
    ("count", rf"how many {_REACTIONS} (?:did|do|does|has|have) {BY} {_GET}"),
    ("count", rf"how many {_REACTIONS}(?: (?:are|were) there)?"),
    ("most", rf"{WHICH_OF} (?:has |have )?{_GET}{MOST_OR_FEWEST} {_REACTIONS}{OF}"),
    (
        "longest",
        rf"(?:which|what) {MESSAGE}(?: (?:from|by|of) {BY})? (?:has |have )?{_GET}{MOST} {_REACTIONS}",
    ),
    (
        "longest",
        rf"(?:what is |what was )?(?:the )?{MESSAGE} (?:from {BY} )?with{MOST} {_REACTIONS}",
    ),
    (
        "count",
        (
            r"how many (?:(?:missed|phone|video|voice) )?(?P<marked>calls)"
            rf"(?: (?:(?:are|were) there|(?:{AUX}) {BY} (?:{_GET}|make|made|miss(?:ed)?)))?{TO}"
        ),
    ),
)
"""Forms of what an export may mark messages with, and of calls, which are no messages."""

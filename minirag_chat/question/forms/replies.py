"""Forms that ask how fast people reply, and who begins the conversations."""

from __future__ import annotations

from minirag_chat.question.forms.vocabulary import (
    AUX,
    BY,
    MOST,
    OF,
    PEOPLE,
    PERSON,
    USUALLY,
    WHICH_OF,
)
from minirag_chat.records import MetadataKind

_REPLY = r"(?:reply|replies|replied|answers?|answered|responds?|responded|(?:text|write)s? back)"
_TO_REPLY = r"to (?:reply|answer|respond|(?:text|write) back)"
_REPLIED_TO = rf"(?: (?:to )?(?P<to>{PEOPLE}|us|each other))?"
_THEN_TO = rf"(?: to (?P<to>{PEOPLE}|us|each other))?"
_EITHER = rf"{PERSON}(?:\s*,\s*{PERSON})*\s*,?\s+or\s+{PERSON}"  # they are compared, without "to"
_TO_NONE_OF = rf"(?: (?:to |(?!{_EITHER}))(?P<to>{PEOPLE}|us|each other))?"
_FAST, _SLOW = (
    r"(?:fastest|faster|quickest|quicker|soonest|most quickly)",
    r"(?:slowest|slower|most slowly)",
)
REPLY_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    ("fastest", rf"{WHICH_OF} {_REPLY}(?: the)? {_FAST}{_THEN_TO}{OF}"),
    ("slowest", rf"{WHICH_OF} {_REPLY}(?: the)? {_SLOW}{_THEN_TO}{OF}"),
    ("fastest", rf"{WHICH_OF} {_REPLY}{_TO_NONE_OF}(?: the)? {_FAST}{OF}"),
    ("slowest", rf"{WHICH_OF} {_REPLY}{_TO_NONE_OF}(?: the)? {_SLOW}{OF}"),
    ("fastest", rf"{WHICH_OF} (?:is|was) (?:the )?{_FAST} {_TO_REPLY}{_TO_NONE_OF}{OF}"),
    ("slowest", rf"{WHICH_OF} (?:is|was) (?:the )?{_SLOW} {_TO_REPLY}{_TO_NONE_OF}{OF}"),
    (
        "slowest",
        rf"{WHICH_OF} (?:takes|took) (?:the )?(?:longest|longer) {_TO_REPLY}{_TO_NONE_OF}{OF}",
    ),
    (
        "begins",
        rf"{WHICH_OF}(?: {USUALLY}| always)? (?:texts?|writes?|messages?) first(?: most often)?{OF}",
    ),
    (
        "begins",
        (
            rf"{WHICH_OF}(?: {USUALLY}| always)? (?:starts?|started|begins?|began|initiates?|initiated)"
            rf"(?: the| our)?(?: most| more)?(?: of (?:the|our))? (?:conversations?|chats)(?:{MOST})?{OF}"
        ),
    ),
    (
        "replies",
        (
            rf"how (?:long|fast|quickly|soon) {AUX} {BY} (?:(?:usually|normally|typically|generally) )?"
            rf"(?:take(?:n)? {_TO_REPLY}|{_REPLY}){_REPLIED_TO}"
        ),
    ),
    (
        "replies",
        (
            rf"what is (?:the )?{BY}['\u2019]s? (?:(?:average|median|mean|usual|typical) )?"
            rf"(?:reply|response|answering) time{_REPLIED_TO}"
        ),
    ),
)

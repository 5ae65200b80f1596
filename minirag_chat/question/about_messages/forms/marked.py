"""Forms that ask for deleted and edited messages, reactions and calls."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import table
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
    PERSON,
    SHOW,
    TO,
    WHICH_OF,
    WRITE,
    WRITES,
)

_REACTIONS = r"(?P<marked>reactions)"
_REACTIONS_GIVEN = r"(?:emoji )?reactions"
_GIVE = r"(?P<marked>gave|gives?|given|left|leaves?)"
_REACT = r"(?P<marked>react(?:s|ed)?)"
_OF_WHAT = rf"(?:['\u2019]s)?(?: (?:{MESSAGES}|stuff|{WRITE}|{WRITES}|said|says))?"
_WHOSE = rf"(?:(?:what|something|anything) )?(?P<to>{PERSON}){_OF_WHAT}"
_TO_ANY = rf" to (?:(?:any|a) )?(?:of )?(?:{MESSAGES}|{MESSAGE}|{_WHOSE})"
_TO_WHOSE = rf"(?: to (?:{MESSAGES}|{_WHOSE}))?"
_GET = r"(?:got|gets?|received?|receives|ha[ds]|have)"
MARK_FORMS = table(rf"""
    count:
        how many {MESSAGES} (?:are|were|have been) {MARKED}(?: by {BY})?
        how many {MESSAGES} (?:did|has|have) {BY} {MARKED}
        how many {MARKED} {MESSAGES}(?: (?:are there|were there|{HAVE}))?(?: (?:by|from) {BY})?
        (?:did|has|have) {BY}{EVER_ALL} {MARKED} (?:a|any) (?:{MESSAGE}|{MESSAGES})
        who (?:has )?{MARKED} (?:a |any )?(?:{MESSAGE}|{MESSAGES})
        (?:is|are|was|were|has|have) (?:(?:any|some) {MESSAGES}|(?:any|some)thing)(?: (?:ever|been))*
            (?: {MARKED})(?: by {BY})?
    most:
        {WHICH_OF} (?:has |have )?{MARKED}{MOST_OR_FEWEST}(?: {MESSAGES})?{OF}
    count:
        how many {_REACTIONS} (?:did|do|does|has|have) {BY} {_GET}
        how many {_REACTIONS}(?: (?:are|were) there)?
    most:
        {WHICH_OF} (?:has |have )?{_GET}{MOST_OR_FEWEST} {_REACTIONS}{OF}
    count:
        how many {_REACTIONS_GIVEN} (?:{AUX}) {BY} {_GIVE}{_TO_WHOSE}
        who (?:has )?{_REACT}{_TO_ANY}
        (?:did|has|have) {BY}{EVER_ALL} {_REACT}{_TO_ANY}
        (?:{SHOW} )?(?:the )?{_REACTIONS_GIVEN} (?:that )?{BY} (?:(?:has|have) )?{_GIVE}{_TO_WHOSE}
        how (?:often|many times) (?:{AUX}) {BY} {_REACT}{_TO_WHOSE}
        how many (?:of (?P<to>{PERSON})(?:['\u2019]s)? )?{MESSAGES} (?:{AUX}) {BY} {_REACT}(?: to)?
    most:
        {WHICH_OF} {_GIVE}{MOST_OR_FEWEST} {_REACTIONS_GIVEN}{_TO_WHOSE}{OF}
        {WHICH_OF} {_REACT}{_TO_WHOSE}{MOST_OR_FEWEST}{OF}
        {WHICH_OF} {_REACT}{MOST_OR_FEWEST}{_TO_WHOSE}{OF}
    longest:
        (?:which|what) {MESSAGE}(?: (?:from|by|of) {BY})? (?:has |have )?{_GET}{MOST} {_REACTIONS}
        (?:what is |what was )?(?:the )?{MESSAGE} (?:from {BY} )?with{MOST} {_REACTIONS}
    count:
        how many (?:(?:missed|phone|video|voice) )?(?P<marked>calls)
            (?: (?:(?:are|were) there|(?:{AUX}) {BY} (?:{_GET}|make|made|miss(?:ed)?)))?{TO}
""")
"""Forms of what an export may mark messages with, and of calls, which are no messages."""

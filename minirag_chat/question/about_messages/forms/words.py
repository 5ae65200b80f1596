"""Forms that ask how often a word, an emoji or another sign was written, by whom, and when first or last."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import table
from minirag_chat.question.about_messages.forms.vocabulary import (
    AUX,
    BY,
    EVER_ALL,
    LAST,
    MESSAGES,
    MOST_OR_FEWEST,
    OF,
    OWN,
    SAID,
    TALK,
    TERM,
    TO_WHOM,
    WHICH_OF,
    WRITE,
    WRITES,
)
from minirag_chat.question.placeholders import SIGN, WORD

_SAY = r"(?:says?|said|writes?|wrote|written|uses?|used|types?|typed|mention|mentions|mentioned)"
_MENTIONED = r"(?:mentioned|said|written|used|discussed|(?:talked|spoken) about|brought up)"
_MENTION = rf"(?:{_SAY}|contains?|includes?|has|have|discuss(?:e[sd])?|(?:{TALK}|talks|speaks) (?:about|of))"
_CHATS = rf"(?:of )?{OWN}(?:(?:group )?(?:chats?|conversations?)|groups?|channels?|threads?)"
_IN_ALL = rf"(?: (?:in|across) {OWN}(?:{MESSAGES}|chats?|groups?|conversations?))?"
_SPELL = r"(?:say|said|write|wrote|written|type|typed)"
_HOW_OFTEN = r"how (?:many times|often)"
WORD_FORMS = table(rf"""
    first_or_last:
        when (?:is|was) {TERM}{SAID} {LAST} {_MENTIONED}(?: by {BY})?
        when did {BY} {LAST} (?:{TALK}|discuss) (?:about |of )?{TERM}{SAID}
        when did {BY} (?:{TALK}|discuss) (?:about |of )?{TERM}{SAID} {LAST}
        when did {BY} {LAST} {_SAY} {TERM}{SAID}
        when did {BY} {_SAY} {TERM}{SAID} (?:for the )?{LAST}(?: time)?
        when (?:is|was) the {LAST} time(?: that)? {TERM}{SAID} (?:is|was|got) {_MENTIONED}
    last:
        search (?:{OWN}(?:{MESSAGES}|chats) )?(?:for )?{TERM}(?P<listed>{SAID})
    first_or_last:
        who {LAST} {_SAY} {TERM}{SAID}
        who {_SAY} {TERM}{SAID} {LAST}
    count_chats:
        (?:in )?(?:which|what) {_CHATS} (?:(?:did|do|have|has) (?:(?:we|people|anyone|{BY}) )?)?(?:ever )?
            {_MENTION} {TERM}{SAID}
        (?:in )?(?:which|what) {_CHATS} (?:is|are|was|were|has|have) {TERM}{SAID} (?:been )?{_MENTIONED}
        (?:do|does|did|has|have) any {_CHATS} (?:ever )?{_MENTION} {TERM}{SAID}
        (?:is|are|was|were|has|have) {TERM}{SAID} (?:been )?(?:ever )?{_MENTIONED} in any {_CHATS}
    count:
        {_HOW_OFTEN} {AUX} {BY} (?:ever )?{_SAY} {TERM}{SAID}
        {_HOW_OFTEN} (?:is|are|was|were|{AUX}) {TERM}{SAID} (?:been )?
            (?:mentioned|said|written|used|typed|come up|appear|occur)(?: by {BY})?{_IN_ALL}
        how many {MESSAGES}(?: (?:from|by|of) {BY})? (?:that )?
            (?:mention|contain|include|have|say|use|with|mentioning|containing) {TERM}{SAID}
        {AUX} {BY}{EVER_ALL} {_SPELL} {TERM}{SAID}
        who(?: all)? (?:has |have )?(?:ever )?mentioned {TERM}{SAID}
        which of {OWN}(?:friends|contacts|people) (?:has |have )?(?:ever )?mention(?:s|ed)? {TERM}{SAID}
    most:
        {WHICH_OF} (?:has |have )?{_SAY} {TERM}{SAID}{MOST_OR_FEWEST}{OF}
""")
_SIGNS = rf"{SIGN}(?:['\u2019]?s)?(?: emojis?)?"
_A_SIGN = rf"(?:(?:the|an?|any) )?(?:emoji )?{_SIGNS}"
_SEND = rf"(?:{WRITE}|{WRITES}|says?|said|uses?|used|types?|typed)"
_SENT = r"(?:sent|written|used|posted)"
SIGN_FORMS = table(rf"""
    count:
        {AUX} {BY}{EVER_ALL} {_SEND}{TO_WHOM}? {_A_SIGN}
        {AUX} {BY}{EVER_ALL} {_SEND} {_A_SIGN}{TO_WHOM}
        {_HOW_OFTEN} {AUX} {BY} (?:ever )?{_SEND}{TO_WHOM}? (?:{_A_SIGN}|{WORD})
        {_HOW_OFTEN} {AUX} {BY} (?:ever )?{_SEND} (?:{_A_SIGN}|{WORD}){TO_WHOM}
        how many {_SIGNS} {AUX} {BY} {_SEND}{TO_WHOM}?
        how many {_SIGNS}(?: (?:are there|were there|(?:were|have been) {_SENT}))?(?: (?:by|from) {BY})?
        how many {MESSAGES} {AUX} {BY} {WRITE}{TO_WHOM}? (?:with|containing) (?:{_A_SIGN}|{WORD})
    most:
        {WHICH_OF} (?:has |have )?{_SEND}{MOST_OR_FEWEST} {_SIGNS}{OF}
        {WHICH_OF} (?:has |have )?{_SEND} {_A_SIGN}{MOST_OR_FEWEST}{OF}
    first_or_last:
        who {_SEND} (?:the )?{LAST} {_SIGNS}
        who {LAST} {_SEND} {_A_SIGN}
        who {_SEND} {_A_SIGN} {LAST}
        when did {BY} {LAST} {_SEND} {_A_SIGN}{TO_WHOM}?
        when did {BY} {LAST} {_SEND}{TO_WHOM} {_A_SIGN}
        when did {BY} {_SEND} {_A_SIGN} {LAST}
        when (?:is|was) {_A_SIGN} {LAST} {_SENT}(?: by {BY})?
        when (?:is|was) the {LAST} {_SIGNS}(?: {_SENT})?(?: (?:by|from) {BY})?
""")
"""Forms of an emoji or another sign, which is sent as a photo is."""

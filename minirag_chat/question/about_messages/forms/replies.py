"""Forms that ask how fast people reply, and who begins the conversations."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import table
from minirag_chat.question.about_messages.forms.vocabulary import (
    AUX,
    BY,
    ME,
    MOST,
    NOT_DONE,
    OF,
    PEOPLE,
    PERSON,
    USUALLY,
    WHICH_OF,
)

_REPLY = (
    r"(?:reply|replies|replied|answers?|answered|responds?|responded"
    r"|(?:texts?|texted|writes?|written|wrote) back)"
)
_TO_REPLY = r"to (?:reply|answer|respond|(?:text|write) back)"
_REPLIED_TO = rf"(?: (?:to )?(?P<to>{PEOPLE}|us|each other))?"
_THEN_TO = rf"(?: to (?P<to>{PEOPLE}|us|each other))?"
_EITHER = rf"{PERSON}(?:\s*,\s*{PERSON})*\s*,?\s+or\s+{PERSON}"  # they are compared, without "to"
_TO_NONE_OF = rf"(?: (?:to |(?!{_EITHER}))(?P<to>{PEOPLE}|us|each other))?"
_FAST_OR_SLOW = (
    r"(?P<extreme>fastest|faster|quickest|quicker|soonest|most quickly|slowest|slower|most slowly)"
)
_ANSWER = rf"{_REPLY}(?: to)?"
_MUST = r"(?:have|has|need|needs) to"
_I_DID_NOT = (
    rf"(?={NOT_DONE}|(?:did|ha(?:ve|s)) {PERSON} forg"
    rf"|do(?:es)? {PERSON} (?:still )?{_MUST}\b|should {PERSON})"
    rf"(?:ha(?:ve|s)|did|do|does|should)(?:n['\u2019]?t| not)? {ME}(?: not)?(?: still)?"
    rf"(?: (?:{_MUST}|forg[eo]t(?:ten)? to))?"
)
_LAST_ONE = r"(?:['\u2019]s? (?:last |latest )?(?:message|text|msg))?"
_MESSAGES = r"(?:chats?|conversations?|messages?|texts?)"
_ANYBODY = rf"(?:any(?:one|body)|some(?:one|body)|(?:(?:any|a|some) )?{_MESSAGES})"
UNANSWERED_FORMS = table(rf"""
    unanswered:
        (?:whom?|(?:which|what|whose) {_MESSAGES}) {_I_DID_NOT} {_ANSWER}(?: yet)?
        {_I_DID_NOT} {_ANSWER} {_ANYBODY}
        how many (?P<others>unanswered) {_MESSAGES}
            (?: (?:are there|do(?:es)? {PERSON} have|ha(?:ve|s) {PERSON}(?: got)?))?
        whom? do(?:es)? {ME} (?:still )?owe an? (?:reply|answer|response|text|message)(?: to)?
        (?:is|are) there (?:anything|{_ANYBODY})(?: (?:that|whom?))? {ME} (?:forgot to|(?:still )?{_MUST}
            |(?:did|have)(?: not|n['\u2019]?t)) {_ANSWER}(?: yet)?
        (?:did|ha(?:ve|s)) {ME} {_ANSWER} (?:everyone|everybody|all(?: {_MESSAGES})?)
        who is (?:still )?waiting for (?:(?:a|an|{PERSON}['\u2019]s) )?(?:reply|answer|response)
            (?: from {ME})
        who is (?:still )?waiting for {ME} to {_ANSWER}
        (?:(?:which|what) {_MESSAGES} (?:are|is) (?:still )?|(?:(?:are|is) there |show
            (?: {PERSON})? |list )?(?:(?:any|all|the|{PERSON}['\u2019]s) )?)(?P<others>unanswered)
            (?: {_MESSAGES})?
    not_answered:
        who (?:has|did) ?(?:not|n['\u2019]?t)(?: yet)? {_ANSWER} {ME}(?: yet)?
        who (?:still )?(?:has|have|needs|owes) (?:still )?(?=to |{PERSON} an? )(?:to {_ANSWER} )?{ME}
            (?: an? (?:answer|reply|response))?
    answered:
        (?:did|has|have) (?P<both>{PERSON} {_ANSWER} {PERSON}){_LAST_ONE}(?: yet)?
    not_answered:
        who (?:ignored|ignores|is ignoring|ghosted) {ME}
        who (?:leaves|left) {ME} on (?:read|seen)
""")
REPLY_FORMS = table(rf"""
    fastest:
        {WHICH_OF} {_REPLY}(?: the)? {_FAST_OR_SLOW}{_THEN_TO}{OF}
        {WHICH_OF} {_REPLY}{_TO_NONE_OF}(?: the)? {_FAST_OR_SLOW}{OF}
        {WHICH_OF} (?:is|was) (?:the )?{_FAST_OR_SLOW} {_TO_REPLY}{_TO_NONE_OF}{OF}
        {AUX} (?P<by>{PERSON} {_REPLY} {_FAST_OR_SLOW} than {PERSON})
    slowest:
        {WHICH_OF} (?:takes|took) (?:the )?(?:longest|longer) {_TO_REPLY}{_TO_NONE_OF}{OF}
    begins:
        {WHICH_OF}(?: {USUALLY}| always)? (?:texts?|writes?|messages?) first(?: most often)?{OF}
        {WHICH_OF}(?: {USUALLY}| always)? (?:starts?|started|begins?|began|initiates?|initiated)
            (?: the| our)?(?: most| more)?(?: of (?:the|our))? (?:conversations?|chats)(?:{MOST})?{OF}
    replies:
        how (?:long|fast|quickly|soon) {AUX} {BY} (?:(?:usually|normally|typically|generally) )?
            (?:take(?:n)? {_TO_REPLY}|{_REPLY}){_REPLIED_TO}
        what is (?:the )?{BY}['\u2019]s? (?:(?:average|median|mean|usual|typical) )?
            (?:reply|response|answering) time{_REPLIED_TO}
""")

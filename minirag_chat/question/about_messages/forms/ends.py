"""Forms that ask who has been quiet the longest, who is the oldest or newest contact, and for such chats."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import table
from minirag_chat.question.about_messages.forms.vocabulary import (
    ME,
    NOT_DONE,
    ONE_CHAT,
    OWN,
    TALK,
    WRITE,
)

_FOR_LONG = (  # "in everyone" stands for a chat that was named, "in" for a time
    r"(?:\s+in(?: (?:the|everyone))?)?\s+(?:(?:for|in) )?"
    r"(?:(?:the |a )?(?:very )?long(?:est)?(?: time)?|a while|ages|lately|recently)"
)
_NOT_YET = rf"(?={NOT_DONE})(?:ha(?:ve|s)|did)(?:n['\u2019]?t| not)?"
_LEFT = rf"{_NOT_YET} {ME}(?: not)?"
_QUIET = r"(?:quiet|silent)"
_HAVE_NOT = rf"{_NOT_YET} (?:{ME}|we)(?: not)?"
_MY = rf"(?:the|our|{ME}['\u2019]s?)"
_TALKING = r"(?:talking|writing|texting|chatting|messaging|speaking)"
_IN_TOUCH = rf"(?:known|(?:been )?(?:{TALK}|{_TALKING})(?: (?:to|with))?|(?:been )?in (?:touch|contact) with)"
_BEGIN = r"(?:start|started|begin|began)"
END_FORMS = table(rf"""
    unwritten:
        whom? {_LEFT} {WRITE}(?: to)?{_FOR_LONG}
    quiet:
        whom? {_HAVE_NOT} (?:(?:{TALK}|{WRITE})(?: (?:to|with))?|heard? (?:from|of)){_FOR_LONG}
        who (?:(?:has|did) not|(?:has|did)n['\u2019]?t) {WRITE}(?: (?:to )?(?:{ME}|us|anything))?
            {_FOR_LONG}
        who has (?:been|gone|fallen) {_QUIET}(?:{_FOR_LONG})?
        who stopped (?:writing|texting|messaging)(?: (?:to )?(?:{ME}|us))?
    quiet_chat:
        (?:which|what) {ONE_CHAT}s? (?:has|have) (?:been|gone|fallen) {_QUIET}(?:{_FOR_LONG})?
        (?:which|what) {ONE_CHAT}s? (?:went|fell|are|is) {_QUIET}
    oldest:
        whom? (?:have|has) {ME} {_IN_TOUCH}(?: for)?(?: the)? longest(?: time)?
        who (?:is|was) {_MY} (?:oldest|longest) contact
    newest:
        (?:who (?:is|are)|which (?:people|contacts) are) {_MY} (?:newest|new) contacts?
        which people (?:wrote|have written) for the (?:very )?first time
        (?:who|which people)(?: (?:has|have))? (?:{WRITE}|contacted)
            (?: to)? {ME} for the (?:very )?first time
        whom? did {ME} {_BEGIN} {_TALKING}(?: (?:to|with))?
        who {_BEGIN} {_TALKING}(?: (?:to|with))? {ME}
    oldest_chat:
        (?:which|what) {ONE_CHAT} (?:is|was) {OWN}oldest
        (?:(?:which|what) (?:is|was) )?{OWN}oldest {ONE_CHAT}
    newest_chat:
        (?:which|what) {ONE_CHAT}s? (?:is|are|was|were) {OWN}(?:newest|new)
        (?:(?:which|what) (?:is|are|was|were) )?{OWN}(?:newest|new) {ONE_CHAT}s?
        (?:which|what) {ONE_CHAT}s? {_BEGIN}
""")

"""Forms that ask for messages to be listed: the last five, all of somebody, those with a link or a word."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import table
from minirag_chat.question.about_messages.forms.vocabulary import (
    AUX,
    BY,
    FROM,
    LAST,
    LIST,
    MARKED,
    MESSAGE,
    MESSAGES,
    NOT_TO,
    OF_BY,
    PAIR,
    PEOPLE,
    PERSON,
    SAID,
    SHOW,
    SOME,
    TERM,
    TO,
    TO_NAMED,
    WITH_FILES,
    WRITE,
)

_MARKED_ONES = (
    r"(?P<marked>deleted|edited|forwarded)"  # "delete messages from Ann" asks the program to do it
)
_EVERY = rf"(?:{SHOW} )?(?:(?:the|any|my|our|all(?: (?:of )?(?:the|my|our))?) )?"
_GOT = rf"{AUX} (?:(?P<me>{PERSON})|we) (?:have|get|got|received?)"
_IS_THERE = rf"(?:(?:{SHOW}|(?:are|were) there|{_GOT}) )"
_SOME = r"(?:any|some|the|my|our|all(?: (?:of )?(?:the|my|our))?)"
_CAME = r"(?:came(?: in)?|arrived|(?:are|were|have been)(?: there)?)"
_ALL_SAID = r"(?:everything|anything|all|whatever)(?: that)?"
LIST_FORMS = table(rf"""
    last:
        (?:{SHOW} )?(?P<listed>{_ALL_SAID}) {BY} (?:has |have )?(?:ever )?(?:{WRITE}|said){TO}
        (?:(?:all|the|all the|my|our) )?(?P<listed>{MESSAGES})(?P<timed>)
        {SHOW} (?P<listed>what) {BY} (?:has |have )?(?:{WRITE}|said){TO}
        (?:what|which) (?P<listed>{MESSAGES}) {AUX} {BY} {WRITE}{TO}
        (?:all (?:(?:of )?the )?)?(?P<listed>{MESSAGES}) (?:from|by) {BY}{TO_NAMED}
        {SHOW}(?: (?:the|our|my))? (?P<listed>{MESSAGES}){FROM}{TO_NAMED}
        (?:{SHOW} )?(?:every|each)(?: single)? (?P<listed>{MESSAGE}){FROM}{TO_NAMED}
        (?:{SHOW} |all (?:of )?){OF_BY} (?P<listed>{MESSAGES})
        {_EVERY}(?P<listed>{MESSAGES}) between (?P<to>{PAIR})
        {_EVERY}(?P<listed>{MESSAGES}) with (?P<to>{PEOPLE})
        {_EVERY}(?P<listed>{MESSAGES})(?: (?:from|by) {BY})? {WITH_FILES}
        {_EVERY}(?P<listed>{MESSAGES}) {WITH_FILES} (?:from|by) {BY}
        {_EVERY}(?P<listed>{_MARKED_ONES} {MESSAGES})(?: (?:from|by|of) {BY})?
        (?:which|what) (?P<listed>{MESSAGES}) (?:are|were|have been|got) {_MARKED_ONES}(?: by {BY})?
        (?:which|what) (?P<listed>{MESSAGES}) (?:did|has|have) {BY} {MARKED}
        {_EVERY}(?P<listed>{MESSAGES}|everything|anything)(?: (?:from|by) {BY})?
            (?: (?:where|in which|that|which))?
            (?: (?:someone|somebody|anyone|people|we))? (?:mention(?:s|ed|ing)?|contain(?:s|ing)?|says?
            |saying|includ(?:es?|ing)|with|about|regarding) {TERM}{SAID}(?: in (?:it|them))?
        {_IS_THERE}?(?:{_SOME} )?(?:new )?(?P<listed>{MESSAGES})(?P<timed>)
        {_IS_THERE}?(?:{_SOME} )?(?:new )?(?P<listed>{MESSAGES}) (?:from|by) {BY}{TO_NAMED}
        (?:what|which) (?:new )?(?P<listed>{MESSAGES}) (?:{_CAME}|{_GOT})(?: (?:from|by) {BY})?(?P<timed>)
    first_or_last:
        {LIST}{LAST}{SOME} {MESSAGES}{NOT_TO}{FROM}{TO_NAMED}
        {LIST}{LAST}{SOME} (?:{MESSAGES}|things)(?: that)? {BY} (?:has |have )?(?:{WRITE}|said){TO}
        {LIST}{OF_BY} {LAST}{SOME} {MESSAGES}{TO_NAMED}
""")

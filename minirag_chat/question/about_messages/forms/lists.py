"""Forms that ask for messages to be listed: the last five, all of somebody, those with a link or a word."""

from __future__ import annotations

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
    SAID,
    SHOW,
    SOME,
    TERM,
    TO,
    TO_NAMED,
    WITH_FILES,
    WRITE,
)
from minirag_chat.records import MetadataKind

_MARKED_ONES = r"(?P<marked>deleted|edited)"  # "delete messages from Ann" asks the program to do it
_EVERY = rf"(?:{SHOW} )?(?:(?:the|any|my|our|all(?: (?:of )?(?:the|my|our))?) )?"
_ALL_SAID = r"(?:everything|anything|all|whatever)(?: that)?"
LIST_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    (
        "last",
        rf"(?:{SHOW} )?(?P<listed>{_ALL_SAID}) {BY} (?:has |have )?(?:ever )?(?:{WRITE}|said){TO}",
    ),
    ("last", rf"(?:(?:all|the|all the|my|our) )?(?P<listed>{MESSAGES})(?P<timed>)"),
    ("last", rf"{SHOW} (?P<listed>what) {BY} (?:has |have )?(?:{WRITE}|said){TO}"),
    ("last", rf"(?:what|which) (?P<listed>{MESSAGES}) {AUX} {BY} {WRITE}{TO}"),
    ("last", rf"(?:all (?:(?:of )?the )?)?(?P<listed>{MESSAGES}) (?:from|by) {BY}{TO_NAMED}"),
    (
        "last",
        rf"{SHOW}(?: (?:the|our|my))? (?P<listed>{MESSAGES}){FROM}{TO_NAMED}",
    ),
    ("last", rf"(?:{SHOW} )?(?:every|each)(?: single)? (?P<listed>{MESSAGE}){FROM}{TO_NAMED}"),
    ("last", rf"(?:{SHOW} |all (?:of )?){OF_BY} (?P<listed>{MESSAGES})"),
    ("last", rf"{_EVERY}(?P<listed>{MESSAGES}) between (?P<to>{PAIR})"),
    ("last", rf"{_EVERY}(?P<listed>{MESSAGES}) with (?P<to>{PEOPLE})"),
    ("last", rf"{_EVERY}(?P<listed>{MESSAGES})(?: (?:from|by) {BY})? {WITH_FILES}"),
    ("last", rf"{_EVERY}(?P<listed>{MESSAGES}) {WITH_FILES} (?:from|by) {BY}"),
    ("last", rf"{_EVERY}(?P<listed>{_MARKED_ONES} {MESSAGES})(?: (?:from|by|of) {BY})?"),
    (
        "last",
        rf"(?:which|what) (?P<listed>{MESSAGES}) (?:are|were|have been|got) {_MARKED_ONES}(?: by {BY})?",
    ),
    ("last", rf"(?:which|what) (?P<listed>{MESSAGES}) (?:did|has|have) {BY} {MARKED}"),
    (
        "last",
        (
            rf"{_EVERY}(?P<listed>{MESSAGES})(?: (?:from|by) {BY})?(?: (?:where|in which|that|which))?"
            r"(?: (?:someone|somebody|anyone|people|we))? "
            rf"(?:mention(?:s|ed|ing)?|contain(?:s|ing)?|says?|saying|includ(?:es?|ing)|with) {TERM}{SAID}"
            r"(?: in (?:it|them))?"
        ),
    ),
    (None, rf"{LIST}{LAST}{SOME} {MESSAGES}{NOT_TO}{FROM}{TO_NAMED}"),
    (
        None,
        rf"{LIST}{LAST}{SOME} (?:{MESSAGES}|things)(?: that)? {BY} (?:has |have )?(?:{WRITE}|said){TO}",
    ),
    (None, rf"{LIST}{OF_BY} {LAST}{SOME} {MESSAGES}{TO_NAMED}"),
)

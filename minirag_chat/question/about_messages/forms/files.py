"""Forms that ask for photos, links, emoji and other files: how many, whose, the last one, or all of them."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.vocabulary import (
    ASKS,
    AUX,
    BY,
    EVER_ALL,
    FILES,
    HAVE,
    HERE,
    LAST,
    LIST,
    MESSAGES,
    MORE_OR_FEWER,
    MOST_OR_FEWEST,
    NTH,
    NTH_WORD,
    OF,
    PERSON,
    PUT,
    SENT_TO,
    SHARE,
    SHOW,
    SINCE,
    SOME,
    SOME_FILES,
    TO,
    TO_WHOM,
    WHICH_OF,
    WITH_FILES,
    WRITE,
    WRITES,
)
from minirag_chat.records import MetadataKind

_QUESTIONS = r"(?P<files>questions)"
_ASK = r"(?:asks?|asked)"
_ASKED_END = rf"(?:(?:{ASKS}|(?:show|give|find)(?: me| us)?) )?"
FILE_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    ("count", rf"how many {FILES} {AUX} {BY} (?:{SHARE}|exchanged?){TO}"),
    ("count", rf"how many {FILES} {AUX} (?P<to>{PERSON}) (?:get|got|received?) from {BY}"),
    ("count", rf"how many {FILES} (?:are|were|have been) {SHARE}(?: (?:by|from) {BY})?"),
    ("count", rf"how many {FILES} (?:(?:are|were) (?:there )?)?(?:by|from) {BY}"),
    ("count", rf"(?:how many|(?:total )?number of) {FILES}(?: (?:are there|{HAVE}))?"),
    ("count", rf"(?:how many|(?:total )?number of) {FILES}{HERE}"),
    ("count", rf"how many {MESSAGES}(?: (?:from|by) {BY})? {WITH_FILES}"),
    ("count", rf"how many {MESSAGES} {WITH_FILES} (?:from|by) {BY}"),
    (
        "most",
        rf"{WHICH_OF} (?:has |have )?(?:{SHARE}|{WRITES}|shares|uses){MOST_OR_FEWEST} {FILES}{OF}",
    ),
    ("most", rf"{AUX} (?P<by>{PERSON} {SHARE} {MORE_OR_FEWER} {FILES} than {PERSON})"),
    ("most", rf"{AUX} (?P<by>{PERSON} or {PERSON}) {SHARE} {MORE_OR_FEWER} {FILES}"),
    ("count", rf"how many {FILES} {AUX} (?P<me>{PERSON}) (?:get|got|received?)"),
    ("count", rf"how (?:often|many times) {AUX} {BY} (?:ever )?{PUT}{TO_WHOM}? {SOME_FILES}"),
    ("count", rf"how many {FILES} (?P<by>{PERSON})"),
    ("count", rf"{AUX} (?P<to>{PERSON}) (?:ever )?(?:get|got|received?) {SOME_FILES} from {BY}"),
    (None, rf"when did (?P<to>{PERSON}) {LAST} (?:get|receive) {SOME_FILES} from {BY}"),
    ("count", rf"(?:{AUX}|had) {BY}{EVER_ALL} {PUT}{TO_WHOM}? {SOME_FILES}"),
    ("count", rf"(?:{AUX}|had) {BY}{EVER_ALL} {PUT} {SOME_FILES}{TO_WHOM}"),
    ("count", rf"(?:is|are|was|were) there {SOME_FILES}(?: {PUT})?(?: (?:by|from) {BY})?"),
    ("count", rf"(?:was|were|has|have) {SOME_FILES} (?:ever )?(?:been )?{PUT}(?: by {BY})?"),
    ("count", rf"who(?: all| else)? (?:has |have )?{PUT}{TO_WHOM}? {SOME_FILES}"),
    (None, rf"who (?:has )?{PUT}{TO_WHOM}? (?:the )?{LAST} {FILES}"),
    (None, rf"who (?:has )?{LAST} {PUT}{TO_WHOM}? {SOME_FILES}"),
    (None, rf"who (?:has )?{PUT}{TO_WHOM}? {SOME_FILES} {LAST}"),
    (
        None,
        rf"who (?:is|was)(?: the)? {LAST}(?: person| one)? (?:to|who|that) {PUT} {SOME_FILES}",
    ),
    (
        None,
        rf"(?:when did|how long ago did|{SINCE}) {BY} {LAST} {PUT}{TO_WHOM}? {SOME_FILES}",
    ),
    (
        None,
        rf"(?:when did|how long ago did|{SINCE}) {BY} {LAST} {PUT} {SOME_FILES}{TO_WHOM}",
    ),
    (None, rf"when did {BY} {PUT}{TO_WHOM}? {SOME_FILES} {LAST}"),
    (None, rf"when did {BY} {PUT}{TO_WHOM}? (?:(?:the|his|her|their|its) )?{LAST} {FILES}"),
    (None, rf"when (?:is|was|were) {SOME_FILES} {LAST} {PUT}(?: by {BY})?"),
    (
        None,
        rf"{_ASKED_END}(?:the |our )?{LAST} {FILES}(?: {PUT})?(?: (?:(?:from|by) )?{BY})?{SENT_TO}",
    ),
    (None, rf"{_ASKED_END}{BY}['\u2019]s? {LAST} {FILES}{SENT_TO}"),
    (
        None,
        (
            rf"{_ASKED_END}(?:the )?{LAST} {FILES}(?: that)? {BY} (?:has |have )?(?:ever )?"
            rf"{PUT}{TO}"
        ),
    ),
    ("most", rf"{WHICH_OF} (?:has |have )?{_ASK}{MOST_OR_FEWEST} {_QUESTIONS}{OF}"),
    ("most", rf"{AUX} (?P<by>{PERSON} {_ASK} more {_QUESTIONS} than {PERSON})"),
    ("most", rf"{AUX} (?P<by>{PERSON} or {PERSON}) {_ASK} more {_QUESTIONS}"),
    ("count", rf"how many {_QUESTIONS} {AUX} {BY} {_ASK}{TO}"),
    ("count", rf"how many {_QUESTIONS} (?:were|have been) {_ASK}(?: by {BY})?"),
    (
        None,
        rf"(?:{ASKS} )?(?:the )?{LAST} (?P<files>question)(?: that)? {BY} (?:(?:has|have|ever) )?{_ASK}{TO}",
    ),
)
"""Forms of files, of which "the photo" is one that the question does not ask to be found."""
_USED_MOST = rf"(?: the)?{NTH}most(?: (?:often|frequently|commonly))?"
_USED = r"(?:used|sent|said|written|common|frequent|popular)"
_MOST_USED = rf"(?:{NTH_WORD}[ -])?most(?: frequently| often| commonly)?[ -]?{_USED}|top"


def _used_most(
    asks: MetadataKind, what: str, most_used: str
) -> tuple[tuple[MetadataKind, str], ...]:
    """The forms that ask which of the things that messages have was used most."""
    which = rf"(?:what|which) {what}"
    return (
        (asks, rf"{which} {AUX} {BY} (?:use|say|{WRITE}){_USED_MOST}"),
        (asks, rf"{which} (?:is|are|was|were) {_USED}{_USED_MOST}(?: by {BY})?"),
        (asks, rf"{which} (?:is|are|was|were) (?:the )?{most_used}(?: (?:of|by) {BY})?"),
        (asks, rf"(?:what (?:is|are|was|were) )?{BY}['\u2019]s? {most_used} {what}"),
        (
            asks,
            rf"(?:what (?:is|are|was|were) )?(?:the |our )?{most_used} {what}(?: (?:of|by) {BY})?",
        ),
    )


EMOJI_FORMS = _used_most("favourite", r"(?P<files>emojis?)", rf"(?:{_MOST_USED}|favou?rite)")
USED_WORD_FORMS = _used_most("favourite word", "words?", rf"(?:{_MOST_USED})")
_ANY = r"(?:(?:any|all|all the|the|my|our) )?"
FILE_LIST_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    ("last", rf"(?:what|which) (?P<listed>{FILES}) {AUX} {BY} {SHARE}{TO}"),
    (
        "last",
        rf"(?:what|which) (?P<listed>{FILES}) (?:were|was|have been|are) {SHARE}(?: by {BY})?",
    ),
    (
        "last",
        rf"{SHOW}(?: (?:the|our|my))? (?P<listed>{FILES})(?: {SHARE})?(?: (?:from|by|of) {BY})?{TO}",
    ),
    (
        "last",
        rf"{SHOW}(?: the)? (?P<listed>{FILES})(?: that)? {BY} (?:has |have )?{SHARE}{TO}",
    ),
    ("last", rf"{SHOW} {BY}['\u2019]s? (?P<listed>{FILES})"),
    ("last", rf"{_ANY}(?P<listed>{FILES})(?<=s)(?: {SHARE})?(?: (?:from|by) {BY})?"),
    ("last", rf"{_ANY}(?P<listed>{FILES})(?<=s)(?: that)? {BY} (?:has |have )?{SHARE}{TO}"),
    ("last", rf"(?P<listed>{FILES})(?<!s) (?:from|by) {BY}"),
    ("last", rf"{BY}['\u2019]s (?P<listed>{FILES})(?<=s)"),
    (
        None,
        rf"{LIST}{LAST}{SOME} {FILES}(?<=s)(?: {PUT}| that)?(?: (?:from|by) {BY})?{SENT_TO}",
    ),
    (None, rf"{LIST}{LAST}{SOME} {FILES}(?<=s)(?: that)? {BY} (?:has |have )?{PUT}{TO}"),
    (
        None,
        rf"{LIST}{LAST}{SOME} {_QUESTIONS}(?: that)? {BY} (?:(?:has|have) )?{_ASK}{TO}",
    ),
    ("last", rf"(?:what|which) (?P<listed>{_QUESTIONS}) {AUX} {BY} {_ASK}{TO}"),
    (None, rf"{LIST}{BY}['\u2019]s? {LAST}{SOME} {FILES}(?<=s){SENT_TO}"),
)

"""Forms that ask for photos, links, emoji and other files: how many, whose, the last one, or all of them."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import Row, table
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

_QUESTIONS = r"(?P<files>questions)"
_ASK = r"(?:asks?|asked)"
_ASKED = r"(?P<files>asks?|asked)"
_ASKED_END = rf"(?:(?:{ASKS}|(?:show|give|find)(?: me| us)?) )?"
FILE_FORMS = table(rf"""
    count:
        how many {FILES} {AUX} {BY} (?:{SHARE}|exchanged?){TO}
        how many {FILES} {AUX} (?P<to>{PERSON}) (?:get|got|received?) from {BY}
        how many {FILES} (?:are|were|have been) {SHARE}(?: (?:by|from) {BY})?
        how many {FILES} (?:(?:are|were) (?:there )?)?(?:by|from) {BY}
        (?:how many|(?:total )?number of) {FILES}(?: (?:are there|{HAVE}))?
        (?:how many|(?:total )?number of) {FILES}{HERE}
        how many {MESSAGES}(?: (?:from|by) {BY})? {WITH_FILES}
        how many {MESSAGES} {WITH_FILES} (?:from|by) {BY}
    most:
        {WHICH_OF} (?:has |have )?(?:{SHARE}|{WRITES}|shares|uses){MOST_OR_FEWEST} {FILES}{OF}
        {AUX} (?P<by>{PERSON} {SHARE} {MORE_OR_FEWER} {FILES} than {PERSON})
        {AUX} (?P<by>{PERSON} or {PERSON}) {SHARE} {MORE_OR_FEWER} {FILES}
    count:
        how many {FILES} {AUX} (?P<me>{PERSON}) (?:get|got|received?)
        how (?:often|many times) {AUX} {BY} (?:ever )?{PUT}{TO_WHOM}? {SOME_FILES}
        how many {FILES} (?P<by>{PERSON})
        {AUX} (?P<to>{PERSON}) (?:ever )?(?:get|got|received?) {SOME_FILES} from {BY}
    first_or_last:
        when did (?P<to>{PERSON}) {LAST} (?:get|receive) {SOME_FILES} from {BY}
    count:
        (?:{AUX}|had) {BY}{EVER_ALL} {PUT}{TO_WHOM}? {SOME_FILES}
        (?:{AUX}|had) {BY}{EVER_ALL} {PUT} {SOME_FILES}{TO_WHOM}
        (?:is|are|was|were) there {SOME_FILES}(?: {PUT})?(?: (?:by|from) {BY})?
        (?:was|were|has|have) {SOME_FILES} (?:ever )?(?:been )?{PUT}(?: by {BY})?
        who(?: all| else)? (?:has |have )?{PUT}{TO_WHOM}? {SOME_FILES}
    first_or_last:
        who (?:has )?{PUT}{TO_WHOM}? (?:the )?{LAST} {FILES}
        who (?:has )?{LAST} {PUT}{TO_WHOM}? {SOME_FILES}
        who (?:has )?{PUT}{TO_WHOM}? {SOME_FILES} {LAST}
        who (?:is|was)(?: the)? {LAST}(?: person| one)? (?:to|who|that) {PUT} {SOME_FILES}
        (?:when did|how long ago did|{SINCE}) {BY} {LAST} {PUT}{TO_WHOM}? {SOME_FILES}
        (?:when did|how long ago did|{SINCE}) {BY} {LAST} {PUT} {SOME_FILES}{TO_WHOM}
        when did {BY} {PUT}{TO_WHOM}? {SOME_FILES} {LAST}
        when did {BY} {PUT}{TO_WHOM}? (?:(?:the|his|her|their|its) )?{LAST} {FILES}
        when (?:is|was|were) {SOME_FILES} {LAST} {PUT}(?: by {BY})?
        {_ASKED_END}(?:the |our )?{LAST} {FILES}(?: {PUT})?(?: (?:(?:from|by) )?{BY})?{SENT_TO}
        {_ASKED_END}{BY}['\u2019]s? {LAST} {FILES}{SENT_TO}
        {_ASKED_END}(?:the )?{LAST} {FILES}(?: that)? {BY} (?:has |have )?(?:ever )?{PUT}{TO}
    most:
        {WHICH_OF} (?:has |have )?{_ASK}{MOST_OR_FEWEST} {_QUESTIONS}{OF}
        {AUX} (?P<by>{PERSON} {_ASK} more {_QUESTIONS} than {PERSON})
        {AUX} (?P<by>{PERSON} or {PERSON}) {_ASK} more {_QUESTIONS}
    count:
        how many {_QUESTIONS} {AUX} {BY} {_ASK}{TO}
        how many {_QUESTIONS} (?:were|have been) {_ASK}(?: by {BY})?
    first_or_last:
        (?:{ASKS} )?(?:the )?{LAST} (?P<files>question)(?: that)? {BY} (?:(?:has|have|ever) )?{_ASK}{TO}
""")
"""Forms of files, of which "the photo" is one that the question does not ask to be found."""
_USED_MOST = rf"(?: the)?{NTH}most(?: (?:often|frequently|commonly))?"
_USED = r"(?:used|sent|said|written|common|frequent|popular)"
_MOST_USED = rf"(?:{NTH_WORD}[ -])?most(?: frequently| often| commonly)?[ -]?{_USED}|top"


def _used_most(asks: str, what: str, most_used: str) -> tuple[Row, ...]:
    """The forms that ask which of the things that messages have was used most."""
    which = rf"(?:what|which) {what}"
    return table(rf"""
        {asks}:
            {which} {AUX} {BY} (?:use|say|{WRITE}){_USED_MOST}
            {which} (?:is|are|was|were) {_USED}{_USED_MOST}(?: by {BY})?
            {which} (?:is|are|was|were) (?:the )?{most_used}(?: (?:of|by) {BY})?
            (?:what (?:is|are|was|were) )?{BY}['\u2019]s? {most_used} {what}
            (?:what (?:is|are|was|were) )?(?:the |our )?{most_used} {what}(?: (?:of|by) {BY})?
    """)


EMOJI_FORMS = _used_most("emoji", r"(?P<files>emojis?)", rf"(?:{_MOST_USED}|favou?rite)")
USED_WORD_FORMS = _used_most("words_used", "words?", rf"(?:{_MOST_USED})")
_ANY = r"(?:(?:any|all|all the|the|my|our) )?"
FILE_LIST_FORMS = table(rf"""
    last:
        (?:what|which) (?P<listed>{FILES}) {AUX} {BY} {SHARE}{TO}
        (?:what|which) (?P<listed>{FILES}) (?:were|was|have been|are) {SHARE}(?: by {BY})?
        {SHOW}(?: (?:the|our|my))? (?P<listed>{FILES})(?: {SHARE})?(?: (?:from|by|of) {BY})?{TO}
        {SHOW}(?: the)? (?P<listed>{FILES})(?: that)? {BY} (?:has |have )?{SHARE}{TO}
        {SHOW} {BY}['\u2019]s? (?P<listed>{FILES})
        {_ANY}(?P<listed>{FILES})(?<=s)(?: {SHARE})?(?: (?:from|by) {BY})?
        {_ANY}(?P<listed>{FILES})(?<=s)(?: that)? {BY} (?:has |have )?{SHARE}{TO}
        (?P<listed>{FILES})(?<!s) (?:from|by) {BY}
        {BY}['\u2019]s (?P<listed>{FILES})(?<=s)
    first_or_last:
        {LIST}{LAST}{SOME} {FILES}(?<=s)(?: {PUT}| that)?(?: (?:from|by) {BY})?{SENT_TO}
        {LIST}{LAST}{SOME} {FILES}(?<=s)(?: that)? {BY} (?:has |have )?{PUT}{TO}
        {LIST}{LAST}{SOME} {_QUESTIONS}(?: that)? {BY} (?:(?:has|have) )?{_ASK}{TO}
    last:
        (?:what|which) (?P<listed>{_QUESTIONS}) {AUX} {BY} {_ASK}{TO}
        what {AUX} {BY} (?:ever )?(?P<listed>{_ASKED}){TO}
        {SHOW}(?: the)? (?P<listed>{_QUESTIONS}) (?:from|by|of) {BY}{TO}
        {SHOW} {BY}['\u2019]s? (?P<listed>{_QUESTIONS})
    first_or_last:
        {LIST}{BY}['\u2019]s? {LAST}{SOME} {FILES}(?<=s){SENT_TO}
""")

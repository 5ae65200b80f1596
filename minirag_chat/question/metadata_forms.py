"""The forms of questions about the messages themselves, as regular expressions."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.marks import NAMES, SIGN, WORD
from minirag_chat.records import MetadataKind
from minirag_chat.times.patterns import NUMBERS

# In the text that is matched each name is a mark, which no question contains.
PERSON = f"[{NAMES}]"
_PEOPLE = rf"{PERSON}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|or)\s+){PERSON})*"
_ANYONE = rf"(?:(?:both |either )?{_PEOPLE}|we|everyone|(?:any|some)(?:one|body)|people)"
_BY = rf"(?P<by>{_ANYONE})"
_TO = rf"(?: (?:(?:to|with) )?(?P<to>{_PEOPLE}|us|each other))?"
_TO_NAMED = rf"(?: (?:to|with) (?P<to>{_PEOPLE}|us|each other))?"  # "last message Ben" is from Ben
_FROM = rf"(?: (?:(?:from|by|of) )?{_BY})?"
_OF_BY = rf"{_BY}(?:['\u2019]s?)?"
_NOT_TO = rf"(?: (?:sent|written)(?! {PERSON}))?"
_MESSAGES = r"(?:(?:chat|text) )?(?:messages|texts|msgs)"
_MESSAGE = r"(?:(?:chat|text) )?(?:message|text)"
_WRITE = r"(?:send|sent|write|written|wrote|post(?:ed)?|text(?:ed)?|messaged?)"
_WRITES = r"(?:sends|writes|posts|texts|messages)"
_NTH_WORD = r"(?P<nth>second|third|fourth|2nd|3rd|4th)"
_NTH = rf"(?: {_NTH_WORD})?[ -]"
_WITH, _MOST = r"(?: (?:to|with))?", rf"(?: the)?{_NTH}(?:most|more)(?: often)?"
_FEWEST = rf"(?: the)?{_NTH}(?:fewest|least|fewer|less)(?: often)?"
_TALK = r"(?:talk(?:ed)?|chat(?:ted)?|sp(?:eak|oke|oken)|(?:send|sent|exchanged?) messages)"
_LAST = r"(?:very )?(?P<which>last|latest|most recent(?:ly)?|newest|first|earliest|oldest)"
LAST = re.sub(r"\(\?P<which>", "(?:", _LAST)
_WHICH_OF = r"(?:who|which (?:one )?of (?:us|them|the two))"
_WHO_WRITES = rf"{_WHICH_OF} (?:has |have )?(?:{_WRITE}|{_WRITES}|{_TALK}|talks)"
_MORE_ACTIVE = r"(?:more (?:active|talkative|chatty)|chattier)"
_LESS_ACTIVE = r"(?:less (?:active|talkative|chatty)|quieter)"
_OF = rf"(?:(?: (?:in|on|at|during|of|among|between|out of))?\s*[,:]?\s*{_BY})?"
_COMPARED = (
    rf"(?: often)?(?: {_MESSAGES})?(?: (?:in|on|at|during))? than {PERSON})"
    r"(?: (?:did|does|do|has|have))?"
)
_HAVE = rf"(?:do|does) (?:i|you|we|(?P<has>{PERSON})) have"
_CHATS = r"(?:which|what|how many|(?:total )?number of) (?:group )?(?:chats|groups|conversations)"
_OWN = rf"(?:(?:the|my|our|these|this|all|(?P<has>{PERSON})['\u2019]s?) )*"
_HERE = rf"(?: (?:are|is) in {_OWN}(?:chats?|messages|database))?"
_AUX = r"(?:did|do|does|has|have)"
_EVER_ALL = f"(?: (?:ever|all)|(?<={PERSON}) both)?"
_ASKS = r"(?:what|when|which|how long ago) (?:is|was)"
_TIME = (
    r"(?P<unit>days? of the week|week ?days?|time of (?:the )?day|days?|date|weeks?|months?|years?|hour"
    r"|time)"
)
_WHICH_TIME = rf"(?:(?:in|on|at|during) )?(?:which|what) {_TIME}"
_EXTREME = rf"(?:the )?(?:{_NTH_WORD}[ -])?(?P<extreme>most|fewest|least|fewer|more)"
_ACTIVE = (
    r"(?P<extreme>busiest|most (?:active|talkative|chatty)|chattiest|quietest"
    r"|least (?:active|talkative|chatty))"
)
_IS_ACTIVE = (
    rf"(?:is|was|are|were|has|have) (?:been )?(?:the )?(?:chat |group |{_BY} )?(?:been )?(?:the )?"
    rf"{_ACTIVE}"
)
_FROM_BY = rf"(?: {_WRITE})?(?: (?:from|by) {_BY})?"
_HAS = r"(?:has|have|had|saw|got|with|is there|are there|were there|was there)"
USUALLY = r"(?:usually|normally|typically|mostly|generally)"
_USUAL_TIME = (
    r"(?:(?:at|on) )?(?:what|which)"
    r" (?P<unit>times?(?: of (?:the )?day)?|hours?|day of the week|week ?day)"
)
_PAIR = rf"{PERSON}(?:\s*,\s*{PERSON})*,? and {PERSON}"
_TO_WHOM = rf"(?: (?:(?:to|with) )?(?P<to>{_PEOPLE}|us|each other))"
_WRITES_MOST = (
    rf"{_AUX} {_BY} (?:{_WRITE}|{_TALK}|exchanged?) {_EXTREME}(?: often)?(?: {_MESSAGES})?{_TO}"
)
_TIMES: tuple[str, ...] = (
    rf"{_WHICH_TIME} (?:(?:{_HAS}|is|are|was|were) )?{_EXTREME} {_MESSAGES}{_FROM_BY}",
    rf"(?:{_WHICH_TIME}|when) {_WRITES_MOST}",
    (
        rf"(?:{_WHICH_TIME}|when) {_AUX} {_BY} (?:{_WRITE}|{_TALK}|exchanged?){_TO_WHOM} {_EXTREME}"
        rf"(?: often)?(?: {_MESSAGES})?"
    ),
    rf"(?:{_USUAL_TIME}|when) {_AUX} {_BY} {USUALLY} (?:{_WRITE}|{_TALK})(?: {_MESSAGES})?{_TO}",
    rf"(?:{_WHICH_TIME}|when) {_IS_ACTIVE}",
    rf"(?:(?:what|which) (?:is|was|are|were) )?(?:the |our |my |{_BY}['\u2019]s? ){_ACTIVE} {_TIME}",
    rf"(?:(?:what|which) (?:is|was) )?(?:the |our |my )?{_ACTIVE} {_TIME} with (?P<to>{_PEOPLE})",
    rf"when (?:is|are|was|were) {_EXTREME} {_MESSAGES}{_FROM_BY}",
)
_FILES = (
    r"(?P<files>photos?|photographs?|pictures?|pics?|images?|video (?:notes?|messages?)|videos?"
    r"|voice (?:notes?|messages?|memos?)|audio files?|audios?|stickers?|gifs?|files?|attachments?|links?"
    r"|urls?|hearts?(?: emojis?)?|emojis?)"
)
COUNTED = re.sub(r"\(\?P<\w+>", "(?:", rf"(?:{_MESSAGES}|{_FILES})")
_SHARE = rf"(?:{_WRITE}|shared?|used?)"
_PUT = (  # people also use pictures and files that they do not send
    r"(?:sends?|sent|shares?|shared|post(?:s|ed)?|upload(?:s|ed)?"
    r"|used?(?= (?:(?:any|some|an?|the|one) )?(?:\w+ )?(?:emoji|heart|sticker|gif)))"
)
_SOME_FILES = rf"(?:(?:any|some|an?|one) )?{_FILES}"
_ASKED_END = rf"(?:(?:{_ASKS}|(?:show|give|find)(?: me| us)?) )?"
_WITH_FILES = rf"(?:with|have|had|contain(?:ing)?) {_SOME_FILES}"
_SENT_TO = (
    rf"(?: (?:to|with) (?P<to>{_PEOPLE}|us|each other))?(?!\s+of\W*$)"  # not "the last photo of?"
)
_EACH = rf"(?:per|each|every|an?|by) {_TIME}"
_ONE_CHAT = r"(?:group )?(?:chat|group|conversation)"
_LARGEST = r"(?P<extreme>most active|busiest|largest|biggest|longest|least active|quietest|smallest|shortest)"
_SINCE = (
    r"how (?:long|many (?:hours|days|weeks|months|years))"
    r"(?: (?:ago )?(?:(?:is|was) it|has it been|it is|it has been|it['\u2019]s been))? since"
)
_LONGEST = r"(?:what|when|how long) (?:is|was) (?:the |our )?longest"
_BETWEEN = rf"(?: (?:between {_MESSAGES}|(?:between|with) (?P<to>{_PEOPLE}|us)))?"
_RATE_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    ("average", rf"how many {_MESSAGES} {_AUX} {_BY} {_WRITE}{_TO} {_EACH}"),
    ("average", rf"how many {_MESSAGES} {_EACH} {_AUX} {_BY} {_WRITE}{_TO}"),
    ("average", rf"how many {_MESSAGES}(?: (?:are|were)(?: (?:there|{_WRITE}))?)? {_EACH}"),
    (
        "average",
        rf"(?:what is )?(?:the )?average number of {_MESSAGES}(?: (?:from|by) {_BY})? {_EACH}",
    ),
    ("average", rf"how often (?:do|does) {_BY} {_WRITE}(?: {_MESSAGES})?{_TO}"),
    ("days", rf"(?:on )?how many days {_AUX} {_BY} (?:{_WRITE}|{_TALK}){_TO}"),
    ("when", rf"(?:when|(?:on )?(?:which|what) days) did {_BY} {_WRITE}{_TO}"),
    ("latest", r"who is latest by the clock"),
    (
        "silent",
        (
            rf"who (?:did not|didn['\u2019]?t|has not|hasn['\u2019]?t|(?:has )?never)(?: ever)? {_WRITE}"
            rf"(?: (?:anything|{_MESSAGES}|(?:a|any) (?:{_MESSAGE}|{_MESSAGES})|at all))?"
        ),
    ),
    ("silence", rf"{_LONGEST} (?:silence|gap|break|pause)(?: (?:in|of) writing)?{_BETWEEN}"),
    ("silence", rf"(?:the |our )?longest (?:silence|gap){_BETWEEN}"),
    (
        "silence",
        rf"{_LONGEST} (?:time|period|stretch) (?:without|with no|between) {_MESSAGES}{_BETWEEN}",
    ),
    ("largest", rf"(?:which|what) {_ONE_CHAT} (?:has|had|got) {_EXTREME} {_MESSAGES}"),
    ("largest", rf"{_LARGEST} {_ONE_CHAT}"),
    ("largest", rf"(?:which|what) {_ONE_CHAT} (?:is|was) (?:the )?{_LARGEST}"),
    ("largest", rf"(?:which|what) is (?:the |our |my )?{_LARGEST} {_ONE_CHAT}"),
    (
        "largest",
        (
            rf"(?:in )?(?:which|what) {_ONE_CHAT} {_AUX} {_BY} (?:{_WRITE}|{_TALK}|use) {_EXTREME}"
            rf"(?: often)?(?: {_MESSAGES})?"
        ),
    ),
)
_FILE_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    ("count", rf"how many {_FILES} {_AUX} {_BY} (?:{_SHARE}|exchanged?){_TO}"),
    ("count", rf"how many {_FILES} {_AUX} (?P<to>{PERSON}) (?:get|got|received?) from {_BY}"),
    ("count", rf"how many {_FILES} (?:are|were|have been) {_SHARE}(?: (?:by|from) {_BY})?"),
    ("count", rf"how many {_FILES} (?:(?:are|were) (?:there )?)?(?:by|from) {_BY}"),
    ("count", rf"(?:how many|(?:total )?number of) {_FILES}(?: (?:are there|{_HAVE}))?"),
    ("count", rf"(?:how many|(?:total )?number of) {_FILES}{_HERE}"),
    ("count", rf"how many {_MESSAGES}(?: (?:from|by) {_BY})? {_WITH_FILES}"),
    ("count", rf"how many {_MESSAGES} {_WITH_FILES} (?:from|by) {_BY}"),
    (
        "most",
        rf"{_WHICH_OF} (?:has |have )?(?:{_SHARE}|{_WRITES}|shares|uses){_MOST} {_FILES}{_OF}",
    ),
    (
        "fewest",
        rf"{_WHICH_OF} (?:has |have )?(?:{_SHARE}|{_WRITES}|shares|uses){_FEWEST} {_FILES}{_OF}",
    ),
    ("most", rf"{_AUX} (?P<by>{PERSON} {_SHARE} more {_FILES} than {PERSON})"),
    ("fewest", rf"{_AUX} (?P<by>{PERSON} {_SHARE} (?:less|fewer) {_FILES} than {PERSON})"),
    ("most", rf"{_AUX} (?P<by>{PERSON} or {PERSON}) {_SHARE} more {_FILES}"),
    ("fewest", rf"{_AUX} (?P<by>{PERSON} or {PERSON}) {_SHARE} (?:less|fewer) {_FILES}"),
    ("count", rf"how many {_FILES} {_AUX} (?P<me>{PERSON}) (?:get|got|received?)"),
    ("count", rf"how (?:often|many times) {_AUX} {_BY} (?:ever )?{_PUT}{_TO_WHOM}? {_SOME_FILES}"),
    ("count", rf"how many {_FILES} (?P<by>{PERSON})"),
    ("count", rf"{_AUX} (?P<to>{PERSON}) (?:ever )?(?:get|got|received?) {_SOME_FILES} from {_BY}"),
    (None, rf"when did (?P<to>{PERSON}) {_LAST} (?:get|receive) {_SOME_FILES} from {_BY}"),
    ("count", rf"(?:{_AUX}|had) {_BY}{_EVER_ALL} {_PUT}{_TO_WHOM}? {_SOME_FILES}"),
    ("count", rf"(?:{_AUX}|had) {_BY}{_EVER_ALL} {_PUT} {_SOME_FILES}{_TO_WHOM}"),
    ("count", rf"(?:is|are|was|were) there {_SOME_FILES}(?: {_PUT})?(?: (?:by|from) {_BY})?"),
    ("count", rf"(?:was|were|has|have) {_SOME_FILES} (?:ever )?(?:been )?{_PUT}(?: by {_BY})?"),
    ("count", rf"who(?: all| else)? (?:has |have )?{_PUT}{_TO_WHOM}? {_SOME_FILES}"),
    (None, rf"who (?:has )?{_PUT}{_TO_WHOM}? (?:the )?{_LAST} {_FILES}"),
    (None, rf"who (?:has )?{_LAST} {_PUT}{_TO_WHOM}? {_SOME_FILES}"),
    (None, rf"who (?:has )?{_PUT}{_TO_WHOM}? {_SOME_FILES} {_LAST}"),
    (
        None,
        rf"who (?:is|was)(?: the)? {_LAST}(?: person| one)? (?:to|who|that) {_PUT} {_SOME_FILES}",
    ),
    (
        None,
        rf"(?:when did|how long ago did|{_SINCE}) {_BY} {_LAST} {_PUT}{_TO_WHOM}? {_SOME_FILES}",
    ),
    (
        None,
        rf"(?:when did|how long ago did|{_SINCE}) {_BY} {_LAST} {_PUT} {_SOME_FILES}{_TO_WHOM}",
    ),
    (None, rf"when did {_BY} {_PUT}{_TO_WHOM}? {_SOME_FILES} {_LAST}"),
    (None, rf"when did {_BY} {_PUT}{_TO_WHOM}? (?:(?:the|his|her|their|its) )?{_LAST} {_FILES}"),
    (None, rf"when (?:is|was|were) {_SOME_FILES} {_LAST} {_PUT}(?: by {_BY})?"),
    (
        None,
        rf"{_ASKED_END}(?:the |our )?{_LAST} {_FILES}(?: {_PUT})?(?: (?:(?:from|by) )?{_BY})?{_SENT_TO}",
    ),
    (None, rf"{_ASKED_END}{_BY}['\u2019]s? {_LAST} {_FILES}{_SENT_TO}"),
    (
        None,
        (
            rf"{_ASKED_END}(?:the )?{_LAST} {_FILES}(?: that)? {_BY} (?:has |have )?(?:ever )?"
            rf"{_PUT}{_TO}"
        ),
    ),
)
"""Forms of files, of which "the photo" is one that the question does not ask to be found."""


def _of_length(
    one: MetadataKind, many: MetadataKind, most: str, more: str
) -> tuple[tuple[MetadataKind, str], ...]:
    """The forms that ask for the longest message, and for who writes the longest ones; or the shortest."""
    sent = rf"(?:has |have )?(?:ever )?{_WRITE}"
    return (
        (
            one,
            rf"(?:{_ASKS} )?(?:(?:the|our) )?{most} {_MESSAGE}(?: {sent}(?! {PERSON}))?{_FROM}{_TO_NAMED}",
        ),
        (one, rf"(?:(?:{_ASKS}|how long (?:is|was)) )?{_OF_BY} {most} {_MESSAGE}{_TO_NAMED}"),
        (one, rf"(?:what|which) {_MESSAGE}(?: (?:from|by|of) {_BY})? (?:is|was) (?:the )?{most}"),
        (one, rf"{_ASKS} the {most} {_MESSAGE}(?: that)? {_BY} {sent}{_TO}"),
        (one, rf"who {sent}(?: the)? {most} {_MESSAGE}"),
        (
            many,
            (
                rf"{_WHICH_OF} (?:has |have )?(?:{_WRITE}|{_WRITES})(?: the)? (?:{most}|{more})"
                rf" {_MESSAGES}{_OF}"
            ),
        ),
    )


_LENGTH_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    *_of_length("longest", "wordiest", "longest", "longer"),
    *_of_length("shortest", "briefest", "shortest", "shorter"),
    (
        "wordiest",
        (
            rf"how long (?:is|are|was|were) {_BY}['\u2019]s? "
            rf"(?:average {_MESSAGE}|(?:average )?{_MESSAGES})"
        ),
    ),
    ("wordiest", rf"(?:what is )?(?:the )?average length of {_BY}['\u2019]s? {_MESSAGES}"),
    ("wordiest", rf"(?:what is )?(?:the )?average length of {_MESSAGES} (?:from|by) {_BY}"),
    ("wordiest", rf"(?:what is )?{_BY}['\u2019]s? average {_MESSAGE} length"),
)
_EMOJI = r"(?P<files>emojis?)"
_USED_MOST = rf"(?: the)?{_NTH}most(?: (?:often|frequently|commonly))?"
_USED = r"(?:used|sent|common|frequent|popular)"
_FAVOURITE = (
    rf"(?:(?:{_NTH_WORD}[ -])?most(?: frequently| often| commonly)?[ -]?{_USED}|favou?rite|top)"
)
_EMOJI_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    ("favourite", rf"(?:what|which) {_EMOJI} {_AUX} {_BY} (?:use|{_WRITE}){_USED_MOST}"),
    (
        "favourite",
        rf"(?:what|which) {_EMOJI} (?:is|are|was|were) {_USED}{_USED_MOST}(?: by {_BY})?",
    ),
    (
        "favourite",
        rf"(?:what|which) {_EMOJI} (?:is|are|was|were) (?:the )?{_FAVOURITE}(?: (?:of|by) {_BY})?",
    ),
    ("favourite", rf"(?:what (?:is|are|was|were) )?{_BY}['\u2019]s? {_FAVOURITE} {_EMOJI}"),
    (
        "favourite",
        rf"(?:what (?:is|are|was|were) )?(?:the |our )?{_FAVOURITE} {_EMOJI}(?: (?:of|by) {_BY})?",
    ),
)
_SAID = f"[{WORD}{SIGN}]"
_TERM = r"(?:the (?:words?|phrase|expression|term|name) |(?:the|an?) )?"
_SAY = r"(?:says?|said|writes?|wrote|written|uses?|used|types?|typed|mention|mentions|mentioned)"
_MENTIONED = r"(?:mentioned|said|written|used|discussed|(?:talked|spoken) about|brought up)"
_SPELL = r"(?:say|said|write|wrote|written|type|typed)"
_HOW_OFTEN = r"how (?:many times|often)"
_WORD_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    (
        None,
        rf"when (?:is|was) {_TERM}{_SAID} {_LAST} {_MENTIONED}(?: by {_BY})?",
    ),
    (None, rf"when did {_BY} {_LAST} (?:{_TALK}|discuss) (?:about |of )?{_TERM}{_SAID}"),
    (None, rf"when did {_BY} (?:{_TALK}|discuss) (?:about |of )?{_TERM}{_SAID} {_LAST}"),
    (None, rf"when did {_BY} {_LAST} {_SAY} {_TERM}{_SAID}"),
    (None, rf"when did {_BY} {_SAY} {_TERM}{_SAID} (?:for the )?{_LAST}(?: time)?"),
    (
        None,
        rf"when (?:is|was) the {_LAST} time(?: that)? {_TERM}{_SAID} (?:is|was|got) {_MENTIONED}",
    ),
    ("last", rf"search (?:{_OWN}(?:{_MESSAGES}|chats) )?(?:for )?{_TERM}(?P<listed>{_SAID})"),
    (None, rf"who {_LAST} {_SAY} {_TERM}{_SAID}"),
    (None, rf"who {_SAY} {_TERM}{_SAID} {_LAST}"),
    ("count", rf"{_HOW_OFTEN} {_AUX} {_BY} (?:ever )?{_SAY} {_TERM}{_SAID}"),
    (
        "count",
        (
            rf"{_HOW_OFTEN} (?:is|are|was|were|{_AUX}) {_TERM}{_SAID} (?:been )?"
            rf"(?:mentioned|said|written|used|typed|come up|appear|occur)(?: by {_BY})?"
        ),
    ),
    (
        "count",
        (
            rf"how many {_MESSAGES}(?: (?:from|by|of) {_BY})? (?:that )?"
            rf"(?:mention|contain|include|have|say|use|with|mentioning|containing) {_TERM}{_SAID}"
        ),
    ),
    ("count", rf"{_AUX} {_BY}{_EVER_ALL} {_SPELL} {_TERM}{_SAID}"),
    ("most", rf"{_WHICH_OF} (?:has |have )?{_SAY} {_TERM}{_SAID}{_MOST}{_OF}"),
    ("fewest", rf"{_WHICH_OF} (?:has |have )?{_SAY} {_TERM}{_SAID}{_FEWEST}{_OF}"),
)
_SIGNS = rf"{SIGN}(?:['\u2019]?s)?(?: emojis?)?"
_A_SIGN = rf"(?:(?:the|an?|any) )?(?:emoji )?{_SIGNS}"
_SEND = rf"(?:{_WRITE}|{_WRITES}|says?|said|uses?|used|types?|typed)"
_SENT = r"(?:sent|written|used|posted)"
_SIGN_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    ("count", rf"{_AUX} {_BY}{_EVER_ALL} {_SEND}{_TO_WHOM}? {_A_SIGN}"),
    ("count", rf"{_AUX} {_BY}{_EVER_ALL} {_SEND} {_A_SIGN}{_TO_WHOM}"),
    ("count", rf"{_HOW_OFTEN} {_AUX} {_BY} (?:ever )?{_SEND}{_TO_WHOM}? (?:{_A_SIGN}|{WORD})"),
    ("count", rf"{_HOW_OFTEN} {_AUX} {_BY} (?:ever )?{_SEND} (?:{_A_SIGN}|{WORD}){_TO_WHOM}"),
    ("count", rf"how many {_SIGNS} {_AUX} {_BY} {_SEND}{_TO_WHOM}?"),
    (
        "count",
        rf"how many {_SIGNS}(?: (?:are there|were there|(?:were|have been) {_SENT}))?(?: (?:by|from) {_BY})?",
    ),
    (
        "count",
        rf"how many {_MESSAGES} {_AUX} {_BY} {_WRITE}{_TO_WHOM}? (?:with|containing) (?:{_A_SIGN}|{WORD})",
    ),
    ("most", rf"{_WHICH_OF} (?:has |have )?{_SEND}{_MOST} {_SIGNS}{_OF}"),
    ("most", rf"{_WHICH_OF} (?:has |have )?{_SEND} {_A_SIGN}{_MOST}{_OF}"),
    ("fewest", rf"{_WHICH_OF} (?:has |have )?{_SEND}{_FEWEST} {_SIGNS}{_OF}"),
    ("fewest", rf"{_WHICH_OF} (?:has |have )?{_SEND} {_A_SIGN}{_FEWEST}{_OF}"),
    (None, rf"who {_SEND} (?:the )?{_LAST} {_SIGNS}"),
    (None, rf"who {_LAST} {_SEND} {_A_SIGN}"),
    (None, rf"who {_SEND} {_A_SIGN} {_LAST}"),
    (None, rf"when did {_BY} {_LAST} {_SEND} {_A_SIGN}{_TO_WHOM}?"),
    (None, rf"when did {_BY} {_LAST} {_SEND}{_TO_WHOM} {_A_SIGN}"),
    (None, rf"when did {_BY} {_SEND} {_A_SIGN} {_LAST}"),
    (None, rf"when (?:is|was) {_A_SIGN} {_LAST} {_SENT}(?: by {_BY})?"),
    (None, rf"when (?:is|was) the {_LAST} {_SIGNS}(?: {_SENT})?(?: (?:by|from) {_BY})?"),
)
"""Forms of an emoji or another sign, which is sent as a photo is."""
_REPLY = r"(?:reply|replies|replied|answers?|answered|responds?|responded|(?:text|write)s? back)"
_TO_REPLY = r"to (?:reply|answer|respond|(?:text|write) back)"
_REPLIED_TO = rf"(?: (?:to )?(?P<to>{_PEOPLE}|us|each other))?"
_THEN_TO = rf"(?: to (?P<to>{_PEOPLE}|us|each other))?"
_EITHER = rf"{PERSON}(?:\s*,\s*{PERSON})*\s*,?\s+or\s+{PERSON}"  # they are compared, without "to"
_TO_NONE_OF = rf"(?: (?:to |(?!{_EITHER}))(?P<to>{_PEOPLE}|us|each other))?"
_FAST, _SLOW = (
    r"(?:fastest|faster|quickest|quicker|soonest|most quickly)",
    r"(?:slowest|slower|most slowly)",
)
_REPLY_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    ("fastest", rf"{_WHICH_OF} {_REPLY}(?: the)? {_FAST}{_THEN_TO}{_OF}"),
    ("slowest", rf"{_WHICH_OF} {_REPLY}(?: the)? {_SLOW}{_THEN_TO}{_OF}"),
    ("fastest", rf"{_WHICH_OF} {_REPLY}{_TO_NONE_OF}(?: the)? {_FAST}{_OF}"),
    ("slowest", rf"{_WHICH_OF} {_REPLY}{_TO_NONE_OF}(?: the)? {_SLOW}{_OF}"),
    ("fastest", rf"{_WHICH_OF} (?:is|was) (?:the )?{_FAST} {_TO_REPLY}{_TO_NONE_OF}{_OF}"),
    ("slowest", rf"{_WHICH_OF} (?:is|was) (?:the )?{_SLOW} {_TO_REPLY}{_TO_NONE_OF}{_OF}"),
    (
        "slowest",
        rf"{_WHICH_OF} (?:takes|took) (?:the )?(?:longest|longer) {_TO_REPLY}{_TO_NONE_OF}{_OF}",
    ),
    (
        "begins",
        rf"{_WHICH_OF}(?: {USUALLY}| always)? (?:texts?|writes?|messages?) first(?: most often)?{_OF}",
    ),
    (
        "begins",
        (
            rf"{_WHICH_OF}(?: {USUALLY}| always)? (?:starts?|started|begins?|began|initiates?|initiated)"
            rf"(?: the| our)?(?: most| more)?(?: of (?:the|our))? (?:conversations?|chats)(?:{_MOST})?{_OF}"
        ),
    ),
    (
        "replies",
        (
            rf"how (?:long|fast|quickly|soon) {_AUX} {_BY} (?:(?:usually|normally|typically|generally) )?"
            rf"(?:take(?:n)? {_TO_REPLY}|{_REPLY}){_REPLIED_TO}"
        ),
    ),
    (
        "replies",
        (
            rf"what is (?:the )?{_BY}['\u2019]s? (?:(?:average|median|mean|usual|typical) )?"
            rf"(?:reply|response|answering) time{_REPLIED_TO}"
        ),
    ),
)
_MARKED = r"(?P<marked>delete[ds]?|edit(?:ed|s)?)"
_REACTIONS = r"(?P<marked>reactions)"
_GET = r"(?:got|gets?|received?|receives|ha[ds]|have)"
_MARK_FORMS: tuple[tuple[MetadataKind, str], ...] = (
    ("count", rf"how many {_MESSAGES} (?:are|were|have been) {_MARKED}(?: by {_BY})?"),
    ("count", rf"how many {_MESSAGES} (?:did|has|have) {_BY} {_MARKED}"),
    (
        "count",
        rf"how many {_MARKED} {_MESSAGES}(?: (?:are there|were there|{_HAVE}))?(?: (?:by|from) {_BY})?",
    ),
    ("count", rf"(?:did|has|have) {_BY}{_EVER_ALL} {_MARKED} (?:a|any) (?:{_MESSAGE}|{_MESSAGES})"),
    ("count", rf"who (?:has )?{_MARKED} (?:a |any )?(?:{_MESSAGE}|{_MESSAGES})"),
    ("most", rf"{_WHICH_OF} (?:has |have )?{_MARKED}{_MOST}(?: {_MESSAGES})?{_OF}"),
    ("fewest", rf"{_WHICH_OF} (?:has |have )?{_MARKED}{_FEWEST}(?: {_MESSAGES})?{_OF}"),
    ("count", rf"how many {_REACTIONS} (?:did|do|does|has|have) {_BY} {_GET}"),
    ("count", rf"how many {_REACTIONS}(?: (?:are|were) there)?"),
    ("most", rf"{_WHICH_OF} (?:has |have )?{_GET}{_MOST} {_REACTIONS}{_OF}"),
    ("fewest", rf"{_WHICH_OF} (?:has |have )?{_GET}{_FEWEST} {_REACTIONS}{_OF}"),
    (
        "longest",
        rf"(?:which|what) {_MESSAGE}(?: (?:from|by|of) {_BY})? (?:has |have )?{_GET}{_MOST} {_REACTIONS}",
    ),
    (
        "longest",
        rf"(?:what is |what was )?(?:the )?{_MESSAGE} (?:from {_BY} )?with{_MOST} {_REACTIONS}",
    ),
    (
        "count",
        (
            r"how many (?:(?:missed|phone|video|voice) )?(?P<marked>calls)"
            rf"(?: (?:(?:are|were) there|(?:{_AUX}) {_BY} (?:{_GET}|make|made|miss(?:ed)?)))?{_TO}"
        ),
    ),
)
"""Forms of what an export may mark messages with, and of calls, which are no messages."""
_SOME = rf"(?: (?P<number>\d{{1,2}}|{'|'.join([*NUMBERS][2:])}|few|couple(?: of)?))?"
_LIST = r"(?:(?:(?:what|which) (?:are|were)|(?:show|list|give|read)(?: (?:me|us))?) )?(?:the |our |my )?"
_ANY = r"(?:(?:any|all|all the|the|my|our) )?"
_SHOW = r"(?:show|list|give|find)(?: (?:me|us))?(?: all)?(?: of)?"
_FILE_LIST_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    ("last", rf"(?:what|which) (?P<listed>{_FILES}) {_AUX} {_BY} {_SHARE}{_TO}"),
    (
        "last",
        rf"(?:what|which) (?P<listed>{_FILES}) (?:were|was|have been|are) {_SHARE}(?: by {_BY})?",
    ),
    (
        "last",
        rf"{_SHOW}(?: (?:the|our|my))? (?P<listed>{_FILES})(?: {_SHARE})?(?: (?:from|by|of) {_BY})?{_TO}",
    ),
    (
        "last",
        rf"{_SHOW}(?: the)? (?P<listed>{_FILES})(?: that)? {_BY} (?:has |have )?{_SHARE}{_TO}",
    ),
    ("last", rf"{_SHOW} {_BY}['\u2019]s? (?P<listed>{_FILES})"),
    ("last", rf"{_ANY}(?P<listed>{_FILES})(?<=s)(?: {_SHARE})?(?: (?:from|by) {_BY})?"),
    ("last", rf"{_ANY}(?P<listed>{_FILES})(?<=s)(?: that)? {_BY} (?:has |have )?{_SHARE}{_TO}"),
    ("last", rf"(?P<listed>{_FILES})(?<!s) (?:from|by) {_BY}"),
    ("last", rf"{_BY}['\u2019]s (?P<listed>{_FILES})(?<=s)"),
    (
        None,
        rf"{_LIST}{_LAST}{_SOME} {_FILES}(?<=s)(?: {_PUT}| that)?(?: (?:from|by) {_BY})?{_SENT_TO}",
    ),
    (None, rf"{_LIST}{_LAST}{_SOME} {_FILES}(?<=s)(?: that)? {_BY} (?:has |have )?{_PUT}{_TO}"),
    (None, rf"{_LIST}{_BY}['\u2019]s? {_LAST}{_SOME} {_FILES}(?<=s){_SENT_TO}"),
)
_SOME_NUMBER = rf"(?:\d{{1,2}}|{'|'.join([*NUMBERS][2:])})"
_WRITERS = r"(?:writers|senders|posters|texters|chatters|people|members)"
_EVERY = rf"(?:{_SHOW} )?(?:(?:the|any|my|our|all(?: (?:of )?(?:the|my|our))?) )?"
_ALL_SAID = r"(?:everything|anything|all|whatever)(?: that)?"
_LIST_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    (
        "last",
        rf"(?:{_SHOW} )?(?P<listed>{_ALL_SAID}) {_BY} (?:has |have )?(?:ever )?(?:{_WRITE}|said){_TO}",
    ),
    ("last", rf"(?:what|which) (?P<listed>{_MESSAGES}) {_AUX} {_BY} {_WRITE}{_TO}"),
    ("last", rf"(?:all (?:(?:of )?the )?)?(?P<listed>{_MESSAGES}) (?:from|by) {_BY}{_TO_NAMED}"),
    (
        "last",
        rf"{_SHOW}(?: (?:the|our|my))? (?P<listed>{_MESSAGES}){_FROM}{_TO_NAMED}",
    ),
    ("last", rf"(?:{_SHOW} )?(?:every|each)(?: single)? (?P<listed>{_MESSAGE}){_FROM}{_TO_NAMED}"),
    ("last", rf"(?:{_SHOW} |all (?:of )?){_OF_BY} (?P<listed>{_MESSAGES})"),
    ("last", rf"{_EVERY}(?P<listed>{_MESSAGES}) between (?P<to>{_PAIR})"),
    ("last", rf"{_EVERY}(?P<listed>{_MESSAGES})(?: (?:from|by) {_BY})? {_WITH_FILES}"),
    ("last", rf"{_EVERY}(?P<listed>{_MESSAGES}) {_WITH_FILES} (?:from|by) {_BY}"),
    ("last", rf"{_EVERY}(?P<listed>{_MARKED} {_MESSAGES})(?: (?:from|by|of) {_BY})?"),
    (
        "last",
        rf"(?:which|what) (?P<listed>{_MESSAGES}) (?:are|were|have been|got) {_MARKED}(?: by {_BY})?",
    ),
    ("last", rf"(?:which|what) (?P<listed>{_MESSAGES}) (?:did|has|have) {_BY} {_MARKED}"),
    (
        "last",
        (
            rf"{_EVERY}(?P<listed>{_MESSAGES})(?: (?:from|by) {_BY})?(?: (?:where|in which|that|which))?"
            r"(?: (?:someone|somebody|anyone|people|we))? "
            rf"(?:mention(?:s|ed|ing)?|contain(?:s|ing)?|says?|saying|includ(?:es?|ing)) {_TERM}{_SAID}"
        ),
    ),
    (None, rf"{_LIST}{_LAST}{_SOME} {_MESSAGES}{_NOT_TO}{_FROM}{_TO_NAMED}"),
    (None, rf"{_LIST}{_LAST}{_SOME} {_MESSAGES}(?: that)? {_BY} (?:has |have )?{_WRITE}{_TO}"),
    (None, rf"{_LIST}{_OF_BY} {_LAST}{_SOME} {_MESSAGES}{_TO_NAMED}"),
)
_AGO = rf"(?:{_ASKS}|{_SINCE})"
_THERE = rf"(?: (?:are|were|have been)(?: there)?)?(?: {_WRITE})?"
_NOT_BY = (
    r"(?:not (?:by|from)|without|excluding|not counting|leaving out"
    r"|(?:except|other than|apart from|aside from|besides)(?: (?:for|those))?(?: (?:by|from))?)"
    rf" (?P<not_by>{_PEOPLE})"
)
_ANYWHERE = (
    r"(?: (?:in|on|at|from|during|since|of)(?: everyone)?)?"  # a chat or a time was taken out
)
_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    *_LIST_FORMS,
    *_FILE_LIST_FORMS,
    ("count", rf"how many {_MESSAGES} {_AUX} {_BY} (?:{_WRITE}|exchanged?){_TO}"),
    ("count", rf"how many {_MESSAGES}{_THERE}{_ANYWHERE} {_NOT_BY}"),
    ("count", rf"how many {_MESSAGES} {_AUX} (?P<not_by>{_PEOPLE}) not {_WRITE}"),
    ("count", rf"how many {_MESSAGES} {_AUX}n['\u2019]?t (?P<not_by>{_PEOPLE}) {_WRITE}"),
    (
        "count",
        rf"how many {_MESSAGES}{_THERE} (?:by|from) (?P<others>others|other people|somebody else)",
    ),
    ("count", rf"how many {_MESSAGES} {_AUX} (?P<others>others|other people|the others) {_WRITE}"),
    ("count", rf"how many {_MESSAGES} {_HAVE}"),
    (
        "count",
        rf"how many {_MESSAGES} {_AUX} (?P<to>{PERSON}) (?:have|get|got|received?) from {_BY}",
    ),
    ("count", rf"how many {_MESSAGES} {_AUX} (?P<me>{PERSON}) (?:get|got|received?)"),
    (
        "count",
        (
            rf"how many {_MESSAGES}(?: (?:are|were|have been)(?: there)?)?(?: {_WRITE})?"
            rf"(?: (?:by|from) {_BY})?"
        ),
    ),
    (
        "count",
        rf"(?:{_AUX}|had) {_BY}{_EVER_ALL} {_WRITE}(?: (?:anything|any {_MESSAGES}|a {_MESSAGE}))?{_TO}",
    ),
    (
        "count",
        rf"(?:what is the )?(?:total )?number of {_MESSAGES}(?: (?:sent )?(?:from|by) {_BY})?",
    ),
    (
        "count",
        (
            rf"(?:how many|(?:what is the )?(?:total )?number of) {_MESSAGES}(?: that)? {_BY} (?:has |have )?"
            rf"(?:{_WRITE}|exchanged?){_TO}"
        ),
    ),
    (
        "count",
        (
            rf"(?:how many|(?:what is the )?(?:total )?number of) {_MESSAGES}"
            rf"(?: (?:are|were)(?: there)?)?(?: (?:sent|exchanged))? between (?P<to>{_PAIR})"
        ),
    ),
    (
        "count",
        rf"how (?:many times|often) (?:did|has|have) {_BY} (?:{_WRITE})(?: a {_MESSAGE})?{_TO}",
    ),
    (
        "count",
        (
            rf"(?:how far back|from when to when) (?:are|is|do|does) {_OWN}(?:{_MESSAGES}|chats?)"
            r"(?: (?:go|reach|run))?"
        ),
    ),
    (
        "count",
        (
            rf"(?:what|which) (?:period|time(?: ?span| range)?|dates?|range) (?:do|does|is|are) {_OWN}"
            rf"(?:{_MESSAGES}|chats?) (?:cover|span|from|go over)"
        ),
    ),
    (
        "count",
        rf"when (?:do|does|did) {_OWN}(?:{_MESSAGES}|chats?|chat history) (?:start|begin|end)",
    ),
    ("members", rf"how many (?:different )?people(?: are there| wrote|{_HERE})"),
    ("members", rf"how many people {_AUX} (?P<me>{PERSON}) (?:{_TALK}|{_WRITE})(?: (?:to|with))?"),
    (
        "members",
        r"(?:list|show|name)(?: (?:me|us))?(?: all)?(?: of)?(?: the| my)? (?:people|persons|contacts)",
    ),
    (
        "members",
        rf"who(?: all)? (?:are the people|is|are) in {_OWN}(?:chats?|groups?|messages|database)",
    ),
    ("members", rf"who (?:has |have )?{_WRITE}(?: (?:anything|{_MESSAGES}|a {_MESSAGE}))?"),
    ("most", rf"{_WHO_WRITES}{_MOST}(?: {_MESSAGES})?{_OF}"),
    ("fewest", rf"{_WHO_WRITES}{_FEWEST}(?: {_MESSAGES})?{_OF}"),
    ("most", rf"{_WHO_WRITES}{_MOST}(?: {_MESSAGES})?{_ANYWHERE},? {_NOT_BY}"),
    ("fewest", rf"{_WHO_WRITES}{_FEWEST}(?: {_MESSAGES})?{_ANYWHERE},? {_NOT_BY}"),
    ("most", rf"{_AUX} (?P<by>{PERSON} (?:{_WRITE}|{_TALK}) more{_COMPARED}"),
    ("fewest", rf"{_AUX} (?P<by>{PERSON} (?:{_WRITE}|{_TALK}) (?:less|fewer){_COMPARED}"),
    ("most", rf"compare {_BY}(?:['\u2019]s?)?(?: (?:by (?:the )?)?(?:number of )?{_MESSAGES})?"),
    (
        "most",
        rf"(?:who (?:are|were) )?(?:the |our )?(?:top|most active)(?: {_SOME_NUMBER})? {_WRITERS}",
    ),
    ("most", rf"how many more {_MESSAGES} {_AUX} (?P<by>{PERSON} {_WRITE} than {PERSON})"),
    (
        "fewest",
        rf"how many (?:less|fewer) {_MESSAGES} {_AUX} (?P<by>{PERSON} {_WRITE} than {PERSON})",
    ),
    ("most", rf"(?:is|was) (?P<by>{PERSON} {_MORE_ACTIVE} than {PERSON})"),
    ("fewest", rf"(?:is|was) (?P<by>{PERSON} {_LESS_ACTIVE} than {PERSON})"),
    ("most", rf"{_AUX} (?P<by>{PERSON} or {PERSON}) (?:{_WRITE}|{_TALK}) more(?: {_MESSAGES})?"),
    (
        "fewest",
        rf"{_AUX} (?P<by>{PERSON} or {PERSON}) (?:{_WRITE}|{_TALK}) (?:less|fewer)(?: {_MESSAGES})?",
    ),
    ("count", rf"{_AUX} {_BY} {_WRITE} (?P<of_times>more)(?: {_MESSAGES})?{_TO}"),
    ("most", rf"{_WHICH_OF} (?:is|was) (?:the )?{_MORE_ACTIVE}{_OF}"),
    ("fewest", rf"{_WHICH_OF} (?:is|was) (?:the )?{_LESS_ACTIVE}{_OF}"),
    (
        "fewest",
        r"who (?:is|was) the (?:least (?:active|talkative|chatty)|quietest)(?: person| member| one)?",
    ),
    (
        "most",
        r"who (?:is|was) the (?:most (?:active|talkative|chatty)|chattiest|loudest)(?: person| member| one)?",
    ),
    (
        "closest",
        rf"whom? {_AUX} (?P<by>{PERSON}) (?:{_TALK}|{_WRITE}){_WITH}{_MOST}{_WITH}",
    ),
    (
        None,
        rf"(?:what|when|how long ago) did {_BY} {_LAST} (?:{_WRITE}|say)(?: a {_MESSAGE})?{_TO}",
    ),
    (None, rf"(?:what|when) did {_BY} (?:{_WRITE}|say){_TO} {_LAST}"),
    ("last", rf"how long ago did {_BY} {_WRITE}(?: a {_MESSAGE})?{_TO}"),
    (None, rf"(?:{_AGO} )?{_OF_BY} {_LAST} {_MESSAGE}{_TO_NAMED}"),
    (None, rf"(?:{_AGO} )?(?:the )?{_LAST} {_MESSAGE}{_NOT_TO}{_FROM}{_TO_NAMED}"),
    (
        None,
        (
            rf"(?:{_ASKS} )?(?:the )?{_LAST} (?:{_MESSAGE}|thing)(?: that)? {_BY} (?:has |have )?(?:ever )?"
            rf"(?:{_WRITE}|said){_TO}"
        ),
    ),
    (
        None,
        rf"who (?:is|was) the {_LAST} (?:person|one) (?:that |who |whom )?(?P<by>{PERSON}) {_WRITE}(?: to)?",
    ),
    (None, rf"whom? did (?P<by>{PERSON}) {_LAST} (?:{_WRITE})(?: to)?"),
    (None, rf"whom? did (?P<by>{PERSON}) (?:{_WRITE})(?: to)? {_LAST}"),
    (None, rf"who (?:has )?{_WRITE}(?: to)? (?P<me>{PERSON}) {_LAST}"),
    (None, rf"who {_LAST} {_WRITE}(?: to)? (?P<me>{PERSON})"),
    (
        None,
        (
            rf"who (?:is|was)(?: the)? {_LAST}(?: person| one)? (?:to|who|that) {_WRITE}(?: to)?"
            rf" (?P<me>{PERSON})"
        ),
    ),
    ("members", rf"who (?:has |have )?{_WRITE}(?: to)? (?P<me>{PERSON})"),
    ("most", rf"{_WHO_WRITES}(?: to)? (?P<me>{PERSON}){_MOST}(?: {_MESSAGES})?{_OF}"),
    ("fewest", rf"{_WHO_WRITES}(?: to)? (?P<me>{PERSON}){_FEWEST}(?: {_MESSAGES})?{_OF}"),
    (None, rf"who (?:sent|wrote|posted)(?: the)? {_LAST}(?: {_MESSAGE})?"),
    (
        None,
        rf"who (?:is|was)(?: the)? {_LAST}(?: person| one)? (?:to|who|that) {_WRITE}(?: a {_MESSAGE})?",
    ),
    (None, rf"when did (?P<both>we|{_PEOPLE}) {_LAST} {_TALK}{_TO}"),
    (None, rf"{_SINCE} (?P<both>we|{_PEOPLE}) {_LAST} {_TALK}{_TO}"),
    (None, rf"{_SINCE} {_BY} {_LAST} {_WRITE}{_TO}"),
    (None, rf"{_SINCE} (?P<hears>{PERSON}) {_LAST} heard? from {_BY}"),
    (None, rf"when did (?P<hears>{PERSON}) {_LAST} heard? from {_BY}"),
    (
        "chats",
        rf"{_CHATS} (?:is|are|was|were) {_BY} (?:in|part of)",
    ),
    ("chats", rf"(?:in )?(?:{_CHATS}|(?:which|what) {_ONE_CHAT}) {_AUX} {_BY} {_WRITE}(?: in)?"),
    ("chats", rf"{_CHATS}(?: (?:are there|{_HAVE}))?"),
    (
        "chats",
        (
            r"(?:list|show|name)(?: (?:me|us))?(?: all)?(?: of)?"
            rf"(?: (?:the|my|our|(?P<has>{PERSON})['\u2019]s))? (?:chats|groups|conversations)"
        ),
    ),
    *(("busiest", form) for form in _TIMES),
    *_EMOJI_FORMS,
    *_FILE_FORMS,
    *_WORD_FORMS,
    *_SIGN_FORMS,
    *_RATE_FORMS,
    *_REPLY_FORMS,
    *_LENGTH_FORMS,
    *_MARK_FORMS,
)
FORMS = tuple((asks, lazy(rf"(?<!\w)(?:{form})(?!\w)", re.IGNORECASE)) for asks, form in _FORMS)
LATEST = lazy(
    rf"\b(?:who (?:{_WRITE}|{_WRITES})(?: the)? latest (?:at|in the) night"
    r"|wer (?:schreibt|schrieb|hat) nachts am sp\u00e4testen(?: geschrieben)?)\b",
    re.IGNORECASE,
)
"""Asks for the latest time of the day, and "at night" is no time in which the last message is looked for."""
LAST_TIME = lazy(
    rf"\bwhen (?:is|was) the {_LAST} time(?: that)? (?P<who>{_ANYONE})(?!\w)", re.IGNORECASE
)

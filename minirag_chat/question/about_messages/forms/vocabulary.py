"""Words and phrases of which questions about the messages are made, as regular expressions."""

from __future__ import annotations

import re

from minirag_chat.question.placeholders import NAMES, SIGN, WORD
from minirag_chat.times.number_words import TO_TWELVE

# People: in the text that is matched each name is a mark, which no question contains.
PERSON = f"[{NAMES}]"
ME = rf"(?P<me>{PERSON})"  # who asks: of others such questions cannot be answered
SEVERAL = rf"(?P<several>{PERSON})"  # a name of more than one person
PEOPLE = rf"{PERSON}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|or)\s+){PERSON})*"
ANYONE = rf"(?:(?:both |either )?{PEOPLE}|we|everyone|(?:any|some)(?:one|body)|people)"
BY = rf"(?P<by>{ANYONE})"
TO = rf"(?: (?:(?:to|with) )?(?P<to>{PEOPLE}|us|each other))?"
TO_NAMED = rf"(?: (?:to|with) (?P<to>{PEOPLE}|us|each other))?"  # "last message Ben" is from Ben
FROM = rf"(?: (?:(?:from|by|of) )?{BY})?"
OF_BY = rf"{BY}(?:['\u2019]s?)?"
NOT_TO = rf"(?: (?:sent|written)(?! {PERSON}))?"

# Messages and writing
MESSAGES = r"(?:(?:chat|text) )?(?:messages|texts|msgs)"
MESSAGE = r"(?:(?:chat|text) )?(?:message|text|msg)"
WRITE = r"(?:send|sent|write|written|wrote|post(?:ed)?|text(?:ed)?|messaged?)"
WRITES = r"(?:sends|writes|posts|texts|messages)"

# The end of an order
NTH_WORD = r"(?P<nth>second|third|fourth|2nd|3rd|4th)"
NTH = rf"(?: {NTH_WORD})?[ -]"
MOST = rf"(?: the)?{NTH}(?:most|more)(?: often)?"
MOST_OR_FEWEST = rf"(?: the)?{NTH}(?P<extreme>most|more|fewest|least|fewer|less)(?: often)?"
MORE_OR_FEWER = r"(?P<extreme>more|fewer|less)"
TALK = r"(?:talk(?:ed)?|chat(?:ted)?|sp(?:eak|oke|oken)|(?:send|sent|exchanged?) messages)"
LAST = r"(?:very )?(?P<which>last|latest|most recent(?:ly)?|newest|first|earliest|oldest)"
ANY_LAST = re.sub(r"\(\?P<which>", "(?:", LAST)

# How a question begins, and of what it asks
WHICH_OF = r"(?:who|which (?:one )?of (?:us|them|the two))"
OF = rf"(?:(?: (?:in|on|at|during|of|among|between|out of))?\s*[,:]?\s*{BY})?"
HAVE = rf"(?:do|does) (?:i|you|we|(?P<has>{PERSON})) have"
OWN = rf"(?:(?:the|my|our|these|this|all|(?P<has>{PERSON})['\u2019]s?) )*"
HERE = rf"(?: (?:are|is) in {OWN}(?:chats?|messages|database))?"
NOT_DONE = rf"(?:ha(?:ve|s)|did)(?:n['\u2019]?t| not| (?:{PERSON}|we) not)\b"
AUX = r"(?:did|do|does|has|have)"
EVER_ALL = f"(?: (?:ever|all)|(?<={PERSON}) both)?"
ASKS = r"(?:what|when|which|how long ago) (?:is|was)"
EXTREME = rf"(?:the )?(?:{NTH_WORD}[ -])?(?P<extreme>most|fewest|least|fewer|more)"
USUALLY = r"(?:usually|normally|typically|mostly|generally)"
PAIR = rf"{PERSON}(?:\s*,\s*{PERSON})*,? and {PERSON}"
TO_WHOM = rf"(?: (?:(?:to|with) )?(?P<to>{PEOPLE}|us|each other))"

# Photos and other files
FILES = (
    r"(?P<files>photos?|photographs?|pictures?|pics?|images?|video (?:notes?|messages?)|videos?"
    r"|voice (?:notes?|messages?|memos?)|audio files?|audios?|stickers?|gifs?|files?|attachments?|links?"
    r"|urls?|hearts?(?: emojis?)?|emojis?)"
)
COUNTED = re.sub(r"\(\?P<\w+>", "(?:", rf"(?:{MESSAGES}|{FILES})")
SHARE = rf"(?:{WRITE}|shared?|used?)"
PUT = (  # people also use pictures and files that they do not send
    r"(?:sends?|sent|shares?|shared|post(?:s|ed)?|upload(?:s|ed)?"
    r"|used?(?= (?:(?:any|some|an?|the|one) )?(?:\w+ )?(?:emoji|heart|sticker|gif)))"
)
SOME_FILES = rf"(?:(?:any|some|an?|one) )?{FILES}"
WITH_FILES = rf"(?:with|have|had|contain(?:ing)?) {SOME_FILES}"
SENT_TO = (
    rf"(?: (?:to|with) (?P<to>{PEOPLE}|us|each other))?(?!\s+of\W*$)"  # not "the last photo of?"
)
ONE_CHAT = r"(?:group )?(?:chat|group|conversation)"
SINCE = (
    r"how (?:long|many (?:hours|days|weeks|months|years))"
    r"(?: (?:ago )?(?:(?:is|was) it|has it been|it is|it has been|it['\u2019]s been))? since"
)

# A word, a mark of the export, and lists
SAID = f"[{WORD}{SIGN}]"
TERM = r"(?:the (?:words?|phrase|expression|term|name) |(?:the|an?) )?"
MARKED = r"(?P<marked>delete[ds]?|edit(?:ed|s)?|forward(?:ed|s)?)"
SOME = rf"(?: (?P<number>\d{{1,2}}|{'|'.join(TO_TWELVE)}|few|couple(?: of)?))?"
LIST = r"(?:(?:(?:what|which) (?:are|were)|(?:show|list|give|read)(?: (?:me|us))?) )?(?:the |our |my )?"
SHOW = r"(?:show|list|give|find|read)(?: (?:me|us))?(?: all)?(?: of)?"

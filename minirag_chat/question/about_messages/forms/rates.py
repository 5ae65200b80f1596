"""Forms that ask when most is written, how much a day, on which days, and for silences and large chats."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import table
from minirag_chat.question.about_messages.forms.vocabulary import (
    AUX,
    BY,
    EXTREME,
    HAVE,
    MESSAGE,
    MESSAGES,
    ONE_CHAT,
    OWN,
    PEOPLE,
    PERSON,
    TALK,
    TO,
    TO_WHOM,
    USUALLY,
    WRITE,
)

_TIME = (
    r"(?P<unit>days? of the week|week ?days?|time of (?:the )?day|days?|date|weeks?|months?|years?|hour"
    r"|time)"
)
_WHICH_TIME = rf"(?:(?:in|on|at|during) )?(?:which|what) {_TIME}"
_ACTIVE = (
    r"(?P<extreme>busiest|most (?:active|talkative|chatty)|chattiest|quietest|calmest"
    r"|slowest(?= (?:day|week|month|year))|least (?:active|busy|talkative|chatty))"
)
_IS_ACTIVE = (
    rf"(?:is|was|are|were|has|have) (?:been )?(?:the )?(?:chat |group |{BY} )?(?:been )?(?:the )?"
    rf"{_ACTIVE}"
)
_FROM_BY = rf"(?: {WRITE})?(?: (?:from|by) {BY})?"
_HAS = r"(?:has|have|had|saw|got|with|is there|are there|were there|was there)"
_USUAL_TIME = (
    r"(?:(?:at|on) )?(?:what|which)"
    r" (?P<unit>times?(?: of (?:the )?day)?|hours?|day of the week|week ?day)"
)
_WRITES_MOST = rf"{AUX} {BY} (?:{WRITE}|{TALK}|exchanged?) {EXTREME}(?: often)?(?: {MESSAGES})?{TO}"
TIME_FORMS = table(rf"""
    busiest:
        {_WHICH_TIME} (?:(?:{_HAS}|is|are|was|were) )?{EXTREME} {MESSAGES}{_FROM_BY}
        (?:{_WHICH_TIME}|when) {_WRITES_MOST}
        (?:{_WHICH_TIME}|when) {AUX} {BY} (?:{WRITE}|{TALK}|exchanged?){TO_WHOM} {EXTREME}(?: often)?
            (?: {MESSAGES})?
        (?:{_USUAL_TIME}|when) {AUX} {BY} {USUALLY} (?:{WRITE}|{TALK})(?: {MESSAGES})?{TO}
        (?:{_WHICH_TIME}|when) {_IS_ACTIVE}
        (?:(?:what|which) (?:is|was|are|were) )?(?:the |our |my |{BY}['\u2019]s? )?{_ACTIVE} {_TIME}
        (?:(?:what|which) (?:is|was) )?(?:the |our |my )?{_ACTIVE} {_TIME} with (?P<to>{PEOPLE})
        when (?:is|are|was|were) {EXTREME} {MESSAGES}{_FROM_BY}
        (?:(?:what|which) (?:is|was) )?(?:the |our |my )?{_TIME} with {EXTREME} {MESSAGES}{_FROM_BY}
""")
IN_ONE_TIME = (
    rf"^\W*(?:(?:what|which) (?:is|was|are|were) )?(?:the )?(?P<most>most|fewest|least) {MESSAGES}"
    rf"(?:(?: {WRITE})? (?:from|by) (?P<by>{PERSON})| (?P<writer>{PERSON}) (?:ever )?{WRITE})?(?: ever)?"
    r" (?:in|on|within) (?:one|a single|a|any one|a whole) (?P<unit>day|week|month|year|hour)(?= ?\W*$)"
)
_EACH = rf"(?:per|each|every|an?|by) {_TIME}"
_LARGEST = r"(?P<extreme>most active|busiest|largest|biggest|longest|least active|quietest|smallest|shortest)"
_OUR = rf"(?:(?:the|our|my|{BY}['\u2019]s?) )?"
_LONGEST = r"(?:what|when|how long) (?:is|was) (?:the |our )?(?:longest|biggest|largest)"
_BETWEEN = rf"(?: between {MESSAGES})?(?: (?:between|with) (?P<to>{PEOPLE}|us))?"
_WITH = rf"(?:with|between) (?P<to>{PEOPLE})"
_ANYTHING = rf"(?: (?:anything|{MESSAGES}|(?:a|any) (?:{MESSAGE}|{MESSAGES})|at all))?"
RATE_FORMS = table(rf"""
    average:
        how many {MESSAGES} {AUX} {BY} (?:{WRITE}|exchanged?){TO} {_EACH}
        (?:(?:how many|(?:the )?number of) )?{MESSAGES}(?: (?:are|were)(?: there)?| {HAVE})? {_EACH} {_WITH}
        (?:(?:how many|(?:the )?number of) )?{MESSAGES}(?: (?:are|were)(?: there)?| {HAVE})? {_WITH} {_EACH}
        (?:what is )?(?:(?:the|my|our) )?average(?: number of)? {MESSAGES} {_EACH} {_WITH}
        (?:what is )?(?:(?:the|my|our) )?average(?: number of)? {MESSAGES} {_WITH} {_EACH}
        how many {MESSAGES} {_EACH} {AUX} {BY} {WRITE}{TO}
        (?:the )?(?:number of )?{MESSAGES} (?:per|by) {_TIME}
        how many {MESSAGES}(?: (?:are|were)(?: (?:there|{WRITE}))?)? {_EACH}
        (?:what is )?(?:the )?average number of {MESSAGES}(?: (?:from|by) {BY})? {_EACH}
        how often (?:do|does) {BY} (?:{WRITE}|{TALK})(?: {MESSAGES})?{TO}
    days:
        (?:on )?how many days {AUX} {BY} (?:{WRITE}|{TALK}){TO}
        how (?:often|many times) (?:did|have) (?P<both>{PEOPLE}) (?:ever )?{TALK}{TO}
        how (?:often|many times) (?:did|have) (?P<both>we) (?:ever )?{TALK}{TO_WHOM}
    days_without:
        (?:on )?how many days {AUX}n['\u2019]?t {BY} {WRITE}{_ANYTHING}
        (?:on )?how many days {AUX} {BY} not {WRITE}{_ANYTHING}
        (?:on )?how many days {AUX} (?:nobody|no one) {WRITE}{_ANYTHING}
    when:
        (?:when|(?:on )?(?:which|what) days) did {BY} {WRITE}{TO}
    latest:
        who is latest by the clock
    silent:
        who (?:did not|didn['\u2019]?t|has not|hasn['\u2019]?t|(?:has )?never)(?: ever)? {WRITE}
            {_ANYTHING}
    silence:
        {_LONGEST} (?:silence|gap|break|pause)(?: (?:in|of) writing)?{_BETWEEN}
        (?:the |our )?(?:longest|biggest|largest) (?:silence|gap|break|pause){_BETWEEN}
        {_LONGEST} (?:time|period|stretch) (?:without|with no|between) {MESSAGES}{_BETWEEN}
    streak:
        (?:what (?:is|was) )?{_OUR}longest (?:(?:chat|message|texting) )?streak{_BETWEEN}
        how many days in a row {AUX} {BY} (?:{WRITE}|{TALK}){TO}
    largest:
        (?:which|what) {ONE_CHAT} (?:has|had|got) {EXTREME} {MESSAGES}
        (?:(?:which|what) is )?{OWN}{_LARGEST} {ONE_CHAT}
        which (?:one )?of {OWN}(?:chats|groups|conversations) (?:is|was) (?:the )?{_LARGEST}
        (?:which|what) {ONE_CHAT} (?:is|was) (?:the )?{_LARGEST}
        (?:in )?(?:which|what) {ONE_CHAT} {AUX} {BY} (?:{WRITE}|{TALK}|use) {EXTREME}(?: often)?
            (?: {MESSAGES})?
""")

"""Forms that ask how many messages there are and whose, for the first or last one, for people and chats."""

from __future__ import annotations

from minirag_chat.question.about_messages.forms.table import table
from minirag_chat.question.about_messages.forms.vocabulary import (
    ASKS,
    AUX,
    BY,
    EVER_ALL,
    FROM,
    HAVE,
    HERE,
    LAST,
    MESSAGE,
    MESSAGES,
    MORE_OR_FEWER,
    MOST_OR_FEWEST,
    NOT_TO,
    OF,
    OF_BY,
    ONE_CHAT,
    OWN,
    PAIR,
    PEOPLE,
    PERSON,
    SEVERAL,
    SINCE,
    TALK,
    TO,
    TO_NAMED,
    WHICH_OF,
    WRITE,
    WRITES,
)
from minirag_chat.times.number_words import TO_TWELVE

_WITH = r"(?: (?:to|with))?"
_WHO_WRITES = rf"{WHICH_OF} (?:has |have )?(?:{WRITE}|{WRITES}|{TALK}|talks)"
_TO_ME = rf"(?: (?:to )?(?P<me>{PERSON}))?"
_MORE_ACTIVE = r"(?P<extreme>(?:more|less) (?:active|talkative|chatty)|chattier|quieter)"
_MOST_ACTIVE = r"(?P<extreme>(?:most|least) (?:active|talkative|chatty)|chattiest|loudest|quietest)"
_COMPARED = (
    rf"(?: often)?(?: {MESSAGES})?(?: (?:in|on|at|during))? than {PERSON})"
    r"(?: (?:did|does|do|has|have))?"
)
_DIRECT = r"(?:one[ -]on[ -]one|one[ -]to[ -]one|1[ :-]1|1[ -]on[ -]1|direct|private)"
_CHATS = (
    rf"(?:which|what|how many|(?:total )?number of) (?:(?:group|{_DIRECT}) )?"
    r"(?:chats|groups|conversations)"
)
_EACH_CHAT = (
    r"(?:(?:in|for|of) (?:each|every(?: single)?|all(?: of)?)(?: one)?(?: of)?(?: (?:the|my|our))?|per|by)"
    r" (?:chat|group|conversation)s?"
)
_EACH_PERSON = r"(?:each|every) (?:person|one|member|contact|sender|of us|of them)"
_SOME_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(TO_TWELVE)})"
_WRITERS = r"(?:writers|senders|posters|texters|chatters|people|members)"
_SHARE = r"(?:percent(?:age)?|share|proportion|fraction)"
_AMONG = rf"(?P<among>{PERSON}(?:\s*,\s*{PERSON})*\s*,? or (?:(?:to|with) )?{PERSON})"
_TO_EITHER = rf"(?P<among>{PERSON} (?:more )?(?:often )?than (?:(?:to|with) )?{PERSON})"
_BESIDE = r"(?:(?:as )?compared (?:to|with)|versus|vs\.?|and how (?:many|much) did)"
_AGO = rf"(?:{ASKS}|{SINCE})"
_THERE = rf"(?: (?:are|were|have been)(?: there)?)?(?: {WRITE})?"
_NOT_BY = (
    r"(?:not (?:by|from)|without|excluding|not counting|leaving out"
    r"|(?:except|other than|apart from|aside from|besides)(?: (?:for|those))?(?: (?:by|from))?)"
    rf" (?P<not_by>{PEOPLE})"
)
_ANYWHERE = (
    r"(?: (?:in|on|at|from|during|since|of)(?: everyone)?)?"  # a chat or a time was taken out
)
SENDER_FORMS = table(rf"""
    count:
        how many {MESSAGES} {AUX} {BY} (?:{WRITE}|exchanged?){TO}
        how many {MESSAGES}{_THERE}{_ANYWHERE} {_NOT_BY}
        how many {MESSAGES} (?:{AUX} )?{_EACH_PERSON} (?:{WRITE}|{WRITES})
        (?:how many |(?:the )?number of )?{MESSAGES} (?:per|by) (?:person|member|contact|sender)
        how many {MESSAGES} {AUX} (?P<not_by>{PEOPLE}) not {WRITE}
        how many {MESSAGES} {AUX}n['\u2019]?t (?P<not_by>{PEOPLE}) {WRITE}
        how many {MESSAGES}{_THERE} (?:by|from) (?P<others>others|other people|somebody else)
        how many {MESSAGES} {AUX} (?P<others>others|other people|the others) {WRITE}
        how many {MESSAGES}(?: (?:are|were) there| {HAVE})? with (?P<to>{PEOPLE})
        how many {MESSAGES} {HAVE}
        how many {MESSAGES} {AUX} (?P<to>{PERSON}) (?:have|get|got|received?) from {BY}
        how many {MESSAGES} {AUX} (?P<me>{PERSON}) (?:get|got|received?)
        how many {MESSAGES}(?: (?:are|were|have been)(?: there)?)?(?: {WRITE})?(?: (?:by|from) {BY})?
        (?:{AUX}|had) {BY}{EVER_ALL} {WRITE}(?: (?:anything|any {MESSAGES}|a {MESSAGE}))?{TO}
        (?:what is the )?(?:total )?number of {MESSAGES}(?: (?:sent )?(?:from|by) {BY})?
        (?:how many|(?:what is the )?(?:total )?number of) {MESSAGES}(?: that)? {BY} (?:has |have )?
            (?:{WRITE}|exchanged?){TO}
        (?:how many|(?:what is the )?(?:total )?number of) {MESSAGES}(?: (?:are|were)(?: there)?)?
            (?: (?:sent|exchanged))? between (?P<to>{PAIR})
        how (?:many times|often) (?:did|has|have) {BY} (?:{WRITE})(?: a {MESSAGE})?{TO}
        (?:how far back|from when to when) (?:are|is|do|does) {OWN}(?:{MESSAGES}|chats?)
            (?: (?:go|reach|run))?
        (?:what|which) (?:period|time(?: ?span| range)?|dates?|range) (?:do|does|is|are) {OWN}
            (?:{MESSAGES}|chats?) (?:cover|span|from|go over)
        when (?:do|does|did) {OWN}(?:{MESSAGES}|chats?|chat history) (?:start|begin|end)
        compare how many {MESSAGES} (?P<by>{PERSON}|we|people) {WRITE}{TO}
    share:
        (?:what|which) {_SHARE} of {OWN}{MESSAGES}{_ANYWHERE} (?:is|are|was|were|come|comes|came)
            (?: (?:sent |written )?(?:from|by))? {BY}(?:['\u2019]s?)?
        (?:what|which) {_SHARE} of {OWN}{MESSAGES}{_ANYWHERE} {AUX} {BY} {WRITE}
        (?:what|which) {_SHARE} of {OWN}{MESSAGES}{_ANYWHERE} (?:is|are|was|were) with (?P<to>{PEOPLE})
        (?:what|which) {_SHARE} of (?P<by>{PERSON})(?:['\u2019]s)? {MESSAGES}{_ANYWHERE} (?:is|are|was|were)
            (?: (?:sent|written))? (?:to|with) (?P<to>{PEOPLE})
    members:
        how many (?:different )?people(?: are there| wrote|{HERE})
        how many (?:different )?(?:people|persons|contacts)(?: are(?: there)?)? in
            (?: {OWN}(?:archive|messages|chats))
        how many contacts(?: are there| {HAVE})
        how many people {AUX} (?P<me>{PERSON}) (?:{TALK}|{WRITE})(?: (?:to|with))?
        (?:list|show|name)(?: (?:me|us))?(?: all)?(?: of)?(?: the| my)? (?:people|persons|contacts)
        who(?: all)? (?:are the people|is|are) in {OWN}(?:chats?|groups?|messages|database)
        who (?:has |have )?{WRITE}(?: (?:anything|{MESSAGES}|a {MESSAGE}))?
    most:
        {_WHO_WRITES}{MOST_OR_FEWEST}(?: {MESSAGES})?{OF}
        {_WHO_WRITES}{MOST_OR_FEWEST}(?: {MESSAGES})?{_ANYWHERE},? {_NOT_BY}
        {WHICH_OF} (?:has|have){MOST_OR_FEWEST} {MESSAGES}{OF}
        which of (?P<by>{PAIR}) (?:has |have )?(?:{WRITE}|{WRITES}){MOST_OR_FEWEST}(?: {MESSAGES})?
        which {SEVERAL} (?:has |have )?(?:{WRITE}|{WRITES}){MOST_OR_FEWEST}(?: {MESSAGES})?
        {AUX} (?P<by>{PERSON} (?:{WRITE}|{TALK}) {MORE_OR_FEWER}{_COMPARED}
        how (?:many {MESSAGES}|much) {AUX} (?P<by>{PERSON} {WRITE} {_BESIDE} {PERSON})
        compare (?:how many {MESSAGES} )?(?P<by>{PAIR})(?: {WRITE})?(?:['\u2019]s?)?
            (?: (?:by (?:the )?)?(?:number of )?{MESSAGES})?
        (?P<by>{PERSON} (?:vs?\.?|versus|or) {PERSON})\s*[,:]?\s*{_WHO_WRITES}{_TO_ME} more
            (?: {MESSAGES})?
        (?:who (?:are|were) )?(?:the |our )?(?:top|most active)(?: {_SOME_NUMBER})? {_WRITERS}
        (?:is|was) (?P<by>{PERSON} {_MORE_ACTIVE} than {PERSON})
        {AUX} (?P<by>{PERSON} or {PERSON}) (?:{WRITE}|{TALK}) {MORE_OR_FEWER}(?: {MESSAGES})?
        {WHICH_OF} (?:is|was) (?:the )?{_MORE_ACTIVE}{OF}
        who (?:is|was) the {_MOST_ACTIVE}(?: person| member| one)?
    difference:
        how many {MORE_OR_FEWER} {MESSAGES} {AUX} (?P<by>{PERSON} {WRITE} than {PERSON})
    most_by_chat:
        {_WHO_WRITES}{MOST_OR_FEWEST}(?: {MESSAGES})? {_EACH_CHAT}
        who (?:is|was) the {_MOST_ACTIVE}(?: person| member| one)? {_EACH_CHAT}
    largest:
        (?:how many )?{MESSAGES}(?: (?:are|were)(?: there)?)? {_EACH_CHAT}
        how many {MESSAGES} (?:do|does|has|have) (?:each|every) (?:chat|group|conversation)(?: have)?
    asker:
        who is (?P<me>{PERSON})
        (?:am|is) (?P<me>{PERSON}) {PERSON}
    closest:
        whom? (?:is|are) (?P<by>{PERSON}) (?:talking|writing|texting){_WITH}{MOST_OR_FEWEST}{_WITH}
        whom? {AUX} (?P<by>{PERSON}) (?:{TALK}|{WRITE}){_WITH}{MOST_OR_FEWEST}{_WITH}
        whom?(?: all)? {AUX} (?P<by>{PERSON}) {TALK}{_WITH}
    written_to:
        whom?(?: all)? {AUX} (?P<by>{PERSON}) {WRITE}(?: to)?
        {AUX} (?P<by>{PERSON}) {WRITE} more(?: often)?(?: {MESSAGES})?(?: to)? {_AMONG}
        {AUX} (?P<by>{PERSON}) {WRITE}(?: to)? {_AMONG} more(?: often)?
        {AUX} (?P<by>{PERSON}) {WRITE}(?: more(?: often)?)?(?: {MESSAGES})?(?: to)? {_TO_EITHER}
        whom? {AUX} (?P<by>{PERSON}) {WRITE}(?: to)?(?: the)? (?:more|most)(?: often)?(?: to)?\s*,? {_AMONG}
    closest:
        {AUX} (?P<by>{PERSON}) (?:{TALK}|{WRITE}) more(?: often)?(?: {MESSAGES})?{_WITH} {_AMONG}
        whom? {AUX} (?P<by>{PERSON}) (?:{TALK}|{WRITE}){_WITH} more(?: often)?{_WITH}\s*,? {_AMONG}
    count:
        {AUX} {BY} (?:{WRITE}|{TALK}) (?P<of_times>more|less)(?: {MESSAGES})?{TO}
    first_or_last:
        (?:what|when|how long ago) did {BY} {LAST} (?:{WRITE}|say)(?: a {MESSAGE})?{TO}
        (?:what|when) did {BY} (?:{WRITE}|say){TO} {LAST}
    last:
        how long ago did {BY} {WRITE}(?: a {MESSAGE})?{TO}
    first_or_last:
        (?:{_AGO} )?{OF_BY} {LAST} {MESSAGE}{TO_NAMED}
        (?:{_AGO} )?(?:the )?{LAST} {MESSAGE}{NOT_TO}{FROM}{TO_NAMED}
        (?:{ASKS} )?(?:the )?{LAST} (?:{MESSAGE}|thing)(?: that)? {BY} (?:has |have )?(?:ever )?
            (?:{WRITE}|said){TO}
        who (?:is|was) the {LAST} (?:person|one) (?:that |who |whom )?(?P<by>{PERSON}) {WRITE}(?: to)?
        whom? did (?P<by>{PERSON}) {LAST} (?:{WRITE})(?: to)?
        whom? did (?P<by>{PERSON}) (?:{WRITE})(?: to)? {LAST}
        who (?:has )?{WRITE}(?: to)? (?P<me>{PERSON}) {LAST}
        who {LAST} {WRITE}(?: to)? (?P<me>{PERSON})
        who (?:is|was)(?: the)? {LAST}(?: person| one)? (?:to|who|that) {WRITE}(?: to)? (?P<me>{PERSON})
    members:
        who (?:has |have )?{WRITE}(?: to)? (?P<me>{PERSON})
    most:
        {_WHO_WRITES}(?: to)? (?P<me>{PERSON}){MOST_OR_FEWEST}(?: {MESSAGES})?{OF}
    first_or_last:
        who (?:sent|wrote|posted)(?: the)? {LAST}(?: {MESSAGE})?
        who (?:is|was)(?: the)? {LAST}(?: person| one)? (?:to|who|that) {WRITE}(?: a {MESSAGE})?
        when did (?P<both>we|{PEOPLE}) {LAST} {TALK}{TO}
        {SINCE} (?P<both>we|{PEOPLE}) {LAST} {TALK}{TO}
        {SINCE} {BY} {LAST} {WRITE}{TO}
        {SINCE} (?P<hears>{PERSON}) {LAST} heard? from {BY}
        when did (?P<hears>{PERSON}) {LAST} heard? from {BY}
    chats:
        {_CHATS} (?:is|are|was|were) {BY} (?:in|part of)
        (?:in )?(?:{_CHATS}|(?:which|what) {ONE_CHAT}) {AUX} {BY} {WRITE}(?: in)?
        {_CHATS}(?: (?:are there|{HAVE}))?
        how many(?: of)? {OWN}(?:chats|conversations) are
            (?: (?:group|{_DIRECT})(?: chats)?| groups)
        (?:list|show|name)(?: (?:me|us))?(?: all)?(?: of)?
            (?: (?:the|my|our|(?P<has>{PERSON})['\u2019]s))? (?:chats|groups|conversations)
""")

"""Forms that ask how many messages there are and whose, for the first or last one, for people and chats."""

from __future__ import annotations

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
from minirag_chat.records import MetadataKind
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
_CHATS = r"(?:which|what|how many|(?:total )?number of) (?:group )?(?:chats|groups|conversations)"
_SOME_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(TO_TWELVE)})"
_WRITERS = r"(?:writers|senders|posters|texters|chatters|people|members)"
_SHARE = r"(?:percent(?:age)?|share|proportion|fraction)"
_AMONG = rf"(?P<among>{PERSON}(?:\s*,\s*{PERSON})*\s*,? or {PERSON})"
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
SENDER_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    ("count", rf"how many {MESSAGES} {AUX} {BY} (?:{WRITE}|exchanged?){TO}"),
    ("count", rf"how many {MESSAGES}{_THERE}{_ANYWHERE} {_NOT_BY}"),
    ("count", rf"how many {MESSAGES} {AUX} (?P<not_by>{PEOPLE}) not {WRITE}"),
    ("count", rf"how many {MESSAGES} {AUX}n['\u2019]?t (?P<not_by>{PEOPLE}) {WRITE}"),
    (
        "count",
        rf"how many {MESSAGES}{_THERE} (?:by|from) (?P<others>others|other people|somebody else)",
    ),
    ("count", rf"how many {MESSAGES} {AUX} (?P<others>others|other people|the others) {WRITE}"),
    ("count", rf"how many {MESSAGES}(?: (?:are|were) there| {HAVE})? with (?P<to>{PEOPLE})"),
    ("count", rf"how many {MESSAGES} {HAVE}"),
    (
        "count",
        rf"how many {MESSAGES} {AUX} (?P<to>{PERSON}) (?:have|get|got|received?) from {BY}",
    ),
    ("count", rf"how many {MESSAGES} {AUX} (?P<me>{PERSON}) (?:get|got|received?)"),
    (
        "count",
        (
            rf"how many {MESSAGES}(?: (?:are|were|have been)(?: there)?)?(?: {WRITE})?"
            rf"(?: (?:by|from) {BY})?"
        ),
    ),
    (
        "count",
        rf"(?:{AUX}|had) {BY}{EVER_ALL} {WRITE}(?: (?:anything|any {MESSAGES}|a {MESSAGE}))?{TO}",
    ),
    (
        "count",
        rf"(?:what is the )?(?:total )?number of {MESSAGES}(?: (?:sent )?(?:from|by) {BY})?",
    ),
    (
        "count",
        (
            rf"(?:how many|(?:what is the )?(?:total )?number of) {MESSAGES}(?: that)? {BY} (?:has |have )?"
            rf"(?:{WRITE}|exchanged?){TO}"
        ),
    ),
    (
        "count",
        (
            rf"(?:how many|(?:what is the )?(?:total )?number of) {MESSAGES}"
            rf"(?: (?:are|were)(?: there)?)?(?: (?:sent|exchanged))? between (?P<to>{PAIR})"
        ),
    ),
    (
        "count",
        rf"how (?:many times|often) (?:did|has|have) {BY} (?:{WRITE})(?: a {MESSAGE})?{TO}",
    ),
    (
        "count",
        (
            rf"(?:how far back|from when to when) (?:are|is|do|does) {OWN}(?:{MESSAGES}|chats?)"
            r"(?: (?:go|reach|run))?"
        ),
    ),
    (
        "count",
        (
            rf"(?:what|which) (?:period|time(?: ?span| range)?|dates?|range) (?:do|does|is|are) {OWN}"
            rf"(?:{MESSAGES}|chats?) (?:cover|span|from|go over)"
        ),
    ),
    (
        "count",
        rf"when (?:do|does|did) {OWN}(?:{MESSAGES}|chats?|chat history) (?:start|begin|end)",
    ),
    ("count", rf"compare how many {MESSAGES} (?P<by>{PERSON}|we|people) {WRITE}{TO}"),
    (
        "share",
        (
            rf"(?:what|which) {_SHARE} of {OWN}{MESSAGES}{_ANYWHERE} (?:is|are|was|were|come|comes|came)"
            rf"(?: (?:sent |written )?(?:from|by))? {BY}(?:['\u2019]s?)?"
        ),
    ),
    ("share", rf"(?:what|which) {_SHARE} of {OWN}{MESSAGES}{_ANYWHERE} {AUX} {BY} {WRITE}"),
    ("members", rf"how many (?:different )?people(?: are there| wrote|{HERE})"),
    ("members", rf"how many people {AUX} (?P<me>{PERSON}) (?:{TALK}|{WRITE})(?: (?:to|with))?"),
    (
        "members",
        r"(?:list|show|name)(?: (?:me|us))?(?: all)?(?: of)?(?: the| my)? (?:people|persons|contacts)",
    ),
    (
        "members",
        rf"who(?: all)? (?:are the people|is|are) in {OWN}(?:chats?|groups?|messages|database)",
    ),
    ("members", rf"who (?:has |have )?{WRITE}(?: (?:anything|{MESSAGES}|a {MESSAGE}))?"),
    ("most", rf"{_WHO_WRITES}{MOST_OR_FEWEST}(?: {MESSAGES})?{OF}"),
    ("most", rf"{_WHO_WRITES}{MOST_OR_FEWEST}(?: {MESSAGES})?{_ANYWHERE},? {_NOT_BY}"),
    (
        "most",
        rf"which {SEVERAL} (?:has |have )?(?:{WRITE}|{WRITES}){MOST_OR_FEWEST}(?: {MESSAGES})?",
    ),
    ("most", rf"{AUX} (?P<by>{PERSON} (?:{WRITE}|{TALK}) {MORE_OR_FEWER}{_COMPARED}"),
    (
        "most",
        (
            rf"compare (?:how many {MESSAGES} )?(?P<by>{PAIR})(?: {WRITE})?(?:['\u2019]s?)?"
            rf"(?: (?:by (?:the )?)?(?:number of )?{MESSAGES})?"
        ),
    ),
    (
        "most",
        (
            rf"(?P<by>{PERSON} (?:vs?\.?|versus|or) {PERSON})\s*[,:]?\s*"
            rf"{_WHO_WRITES}{_TO_ME} more(?: {MESSAGES})?"
        ),
    ),
    (
        "most",
        rf"(?:who (?:are|were) )?(?:the |our )?(?:top|most active)(?: {_SOME_NUMBER})? {_WRITERS}",
    ),
    (
        "most",
        rf"how many {MORE_OR_FEWER} {MESSAGES} {AUX} (?P<by>{PERSON} {WRITE} than {PERSON})",
    ),
    ("most", rf"(?:is|was) (?P<by>{PERSON} {_MORE_ACTIVE} than {PERSON})"),
    (
        "most",
        rf"{AUX} (?P<by>{PERSON} or {PERSON}) (?:{WRITE}|{TALK}) {MORE_OR_FEWER}(?: {MESSAGES})?",
    ),
    ("most", rf"{WHICH_OF} (?:is|was) (?:the )?{_MORE_ACTIVE}{OF}"),
    ("most", rf"who (?:is|was) the {_MOST_ACTIVE}(?: person| member| one)?"),
    ("asker", rf"who is (?P<me>{PERSON})"),
    ("asker", rf"(?:am|is) (?P<me>{PERSON}) {PERSON}"),
    (
        "closest",
        rf"whom? (?:is|are) (?P<by>{PERSON}) (?:talking|writing|texting){_WITH}{MOST_OR_FEWEST}{_WITH}",
    ),
    (
        "closest",
        rf"whom? {AUX} (?P<by>{PERSON}) (?:{TALK}|{WRITE}){_WITH}{MOST_OR_FEWEST}{_WITH}",
    ),
    ("closest", rf"whom?(?: all)? {AUX} (?P<by>{PERSON}) {TALK}{_WITH}"),
    ("written to", rf"whom?(?: all)? {AUX} (?P<by>{PERSON}) {WRITE}(?: to)?"),
    (
        "written to",
        rf"{AUX} (?P<by>{PERSON}) {WRITE} more(?: often)?(?: {MESSAGES})?(?: to)? {_AMONG}",
    ),
    (
        "written to",
        rf"whom? {AUX} (?P<by>{PERSON}) {WRITE}(?: to)? more(?: often)?(?: to)?\s*,? {_AMONG}",
    ),
    (
        "closest",
        rf"{AUX} (?P<by>{PERSON}) (?:{TALK}|{WRITE}) more(?: often)?(?: {MESSAGES})?{_WITH} {_AMONG}",
    ),
    (
        "closest",
        rf"whom? {AUX} (?P<by>{PERSON}) (?:{TALK}|{WRITE}){_WITH} more(?: often)?{_WITH}\s*,? {_AMONG}",
    ),
    ("count", rf"{AUX} {BY} (?:{WRITE}|{TALK}) (?P<of_times>more|less)(?: {MESSAGES})?{TO}"),
    (
        None,
        rf"(?:what|when|how long ago) did {BY} {LAST} (?:{WRITE}|say)(?: a {MESSAGE})?{TO}",
    ),
    (None, rf"(?:what|when) did {BY} (?:{WRITE}|say){TO} {LAST}"),
    ("last", rf"how long ago did {BY} {WRITE}(?: a {MESSAGE})?{TO}"),
    (None, rf"(?:{_AGO} )?{OF_BY} {LAST} {MESSAGE}{TO_NAMED}"),
    (None, rf"(?:{_AGO} )?(?:the )?{LAST} {MESSAGE}{NOT_TO}{FROM}{TO_NAMED}"),
    (
        None,
        (
            rf"(?:{ASKS} )?(?:the )?{LAST} (?:{MESSAGE}|thing)(?: that)? {BY} (?:has |have )?(?:ever )?"
            rf"(?:{WRITE}|said){TO}"
        ),
    ),
    (
        None,
        rf"who (?:is|was) the {LAST} (?:person|one) (?:that |who |whom )?(?P<by>{PERSON}) {WRITE}(?: to)?",
    ),
    (None, rf"whom? did (?P<by>{PERSON}) {LAST} (?:{WRITE})(?: to)?"),
    (None, rf"whom? did (?P<by>{PERSON}) (?:{WRITE})(?: to)? {LAST}"),
    (None, rf"who (?:has )?{WRITE}(?: to)? (?P<me>{PERSON}) {LAST}"),
    (None, rf"who {LAST} {WRITE}(?: to)? (?P<me>{PERSON})"),
    (
        None,
        (
            rf"who (?:is|was)(?: the)? {LAST}(?: person| one)? (?:to|who|that) {WRITE}(?: to)?"
            rf" (?P<me>{PERSON})"
        ),
    ),
    ("members", rf"who (?:has |have )?{WRITE}(?: to)? (?P<me>{PERSON})"),
    ("most", rf"{_WHO_WRITES}(?: to)? (?P<me>{PERSON}){MOST_OR_FEWEST}(?: {MESSAGES})?{OF}"),
    (None, rf"who (?:sent|wrote|posted)(?: the)? {LAST}(?: {MESSAGE})?"),
    (
        None,
        rf"who (?:is|was)(?: the)? {LAST}(?: person| one)? (?:to|who|that) {WRITE}(?: a {MESSAGE})?",
    ),
    (None, rf"when did (?P<both>we|{PEOPLE}) {LAST} {TALK}{TO}"),
    (None, rf"{SINCE} (?P<both>we|{PEOPLE}) {LAST} {TALK}{TO}"),
    (None, rf"{SINCE} {BY} {LAST} {WRITE}{TO}"),
    (None, rf"{SINCE} (?P<hears>{PERSON}) {LAST} heard? from {BY}"),
    (None, rf"when did (?P<hears>{PERSON}) {LAST} heard? from {BY}"),
    (
        "chats",
        rf"{_CHATS} (?:is|are|was|were) {BY} (?:in|part of)",
    ),
    ("chats", rf"(?:in )?(?:{_CHATS}|(?:which|what) {ONE_CHAT}) {AUX} {BY} {WRITE}(?: in)?"),
    ("chats", rf"{_CHATS}(?: (?:are there|{HAVE}))?"),
    (
        "chats",
        (
            r"(?:list|show|name)(?: (?:me|us))?(?: all)?(?: of)?"
            rf"(?: (?:the|my|our|(?P<has>{PERSON})['\u2019]s))? (?:chats|groups|conversations)"
        ),
    ),
)

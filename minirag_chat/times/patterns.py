"""What time expressions look like in a text: one regular expression with one group per kind.

This only finds the phrases; the reader of each kind decides if one is a real date ("31 April" is not).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from minirag_chat.lazy_patterns import lazy
from minirag_chat.times.dayed import DATE_FIRST, DAYED, LONG_NAMES
from minirag_chat.times.foreign import NUMBERED, OF_NEAR_YEAR, foreign_shape, foreign_words
from minirag_chat.times.hanzi import HANZI
from minirag_chat.times.names_of_days import MONTHS, WEEKDAYS
from minirag_chat.times.number_words import NUMBERS, TO_THIRTY_FIRST

SHORT_DAYS = (
    "mon", "tue", "tues", "wed", "weds", "thu", "thur", "thurs", "fri", "sat", "sun",
)  # fmt: skip
_APOSTROPHE = "['\u2019]?"
HOLIDAYS = (
    r"(?:orthodox\s+)?easter(?:\s+(?:sunday|monday))?", r"good\s+friday", r"palm\s+sunday",
    r"pentecost", r"(?:christmas|xmas)(?:\s+(?:eve|day))?", r"boxing\s+day",
    rf"new\s+year{_APOSTROPHE}s?\s+(?:eve|day)",
    rf"(?:lunar|chinese)\s+new\s+year(?:{_APOSTROPHE}s?\s+(?:eve|day))?",
    r"spring\s+festival", r"dragon\s+boat\s+festival", r"mid-autumn\s+festival", r"halloween",
    rf"valentine{_APOSTROPHE}s\s+day", rf"(?:mother|father){_APOSTROPHE}s\s+day",
    r"thanksgiving(?:\s+day)?", r"labou?r\s+day", r"memorial\s+day", r"independence\s+day",
    r"eid\s+al-(?:fitr|adha)", "diwali", r"\bholi\b", r"mothering\s+sunday", r"bonfire\s+night",
    r"guy\s+fawkes(?:\s+(?:night|day))?", "weihnachten", "heiligabend", "neujahr", "karfreitag",
    "ostern", "ostermontag", "pfingsten",
)  # fmt: skip
GIVEN_NAMES = frozenset({"april", "may", "june", "august", "march"})  # names and verbs too
JOIN = r"(?:\s*[-\u2013\u2014]\s*|\s+(?:to|till?|until|through)\s+)"
PREPOSITIONS = (
    "in", "during", "since", "until", "till", "before", "after", "by", "throughout", "between",
)  # fmt: skip


def _any(*words: str) -> str:
    return "(?:" + "|".join(words) + ")"


# What may follow a short name ("the 5th", "New Year's") that is no part of a longer one ("the 5th floor").
_ENDS = (
    r"(?=\W*$|[^\w\s]|\s+(?:at|and|or|for|to|till?|until|through|with|if|so|around|from|then)\b)"
)


def _after(words: Iterable[str], shape: str) -> str:
    """Match ``shape`` right after one of ``words``, with or without "the"."""
    lead = _any(*(rf"(?<=\b{word}{the} )" for word in words for the in ("", " the")))
    return rf"(?<= )(?={shape}){lead}{shape}"  # the shape first, for speed: few places match it


MONTH = _any(*MONTHS)
TOMORROW = _any("tomm?orr?ow", "tmrw?", "tmw", "tomoz", "2moro", "2morrow", "2mrw", "2moz")
YESTERDAY = _any("yesterday", "yest", "yday")
TONIGHT = _any("tonight", "tonite", "2nite", "2night")
YEAR = r"(?:19|20)\d\d(?!\d)"
SHORT_YEAR = r"['\u2018\u2019]\d\d(?!\w)"
DAY_OF_MONTH = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
# "The twenty-first of May". The longest first: "twentieth" begins as "twenty" does, "sixteenth" as "sixth".
NTH_IN_WORDS = _any(
    *(word.replace("-", r"[\s-]") for word in sorted(TO_THIRTY_FIRST, key=len, reverse=True))
)
# "Nov." with its point; that after "November" ends the sentence.
SHORT = _any(
    rf"{MONTH}\b", rf"{_any(*(name[:3] for name in MONTHS if name != 'may'), 'sept')}\b\.?"
)
NEAR = r"(?:this\s+coming|this\s+past|this|next|last|past|previous|coming|upcoming)\s+"
_WEEKDAY = _any(*WEEKDAYS)
_SHORT_DAY = _any("mon", "tues?", "weds?", "thu(?:rs?)?", "fri", "sat", "sun")
_SURE_DAY = r"(?:tues|weds|thurs?|(?<!\bhar )(?<!\bha )fri)"  # "har fri" is Norwegian: is free
# "Sat", "sun", "wed" and "mon" are words, and "Thu" is a name: they are days after "see you" or "by",
# and before a clock time or hours.
_WORD_DAY = r"(?:mon|tue|wed|thu|sat|sun)\b"
_NO_VERB = "".join(
    rf"(?<!\b{word} )" for word in ("i", "we", "he", "she", "it", "they", "you", "u", "who", "all")
)
_NO_WORD = _NO_VERB + "".join(
    rf"(?<!\b{word} )" for word in ("and", "just", "the", "a", "my", "his", "her", "in", "that")
)
_SAID = (  # what people write after a time and before the end of what they say
    r"(?:promise|ok|okay|please|pls|plz|yeah|yes|yep|btw|lol|haha\w*|x{1,4}|thx|thanks|ta|cos|coz|cuz|cause"
    r"|bc|because|but|tho|though|latest|hopefully|maybe|instead|guys|everyone|mate|right(?=\s*(?:\Z|[^\w\s])))\b"
)
_SEEN = _any(*(rf"(?<=\b{word} )" for word in ("see u", "see you", "see ya", "c u", "cu")))
_NOT_REPEATED = (  # "Monday evenings", "Monday and Thursday evenings"
    rf"(?!(?:\s+(?:and|or|n|&)\s+(?:{_WEEKDAY}|{_SHORT_DAY}))?\s+(?:mornings|afternoons|evenings|nights)\b)"
)
_DAY_PART = (
    r"(?:(?:morning|afternoon|evening|eve|night|nite|lunchtime)\b|[ap]m\b(?=\s*(?:\Z|[^\w\s])))"
)
_NUMBER = _any(r"\d{1,3}", *NUMBERS)
COUNT = _any(
    rf"{_NUMBER}\s+and\s+a\s+half", r"(?:a\s+)?couple\s+of", r"(?:a\s+)?half(?:\s+an?)?", _NUMBER
)
SOME = r"(?:few|several)"
_HALVED = r"(?:\s+and\s+a\s+half)?"
_UNITS = rf"\s+(?:day|week|fortnight|month|year|wk|mth|yr)s?{_HALVED}"
_TIMES = rf"\s+(?:minute|hour|min|hr)s?{_HALVED}"
_YEAR_SAID = rf"(?:,?\s+(?:of\s+)?(?:{YEAR}|{SHORT_YEAR})|{SHORT_YEAR})"
_OF_YEAR = rf"{_YEAR_SAID}?"
_NTH = _any("first", "second", "third", "fourth", "last", "1st", "2nd", "3rd", "4th")
_TRAILING = "(?<=the )" + _any(
    *(rf"(?<=\b{word} the )" for word in ("in", "over", "during", "for", "within", "throughout"))
)
_THIRD = r"(?:(?:early|mid|late)(?:\s+in)?|(?:beginning|start|middle|end)\s+of)[\s-]+"
_CLOCK = (
    r"(?:(?:1[0-2]|0?[1-9])(?:[:.][0-5]\d)?\s?[ap](?:\.m\.|m\b)"
    r"|(?:[01]?\d|2[0-3]):[0-5]\d(?![:.]?\d))"
)
_PLAIN_MONTH = _any(*(name for name in MONTHS if name not in GIVEN_NAMES))
# "December tenth", but not "in December first we go to Leeds", "may first be asked"
_MONTH_BEFORE = rf"(?:(?<!\bin ){_PLAIN_MONTH}|(?<=\bon ){MONTH})"
_MONTH_THEN_NTH = rf"{_MONTH_BEFORE}\s+(?:the\s+)?{NTH_IN_WORDS}(?={_ENDS}|,?\s+{YEAR})"
_DAY_MONTH = (
    rf"(?:(?:{_WEEKDAY}|{_SHORT_DAY}\.?),?\s+(?:the\s+)?)?(?:"
    rf"(?<!\ba )(?<!\bone ){NTH_IN_WORDS}(?:(?:{JOIN}|\s+and\s+)(?:the\s+)?{NTH_IN_WORDS})?"
    rf"\s+of\s+{SHORT}{_OF_YEAR}"
    rf"|{_MONTH_THEN_NTH}{_OF_YEAR}|"
    rf"{DAY_OF_MONTH}(?:(?:{JOIN}|\s+and\s+)(?:the\s+)?{DAY_OF_MONTH})?\s+(?:of\s+)?{SHORT}{_OF_YEAR}"
    rf"|{SHORT}\s+(?:the\s+)?{DAY_OF_MONTH}(?:{JOIN}(?:the\s+)?{DAY_OF_MONTH})?(?![\d:]|\s?[ap]\.?m\b){_OF_YEAR})"
)
_NOT_NEAR = "".join(rf"(?<!\b{word} )" for word in ("last", "this", "next", "every", "each"))
_AT = r"(?:@\s?)?"
_DAY_ENDS = rf"(?={_ENDS}|\s+(?:@|at\s+\d|{_CLOCK}|{_DAY_PART}|{_SAID}))"
_BY = ("by", "till", "til", "until", "before", "after", "from", "since", "for")
_HOUR_ENDS = (
    r"(?![\w/%\u20ac\u00a3$-]|[.:,]\d)"
    r"(?!\s+(?:hours?|hrs?|min(?:ute)?s?|days?|weeks?|people|times|of)\b)"
)
_MINUTES, _HOUR_TO = r"(?:[:.][0-5]\d)?", r"(?:\s?[-\u2013]\s?|\s+(?:to|till?|until)\s+)"
# "8-2", "10.30-4", "22-6", but not "17-19", which may be days of a month
HOURS = (
    rf"(?:(?P<first>1[0-2]|0?\d){_MINUTES}{_HOUR_TO}(?P<last>2[0-4]|1\d|0?\d){_MINUTES}"
    rf"|(?P<late>1[3-9]|2[0-4]){_MINUTES}{_HOUR_TO}(?P<night>1[0-2]|0?\d){_MINUTES}){_HOUR_ENDS}"
)
_UNNAMED_HOURS = re.sub(r"\?P<\w+>", "?:", HOURS)
_WORD_DAYS = (
    rf"(?={_WORD_DAY}){_SEEN}{_WORD_DAY}{_DAY_ENDS}"
    rf"|{_after(_BY, '(?!(?-i:SAT))(?:mon|tue|wed|thu|sat)')}\b{_DAY_ENDS}"
    rf"|(?=\b{_WORD_DAY}){_NO_WORD}(?:{_WORD_DAY}(?=,?\s+(?:{_AT}{_CLOCK}|{_UNNAMED_HOURS}|{_DAY_PART}|mtg\b))|(?:mon|tue|thu)\b(?=,?\s+at\s+{_CLOCK}))"
)
_BARE_NUMBER = (  # "Friday 20 at 7", "weds 2 at 3" and "thurs 17 evening", but not "Friday 20 people"
    r"(?:(?:3[01]|2\d|1[3-9])(?![-:./%]?\w|\s+[^\W\d_])"
    r"|(?:3[01]|2\d|1[3-9])(?=\s+(?:at|from|around|after|before|in\s+the|or|if|but|then|so|is|now"
    rf"|instead|{_DAY_PART})\b)|(?:1[0-2]|[1-9])(?=\s+at\s+\d)"
    rf"|(?:3[01]|[12]?\d)(?=\s+(?:and|or|to)\s+(?:{_WEEKDAY}|{_SHORT_DAY})\.?,?\s+(?:the\s+)?\d))"
)
_SEASONS = "spring|summer|autumn|fall|winter"
_SEASON = rf"(?:(?-i:{_SEASONS})|(?:{_SEASONS})(?!\s+(?-i:[A-Z][a-z])))"  # not "Fall River"
_EITHER = ("before", "after", "since", "around", "between", "last", "this", "next")
_ENDS_OR_YEAR = rf"(?:{_ENDS}|(?=\s+{NEAR}year\b))"
_OF_THAT_YEAR = ("year's", "year\u2019s")
_SET = ("planned for", "scheduled for", "booked for")
_BRIEF_NAME = r"(?:feb|apr|jul|aug|sept?|oct|nov|dec)\b"
_BRIEF = r"(?-i:Feb|Mar|Apr|Jul|Aug|Sept?|Oct|Nov|Dec)\b(?!['\u2019])"  # Jan and Jun are names
_MONTH = rf"(?:{MONTH}\b|{_BRIEF})"
# "in feb", "feb half term"
_BRIEF_IN = (
    rf"(?:{_after(('in', 'during', 'since', 'until', 'till', 'til'), _BRIEF_NAME)}(?!['\u2019]))"
)
_HALF_TERM = rf"\b(?:{MONTH}|{_BRIEF_NAME})(?=\s+half[\s-]?term\b)"
_ALONE = r"(?!\w|[-:.,%]\w)"
_A_YEAR = rf"{YEAR}{_ALONE}"
ORDINAL = r"(?:3[01]|[12]?\d)(?:st|nd|rd|th)"
# Without "on" a number up to 12 is a rank as easily ("she is the 5th"), unless what follows is said of days.
HIGH_ORDINAL = r"(?:3[01]|2\d|1[3-9])(?:st|nd|rd|th)"
OF_DAYS = r"(?=\s+(?:(?:now|instead|works)\b|at\s+\d))"
_NTH_ENDS = rf"(?!-\w)(?:{_ENDS}|(?=\s+(?:now|instead|works|{_SAID})\b))"
_GOES_ON = (  # what follows a day, and no rank: "the 20th we fly", "the 20th is fine"
    rf"(?!-\w)(?:{_ENDS}|(?=\s+(?:now|instead|works?|{_SAID}|(?:i|we|you|u|he|she|they|it|that|is|isn['\u2019]?t|are"
    r"|will|would|can|at|for|to|til{1,2}|until|with|if|when|then|so|and|or|nor|but|not|before|after"
    r"|where|what|does|do|just)\b)))"
)
_IS_THE = (
    "is the", "its the", "it's the", "it\u2019s the", "you the", "u the", "ya the", "due the", "about the",
    "do the",
)  # fmt: skip
BEFORE_WEEKDAY = (
    r"(?:\s+(?:i\s+think|i\s+guess|maybe|prob(?:ably|s)?|hopefully))?(?:,\s*|\s*\(\s*)(?:an?\s+)?"
)
_CAN_DO = (
    "can do", "could do", "cant do", "can't do", "can\u2019t do", "cannot do", "can make", "cant make",
    "can't make", "can\u2019t make", "free", "busy",
)  # fmt: skip
_SETTLING = ("so", "ok", "okay", "yes", "yeah", "yep", "yh", "think")
_HOLIDAY = _any(
    *HOLIDAYS,
    _after(
        ("at", "for", "over", "and", "by", "till", "until", "to", *_EITHER),
        rf"new\s+year(?:{_APOSTROPHE}s)?(?!{_APOSTROPHE[:-1]}){_ENDS_OR_YEAR}",
    ),
    _after(("on", "at", "for", "by", "till", "until", "is", *_EITHER), r"nye\b"),
    r"\bnye(?=\s+(?:plans?|party|parties|dinner|drinks)\b)|(?-i:\bNYE\b)",
    _after(("on", "at", "for", *_EITHER), rf"valentine{_APOSTROPHE}s{_ENDS_OR_YEAR}"),
    _after(("an", "zu", "und", "bis", "nach", "vor", "seit", "über"), r"silvester\b"),
)
_RECURRING = _any("weekend", "week", "month", "year", _WEEKDAY, _SEASON, _MONTH, _HOLIDAY)
_OF_GERMANY = (
    _any(r"\d\d?\.\s?(?:-|bis(?:\s+zum)?)\s?\d\d?\.\d\d?\.", r"\d\d?\.\d\d?\.")
    + rf"(?:{OF_NEAR_YEAR}\b|(?![\w.]))"
)
# "Dentist 15/11 at 9", "on 25/12", but not a mark or a share: 8/20, 13/10, 12/13
_MONTH_NUMBER, _HIGH_DAY = r"(?:1[0-2]|0?[1-9])", r"(?:3[01]|2\d|1[3-9])"
_DAY_AND_MONTH = rf"(?!24/7)(?:{_HIGH_DAY}/{_MONTH_NUMBER}|{_MONTH_NUMBER}/{_HIGH_DAY})"
_SLASHED = (
    _after(("on", "by", "until", "till", "before", "after", "since"), _DAY_AND_MONTH)
    + r"(?![\w/%\u20ac\u00a3$-]|[.:,]\d)(?=\W*\Z|\s*[,;.!?)\n]"
    r"|\s+(?:at|and|or|but|so|if|for|with|in|to|from|we|i|it|is|@)\b)"
    rf"|(?<![\w.,/:\u20ac\u00a3$-])(?!24/7){_HIGH_DAY}/{_MONTH_NUMBER}(?=\s+(?:at|@)\s?\d|\s+{_CLOCK})"
)
_TO_OF_GERMANY = r"(?<![\w.])\d\d?\.\d\d?\.(?=\s+bis\s+(?:zum\s+)?\d\d?\.\d\d?\.)"
_OR = r"(?:,?\s+(?:and|or)\s+|/)"

KINDS: dict[str, str] = {
    "stamp": rf"(?<![\w.-]){YEAR}[-/]\d\d?[-/]\d\d?(?:[t _]\d\d?:\d\d(?::\d\d)?)?(?![\w-])"
    r"|(?<![\w-])(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:_\d\d:?\d\d)?(?!\w)"
    rf"|{_after((*PREPOSITIONS, 'from', 'to', 'and'), rf'(?:1[0-2]|0?[1-9])/{YEAR}')}(?![\w/-])",
    "dayed": rf"\b(?:{NEAR})?{DAYED}|{DATE_FIRST}",
    "numeric": r"(?<![\w./-])\d\d?(?:/\d\d?/(?:\d\d)?\d\d|[.]\d\d?[.](?:19|20)\d\d)(?![\w/-])",
    "weekof": rf"\b(?:the\s+)?(?:week(?:end)?\s+(?:of|starting)|weekend,?)\s+(?:the\s+)?{_DAY_MONTH}(?!\w)",
    "date": rf"\b{_DAY_MONTH}(?!\w)|{_after(('am', 'vom', 'zum', 'dem', 'seit', 'ab', 'bis'), _OF_GERMANY)}"
    rf"|{_TO_OF_GERMANY}|{_SLASHED}",
    "part": rf"\b{_NTH}\s+{_any('weekend', 'week', 'half', _WEEKDAY)}\s+(?:of|in)\s+"
    rf"(?:{_MONTH}{_OF_YEAR}|{NEAR}month)\b|\b(?:first|{ORDINAL})\s+(?:of\s+)?{NEAR}month\b|\b{_THIRD}{_MONTH}{_OF_YEAR}\b"
    rf"|\b(?:{_NTH}\s+quarter|(?:first|second|last|1st|2nd)\s+half)\s+of\s+(?:{_A_YEAR}|(?:the\s+|{NEAR})year\b)"
    rf"|\b{_THIRD}(?:{_A_YEAR}|{NEAR}(?:month|year)\b)",
    "quarter": rf"\bq[1-4]{_OF_YEAR}\b",
    "last": rf"\b(?:last|past|next|coming)\s+(?:{SOME}|{COUNT}){_UNITS}\b(?!\s+of\b)"
    rf"|(?:{_TRAILING}(?:last|past)|(?<=\bthe )past)\s+(?:week|month|year){_HALVED}\b(?!\s+of\b)"
    r"|\b(?:last|past|next|coming)\s+fortnight\b",
    "unit": rf"\b{NEAR}(?:weekend|week|month|year|quarter|wk|yr)\b(?!\s+of\b)"
    rf"|\b(?:the\s+)?{_RECURRING}\s+before\s+last\b(?!\s+(?:night|time|{_RECURRING}))|\bthe\s+weekend\b|\b(?:week|weekend|wk)\s+after\s+next\b"
    r"|(?<!\beither )\b(?:end|middle)\s+of\s+the\s+month\b",
    "later": r"(?=\w{1,12}\s+(?:week|wk|fortnight))(?:"
    r"(?<!\bfor )(?<!\bbe )(?<!\bbeen )(?<!['\u2019]s )(?<!\bits )(?<!\bis )\b"
    rf"(?:an?|one|two|three|four|[1-9])\s+(?:week|wk|fortnight)s?\s+{TOMORROW}\b"
    r"(?!\s+(?:since|that|ago|from)\b)"
    rf"|(?:{_SEEN}|{_NO_WORD}){_NOT_NEAR}\b(?:{_WEEKDAY}|{_SHORT_DAY}|{TOMORROW})\s+(?:week|wk)"
    rf"{_DAY_ENDS})"
    rf"|(?<!\bbe )(?<!\bbeen )(?<!\bfor )(?<!s )\ba\s+(?:week|wk)\s+on\s+(?:{_WEEKDAY}|{_SHORT_DAY})\b",
    "offset": rf"\b{COUNT}{_UNITS}\s+(?:ago|from\s+(?:now|today))\b|(?<!\btime )\bin\s+{COUNT}{_UNITS}\b"
    rf"|\b{COUNT}\s+weekends?\s+ago\b",
    "moment": rf"\b{COUNT}{_TIMES}\s+(?:ago|from\s+now)\b|\bin\s+{COUNT}{_TIMES}\b",
    "relative": r"\b(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday)\b"
    rf"|\b(?:{TOMORROW}|{YESTERDAY}|today|{TONIGHT}|last\s+(?:night|nite)|this\s+(?:morning|afternoon|evening))\b",
    "holiday": rf"\b(?:{NEAR})?{_HOLIDAY}{_OF_YEAR}(?!\w)",
    "numbered": rf"\b(?:{NEAR})?{_WEEKDAY},?\s+(?:the\s+)?"
    rf"(?:{ORDINAL}\b|{_BARE_NUMBER})"
    rf"|\b(?:{NEAR})?{_SHORT_DAY}\.?,?\s+(?:the\s+)?{ORDINAL}\b"
    rf"|\b(?={_SHORT_DAY}[\s.,])(?:(?={_SURE_DAY}\b)|{_NO_WORD}){_SHORT_DAY}\.?,?\s+{_BARE_NUMBER}"
    rf"|\b(?:{NEAR})?(?:{_WEEKDAY}|{_SHORT_DAY}\.?)\s*\(\s*(?:the\s+)?{ORDINAL}\s*\)",
    "weekday": rf"\b(?:every\s+|each\s+|{NEAR})?{_WEEKDAY}s?\b"
    rf"{_NOT_REPEATED}"
    r"|(?:(?<=\bon )|\b(?:this|next|last)\s+)(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|(?-i:Sun))\b"
    rf"|(?<![-/\u2013])\b(?:every\s+|each\s+|{NEAR})?{_SURE_DAY}\b"
    rf"(?![-/\u2013]\w){_NOT_REPEATED}|{_WORD_DAYS}",
    # "Jo Tue Fri Sun": days only below the heading of a week (``rotas``)
    "listed": rf"(?<![-/\u2013]){_NO_VERB}\b{_SHORT_DAY}\b(?!{JOIN})(?![-/\u2013'\u2019]\w)",
    "season": rf"(?:\b{NEAR}{_SEASON}|{_after((*PREPOSITIONS, 'to', 'over', *_OF_THAT_YEAR), _SEASON)})"
    rf"{_OF_YEAR}\b|\b{_SEASON}{_YEAR_SAID}",
    "months": rf"(?:\b(?:from|between)\s+{_MONTH}(?:{JOIN}|\s+and\s+)|\b{_MONTH}{JOIN}"
    rf"|{_after((*PREPOSITIONS, 'of', 'for'), _MONTH)}(?:,\s*{_MONTH}){{0,9}}{_OR}"
    rf"|\b{_PLAIN_MONTH}(?:,\s*{_MONTH}){{0,9}}{_OR}){_MONTH}{_OF_YEAR}(?!\s+\d)",
    "month": rf"\b(?:{NEAR}{_MONTH}|{SHORT}{_YEAR_SAID}\b)"
    rf"|{_after((*PREPOSITIONS, 'month of', 'months of', *_SET, *_OF_THAT_YEAR), MONTH)}\b|\b{_PLAIN_MONTH}\b"
    rf"|{_after((*PREPOSITIONS, 'from'), _BRIEF)}|{_BRIEF_IN}|{_HALF_TERM}"
    rf"|{_after(('in', 'during', 'since'), '(?-i:Jun)')}\b"
    rf"|(?:(?<=\A)|(?<=[.!?\n] )){MONTH}(?=[.?!]{{1,4}}(?:\s|\Z)|\Z)",
    "loose": rf"{_after(('and', 'to', 'from', 'until', 'through'), _any(_MONTH, _SEASON))}\b",
    "now": _after(("and", "to", "till", "until", "through", "from", "between"), r"now\b"),
    "hanzi": HANZI,
    "year": rf"\b(?:from|between)\s+{YEAR}(?:{JOIN}|\s+and\s+){_A_YEAR}"
    rf"|{_after((*PREPOSITIONS, 'from'), YEAR)}(?:(?:{JOIN}|\s+(?:and|or)\s+){YEAR})?{_ALONE}"
    rf"|{_after((*PREPOSITIONS, 'from'), SHORT_YEAR)}"
    r"|(?<!\d)(?:19|20)\d\d年(?![轻纪代级龄])",
    "clocks": rf"(?<![\w:.])\d\d?(?:[:.]\d\d)?{JOIN}{_CLOCK}",
    "clock": rf"(?<![\w:.]){_CLOCK}|\b(?:noon|midday|midnight)\b",
    "daypart": r"\b(?:in\s+the\s+)?(?:morning|afternoon|evening)\b|\b(?:at\s+)?ni(?:ght|te)\b",
    "ordinal": _after(("on", *PREPOSITIONS, "from", "for"), ORDINAL) + _ENDS
    + rf"|{_after(('on', 'by', 'until', 'till', 'til', 'for'), ORDINAL)}{_GOES_ON}"
    # "I can do the 10th", "free the 3rd?"
    + rf"|{_after(_CAN_DO, ORDINAL)}{_NTH_ENDS}"
    # "10th works", "yes 10th works", "so 10th then"
    + rf"|(?:(?<=\A)|(?<=[.!?;,\n] )|{_after(_SETTLING, '')}){ORDINAL}"
    + r"(?=\s+works\b|\s+then\W*(?:\Z|\n|[.,!?;]))"
    # "It's the 27th now", "see you the 26th", "the 25th at ours", and not "the 5th rule" or "she is the 3rd"
    + rf"|{_after(_IS_THE, HIGH_ORDINAL)}{_NTH_ENDS}|{_after(_IS_THE, ORDINAL)}{OF_DAYS}"
    # "starts the 20th", "free the 16th so": not "in the 15th and 16th centuries", "the 21st birthday"
    + rf"|(?<=\bthe )(?<!\bin the )(?<!\bof the ){HIGH_ORDINAL}{_GOES_ON}"
    + rf"|(?:(?<=\Athe )|(?<=[.!?;,\n] the )){ORDINAL}(?=\s+(?:now|instead|works|at)\b)"
    # "They cancelled. 24th now"
    + rf"|(?:(?<=\A)|(?<=[.!?;,\n] )){HIGH_ORDINAL}(?=\s+(?:now|instead)\W*(?:\Z|\n|[.,!?;]))"
    # "Away 30th to 2nd"
    + rf"|(?<![\w/-]){HIGH_ORDINAL}(?=\s?(?:-|\u2013|to|till?|until)\s?(?:the\s+)?{ORDINAL}{_GOES_ON})",
    "nth": _after(("and", "or", "to"), ORDINAL) + rf"(?:{_NTH_ENDS}|{_GOES_ON})"
    # "17th i think, thurs"
    + rf"|{ORDINAL}(?={BEFORE_WEEKDAY}(?:{_WEEKDAY}|{_SHORT_DAY})\b)",
}  # fmt: skip
# A time cannot begin in the middle of a word: this rules out most places quickly.
_MAY_BEGIN = r"(?:(?<!\w)|(?=[\d\u0080-\U0010ffff]))"
_HINT = lazy(
    r"\d{8}|['\u2018\u2019]\d\d\b|\b(?:3[01]|2\d|1[3-9])/\d|\d/(?:3[01]|2\d|1[3-9])\b|\d\.\d\d?\.|\d\d?[/.-]\d\d?[/.-]\d\d|\d:\d\d|\d\s?[ap]\.?m\b|\d(?:st|nd|rd|th)\b"
    r"|\bq[1-4]\b|(?<!\d)(?:19|20)\d\d(?!\d)|[年月日号周天]"
    r"|\b[^\W\d_]{2,3}[\s.,:(\u2013-]{1,4}\d\d?[./-]|\d[./]\d\d?\.?[\s,(]{1,3}[^\W\d_]{2,3}\b",
    re.IGNORECASE,
)
_WORD = lazy(r"[^\W\d_]+")
_TWO_NUMBERS = lazy(r"\d[./-]\s?\d")  # every date in digits has them
_WORDS = frozenset(
    {
        "ago", "tomorrow", "tomorow", "tommorow", "tommorrow", "tmr", "tmrw", "tmw", "tomoz", "moro",
        "morrow", "mrw", "moz", "yest", "yday", "tonite", "nite",
        "yesterday", "today", "tonight", "night", "morning",
        "afternoon", "evening", "noon", "midday", "midnight", "minute", "minutes", "hour", "hours",
        "day", "days", "week", "weeks", "wk", "wks", "weekend", "month", "months", "year", "years",
        "yr", "quarter",
        "spring", "summer", "autumn", "fall", "winter", "festival", "easter", "pentecost",
        "christmas", "xmas", "halloween", "thanksgiving", "eid", "diwali", "holi", "sept",
        "valentine", "valentines", "fawkes", "fortnight", "weihnachten", "heiligabend", "silvester",
        "neujahr", "karfreitag", "ostern", "ostermontag", "pfingsten", "nye",
        *LONG_NAMES, *MONTHS, *(name[:3] for name in MONTHS), *WEEKDAYS, *SHORT_DAYS,
    }
)  # fmt: skip


@cache
def _time_pattern(*, foreign: bool, digits: bool) -> re.Pattern[str]:
    """Return the expression of all kinds; without ``foreign`` or ``digits`` less those that need them."""
    kinds = dict(KINDS)
    if foreign:
        kinds |= {"foreign": foreign_shape(), "numbered": rf"{kinds['numbered']}|{NUMBERED}"}
    if not digits:
        kinds.pop("dayed")
    shapes = "|".join(f"(?P<{kind}>{shape})" for kind, shape in kinds.items())
    return re.compile(rf"{_MAY_BEGIN}(?:{shapes})", re.IGNORECASE)


def times_in(text: str) -> Iterator[re.Match[str]]:
    """Find the parts of a text that look like times, from left to right; ``lastgroup`` is the kind."""
    foreign = not text.isascii() or not foreign_words().isdisjoint(_WORD.findall(text.lower()))
    digits = _TWO_NUMBERS.search(text) is not None
    return _time_pattern(foreign=foreign, digits=digits).finditer(text)


def parts_of_dayed(found: re.Match[str], *, clock: bool) -> Iterator[re.Match[str]]:
    """Of a weekday and digits that do not fit: the weekday of a clock time, or a date with its year."""
    kind = "weekday" if clock else "numeric"
    part = re.compile(rf"(?P<{kind}>{KINDS[kind]})", re.IGNORECASE)
    yield from part.finditer(found.string, *found.span())


def weekday_of(name: str) -> int:
    """The number of a day, from 0 for Monday, by its name or an abbreviation ("Thurs")."""
    return next(n for n, day in enumerate(WEEKDAYS) if day.startswith(name.lower()[:3]))


def month_of(name: str) -> int:
    """The number of a month, from 1 for January, by its name or an abbreviation ("Sept")."""
    return next(n for n, month in enumerate(MONTHS, 1) if month.startswith(name.lower()[:3]))


def mentions_time(text: str) -> bool:
    """Return whether ``text`` may name a time: False is certain, True needs a full search."""
    return not _hints().isdisjoint(_WORD.findall(text.lower())) or _HINT.search(text) is not None


@cache
def _hints() -> frozenset[str]:
    return _WORDS | foreign_words()

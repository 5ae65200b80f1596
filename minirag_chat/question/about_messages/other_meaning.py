"""What a question says beside its class, so that it does not mean the known question of that class.

"When did Ann last come?" is not about her last message, and "the quietest month" is not the busiest one.
"""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.placeholders import NAMES, WORD

_OF_THE_THING = any_case(  # that is called so: a name between quotation marks is no word to be counted
    rf"^\W*(?:who|what|where|when|why|which|how)(?:['\u2019]?s| is| are| was| were) (?:the |an? )?{WORD}\W*$"
    rf"|\bdoes {WORD} mean\b|{WORD} (?:number|address|code|name|date|price)(?:e?s)?\b",
)
# What changes the meaning of a class: "who answers me most" is not about speed, "the last one" is of what was
# asked before, and "who have I never written to" is about nobody's number of messages.
_NOT_SO = {
    "word_count": _OF_THE_THING,
    "word_list": _OF_THE_THING,
    "replies": any_case(
        r"\b(?:most|often|least|more|never(?! replies)|still|yet|forg[eo]t(?:ten)?|waiting)\b"
        r"|^\W*(?:did|has|have)\b(?!.*\b(?:fast|quick|quickly|slow|slowly|long|usually|late)\b)",
    ),
    "longest": any_case(r"\b(?:ever|others?) (?:got|get|received?)\b"),
    "fewest": any_case(
        rf"\bignor|\bquietest (?:chat|group|conversation)|\b(?:chats|groups) (?:is|are)\b"
        rf"|\b(?:never|nobody|no ?one)\b.*(?:\bto\b|[{NAMES}])|[{NAMES}].*\bnever\b",
    ),
    "plans": any_case(r"\b(?:any|is there an?) (?!plans?\b|thing|events?\b)\w+ coming\b"),
    "most": any_case(r"\b(?:latest|earliest)\b"),
    "count": any_case(
        r"\b(?:repl(?:y|ies)|un(?:answered|read)|important|deleted|urgent)\b"
        r"|\b(?:long|short) (?:messages|texts)\b|\b(?:contain|includ|mention)\w* (?:an?|any|\w+s)\b",
    ),
    "streak": any_case(r"\bhow (?:often|many times)\b"),
    "lost_touch": any_case(  # "who did I not talk to in July" asks with whom nothing was written then
        r"\bdid(?:n['\u2019]?t| not|\b.*\bnot)\b(?!.*\b(?:long|longest|while|ages|time|lately|recently)\b)",
    ),
    "oldest": any_case(r"\babout\b"),
    "newest": any_case(r"\babout\b"),
    "words_used": any_case(rf"[{NAMES}]['\u2019]s? favou?rite word\b"),
    "last_talk": any_case(r"\blongest\b"),
    "begins": any_case(r"^\W*whom?\s+did\b"),
    "last": any_case(r"\bthe last(?: ones?)?\W*$|\blongest\b"),
    "largest": any_case(
        r"\b(?:fewest|least|less|smallest|shortest|quietest|newest|oldest|latest)\b"
    ),
    "silence": any_case(
        r"^\W*(?:with )?whom?\b|\bhow many days\b|\blongest time (?:that )?\S+ (?:talk|spoke|chat)"
        r"|\blongest (?:conversation|chat|talk|call|discussion)\b",
    ),
    "first": any_case(
        r"\bthe first(?: ones?)?\W*$|\b(?:in|of) the day\b|\b(?:chat|group)s? (?:(?:is|was) )?about\b",
    ),
}

_PASSED_ON = r"(?:get|got|receiv\w*|send|sent)"
_OF_WRITING = any_case(
    r"\b(?:messag\w*|msgs?|text\w*|txt\w*|writ\w*|wrote|chat\w*|talk\w*|post\w*|say|says|saying|said|speak\w*"
    r"|spoken?|hear|heard|contact\w*|touch|sign of life|word|words|convers\w*|ping\w*|repl\w*|answer\w*"
    r"|exchang\w*|communicat\w*|typ(?:e[ds]?|ing)|correspond\w*|online|activ\w*|share)\b"
    rf"|\b{_PASSED_ON} (?:\S+ )?(?:any|some)thing\b|\b(?:sen[dt] last|last sen[dt])\W*$",
)
_OF_ENDS = frozenset("first first_talk last last_talk heard_first heard_last".split())
_ACTS = any_case(
    rf"\b(?:did|does|do|has|have|had)\b.*[{NAMES}]|\bthings?\b.*[{NAMES}] (?!(?:ever )?(?:said|wrote)\b)",
)
_AMOUNT = any_case(r"\bhow much\b")
_OF_AMOUNTS = frozenset("most fewest count between received share".split())
_WHOM = any_case(
    r"^\W*(?:to |with )?whom?\b(?:'ve|'s)? "
    rf"(?:did|does|do|has|have|had|is|are|was|were)\b\W*(?:[{NAMES}]|we\b)",
)
"""Asks to whom somebody writes, and the known questions of the most and the fewest ask who does."""
_OF_WRITERS = frozenset({"most", "fewest", "share"})


def means_more(kind: str, text: str) -> bool:
    """Whether a text, with marks for its names, means something else than its class."""
    if kind in _NOT_SO and _NOT_SO[kind].search(text):
        return True
    if kind in _OF_WRITERS and _WHOM.search(text):
        return True
    of_acts = kind in _OF_ENDS and _ACTS.search(text)
    of_amount = kind in _OF_AMOUNTS and _AMOUNT.search(text)  # of money, if nothing says otherwise
    return bool(of_acts or of_amount) and _OF_WRITING.search(text) is None


_LITTLE = (
    r"(?<!at )least|fewest|fewer|less|lowest|low|quiet(?:est|er)?|silent|slow(?:est|er)?|calm(?:est|er)?"
    r"|dead(?:est)?|smallest|inactive|rare(?:st|ly)?|hardly|seldom|minimum"
)
_EXTREMES: tuple[tuple[str, str, str], ...] = (
    ("the most messages", _LITTLE, "the fewest messages"),
    (
        "the fastest",
        r"slow(?:est|er|ly)?|long(?:est|er)?|late(?:st)?|ages|forever|worst|bad(?:ly)?|wait(?:s|ing)?|hanging|never",
        "the slowest",
    ),
    ("the longest message", r"short(?:est|er)?|brief(?:est)?", "the shortest message"),
    ("longest silence", r"shortest|smallest|briefest", ""),
    ("longest streak", r"shortest|smallest", ""),
    ("used most", rf"{_LITTLE}|never", ""),
    ("use the most", rf"{_LITTLE}|never", ""),
    ("first", r"last|latest|newest|(?:most )?recent(?:ly)?", ""),
    ("last", r"first|earliest|oldest", ""),
    ("oldest", r"newest|latest|youngest", ""),
    ("newest", r"oldest|earliest", ""),
)
"""What a known question says, what in a text asks for the opposite, and how that is asked: empty if not."""
_SAME = {
    "the most messages": r"most|busiest|chattiest|loudest|record",
    "first": "first|earliest|oldest",
    "last": r"last|latest|newest|(?:most )?recent(?:ly)?",
}
"""Words of a text that, beside such an opposite, leave open which of the two is asked for."""


def with_extreme_of(text: str, known: str) -> str:
    """The known question with the other extreme if the text asks for that; empty if it cannot be asked."""
    for says, other, opposite in _EXTREMES:
        if says in known and re.search(rf"\b(?:{other})\b", text, re.IGNORECASE):
            both = says in _SAME and re.search(rf"\b(?:{_SAME[says]})\b", text, re.IGNORECASE)
            known = "" if both else known.replace(says, opposite) if opposite else ""
    return known

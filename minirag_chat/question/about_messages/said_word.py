"""The word, phrase or emoji whose use a question asks about: "How often did Ben say \u201csorry\u201d?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from minirag_chat.lazy_patterns import lazy_regex
from minirag_chat.question.first_person import SAID_TO_SOMEBODY

LONGEST = 60  # characters
_QUOTED = (
    r"[\u201c\u201e\u00ab\u2039\"](?P<word>[^\u201c\u201d\u201e\u00ab\u00bb\"]{1,60})[\u201c\u201d\u00bb\"]"
    r"|(?<!\w)['\u2018](?P<word>[^'\u2018\u2019]{1,60})['\u2019](?!\w)"
)
_CODES = r"\uFE0F\u200D\u20E3\U000E0020-\U000E007F"  # join or vary the characters of an emoji
_EMOJI = rf"(?:[\p{{S}}\u203C\u2049]|[0-9#*]\uFE0F?\u20E3)[\p{{S}}{_CODES}]*"
_EMOTICON = r"(?:[:;=]['\u2019]?-?[()DPpOo/|*]+|<3+)(?=[\s?!.,]|$)"
_SIGN = rf"(?<!\S)(?P<word>{_EMOTICON})|(?P<word>{_EMOJI})"
_ONE = r"(?P<word>[\p{L}\p{N}][\p{L}\p{N}'\u2019\-]*)"
_LITTLE = (
    r"(?!(?:an?|the|(?:any|every|some|no)(?:one|body|thing)?|none|all|this|that|these|those|it|me|us|you|him|her"
    r"|them|my|our|your|his|its|their|we|i|he|she|they|to|in|on|about|how|what|when|where|why|who|whether|if"
    r"|be|been|being|mentioned|most|least|more|less|fewest|first|last|latest|second|third)\b)"
)
_NO_WORD = (
    r"(?!(?:so|much|more|things?|stuff|mich|dich|ihn|sie|es|er|uns|euch|ihr|ihm|ihnen|das|dies|etwas|nichts|was"
    r"|viel|so|nicht)\b)"
)
_KIND = (  # "messages with an address" have one, and not this word
    r"(?:(?:photo(?:graph)?|pic(?:ture)?|image|video|voice|audio|sticker|gif|file|attachment|link|url|heart"
    r"|emoji)s?"
    r"|(?:(?:phone|telephone|mobile|cell|e-?mail|mail|postal|street|bank|account) )*"
    r"(?:number|address|price|amount|date|time|name|code|password|question|typo|e-?mail|digit|word)(?:e?s)?)\b"
)
_NO_KIND = rf"(?!{_KIND})"
_TWO = (
    r"(?P<word>[\p{L}\p{N}'\u2019\-]+ (?!(?:to|that|about|in|on|at|for|with|of|is|was|are|were|will|would|can"
    r"|has|have|had|it|him|her|them|this|these)\b)[\p{L}\p{N}'\u2019\-]+)"
)
_TIMED = r"(?:in|on|at|since|during|between|before|after|last|this|today|yesterday|im|am|seit)"
_MY_MESSAGES = r"(?:(?:all|my|our|the) )*(?:messages|chats)"
_ARTICLE = r"(?:(?:the|an?) )?"
_GERMAN_ARTICLE = r"(?:(?:der|die|das|den|dem) )?"
_TOPIC = rf"(?!\w+ing\b){_ONE}"  # of "talk about moving" other forms count as well
_ASKED = tuple(
    lazy_regex(form, regex.IGNORECASE)
    for form in (
        _QUOTED,
        _SIGN,
        rf"\bthe (?:words?|phrase|expression|term|name) {_LITTLE}{_ONE}",
        SAID_TO_SOMEBODY,
        rf"\bmention(?:s|ed|ing)? (?!by\b|an? {_KIND}){_ARTICLE}{_LITTLE}{_ONE}",
        (
            r"\b(?:messages|texts|msgs)(?: that)? (?:contain|include|say)(?:ing)? "
            rf"{_ARTICLE}{_LITTLE}{_NO_KIND}{_ONE}"
        ),
        rf"\b(?:(?:talk|chat|speak)(?:ed|ted)?|spoken?) about {_ARTICLE}{_LITTLE}{_TOPIC}",
        rf"\bdiscuss(?:ed)? {_ARTICLE}{_LITTLE}{_TOPIC}",
        (
            r"^\W*(?:(?:show|list|give|find)\b[^?!.]{1,40}?\b)?(?:messages|texts|msgs|everything|anything)"
            r"(?: (?:from|by|of) [^?!.]{1,40}?)? (?:about|regarding|mentioning) "
            rf"(?:(?:the|my|our|an?) )?{_LITTLE}{_ONE}(?=\W*$)"
        ),
        (
            r"\bnachrichten (?:enthalten|mit dem wort) (?:das wort )?"
            rf"{_GERMAN_ARTICLE}{_LITTLE}{_NO_WORD}{_ONE}"
        ),
        (
            r"\bwann (?:habe|hat|haben|habt) [^?!.]{1,80}? über "
            rf"{_GERMAN_ARTICLE}{_LITTLE}{_NO_WORD}{_ONE}"
        ),
        rf"\bwann wurde {_GERMAN_ARTICLE}{_LITTLE}{_NO_WORD}{_ONE}",
        (
            rf"\b(?:is|are|was|were|does|do|did|has|have) {_ARTICLE}{_LITTLE}{_ONE}"
            r"(?= (?:(?:been|first|last) )?"
            r"(?:mentioned|discussed|(?:talked|spoken) about|brought up|come up|appear|occur)\b)"
        ),
        (
            r"\bhow (?:often|many times) (?:did|do|does|has|have|had) [^?!.]{1,80}? (?:ever )?"
            rf"(?:say|said|typed?) {_LITTLE}{_NO_WORD}(?:{_ONE}|{_TWO})(?=\W*$| {_TIMED}\b)"
        ),
        (
            r"\bwie oft (?:habe|hat|haben|habt|wurde) [^?!.]{1,80}?"
            rf"\b{_LITTLE}{_NO_WORD}{_ONE}(?= (?:erwähnt|gesagt)\b)"
        ),
        (
            rf"\b(?:says?|said) {_LITTLE}(?:{_ONE}|{_TWO})"
            r"(?= (?:(?:for )?the )?(?:most|more|fewest|least|first|last)\b)"
        ),
        rf"\btime(?: that)? {_ARTICLE}{_LITTLE}{_ONE}(?= (?:is|was|got) (?:mentioned|discussed)\b)",
        rf"^\W*search (?:{_MY_MESSAGES} )?(?:for )?{_ARTICLE}{_LITTLE}{_ONE}(?=\W*$)",
    )
)

_WITH = lazy_regex(  # "messages with Granada in them", and not "messages with Ann"
    rf"\b(?:messages|texts|msgs) with {_ARTICLE}{_LITTLE}{_NO_KIND}{_ONE}(?=(?: in (?:it|them))?\W*$)",
    regex.IGNORECASE,
)
_SAYS = lazy_regex(r"\b(?:says?|said|typed?|gesagt|contain|include)", regex.IGNORECASE)
_FEWEST_LETTERS = 3  # of a word with an ending: "hi" is not in "his"
_ONLY_EMOJI = lazy_regex(_EMOJI)
_ONLY_SIGNS = lazy_regex(rf"{_EMOJI}|{_EMOTICON}|\W+")


@dataclass(frozen=True, slots=True)
class SaidWord:
    """A word or phrase, and the part of the question that it takes, with its quotation marks.

    ``inflected``: it is what messages mention, and not a word that they say, so "Gordons" mentions Gordon.
    """

    word: str
    start: int
    end: int
    inflected: bool = False

    @property
    def is_sign(self) -> bool:
        """Whether it is an emoji or other signs, and no word: "\u20ac", ":-)", "!!!"."""
        return _ONLY_SIGNS.fullmatch(self.word) is not None


def is_emoji(word: str) -> bool:
    """Whether this is nothing but emoji or other symbols, also one with a digit ("1\ufe0f\u20e3")."""
    return _ONLY_EMOJI.fullmatch(word) is not None


def said_word(text: str, names: Sequence[tuple[int, int]]) -> SaidWord | None:
    """The word whose use ``text`` may ask about: quoted, a sign, named as a word, or mentioned.

    An emoji in one of the ``names`` of people, given by their places, is it only if there is no other; what
    messages are "with" is no such name.
    """
    for form in _ASKED:
        matches = list(form.finditer(text))
        free = (m for m in matches if not any(s <= m.start() and m.end() <= e for s, e in names))
        if matches:
            found = next(free, matches[0]) if form is _ASKED[1] else matches[0]
            quoted = form is _ASKED[0]
            start, end = found.span() if quoted else found.span("word")
            word = " ".join(found["word"].split())
            exact = form in _ASKED[:3] or _SAYS.search(found[0]) or len(word) < _FEWEST_LETTERS
            return SaidWord(word, start, end, not exact and word.isalpha()) if word else None
    inside = _WITH.search(text)
    if inside and not any(s < inside.end("word") and inside.start("word") < e for s, e in names):
        return SaidWord(inside["word"], *inside.span("word"))
    return None

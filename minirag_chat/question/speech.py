"""Speech: events in which somebody says something, and questions about what somebody says or thinks.

Such a question is answered by that person's own messages, not by what others say about the same thing.
"""

from __future__ import annotations

from minirag_chat.lazy_patterns import any_case

_SAYS = (
    "sa(?:ys?|id|ying)|t(?:ells?|old|elling)|(?:writes?|wrote|writing)\\s+(?:that|about|to)"
    "|c(?:omes?|ame)\\s+up\\s+with\\s+the\\s+idea|br(?:ings?|inging|ought)\\s+up"
    "|start(?:s|ed|ing)?\\s+(?:the|a)\\s+(?:discussion|conversation|vote|poll|chat)s?"
    "|(?:ask|mention|suggest|recommend|offer|remind|inform|report|complain|confirm|volunteer|warn"
    "|thank|explain|object|compliment|request|insist|post|answer)(?:s|ed|ing)?"
    "|(?:invit|propos|announc|shar|introduc|initiat|promis|advis|apologi[sz]|congratulat|stat|argu"
    "|describ|encourag|prais)(?:e[sd]?|ing)"
    "|(?:wish|express)(?:e[sd]|ing)?|(?:dis)?agree(?:s|d|ing)?|admit(?:s|ted|ting)?"
    "|repl(?:y|ies|ied|ying)"
)
_SAID = any_case(rf"\b(?:{_SAYS})\b")
_THINKS = (
    "think|thought|fe(?:el|lt)|like|love|hate|dislike|prefer|consider|believe|find|found|enjoy|admire|"
    "want|hope|expect|appreciate|view|regard"
)
_OF_THEIRS = (
    "opinion|impression|preference|favou?rite|feedback|suggestion|thought|view|feeling|experience|"
    "reaction|tip|advice|recommendation|proposal|idea|memor(?:y|ies)|worr(?:y|ies)"
)
_SPEAKS_OUT = any_case(
    rf"\s+(?:(?:\w+ly|first|also|most|not)\s+)?(?:(?:{_SAYS})|(?:{_THINKS})s?)\b"
    rf"|['\u2019]s?\s+(?:[\w\"]+\s+){{0,3}}?(?:{_OF_THEIRS})s?\b",
)
_ACCORDING = any_case(r"\baccording\s+to\s+$")


def is_said(event: str) -> bool:
    """Whether the event is that somebody said something; its time is then that of the message."""
    return _SAID.search(event) is not None


def speaks_out(text: str, start: int, end: int) -> bool:
    """Whether a question asks what the person that it names in ``text[start:end]`` says or thinks."""
    return bool(_ACCORDING.search(text[:start]) or _SPEAKS_OUT.match(text, end))

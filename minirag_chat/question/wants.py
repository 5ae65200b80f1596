"""Whether a text asks for anything: it has a question word, or begins as a question or a request does."""

from __future__ import annotations

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.about_answer import APOSTROPHES
from minirag_chat.store.text import asks

_LEAD = r"\W*(?:(?:and|so|but|ok(?:ay)?|oh|hey|hi|please|pls|und|aber|et)\b\W*)*"
_QUESTION_WORD = (
    r"(?:who|whom|whose|what|when|where|why|how|which|wer|wen|wem|wessen|was|wann|wo|woher|wohin|warum|wieso|wie"
    r"|welche[rsmn]?|qui|que|quoi|quand|où|pourquoi|comment|combien|quel(?:le)?s?|quién|quien|qué|cuándo|cuando"
    r"|dónde|donde|cómo|cuánt[oa]s?|cuál|chi|quando|dove|perché|quant[oai]s?|quem|qual|quais|onde)"
    r"(?:'?s|'?re|'?ll|'?d)?"
)
_AUXILIARY = r"(?:is|are|am|do|does|did|has)(?:n't)?"
_BEFORE_SUBJECT = (  # "can do the 14th" states something
    r"(?:was|were|have|had|can|could|will|would|should|shall|must|may)(?:n't)?"
    r" (?:i|u|you|we|he|she|they|it|this|that|there|the|my|your|our|his|her|their|(?:any|some|every)\w*)"
)
_REQUEST = r"(?:(?:tell|show|remind) (?:me|us)|list|search|explain|summari[sz]e)"
_ENGLISH = r"(?:who|whom|whose|what|when|where|why|how|which)(?:'?s|'?re)?"
_BEGINS = any_case(rf"{_LEAD}(?:{_QUESTION_WORD}|{_AUXILIARY}|{_BEFORE_SUBJECT}|{_REQUEST})(?!\w)")
_HAS = any_case(rf"(?<!\w)(?:{_ENGLISH})(?!\w)")


def wants_something(text: str) -> bool:
    """Whether a text ends with a question mark, or begins as a question or a request does."""
    return asks(text) or begins_as_request(text)


def begins_as_request(text: str) -> bool:
    """Whether a text begins as a question or a request does, whatever it ends with."""
    return _BEGINS.match(text.translate(APOSTROPHES)) is not None


def has_question_word(text: str) -> bool:
    """Whether a text has a question word of English anywhere: "dress rehearsal when"."""
    return _HAS.search(text.translate(APOSTROPHES)) is not None

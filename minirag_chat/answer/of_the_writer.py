"""Whether what a message says of its writer is taken for an answer about somebody else.

"Is Ana pregnant?" is not answered by April's "I'm pregnant". A small model answers so all the same, and as
surely as about April (``counterfactual.py`` compares the two). English and German.
"""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.answer.cite import sentence
from minirag_chat.answer.word_overlap import stems
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.records import Message, Question

_THINKS = any_case(  # "I think she is" says something of somebody else
    r"\bi(?:['\u2019]m| am)?\s+(?:(?:just|also|still|really|do|did)\s+)?"
    r"(?:think|thought|guess|heard|hear|believe|know|knew|hope|saw|told|met|asked|remember|assume|reckon|suppose|bet"
    r"|sure|afraid|glad|sorry)\b",
)
SPEAKS_OF_SELF = any_case(  # not "you're ill"
    r"\b(?:i|i['\u2019]?m|i['\u2019]?ve|i['\u2019](?:ll|d)|my|me|mine|myself|ich|mich|mir|mein\w{0,2})\b",
)
"""Words by which a message speaks of its writer, in English and German."""
_OTHERS = any_case(
    r"\b(?:you|your|yours|u|ur|he|she|him|her|hers|his|they|them|their|we|us|our|du|dich|dir|dein\w{0,2}|er|sie|ihr\w{0,2}"
    r"|ihm|ihn|sein\w{0,2}|wir|uns|unser\w{0,2}|euch|euer)\b",
)
_WORD = lazy(r"[^\W\d_]{3,}")


def is_of_the_writer(question: Question, answer: str, cited: Sequence[Message]) -> bool:
    """Whether each cited message says this of its writer alone, and another person is asked about.

    Not if the answer names the writer: "Who helped Ann?" may be answered by Ben's "I carried the sofa".
    """
    named = {person for span in question.spans for person in span.people}
    asked = {word for person in question.speakers for word in _words(person.shown_name)}
    if not cited or not asked or any(message.sender_id in named for message in cited):
        return False
    said, wanted = _words(answer), {*stems(f"{question.text} {answer}")}
    return not any(_words(message.shown_sender) & said for message in cited) and all(
        _is_own(sentence(message.text, wanted, {}), asked) for message in cited
    )


def _is_own(text: str, asked: set[str]) -> bool:
    """Whether a text speaks of "I", and of nobody else, nor of those who are ``asked`` about."""
    left = _THINKS.sub(" ", text)
    return (
        bool(SPEAKS_OF_SELF.search(left)) and not _OTHERS.search(left) and not asked & _words(text)
    )


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}

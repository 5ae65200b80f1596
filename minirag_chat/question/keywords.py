"""Whether a question is nothing but a word or a few to search for: "keys", "treasure chest"."""

from __future__ import annotations

from collections.abc import Iterable

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.wants import begins_as_request, has_question_word
from minirag_chat.question.words import words_of
from minirag_chat.records import Question
from minirag_chat.store.text import spaced

MOST_WORDS = 3  # besides function words
_WORD = lazy(r"\w+")


def keywords(question: Question, titles: Iterable[str]) -> list[str]:
    """The one to three content words, as written, of a question that is no more; empty if it is more.

    It is more with a question word, a name, a time, or the title of a chat. A script without spaces does
    not show its words.
    """
    text, words = question.text, words_of(question.text)
    written: dict[str, str] = {}
    for word in _WORD.findall(text):
        written.setdefault(word.casefold(), word)
    content = [word for key, word in written.items() if key not in STOP_WORDS]
    named = question.spans or question.people or question.times or question.moments
    if question.follow_up or question.shape or named or not 0 < len(content) <= MOST_WORDS:
        return []
    if has_question_word(text) or begins_as_request(text) or spaced(text) != text:
        return []
    if any(words_of(title) == words for title in titles):
        return []
    return content if len({*words}) <= len(content) + 1 else []

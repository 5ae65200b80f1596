"""A question in the language of the messages, so that their words are found.

A language model translates it; retrieval then looks for the words of both, and the person still gets an
answer to the question as it was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any

from minirag_chat.lazy_patterns import lazy
from minirag_chat.models.protocols import ChatModel
from minirag_chat.prompts import prompt
from minirag_chat.records import Cancelled, Turn, never

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LANGUAGES: Mapping[str, str] = {
    "ar": "Arabic",
    "bn": "Bengali",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""The languages that are translated into, by ISO 639-1 code."""
FEWEST_PASSAGES = 0.05
FEWEST = 2
"""A language of the messages is one that at least this share, and number, of their passages is in.

Of 157 histories of training/ none has a wrongly recognised language above this.
"""
UNLIKELY = 0.01
"""A question is not in a language with a lower probability than this."""
CLEAR = 0.09
"""It is in another language if one has this probability: no language has it of "caravan?" or "and Ray?".

Of 32 short questions in 16 languages none is below this.
"""
MOST_NEW_TOKENS = 100
_QUOTES = lazy(r"^[\s\"'\u201c\u201d\u300c\u300d]+|[\s\"'\u201c\u201d\u300c\u300d]+$")


def languages_of(passages: Iterable[str]) -> tuple[str, ...]:
    """The codes of the languages that messages are written in, the most frequent first.

    ``passages`` are several messages each: one alone is often too short to tell.
    """
    found = Counter(_identifier().classify(passage)[0] for passage in passages if passage.strip())
    least = max(FEWEST_PASSAGES * found.total(), min(FEWEST, found.total()))
    return tuple(
        code for code, count in found.most_common() if count >= least and code in LANGUAGES
    )


def foreign_language(
    question: str, languages: Sequence[str], names: Sequence[tuple[int, int]]
) -> str | None:
    """The first of the ``languages`` if the question is in none of them; otherwise None.

    ``names``, the (start, end) of the people that it names, are in no language.
    Where the messages are in several, one of them the question's, a translation harms more than it helps.
    """
    if not languages:
        return None
    for start, end in sorted(names, reverse=True):
        question = f"{question[:start]} {question[end:]}"
    probabilities = dict(_identifier().rank(question))
    if max(probabilities.values()) < CLEAR:
        return None
    if any(probabilities.get(code, 0.0) >= UNLIKELY for code in languages):
        return None
    return languages[0]


def translated(question: str, language: str, model: ChatModel, cancelled: Cancelled = never) -> str:
    """The question in the language with this code; empty if the model gives none, or once ``cancelled``.

    Raises ``ModelError``.
    """
    asked = f"Translate this question into {LANGUAGES[language]}:\n\n{question}"
    turns = (Turn("system", prompt("translate")), Turn("user", asked))
    pieces: Any = model.stream(turns, max_new_tokens=MOST_NEW_TOKENS, cancelled=cancelled)
    with closing(pieces):
        lines = "".join(pieces).strip().splitlines()
    text = _QUOTES.sub("", lines[0]) if lines else ""
    return "" if text.casefold() == question.casefold() or cancelled() else text


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

"""The answer to a word or a few that ask nothing, without a model: the messages that have all of them.

A quotation says what answers a question, and a word asks none: the message that fits it best is one of many.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz

from minirag_chat.answer.counting.cited import lines, sources
from minirag_chat.answer.counting.request import Told
from minirag_chat.answer.where_and_when import where_and_when
from minirag_chat.question.keywords import keywords
from minirag_chat.question.words import words_of
from minirag_chat.records import MOST_LISTED, Answer, Filters, Message, Question
from minirag_chat.store import Store
from minirag_chat.store.text import in_other_number
from minirag_chat.ui_text import count, joined

LIKELY = 0.5  # the least confidence of an answer that is not replaced
MISSPELT = 85  # percent: "rehersal" is "rehearsal", and "weather" is not "rather"


def word_search(store: Store, question: Question, answer: Answer) -> Told | None:
    """The messages with all words of such a question, or that nobody wrote its only word.

    None if it asks for more, or the ``answer`` that was found is to stay: a likely one to several words, or
    one that shows all these messages; and one to a word that nobody wrote, if it is likely. Inside
    ``reading()``.
    """
    words = keywords(question, store.messages.titles().values())
    likely = not answer.abstained and answer.confidence >= LIKELY
    if not words or (likely and words[1:]):
        return None
    found = messages_with_all(store, " ".join(words), question.filters)
    if not found:
        return None if words[1:] or likely else (_nowhere(store, words[0], question.filters), ())
    written = _as_written(words, found)
    every = written or found
    if words[1:] and {one.message.id for one in answer.sources} >= {one.id for one in every}:
        return None
    called = joined([f"\u201c{word}\u201d" for word in words])
    called += "" if written else " in another form"
    return _listed(store, called, every, question.filters)


def messages_with_all(store: Store, text: str, filters: Filters) -> list[Message]:
    """The messages with all content words of a text, by their stems, in order of time."""
    ids = store.words.having_all(text)
    allowed = store.columns.allowed(filters)
    kept = ids if allowed is None else sorted({*ids} & {*allowed.tolist()})
    found = store.messages.by_ids(kept).values()
    return sorted(found, key=lambda one: (one.sent_at, one.id))


def _as_written(words: Sequence[str], found: Sequence[Message]) -> list[Message]:
    """Those with the words as they stand, or in the other number: "wed" is no wedding."""
    small = [word.casefold() for word in words]
    forms = [{word, *in_other_number(word)} for word in small]
    return [one for one in found if all(form & {*words_of(one.text)} for form in forms)]


def _listed(store: Store, called: str, every: Sequence[Message], filters: Filters) -> Told:
    """The messages in order of time: the last ones if they are many."""
    cited = sources(store, [one.id for one in every[-MOST_LISTED:]])
    of_all = f" (the last {len(cited)})" if len(every) > len(cited) else ""
    head = f"{count(len(every), 'message')} with {called}{where_and_when(store, filters)}{of_all}:"
    return f"{head}\n\n{lines(cited, filters)}", cited


def _nowhere(store: Store, word: str, filters: Filters) -> str:
    """That nobody wrote a word, and the word that it may be a misspelling of."""
    names = joined(store.people.shown_names(filters.people))
    none = f"{names} did not write" if names else "Nobody wrote"
    near = store.spelling_suggestions.close_to(word, 1)
    alike = [one for one in near if fuzz.ratio(one.casefold(), word.casefold()) >= MISSPELT]
    meant = "".join(f" Did you mean \u201c{one}\u201d?" for one in alike)
    return f"{none} \u201c{word}\u201d{where_and_when(store, filters)}.{meant}"

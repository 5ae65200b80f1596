"""Which messages an answer rests on. Code finds the citations; the model is not asked for them.

A model of one or two billion parameters cites badly. Matching the words of its answer works well: each
next source is the message that covers most of the words that no earlier source covers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from minirag_chat.answer.word_overlap import share, stems
from minirag_chat.extract.sentences import SENTENCE
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Message, Source
from minirag_chat.records.media import MARKS
from minirag_chat.times.names_of_days import MONTHS, WEEKDAYS
from minirag_chat.times.number_words import NUMBERS

MOST_SOURCES = 3
LONGEST_QUOTE = 300  # characters
LONGEST_LIST = 600  # characters of a sentence that ends with a colon, with what it announces
COLONS = (":", "\uff1a")
WHOLE = 200  # characters of a message that is quoted whole
ENOUGH = 0.2  # share of the answer's words that a further source must add
ANSWER_WEIGHT = 2.0  # of a word of the answer; a word that the question has too counts 1
_FOLLOWS = frozenset(stems(" ".join((*MONTHS, *WEEKDAYS, *NUMBERS, "yes no"))))
"""Stems of what follows from other words of a message."""
_FILE = lazy(rf"\n(?={'|'.join(map(re.escape, MARKS.values()))})")  # before what was read in a file
_MARKS = lazy(r"(?<!\s)\s*\[\d+\](?:\s*,?\s*\[\d+\])*")


def cite(
    question: str,
    text: str,
    messages: Sequence[Message],
    weights: Mapping[str, float],
) -> tuple[str, tuple[Source, ...]]:
    """The answer with ``[n]`` after each paragraph, and its sources, numbered from 1.

    A model may have written such numbers itself: these are removed first.
    """
    question_stems = set(stems(question))
    bags = {m.id: set(stems(f"{m.sender} {m.text}")) for m in messages}
    sources: dict[int, Source] = {}
    cited: list[str] = []
    for paragraph in _MARKS.sub("", text).strip().split("\n\n"):
        paragraph_stems = set(stems(paragraph))
        scaled = {
            stem: weights.get(stem, 1.0) * (1.0 if stem in question_stems else ANSWER_WEIGHT)
            for stem in question_stems | paragraph_stems
        }
        chosen = _supporting(question_stems, paragraph_stems, messages, bags, scaled)
        for message in chosen:
            quoted = quote(message.text, paragraph_stems | question_stems, scaled)
            sources.setdefault(message.id, Source(len(sources) + 1, message, quoted))
        marks = "".join(f"[{sources[message.id].number}]" for message in chosen)
        cited.append(f"{paragraph} {marks}" if marks else paragraph)
    return "\n\n".join(cited), tuple(sources.values())


def cite_named(
    question: str, text: str, cited: Sequence[Message], weights: Mapping[str, float]
) -> tuple[str, tuple[Source, ...]]:
    """The answer followed by ``[n]`` for each message that the reader named as its source."""
    sources = quotations(set(stems(f"{question} {text}")), cited, weights)
    marks = "".join(f"[{source.number}]" for source in sources)
    return f"{text} {marks}", sources


def with_stating(
    question: str, text: str, cited: Sequence[Message], read: Sequence[Message]
) -> tuple[Message, ...]:
    """The messages that an answer names, after the one that has its words if these have none of them.

    Of the messages that were ``read`` it is the first that has all of these words, and one of the question;
    days and numbers, which follow from other words, and a yes or no are not among them. The reader often
    names the message that it began from.
    """
    asked = {*stems(question)}
    said = {stem for stem in stems(text) if stem.isalpha()} - asked - _FOLLOWS
    named = {stem for message in cited for stem in stems(f"{message.sender} {message.text}")}
    if not said or said & named:
        return tuple(cited)
    first = next((one for one in read if _states(one, said, asked)), None)
    worded = (one for one in cited if stems(one.text))
    return (first, *worded) if first else tuple(cited)


def _states(message: Message, said: set[str], asked: set[str]) -> bool:
    present = {*stems(f"{message.sender} {message.text}")}
    return said <= present and not asked.isdisjoint(present)


def quotations(
    wanted_stems: set[str], cited: Sequence[Message], weights: Mapping[str, float]
) -> tuple[Source, ...]:
    """Each cited message as a source, numbered from 1, with its part that has most of the wanted words."""
    return tuple(
        Source(n, message, quote(message.text, wanted_stems, weights))
        for n, message in enumerate(cited, start=1)
    )


def _supporting(
    question_stems: set[str],
    paragraph_stems: set[str],
    messages: Sequence[Message],
    bags: Mapping[int, set[str]],
    scaled: Mapping[str, float],
) -> list[Message]:
    """The messages that support a paragraph, best first (a greedy set cover)."""
    left = paragraph_stems | question_stems
    chosen: list[Message] = []
    while len(chosen) < MOST_SOURCES:
        rest = [m for m in messages if m not in chosen]
        best = max(rest, key=lambda m: _total(left & bags[m.id], scaled), default=None)
        if best is None:
            break
        gain = _total(left & bags[best.id], scaled) / (
            _total(question_stems | paragraph_stems, scaled) or 1.0
        )
        if not gain or (
            chosen
            and (gain < ENOUGH or not (left & bags[best.id] & (paragraph_stems - question_stems)))
        ):
            break
        chosen.append(best)
        left -= bags[best.id]
    return chosen


def quote(text: str, wanted_stems: set[str], weights: Mapping[str, float]) -> str:
    """The message ``text`` if it is short, else its sentence with most of the wanted words, unchanged.

    With a sentence that ends with a colon goes what it announces. What was read in a file is apart from the
    sender's own words.
    """
    best = sentence(text, wanted_stems, weights)
    part = next((part.strip() for part in _FILE.split(text) if best in part), best)
    if len(part) <= WHOLE:
        return part
    return _with_list(best, text) if best.endswith(COLONS) else best


def sentence(text: str, wanted_stems: set[str], weights: Mapping[str, float]) -> str:
    """The sentence of ``text`` with most of the wanted words, unchanged.

    If that sentence is longer than ``LONGEST_QUOTE``, the part of it of that length with most of them.
    """
    sentences = [m.group().strip() for m in SENTENCE.finditer(text) if m.group().strip()]
    best = _best(sentences, wanted_stems, weights) if sentences else text.strip()
    if len(best) <= LONGEST_QUOTE:
        return best
    starts = range(0, len(best), LONGEST_QUOTE // 4)
    return _best([best[s : s + LONGEST_QUOTE].strip() for s in starts], wanted_stems, weights)


def _with_list(beginning: str, text: str) -> str:
    """A sentence with what follows it in ``text``, up to the end of a word."""
    rest = text[text.index(beginning) :].rstrip()
    if len(rest) <= LONGEST_LIST:
        return rest
    return rest[:LONGEST_LIST].rsplit(maxsplit=1)[0]


def _best(parts: Sequence[str], wanted_stems: set[str], weights: Mapping[str, float]) -> str:
    """The part with most of the wanted words; of equals the longest."""
    return max(parts, key=lambda s: (_total(wanted_stems & set(stems(s)), weights), len(s)))


def coverage(
    question: str, windows: Sequence[Sequence[Message]], weights: Mapping[str, float]
) -> float:
    """The weighted share of the question's words that its best window of messages covers."""
    question_stems = stems(question)
    bags = (
        [s for m in w for s in stems(f"{m.sender} {m.text} {m.sent_at:%Y%m%d %B %A}")]
        for w in windows
    )
    return max((share(question_stems, bag, weights) for bag in bags), default=0.0)


def _total(bag: set[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(stem, 1.0) for stem in bag)

"""The times that a question names, taken out of its text."""

from __future__ import annotations

import re
from datetime import datetime

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.words import words_of
from minirag_chat.records import TimeSpan
from minirag_chat.times.atoms import Atom
from minirag_chat.times.ranges import find_atoms
from minirag_chat.times.spans import Prefer
from minirag_chat.times.window import feast_of

LEAD = 20  # characters before a time in which "about" is looked for

OPEN = frozenset({"since", "until", "till", "til", "before", "after"})
_WORD = lazy(r"\w+")
_TOPIC = any_case(r"\babout\s+(?:the\s+)?$")
_NAMED = frozenset({"holiday", "weekday"})
YEAR_IS_CLEAR = any_case(r"\d{4}|\b(?:last|this|next|past|previous|coming|upcoming)\b|年")


def without_times(
    text: str, newest: datetime, known: set[str], prefer: Prefer
) -> tuple[str, tuple[TimeSpan, ...]]:
    """``text`` without the times that it names, and the times; open ranges are intersected.

    Here a season or a year counts without a preposition too ("our 2025 chats"); a holiday or
    a weekday right after "about" is a topic, not a time. A feast has all its days.
    """
    spans: list[TimeSpan] = []
    shared: list[TimeSpan] = []
    topics = set(known)
    atoms = find_atoms(text, newest, prefer)
    for atom in reversed(atoms):
        if _is_topic(text, atom):
            topics.update(words_of(text[atom.left : atom.right]))
            continue
        start, end = feast_of(text, atom) or atom.days
        if any(other != atom and other.start < end and start < other.end for other in atoms):
            start, end = atom.days  # "on Christmas Eve and at Christmas"
        whole = TimeSpan(start, end, text[atom.left : atom.right])
        (shared if atom.shape in OPEN else spans)[:0] = atom.parts or (whole,)
        text = f"{text[: atom.left]} {text[atom.right :]}"
    for word in _WORD.findall(text):
        plain = word.isalpha() or word.isdigit()  # "the 3rd most" names no day
        known_word = word.casefold() in topics or not plain
        bare = () if known_word else find_atoms(f"in {word}", newest, prefer)
        for atom in bare:
            spans.append(TimeSpan(atom.start, atom.end, word))
            text = re.sub(rf"\b{word}\b", " ", text)
    if shared:
        start = max(span.start for span in shared)
        end = min(span.end for span in shared if span.end > start)
        spans.append(TimeSpan(start, end, ", ".join(span.phrase for span in shared)))
    return text, tuple(spans)


def has_inexact_hours(text: str, newest: datetime) -> bool:
    """Whether a text names hours of any day ("after 10 pm"), or a minute, for which its day is taken."""
    atoms = find_atoms(text, newest, "past")
    one_day = any(atom.one_day for atom in atoms)
    return any((a.of_day and not one_day) or a.days != (a.start, a.end) for a in atoms)


def _is_topic(text: str, atom: Atom) -> bool:
    """Whether a holiday or a weekday is the topic ("about Christmas")."""
    led = _TOPIC.search(text, max(0, atom.left - LEAD), atom.left)
    named = {*atom.kinds} <= _NAMED and atom.shape == "point"
    return bool(led) and named and not YEAR_IS_CLEAR.match(text, atom.left)


def is_time(name: str, newest: datetime) -> bool:
    """Whether a name has nothing but times: "Tuesday", and not "Tuesday Losers"."""
    text = f"in {name}"
    for atom in reversed(find_atoms(text, newest, "past")):
        text = f"{text[: atom.left]} {text[atom.right :]}"
    return text.split() in ([], ["in"])

"""Which few messages say it: every candidate is weighed on its own, the best ones are read.

A model of one or two billion parameters loses an answer among fifteen messages, and seldom misses
it in two. Asked of one short passage at a time whether it states the answer, it is also a better
judge of relevance than any retrieval score (docs/measured.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from minirag_chat.answer.words import log_odds
from minirag_chat.records import Evidence, Message
from minirag_chat.store import Store

WEIGHED = 6  # passages that the model is asked about
TRUST = 2.0  # what the log-odds of its Yes weigh beside a retrieval score, a sum of z-scores
AT_LEAST = 2  # passages read
WITHIN = 2.0  # further passages read: those that fit this much worse than the best one


@dataclass(frozen=True, slots=True)
class Passage:
    """A message with the one before it and, where it asks, the one after it.

    ``states`` is the model's P(it states the answer), None where that was not or cannot be asked.
    """

    found: Evidence
    messages: tuple[Message, ...]
    states: float | None = None

    @property
    def fit(self) -> float:
        """How well it fits the question: the retrieval score and what the model thinks of it."""
        return self.found.score + (0.0 if self.states is None else TRUST * log_odds(self.states))


def passages(store: Store, evidence: Sequence[Evidence], count: int = WEIGHED) -> list[Passage]:
    """The best ``count`` passages, none of which lies within those before it."""
    found: list[Passage] = []
    seen: set[int] = set()
    for item in evidence:
        if len(found) == count:
            break
        window = _window(store, item.message)
        if item.message.id in seen and seen.issuperset(m.id for m in window):
            continue
        seen.update(m.id for m in window)
        found.append(Passage(item, window))
    return found


def weighed(
    found: Sequence[Passage], ask: Callable[[Sequence[Sequence[Message]]], list[float | None]]
) -> list[Passage]:
    """The passages with what the model thinks of each, best first."""
    thought = ask([passage.messages for passage in found])
    judged = [replace(p, states=states) for p, states in zip(found, thought, strict=True)]
    if any(passage.states is None for passage in judged):
        return list(found)
    return sorted(judged, key=lambda passage: -passage.fit)


def readable(found: Sequence[Passage]) -> list[Message]:
    """The messages worth reading, best first: of the best passages, and of all that come close."""
    if not found or found[0].states is None:
        return []
    close = [p for p in found if p.fit >= found[0].fit - WITHIN]
    kept = close if len(close) >= AT_LEAST else found[:AT_LEAST]
    return list({m.id: m for passage in kept for m in passage.messages}.values())


def _window(store: Store, message: Message) -> tuple[Message, ...]:
    near = store.messages.around(message, 1)
    near = [m for m in near if m.session_id == message.session_id]
    place = next(i for i, m in enumerate(near) if m.id == message.id)
    asks = "?" in message.text[-12:]  # a question mark may have emoji behind it
    return tuple(near[: place + 1 + asks])

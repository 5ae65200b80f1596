"""The answer that is worked out without retrieval, and without a model."""

from __future__ import annotations

import time

from minirag_chat.records import Answer, Reason, ReasoningPath, Source

READER = "none"
"""The name of the model in these answers."""
NO_PATH = ReasoningPath()


def without_model(
    question: str,
    text: str,
    started_at: float,
    *,
    sources: tuple[Source, ...] = (),
    path: ReasoningPath = NO_PATH,
    reason: Reason | None = None,
    confidence: float | None = None,
) -> Answer:
    """The answer to a question that came at ``started_at``, a ``perf_counter()``.

    With a ``reason`` it abstains, and the sources are those that came closest. Unless another ``confidence``
    is given it is certain, or 0 if it abstains.
    """
    total = time.perf_counter() - started_at
    abstained = reason is not None
    return Answer(
        question=question,
        text=text,
        abstained=abstained,
        confidence=float(not abstained) if confidence is None else confidence,
        reason=reason,
        sources=() if abstained else sources,
        closest=sources if abstained else (),
        path=path,
        timings={"first_words": total, "total": total},
        model=READER,
    )

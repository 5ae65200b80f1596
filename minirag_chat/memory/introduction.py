"""The answer to a greeting, thanks or "what can you do?": what to ask here."""

from __future__ import annotations

import time
from collections.abc import Iterator

from minirag_chat.answer.metadata import READER
from minirag_chat.memory.suggest import openers
from minirag_chat.records import Answer, ReasoningPath
from minirag_chat.store import Store
from minirag_chat.ui_text import SILENCES

EXAMPLES = 2


def introduction(store: Store, text: str) -> Iterator[str | Answer]:
    """Yield the ``Answer``: what the program does, with questions that the messages suggest."""
    started_at = time.perf_counter()
    with store.reading():
        asked = " or ".join(f"\u201c{question}\u201d" for question in openers(store, EXAMPLES))
    example = f" Ask, for example, {asked}" if asked else ""
    yield Answer(
        question=text,
        text=f"{SILENCES['no_question'].sentence}{example}",
        abstained=True,
        confidence=0.0,
        reason="no_question",
        sources=(),
        closest=(),
        path=ReasoningPath(),
        timings={"total": time.perf_counter() - started_at},
        model=READER,
    )

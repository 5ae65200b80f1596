"""The answer to a greeting, thanks or "what can you do?": what to ask here."""

from __future__ import annotations

import time
from collections.abc import Iterator

from minirag_chat.answer.without_model import without_model
from minirag_chat.memory.suggest import openers
from minirag_chat.records import Answer
from minirag_chat.store import Store
from minirag_chat.ui_text import SILENCES

EXAMPLES = 2


def introduction(store: Store, text: str) -> Iterator[str | Answer]:
    """Yield the ``Answer``: what the program does, with questions that the messages suggest."""
    started_at = time.perf_counter()
    with store.reading():
        asked = " or ".join(f"\u201c{question}\u201d" for question in openers(store, EXAMPLES))
    example = f" Ask, for example, {asked}" if asked else ""
    said = f"{SILENCES['no_question'].sentence}{example}"
    yield without_model(text, said, started_at, reason="no_question")

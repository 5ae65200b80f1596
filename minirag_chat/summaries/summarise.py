"""Many messages → a few sentences: by the language model, or by quoting the most central messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minirag_chat.models.protocols import ChatModel, Vectors
from minirag_chat.prompts import prompt
from minirag_chat.records import Cancelled, Message, Turn, never
from minirag_chat.store import Store
from minirag_chat.store.summaries import Summary, SummaryKind
from minirag_chat.ui_text import cut, one_line

MOST_LINES = 6
LONGEST_LINE = 220
SUMMARY_TOKENS = 110
CENTRAL = 6  # chunks that represent all


@dataclass(frozen=True, slots=True)
class Made:
    """Summaries that replace all others of their kind.

    Vectors have shape (n, d); ``embedder`` is the name of what made them, None where d is 0.
    """

    kind: SummaryKind
    summaries: tuple[Summary, ...] = ()
    vectors: Vectors | None = None
    embedder: str | None = None

    def keep(self, store: Store) -> int:
        """Store them, inside a transaction; returns how many.

        Summaries of chunks that were deleted meanwhile are left out: they may quote deleted messages.
        """
        if self.vectors is None:
            return 0
        if self.embedder is not None:
            store.take_embedder(self.embedder)
        there = set(store.index.chunk_ids())
        kept = [i for i, summary in enumerate(self.summaries) if there.issuperset(summary.chunks)]
        store.summaries.replace(self.kind, [self.summaries[i] for i in kept], self.vectors[kept])
        return len(kept)


@dataclass(frozen=True)
class Summariser:
    """Writes summaries. Without a ``model`` they are quotations."""

    store: Store
    model: ChatModel | None = None
    cancelled: Cancelled = never

    def of_chunks(self, chunks: Sequence[int], vectors: NDArray[np.float32]) -> str:
        """Summarise chunks by those nearest their centre, with the model if there is one.

        ``vectors`` has shape (len(chunks), d).
        """
        centre = vectors.mean(axis=0)
        order = np.argsort(-(vectors @ centre), kind="stable")[:CENTRAL]
        text = "\n".join(self._lines([chunks[i] for i in order]))
        if self.model is None:
            return text
        turns = [Turn("system", prompt("summary")), Turn("user", text)]
        pieces = self.model.stream(turns, max_new_tokens=SUMMARY_TOKENS, cancelled=self.cancelled)
        return "".join(pieces).strip() or text

    def _lines(self, chunks: Sequence[int]) -> list[str]:
        """The messages of the chunks with most different words, as lines in the order of time."""
        with self.store.reading():
            members = self.store.index.members(list(chunks))
            ids = sorted({m for found in members.values() for m in found})
            messages = self.store.messages.by_ids(ids)
        said = sorted(messages.values(), key=lambda m: -_content(m))[:MOST_LINES]
        return [_line(m) for m in sorted(said, key=lambda m: (m.sent_at, m.id))]


def _content(message: Message) -> int:
    return len({word for word in message.text.casefold().split() if len(word) > 3})  # noqa: PLR2004 - longer than most function words


def _line(message: Message) -> str:
    text = cut(one_line(message.text), LONGEST_LINE)
    return f"{message.sent_at:%Y-%m-%d} {message.shown_sender}: {text}"

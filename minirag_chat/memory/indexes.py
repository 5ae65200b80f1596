"""Builds what some retrieval methods need beyond the index of an import."""

from __future__ import annotations

import contextlib

from minirag_chat.errors import DatabaseLocked, IndexMissing, ModelMissing
from minirag_chat.ingest import embed_pending
from minirag_chat.ingest.slm import embed_extracted, extract_pending, slm_chunks, slm_cost
from minirag_chat.memory.context import Part
from minirag_chat.models.protocols import ChatModel
from minirag_chat.records import Cancelled, Report, SlmCost, SlmRun, never, silent
from minirag_chat.retrieve import NEEDS, is_built, retriever
from minirag_chat.store.database import not_now
from minirag_chat.summaries import Summariser, build_reports, build_tree


class Indexes(Part):
    """Builds what a language model extracts, trees of summaries, and reports over the chunks."""

    def slm_cost(self) -> SlmCost:
        """What :meth:`index_slm` would take with this memory's model, which it loads."""
        model = self._reader()
        with self._store.reading(only_own=True):
            return slm_cost(self._store, model.name)

    def index_slm(
        self,
        *,
        limit: int | None = None,
        progress: Report = silent,
        cancelled: Cancelled = never,
        at_once: int = 1,
    ) -> SlmRun:
        """Extract from the chunks not extracted from yet, ``limit`` at most (paper 3.1).

        A server reads ``at_once`` of them at the same time. Other threads may ask questions meanwhile;
        these go first. Each chunk is stored as soon as it is read. Raises ``ModelMissing`` if there is
        only the extractive reader, or ``ModelError``.
        """
        model = self._reader()
        run = extract_pending(self._store, model, progress, cancelled, limit=limit, at_once=at_once)
        embed_extracted(self._store, self._context.embedder())
        return run

    def has_index(self, method: str) -> bool:
        """Whether the index that a retrieval method needs exists, at least in part."""
        with self._store.reading():
            return is_built(self._store, method)

    def index_left(self) -> int:
        """How many chunks have no vector yet and are found only by their words."""
        with self._store.reading():
            return self._store.index.missing_vectors()[0]

    def slm_chunks(self) -> int:
        """How many chunks there are for a language model to read."""
        with self._store.reading(only_own=True):
            return len(slm_chunks(self._store))

    def build(
        self,
        method: str,
        *,
        with_model: bool = False,
        progress: Report = silent,
        cancelled: Cancelled = never,
    ) -> str:
        """Build what a retrieval method needs, and only that; returns what was built.

        Summaries are quotes; ``with_model``, the language model writes them. Raises ``NotFound``,
        ``IndexMissing`` or ``ModelError``.
        """
        retriever(method)  # raises for an unknown method
        need = NEEDS.get(method)
        embed_pending(self._store, self._context.embedder(), progress, cancelled)
        if need is None:
            return "nothing is needed beyond the index of the import"
        if need == "slm":
            run = self.index_slm(progress=progress, cancelled=cancelled)
            return f"{run.read:,} chunks read, {run.left:,} left"
        model = self._reader() if with_model else None
        make = build_tree if need == "tree" else build_reports
        made = make(
            self._store,
            self._context.embedder(),
            Summariser(self._store, model, cancelled),
            progress,
            cancelled,
        )
        with self._store.transaction():
            count = made.keep(self._store)
        return f"{count:,} {'summaries' if need == 'tree' else 'reports'}"

    def report_quickly(self, cancelled: Cancelled) -> None:
        """Write the reports, if there are none yet, while a question waits for them.

        Writes none if there is too little to report, the index is incomplete, or another process is
        writing: the question then uses the conversations themselves.
        """
        if not self.has_index("graphrag-global"):
            with contextlib.suppress(IndexMissing, DatabaseLocked):
                self._report(cancelled)

    def _report(self, cancelled: Cancelled) -> None:
        with self._store.reading():
            if self._context.index_note():
                return
        summariser = Summariser(self._store, None, cancelled)
        made = build_reports(self._store, None, summariser, silent, cancelled)
        indexed = ("matrix", "chunk rows", "sample", "members", "talks", "word counts", "titles")
        with self._store.transaction(waiting=not_now), self._store.cache.keeping(*indexed):
            made.keep(self._store)

    def _reader(self) -> ChatModel:
        model = self._context.models.chat_model()
        if model is None and self._context.settings.model == "extractive":
            raise ModelMissing(
                "Extraction needs a language model, and the setting model is extractive: leave it "
                "out, or name a model with `--model`."
            )
        if model is None:
            raise ModelMissing(
                "Extraction needs a language model, and none is here: get one with "
                "`minirag-chat models get qwen2.5-coder-1.5b-instruct`."
            )
        return model

"""What the parts of a memory have in common: an open database, its settings, the models that read it."""

from __future__ import annotations

from dataclasses import dataclass

from minirag_chat.ingest import index_note
from minirag_chat.memory.given_answers import GivenAnswers
from minirag_chat.memory.trash import Indexing
from minirag_chat.models.embedder import absent_embedder
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import Embedder, Ranker
from minirag_chat.records import Cancelled, Report, never, silent
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.store.database import EMBEDDER


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """A database, its settings and its models, shared by every part of one memory."""

    store: Store
    settings: Settings
    models: LoadedModels
    given: GivenAnswers

    def embedder_name(self) -> str:
        """The name of the embedder for this database."""
        return self.models.embedder_name(self._made_by())

    def embedder(self) -> Embedder:
        """The embedder for this database; it is loaded when first asked for."""
        return self.models.embedder(self._made_by())

    def ranker(self) -> Ranker | None:
        """The ranker for this database; it is loaded when first asked for."""
        return self.models.ranker(self._made_by())

    def index_note(self) -> str:
        """Which part of the index is missing, and what completes it; empty if nothing is."""
        made_by = self._made_by()
        absent = absent_embedder(self.settings, made_by)
        return index_note(self.store, self.models.embedder_name(made_by), absent)

    def _made_by(self) -> str | None:
        """The name of the embedder that made the vectors."""
        with self.store.reading():
            return self.store.meta(EMBEDDER)

    def indexing(self, progress: Report = silent, cancelled: Cancelled = never) -> Indexing:
        """What reindexing after a deletion needs."""
        return Indexing(self.settings, self.embedder, progress, cancelled)


class Part:
    """A part of a memory: it does some of the work, on the database that all of them share."""

    def __init__(self, context: MemoryContext) -> None:
        self._context = context
        self._store = context.store

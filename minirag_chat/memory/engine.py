"""``ChatMemory`` joins the steps: the only thing the faces call. Synchronous, safe in threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from minirag_chat.answer.session import AnswerRun
from minirag_chat.errors import NotFound
from minirag_chat.ingest import NoVectors, fits, unindexed
from minirag_chat.memory import trash
from minirag_chat.memory.adding import Adding
from minirag_chat.memory.building import Building
from minirag_chat.memory.explore import Exploring
from minirag_chat.memory.filters import When, make_filters
from minirag_chat.memory.hearing import Hearing
from minirag_chat.memory.keeping import Keeping
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import ChatModel, Embedder, Ranker, never
from minirag_chat.question import as_overview, carried, event_question, follow_up, map_question
from minirag_chat.records import Answer, EventEvidence, Evidence, Filters, Reads, unseen
from minirag_chat.records.explored import Info
from minirag_chat.retrieve import METHODS, RANKED, Search, best_messages, reading_order
from minirag_chat.retrieve.events import Asked, event_evidence
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.store.opening import unheard
from minirag_chat.system.paths import given_path

if TYPE_CHECKING:
    from minirag_chat.memory.remote import RemoteMemory


class ChatMemory(Adding, Hearing, Keeping, Exploring, Building):
    """A person's messages, ready to be asked.

    ::

        with ChatMemory.open("chats.db") as memory:
            memory.add("WhatsApp Chat with Ann.txt")
            answer = memory.ask("When is Ann moving?", people=["Ann"], since="2026-01-01")
    """

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        settings: Settings | None = None,
        *,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        models: LoadedModels | None = None,
        told: Callable[[str], None] = unheard,
        passphrase: str | None = None,
    ) -> Self:
        """Open or create the database at ``path`` (default: ``settings.db``).

        Models are loaded when first needed, or given here; then this memory frees them when it is
        closed. ``models``, in their place, are lent: many may share them, and who made them closes
        them. ``told`` is given a sentence when another process or a wiping keeps a call waiting.
        With a ``passphrase`` a new database is encrypted. Raises ``StoreError`` and its children.
        """
        settings = settings or Settings.make()
        path = settings.db if path is None else given_path(path)
        store = Store.open(path, told, passphrase)
        trash.empty_old(store)
        return cls(store, settings, embedder, chat_model, models=models)

    @staticmethod
    def connect(
        db: str | Path | None = None, url: str | None = None, token: str = ""
    ) -> RemoteMemory:
        """A memory in the running Jupyter server, which many notebooks share; see ``remote``."""
        from minirag_chat.memory.remote import connect

        return connect(db, url, token)

    def close(self) -> None:
        """Close the database, and free the models that were not lent."""
        self._store.close()
        if not self._lent:
            self._models.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- questions -------------------------------------------------------------------------------

    def retrieve(
        self,
        question: str,
        method: str | None = None,
        k: int = 10,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
    ) -> list[Evidence]:
        """The ``k`` messages that fit the question best, best first.

        ``people`` keeps messages by these people (names or ids), ``chats`` those of these, ``since`` and
        ``until`` those of a period (a day counts whole). Raises ``BadQuestion`` or ``NotFound``.
        """
        with self._store.reading():
            filters = make_filters(self._store, people, chats, since, until)
            search = self._search(self._about_me(self._checked(question)), filters, method)
            return best_messages(search, _method(method or self.settings.method)(search), k)

    def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
        history: Sequence[tuple[str, str]] | None = None,
        cancelled: Callable[[], bool] = never,
        reads: Reads = unseen,
    ) -> Generator[str | Answer, None, None]:
        """Yield the answer's text in pieces, and at last the ``Answer``, whose text is final.

        ``history`` is the conversation so far as (question, answer) pairs; by default this
        memory's own. Once ``cancelled`` returns true, generation stops and the ``Answer`` says so.
        ``reads`` is called with the messages that are about to be read, which may take seconds.
        """
        with self._store.reading():
            asked = self._checked(question)
            past = list(self._remembered() if history is None else history)
        filters = partial(make_filters, self._store, people, chats, since, until)
        with closing(self._answered(asked, past, method, filters, cancelled, reads)) as pieces:
            for piece in pieces:
                if history is None and isinstance(piece, Answer) and not piece.stopped:
                    self._conversation.append((asked, piece.text))
                yield piece if isinstance(piece, str) else self._as_asked(piece, asked)

    def ask(self, question: str, **options: Any) -> Answer:
        """Answer a question; takes what :meth:`stream` takes."""
        with closing(self.stream(question, **options)) as pieces:  # an interrupt ends the model too
            return next(piece for piece in pieces if isinstance(piece, Answer))

    def forget_conversation(self) -> None:
        """Begin a new conversation: the next question leans on none before it."""
        self._conversation.clear()

    def warm_up(self) -> str:
        """Load the models now rather than with the first question; returns the reader's name."""
        self._load_embedder()
        self._ranker()
        model = self._load_model()
        return model.name if model else self._models.choice().name

    # --- looking around ---------------------------------------------------------------------------

    def info(self) -> Info:
        """What is in here and what reads it. Loads no model."""
        choice = self._models.choice()
        with self._store.reading():
            first, last = self._store.messages.extent()
            counts = self._store.index.counts()
            return Info(
                messages=self._store.messages.count(),
                chats=len(self._store.messages.chats()),
                people=len(self._store.people.all()),
                sessions=counts["sessions"],
                chunks=counts["chunks"],
                entities=counts["entities"],
                first=first,
                last=last,
                size_bytes=self._store.size_bytes,
                database=str(self._store.path),
                note=unindexed(self._store, self._models.loaded_embedder),
                embedder=self._store.meta("embedder") or self.settings.embedder,
                model=self._model.name if self._model else choice.name,
                model_reason=choice.reason,
                encrypted=self._store.connection.encrypted,
            )

    # --- inside ------------------------------------------------------------------------------------

    def _answered(
        self,
        asked: str,
        past: list[tuple[str, str]],
        method: str | None,
        filters: Callable[[], Filters],
        cancelled: Callable[[], bool],
        reads: Reads,
    ) -> Generator[str | Answer, None, None]:
        """What :meth:`stream` yields."""
        begun = time.perf_counter()
        self._load_embedder()  # may take long: others need not wait for it
        self._ranker(method)
        with self._store.reading():
            newest = self._store.messages.extent()[1] or datetime.min
            before = [(self._about_me(question), answer) for question, answer in past]
            said = follow_up(self._about_me(asked), before, self._store, newest)
            search = self._search(said.text, filters(), method)
            if said.context:
                earlier = self._search(said.before, filters()).question
                search.question = carried(search.question, earlier, fragment=said.fragment)
            note = self._note(asked)
            whole = as_overview(search.question, newest, self._store.messages.titles())
            answering = None
            if whole is None:
                history = [(said.before, past[-1][1])] if said.context else ()
                answering = self._answering(search, said.text, history, method)
        timings = {"retrieve": time.perf_counter() - begun}
        if answering is not None:
            model = self._load_model()
            answer = yield from answering.run(model, timings, begun, cancelled, reads)
            yield replace(answer, note=note)
        elif whole is not None:
            for piece in self._overview(whole, cancelled):
                yield piece if isinstance(piece, str) else replace(piece, note=note)

    def _answering(
        self,
        search: Search,
        asked: str,
        history: Sequence[tuple[str, str]],
        method: str | None,
    ) -> AnswerRun:
        """What is found for a question, ready to be read; inside the read that mapped it."""
        chosen = method or self.settings.method
        ranked = _method(chosen)(search)
        return AnswerRun(
            self._store,
            self.settings,
            search.question,
            ranked,
            reading_order(search, ranked),
            asked=asked,
            history=history,
            cosine=float(search.cosine.max(initial=0.0)),
            events=self._events(search, chosen),
        )

    def _events(self, search: Search, method: str) -> list[EventEvidence]:
        """What is found for each event of a question that compares, counts or asks for a sender."""
        shape = search.question.shape if self.settings.does("events") else None
        if shape is None:
            return []
        asked: Asked = "compared" if len(shape.events) > 1 else "counted"
        found = []
        for text in shape.events:
            part = self._search(text, search.question.filters)
            part.question = event_question(part.question, search.question)
            ranked = _method(method)(part)
            found.append(
                event_evidence(part, ranked, text, "sender" if shape.kind == "sender" else asked)
            )
        return found

    def _search(self, question: str, filters: Filters, method: str | None = None) -> Search:
        """A question as it is looked up, in what is indexed: it never waits for the rest."""
        embedder = self._load_embedder()
        if not fits(self._store, embedder):
            embedder = NoVectors(embedder, self._store.index.matrix().vectors.shape[1])
        _first, last = self._store.messages.extent()
        mapped = map_question(question, self._store, last or datetime.min, filters)
        return Search(
            self._with_me(mapped), self._store, embedder, self.settings, self._ranker(method)
        )

    def _ranker(self, method: str | None = None) -> Ranker | None:
        """The ranker, which orders what our own method finds and not what a paper's method does."""
        ranks = (method or self.settings.method) in RANKED and self.settings.does("ranker")
        return self._models.ranker() if ranks else None


def _method(name: str) -> Callable[[Search], Any]:
    if name not in METHODS:
        raise NotFound(f"There is no retrieval method {name!r}: use one of {', '.join(METHODS)}.")
    return METHODS[name]

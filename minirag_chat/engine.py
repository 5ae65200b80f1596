"""``ChatMemory`` joins the steps: the only thing the faces call. Synchronous, safe in threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Self

from minirag_chat.answer.session import Answering
from minirag_chat.errors import BadQuestion, EmptyMemory, NotFound
from minirag_chat.filters import make_filters
from minirag_chat.identity import Suggestion, suggestions
from minirag_chat.importers import Frame, frame_file, stream_export
from minirag_chat.ingest import Report, embed_pending, ingest, silent
from minirag_chat.models import choose_model, load_chat_model, load_embedder
from minirag_chat.models.protocols import ChatModel, Embedder, never
from minirag_chat.preview import import_options
from minirag_chat.question import lean, map_question
from minirag_chat.records import Answer, Chat, Evidence, Filters, ImportReport, Message, Person
from minirag_chat.retrieve import METHODS, Search, one_a_message, reading_order
from minirag_chat.settings import Settings
from minirag_chat.store import Store

When = str | date | datetime | None


@dataclass(frozen=True, slots=True)
class Info:
    """What a memory holds, and what reads it."""

    messages: int
    chats: int
    people: int
    sessions: int
    chunks: int
    entities: int
    first: datetime | None
    last: datetime | None
    size_bytes: int
    database: str
    embedder: str
    model: str
    model_reason: str


class ChatMemory:
    """A person's messages, ready to be asked.

    ::

        with ChatMemory.open("chats.db") as memory:
            memory.add("WhatsApp Chat with Ann.txt")
            answer = memory.ask("When is Ann moving?", people=["Ann"], since="2026-01-01")
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
    ) -> None:
        self.settings = settings
        self._store = store
        self._embedder = embedder
        self._model = chat_model
        self._model_loaded = chat_model is not None
        self._lock = threading.RLock()
        self._model_lock = threading.Lock()  # loading takes long; the rest goes on meanwhile
        self._conversation: list[tuple[str, str]] = []

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        settings: Settings | None = None,
        *,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
    ) -> Self:
        """Open or create the database at ``path`` (default: ``settings.db``).

        Models are loaded when first needed, or given here. Raises ``StoreError`` and its children.
        """
        settings = settings or Settings.make()
        return cls(Store.open(path or settings.db), settings, embedder, chat_model)

    def close(self) -> None:
        """Close the database and free the models."""
        with self._lock:
            self._store.close()
            if self._model is not None:
                self._model.close()
                self._model = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- import ----------------------------------------------------------------------------------

    def add(
        self, path: str | Path | Frame, *, progress: Report = silent, **options: Any
    ) -> ImportReport:
        """Import a file, a zip, a folder or a pandas frame; adds only what is new.

        ``options`` are those of :class:`~minirag_chat.importers.ImportOptions`. Raises
        ``ImportFailed`` and its children, or ``StoreError``; then the database is as it was.
        """
        chosen = import_options(self.settings, options)
        source = Path(path) if isinstance(path, (str, Path)) else frame_file(path)
        pieces = stream_export(source, chosen, progress)
        with self._lock:
            report = ingest(
                self._store, pieces, self.settings, self._load_embedder, chosen.zone(), progress
            )
            embed_pending(self._store, self._load_embedder(), progress)
        return report

    def index(self, *, progress: Report = silent, cancelled: Callable[[], bool] = never) -> int:
        """Finish an interrupted index; returns how many chunks were embedded."""
        with self._lock:
            return embed_pending(self._store, self._load_embedder(), progress, cancelled)

    # --- questions -------------------------------------------------------------------------------

    def retrieve(
        self,
        question: str,
        method: str | None = None,
        k: int = 10,
        people: Sequence[str] | None = None,
        chats: Sequence[str] | None = None,
        since: When = None,
        until: When = None,
    ) -> list[Evidence]:
        """The ``k`` messages that fit the question best, best first.

        ``people`` keeps messages by these people, ``chats`` those of these chats, ``since`` and
        ``until`` those of a period (a day counts whole). Raises ``BadQuestion`` or ``NotFound``.
        """
        with self._lock, self._store.reading():
            filters = make_filters(self._store, people, chats, since, until)
            search = self._search(self._checked(question), filters)
            return one_a_message(search, _method(method or self.settings.method)(search), k)

    def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        people: Sequence[str] | None = None,
        chats: Sequence[str] | None = None,
        since: When = None,
        until: When = None,
        history: Sequence[tuple[str, str]] | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str | Answer]:
        """Yield the answer's text in pieces, and at last the ``Answer``, whose text is final.

        ``history`` is the conversation so far as (question, answer) pairs; by default this
        memory's own. Once ``cancelled`` returns true, generation stops and the ``Answer`` says so.
        """
        begun = time.perf_counter()
        asked = self._checked(question)
        past = list(self._conversation if history is None else history)
        leaning = lean(asked, past)
        with self._lock, self._store.reading():
            filters = make_filters(self._store, people, chats, since, until)
            search = self._search(leaning, filters)
            ranked = _method(method or self.settings.method)(search)
            found = time.perf_counter()
            answering = Answering(
                self._store,
                self.settings,
                search.question,
                ranked,
                reading_order(search, ranked),
                asked=asked,
                history=past if leaning != asked else (),
                cosine=float(search.cosine.max(initial=0.0)),
            )
        model = self._load_model()
        timings = {"retrieve": found - begun}
        answer = yield from answering.run(model, self._lock, timings, begun, cancelled)
        if history is None and not answer.stopped:
            self._conversation.append((leaning, answer.text))
        yield answer

    def ask(self, question: str, **options: Any) -> Answer:
        """Answer a question; takes what :meth:`stream` takes."""
        return next(p for p in self.stream(question, **options) if isinstance(p, Answer))

    def forget_conversation(self) -> None:
        """Begin a new conversation: the next question leans on none before it."""
        self._conversation.clear()

    def warm_up(self) -> str:
        """Load the models now rather than with the first question; returns the reader's name."""
        with self._lock:
            self._load_embedder()
        model = self._load_model()
        return model.name if model else choose_model(self.settings).name

    # --- looking around ---------------------------------------------------------------------------

    def info(self) -> Info:
        """What is in here and what reads it. Loads no model."""
        choice = choose_model(self.settings)
        with self._lock, self._store.reading():
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
                embedder=self._store.meta("embedder") or self.settings.embedder,
                model=self._model.name if self._model else choice.name,
                model_reason=choice.reason,
            )

    def chats(self) -> list[Chat]:
        """All chats, the most recently active first."""
        with self._lock, self._store.reading():
            return self._store.messages.chats()

    def people(self) -> list[Person]:
        """Everyone who wrote, with the spellings that were resolved to them."""
        with self._lock, self._store.reading():
            return self._store.people.all()

    def search(self, text: str, k: int = 20, **filters: Any) -> list[Evidence]:
        """Plain search: the messages with these words, best first. No model is used."""
        with self._lock, self._store.reading():
            allowed = self._store.index.allowed(make_filters(self._store, **filters))
            scores = self._store.index.bm25("message_text", text)
            kept = [i for i in scores if allowed is None or i in allowed][:k]
            messages = self._store.messages.by_ids(kept)
            return [Evidence(messages[i], scores[i]) for i in kept]

    def conversation(self, message_id: int, around: int = 5) -> list[Message]:
        """A message with up to ``around`` messages before and after it in its chat."""
        with self._lock, self._store.reading():
            message = self._store.messages.by_ids([message_id]).get(message_id)
            if message is None:
                raise NotFound(
                    f"There is no message {message_id}: `search` and `ask` show the ids."
                )
            return self._store.messages.around(message, around)

    # --- changing what is kept ---------------------------------------------------------------------

    def delete_chat(self, chat: str | int) -> Chat:
        """Delete a chat with everything derived from it, and wipe its text from the file."""
        with self._lock:
            with self._store.reading():
                (found,) = make_filters(self._store, chats=[chat]).chats or {0}
                gone = next(c for c in self._store.messages.chats() if c.id == found)
            with self._store.transaction():
                self._store.index.drop_sessions(self._store.index.sessions_of(found))
                self._store.messages.delete_chat(found)
                self._store.people.drop_unused()
            self._store.compact()
            self._conversation.clear()
            return gone

    def merge_people(self, spelling: str, into: str) -> None:
        """Say that two names are one person; ``split_person`` undoes it."""
        with self._lock, self._store.transaction():
            target = self._person(into, canonical=True)
            self._store.people.merge(self._person(spelling), target)
            self._store.messages.forget_titles()

    def split_person(self, spelling: str) -> None:
        """Make a spelling a person of its own again, also on later imports."""
        with self._lock, self._store.transaction():
            self._store.people.split(self._person(spelling))
            self._store.messages.forget_titles()

    def suggest_people(self) -> list[Suggestion]:
        """Names that may be one person, and names taken for one that may be two; best first."""
        with self._lock, self._store.reading():
            return suggestions(self._store)

    # --- inside ------------------------------------------------------------------------------------

    def _person(self, name: str, *, canonical: bool = False) -> int:
        identity = self._store.people.spelling_id(name)
        if identity is None:
            raise NotFound(f"Nobody is called {name!r}: `minirag-chat people` lists the names.")
        entity = self._store.people.entity(identity) if canonical else None
        return entity.id if entity else identity

    def _checked(self, question: str) -> str:
        text = " ".join(question.split())
        if not text:
            raise BadQuestion('The question is empty: ask something, e.g. "Who is moving in June?"')
        if len(text) > self.settings.max_question_chars:
            raise BadQuestion(
                f"The question has {len(text):,} characters, more than "
                f"{self.settings.max_question_chars:,}: ask for one thing in a sentence or two."
            )
        if not self._store.messages.count():
            raise EmptyMemory(
                "There are no messages yet: import some with `minirag-chat add PATH` first."
            )
        return text

    def _search(self, question: str, filters: Filters) -> Search:
        embedder = self._load_embedder()
        if self._store.index.without_vector() or self._store.meta("embedder") != embedder.name:
            embed_pending(self._store, embedder)
        _first, last = self._store.messages.extent()
        mapped = map_question(question, self._store, last or datetime.min, filters)
        return Search(mapped, self._store, embedder, self.settings)

    def _load_embedder(self) -> Embedder:
        if self._embedder is None:
            self._embedder = load_embedder(self.settings)
        return self._embedder

    def _load_model(self) -> ChatModel | None:
        with self._model_lock:
            if not self._model_loaded:
                self._model = load_chat_model(self.settings, choose_model(self.settings))
                self._model_loaded = True
            return self._model


def _method(name: str) -> Callable[[Search], Any]:
    if name not in METHODS:
        raise NotFound(f"There is no retrieval method {name!r}: use one of {', '.join(METHODS)}.")
    return METHODS[name]

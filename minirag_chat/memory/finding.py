"""A question → the search for it → the messages found."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from minirag_chat.answer.leaning import favouring
from minirag_chat.answer.retrieved import RetrievedEvidence, gather
from minirag_chat.ingest import NoVectors, made_vectors_of
from minirag_chat.memory.context import Part
from minirag_chat.memory.filters import When, make_filters
from minirag_chat.memory.question_text import checked_question, lookup_text, with_me
from minirag_chat.models.protocols import Ranker
from minirag_chat.question import event_question, map_question
from minirag_chat.records import Compare, Computed, Evidence, Filters, Lookup
from minirag_chat.retrieve import RANKED, Search, best_messages, prompt_order, retriever
from minirag_chat.retrieve.events import EventUse, event_evidence
from minirag_chat.times.reference import reference_time


class Finding(Part):
    """Finds messages. No language model is used."""

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

        Filters: messages by ``people`` (names or ids), in ``chats``, and from ``since`` to ``until`` (a
        date means the whole day). Raises ``BadQuestion`` or ``NotFound``.
        """
        name = method or self._context.settings.method
        retriever(name)  # raises for an unknown method
        with self._store.reading():
            filters = make_filters(self._store, people, chats, since, until)
            return self.best(self.search_for_question(question, filters, name), name, k)

    def best(self, search: Search, method: str | None, k: int) -> list[Evidence]:
        """The ``k`` messages that fit a search best, best first. Inside ``reading()``."""
        rank = retriever(method or self._context.settings.method)
        return best_messages(search, rank(search), k)

    def search_for_question(self, question: str, filters: Filters, method: str) -> Search:
        """Check a question; returns the search for it. Inside ``reading()``. Raises ``BadQuestion``."""
        asked = lookup_text(self._context, checked_question(self._context, question))
        return self.search_for_lookup(asked, filters, method)

    def search_for_lookup(
        self, question: str, filters: Filters, method: str | None = None, translation: str = ""
    ) -> Search:
        """The search for a rewritten question, in what is indexed so far: it never waits for the rest.

        ``translation`` is the question in the language of the messages, if it is in another one.
        """
        embedder = self._context.embedder()
        if not made_vectors_of(self._store, embedder.name):
            embedder = NoVectors(embedder, self._store.index.dimension())
        now = reference_time(self._store.messages.extent()[1])
        mapped = map_question(question, self._store, now, filters)
        mapped = replace(mapped, translation=translation)
        return Search(
            with_me(self._store, mapped),
            self._store,
            embedder,
            self._context.settings,
            self.ranker(method),
        )

    def evidence_for(
        self,
        plan: Lookup | Computed,
        search: Search,
        question_text: str,
        history: Sequence[tuple[str, str]],
        method: str | None,
        near: Collection[int] = (),
    ) -> RetrievedEvidence:
        """What is found for a question, ready to be read; inside the ``reading()`` that mapped it.

        Messages of the sessions ``near`` come before others.
        """
        rank = retriever(method or self._context.settings.method)
        ranked = rank(search)
        events = []
        for text in plan.events:
            part = self.search_for_lookup(text, search.question.filters)
            part.question = event_question(part.question, search.question)
            events.append(event_evidence(part, rank, text, _event_use(plan)))
        found = prompt_order(search, ranked)
        return gather(
            self._store,
            search.question,
            ranked,
            favouring(found, near) if near else found,
            question_text=question_text,
            history=history,
            cosine=float(search.likeness.max(initial=0.0)),
            events=events,
            no_message_passes=search.allowed is not None and not search.allowed.size,
        )

    def ranker(self, method: str | None = None) -> Ranker | None:
        """The ranker; None for a paper's method, whose order it must not change."""
        settings = self._context.settings
        ranks = (method or settings.method) in RANKED and settings.does("ranker")
        return self._context.ranker() if ranks else None


def _event_use(plan: Lookup | Computed) -> EventUse:
    """Whether a plan's events are compared or counted."""
    return "compared" if isinstance(plan, Compare) else "counted"

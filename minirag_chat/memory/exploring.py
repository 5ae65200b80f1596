"""Exploring the messages beyond single questions.

Who writes when and to whom, which names occur together, and how one question is answered, step by step
or by several methods side by side.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from minirag_chat.errors import BadSetting, NotFound
from minirag_chat.graph import answer_nodes, best_paths, edge_scores, key_edges, subgraph
from minirag_chat.memory.asking import Asking
from minirag_chat.memory.context import MemoryContext, Part
from minirag_chat.memory.filters import make_filters
from minirag_chat.memory.finding import Finding
from minirag_chat.memory.library import Library
from minirag_chat.records import Entity, ScoredChunk
from minirag_chat.records.exploration import (
    Comparison,
    Explanation,
    Neighbourhood,
    Period,
    RankedChunk,
    TalkNetwork,
    Timeline,
    Unit,
    WalkedPath,
)
from minirag_chat.retrieve import Search, prompt_order, retriever

UNITS: tuple[Unit, ...] = ("day", "week", "month")
MOST_HOPS = 4
PATHS_SHOWN = 10
HOPS_EXPLAINED = 2  # the same as in the method minirag


class Exploring(Part):
    """Explores messages. ``filters`` are those of a question: ``people``, ``chats``, ``since``, ``until``."""

    def __init__(
        self, context: MemoryContext, library: Library, finding: Finding, asking: Asking
    ) -> None:
        super().__init__(context)
        self._library = library
        self._finding = finding
        self._asking = asking

    def timeline(self, /, unit: Unit = "week", **filters: Any) -> Timeline:
        """How many messages each day, week (from Monday) or month has; empty periods are included."""
        if unit not in UNITS:
            raise BadSetting(f"There is no unit {unit!r}: use one of {', '.join(UNITS)}.")
        written: Counter[datetime] = Counter()
        people: dict[datetime, set[int]] = defaultdict(set)
        with self._store.reading():
            days = self._store.message_counts.by_day(make_filters(self._store, **filters))
        for day, person, messages in days:
            start = _start(day, unit)
            written[start] += messages
            people[start].add(person)
        starts = _every(min(written), max(written), unit) if written else ()
        return Timeline(unit, tuple(Period(s, written[s], len(people[s])) for s in starts))

    def who_talks_to_whom(self, /, **filters: Any) -> TalkNetwork:
        """Who answers whom: by replies if the export has them, else by who writes next in a conversation.

        ``people`` are those who answer; whom they answer may be anybody.
        """
        import networkx as nx  # the import takes a third of a second: questions do without it

        with self._store.reading():
            people = make_filters(self._store, people=filters.pop("people", None)).people
            everyone = self._library.messages(**filters)
            missing = {m.reply_to for m in everyone if m.reply_to} - {m.id for m in everyone}
            parents = self._store.messages.by_ids(sorted(missing))
        by_id = {message.id: message for message in everyone} | parents
        messages = [m for m in everyone if not people or m.sender_id in people]
        writers = {m.sender_id for m in messages}
        answered: Counter[tuple[str, str]] = Counter()
        ordered = sorted(everyone, key=lambda m: (m.session_id, m.sent_at, m.id))
        for before, message in pairwise([None, *ordered]):
            if message is None or message.sender_id not in writers:
                continue
            parent = by_id.get(message.reply_to or 0)
            other = parent or before
            if other and (parent or other.session_id == message.session_id):
                answered[message.shown_sender, other.shown_sender] += (
                    message.sender_id != other.sender_id
                )
        graph: nx.DiGraph[str] = nx.DiGraph()
        for name, _ in Counter(m.shown_sender for m in messages).most_common():
            graph.add_node(name)
        for (writer, to), times in answered.items():
            if times:
                graph.add_edge(writer, to, weight=times)
        return TalkNetwork(graph)

    def neighbourhood(self, name: str, hops: int = 2) -> Neighbourhood:
        """What is named together with a person, place or thing, up to ``hops`` steps away.

        Raises ``NotFound`` if nothing has this name, ``BadSetting`` if ``hops`` is not 1 to 4.
        """
        if not 1 <= hops <= MOST_HOPS:
            raise BadSetting(f"hops is {hops}: give a number from 1 to {MOST_HOPS}.")
        with self._store.reading():
            centre = self._entity(name)
            return Neighbourhood(centre, subgraph(self._store, [centre], hops))

    # --- one question -------------------------------------------------------------------------------

    def explain(
        self,
        /,
        question: str,
        method: str | None = None,
        k: int = 10,
        *,
        read: bool = True,
        **filters: Any,
    ) -> Explanation:
        """Every step and score of a question; with ``read``, also the answer and its confidence."""
        name = method or self._context.settings.method
        rank = retriever(name)
        started_at = time.perf_counter()
        with self._store.reading():
            chosen = make_filters(self._store, **filters)
            search = self._finding.search_for_question(question, chosen, name)
            mapped = time.perf_counter()
            ranked = rank(search)
            found = time.perf_counter()
            explained = Explanation(
                question=search.question,
                method=name,
                paths=self._walked(search),
                chunks=tuple(self._ranked_chunks(ranked[:k])),
                evidence=tuple(prompt_order(search, ranked)[:k]),
                seconds={
                    "map the question": mapped - started_at,
                    f"rank by {name}": found - mapped,
                },
            )
        if not read:
            return explained
        answer = self._asking.ask(question, method=name, history=(), **filters)
        return replace(explained, answer=answer)

    def compare(
        self,
        /,
        question: str,
        methods: Sequence[str] = ("hybrid", "minirag"),
        k: int = 5,
        **filters: Any,
    ) -> Comparison:
        """What retrieval methods find for one question, side by side, without an answer."""
        for name in methods:
            retriever(name)  # raises for an unknown method before any search
        found = {
            name: tuple(self._finding.retrieve(question, name, k, **filters)) for name in methods
        }
        return Comparison(question, found)

    def _entity(self, name: str) -> Entity:
        store = self._store
        people = (store.people.entity(person) for person in store.people.called(name))
        for entity in (*people, *store.people.named(name)):
            if entity is not None:
                return entity
        near = (
            [Entity(*row) for row in store.explore.entities_like(name, 3)] if name.strip() else []
        )
        hint = ", ".join(repr(entity.name) for entity in near)
        raise NotFound(
            f"Nothing is called {name!r}"
            + (f": did you mean {hint}?" if hint else ": the list of entities has the names.")
        )

    def _walked(self, search: Search) -> tuple[WalkedPath, ...]:
        """The best paths of Eq. 3 from the entities of the question; none if it names no entity."""
        seeds = search.question.entities
        graph = subgraph(self._store, seeds, HOPS_EXPLAINED)
        answers = answer_nodes(graph, search.question.answer_types)
        keys = key_edges(edge_scores(graph, answers | {seed.id for seed in seeds}))
        paths = [
            path
            for seed in seeds
            for path in best_paths(
                graph, seed.id, 1.0, keys, answers,
                longest=search.settings.hops, count=PATHS_SHOWN,
            )
        ]  # fmt: skip
        best = sorted(paths, key=lambda path: -path.score)[:PATHS_SHOWN]
        names = {node: data["name"] for node, data in graph.nodes(data=True)}
        return tuple(WalkedPath(tuple(names[n] for n in path.nodes), path.score) for path in best)

    def _ranked_chunks(self, ranked: Sequence[ScoredChunk]) -> Iterator[RankedChunk]:
        members = self._store.index.members([chunk.chunk_id for chunk in ranked])
        ids = sorted({m for found in members.values() for m in found})
        messages = self._store.messages.by_ids(ids)
        for chunk in ranked:
            said = (messages[i] for i in members[chunk.chunk_id])
            text = "\n".join(f"{m.shown_sender}: {m.text}" for m in said)
            yield RankedChunk(chunk, text)


def _start(moment: datetime, unit: Unit) -> datetime:
    """The first moment of the day, week or month."""
    day = datetime(moment.year, moment.month, moment.day)
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if unit == "month" else day


def _every(first: datetime, last: datetime, unit: Unit) -> Iterator[datetime]:
    moment = first
    step = timedelta(days={"day": 1, "week": 7, "month": 32}[unit])
    while moment <= last:
        yield moment
        moment = _start(moment + step, unit)

"""The reasoning path of an answer: nodes and edges of the graph, from the question to its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from minirag_chat.common_words import is_stressed
from minirag_chat.records import (
    Entity,
    EntityType,
    Message,
    PathEdge,
    PathNode,
    Question,
    ReasoningPath,
    Source,
)
from minirag_chat.store import Store
from minirag_chat.ui_text import count, day, period

ENTITIES_OF_A_MESSAGE = 4
BRIDGES = 40  # neighbours of an entity of the question that are tried as a bridge to a message
THINGS = frozenset({"topic", "title", "place"})
"""Kinds of which one name is drawn once: extraction may take the same name as two of them."""


class PathBuilder:
    """Collects nodes and edges; each is stored once."""

    def __init__(self, store: Store, question: Question) -> None:
        self._store = store
        self._question = question
        self._nodes: dict[str, PathNode] = {}
        self._edges: dict[tuple[str, str], PathEdge] = {}
        self._named: dict[str, int] = {}  # the entity that is drawn for a name
        self._drawn_as: dict[int, int] = {}

    def build(
        self,
        sources: Sequence[Source],
        chunk_of: Mapping[int, int],
        dated: Sequence[tuple[str, Message, datetime]] = (),
    ) -> ReasoningPath:
        """The path to ``sources``; ``chunk_of`` gives the chunk that each message was found in.

        ``dated`` are the events that were looked up, each with the message that dates it and its
        date.
        """
        question = self._question
        self._node(PathNode("question", "question", question.text, question.text))
        for span in question.times:
            name = f"time:{span.phrase}"
            self._node(PathNode(name, "time", span.phrase, period(span)))
            self._edge("question", name, "asks about")
        for entity in question.entities:
            self._entity(entity, "named in the question")
            self._edge("question", self._id(entity.id), "names")
        for source in sources:
            self._source(source, chunk_of.get(source.message.id, 0))
        for number, (event, message, at) in enumerate(dated, start=1):
            name = f"event:{number}"
            self._node(PathNode(name, "time", day(at), event))
            self._edge("question", name, f"compares: {event}")
            self._edge(name, f"message:{message.id}", f"dated {at:%Y-%m-%d}")
        return ReasoningPath(tuple(self._nodes.values()), tuple(self._edges.values()))

    def _source(self, source: Source, chunk: int) -> None:
        message = source.message
        members = self._store.index.members([chunk]).get(chunk, []) if chunk else []
        members = members or [message.id]
        window = self._store.messages.by_ids(members)
        chunk_node, message_node = f"chunk:{chunk or message.id}", f"message:{message.id}"
        when = f"{message.sent_at:%Y-%m-%d %H:%M}"
        self._node(PathNode(chunk_node, "chunk", f"{message.chat}, {when}", _text(window, members)))
        name = f"[{source.number}] {message.shown_sender}"
        self._node(PathNode(message_node, "message", name, source.quote, message.id))
        self._edge(chunk_node, message_node, "says")
        chat = f"chat:{message.chat_id}"
        self._node(PathNode(chat, "chat", message.chat, f"chat: {message.chat}"))
        self._edge(chat, chunk_node, "holds")
        self._connect(chunk_node, members, window)
        self._own_entities(message, message_node)

    def _connect(self, chunk_node: str, members: list[int], window: Mapping[int, Message]) -> None:
        """Connect the question's entities to the chunk: directly, through one other entity, or by wording."""
        named = self._store.index.named_in(members)
        inside = {entity: (name, kind) for _m, entity, name, kind, _s, _e in named}
        tied = False
        for entity in self._question.entities:
            if entity.id in inside:
                sentence = next(
                    (window[m].text[s:e] for m, i, _n, _k, s, e in named if i == entity.id), ""
                )
                self._edge(self._id(entity.id), chunk_node, sentence.strip(), 1.0)
                tied = True
        if not tied:
            tied = self._bridge(chunk_node, inside)
        if not tied:
            self._edge("question", chunk_node, "similar wording")

    def _bridge(self, chunk_node: str, inside: Mapping[int, tuple[str, EntityType]]) -> bool:
        for entity in self._question.entities:
            for other, name, kind, times, _message in self._store.index.neighbours(
                entity.id, BRIDGES
            ):
                if other in inside:
                    self._entity(
                        Entity(other, name, kind), f"named together {count(times, 'time')}"
                    )
                    self._edge(
                        self._id(entity.id),
                        self._id(other),
                        f"together in {count(times, 'message')}",
                        float(times),
                    )
                    self._edge(self._id(other), chunk_node, "named in")
                    return True
        return False

    def _own_entities(self, message: Message, message_node: str) -> None:
        """What the cited message itself names: people, places, times."""
        shown = 0
        for _m, entity, name, kind, start, end in self._store.index.named_in([message.id]):
            if (
                shown < ENTITIES_OF_A_MESSAGE
                and entity != message.sender_id
                and not is_stressed(name)
            ):
                self._entity(Entity(entity, name, kind), message.text[start:end].strip())
                self._edge(message_node, self._id(entity), "names")
                shown += 1

    def _entity(self, entity: Entity, detail: str) -> None:
        if entity.type in THINGS:
            self._drawn_as[entity.id] = self._named.setdefault(entity.name.casefold(), entity.id)
        name = self._store.people.joined_names.shown(entity.id, entity.name)
        self._node(PathNode(self._id(entity.id), entity.type, name, detail))

    def _id(self, entity: int) -> str:
        return f"entity:{self._drawn_as.get(entity, entity)}"

    def _node(self, node: PathNode) -> None:
        self._nodes.setdefault(node.id, node)

    def _edge(self, source: str, target: str, label: str, score: float = 0.0) -> None:
        if source != target and (target, source) not in self._edges:
            self._edges.setdefault((source, target), PathEdge(source, target, label, score))


def _text(window: Mapping[int, Message], members: Sequence[int]) -> str:
    return "\n".join(f"{window[m].shown_sender}: {window[m].text}" for m in members if m in window)

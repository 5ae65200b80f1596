"""The frozen records that cross between the steps of the pipeline.

Standard library only. A step takes records and gives records; none of them knows the database,
the model or the page that made it. Times are naive wall-clock datetimes, as the person who wrote
or exported the chat saw them on the screen; the store keeps the UTC instant beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from minirag_chat.parsed import Attachment as Attachment
from minirag_chat.parsed import ChatKind as ChatKind
from minirag_chat.parsed import Decision as Decision
from minirag_chat.parsed import ImportReport as ImportReport
from minirag_chat.parsed import MessageKind as MessageKind
from minirag_chat.parsed import ParsedChat as ParsedChat
from minirag_chat.parsed import ParsedExport as ParsedExport
from minirag_chat.parsed import ParsedMessage as ParsedMessage
from minirag_chat.parsed import Reaction as Reaction
from minirag_chat.parsed import Skipped as Skipped

EntityType = Literal[
    "person", "chat", "place", "organisation", "title", "time", "amount", "link", "topic"
]
NodeType = Literal["question", "chunk", "message"] | EntityType
Reason = Literal["nothing_found", "not_stated", "conflicting", "unsure"]


# --- what the store holds ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """A stored message. ``sender`` is the person, after spellings were resolved."""

    id: int
    chat: str
    sender: str
    sent_at: datetime
    text: str
    chat_id: int = 0
    sender_id: int = 0
    session_id: int = 0
    kind: MessageKind = "text"
    reply_to: int | None = None
    edited: bool = False
    forwarded_from: str | None = None
    deleted: bool = False
    attachments: tuple[Attachment, ...] = ()
    reactions: tuple[Reaction, ...] = ()


@dataclass(frozen=True, slots=True)
class Chat:
    """A stored chat with its participants and extent."""

    id: int
    title: str
    kind: ChatKind
    platform: str
    participants: tuple[str, ...]
    messages: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Person:
    """A person with every spelling that was resolved to them."""

    id: int
    name: str
    spellings: tuple[str, ...]
    messages: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A window of whole, consecutive messages of one session: the unit that is embedded."""

    id: int
    session_id: int
    messages: tuple[Message, ...]

    @property
    def text(self) -> str:
        """The messages as ``sender: text`` lines, what the embedder and the full text see."""
        return "\n".join(f"{m.sender}: {m.text}" for m in self.messages)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity named in a message: an entity–chunk edge (e_β) with its description d_eβ.

    ``start`` and ``end`` are character offsets in the message of the sentence that is d_eβ.
    """

    name: str
    type: EntityType
    message_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of V_e. ``id`` is the canonical one: spellings of one person share it."""

    id: int
    name: str
    type: EntityType


# --- a question -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time that a text names: ``start`` inclusive, ``end`` exclusive, both wall-clock."""

    start: datetime
    end: datetime
    phrase: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What the user narrowed the question to. Ids are canonical; empty means all."""

    people: frozenset[int] = frozenset()
    chats: frozenset[int] = frozenset()
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question after semantic mapping (paper 3.2.1): V_q, answer types T, people and times."""

    text: str
    entities: tuple[Entity, ...] = ()
    people: tuple[Entity, ...] = ()
    speakers: tuple[Entity, ...] = ()
    answer_types: tuple[EntityType, ...] = ()
    times: tuple[TimeSpan, ...] = ()
    filters: Filters = Filters()
    yes_no: bool = False


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk as a retrieval method ranked it; ``signals`` are the parts of ``score``."""

    chunk_id: int
    session_id: int
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A message that may answer the question. ``score`` is comparable within one question only."""

    message: Message
    score: float
    chunk_id: int = 0
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PathNode:
    """A node of a reasoning path; ``detail`` is the sentence shown on hover."""

    id: str
    type: NodeType
    name: str
    detail: str = ""
    message_id: int | None = None


@dataclass(frozen=True, slots=True)
class PathEdge:
    """An edge of a reasoning path; ``score`` is ω_e of Eq. 2 where the edge has one."""

    source: str
    target: str
    label: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class ReasoningPath:
    """The part of the graph that led from the question to the cited messages."""

    nodes: tuple[PathNode, ...] = ()
    edges: tuple[PathEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A cited message. ``number`` is the ``[n]`` in the answer; ``quote`` the part that says so."""

    number: int
    message: Message
    quote: str

    @property
    def message_id(self) -> int:
        """The id to pass to ``ChatMemory.conversation``."""
        return self.message.id

    @property
    def chat(self) -> str:
        """The chat that the message was sent in."""
        return self.message.chat

    @property
    def sender(self) -> str:
        """Who sent the message."""
        return self.message.sender

    @property
    def sent_at(self) -> datetime:
        """When it was sent, wall-clock."""
        return self.message.sent_at


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation with a language model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with everything that led to it.

    ``confidence`` in [0, 1] estimates that the answer is right. Where ``abstained``, ``reason``
    says why and ``closest`` holds the nearest messages. ``timings`` are seconds by step.
    """

    question: str
    text: str
    abstained: bool
    confidence: float
    reason: Reason | None
    sources: tuple[Source, ...]
    closest: tuple[Source, ...]
    path: ReasoningPath
    timings: Mapping[str, float]
    model: str
    stopped: bool = False
    signals: Mapping[str, float] = field(default_factory=dict)

    def path_graph(self, file: str | Path) -> Path:
        """Write the reasoning path as one HTML file that opens offline; returns its path."""
        from minirag_chat.show.path_graph import write_path_graph

        return write_path_graph(self.path, file)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long job is. ``total`` is None while it is not known."""

    step: str
    done: int
    total: int | None = None

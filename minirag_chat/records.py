"""The frozen records that cross between the steps of the pipeline.

Standard library only. A step takes records and gives records; none of them knows the database,
the model or the page that made it. Times are naive wall-clock datetimes, as the person who wrote
or exported the chat saw them on the screen; the store keeps the UTC instant beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from minirag_chat.shown import Shown

ChatKind = Literal["direct", "group"]
MessageKind = Literal["text", "media"]
EntityType = Literal[
    "person", "chat", "place", "organisation", "title", "time", "amount", "link", "topic"
]
NodeType = Literal["question", "chunk", "message"] | EntityType
Reason = Literal["nothing_found", "not_stated", "conflicting", "unsure"]
ShapeKind = Literal["order", "which", "interval", "first", "last", "count"]
Relation = Literal["before", "after", "more", "less"]


# --- import ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file sent with a message: its name where the export has one, and what it is."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction to a message, and who gave it where the export says so."""

    emoji: str
    sender: str = ""


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """One message as an importer read it, before people and chats are resolved.

    ``session`` is set by formats that mark where a conversation begins and ends; elsewhere it is
    None and sessions are found by pauses. ``reply_to`` is the ``source_id`` of the parent. A
    ``deleted`` message has no text left but is known to have been there.
    """

    sent_at: datetime
    sender: str
    text: str
    kind: MessageKind = "text"
    source_id: str | None = None
    reply_to: str | None = None
    session: str | None = None
    edited: bool = False
    forwarded_from: str | None = None
    deleted: bool = False
    attachments: tuple[Attachment, ...] = ()
    reactions: tuple[Reaction, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedChat:
    """A chat of one export, or a piece of it: its messages in the order of the file.

    ``key`` identifies the chat within ``platform`` where the export says so (an id); ``title`` is
    what the person called it. Both may be None: the chat is then recognised by its participants.
    Pieces of one file with the same ``part`` are one chat, and the last of them knows it best.
    """

    platform: str
    messages: tuple[ParsedMessage, ...]
    key: str | None = None
    title: str | None = None
    kind: ChatKind | None = None
    part: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, or a line of it, that was not imported, and why. ``line`` counts from 1."""

    source: str
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided for a whole file.

    ``what`` is ``date order``, ``encoding`` or ``time zone``; ``certain`` says that the file leaves
    no other reading; ``messages`` counts those that would read otherwise; ``option`` names the
    import option that changes the decision.
    """

    source: str
    what: str
    chosen: str
    certain: bool
    option: str
    messages: int = 0


@dataclass(frozen=True, slots=True)
class ParsedExport:
    """What an importer made of one file: chats, and an account of everything else in it."""

    format: str
    chats: tuple[ParsedChat, ...]
    system_lines: int = 0
    media: int = 0
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportReport(Shown):
    """What an import did. Everything read is accounted for.

    ``messages_read`` counts the messages in the files, ``messages_added`` those that were new.
    ``sessions`` counts the conversations read. ``notes`` are decisions a person may want to know
    (date order, time zone, chats recognised by their participants), ``decisions`` the same as
    data. ``time_zone`` is the zone in which wall-clock times without one were taken to be.
    """

    messages_read: int
    messages_added: int
    sessions: int
    chats: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    first: datetime | None = None
    last: datetime | None = None
    files: int = 0
    formats: Mapping[str, int] = field(default_factory=dict)
    system_lines: int = 0
    media: int = 0
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    decisions: tuple[Decision, ...] = ()
    time_zone: str = ""


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
class Shape:
    """What a question compares. ``events`` are its parts, each a text that can be looked up.

    ``order`` asks whether the first event lies ``relation`` the second (None: on which side),
    ``which`` which of two does, ``interval`` how long there is between them (or whether that is
    ``more`` or ``less`` than ``amount``), ``first`` and ``last`` for one occurrence of an event,
    ``count`` for all.
    """

    kind: ShapeKind
    events: tuple[str, ...]
    relation: Relation | None = None
    amount: timedelta | None = None


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
    shape: Shape | None = None


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk as a retrieval method ranked it; ``signals`` are the parts of ``score``."""

    chunk_id: int
    session_id: int
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence(Shown):
    """A message that may answer the question. ``score`` is comparable within one question only."""

    message: Message
    score: float
    chunk_id: int = 0
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventEvidence:
    """What was found for one event that a question compares.

    ``candidates`` are the best message of each session, best first, and ``windows[i]`` is
    ``candidates[i]`` with the messages around it. ``rare`` gives the weight of the event's words,
    ``cosine`` the similarity of the event and the best chunk.
    """

    text: str
    candidates: tuple[Evidence, ...]
    windows: tuple[tuple[Message, ...], ...]
    rare: Mapping[str, float]
    cosine: float


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
class ReasoningPath(Shown):
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
class Answer(Shown):
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

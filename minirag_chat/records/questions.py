"""Records of a question: its mapping, what was retrieved, the evidence, the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from minirag_chat.displayable import Displayable
from minirag_chat.records.media import read_in
from minirag_chat.records.stored import Entity, EntityType, Message

NodeType = Literal["question", "chunk", "message"] | EntityType
Reason = Literal[
    "no_question",
    "no_messages",
    "not_recorded",
    "nothing_found",
    "not_stated",
    "unsupported",
    "unsure",
]
WITHHELD: frozenset[Reason] = frozenset({"unsupported", "unsure"})
"""Reasons for which an answer of the reader is not shown."""
UNREAD: frozenset[Reason] = frozenset({"no_question", "no_messages", "not_recorded"})
"""Reasons for which no message was read, so that there is nothing to estimate."""
ShapeKind = Literal["order", "which", "interval", "first", "last", "count"]
Relation = Literal["before", "after", "more", "at least", "less", "at most"]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time that a text mentions as ``phrase``: ``start`` inclusive, ``end`` exclusive, both wall-clock."""

    start: datetime
    end: datetime
    phrase: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """Days of the week and hours, each time that they come: "on Sundays", "at night".

    ``weekdays`` are 0 (Monday) to 6; empty means all. ``since`` (inclusive) and ``until`` (exclusive) are
    minutes after midnight, in the clock of the messages. If ``until`` is the smaller one it is of the next
    day, and belongs to the weekday before: a Friday night ends on Saturday.
    """

    weekdays: frozenset[int] = frozenset()
    since: int = 0
    until: int = 24 * 60


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters that the user set for a question, or that it names. Ids are canonical; empty means all.

    Messages are of any of the ``periods``, between ``since`` and ``until``.
    """

    people: frozenset[int] = frozenset()
    chats: frozenset[int] = frozenset()
    since: datetime | None = None
    until: datetime | None = None
    repeated: Repeated = Repeated()
    periods: tuple[TimeSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """What a question compares. ``events`` are its parts, each a text that can be looked up.

    ``order`` asks whether the first event was ``relation`` (before or after) the second; None asks which.
    ``which`` asks which of two events it was, ``interval`` for the time between them, or whether that is
    ``more``, ``at least``, ``less`` or ``at most`` (than) ``amount``. ``first`` and ``last`` ask for one
    occurrence of an event, ``count`` for the number of all. ``in_order``: the first event of an interval
    is known to be earlier.
    """

    kind: ShapeKind
    events: tuple[str, ...]
    relation: Relation | None = None
    amount: timedelta | None = None
    in_order: bool = False


@dataclass(frozen=True, slots=True)
class PersonSpan:
    """A name in a question, ``text[start:end]``, and the ids of the people it may mean."""

    start: int
    end: int
    people: tuple[int, ...]

    def overlaps(self, start: int, end: int) -> bool:
        """Whether a part of it is in ``text[start:end]``."""
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class Question:
    """A question after semantic mapping (paper 3.2.1): V_q, answer types T, people and times.

    ``spans`` are the places in the text that name people. ``speakers`` are those of the ``people`` who act in
    the question, ``quoted_speakers`` those of them whose words or opinions it asks for, and ``related`` is
    the asker, where the question is about "my sister" or another relative of theirs. ``times`` are days
    and periods, ``moments`` clock times on these days, about an hour each; ``named_times`` are all times that
    it names, also those of plans. ``translation`` is the text in
    the language of the messages, if it is in another one. ``follow_up`` is what was asked last, where
    ``text`` begins with the earlier questions that it depends on. ``unnamed`` is the text with "I" for
    who is to do what it asks about, which others say too, or with "I" and "my" for the asker.
    """

    text: str
    entities: tuple[Entity, ...] = ()
    people: tuple[Entity, ...] = ()
    spans: tuple[PersonSpan, ...] = ()
    speakers: tuple[Entity, ...] = ()
    quoted_speakers: tuple[Entity, ...] = ()
    related: tuple[Entity, ...] = ()
    answer_types: tuple[EntityType, ...] = ()
    times: tuple[TimeSpan, ...] = ()
    moments: tuple[TimeSpan, ...] = ()
    named_times: tuple[TimeSpan, ...] = ()
    filters: Filters = Filters()
    yes_no: bool = False
    shape: Shape | None = None
    translation: str = ""
    follow_up: str = ""
    unnamed: str = ""

    @property
    def writers(self) -> tuple[Entity, ...]:
        """Who may have written the answer: those who act, else those who are named."""
        return self.speakers or tuple(one for one in self.people if one not in self.related)

    @property
    def query(self) -> str:
        """What is looked for: the text, and its translation."""
        return self._with_translation(self.text)

    @property
    def ranked_for(self) -> tuple[str, ...]:
        """What messages are ranked for: the query, a follow-up also alone, and what is ``unnamed``."""
        others = (self.follow_up, self.unnamed)
        return (self.query, *(self._with_translation(other) for other in others if other))

    def _with_translation(self, text: str) -> str:
        return f"{text} {self.translation}" if self.translation else text


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk as a retrieval method ranked it; ``signals`` are the parts of ``score``."""

    chunk_id: int
    session_id: int
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)


STATES = "states"
"""The name of the ranker's signal; see ``Evidence``."""


@dataclass(frozen=True, slots=True)
class Evidence(Displayable):
    """A message that may answer the question. ``score`` is comparable within one question only.

    ``signals[STATES]`` is the ranker's log-odds that the message states the answer, if it was ranked.
    """

    message: Message
    score: float
    chunk_id: int = 0
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventEvidence:
    """What was found for one event that a question compares.

    ``candidates`` are the best message of each session, best first, and ``windows[i]`` is ``candidates[i]``
    with the messages around it. ``rare`` maps the event's words to their weights, ``cosine`` is the
    similarity of the event and the best chunk. ``more``: there were more candidates than are given here.
    """

    text: str
    candidates: tuple[Evidence, ...]
    windows: tuple[tuple[Message, ...], ...]
    rare: Mapping[str, float]
    cosine: float
    more: bool = False


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
class ReasoningPath(Displayable):
    """The part of the graph that led from the question to the cited messages."""

    nodes: tuple[PathNode, ...] = ()
    edges: tuple[PathEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A cited message. ``number`` is the ``[n]`` in the answer; ``quote`` the part that states it."""

    number: int
    message: Message
    quote: str

    @property
    def read_in(self) -> str:
        """``transcribed from a voice note`` or ``read in a photo`` if the quote is; else empty."""
        return read_in(self.quote, self.message.heard)

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
    def shown_sender(self) -> str:
        """Who sent the message, as a person reads the name."""
        return self.message.shown_sender

    @property
    def sent_at(self) -> datetime:
        """When it was sent, wall-clock."""
        return self.message.sent_at


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation with a language model."""

    role: Literal["system", "user", "assistant"]
    content: str


Turns = Sequence[Turn]
"""A conversation; the model answers the last turn."""


@dataclass(frozen=True, slots=True)
class Answer(Displayable):
    """An answer with everything that led to it.

    ``confidence`` in [0, 1] is the estimated probability that the answer is right, also of one that is
    ``withheld``. If the reader found no answer it is the probability that the messages state one. For an
    answer that ``abstained``, ``reason`` says why and ``closest`` holds the nearest messages.
    ``timings`` are seconds by step. ``note`` says that a translation of the question was looked
    for too, or that some messages were searched without a complete index, with the command that completes it.
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
    note: str = ""

    @property
    def withheld(self) -> bool:
        """Whether the reader gave an answer that is not shown; ``confidence`` is then of that answer."""
        read = not self.signals.keys().isdisjoint(("mean", "computed"))
        return self.abstained and self.reason in WITHHELD and read

    @property
    def shown(self) -> tuple[Source, ...]:
        """The messages shown with it: those it cites, or else the closest ones."""
        return self.sources or self.closest

    def path_graph(self, file: str | Path) -> Path:
        """Write the reasoning path as one HTML file that opens offline; returns its path."""
        from minirag_chat.show.path_graph import write_path_graph

        return write_path_graph(self.path, file)

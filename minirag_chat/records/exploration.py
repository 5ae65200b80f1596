"""Results of exploring a memory: tables, a timeline, networks, an explanation, a comparison.

Each has a display in notebooks (``minirag_chat.show.rich``). ``frame()`` needs pandas, which is
optional; everything else works without it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from minirag_chat.displayable import Displayable
from minirag_chat.errors import MiniRagChatError
from minirag_chat.records import (
    Answer,
    Entity,
    EntityType,
    Evidence,
    PathEdge,
    PathNode,
    Question,
    ReasoningPath,
    ScoredChunk,
)

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

Row = TypeVar("Row")
Unit = Literal["day", "week", "month"]


@dataclass(frozen=True, slots=True)
class Info(Displayable):
    """What a memory holds, and the model that reads it. ``note`` says which part of the index is missing.

    ``vectors`` says how a question's vector is compared with those of the passages.
    """

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
    note: str = ""
    encrypted: bool = False
    vectors: str = ""


class Table(Displayable, list[Row]):
    """A list of records of one ``kind``, with a conversion to a pandas frame."""

    def __init__(self, kind: type[Row], rows: Iterable[Row] = ()) -> None:
        super().__init__(rows)
        self.kind = kind

    def frame(self) -> pd.DataFrame:
        """One row a record, one column a field; a field ``id`` becomes the index."""
        return _frame(self, [f.name for f in dataclasses.fields(self.kind)])  # type: ignore[arg-type]  # a dataclass


@dataclass(frozen=True, slots=True)
class EntityCount:
    """An entity and how many messages name it."""

    id: int
    name: str
    type: EntityType
    messages: int


@dataclass(frozen=True, slots=True)
class Relation:
    """Two entities that messages name together: in how many messages, and the id of one as ``example``."""

    source: str
    source_type: EntityType
    target: str
    target_type: EntityType
    messages: int
    example: int


@dataclass(frozen=True, slots=True)
class Period:
    """A day, week or month that begins at ``start``, with its numbers of messages and of people who wrote."""

    start: datetime
    messages: int
    people: int


@dataclass(frozen=True, slots=True)
class Timeline(Displayable):
    """Messages over time: every ``unit`` from the first message to the last."""

    unit: Unit
    periods: tuple[Period, ...]

    def frame(self) -> pd.DataFrame:
        """Indexed by ``start``."""
        return _frame(self.periods, ["start", "messages", "people"], index="start")


@dataclass(frozen=True, slots=True)
class TalkNetwork(Displayable):
    """Who answers whom. ``graph`` has an edge from each writer to each person answered, with ``weight``."""

    graph: nx.DiGraph[str]

    def frame(self) -> pd.DataFrame:
        """A matrix: rows are writers, columns the people answered."""
        from_to = {a: {b: self.weight(a, b) for b in self.graph} for a in self.graph}
        return _pandas().DataFrame.from_dict(from_to, orient="index")

    def weight(self, writer: str, answered: str) -> int:
        """How often ``writer`` answered ``answered``."""
        return int(self.graph.get_edge_data(writer, answered, {"weight": 0})["weight"])


@dataclass(frozen=True, slots=True)
class Neighbourhood(Displayable):
    """The entities named together with ``centre``: nodes of ``graph`` have ``name`` and ``type``."""

    centre: Entity
    graph: nx.Graph[int]

    @property
    def path(self) -> ReasoningPath:
        """The same as the nodes and edges of a path graph."""
        order = [self.centre.id, *(node for node in self.graph if node != self.centre.id)]
        nodes = tuple(
            PathNode(str(n), self.graph.nodes[n]["type"], self.graph.nodes[n]["name"])
            for n in order
        )
        edges = tuple(
            PathEdge(str(a), str(b), _together(data["weight"]), data["weight"])
            for a, b, data in self.graph.edges(data=True)
        )
        return ReasoningPath(nodes, edges)

    def frame(self) -> pd.DataFrame:
        """One row an entity, with the messages that name it together with the centre."""
        rows = [
            {
                "name": data["name"],
                "type": data["type"],
                "with_centre": self.graph.get_edge_data(node, self.centre.id, {"weight": 0})[
                    "weight"
                ],
            }
            for node, data in self.graph.nodes(data=True)
            if node != self.centre.id
        ]
        return _pandas().DataFrame(rows, columns=["name", "type", "with_centre"])


def _together(messages: float) -> str:
    return f"together in {messages:,.0f} message{'' if messages == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class WalkedPath:
    """A reasoning path of the graph: the names along it and its ω_p (Eq. 3)."""

    names: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A ranked chunk with its text."""

    ranked: ScoredChunk
    text: str


@dataclass(frozen=True, slots=True)
class Explanation(Displayable):
    """Every step of one question: its mapping, paths, chunks, evidence and, if read, the answer."""

    question: Question
    method: str
    paths: tuple[WalkedPath, ...]
    chunks: tuple[RankedChunk, ...]
    evidence: tuple[Evidence, ...]
    seconds: Mapping[str, float] = field(default_factory=dict)
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class Comparison(Displayable):
    """The results of several retrieval methods for one question, best first."""

    question: str
    found: Mapping[str, tuple[Evidence, ...]]

    def frame(self) -> pd.DataFrame:
        """One row a message; a column for each method with the message's rank, from 1."""
        ranks: dict[int, dict[str, Any]] = {}
        for method, evidence in self.found.items():
            for rank, item in enumerate(evidence, start=1):
                row = ranks.setdefault(item.message.id, {"text": item.message.text})
                row[method] = rank
        frame = _pandas().DataFrame.from_dict(ranks, orient="index", columns=["text", *self.found])
        return frame.rename_axis("id")


def _frame(rows: Iterable[object], columns: list[str], index: str = "id") -> pd.DataFrame:
    values = [[getattr(row, column) for column in columns] for row in rows]
    frame = _pandas().DataFrame(values, columns=columns)
    return frame.set_index(index) if index in columns else frame


def _pandas() -> Any:
    try:
        import pandas as pd
    except ModuleNotFoundError as error:
        raise MiniRagChatError("Frames need pandas: `pip install pandas`.") from error
    return pd

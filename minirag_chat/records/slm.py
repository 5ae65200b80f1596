"""What a language model read in a piece of a chat (paper 3.1), and what reading all would take."""

from __future__ import annotations

from dataclasses import dataclass

from minirag_chat.records.stored import EntityType


@dataclass(frozen=True, slots=True)
class ReadEntity:
    """An entity as one chunk names it; ``about`` is d_eβ, what the chunk says of it."""

    name: str
    type: EntityType
    about: str


@dataclass(frozen=True, slots=True)
class ReadRelation:
    """Two entities that a chunk relates. ``strength`` is from 1 to 10."""

    source: str
    target: str
    about: str
    keywords: tuple[str, ...]
    strength: int


@dataclass(frozen=True, slots=True)
class ChunkReading:
    """What a model wrote about one chunk. ``dropped`` counts lines that do not fit the format.

    ``cut`` says that the text ended inside a line, which is left out: the budget was used up.
    """

    entities: tuple[ReadEntity, ...]
    relations: tuple[ReadRelation, ...]
    dropped: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class SlmCost:
    """What reading with a model would take. ``seconds_each`` is None before the first chunk.

    ``chunks`` are all there are, ``left`` those that this model has not read yet.
    """

    model: str
    chunks: int
    left: int
    seconds_each: float | None

    @property
    def seconds(self) -> float | None:
        """The time for what is left; None before the first chunk."""
        return None if self.seconds_each is None else self.seconds_each * self.left


@dataclass(frozen=True, slots=True)
class SlmRun:
    """What one run of reading did. ``failures`` are chunks whose text could not be read at all."""

    model: str
    read: int
    cached: int
    left: int
    seconds: float
    failures: int = 0
    dropped_lines: int = 0
    stopped: bool = False

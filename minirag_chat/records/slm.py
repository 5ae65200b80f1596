"""Entities and relations that a language model extracted from chunks (paper 3.1), and the cost of it."""

from __future__ import annotations

from dataclasses import dataclass

from minirag_chat.records.stored import EntityType


@dataclass(frozen=True, slots=True)
class ExtractedEntity:
    """An entity that a chunk names; ``about`` is its description d_eβ."""

    name: str
    type: EntityType
    about: str


@dataclass(frozen=True, slots=True)
class ExtractedRelation:
    """Two entities that a chunk relates. ``strength`` is from 1 to 10."""

    source: str
    target: str
    about: str
    keywords: tuple[str, ...]
    strength: int


@dataclass(frozen=True, slots=True)
class ChunkExtraction:
    """The parsed output of the model for one chunk.

    ``dropped`` counts lines in a wrong format, without a last one that was cut off.
    """

    entities: tuple[ExtractedEntity, ...]
    relations: tuple[ExtractedRelation, ...]
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class SlmCost:
    """The cost of extraction with a model. ``seconds_each`` is None before the first chunk.

    ``chunks`` counts all chunks, ``left`` those that this model has not read yet.
    """

    model: str
    chunks: int
    left: int
    seconds_each: float | None

    @property
    def seconds(self) -> float | None:
        """The estimated time for the chunks left; None before the first chunk."""
        return None if self.seconds_each is None else self.seconds_each * self.left


@dataclass(frozen=True, slots=True)
class SlmRun:
    """The result of one run of extraction. ``failures`` counts chunks whose output could not be parsed."""

    model: str
    read: int
    cached: int
    left: int
    seconds: float
    failures: int = 0
    dropped_lines: int = 0
    stopped: bool = False

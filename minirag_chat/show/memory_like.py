"""What the page needs of a memory: ``minirag_chat.engine.ChatMemory`` has it, and so do fakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from minirag_chat.records import Answer


@dataclass(frozen=True, slots=True)
class Info:
    """What is loaded, and the model in use said aloud with the reason it was chosen."""

    messages: int
    chats: int
    people: int
    first: datetime | None
    last: datetime | None
    model: str
    model_reason: str


class InfoLike(Protocol):
    """The fields of ``Info``, however the memory spells the class."""

    @property
    def messages(self) -> int:
        """How many messages are stored."""

    @property
    def chats(self) -> int:
        """How many chats they are in."""

    @property
    def people(self) -> int:
        """How many people wrote them."""

    @property
    def first(self) -> datetime | None:
        """When the first one was sent, wall-clock."""

    @property
    def last(self) -> datetime | None:
        """When the last one was sent."""

    @property
    def model(self) -> str:
        """The model in use, as a person would say it."""

    @property
    def model_reason(self) -> str:
        """Why this one."""


class MemoryLike(Protocol):
    """A memory that can be asked. Called from several threads."""

    def info(self) -> InfoLike:
        """What is loaded."""

    def stream(
        self,
        question: str,
        *,
        history: Sequence[tuple[str, str]] = (),
        cancelled: Callable[[], bool],
    ) -> Iterator[str | Answer]:
        """Yield pieces of text and, last, the ``Answer``, whose text replaces them.

        ``history`` holds earlier (question, answer) pairs. Where ``cancelled`` turns true, the
        stream ends soon, with an ``Answer`` whose ``stopped`` is true.
        """

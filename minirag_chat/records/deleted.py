"""What is to be deleted, what was deleted, and the proof that nothing of it is left."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from minirag_chat.records.stored import Chat

DeletionKind = Literal["message", "time", "person", "chat", "everything", "name"]


@dataclass(frozen=True, slots=True)
class Looked:
    """A place where the proof looked for deleted text, with how many files and bytes are there."""

    path: Path
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Leak:
    """Deleted text that was found. ``form`` says how it is written there."""

    path: Path
    form: str
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """Where deleted text was looked for, and what was found.

    ``texts`` and ``words`` count what was looked for: pieces of messages, and words that no other
    message has. ``known`` counts those that other messages have too, which prove nothing.
    """

    looked: tuple[Looked, ...]
    leaks: tuple[Leak, ...]
    texts: int
    words: int
    known: int

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.leaks


@dataclass(frozen=True, slots=True)
class Deletion:
    """Messages that would be deleted, or were.

    ``number`` names it in the trash; 0 where it is not in it. ``chats`` are the titles of all chats
    that it concerns, ``whole`` the chats of which nothing is left.
    """

    kind: DeletionKind
    what: str
    messages: int
    first: datetime | None
    last: datetime | None
    chats: tuple[str, ...]
    whole: tuple[Chat, ...] = ()
    number: int = 0
    deleted_at: datetime | None = None
    proof: Proof | None = None

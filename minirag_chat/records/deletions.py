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
    """A file or folder that was searched for deleted text, and its size."""

    path: Path
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Leak:
    """Deleted text that was found. ``form`` says in which encoding or form."""

    path: Path
    form: str
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """Where deleted text was searched for, and what was found.

    ``texts`` and ``words`` count what was searched for: pieces of messages, and words that no other
    message contains. ``known`` counts the words that other messages contain too; they prove nothing.
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

    ``number`` identifies the deletion in the trash; 0 if it is not there. ``chats`` are the titles of all
    chats with such messages, ``whole`` the chats that are deleted completely. ``makes_final``: how many
    earlier deletions can then no longer be undone, in a preview. ``named_in`` are the titles of chats that
    stay and have the name of a person whose messages are deleted.
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
    makes_final: int = 0
    named_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EmptiedTrash:
    """How many deletions were wiped from the trash; ``proof`` is there where it was asked for."""

    wiped: int
    proof: Proof | None = None

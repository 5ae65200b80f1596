"""Records of the store: messages, chats, people, entities and their mentions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from minirag_chat.names import split_joined

ChatKind = Literal["direct", "group"]
MessageKind = Literal["text", "media"]
EntityType = Literal[
    "person", "chat", "place", "organisation", "title", "time", "amount", "link", "topic"
]

# Times are clamped to this range, so that date arithmetic cannot overflow.
EARLIEST, LATEST = datetime(1900, 1, 1), datetime(2099, 12, 31, 23, 59, 59)


def clamped(when: datetime) -> datetime:
    """Clamp a time to ``EARLIEST`` … ``LATEST``: a database may hold others."""
    return when if EARLIEST <= when <= LATEST else min(max(when, EARLIEST), LATEST)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file sent with a message: its name, if the export has it, and its kind."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction to a message, and its sender if the export says so."""

    emoji: str
    sender: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A stored message. ``sender`` is the resolved person's name.

    ``heard`` is the part of ``text`` that was read in its voice notes and photos. ``joined_name``: the
    export writes names without spaces. ``date_order`` is how 3/4/2026 in its text is read, if it is known.
    """

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
    heard: str = ""
    joined_name: bool = False
    date_order: Literal["dmy", "mdy"] | None = None

    @property
    def shown_sender(self) -> str:
        """The sender's name as a person reads it: Wolfgang Schulz for ``WolfgangSchulz``."""
        return split_joined(self.sender) if self.joined_name else self.sender

    @property
    def wordless(self) -> bool:
        """Whether this is only a file, in which nothing was read: its text is a placeholder."""
        return self.kind == "media" and not self.heard

    @property
    def says_nothing(self) -> bool:
        """Whether this was deleted by its sender, or has no letter and no digit: "\U0001f384\U0001f62d"."""
        return self.deleted or not any(map(str.isalnum, self.text))

    @property
    def passed_on(self) -> str:
        """``forwarded from Ann`` for a forwarded message; else empty."""
        return f"forwarded from {self.forwarded_from}" if self.forwarded_from else ""


@dataclass(frozen=True, slots=True)
class Chat:
    """A stored chat with its participants, number of messages and period."""

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
    """A person with every spelling of the name that was resolved to them.

    ``joined_name``: the export writes the name without spaces.
    """

    id: int
    name: str
    spellings: tuple[str, ...]
    messages: int
    joined_name: bool = False

    @property
    def shown_name(self) -> str:
        """The name as a person reads it."""
        return split_joined(self.name) if self.joined_name else self.name


@dataclass(frozen=True, slots=True)
class CalledOwner:
    """A person of whom nothing is known but that exports of these platforms call their owner so: "Me"."""

    person: int
    name: str
    platforms: tuple[str, ...]


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
    joined_name: bool = False

    @property
    def shown_name(self) -> str:
        """The name as a person reads it."""
        return split_joined(self.name) if self.joined_name else self.name

"""What importers return, and the report of an import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from minirag_chat.displayable import Displayable
from minirag_chat.records.media import MediaFile
from minirag_chat.records.stored import Attachment, ChatKind, MessageKind, Reaction

MADE_UP = "~"  # prefix of an id that is not from the export and need not be unique


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """One message as an importer read it, before people and chats are resolved.

    ``session`` is set by formats that mark where a conversation begins and ends; otherwise it is None and
    pauses end a session. ``reply_to`` is the ``source_id`` of the parent, with the prefix ``MADE_UP`` if the
    importer invented it. ``edited_at`` is the time of the last edit in seconds since 1970, 0 if unknown. Of a
    ``deleted`` message the export only says that there was one. ``files`` are the attachments that are part
    of the export and can be read.
    """

    sent_at: datetime
    sender: str
    text: str
    kind: MessageKind = "text"
    source_id: str | None = None
    reply_to: str | None = None
    session: str | None = None
    edited: bool = False
    edited_at: int = 0
    forwarded_from: str | None = None
    deleted: bool = False
    attachments: tuple[Attachment, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    files: tuple[MediaFile, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ParsedChat:
    """A chat of one export, or a piece of it: its messages in the order of the file.

    ``key`` is the export's id of the chat within ``platform``; ``title`` is its name. Both may be None: the
    chat is then recognised by its participants. Pieces of one file with the same ``part`` are one chat;
    the key, title and kind of the last piece count. ``folder`` is the chat's own, in an export with one
    for each chat: chats of two such folders beside each other are two, whatever their titles.
    """

    platform: str
    messages: tuple[ParsedMessage, ...]
    key: str | None = None
    title: str | None = None
    kind: ChatKind | None = None
    part: int = 0
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, or a line of it, that was not imported, and why. ``line`` counts from 1."""

    source: str
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided for a whole file.

    ``what`` is ``date order``, ``encoding`` or ``time zone``; ``certain`` says that the file allows
    no other choice; ``messages`` counts those that another choice would change; ``option`` is the
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
    """The contents of one file: its chats, and counts of everything else in it.

    ``owner`` is the name of the person who made the export, if the file says so; ``calls_owner`` are
    words such as "Me" that it has instead. ``date_order`` is the order of day, month and year that its dates
    prove, or that the user gave; empty if neither.
    """

    format: str
    chats: tuple[ParsedChat, ...]
    system_lines: int = 0
    media: int = 0
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    owner: str = ""
    date_order: str = ""
    calls_owner: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ImportReport(Displayable):
    """The result of an import, with everything that was read or skipped.

    ``messages_read`` counts the messages in the files, ``messages_added`` those that were new,
    ``messages_updated`` those known before that were edited or deleted since.
    ``sessions`` counts the conversations read. ``notes`` are decisions a person may want to know
    (date order, time zone, chats recognised by their participants), ``decisions`` the same as
    data. ``time_zone`` is the zone assumed for times without one.
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
    messages_updated: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a long job. ``total`` is None while unknown; ``note`` says who else is waiting."""

    step: str
    done: int
    total: int | None = None
    note: str = ""

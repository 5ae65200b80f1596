"""What importers give, and the account of an import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from minirag_chat.records.media import MediaFile
from minirag_chat.records.stored import Attachment, ChatKind, MessageKind, Reaction
from minirag_chat.shown import Shown

MADE_UP = "~"  # begins an id that the export does not give: two messages may have the same


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """One message as an importer read it, before people and chats are resolved.

    ``session`` is set by formats that mark where a conversation begins and ends; elsewhere it is
    None and sessions are found by pauses. ``reply_to`` is the ``source_id`` of the parent, which
    begins with ``MADE_UP`` where the importer made it up. ``edited_at`` are the seconds since 1970 of the
    last edit, 0 where the export does not say. A ``deleted`` message
    has no text left but is known to have been there. ``files`` are those of its attachments that lie in
    the export and can be read.
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
    """What an importer made of one file: chats, and an account of everything else in it.

    ``owner`` is the name under which whoever exported it writes, where the file says so.
    """

    format: str
    chats: tuple[ParsedChat, ...]
    system_lines: int = 0
    media: int = 0
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    owner: str = ""


@dataclass(frozen=True, slots=True)
class ImportReport(Shown):
    """What an import did. Everything read is accounted for.

    ``messages_read`` counts the messages in the files, ``messages_added`` those that were new,
    ``messages_updated`` those that were there as they were before they were edited or deleted.
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
    messages_updated: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long job is. ``total`` is None while it is not known; ``note`` says who shares it."""

    step: str
    done: int
    total: int | None = None
    note: str = ""

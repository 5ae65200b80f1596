"""Reads Google Chat from Takeout: ``messages.json`` with dates in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import (
    Importer,
    Sample,
    as_text,
    clean_name,
    json_mismatch,
    object_at,
    objects,
)
from minirag_chat.importers.beside import parts_beside
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.kinds import chat_kind, file_kind
from minirag_chat.importers.limits import cell
from minirag_chat.importers.moments import MomentReader
from minirag_chat.importers.one_object import one_chat
from minirag_chat.importers.quotes import Quotes
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

_MESSAGES = lazy(r'"messages"\s*:\s*\[')
_FIELDS = lazy(r'"created_date"\s*:')
_NAMES_IN_TITLE = 3


class GoogleChat(Importer):
    """The importer for Google Chat's Takeout."""

    name = "google-chat"
    title = "Google Chat (Takeout)"
    files = "messages.json with group_info.json in one folder per chat, or the Takeout zip"
    how = "takeout.google.com: deselect all, select Google Chat, create the export."
    companions = ("group_info.json", "user_info.json", "archive_browser.html")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with messages that have a ``created_date``."""
        missing = "it has no `messages` with a `created_date`"
        return json_mismatch(sample, "{", (_MESSAGES, _FIELDS), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        reader = _Reader(context)
        return one_chat(context, reader.message, lambda _: reader.describe())


class _Reader:
    """Reads messages, and keeps the date parser of the export's language."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._times = MomentReader((), context)
        self._quotes = Quotes()
        self._info = dict(parts_beside(context.file.near("group_info.json"), context.options))
        self._members = [
            (_name(one), as_text(one.get("email"))) for one in objects(self._info.get("members"))
        ]
        self._names = {email: name for name, email in self._members if email}
        self._wrote: set[str] = set()
        context.owner = _owner(context)

    def describe(self) -> ParsedChat:
        """Return the chat without its messages."""
        folder = self._context.file.holder
        kind: ChatKind | None = None
        if folder.startswith(("DM ", "Space ")):
            kind = chat_kind(len(self._members)) if folder.startswith("DM ") else "group"
        named = as_text(self._info.get("name"))
        title = (named if named != "Group Chat" else "") or self._with_silent_members()
        return self._context.chat(
            GoogleChat.name, key=folder if kind else None, title=title, kind=kind
        )

    def _with_silent_members(self) -> str:
        """The names of the members other than the owner, if one of them never wrote; else empty."""
        others = [name for name, _ in self._members if name != self._context.owner]
        if not self._context.owner or self._wrote.issuperset(others):
            return ""
        more = len(others) - _NAMES_IN_TITLE
        return ", ".join(others[:_NAMES_IN_TITLE]) + (f" and {more} more" if more > 0 else "")

    def message(self, place: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        """The message of an object; None if a required field is missing."""
        creator = object_at(raw, "creator")
        deleted = raw.get("message_state") == "DELETED"
        identity = as_text(raw.get("message_id")) or None
        text, files = as_text(raw.get("text")), list(_attachments(raw))
        if not (text or files or deleted) and raw.get("annotations"):  # a call, a new member
            self._context.system_lines += 1
            return None
        sender = self._names.get(as_text(creator.get("email"))) or _name(creator)
        self._wrote.add(sender)
        quoted = object_at(raw, "quoted_message_metadata")
        parent = as_text(quoted.get("message_id")) or self._quotes.find(as_text(quoted.get("text")))
        if identity:
            self._quotes.remember(text, identity)
        return self._context.message(
            place,
            self._times.read(cell(raw.get("created_date"))),
            sender,
            text,
            files,
            deleted=deleted,
            source_id=identity,
            reply_to=parent or None,
            edited=bool(raw.get("previous_message_versions")),
            reactions=tuple(self._reactions(raw.get("reactions"))),
        )

    def _reactions(self, value: object) -> Iterator[Reaction]:
        for item in objects(value):
            match item:
                case {"emoji": {"unicode": emoji}, "reactor_emails": list(people)}:
                    for person in map(as_text, people):
                        yield Reaction(as_text(emoji), self._names.get(person, person))
                case {"emoji": {"unicode": emoji}}:
                    yield Reaction(as_text(emoji))


def _owner(context: ImportContext) -> str:
    """Return the name of the person who made the export, from ``user_info.json``; empty if it is missing."""

    def read() -> str:
        about = context.file.near_match("../../Users/*/user_info.json")
        return _name(dict(parts_beside(about, context.options)).get("user"))

    return context.file.folder.once(GoogleChat.name, read)


def _name(person: object) -> str:
    found = person if isinstance(person, dict) else {}
    return clean_name(as_text(found.get("name")) or as_text(found.get("email")))


def _attachments(raw: Mapping[str, Any]) -> Iterator[Attachment]:
    for item in objects(raw.get("attached_files")):
        name = as_text(item.get("original_name") or item.get("export_name"))
        yield Attachment(name, file_kind(name))
    for item in objects(raw.get("annotations")):
        if "drive_metadata" in item:
            yield Attachment(as_text(object_at(item, "drive_metadata").get("title")), "file")

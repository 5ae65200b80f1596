"""Reads Messenger's download of end-to-end encrypted chats: flat files, proper UTF-8."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, json_mismatch, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.one_object import kind_by, one_chat
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_FIELDS = lazy(r'"senderName"\s*:|"threadName"\s*:')
_MESSAGES = lazy(r'"messages"\s*:\s*\[')
_NUMBER = lazy(r"_\d+$")


class MessengerE2ee(Importer):
    """The importer for the shape of end-to-end encrypted chats."""

    name = "messenger-e2ee"
    title = "Messenger (end-to-end encrypted)"
    files = "Name_1.json, one per chat, or the zip messages.zip"
    how = (
        "Messenger on the web: Settings, Privacy and safety, End-to-end encrypted chats, Message "
        "storage, Download secure storage data."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with messages that have ``senderName``."""
        missing = "it has no `messages` with `senderName`"
        return json_mismatch(sample, "{", (_MESSAGES, _FIELDS), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        return one_chat(
            context,
            lambda place, raw: _message(place, raw, context),
            lambda facts: _describe(facts, context),
        )


def _describe(facts: Mapping[str, Any], context: ImportContext) -> ParsedChat:
    thread = as_text(facts.get("threadName"))
    return context.chat(
        "messenger",
        key=thread,
        title=_NUMBER.sub("", thread),
        kind=kind_by(facts.get("participants")),
    )


def _message(place: str, raw: Mapping[str, Any], context: ImportContext) -> ParsedMessage | None:
    unsent = raw.get("isUnsent") is True
    if raw.get("type") == "placeholder" and not unsent:
        context.system_lines += 1
        return None
    return context.message(
        place,
        context.since_1970(raw.get("timestamp"), milliseconds=True),
        raw.get("senderName"),
        raw.get("text"),
        _media(raw.get("media")),
        deleted=unsent,
        reactions=tuple(_reactions(raw.get("reactions"))),
    )


def _media(value: object) -> Iterator[Attachment]:
    for item in objects(value):
        yield Attachment(basename(as_text(item.get("uri"))), "media")


def _reactions(value: object) -> Iterator[Reaction]:
    for item in objects(value):
        yield Reaction(as_text(item.get("reaction")), as_text(item.get("actor")))

"""Reads Snapchat's "My Data": ``json/chat_history.json`` with the saved messages of all chats.

Written from descriptions of the format, and not tested on a real export.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import (
    OWNER,
    Importer,
    Sample,
    as_text,
    json_mismatch,
    object_at,
    objects,
)
from minirag_chat.importers.beside import parts_beside
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import quoted_place
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage

_FIELDS = [lazy(rf'"{key}"\s*:') for key in ("Media Type", "Created")]
_OLD = {
    f"{way} {kept}Chat History": other
    for way, other in (("Received", "From"), ("Sent", "To"))
    for kept in ("", "Saved ", "Unsaved ")
}
"""The lists of exports until 2023, and the field of their messages that names the other person."""
_KINDS = {"MEDIA": "photo or video", "STICKER": "sticker", "NOTE": "voice message", "SHARE": "shared item",
          "LOCATION": "location", "IMAGE": "photo", "VIDEO": "video"}  # fmt: skip
_STATUS = "STATUS"


class Snapchat(Importer):
    """The importer for Snapchat's data download."""

    name = "snapchat"
    title = "Snapchat (My Data)"
    files = "json/chat_history.json, or the zip"
    how = "accounts.snapchat.com, My Data: choose Chat History and JSON files, submit the request."
    companions = ("account.json", "friends.json", "snap_history.json", "user_profile.json")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with lists of messages that have a ``Media Type``."""
        missing = "it has no messages with `Media Type` and `Created`"
        return json_mismatch(sample, "{", _FIELDS, missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each chat, in pieces."""
        reader = _Reader(context)
        return in_pieces(reader.messages(), reader.describe)


class _Reader:
    """Reads the messages, with the names of friends and of the owner."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._titles: dict[str, str] = {}
        beside = parts_beside(context.file.near("account.json"), context.options)
        owner = object_at({str(key): value for key, value in beside}, "Basic Information")
        self._owner = as_text(owner.get("Name") or owner.get("Username")) or OWNER
        self._names = {as_text(owner.get("Username")): self._owner}
        for _, friends in parts_beside(context.file.near("friends.json"), context.options):
            for friend in objects(friends):
                name = as_text(friend.get("Display Name"))
                if name:
                    self._names.setdefault(as_text(friend.get("Username")), name)
        context.owner = self._owner

    def messages(self) -> Iterator[tuple[str, ParsedMessage | None]]:
        """Yield the messages with the keys of their chats."""
        for path, value in self._context.values(lambda path: len(path) < 2):  # noqa: PLR2004 - a list of messages
            if len(path) != 2:  # noqa: PLR2004 - a message of a list
                what = (
                    f"{quoted_place(path)} is not a list"
                    if path
                    else "the file is not a JSON object"
                )
                self._context.skip(what)
                continue
            where = f"message {path[1]} of {quoted_place(path[:1])}"
            if isinstance(value, dict):
                yield self._message(where, str(path[0]), value)
            else:
                self._context.skip(f"{where} is not an object")

    def describe(self, key: str) -> ParsedChat:
        """Return a chat without its messages."""
        title = self._titles.get(key, "")
        kind: ChatKind = "group" if title else "direct"
        title = title or self._names.get(key, key)
        return self._context.chat(Snapchat.name, key=key, title=title, kind=kind)

    def _message(
        self, where: str, key: str, raw: Mapping[str, Any]
    ) -> tuple[str, ParsedMessage | None]:
        other = _OLD.get(key)
        chat = as_text(raw.get(other)) if other else key
        self._titles[chat] = as_text(raw.get("Conversation Title")) or self._titles.get(chat, "")
        own = other == "To" or raw.get("IsSender") is True
        kind = as_text(raw.get("Media Type")).upper()
        if kind.startswith(_STATUS):
            self._context.system_lines += 1
            return chat, None
        sender = as_text(raw.get("From"))
        text = as_text(raw.get("Content") or raw.get("Text"))
        files = [Attachment("", _KINDS[kind])] if kind in _KINDS else []
        message = self._context.message(
            where,
            self._context.iso(as_text(raw.get("Created")).replace(" UTC", "+00:00")),
            self._owner if own else self._names.get(sender, sender),
            text,
            files,
        )
        return chat, message

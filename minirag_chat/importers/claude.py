"""Reads Claude's data export: conversations with their messages in ``chat_messages``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import (
    OWNER,
    Importer,
    Sample,
    as_text,
    clean_name,
    json_mismatch,
    object_at,
    objects,
)
from minirag_chat.importers.beside import objects_beside
from minirag_chat.importers.branches import Branches, Conversations, Keys, Raw, Said
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.limits import cell
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat

_MESSAGES = lazy(r'"chat_messages"\s*:\s*\[')
_KEYS = Keys(
    "chat_messages", ("uuid",), "name", "current_leaf_message_uuid", "created_at", ("account",)
)
_PHOTO = lazy(r"\.(?:jpe?g|png|gif|webp|heic)$", re.IGNORECASE)


class Claude(Importer):
    """The importer for ``conversations.json``."""

    name = "claude"
    title = "Claude export"
    files = "the zip, or conversations.json in it"
    how = "Claude: Settings, Privacy, Export data; the link to the zip comes by e-mail."
    companions = ("users.json", "projects.json", "memories.json")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for conversations with ``chat_messages``."""
        missing = "it has no conversations with `chat_messages`"
        return json_mismatch(sample, "{[", (_MESSAGES,), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each conversation, in pieces."""
        return Conversations(self.name, _KEYS, _Taker(context).take, context).chats()


class _Taker:
    """Takes the messages of one file, with the names of the people in it."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._names = _names(context)
        self._last = ""

    def take(self, raw: Raw, branches: Branches) -> None:
        """Add a message to its conversation."""
        identity = as_text(raw.value.get("uuid")) or raw.place
        # Older exports have no parents: then all messages are one branch.
        parent = as_text(raw.value.get("parent_message_uuid", self._last))
        branches.add(identity, parent, self._said(raw))
        self._last = identity

    def _said(self, raw: Raw) -> Said | None:
        """Return the text of a message; None if it only calls tools."""
        owner = self._owner(as_text(object_at(raw.facts, "account").get("uuid")))
        senders = {"human": owner, "assistant": "Claude"}
        sender = senders.get(as_text(raw.value.get("sender")))
        text, files = _text(raw.value), tuple(_files(raw.value))
        if sender is None or not (text.strip() or files):
            return None
        sent_at = self._context.iso(raw.value.get("created_at"))
        return Said(raw.place, sender, text, sent_at, files)

    def _owner(self, uuid: str) -> str:
        self._context.owner = self._names.get(uuid) or self._names.get("") or OWNER
        return self._context.owner


def _names(context: ImportContext) -> Mapping[str, str]:
    """Return the names in ``users.json`` by id; a single user's name also under no id."""
    found = {
        as_text(user.get("uuid")): clean_name(as_text(user.get("full_name")))
        for user in objects_beside(context.file.near("users.json"), context.options)
    }
    return found | {"": next(iter(found.values()))} if len(found) == 1 else found


def _text(raw: Mapping[str, Any]) -> str:
    """Return the text of a message: its text blocks, or the plain field of older exports."""
    blocks = objects(raw.get("content"))
    texts = [as_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    return "\n\n".join(filter(None, texts)) if blocks else as_text(raw.get("text"))


def _files(raw: Mapping[str, Any]) -> Iterator[Attachment]:
    """Yield the files of a message; a long text that was pasted is one without a name."""
    seen = set()
    for key in ("attachments", "files", "files_v2"):
        for item in objects(raw.get(key)):
            name = as_text(item.get("file_name"))
            if name and name in seen:
                continue
            seen.add(name)
            is_photo = _PHOTO.search(name[-10:]) or cell(item.get("file_kind")) == "image"
            yield Attachment(name, "photo" if is_photo else "file" if name else "pasted text")

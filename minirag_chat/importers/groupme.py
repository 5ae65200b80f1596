"""Reads GroupMe's data export: a folder for each group or direct chat, with ``message.json``.

Written from descriptions of the format, and not tested on a real export.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, json_mismatch, objects
from minirag_chat.importers.beside import parts_beside
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.one_object import listed
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

_FIELDS = [lazy(rf'"{key}"\s*:') for key in ("sender_type", "source_guid", "created_at")]
_KINDS = {"image": "photo", "linked_image": "photo", "video": "video", "file": "file",
          "location": "location", "emoji": "sticker", "poll": "poll", "event": "event"}  # fmt: skip
_HEART = "❤️"


class GroupMe(Importer):
    """The importer for GroupMe's export."""

    name = "groupme"
    title = "GroupMe"
    files = "message.json with conversation.json in one folder per chat, or the zip"
    how = "web.groupme.com/profile/export: create an export, download the zip when it is ready."
    companions = ("conversation.json",)

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a list of messages with GroupMe's fields."""
        missing = "it has no messages with `sender_type` and `source_guid`"
        return json_mismatch(sample, "[", _FIELDS, missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        about = dict(parts_beside(context.file.near("conversation.json"), context.options))
        names = {
            as_text(person.get("user_id")): as_text(person.get("nickname") or person.get("name"))
            for person in objects(about.get("members"))
        }
        chat = _describe(about, context)
        return one_chat_in_pieces(_messages(context, names), lambda: chat)


def _describe(about: Mapping[Any, Any], context: ImportContext) -> ParsedChat:
    kind: ChatKind | None = "group" if "members" in about else None
    key = as_text(about.get("id") or about.get("group_id")) or context.file.folder_name
    return context.chat(GroupMe.name, key=key, title=as_text(about.get("name")), kind=kind)


def _messages(context: ImportContext, names: dict[str, str]) -> Iterator[ParsedMessage | None]:
    for where, raw in listed(context):
        if raw.get("system") is True or raw.get("sender_type") == "system":
            context.system_lines += 1
        else:
            yield _message(where, raw, context, names)


def _message(
    where: str, raw: Mapping[str, Any], context: ImportContext, names: dict[str, str]
) -> ParsedMessage | None:
    parts = objects(raw.get("attachments"))
    identity = as_text(raw.get("sender_id") or raw.get("user_id"))
    replies = (as_text(part.get("reply_id")) for part in parts if part.get("type") == "reply")
    likes = raw.get("favorited_by")
    edited_at = context.edited_at(raw.get("updated_at"))
    edited = edited_at > context.edited_at(raw.get("created_at"))
    return context.message(
        where,
        context.since_1970(raw.get("created_at")),
        as_text(raw.get("name")) or names.get(identity) or identity,
        raw.get("text"),
        () if "deleted_at" in raw else _files(parts),
        deleted="deleted_at" in raw,
        source_id=as_text(raw.get("id")) or None,
        reply_to=next(filter(None, replies), None),
        edited=edited,
        edited_at=edited_at if edited else 0,
        reactions=tuple(
            Reaction(_HEART, names.get(as_text(who), ""))
            for who in (likes if isinstance(likes, list) else ())
        ),
    )


def _files(parts: list[dict[str, Any]]) -> Iterator[Attachment]:
    for part in parts:
        kind = _KINDS.get(as_text(part.get("type")))
        if kind is not None:
            yield Attachment(as_text(part.get("name")), kind)

"""Reads the JSON of DiscordChatExporter: one channel or direct chat a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from minirag_chat.importers.base import Sample, as_text
from minirag_chat.importers.one_object import one_chat
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from minirag_chat.importers.context import ImportContext

_GUILD, _CHANNEL, _AUTHOR = (
    re.compile(rf'"{key}"\s*:\s*\{{') for key in ("guild", "channel", "author")
)
# Everything else is Discord's own: someone joined, a pin, a call.
_SAID = ("Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand",
         "0", "19", "20", "21", "23", "")  # fmt: skip


class Discord:
    """The importer for DiscordChatExporter's JSON."""

    name = "discord"
    title = "Discord (DiscordChatExporter JSON)"
    files = "Server - channel [id].json"
    how = "DiscordChatExporter, a free program: choose the channels, format JSON."
    companions = ()

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with a guild and a channel."""
        if not sample.text.lstrip().startswith("{"):
            return "it is not a JSON object"
        channel = _CHANNEL.search(sample.text)
        guild = _GUILD.search(sample.text)
        if channel is None or not (guild or _AUTHOR.search(sample.text, channel.end())):
            return "it has no `guild` and `channel`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        return one_chat(
            context,
            lambda place, raw: _message(place, raw, context),
            lambda facts: _describe(facts, context),
        )


def _describe(facts: Mapping[str, Any], context: ImportContext) -> ParsedChat:
    channel = facts.get("channel")
    channel = channel if isinstance(channel, dict) else {}
    kind: ChatKind = (
        "direct" if as_text(channel.get("type")) in ("DirectTextChat", "1") else "group"
    )
    return ParsedChat(
        Discord.name,
        (),
        key=as_text(channel.get("id")) or None,
        title=context.options.chat_title or as_text(channel.get("name")) or None,
        kind=kind,
    )


def _message(place: str, raw: Mapping[str, Any], context: ImportContext) -> ParsedMessage | None:
    if as_text(raw.get("type")) not in _SAID:
        context.system_lines += 1
        return None
    author = raw.get("author")
    author = author if isinstance(author, dict) else {}
    reference = raw.get("reference")
    parent = reference.get("messageId") if isinstance(reference, dict) else None
    forwarded = raw.get("forwardedMessage")
    content = as_text(raw.get("content"))
    if isinstance(forwarded, dict) and not content:
        content = as_text(forwarded.get("content"))
    return context.message(
        place,
        context.iso(raw.get("timestamp")),
        author.get("nickname") or author.get("name"),
        content or _embeds(raw.get("embeds")),
        _attachments(raw),
        source_id=as_text(raw.get("id")) or None,
        reply_to=as_text(parent) or None,
        edited=bool(raw.get("timestampEdited")),
        edited_at=context.edited_at(raw.get("timestampEdited")),
        forwarded_from="another chat" if isinstance(forwarded, dict) else None,
        reactions=tuple(_reactions(raw.get("reactions"))),
    )


def _embeds(value: object) -> str:
    """Return what a message that is only an embed shows."""
    parts = [
        as_text(embed.get(field))
        for embed in (value if isinstance(value, list) else [])
        if isinstance(embed, dict)
        for field in ("title", "description", "url")
    ]
    return "\n".join(part for part in parts if part)


def _attachments(raw: Mapping[str, Any]) -> Iterator[Attachment]:
    for field, kind in (("attachments", "file"), ("stickers", "sticker")):
        found = raw.get(field)
        for item in found if isinstance(found, list) else []:
            if isinstance(item, dict):
                yield Attachment(as_text(item.get("fileName") or item.get("name")), kind)


def _reactions(value: object) -> Iterator[Reaction]:
    for item in value if isinstance(value, list) else []:
        if not isinstance(item, dict):
            continue
        emoji = item.get("emoji")
        name = as_text(emoji.get("name")) if isinstance(emoji, dict) else as_text(emoji)
        users = item.get("users")
        people = [u for u in users if isinstance(u, dict)] if isinstance(users, list) else []
        for user in people:
            yield Reaction(name, as_text(user.get("nickname") or user.get("name")))
        if not people:
            yield Reaction(name)

"""Reads Discord's JSON, one chat per file: from DiscordChatExporter, or in Discord's own data package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, object_at, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.discord_package import is_package, package_chats
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.one_object import one_chat
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_GUILD, _CHANNEL, _AUTHOR = (lazy(rf'"{key}"\s*:\s*\{{') for key in ("guild", "channel", "author"))
# All other types are system messages: someone joined, a pin, a call.
_SAID = ("Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand",
         "0", "19", "20", "21", "23", "")  # fmt: skip
_FORWARDS = ("Forward", "1")  # types of a reference to a message of another chat
_DIRECT = ("DirectTextChat", "1")
_PRIVATE = (*_DIRECT, "DirectGroupTextChat", "3")
_CHANNEL_ID = lazy(r"\[(\d{5,25})\]")


class Discord(Importer):
    """The importer for DiscordChatExporter's JSON, and for the package that Discord sends."""

    name = "discord"
    title = "Discord (JSON)"
    files = "Server - channel [id].json, or the zip of Discord's data package"
    how = (
        "DiscordChatExporter, a free program: choose the channels, format JSON. Discord's own package (User "
        "Settings, Data & Privacy, Request all of my Data) has only what you wrote."
    )
    companions = ("channel.json", "index.json", "user.json")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with a guild and a channel, or the messages of a package."""
        if is_package(sample.text):
            return None
        if not sample.text.lstrip().startswith("{"):
            return "it is not a JSON object"
        channel = _CHANNEL.search(sample.text)
        guild = _GUILD.search(sample.text)
        if channel is None or not (guild or _AUTHOR.search(sample.text, channel.end())):
            return "it has no `guild` and `channel`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        if is_package(context.file.sample(context.options).text):
            return package_chats(context, self.name)
        return one_chat(
            context,
            lambda place, raw: _message(place, raw, context),
            lambda facts: _describe(facts, context),
        )


def channel_of_file(name: str) -> str | None:
    """Return the id of a channel that DiscordChatExporter wrote into a file's name."""
    found = _CHANNEL_ID.search(name)
    return found[1] if found else None


def channel_title(channel: str, server: str, *, direct: bool) -> str:
    """Return the title of a channel: every server has a "general". Discord's own package writes it so."""
    return channel if direct or not (channel and server) else f"{channel} in {server}"


def _describe(facts: Mapping[str, Any], context: ImportContext) -> ParsedChat:
    channel = object_at(facts, "channel")
    direct = as_text(channel.get("type")) in _DIRECT
    return context.chat(
        Discord.name,
        key=as_text(channel.get("id")),
        title=channel_title(
            as_text(channel.get("name")),
            as_text(object_at(facts, "guild").get("name")),
            direct=as_text(channel.get("type")) in _PRIVATE,
        ),
        kind="direct" if direct else "group",
    )


def _message(place: str, raw: Mapping[str, Any], context: ImportContext) -> ParsedMessage | None:
    if as_text(raw.get("type")) not in _SAID:
        context.system_lines += 1
        return None
    author, reference = object_at(raw, "author"), object_at(raw, "reference")
    forwarded = object_at(raw, "forwardedMessage")
    is_forward = bool(forwarded) or as_text(reference.get("type")) in _FORWARDS
    parent = None if is_forward else reference.get("messageId")
    said = (raw, forwarded)
    return context.message(
        place,
        context.iso(raw.get("timestamp")),
        author.get("nickname") or author.get("name"),
        next(filter(None, (*map(_content, said), *map(_embeds, said))), ""),
        [file for part in said for file in _attachments(part)],
        source_id=as_text(raw.get("id")) or None,
        reply_to=as_text(parent) or None,
        edited=bool(raw.get("timestampEdited")),
        edited_at=context.edited_at(raw.get("timestampEdited")),
        forwarded_from="another chat" if is_forward else None,
        reactions=tuple(_reactions(raw.get("reactions"))),
    )


def _content(raw: Mapping[str, Any]) -> str:
    return as_text(raw.get("content"))


def _embeds(raw: Mapping[str, Any]) -> str:
    """Return the text of a message that is only an embed."""
    parts = [
        as_text(embed.get(field))
        for embed in objects(raw.get("embeds"))
        for field in ("title", "description", "url")
    ]
    return "\n".join(part for part in parts if part)


def _attachments(raw: Mapping[str, Any]) -> Iterator[Attachment]:
    for item in objects(raw.get("attachments")):
        name = as_text(item.get("fileName") or item.get("name"))
        yield Attachment(name, file_kind(name))
    for item in objects(raw.get("stickers")):
        yield Attachment(as_text(item.get("fileName") or item.get("name")), "sticker")


def _reactions(value: object) -> Iterator[Reaction]:
    for item in objects(value):
        emoji = item.get("emoji")
        name = as_text(emoji.get("name")) if isinstance(emoji, dict) else as_text(emoji)
        people = objects(item.get("users"))
        for user in people:
            yield Reaction(name, as_text(user.get("nickname") or user.get("name")))
        if not people:
            yield Reaction(name)

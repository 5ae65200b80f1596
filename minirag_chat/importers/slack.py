"""Reads Slack's workspace export: a folder for each chat, a JSON file for each day."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from minirag_chat.importers.base import (
    ExportFile,
    Importer,
    ImportOptions,
    Sample,
    as_text,
    json_mismatch,
    object_at,
    objects,
)
from minirag_chat.importers.beside import objects_beside
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.html_tree import unescaped
from minirag_chat.importers.kinds import kind_of_mime
from minirag_chat.importers.one_object import listed
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

STAMP = lazy(r'"ts"\s*:\s*"\d{9,11}\.\d+"')
TYPE = lazy(r'"type"\s*:\s*"message"')
_MARKUP = lazy(r"<(?P<sign>[@#!]?)(?P<target>[^<>|\n]+)(?:\|(?P<label>[^<>\n]*))?>")
# All other subtypes are system messages: someone joined, a topic was set.
_SAID = frozenset(
    ("", "bot_message", "me_message", "thread_broadcast", "file_share", "file_comment", "tombstone")
)
_LISTS: tuple[tuple[str, ChatKind, bool], ...] = (
    ("channels.json", "group", True),
    ("groups.json", "group", True),
    ("mpims.json", "group", False),
    ("dms.json", "direct", False),
)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The lists of the export: names by user id, and chats by folder.

    ``members`` are the ids of those in a chat that has no name of its own, by the chat's id; ``owner`` is the
    only one of them who is in all of several such chats, whose export it is.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    chats: Mapping[str, ParsedChat] = field(default_factory=dict)
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    owner: str = ""

    def names_in(self, chat: str) -> str:
        """Return the names of a chat's members but its owner's; empty if one of them is not known."""
        people = [person for person in self.members.get(chat, ()) if person != self.owner]
        names = [self.names.get(person, "") for person in people]
        return ", ".join(sorted(names)) if all(names) else ""


_SLACKBOT = "USLACKBOT"
_DEEPEST = 5  # blocks in blocks


class Slack(Importer):
    """The importer for Slack's export, as a zip or unpacked."""

    name = "slack"
    title = "Slack export"
    files = "the zip, or its folder: users.json, channels.json and a folder per channel"
    how = "An owner of the workspace: Settings, Workspace settings, Import/Export Data, Export."
    companions = (
        "users.json", "org_users.json", "channels.json", "groups.json", "dms.json", "mpims.json",
        "integration_logs.json", "canvases.json", "file_conversations.json", "lists.json",
        "huddle_transcripts.json", "canvas_in_the_conversation.json",
    )  # fmt: skip

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a list of messages with Slack's time stamps."""
        return json_mismatch(sample, "[", (STAMP, TYPE), "it has no messages with a `ts`")

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file; other days of it come in other files."""
        space = _workspace(context.file, context.options)
        if not space.names:
            context.notes.append(
                "Slack's users.json is not beside the messages: people have the ids as names; "
                "import the whole export."
            )
        channel = context.file.holder
        title = context.options.chat_title
        folder = None if context.file.alone else channel  # a single file may be in any folder
        chat = space.chats.get(channel) or ParsedChat(self.name, (), title=folder or None)
        if not (title or chat.title or context.file.alone) and _is_silent_for(chat, context, space):
            title = space.names_in(chat.key or "")
        if title:
            chat = ParsedChat(chat.platform, (), chat.key, title, chat.kind)
        return one_chat_in_pieces(_messages(context, space), lambda: chat)


def _is_silent_for(chat: ParsedChat, context: ImportContext, space: Workspace) -> bool:
    """Whether a member wrote nothing: such a chat cannot be called after those who wrote to its owner."""
    file = context.file
    place = file.inside.rpartition("/")[0]

    def read() -> frozenset[str]:
        pattern = f"{glob.escape(place)}/*.json" if place else "*.json"
        days = map(file.folder.find, file.folder.match(pattern))
        found = (raw for day in days for raw in objects_beside(day, context.options))
        return frozenset(as_text(raw.get("user")) for raw in found if _is_said(raw))

    members = space.members.get(chat.key or "", ())
    return bool(members) and not file.folder.once(f"slack writers {place}", read) >= {*members}


def _is_said(raw: Mapping[str, Any]) -> bool:
    return raw.get("type", "message") == "message" and as_text(raw.get("subtype")) in _SAID


def _messages(context: ImportContext, space: Workspace) -> Iterator[ParsedMessage | None]:
    for where, raw in listed(context):
        yield message_of(where, raw, context, space)


def message_of(
    where: str, raw: Mapping[str, Any], context: ImportContext, space: Workspace
) -> ParsedMessage | None:
    """Return the message of an object of Slack's; None for a notice, or what is recorded as skipped."""
    subtype = as_text(raw.get("subtype"))
    gone = subtype == "tombstone" and raw.get("user") == _SLACKBOT  # its sender is unknown
    if not _is_said(raw) or gone:
        context.system_lines += 1
        return None
    stamp, thread = as_text(raw.get("ts")), as_text(raw.get("thread_ts"))
    text = next(filter(None, _texts(raw)), "")
    return context.message(
        where,
        context.since_1970(stamp),
        _sender(raw, space),
        _plain(text, space),
        _files(raw.get("files") or [raw.get("file")]),
        deleted=subtype == "tombstone",
        source_id=stamp or None,
        reply_to=thread if thread and thread != stamp else None,
        edited=isinstance(raw.get("edited"), dict),
        edited_at=context.edited_at(object_at(raw, "edited").get("ts")),
        reactions=tuple(_reactions(raw.get("reactions"), space)),
    )


def _sender(raw: Mapping[str, Any], space: Workspace) -> str:
    user = as_text(raw.get("user") or object_at(raw, "comment").get("user"))
    if user in space.names:
        return space.names[user]
    profile = object_at(raw, "user_profile") or object_at(raw, "bot_profile")
    named = profile.get("real_name") or profile.get("display_name") or profile.get("name")
    return as_text(named) or as_text(raw.get("username")) or user or as_text(raw.get("bot_id"))


def _plain(text: str, space: Workspace) -> str:
    """Return Slack's marked-up text as plain text."""

    def replaced(match: re.Match[str]) -> str:
        sign, target, label = match.group("sign", "target", "label")
        if sign == "@":
            return f"@{space.names.get(target) or label or target}"
        if sign == "#":
            known = space.chats.get(target)
            return f"#{label or (known.title if known else None) or target}"
        if sign == "!":
            return label or f"@{target.split('^', maxsplit=1)[0]}"
        bare = target.removeprefix("mailto:").removeprefix("tel:")
        return f"{label} ({target})" if label and label not in target else bare

    return unescaped(_MARKUP.sub(replaced, text))


def _texts(raw: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of a message, of its blocks and of its attachments; programs send only the latter."""
    yield as_text(raw.get("text"))
    yield "\n".join(filter(None, map(_block_text, objects(raw.get("blocks")))))
    yield "\n".join(filter(None, map(_attached_text, objects(raw.get("attachments")))))


def _attached_text(item: Mapping[str, Any]) -> str:
    """Return the title and the text of an attachment, or its fallback text."""
    parts = [as_text(item.get(key)) for key in ("pretext", "title", "text")]
    blocks = [_block_text(block) for block in objects(item.get("blocks"))]
    return "\n".join(part for part in (*parts, *blocks) if part) or as_text(item.get("fallback"))


def _block_text(block: Mapping[str, Any], depth: int = 0) -> str:
    """Return the words of a block: of its text, fields and elements."""
    if depth > _DEEPEST:
        return ""
    kind, text = as_text(block.get("type")), block.get("text")
    if kind == "emoji":
        return f":{as_text(block.get('name'))}:"
    if kind == "user":
        return f"<@{as_text(block.get('user_id'))}>"
    own = as_text(object_at(block, "text").get("text")) if isinstance(text, dict) else as_text(text)
    own = own or as_text(block.get("url"))
    inner = [
        _block_text(part, depth + 1)
        for key in ("fields", "elements")
        for part in objects(block.get(key))
    ]
    return ("" if kind == "rich_text_section" else "\n").join(filter(None, [own, *inner]))


def _files(value: object) -> Iterator[Attachment]:
    for item in objects(value):
        kind = kind_of_mime(as_text(item.get("mimetype")))
        yield Attachment(as_text(item.get("name") or item.get("title")), kind)


def _reactions(value: object, space: Workspace) -> Iterator[Reaction]:
    for item in objects(value):
        users = item.get("users")
        for user in users if isinstance(users, list) else [""]:
            yield Reaction(f":{as_text(item.get('name'))}:", space.names.get(str(user), ""))


def _workspace(file: ExportFile, options: ImportOptions) -> Workspace:
    """Return the lists of users and chats, read once for all files of the export."""
    place = file.inside.rpartition("/")[0].rpartition("/")[0]
    return file.folder.once(f"slack {place}", lambda: read_workspace(file, options))


def read_workspace(file: ExportFile, options: ImportOptions) -> Workspace:
    """Return the lists of users and chats that are in the folder of a file, or above it."""
    names = {
        as_text(user.get("id")): _user_name(user)
        for listing in ("users.json", "org_users.json")
        for user in _listed(file, listing, options)
    }
    chats: dict[str, ParsedChat] = {}
    members: dict[str, tuple[str, ...]] = {}
    for listing, kind, named in _LISTS:
        for entry in _listed(file, listing, options):
            key, name = as_text(entry.get("id")), as_text(entry.get("name"))
            chat = ParsedChat(Slack.name, (), key=key, title=name if named else None, kind=kind)
            chats.update({place: chat for place in (key, name) if place})
            people = entry.get("members")
            if key and not named and isinstance(people, list):
                members[key] = tuple(map(as_text, people))
    common = set.intersection(*map(set, members.values())) if len(members) > 1 else set[str]()
    owner = common.pop() if len(common) == 1 else ""
    return Workspace(names, chats, members, owner)


def _listed(file: ExportFile, name: str, options: ImportOptions) -> Iterator[dict[str, Any]]:
    return objects_beside(file.near(f"../{name}") or file.near(name), options)


def _user_name(user: Mapping[str, Any]) -> str:
    profile = object_at(user, "profile")
    for value in (profile.get("real_name"), user.get("real_name"), profile.get("display_name"),
                  user.get("name")):  # fmt: skip
        if as_text(value).strip():
            return as_text(value).strip()
    return as_text(user.get("id"))

"""Reads Discord's own data package, which has only what the owner of the account wrote.

Each channel has a folder with ``channel.json`` and ``messages.json``, until 2024 ``messages.csv``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import OWNER, as_text
from minirag_chat.importers.beside import parts_beside
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.csv_rows import columns_in
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.one_object import listed
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_COLUMNS = ("ID", "Timestamp", "Contents", "Attachments")
_FIELDS = [lazy(rf'"{key}"\s*:') for key in _COLUMNS]
_GROUP_CHANNELS = ("0", "2", "3", "5", "10", "11", "12", "GUILD_TEXT", "GROUP_DM")
_WITH = lazy(r"^Direct Message with (.+?)(?:#0)?$")


def is_package(text: str) -> bool:
    """Whether a file that begins with this text has the messages of a channel."""
    start = text.lstrip()
    if start.startswith("["):
        return all(field.search(start) for field in _FIELDS)
    return columns_in(start.split("\n", maxsplit=1)[0]) == _COLUMNS


def package_chats(context: ImportContext, platform: str) -> Iterator[ParsedChat]:
    """Yield the chat of a channel, in pieces."""
    channel = dict(parts_beside(context.file.near("channel.json"), context.options))
    key = as_text(channel.get("id")) or (context.file.folder_name or "").lstrip("c")
    index = dict(parts_beside(context.file.near("../index.json"), context.options))
    title = _WITH.sub(r"\1", as_text(index.get(key) or channel.get("name")))
    group = as_text(channel.get("type")) in _GROUP_CHANNELS
    chat = context.chat(platform, key=key, title=title, kind="group" if group else "direct")
    owner = _owner(context)
    context.owner = "" if owner == OWNER else owner
    note = "Discord's package has only what you wrote, without the answers of others."
    context.file.folder.once(note, lambda: context.notes.append(note))
    return one_chat_in_pieces(
        (_message(where, raw, owner, context) for where, raw in _records(context)), lambda: chat
    )


def _owner(context: ImportContext) -> str:
    for folder in ("account", "Account"):
        user = dict(parts_beside(context.file.near(f"../../{folder}/user.json"), context.options))
        if user:
            return as_text(user.get("global_name") or user.get("username")) or OWNER
    return OWNER


def _records(context: ImportContext) -> Iterator[tuple[int | str, Mapping[str, Any]]]:
    start = context.file.sample(context.options).text.lstrip()
    if start.startswith("["):
        yield from listed(context)
    else:
        yield from context.rows(_COLUMNS)


def _message(
    where: int | str, raw: Mapping[str, Any], owner: str, context: ImportContext
) -> ParsedMessage | None:
    written = as_text(raw.get("Timestamp"))
    names = [basename(link.partition("?")[0]) for link in as_text(raw.get("Attachments")).split()]
    return context.message(
        where,
        context.iso(written if "+" in written or not written else f"{written}+00:00"),
        owner,
        raw.get("Contents"),
        [Attachment(name, file_kind(name)) for name in names],
        source_id=as_text(raw.get("ID")) or None,
    )

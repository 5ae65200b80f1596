"""Reads Discord's own data package, which has only what the owner of the account wrote.

Each channel has a folder with ``channel.json`` and ``messages.json``, until 2024 ``messages.csv``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import OWNER, as_text, object_at, objects
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
# A person, a channel, an emoji, or an instant in one of several styles.
_CODE = lazy(
    r"<(?:@!?(?P<person>\d{1,20})|#(?P<channel>\d{1,20})|a?:(?P<emoji>\w{1,32}):\d{1,20}|"
    r"t:(?P<time>-?\d{1,12})(?::(?P<style>[tTdDfFR]))?)>"
)
_STYLES = {"t": "%H:%M", "T": "%H:%M:%S", "d": "%Y-%m-%d", "D": "%Y-%m-%d"}


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
    context.owner = owner
    note = "Discord's package has only what you wrote, without the answers of others."
    context.file.folder.once(note, lambda: context.notes.append(note))
    place = context.file.inside.rpartition("/")[0].rpartition("/")[0]
    known = context.file.folder.once(f"discord names {place}", lambda: _known(index, context))
    return one_chat_in_pieces(
        (_message(where, raw, owner, known, context) for where, raw in _records(context)),
        lambda: chat,
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """The names that a package has of people and of channels, by their ids."""

    people: Mapping[str, str]
    channels: Mapping[str, str]


def _account(context: ImportContext) -> dict[Any, Any]:
    files = (context.file.near(f"../../{folder}/user.json") for folder in ("account", "Account"))
    found = (dict(parts_beside(file, context.options)) for file in files)
    return next(filter(None, found), {})


def _owner(context: ImportContext) -> str:
    return _name(_account(context)) or OWNER


def _name(user: Mapping[str, Any]) -> str:
    return as_text(user.get("global_name") or user.get("username"))


def _known(index: Mapping[Any, Any], context: ImportContext) -> _Known:
    """Read the names: of the account, of its friends, and of those to whom it has direct chats."""
    account = _account(context)
    own = as_text(account.get("id"))
    people = {own: _name(account)}
    channels: dict[str, str] = {}
    for key, written in index.items():
        title = as_text(written)
        if match := _WITH.match(title):
            file = context.file.near(f"../c{key}/channel.json")
            recipients = dict(parts_beside(file, context.options)).get("recipients")
            others = {*map(as_text, recipients if isinstance(recipients, list) else ())} - {own}
            people |= dict.fromkeys(others, match[1]) if len(others) == 1 else {}
        else:
            channels[as_text(key)] = title.partition(" in ")[0]
    for friend in objects(account.get("relationships")):
        user = object_at(friend, "user")
        people[as_text(user.get("id"))] = as_text(friend.get("nickname")) or _name(user)
    people.pop("", None)
    return _Known(people, channels)


def _readable(text: str, known: _Known, context: ImportContext) -> str:
    """Return a text with names, emoji and times in place of Discord's codes; others stay as they are."""

    def replaced(match: re.Match[str]) -> str:
        if match["emoji"]:
            return f":{match['emoji']}:"
        if match["time"]:
            return _written(int(match["time"]), match["style"] or "f", context) or match[0]
        person, channel = (
            known.people.get(match["person"] or ""),
            known.channels.get(match["channel"] or ""),
        )
        return f"@{person}" if person else f"#{channel}" if channel else match[0]

    return _CODE.sub(replaced, text) if "<" in text else text


def _written(seconds: int, style: str, context: ImportContext) -> str:
    """Return an instant as wall-clock time: only the day or the time of day where the style shows only it."""
    try:
        moment = datetime.fromtimestamp(seconds, context.zone)
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{moment:{_STYLES.get(style, '%Y-%m-%d %H:%M')}}"


def _records(context: ImportContext) -> Iterator[tuple[int | str, Mapping[str, Any]]]:
    start = context.file.sample(context.options).text.lstrip()
    if start.startswith("["):
        yield from listed(context)
    else:
        yield from context.rows(_COLUMNS)


def _message(
    where: int | str, raw: Mapping[str, Any], owner: str, known: _Known, context: ImportContext
) -> ParsedMessage | None:
    written = as_text(raw.get("Timestamp"))
    names = [basename(link.partition("?")[0]) for link in as_text(raw.get("Attachments")).split()]
    return context.message(
        where,
        context.iso(written if "+" in written or not written else f"{written}+00:00"),
        owner,
        _readable(as_text(raw.get("Contents")), known, context),
        [Attachment(name, file_kind(name)) for name in names],
        source_id=as_text(raw.get("ID")) or None,
    )

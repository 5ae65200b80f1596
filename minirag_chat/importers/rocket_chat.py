"""Reads Rocket.Chat's messages: a room's export as JSON, or messages out of its database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, object_at, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import object_in
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.one_object import listed, messages_of
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_FIELDS = (
    lazy(r'"msg"\s*:\s*"'),
    lazy(r'"ts"\s*:\s*(?:"\d{4}-\d\d-\d\dT|\{\s*"\$date")'),
    lazy(r'"username"\s*:'),
)
_OF_DATABASE = (lazy(r'"rid"\s*:\s*"'), lazy(r'"u"\s*:\s*\{'))
_OF_EXPORT = frozenset(("msg", "ts", "username", "type", "attachments"))
_LIST = lazy(r'\s*\{\s*"messages"\s*:\s*\[')
_QUOTE = lazy(r"\A\[ ?\]\(\S{1,500}[?&]msg=(?P<id>\w{1,60})\) ?")
_REMOVED, _ENCRYPTED = "rm", "e2e"


class RocketChat(Importer):
    """The importer for Rocket.Chat's messages as JSON Lines, as a list, or as its server answers."""

    name = "rocket-chat"
    title = "Rocket.Chat"
    files = "room.json, one per room, or the zip; or messages of the database as JSON"
    how = (
        "In the room: the menu, Export messages, Export as file, format JSON; or your profile, Preferences, "
        "My Data, Export my data."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for objects with a ``msg``, a ``ts`` and a ``username``."""
        if not sample.text.lstrip("\ufeff \t\n").startswith(("{", "[")):
            return "it is not JSON"
        of_database = all(field.search(sample.text) for field in _OF_DATABASE)
        if not all(field.search(sample.text) for field in _FIELDS) or not (
            of_database or _is_export(sample.text)
        ):
            return (
                "it has no messages with only `msg`, `ts` and `username`, or with `rid` and `u` too"
            )
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the rooms of the file, in pieces."""
        reader = _Reader(context)
        return in_pieces(reader.messages(), reader.describe)


def _is_export(text: str) -> bool:
    """Whether the first line is a message as a room's export has it; logs of programs have other keys too."""
    first = object_in(text.lstrip("\ufeff \t\n").partition("\n")[0])
    return not isinstance(first, str) and {"msg", "ts", "username"} <= set(first) <= _OF_EXPORT


class _Reader:
    """Reads the messages, with the names of people by their user names."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._names: dict[str, str] = {}
        self._encrypted = 0

    def messages(self) -> Iterator[tuple[str, ParsedMessage | None]]:
        """Yield the messages with the ids of their rooms; those of an export have none."""
        for where, raw in _objects(self._context):
            yield as_text(raw.get("rid")), self._message(where, raw)
        if self._encrypted:
            self._context.notes.append(
                f"{self._encrypted:,} messages in {self._context.name} are encrypted end to end, which "
                "an export cannot read."
            )

    def describe(self, room: str) -> ParsedChat:
        """Return a room without its messages. The file of an export is called after its room."""
        title = None if room else self._context.file.path.stem
        return self._context.chat(RocketChat.name, key=room, title=title)

    def _message(self, where: int | str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        kind = as_text(raw.get("t") or raw.get("type"))
        if kind == _ENCRYPTED:
            self._encrypted += 1
            return None
        if kind not in ("", _REMOVED):
            self._context.system_lines += 1
            return None
        user = object_at(raw, "u")
        username = as_text(user.get("username") or raw.get("username"))
        name = as_text(user.get("name")) or username
        self._names[username] = name
        said = as_text(raw.get("msg"))
        quoted = _QUOTE.match(said)
        thread = as_text(raw.get("tmid"))
        return self._context.message(
            where,
            self._context.iso(_moment(raw.get("ts"))),
            name,
            said[quoted.end() :] if quoted else said,
            _files(raw),
            deleted=kind == _REMOVED,
            source_id=as_text(raw.get("_id")) or None,
            reply_to=quoted["id"] if quoted else thread or None,
            edited=raw.get("editedAt") is not None,
            reactions=tuple(self._reactions(raw)),
        )

    def _reactions(self, raw: Mapping[str, Any]) -> Iterator[Reaction]:
        for emoji, given in object_at(raw, "reactions").items():
            users = given.get("usernames") if isinstance(given, dict) else None
            for user in users if isinstance(users, list) else []:
                yield Reaction(emoji, self._names.get(as_text(user)) or as_text(user))


def _objects(context: ImportContext) -> Iterator[tuple[int | str, dict[str, Any]]]:
    """Yield the objects of JSON Lines, of a list, or of an object's ``messages``, with their places."""
    begin = context.file.sample(context.options).text.lstrip("\ufeff \t\n")
    if begin.startswith("["):
        return listed(context)
    return messages_of(context, {}) if _LIST.match(begin) else context.records()


def _moment(value: object) -> object:
    return value.get("$date") if isinstance(value, dict) else value


def _files(raw: Mapping[str, Any]) -> list[Attachment]:
    """Return the files that were sent; other attachments quote messages or show pages."""
    found = []
    for item in objects(raw.get("attachments")):
        link = as_text(item.get("title_link"))
        name = as_text(item.get("fileName") or item.get("title")) or basename(link)
        if item.get("type") == "file" or link.startswith("/file-upload/"):
            found.append(Attachment(name, file_kind(name)))
    return found

"""Reads Mattermost's bulk export: JSON Lines of several kinds; users and channels come before posts.

Written from Mattermost's description of the format, and not tested on a real export.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, object_at, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import object_in
from minirag_chat.importers.kinds import chat_kind, file_kind
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.records import MADE_UP, Attachment, ParsedChat, ParsedMessage, Reaction

_SYSTEM = "system_"  # begins the types of posts that the server writes itself


class Mattermost(Importer):
    """The importer for Mattermost's bulk export."""

    name = "mattermost"
    title = "Mattermost"
    files = "a .jsonl whose first line is its version, or the zip with it"
    how = "An administrator: `mmctl export create` and `mmctl export download`, or its command `export bulk`."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first line says that it is the version."""
        record = object_in(sample.text.lstrip().split("\n", maxsplit=1)[0])
        if isinstance(record, dict) and record.get("type") == "version" and "version" in record:
            return None
        return "line 1 is no object of the type `version`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each channel and each direct chat, in pieces."""
        reader = _Reader(context)
        return in_pieces(reader.messages(), reader.describe)


class _Reader:
    """Reads the posts, with the names of users and channels."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._names: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._members: dict[str, int] = {}

    def messages(self) -> Iterator[tuple[str, ParsedMessage | None]]:
        """Yield the messages, each before the replies to it, with the keys of their chats."""
        for line, record in self._context.records():
            kind = as_text(record.get("type"))
            inner = object_at(record, kind)
            if kind == "user":
                self._names[as_text(inner.get("username"))] = _name(inner)
            elif kind == "channel":
                self._titles[_channel(inner, "name")] = as_text(inner.get("display_name"))
            elif kind == "post":
                yield from self._thread(line, _channel(inner, "channel"), inner)
            elif kind == "direct_post":
                yield from self._thread(line, self._direct(inner), inner)

    def describe(self, key: str) -> ParsedChat:
        """Return a chat without its messages."""
        if key in self._members:
            kind = chat_kind(self._members[key])
            return self._context.chat(Mattermost.name, key=key, kind=kind)
        title = self._titles.get(key) or basename(key)
        return self._context.chat(Mattermost.name, key=key, title=title, kind="group")

    def _direct(self, post: Mapping[str, Any]) -> str:
        """The key of a chat without a name, made of its members."""
        listed = post.get("channel_members")
        members = {as_text(who) for who in listed} if isinstance(listed, list) else set()
        key = "~".join(sorted(members - {""}))
        self._members[key] = len(members)
        return key

    def _thread(
        self, line: int, chat: str, post: Mapping[str, Any]
    ) -> Iterator[tuple[str, ParsedMessage | None]]:
        yield chat, self._message(line, post, None)
        for reply in objects(post.get("replies")):
            yield chat, self._message(line, reply, _identity(post))

    def _message(
        self, line: int, post: Mapping[str, Any], parent: str | None
    ) -> ParsedMessage | None:
        if as_text(post.get("type")).startswith(_SYSTEM):
            self._context.system_lines += 1
            return None
        edited = self._context.edited_at(_in_seconds(post.get("edit_at")))
        return self._context.message(
            line,
            self._context.since_1970(post.get("create_at"), milliseconds=True),
            self._named(post.get("user")),
            post.get("message"),
            _files(post),
            source_id=_identity(post),
            reply_to=parent,
            edited=edited > 0,
            edited_at=edited,
            reactions=tuple(
                Reaction(f":{as_text(one.get('emoji_name'))}:", self._named(one.get("user")))
                for one in objects(post.get("reactions"))
            ),
        )

    def _named(self, user: object) -> str:
        return self._names.get(as_text(user)) or as_text(user)


def _name(user: Mapping[str, Any]) -> str:
    """A user's full name, else the nickname, else the user name."""
    whole = " ".join(as_text(user.get(key)).strip() for key in ("first_name", "last_name")).strip()
    return whole or as_text(user.get("nickname")) or as_text(user.get("username"))


def _channel(about: Mapping[str, Any], key: str) -> str:
    return f"{as_text(about.get('team'))}/{as_text(about.get(key))}"


def _identity(post: Mapping[str, Any]) -> str:
    """An id for a message, since the export has none: its time and sender."""
    return f"{MADE_UP}{as_text(post.get('create_at'))} {as_text(post.get('user'))}"


def _in_seconds(milliseconds: object) -> float:
    return milliseconds / 1000 if isinstance(milliseconds, (int, float)) else 0


def _files(post: Mapping[str, Any]) -> Iterator[Attachment]:
    for item in objects(post.get("attachments")):
        name = basename(as_text(item.get("path")))
        if name:
            yield Attachment(name, file_kind(name))

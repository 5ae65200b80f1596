"""Reads the JSON of WhatsApp-Chat-Exporter, a free program that reads a phone's backup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import OWNER, Importer, Sample, as_text, object_at
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.html_tree import markup_tree, text_of
from minirag_chat.importers.jsonwalk import Path, place, quoted_place
from minirag_chat.importers.kinds import kind_of_mime
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.importers.whatsapp import WhatsApp
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

_BEGINS = lazy(
    r'\ufeff?\s*\{\s*"[^"\s]{1,80}@(?:s\.whatsapp\.net|g\.us|c\.us|lid|broadcast|newsletter)"\s*:\s*'
    r'\{\s*"(?:name|type)"\s*:'
)
_BREAK = lazy(r" ?<br ?/?>")
_ONE = 3  # steps to one message: the chat's id, "messages", its own id
_OF_GROUP = "@g.us"
_OF_PERSON = "@s.whatsapp.net"
_MISSING = "The media is missing"


class WhatsAppJson(Importer):
    """The importer for WhatsApp-Chat-Exporter's JSON of all chats, or of one."""

    name = "whatsapp-json"
    title = "WhatsApp (WhatsApp-Chat-Exporter JSON)"
    files = "result.json, or a .json per chat"
    how = "WhatsApp-Chat-Exporter, a free program, reads a phone's backup: `wtsexporter … --json`."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object whose first key is a WhatsApp id of a chat."""
        if _BEGINS.match(sample.text) is None:
            return "it does not begin with a chat's id as `447700900123@s.whatsapp.net`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the chats of the file, in pieces."""
        reader = _Reader(context)
        return in_pieces(reader.messages(), reader.describe)


def _enter(path: Path) -> bool:
    return len(path) < _ONE and path[1:] in ((), ("messages",))


class _Reader:
    """Reads the messages, and the names of their chats, which come before them."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._titles: dict[str, str] = {}

    def messages(self) -> Iterator[tuple[str, ParsedMessage | None]]:
        """Yield the messages with the ids of their chats."""
        for path, value in self._context.values(_enter):
            chat = str(path[0]) if path else ""
            if len(path) == _ONE:
                if isinstance(value, dict):
                    yield chat, self._message(chat, place(path), value)
                else:
                    self._context.skip(f"{place(path)} is not an object")
            elif path[1:] == ("name",):
                self._titles[chat] = as_text(value)
            elif not path:
                self._context.skip("the file is not a JSON object of chats")
            elif len(path) == 1:
                self._context.skip(f"{quoted_place(path)} is not a chat")

    def describe(self, chat: str) -> ParsedChat:
        """Return a chat without its messages."""
        group, person = chat.endswith(_OF_GROUP), chat.endswith(_OF_PERSON)
        kind: ChatKind | None = "group" if group else "direct" if person else None
        title = self._titles.get(chat) or _number(chat)
        return self._context.chat(WhatsApp.name, key=chat, title=title, kind=kind)

    def _message(self, chat: str, where: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        if raw.get("meta") is True:
            self._context.system_lines += 1
            return None
        files = _files(raw)
        return self._context.message(
            where,
            self._context.since_1970(raw.get("timestamp")),
            self._sender(chat, raw),
            _plain(raw, "caption" if files else "data"),
            files,
            source_id=as_text(raw.get("key_id")) or None,
            reply_to=as_text(raw.get("reply")) or None,
            reactions=tuple(
                Reaction(as_text(emoji), as_text(who))
                for who, emoji in object_at(raw, "reactions").items()
            ),
        )

    def _sender(self, chat: str, raw: Mapping[str, Any]) -> str:
        """Return the sender's name; in a direct chat it is that of the chat."""
        if raw.get("from_me") is True:
            self._context.calls_owner.add(OWNER)
            return OWNER
        direct = "" if chat.endswith(_OF_GROUP) else self._titles.get(chat) or _number(chat)
        return as_text(raw.get("sender")) or direct


def _number(chat: str) -> str:
    """Return the phone number in a chat's id; empty for the id of a group."""
    return f"+{chat.removesuffix(_OF_PERSON)}" if chat.endswith(_OF_PERSON) else ""


def _plain(raw: Mapping[str, Any], key: str) -> str:
    """Return a text without the program's own markup."""
    text = as_text(raw.get(key))
    if raw.get("safe") is True:
        return text_of(markup_tree(text))
    return _BREAK.sub("\n", text)


def _files(raw: Mapping[str, Any]) -> list[Attachment]:
    if raw.get("media") is not True:
        return []
    path = as_text(raw.get("data"))
    name = "" if path == _MISSING else basename(path.replace("\\", "/"))
    kind = "sticker" if raw.get("sticker") is True else kind_of_mime(as_text(raw.get("mime")))
    return [Attachment(name, kind)]

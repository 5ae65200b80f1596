"""Reads ChatLab's exchange format 0.0.1 and 0.0.2: JSON, or JSON Lines with a header."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import place
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage

_HEAD = lazy(r'"chatlab"\s*:\s*\{\s*"')
_LINES = lazy(r'\s*(?:#.*\n\s*)*\{[^\n]*"_type"\s*:\s*"(?:header|member|message)"')
_SYSTEM, _RECALL = 80, 81
_CHAT_KINDS: dict[str, ChatKind] = {"group": "group", "private": "direct"}
_KINDS = {1: "photo", 2: "voice message", 3: "video", 4: "file", 5: "sticker", 8: "location",
          20: "red packet", 21: "transfer", 22: "poke", 23: "call", 27: "contact"}  # fmt: skip


class ChatLab(Importer):
    """The importer for ChatLab JSON and JSON Lines."""

    name = "chatlab"
    title = "ChatLab JSON or JSONL"
    files = "any .json or .jsonl with a `chatlab` header"
    how = "Export from a program that writes ChatLab's format, for WeChat, QQ and others."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if there is a ``chatlab`` header."""
        if _LINES.match(sample.text) or _HEAD.search(sample.text[:4096]):
            return None
        return "it has no `chatlab` header"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        reader = _Reader(context)
        by_line = "_type" in next((line for line in context.lines() if line.startswith("{")), "")
        messages = reader.from_lines() if by_line else reader.from_json()
        return one_chat_in_pieces(messages, reader.describe)


class _Reader:
    """Keeps the header and the members, which come before the messages."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._meta: Mapping[str, Any] = {}
        self._names: dict[str, str] = {}

    def from_lines(self) -> Iterator[ParsedMessage | None]:
        """Yield the messages of JSON Lines."""
        for line, record in self._context.records():
            match record:
                case {"_type": "header", "meta": dict(meta)}:
                    self._meta = meta
                case {"_type": "member"}:
                    self._member(record)
                case {"_type": "message"}:
                    yield self._message(line, record)
                case _:
                    self._context.skip("neither header, member nor message", line)

    def from_json(self) -> Iterator[ParsedMessage | None]:
        """Yield the messages of one JSON object."""
        entered = ((), ("messages",), ("members",))
        for path, value in self._context.values(lambda path: path in entered):
            if path == ("meta",) and isinstance(value, dict):
                self._meta = value
            elif len(path) == 2 and isinstance(value, dict):  # noqa: PLR2004 - messages.17
                if path[0] == "members":
                    self._member(value)
                    continue
                yield self._message(place(("messages", path[1])), value)
            elif len(path) == 2:  # noqa: PLR2004 - messages.17
                self._context.skip(f"{place(path)} is not an object")

    def describe(self) -> ParsedChat:
        """Return the chat without its messages."""
        meta = self._meta
        return self._context.chat(
            as_text(meta.get("platform")).casefold() or ChatLab.name,
            key=as_text(meta.get("groupId")),
            title=as_text(meta.get("name")),
            kind=_CHAT_KINDS.get(as_text(meta.get("type"))),
        )

    def _member(self, raw: Mapping[str, Any]) -> None:
        name = as_text(raw.get("accountName")) or as_text(raw.get("groupNickname"))
        if name:
            self._names[as_text(raw.get("platformId"))] = name
            if raw.get("platformId") and raw.get("platformId") == self._meta.get("ownerId"):
                self._context.owner = name

    def _message(self, place: int | str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        kind = raw.get("type")
        if kind == _SYSTEM:
            self._context.system_lines += 1
            return None
        sender = as_text(raw.get("sender"))
        name = self._names.get(sender) or as_text(raw.get("accountName"))
        content = as_text(raw.get("content"))
        media = _KINDS.get(kind) if isinstance(kind, int) else None
        files = [Attachment("", media)] if media else []
        placeholder = bool(media) and content.startswith("[") and content.endswith("]")
        return self._context.message(
            place,
            self._context.since_1970(raw.get("timestamp")),
            name or as_text(raw.get("groupNickname")) or sender,
            "" if placeholder else content,
            files,
            deleted=kind == _RECALL,
            source_id=as_text(raw.get("platformMessageId")) or None,
            reply_to=as_text(raw.get("replyToMessageId")) or None,
        )

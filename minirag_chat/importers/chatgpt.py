"""Reads ChatGPT's data export: trees of messages, one branch of which the app shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import (
    OWNER,
    Importer,
    Sample,
    as_text,
    json_mismatch,
    object_at,
    objects,
)
from minirag_chat.importers.branches import Branches, Conversations, Keys, Raw, Said
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.kinds import kind_of_mime
from minirag_chat.importers.limits import cell
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat

_MAPPING = lazy(r'"mapping"\s*:\s*\{')
_NODE = lazy(r'"(?:current_node|parent|children)"\s*:')
_SENDERS = {"user": OWNER, "assistant": "ChatGPT"}
_KEYS = Keys("mapping", ("conversation_id", "id"), "title", "current_node", "create_time")
_SAID = ("text", "multimodal_text")
# Links and names that the app inserts are between private-use characters.
_MARK = lazy("\ue200([^\ue200\ue201]*+)\ue201")
_LOOSE = lazy("[\ue200-\ue206]")
_SOURCE = lazy(r"【\d{1,5}(?::\d{1,5})?†[^【】\n]{0,100}】")
_LONGEST_MARK = 1000


class ChatGpt(Importer):
    """The importer for ``conversations.json``, or its numbered parts."""

    name = "chatgpt"
    title = "ChatGPT export"
    files = "the zip, or conversations.json, conversations-000.json … in it"
    how = (
        "ChatGPT: Settings, Data controls, Export data; the link to the zip comes by e-mail or as a "
        "notification."
    )
    companions = (
        "user.json", "user_settings.json", "message_feedback.json", "model_comparisons.json",
        "shared_conversations.json", "export_manifest.json", "chat.html",
    )  # fmt: skip

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for conversations with a ``mapping`` of messages."""
        missing = "it has no conversations with a `mapping`"
        return json_mismatch(sample, "{[", (_MAPPING, _NODE), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each conversation, in pieces."""
        conversations = Conversations(
            self.name, _KEYS, lambda raw, branches: _take(raw, branches, context), context
        )
        return conversations.chats()


def _take(raw: Raw, branches: Branches, context: ImportContext) -> None:
    message = raw.value.get("message")
    said = _said(raw.place, message, context) if isinstance(message, dict) else None
    branches.add(str(raw.step), as_text(raw.value.get("parent")), said)


def _said(where: str, raw: Mapping[str, Any], context: ImportContext) -> Said | None:
    """Return the text of a message; None for instructions, tool calls and their results."""
    author, content, about = (object_at(raw, key) for key in ("author", "content", "metadata"))
    sender = _SENDERS.get(as_text(author.get("role")))
    to_all = as_text(raw.get("recipient")) in ("", "all")
    hidden = about.get("is_visually_hidden_from_conversation") is True
    if sender is None or not to_all or hidden or content.get("content_type") not in _SAID:
        return None
    parts = content.get("parts")
    parts = parts if isinstance(parts, list) else []
    files = tuple(_files(parts, about.get("attachments")))
    text = "\n".join(filter(None, map(_text, parts)))
    if not text.strip() and not files:
        return None  # a stopped answer or a tool call
    return Said(where, sender, _plain(text), context.since_1970(raw.get("create_time")), files)


def _text(part: object) -> str:
    if isinstance(part, dict):  # the transcript of a spoken message
        spoken = part.get("content_type") == "audio_transcription"
        return as_text(part.get("text")) if spoken else ""
    return as_text(part)


def _plain(text: str) -> str:
    """Return a text without citation marks; names in them stay."""
    if "【" in text:
        text = _SOURCE.sub("", text)
    return _LOOSE.sub("", _MARK.sub(_shown, text)) if _LOOSE.search(text) else text


def _shown(match: re.Match[str]) -> str:
    kind, _, rest = match[1].partition("\ue202")
    if kind not in ("entity", "url") or len(rest) > _LONGEST_MARK:
        return ""
    if kind == "url":
        return rest.partition("\ue202")[0]
    try:
        named = json.loads(rest)
    except (ValueError, RecursionError):
        return ""
    return as_text(named[1]) if isinstance(named, list) and len(named) > 1 else ""


def _files(parts: list[Any], attached: object) -> Iterator[Attachment]:
    """Yield the files of a message by name; images and sounds without a name by id."""
    named = set()
    for item in objects(attached):
        named.add(as_text(item.get("id")))
        yield Attachment(as_text(item.get("name")), kind_of_mime(cell(item.get("mime_type"))))
    for part in parts:
        if isinstance(part, dict) and part.get("content_type") != "audio_transcription":
            pointer = part.get("asset_pointer") or part.get("audio_asset_pointer")
            if isinstance(pointer, dict):
                pointer = pointer.get("asset_pointer")
            name = as_text(pointer).rpartition("/")[2]
            kind = cell(part.get("content_type"))
            if name and name not in named:
                what = "audio" if "audio" in kind else kind_of_mime(kind.partition("_")[0])
                yield Attachment(name, what)

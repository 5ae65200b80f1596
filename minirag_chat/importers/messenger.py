"""Reads Messenger's and Instagram's downloads: ``message_1.json``, newest message first.

The files hold UTF-8 that was read as Latin-1; it is repaired only where it comes out even.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from minirag_chat.importers.base import Sample, as_text, object_at, objects
from minirag_chat.importers.one_object import kind_by, one_chat
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from minirag_chat.importers.context import ImportContext

_MESSAGES = re.compile(r'"messages"\s*:\s*\[')
_FIELDS = tuple(re.compile(rf'"{key}"\s*:') for key in ("sender_name", "timestamp_ms"))
_FILES = (
    ("photos", "photo"), ("videos", "video"), ("audio_files", "audio"), ("gifs", "gif"),
    ("files", "file"),
)  # fmt: skip
_OWN_TYPES = frozenset(("Call", "Subscribe", "Unsubscribe", "Plan"))
# What an English app writes as if the sender had said it.
_REACTED = re.compile(r"Liked a message|Reacted \S{1,20} to (?:your|a) message ?")
_SENT = re.compile(r"[^\n]{1,200} sent an attachment\.")


class Messenger:
    """The importer for the classic shape of both apps."""

    name = "messenger"
    title = "Messenger or Instagram"
    files = "message_1.json, message_2.json … in a folder a chat, or the zip of them all"
    how = (
        "Accounts Centre, Your information and permissions, Export your information; choose "
        "Messages and the format JSON, not HTML."
    )
    companions = (
        "autofill_information.json",
        "secret_conversations.json",
        "your_chat_settings_on_web.json",
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with messages that have ``sender_name`` and ``timestamp_ms``."""
        if not sample.text.lstrip().startswith("{"):
            return "it is not a JSON object"
        if not all(field.search(sample.text) for field in (_MESSAGES, *_FIELDS)):
            return "it has no `messages` with `sender_name` and `timestamp_ms`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        return one_chat(
            context,
            lambda place, raw: _message(place, raw, context),
            lambda facts: _describe(facts, context),
        )


def repaired(value: object) -> str:
    """Return a text as it was before its UTF-8 was read as Latin-1, if it was."""
    text = as_text(value)
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _describe(facts: Mapping[str, Any], context: ImportContext) -> ParsedChat:
    return ParsedChat(
        Messenger.name,
        (),
        key=as_text(facts.get("thread_path")) or None,
        title=context.options.chat_title or repaired(facts.get("title")) or None,
        kind=kind_by(facts.get("participants")),
    )


def _message(place: str, raw: Mapping[str, Any], context: ImportContext) -> ParsedMessage | None:
    said, share = repaired(raw.get("content")), object_at(raw, "share")
    if _is_own(raw, said):
        context.system_lines += 1
        return None
    files = [*_attachments(raw)]
    shared = [repaired(share.get(part)) for part in ("link", "share_text")]
    if (files or any(shared)) and _SENT.fullmatch(said):
        said = ""
    parts = [said, *(part for part in shared if part and part not in said)]
    return context.message(
        place,
        context.since_1970(raw.get("timestamp_ms"), milliseconds=True),
        repaired(raw.get("sender_name")),
        "\n".join(part for part in parts if part),
        files,
        deleted=raw.get("is_unsent") is True,
        reactions=tuple(_reactions(raw.get("reactions"))),
    )


def _is_own(raw: Mapping[str, Any], said: str) -> bool:
    """Say whether the app says something itself: of a call, or that someone reacted."""
    is_call = as_text(raw.get("type")) in _OWN_TYPES or "call_duration" in raw
    return is_call or _REACTED.fullmatch(said) is not None


def _attachments(raw: Mapping[str, Any]) -> Iterator[Attachment]:
    for field, kind in _FILES:
        for item in objects(raw.get(field)):
            yield Attachment(_file_name(item.get("uri")), kind)
    if isinstance(raw.get("sticker"), dict):
        yield Attachment(_file_name(raw["sticker"].get("uri")), "sticker")


def _file_name(uri: object) -> str:
    return repaired(uri).rsplit("/", maxsplit=1)[-1]


def _reactions(value: object) -> Iterator[Reaction]:
    for item in objects(value):
        yield Reaction(repaired(item.get("reaction")), repaired(item.get("actor")))

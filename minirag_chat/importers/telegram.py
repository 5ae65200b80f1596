"""Reads Telegram Desktop's JSON exports: one chat, or everything (``chats`` and ``left_chats``)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

from minirag_chat.errors import UnreadableFile
from minirag_chat.importers.base import ExportFile, ImportOptions, Sample, clean_name
from minirag_chat.records import ChatKind, ParsedChat, ParsedExport, ParsedMessage, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CHAT_TYPE = re.compile(
    r'"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))"'
)
_MESSAGE = re.compile(r'"(?:date_unixtime|from_id|actor_id|text_entities)"\s*:')
_MESSAGES = re.compile(r'"messages"\s*:\s*\[')
_WHOLE = re.compile(r'"about"\s*:\s*"[^"]*Telegram|"(?:left_)?chats"\s*:\s*\{\s*"(?:about|list)"')
_DIRECT_TYPES = ("personal_chat", "bot_chat", "saved_messages")
_GROUP_TYPES = re.compile(r"(?:private|public)_(?:group|supergroup|channel)")
_NO_NAME = "Deleted Account"

# Field of a message → what to call the media; the first that is there counts.
_MEDIA_FIELDS = (
    ("photo", "photo"),
    ("contact_information", "contact"),
    ("location_information", "location"),
    ("game_title", "game"),
    ("invoice_information", "invoice"),
    ("giveaway_information", "giveaway"),
    ("dice", "dice"),
    ("file", "file"),
)


@dataclass(slots=True)
class _Account:
    """Everything read so far. ``moments`` counts times that came without a wall clock."""

    zone: tzinfo
    source: str
    system_lines: int = 0
    media: int = 0
    moments: int = 0
    skipped: list[Skipped] = field(default_factory=list)

    def skip(self, reason: str) -> None:
        self.skipped.append(Skipped(self.source, reason))


class Telegram:
    """The importer for Telegram Desktop's ``result.json``."""

    name = "telegram"
    title = "Telegram JSON"

    def refusal(self, sample: Sample) -> str | None:
        """Return None for a JSON object with Telegram's fields, even if it is cut off."""
        text = sample.text.lstrip()
        if re.match(r"<!doctype html|<html", text, re.IGNORECASE):
            return "HTML is not read: export from Telegram Desktop as JSON"
        if not text.startswith("{"):
            return "it is not a JSON object"
        is_chat = _MESSAGES.search(text) and (_MESSAGE.search(text) or _CHAT_TYPE.search(text))
        if is_chat or _CHAT_TYPE.search(text) or _WHOLE.search(text):
            return None
        return "it has no `messages` or `chats` with Telegram's fields"

    def read(self, file: ExportFile, options: ImportOptions) -> ParsedExport:
        """Return every chat with messages; raises ``UnreadableFile`` for cut-off JSON."""
        name = file.path.name
        decoded = file.text(options)
        try:
            data = json.loads(decoded.text)
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(
                f"{name} is cut off or damaged JSON ({error}); export the chat again from Telegram."
            ) from error
        account = _Account(options.zone(), name)
        chats = [_chat(entry, account, options) for entry in _chat_entries(data, account)]
        notes = list(decoded.notes)
        if account.moments:
            zone = options.time_zone or str(account.zone)
            notes.append(
                f"{name} gives moments without a wall clock; they were read as times in {zone}, "
                "which the option time_zone changes."
            )
        return ParsedExport(
            self.name,
            tuple(chat for chat in chats if chat is not None),
            system_lines=account.system_lines,
            media=account.media,
            skipped=tuple(account.skipped),
            notes=tuple(notes),
        )


def _chat_entries(data: object, account: _Account) -> Iterator[Mapping[str, Any]]:
    """Yield the chats of either kind of export; what is no chat is skipped with a reason."""
    found: list[object] = []
    if isinstance(data, dict):
        if "messages" in data:
            found.append(data)
        for part in ("chats", "left_chats"):
            chats = data.get(part)
            listed = chats.get("list") if isinstance(chats, dict) else None
            found += listed if isinstance(listed, list) else []
    if not found:
        account.skip("no chat in it")
    for number, entry in enumerate(found, 1):
        if isinstance(entry, dict) and isinstance(entry.get("messages"), list):
            yield entry
        else:
            account.skip(f"chat {number} has no list of messages")


def _chat(entry: Mapping[str, Any], account: _Account, options: ImportOptions) -> ParsedChat | None:
    kind = _kind(entry.get("type"))
    title = entry.get("name")
    if not title and entry.get("type") == "saved_messages":
        title = "Saved Messages"
    where = f"chat {title or entry.get('id') or 'without a name'}"
    messages: list[ParsedMessage] = []
    for number, raw in enumerate(entry["messages"], 1):
        message = _message(raw, f"{where}, message {number}", account)
        if message is not None:
            messages.append(message)
    if not messages:
        account.skip(f"{where} has no messages")
        return None
    key = entry.get("id")
    return ParsedChat(
        Telegram.name,
        tuple(messages),
        key=None if key is None else str(key),
        title=options.chat_title or (str(title) if title else None),
        kind=kind,
    )


def _kind(chat_type: object) -> ChatKind | None:
    if chat_type in _DIRECT_TYPES:
        return "direct"
    return "group" if _GROUP_TYPES.fullmatch(str(chat_type)) else None


def _message(raw: object, where: str, account: _Account) -> ParsedMessage | None:
    """Return one message, or None where it is a service message or cannot be used."""
    if not isinstance(raw, dict):
        account.skip(f"{where} is not an object")
        return None
    if raw.get("type") == "service":
        account.system_lines += 1
        return None
    if raw.get("type", "message") != "message":
        account.skip(f"{where} is of the type {raw['type']!r}, which Telegram did not export")
        return None
    sent_at = _sent_at(raw, account)
    if sent_at is None:
        account.skip(f"{where} has no date that can be read")
        return None
    text, media = _text(raw.get("text")), _media(raw)
    if media is not None:
        account.media += 1
    if not text.strip() and media is None:
        text = _poll(raw.get("poll"))
    if not text.strip() and media is None:
        account.skip(f"{where} has no text")
        return None
    reply = raw.get("reply_to_message_id")
    forwarded = raw.get("forwarded_from", raw.get("saved_from"))
    return ParsedMessage(
        sent_at,
        _sender(raw),
        text if text.strip() else f"[{media}]",
        kind="text" if text.strip() else "media",
        source_id=None if raw.get("id") is None else str(raw["id"]),
        reply_to=None if reply is None else str(reply),
        edited="edited" in raw or "edited_unixtime" in raw,
        forwarded_from=clean_name(str(forwarded)) if forwarded else None,
    )


def _sender(raw: Mapping[str, Any]) -> str:
    """Return the sender's name; people whose account is gone are told apart by their id."""
    name = clean_name(str(raw.get("from") or ""))
    return name or " ".join([_NO_NAME, *([str(raw["from_id"])] if raw.get("from_id") else [])])


def _sent_at(raw: Mapping[str, Any], account: _Account) -> datetime | None:
    """Return the wall-clock time of ``date``, or of ``date_unixtime`` in the chosen zone."""
    try:
        written = datetime.fromisoformat(str(raw["date"]))
    except (KeyError, ValueError):
        written = None
    if written is not None and written.tzinfo is None:
        return written
    try:
        moment = written or datetime.fromtimestamp(int(raw["date_unixtime"]), UTC)
        local = moment.astimezone(account.zone).replace(tzinfo=None)
    except (KeyError, TypeError, ValueError, OverflowError, OSError):
        return None
    account.moments += 1
    return local


def _text(value: object) -> str:
    """Return a text, or its fragments joined as they stand: they carry their own spaces."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return ""
    parts = [part.get("text") if isinstance(part, dict) else part for part in value]
    return "".join(part for part in parts if isinstance(part, str))


def _media(raw: Mapping[str, Any]) -> str | None:
    """Return what stands for a message's media, such as ``sticker 😀``, or None without any."""
    kind = raw.get("media_type")
    if kind is not None:
        words = [str(kind).replace("_", " "), raw.get("sticker_emoji") or raw.get("title")]
    else:
        kind = next((what for name, what in _MEDIA_FIELDS if raw.get(name) is not None), None)
        if kind is None:
            return None
        words = [kind, _detail(kind, raw)]
    return " ".join(str(word) for word in words if word)


def _detail(kind: str, raw: Mapping[str, Any]) -> str | None:
    if kind == "file":
        name = raw.get("file_name")
        return str(name) if name else None
    if kind == "contact" and isinstance(raw["contact_information"], dict):
        contact = raw["contact_information"]
        return " ".join(
            str(contact[part]) for part in ("first_name", "last_name") if contact.get(part)
        )
    if kind == "location":
        return str(raw["place_name"]) if raw.get("place_name") else None
    return str(raw["game_title"]) if kind == "game" else None


def _poll(value: object) -> str:
    """Return a poll as its question and one line an answer."""
    if not isinstance(value, dict):
        return ""
    answers = value.get("answers")
    lines = [_text(value.get("question"))]
    lines += [
        f"- {_text(answer.get('text'))}"
        for answer in (answers if isinstance(answers, list) else [])
        if isinstance(answer, dict)
    ]
    return "\n".join(lines).strip()

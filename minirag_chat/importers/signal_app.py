"""Reads the Signal app's own JSON export: ``main.jsonl``, with one record of the backup per line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import (
    OWNER,
    Importer,
    Sample,
    as_text,
    clean_name,
    object_at,
    objects,
)
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import object_in
from minirag_chat.importers.kinds import kind_of_mime
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_RECORD = lazy(r'[ \t]*\{\s*"(?:recipient|chat|chatItem|account)"\s*:\s*\{')
_WHOLE = 1000  # characters of a line that a sample may have cut off
_HEADER = lazy(r'^[ \t]*\{.*"backupTimeMs"\s*:', re.MULTILINE)
_MENTION = "\ufffc"
_SHOWN = 8  # characters of the id of a person without a name


class SignalApp(Importer):
    """The importer for the export of Signal for Android and Desktop."""

    name = "signal"
    title = "Signal (the app's JSON export)"
    files = "main.jsonl, in a folder with metadata.json and files/"
    how = "Signal: Settings, Chats, Export chat history; choose JSON, with or without media."
    companions = ("metadata.json",)

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first lines are records of a Signal backup."""
        if not sample.text.lstrip().startswith("{"):
            return "it is no JSON Lines file"
        lines = sample.text.split("\n")
        if _HEADER.search(sample.text) is None and not any(map(_is_record, lines)):
            return "its lines are no `recipient`, `chat` and `chatItem` of a Signal backup"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield every chat, in pieces."""
        reader = _Reader(context)
        yield from in_pieces(reader.messages(), reader.describe)


class _Reader:
    """Reads the records in one pass; people and chats come before their messages."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._names: dict[str, str] = {}
        self._name_of_account: dict[str, str] = {}
        self._groups: set[str] = set()
        self._keys: dict[str, str] = {}
        self._recipient_of: dict[str, str] = {}

    def messages(self) -> Iterator[tuple[str, ParsedMessage | None]]:
        """Yield the messages with the id of their chat."""
        for line, record in self._context.records():
            match record:
                case {"account": dict(account)}:
                    parts = (as_text(account.get(part)) for part in ("givenName", "familyName"))
                    self._context.owner = clean_name(" ".join(parts))
                case {"recipient": {"id": identity} as who}:
                    own = self._context.owner if "self" in who else ""
                    self._names[str(identity)] = own or _name(who)
                    self._keys[str(identity)] = key = _key(who)
                    self._name_of_account[key] = self._names[str(identity)]
                    if "group" in who:
                        self._groups.add(str(identity))
                case {"chat": {"id": identity, "recipientId": recipient}}:
                    self._recipient_of[str(identity)] = str(recipient)
                case {"chatItem": {"chatId": chat} as item}:
                    yield str(chat), self._message(line, item)
                case {"chatItem": _}:
                    self._context.skip("a message without chatId", line)

    def describe(self, chat: str) -> ParsedChat:
        """Return a chat without its messages."""
        recipient = self._recipient_of.get(chat, "")
        return self._context.chat(
            "signal",
            key=self._keys.get(recipient),
            title=self._names.get(recipient),
            kind="group" if recipient in self._groups else "direct",
        )

    def _message(self, line: int, item: Mapping[str, Any]) -> ParsedMessage | None:
        if any(kind in item for kind in ("updateMessage", "directionless")):
            self._context.system_lines += 1
            return None
        body: Mapping[str, Any] = next(
            (item[kind] for kind in _BODIES if isinstance(item.get(kind), dict)), {}
        )
        quote = object_at(body, "quote")
        return self._context.message(
            line,
            self._context.since_1970(item.get("dateSent"), milliseconds=True),
            self._names.get(as_text(item.get("authorId")), ""),
            self._with_mentions(_text(body), body),
            _attachments(body),
            deleted=any(kind in item for kind in _DELETED),
            source_id=_identity(item.get("dateSent"), item.get("authorId")),
            reply_to=_identity(quote.get("targetSentTimestamp"), quote.get("authorId")),
            edited=bool(item.get("revisions")),
            reactions=tuple(self._reactions(body.get("reactions"))),
        )

    def _with_mentions(self, text: str, body: Mapping[str, Any]) -> str:
        """Return a text with the names of the people for whom it has placeholders."""
        ranges = objects(object_at(body, "text").get("bodyRanges"))
        mentions = [r for r in ranges if "mentionAci" in r and isinstance(r.get("start"), int)]
        for mention in sorted(mentions, key=lambda r: int(r["start"])):
            name = self._name_of_account.get(as_text(mention["mentionAci"]))
            text = text.replace(_MENTION, f"@{name}" if name else "@?", 1)
        return text

    def _reactions(self, value: object) -> Iterator[Reaction]:
        for item in objects(value):
            author = self._names.get(as_text(item.get("authorId")), "")
            yield Reaction(as_text(item.get("emoji")), author)


_BODIES = (
    "standardMessage", "directStoryReplyMessage", "stickerMessage", "contactMessage", "poll",
    "viewOnceMessage",
)  # fmt: skip

_DELETED = (
    "remoteDeletedMessage",
    "adminDeletedMessage",
)  # by its sender, or by an admin of the group


def _is_record(line: str) -> bool:
    """Whether a line is one record, and not the beginning of an object with more in it."""
    if _RECORD.match(line) is None:
        return False
    found = object_in(line)
    return len(found) == 1 if isinstance(found, dict) else len(line) > _WHOLE


def _identity(sent: object, author: object) -> str | None:
    """The key by which a quotation names a message: its time and sender."""
    return f"{as_text(sent)} {as_text(author)}" if sent else None


def _key(who: Mapping[str, Any]) -> str:
    """The key of a person or group, the same on every phone; the ids of chats belong to one database."""
    if "group" in who:
        return as_text(object_at(who, "group").get("masterKey"))
    contact = object_at(who, "contact")
    known = (as_text(contact.get(name)) for name in ("aci", "pni", "e164", "username"))
    return next(filter(None, known), "self" if "self" in who else "")


def _name(who: Mapping[str, Any]) -> str:
    name = ""
    match who:
        case {"self": _}:
            name = OWNER
        case {"contact": dict(contact)}:
            name = _contact_name(contact)
        case {"group": {"snapshot": {"title": {"title": str(title)}}}}:
            name = title
        case {"group": {"snapshot": {"title": str(title)}}}:
            name = title
        case {"releaseNotes": _}:
            name = "Signal"
    return name


def _contact_name(contact: Mapping[str, Any]) -> str:
    """A contact's name: the nickname, else from the address book, the profile, or the number or id."""
    for given, family, source in (
        ("given", "family", object_at(contact, "nickname")),
        ("systemGivenName", "systemFamilyName", contact),
        ("profileGivenName", "profileFamilyName", contact),
    ):
        full = f"{as_text(source.get(given))} {as_text(source.get(family))}".strip()
        if full:
            return full
    number = as_text(contact.get("e164"))
    known = as_text(contact.get("username")) or (number and f"+{number.lstrip('+')}")
    account = as_text(contact.get("aci")) or as_text(contact.get("pni"))
    return known or (account and f"Unknown {account[:_SHOWN]}")


def _shared_name(contact: Mapping[str, Any]) -> str:
    """The name of a contact that was sent as a message, or its company."""
    name = object_at(contact, "name")
    parts = (as_text(name.get(part)) for part in ("givenName", "familyName"))
    return " ".join(filter(None, parts)) or as_text(contact.get("organization"))


def _text(body: Mapping[str, Any]) -> str:
    match body:
        case {"text": {"body": str(text)}}:
            return text
        case {"textReply": {"text": {"body": str(text)}}}:
            return text
        case {"emoji": str(emoji)}:  # the reply to a story is an emoji
            return emoji
        case {"question": str(question)}:
            lines = [f"- {as_text(o.get('option'))}" for o in objects(body.get("options"))]
            return "\n".join([question, *lines])
    return ""


def _attachments(body: Mapping[str, Any]) -> Iterator[Attachment]:
    for item in objects(body.get("attachments")):
        pointer = object_at(item, "pointer")
        kind = kind_of_mime(as_text(pointer.get("contentType")))
        voice = item.get("flag") == "VOICE_MESSAGE"
        yield Attachment(as_text(pointer.get("fileName")), "voice message" if voice else kind)
    sticker = body.get("sticker")
    if isinstance(sticker, dict):
        yield Attachment(as_text(sticker.get("emoji")), "sticker")
    for contact in objects(body.get("contact")) or objects([body.get("contact")]):
        yield Attachment(_shared_name(contact), "contact")
    if isinstance(body.get("attachment"), dict):
        yield Attachment("", "view-once media")

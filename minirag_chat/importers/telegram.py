"""Reads Telegram Desktop's JSON exports: one chat, or everything (``chats`` and ``left_chats``)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, clean_name, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import Path, place
from minirag_chat.importers.kinds import kind_of_mime
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.importers.telegram_parts import list_in, media_of, text_in
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

_CHAT_TYPE = lazy(
    r'"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))"'
)
_MESSAGE = lazy(r'"(?:date_unixtime|from_id|actor_id|text_entities)"\s*:')
_MESSAGES = lazy(r'"messages"\s*:\s*\[')
_WHOLE = lazy(r'"about"\s*:\s*"[^"]*Telegram|"(?:left_)?chats"\s*:\s*\{\s*"(?:about|list)"')
_DIRECT_TYPES = ("personal_chat", "bot_chat", "saved_messages")
_GROUP_TYPES = lazy(r"(?:private|public)_(?:group|supergroup|channel)")
_NO_NAME = "Deleted Account"
_LISTS = ("chats", "left_chats")
_PAIR = 2  # accounts in a direct chat
_MOST_NAMES = 100_000
_SIGNS = {"paid": "⭐"}
"""The signs of reactions that the app writes without one."""
_NEVER = (
    "1970-01-01",
    "1969-12-31",
)  # when messages were edited that never were, in exports before 2020


class Telegram(Importer):
    """The importer for Telegram Desktop's ``result.json``."""

    name = "telegram"
    title = "Telegram JSON"
    files = "result.json"
    how = (
        "Telegram Desktop: a chat's menu, Export chat history (or Settings, Advanced, Export "
        "Telegram data), format: machine-readable JSON."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a JSON object with Telegram's fields, even if it is truncated."""
        text = sample.text.lstrip()
        if not text.startswith("{"):
            return "it is not a JSON object"
        is_chat = _MESSAGES.search(text) and _MESSAGE.search(text)
        if is_chat or _CHAT_TYPE.search(text) or _WHOLE.search(text):
            return None
        return "it has no `messages` or `chats` with Telegram's fields"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield every chat with messages, in pieces."""
        reader = _Reader(context)
        yield from in_pieces(reader.messages(), reader.describe)
        reader.record_empty_chats()
        context.owner = reader.owner()


def _enter(path: tuple[str | int, ...]) -> bool:
    """Whether a path is that of a message, in a single chat or a list of chats."""
    if path and path[0] in _LISTS:
        return len(path) == 1 or (
            path[1] == "list" and (len(path) <= 3 or (len(path) == 4 and path[3] == "messages"))  # noqa: PLR2004 - chats.list.0.messages
        )
    return path in ((), ("messages",))


class _Reader:
    """Reads the file in one pass; facts about a chat may come before or after its messages."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._facts: dict[Path, dict[str, object]] = {}
        self._counts: Counter[Path] = Counter()
        self._names: dict[str, str] = {}  # names of accounts by id
        self._accounts: dict[Path, set[str]] = defaultdict(
            set
        )  # the first writers of each chat, by id

    def messages(self) -> Iterator[tuple[Path, ParsedMessage | None]]:
        """Yield the messages with the path of their chat."""
        for path, value in self._context.values(_enter):
            chat = path[:3] if path and path[0] in _LISTS else ()
            inner = path[len(chat) :]
            if len(inner) == 2 and inner[0] == "messages":  # noqa: PLR2004 - messages.17
                self._facts.setdefault(chat, {})
                self._counts[chat] += 1
                where = f"{self._where(chat)}, message {self._counts[chat]}"
                message = _message(value, where, self._context)
                if message is not None:
                    self._learn(chat, as_text(value.get("from_id")), message.sender)
                yield chat, message
            elif len(inner) == 1 and isinstance(inner[0], str):
                self._facts.setdefault(chat, {})[inner[0]] = value
            elif len(path) == 3:  # noqa: PLR2004 - chats.list.0
                self._context.skip(f"{place(path)} is not an object")

    def _learn(self, chat: Path, account: str, name: str) -> None:
        if account in self._names or len(self._names) < _MOST_NAMES:
            self._names[account] = name
        if len(self._accounts[chat]) <= _PAIR:
            self._accounts[chat].add(account)

    def owner(self) -> str:
        """Return the name of the export's owner; empty if the file does not say.

        A full export has it. In the export of a direct chat it is the sender who is not the other person.
        """
        about = self._facts.get((), {}).get("personal_information")
        if isinstance(about, dict) and about.get("user_id"):
            return self._names.get(f"user{about['user_id']}", "")
        found = {
            account
            for chat, accounts in self._accounts.items()
            if self._facts[chat].get("type") == "personal_chat" and self._facts[chat].get("id")
            for account in accounts - {f"user{self._facts[chat]['id']}"}
            if len(accounts) <= _PAIR and account.startswith("user")
        }
        return self._names.get(found.pop(), "") if len(found) == 1 else ""

    def describe(self, chat: Path) -> ParsedChat:
        """Return a chat without its messages."""
        facts = self._facts.get(chat, {})
        key, title = facts.get("id"), self._title(facts)
        return self._context.chat(
            Telegram.name,
            key=None if key is None else str(key),
            title=title,
            kind=_kind(facts.get("type")),
        )

    def record_empty_chats(self) -> None:
        """Record chats without any message in the file."""
        for chat, facts in self._facts.items():
            is_chat = bool(chat) or "messages" in facts or self._counts[chat] > 0
            if is_chat and not self._counts[chat]:
                self._context.skip(f"{self._where(chat)} has no `messages`")
        if not self._facts and self._context.damage is None:
            self._context.skip("neither `messages` nor `chats` with any in it")

    def _where(self, chat: Path) -> str:
        facts = self._facts[chat]
        return f"chat {self._title(facts) or facts.get('id') or place(chat or ('messages',))}"

    def _title(self, facts: Mapping[str, object]) -> str | None:
        title = facts.get("name")
        if not title and facts.get("type") == "saved_messages":
            return "Saved Messages"
        return as_text(title) or None


def _kind(chat_type: object) -> ChatKind | None:
    if chat_type in _DIRECT_TYPES:
        return "direct"
    return "group" if _GROUP_TYPES.fullmatch(str(chat_type)) else None


def _message(raw: object, where: str, context: ImportContext) -> ParsedMessage | None:
    """Return one message, or None for a service message or an invalid one."""
    if not isinstance(raw, dict):
        context.skip(f"{where} is not an object")
        return None
    if raw.get("type") == "service":
        context.system_lines += 1
        return None
    if raw.get("type", "message") != "message":
        context.skip(f"{where} is of the type {raw['type']!r}, which Telegram did not export")
        return None
    sent_at = _sent_at(raw, context)
    if sent_at is None:
        context.skip(f"{where} has no date that can be read")
        return None
    never = as_text(raw.get("edited")).startswith(_NEVER)
    was_edited = ("edited" in raw or "edited_unixtime" in raw) and not never
    text, media = text_in(raw.get("text")), media_of(raw)
    context.media += media is not None
    if not text.strip() and media is None:
        text = list_in(raw)
    if not text.strip() and media is None:
        context.skip(f"{where} has no text")
        return None
    elsewhere = "reply_to_peer_id" in raw  # the answered message is in another chat
    reply = None if elsewhere else raw.get("reply_to_message_id")
    forwarded = raw.get("forwarded_from", raw.get("saved_from"))
    return ParsedMessage(
        sent_at,
        _sender(raw),
        text if text.strip() else f"[{media}]",
        kind="text" if text.strip() else "media",
        source_id=None if raw.get("id") is None else str(raw["id"]),
        reply_to=None if reply is None else str(reply),
        edited=was_edited,
        edited_at=context.edited_at(raw.get("edited_unixtime") or raw.get("edited"))
        if was_edited
        else 0,
        forwarded_from=clean_name(as_text(forwarded)) or None,
        attachments=() if media is None else (_attachment(raw, media),),
        reactions=tuple(_reactions(raw.get("reactions"))),
    )


def _attachment(raw: Mapping[str, Any], media: str) -> Attachment:
    """Return the name of a message's file, without the folder, and its kind."""
    path = str(raw.get("file") or raw.get("photo") or "")
    # "(File not included. Change data exporting settings to download.)" is not a file name.
    name = raw.get("file_name") or ("" if path.startswith("(") else path)
    name = basename(str(name))
    kind = raw.get("media_type") or media.split(" ", maxsplit=1)[0]
    if kind == "file":  # a photo or a video that was sent as a file has no type of its own
        kind = kind_of_mime(as_text(raw.get("mime_type")))
    return Attachment(name, str(kind).replace("_", " "))


def _reactions(value: object) -> Iterator[Reaction]:
    """Yield one reaction for each person named, or one in all if only the number is known.

    A custom emoji is a picture in a file, and has no sign of its own.
    """
    for reaction in objects(value):
        emoji = as_text(reaction.get("emoji")) or _SIGNS.get(as_text(reaction.get("type")), "")
        if not emoji:
            continue
        people = objects(reaction.get("recent"))
        for who in people:
            yield Reaction(emoji, clean_name(as_text(who.get("from"))))
        if not people:
            yield Reaction(emoji)


def _sender(raw: Mapping[str, Any]) -> str:
    """Return the sender's name; for deleted accounts it has the id."""
    name = clean_name(as_text(raw.get("from")))
    return name or " ".join([_NO_NAME, *([str(raw["from_id"])] if raw.get("from_id") else [])])


def _sent_at(raw: Mapping[str, Any], context: ImportContext) -> datetime | None:
    """Return ``date_unixtime`` in the chosen zone; older exports only have ``date``, a wall-clock time."""
    return context.since_1970(raw.get("date_unixtime")) or context.iso(raw.get("date"))

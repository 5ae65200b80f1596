"""Reads Zulip's export: files of a thousand messages each, beside one list of people, channels and reactions.

Written from Zulip's description of the format, and not tested on a real export.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text
from minirag_chat.importers.beside import lists_beside
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import quoted_place
from minirag_chat.importers.kinds import chat_kind, file_kind
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

_MESSAGES = "zerver_message"
_LIST = lazy(rf'\s*\{{.*?"{_MESSAGES}"\s*:\s*\[', re.DOTALL)
_MENTION = lazy(r"([@#])_?\*\*([^*|\n]{1,200})(?:\|\d{1,20})?\*\*")
_FILE = lazy(r"\[[^\]\n]{0,200}\]\(/user_uploads/[^)\s]{0,500}/([^)/\s]{1,200})\)")
_PERSONAL, _CHANNEL = "1", "2"  # types of recipients; all others are groups
_NOTICES = "notification-bot@"  # the address of the bot that reports events begins so


class Zulip(Importer):
    """The importer for Zulip's export of an organization."""

    name = "zulip"
    title = "Zulip"
    files = "messages-000001.json … beside realm.json, in the .tar.gz that Zulip gives (unpack it first)"
    how = (
        "An administrator: Organization settings, Data exports, Start export; or `./manage.py export` on the "
        "server."
    )
    companions = ("realm.json", "attachment.json", "records.json", "migration_status.json")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with Zulip's table of messages."""
        return None if _LIST.match(sample.text) else "it has no list `zerver_message`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each topic of a channel and each direct chat, in pieces."""
        reader = _Reader(context, _organization(context))
        return in_pieces(reader.messages(), reader.describe)


class _Organization:
    """People, channels and reactions of ``realm.json``, by their ids."""

    def __init__(self, context: ImportContext) -> None:
        self.names: dict[str, str] = {}
        self.notices: set[str] = set()
        self.channels: dict[str, str] = {}
        self.recipients: dict[str, tuple[str, str]] = {}
        self.members: dict[str, set[str]] = defaultdict(set)
        self.reactions: dict[str, list[tuple[str, str]]] = defaultdict(list)
        readers = {
            "zerver_userprofile": self._person,
            "zerver_userprofile_mirrordummy": self._person,
            "zerver_userprofile_crossrealm": self._person,
            "zerver_stream": self._channel,
            "zerver_recipient": self._recipient,
            "zerver_subscription": self._member,
            "zerver_reaction": self._reaction,
        }
        for table, row in lists_beside(
            context.file.near("realm.json"), context.options, frozenset(readers)
        ):
            readers[table](row)

    def _person(self, row: Mapping[str, Any]) -> None:
        identity, address = as_text(row.get("id")), as_text(row.get("email"))
        self.names[identity] = as_text(row.get("full_name")) or address
        if address.startswith(_NOTICES):
            self.notices.add(identity)

    def _channel(self, row: Mapping[str, Any]) -> None:
        self.channels[as_text(row.get("id"))] = as_text(row.get("name"))

    def _recipient(self, row: Mapping[str, Any]) -> None:
        self.recipients[as_text(row.get("id"))] = (
            as_text(row.get("type")),
            as_text(row.get("type_id")),
        )

    def _member(self, row: Mapping[str, Any]) -> None:
        self.members[as_text(row.get("recipient"))].add(as_text(row.get("user_profile")))

    def _reaction(self, row: Mapping[str, Any]) -> None:
        given = (as_text(row.get("emoji_name")), as_text(row.get("user_profile")))
        self.reactions[as_text(row.get("message"))].append(given)


def _organization(context: ImportContext) -> _Organization:
    """What ``realm.json`` says, read once for all files of the export."""
    beside = context.file.inside.rpartition("/")[0]
    found = context.file.folder.once(f"zulip {beside}", lambda: _Organization(context))
    if not found.names:
        context.notes.append(
            "Zulip's realm.json is not beside the messages: people and channels have numbers as names; "
            "import the whole export."
        )
    return found


class _Reader:
    """Reads the messages of one file."""

    def __init__(self, context: ImportContext, organization: _Organization) -> None:
        self._context = context
        self._all = organization
        self._chats: dict[str, ParsedChat] = {}

    def messages(self) -> Iterator[tuple[str, ParsedMessage | None]]:
        """Yield the messages with the keys of their chats."""
        for path, value in self._context.values(lambda path: path in ((), (_MESSAGES,))):
            if path[:1] != (_MESSAGES,):
                continue
            listed = len(path) > 1 and isinstance(path[1], int)
            where = f"message {path[1]}" if listed else quoted_place(path)
            if not isinstance(value, dict):
                self._context.skip(f"{where} is not an object")
            elif as_text(value.get("sender")) in self._all.notices:
                self._context.system_lines += 1
            else:
                yield self._chat(value), self._message(where, value)

    def describe(self, key: str) -> ParsedChat:
        """Return a chat without its messages."""
        return self._chats[key]

    def _chat(self, raw: Mapping[str, Any]) -> str:
        """The key of a message's chat: a channel's topic, or the people of a chat without a name."""
        recipient, sender = as_text(raw.get("recipient")), as_text(raw.get("sender"))
        kind, whose = self._all.recipients.get(recipient, ("", recipient))
        title: str | None = None
        if kind in ("", _CHANNEL):
            topic = as_text(raw.get("subject")).strip("\a ")
            key = f"{whose} > {topic}"
            title = f"{self._all.channels.get(whose) or whose} > {topic}".removesuffix(" > ")
            of_chat: ChatKind = "group"
        else:
            people = {sender, whose} if kind == _PERSONAL else self._all.members[recipient]
            key, of_chat = "~".join(sorted(people)) or recipient, chat_kind(len(people))
        if key not in self._chats:
            self._chats[key] = self._context.chat(Zulip.name, key=key, title=title, kind=of_chat)
        return key

    def _message(self, where: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        identity, text = as_text(raw.get("id")), as_text(raw.get("content"))
        edited = self._context.edited_at(raw.get("last_edit_time"))
        return self._context.message(
            where,
            self._context.since_1970(raw.get("date_sent")),
            self._named(as_text(raw.get("sender"))),
            _MENTION.sub(r"\1\2", text),
            [Attachment(name, file_kind(name)) for name in _FILE.findall(text)],
            source_id=identity or None,
            edited=edited > 0,
            edited_at=edited,
            reactions=tuple(
                Reaction(f":{emoji}:", self._named(who))
                for emoji, who in self._all.reactions.get(identity, ())
            ),
        )

    def _named(self, person: str) -> str:
        return self._all.names.get(person) or person

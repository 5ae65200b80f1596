"""Reads the export of a personal Microsoft account's chats in Teams and Skype: ``messages.json``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import (
    OWNER,
    Importer,
    Sample,
    as_text,
    clean_name,
    json_mismatch,
    object_at,
    objects,
)
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.html_tree import unescaped
from minirag_chat.importers.jsonwalk import Path, is_prefix, quoted_place
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.limits import LONGEST_NAME, cell
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.importers.teams_content import Content
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

_LIST = lazy(r'"MessageList"\s*:')
_OWN = lazy(r'"conversations"\s*:\s*\[')
_OF_TWO = lazy(r"@(?:unq|p2p)\.")
_MOST_NAMES = 500_000
_MILLISECONDS = 1000
_TEXTS = ("Text", "RichText", "RichText/Html", "RichText/Sms")
_MEDIA = {
    "RichText/UriObject": "photo",
    "RichText/Media_Album": "photo",
    "RichText/Media_Video": "video",
    "RichText/Media_AudioMsg": "voice message",
    "RichText/Media_GenericFile": "file",
    "RichText/Files": "file",
    "RichText/Media_FlikMsg": "video",
    "RichText/Media_Card": "card",
    "RichText/Media_CallRecording": "recording",
    "RichText/Contacts": "contact",
    "RichText/Location": "location",
    "Poll": "poll",
}
_EMOJI = {"like": "👍", "heart": "❤️", "laugh": "😆", "surprised": "😮", "sad": "😢", "angry": "😠"}
_EMOJI |= {"yes": "👍", "no": "👎", "clap": "👏", "cry": "😢", "ok": "👌"}
_SKIN = lazy(r"-tone\d")
_CODE = lazy(r"(?P<code>[0-9a-f]{4,5}(?:-[0-9a-f]{4,5})*)_\w+")  # 1f389_partypopper
_NAMED = lazy(
    r'<part identity="([^"<>]*)">\s*<name>([^<]*)</name>'
    r"|<id>([^<]*)</id>\s*<friendlyName>([^<]*)</friendlyName>"
    r'|<quote author="([^"<>]*)" authorname="([^"<>]*)"'
)
"""Names of people next to their ids, in calls, notices and quotations."""


class Teams(Importer):
    """The importer for the export of Teams (free) and Skype."""

    name = "teams"
    title = "Microsoft Teams or Skype (personal)"
    files = "messages.json, in the .tar that Microsoft sends (unpack it first)"
    how = (
        "Signed in with the personal account, go.skype.com/export: choose Conversations, submit, "
        "download the .tar when it is ready, and unpack it."
    )
    companions = ("endpoints.json",)

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for conversations with a ``MessageList``."""
        missing = "it has no `conversations` with a `MessageList`"
        return json_mismatch(sample, "{", (_OWN, _LIST), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each conversation, in pieces. The file is read twice: first for people's names."""
        reader = _Reader(context)
        yield from in_pieces(reader.messages(), reader.describe)
        reader.record_notes()


def _enter(path: Path) -> bool:
    """Whether a path leads to a message: ``conversations.0.MessageList.17``."""
    return is_prefix(path, ("conversations", None, "MessageList"))


def _is_message(path: Path) -> bool:
    return len(path) == 4  # noqa: PLR2004 - conversations.0.MessageList.17


class _Reader:
    """Reads the messages with the names of all people, from the first pass."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._owner = ""
        self._names: dict[str, str] = {}
        self._other_names: dict[str, str] = {}  # from calls and the like
        self._facts: dict[int, dict[str, str]] = {}
        self._any = False
        self._learn()

    def _learn(self) -> None:
        for path, value in self._context.values_first_pass(_enter):
            if path == ("userId",):
                self._owner = _identity(value)
            elif len(path) == 3 and path[2] in ("id", "displayName"):  # noqa: PLR2004 - conversations.0.id
                self._facts.setdefault(int(path[1]), {})[str(path[2])] = as_text(value)
            elif len(path) == 3 and path[2] == "threadProperties" and isinstance(value, dict):  # noqa: PLR2004
                self._facts.setdefault(int(path[1]), {})["topic"] = as_text(value.get("topic"))
            elif _is_message(path) and isinstance(value, dict) and len(self._names) < _MOST_NAMES:
                self._learn_names(value)
        for facts in self._facts.values():  # the id of a direct chat is that of the other person
            if facts.get("displayName"):
                self._names.setdefault(_identity(facts.get("id")), facts["displayName"])
        self._names = self._other_names | self._names
        self._context.owner = self._names.get(self._owner, "")

    def _learn_names(self, raw: Mapping[str, Any]) -> None:
        name = clean_name(as_text(raw.get("displayName")))[:LONGEST_NAME]
        if name:
            self._names[_identity(raw.get("from"))] = name
        for found in _NAMED.finditer(as_text(raw.get("content"))):
            person, written = (part for part in found.groups() if part is not None)
            identity, name = _identity(person), clean_name(unescaped(written))[:LONGEST_NAME]
            if name and _identity(name) != identity:
                self._other_names[identity] = name

    def messages(self) -> Iterator[tuple[int, ParsedMessage | None]]:
        """Yield the messages with the numbers of their conversations."""
        for path, value in self._context.values(_enter):
            if not _is_message(path):
                if len(path) == 2:  # noqa: PLR2004 - conversations.0
                    self._context.skip(f"{quoted_place(path)} is not an object")
                continue
            self._any = True
            where = f"message {path[3]} of {quoted_place(path[:2])}"
            if not isinstance(value, dict):
                self._context.skip(f"{where} is not an object")
            else:
                yield int(path[1]), self._message(where, value)

    def describe(self, number: int) -> ParsedChat:
        """Return a conversation without its messages."""
        facts = self._facts.get(number, {})
        key = facts.get("id", "")
        kind: ChatKind | None = None
        if key:  # 19: is a thread, 8: a person, 28: a bot, 48: the person's own notes
            kind = "group" if key.startswith("19:") and not _OF_TWO.search(key) else "direct"
        title = facts.get("displayName") or facts.get("topic")
        return self._context.chat(Teams.name, key=key, title=title, kind=kind)

    def record_notes(self) -> None:
        """Record a file without any message."""
        if not self._any and self._context.damage is None:
            self._context.skip("there is no `MessageList` with messages in it")

    def _message(self, where: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        kind, about = as_text(raw.get("messagetype")), object_at(raw, "properties")
        media = _MEDIA.get(kind)
        if kind not in _TEXTS and media is None:
            self._context.system_lines += 1
            return None
        said = Content(as_text(raw.get("content")), kind)
        edited_at = self._context.edited_at(cell(about.get("edittime"))) // _MILLISECONDS
        files = said.files(media) + _files(about)
        unsaid = not (said.text or files)
        deleted = bool(about.get("deletetime")) or (
            unsaid and (said.edited or "isdeleted" in about)
        )
        return self._context.message(
            where,
            self._context.iso(raw.get("originalarrivaltime")),
            self._name(raw.get("from"), raw.get("displayName")),
            said.text if media in (None, "location", "poll") else "",
            () if deleted else files,
            deleted=deleted,
            source_id=as_text(raw.get("id")) or None,
            reply_to=said.parent or None,
            forwarded_from=said.forwarded_from or None,
            edited=said.edited or edited_at > 0,
            edited_at=edited_at or self._context.edited_at(said.edited_at),
            reactions=tuple(self._reactions(about.get("emotions"))),
        )

    def _name(self, person: object, shown: object = None) -> str:
        identity = _identity(person)
        name = self._names.get(identity) or clean_name(as_text(shown))
        return name or (OWNER if identity and identity == self._owner else identity)

    def _reactions(self, value: object) -> Iterator[Reaction]:
        for item in _listed(value):
            for user in _listed(item.get("users")):
                yield Reaction(_emoji(as_text(item.get("key"))), self._name(user.get("mri")))


def _identity(person: object) -> str:
    """Return a person's id without the network's prefix: ``8:live:ann`` is ``live:ann``."""
    text = as_text(person).rpartition("/")[2]
    number, colon, rest = text.partition(":")
    return rest if colon and number.isdecimal() else text


def _listed(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list, which may be a string with JSON."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    return objects(value)


def _emoji(key: str) -> str:
    """Return the emoji that a reaction's key names, or the key."""
    key = _SKIN.sub("", key)
    if match := _CODE.fullmatch(key):
        return "".join(chr(int(code, 16)) for code in match["code"].split("-"))
    return _EMOJI.get(key, key)


def _files(about: Mapping[str, Any]) -> list[Attachment]:
    files = _listed(about.get("files"))
    names = [as_text(file.get("fileName") or file.get("title")) for file in files]
    cards = [object_at(card, "content") for card in _listed(about.get("cards"))]
    return [Attachment(name, file_kind(name)) for name in names] + [
        Attachment(as_text(card.get("title")), "card") for card in cards
    ]

"""Reads direct messages of an archive of X, once Twitter: ``direct-messages.js``, newest message first.

The archive has ids of people instead of names. The owner's name is in ``account.js``; those of others are in
posts of the owner that mention them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import OWNER, Importer, Sample, as_text, object_at, objects
from minirag_chat.importers.beside import objects_beside
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import Step, place
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

_OWN = lazy(r'"dmConversation"\s*:')
_EMPTY = lazy(r"\s*window\.YTD\.direct_messages\w{0,20}\.part\d+\s*=\s*\[\s*\]\s*")
_WAY = ("dmConversation", "messages")
_EMOJI = {"agree": "👍", "disagree": "👎", "funny": "😂", "surprised": "😲", "sad": "😢", "excited": "🔥",
          "like": "❤️"}  # fmt: skip
_ESCAPED = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_OWN_MEDIA = "/messages/media/"  # in the link that a message has for its own picture
_NAMES = "names of people on X"


class XMessages(Importer):
    """The importer for the archive's direct messages."""

    name = "x"
    title = "X (Twitter)"
    files = "direct-messages.js and direct-messages-group.js in data/, or the zip"
    how = (
        "X: Settings, Your account, Download an archive of your data; import the whole zip, whose other "
        "files have the names of people."
    )
    companions = ("account.js", "tweets.js", "direct-message-headers.js", "manifest.js")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a list of direct messages, which may be empty."""
        found = _OWN.search(sample.text) or _EMPTY.fullmatch(sample.text)
        return None if found else "it has no `dmConversation`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each chat, in pieces."""
        reader = _Reader(context)
        return in_pieces(reader.messages(), reader.describe, newest_first=True)


def _along(path: tuple[Step, ...]) -> bool:
    return path[1:] == _WAY[: len(path) - 1] if path else True


class _Reader:
    """Reads the messages with the names that the archive has."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._chats: dict[Step, str] = {}  # places of conversations, and their ids
        self._titles: dict[str, str] = {}
        self._people: dict[str, dict[str, None]] = {}  # of each chat
        known = context.file.folder.once(_NAMES, lambda: _names(context))
        self._owner, self._names = known
        context.owner = self._names.get(self._owner, "")

    def messages(self) -> Iterator[tuple[str, ParsedMessage | None]]:
        """Yield the messages with the ids of their chats."""
        for path, value in self._context.values(_along):
            where = place(path)
            if path[1:] == (_WAY[0], "conversationId"):
                self._chats[path[0]] = as_text(value)
            elif path[1:-1] != _WAY:
                if path[1:2] != _WAY[:1]:
                    self._context.skip(f"what is at {where} is no conversation")
            elif isinstance(value, dict):
                chat = self._chats.get(path[0], "")
                yield chat, self._message(where, chat, value)
            else:
                self._context.skip(f"{where} is not an object")

    def describe(self, key: str) -> ParsedChat:
        """Return a chat without its messages."""
        people = self._people.get(key, {})
        others = [self._name(one) for one in people if one != self._owner]
        title = self._titles.get(key) or ", ".join(others)
        kind: ChatKind = "direct" if "-" in key else "group"
        return self._context.chat(XMessages.name, key=key, title=title, kind=kind)

    def _name(self, person: str) -> str:
        return self._names.get(person) or (OWNER if person == self._owner else person)

    def _message(self, where: str, chat: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        said = object_at(raw, "messageCreate")
        if not said:
            self._context.system_lines += 1
            title = as_text(object_at(raw, "conversationNameUpdate").get("name"))
            if title:
                self._titles.setdefault(chat, title)
            return None
        sender = as_text(said.get("senderId"))
        people = self._people.setdefault(chat, {})
        people |= dict.fromkeys((sender, as_text(said.get("recipientId")) or sender))
        return self._context.message(
            where,
            self._context.iso(said.get("createdAt")),
            self._name(sender),
            _text(said),
            _attachments(said),
            source_id=as_text(said.get("id")) or None,
            edited=bool(said.get("editHistory")),
            reactions=tuple(self._reactions(said)),
        )

    def _reactions(self, said: Mapping[str, Any]) -> Iterator[Reaction]:
        for item in objects(said.get("reactions")):
            key = as_text(item.get("reactionKey"))
            yield Reaction(_EMOJI.get(key, key), self._name(as_text(item.get("senderId"))))


def _names(context: ImportContext) -> tuple[str, dict[str, str]]:
    """Return the owner's id, and names of people by their ids."""
    owner, names = "", {}
    for item in objects_beside(context.file.near("account.js"), context.options):
        account = object_at(item, "account")
        owner = as_text(account.get("accountId"))
        names[owner] = as_text(account.get("accountDisplayName") or account.get("username"))
    for item in objects_beside(context.file.near("tweets.js"), context.options):
        tweet = object_at(item, "tweet")
        for who in objects(object_at(tweet, "entities").get("user_mentions")):
            name = as_text(who.get("name") or who.get("screen_name"))
            if name:
                names.setdefault(as_text(who.get("id_str")), name)
    return owner, names


def _text(said: Mapping[str, Any]) -> str:
    """Return the text with the links that were shortened, without those to the message's own files."""
    text = as_text(said.get("text"))
    for link in objects(said.get("urls")):
        short, long = as_text(link.get("url")), as_text(link.get("expanded"))
        if short and long:
            text = text.replace(short, "" if _OWN_MEDIA in long else long)
    for escaped, sign in _ESCAPED.items():
        text = text.replace(escaped, sign)
    return text


def _attachments(said: Mapping[str, Any]) -> Iterator[Attachment]:
    files = said.get("mediaUrls")
    for link in files if isinstance(files, list) else []:
        name = basename(as_text(link))
        yield Attachment(name, file_kind(name))

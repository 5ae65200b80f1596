"""Reads the export of a personal Microsoft account's chats in Teams and Skype: ``messages.json``."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from minirag_chat.importers.base import OWNER, Sample, as_text, clean_name, object_at, objects
from minirag_chat.importers.html_tree import markup_tree, text_of
from minirag_chat.importers.jsonwalk import is_along, place
from minirag_chat.importers.limits import LONGEST_NAME, cell
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from lxml import etree

    from minirag_chat.importers.context import ImportContext
    from minirag_chat.importers.jsonwalk import Path

_LIST = re.compile(r'"MessageList"\s*:')
_OWN = re.compile(r'"conversations"\s*:\s*\[')
_MOST_NAMES = 500_000
_MILLISECONDS = 1000
_TEXTS = ("Text", "RichText", "RichText/Html")
_MEDIA = {
    "RichText/UriObject": "photo",
    "RichText/Media_Album": "photo",
    "RichText/Media_Video": "video",
    "RichText/Media_AudioMsg": "voice message",
    "RichText/Media_GenericFile": "file",
    "RichText/Media_FlikMsg": "video",
    "RichText/Media_Card": "card",
    "RichText/Media_CallRecording": "recording",
    "RichText/Contacts": "contact",
    "RichText/Location": "location",
    "Poll": "poll",
}
_EMOJI = {"like": "👍", "heart": "❤️", "laugh": "😆", "surprised": "😮", "sad": "😢", "angry": "😠"}
_LONGEST_EMOJI = 20


class Teams:
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
        if not sample.text.lstrip().startswith("{"):
            return "it is not a JSON object"
        if not (_OWN.search(sample.text) and _LIST.search(sample.text)):
            return "it has no `conversations` with a `MessageList`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each conversation, in pieces. The file is read twice: first for people's names."""
        reader = _Reader(context)
        yield from in_pieces(reader.messages(), reader.describe)
        reader.tell()


def _is_on_the_way(path: Path) -> bool:
    """Whether a path leads to a message: ``conversations.0.MessageList.17``."""
    return is_along(path, ("conversations", None, "MessageList"))


def _is_message(path: Path) -> bool:
    return len(path) == 4  # noqa: PLR2004 - conversations.0.MessageList.17


class _Reader:
    """Reads the messages with the names of all people, from the first pass."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._owner = ""
        self._names: dict[str, str] = {}
        self._facts: dict[int, dict[str, str]] = {}
        self._any = False
        self._learn()

    def _learn(self) -> None:
        for path, value in self._context.values_first_pass(_is_on_the_way):
            if path == ("userId",):
                self._owner = _identity(value)
            elif len(path) == 3 and path[2] in ("id", "displayName"):  # noqa: PLR2004 - conversations.0.id
                self._facts.setdefault(int(path[1]), {})[str(path[2])] = as_text(value)
            elif _is_message(path) and isinstance(value, dict) and len(self._names) < _MOST_NAMES:
                name = clean_name(as_text(value.get("displayName")))[:LONGEST_NAME]
                if name:
                    self._names[_identity(value.get("from"))] = name
        self._context.owner = self._names.get(self._owner, "")
        for facts in self._facts.values():  # the id of a direct chat is that of the other person
            if facts.get("displayName"):
                self._names.setdefault(_identity(facts.get("id")), facts["displayName"])

    def messages(self) -> Iterator[tuple[int, ParsedMessage | None]]:
        """Yield the messages with the numbers of their conversations."""
        for path, value in self._context.values(_is_on_the_way):
            if not _is_message(path):
                if len(path) == 2:  # noqa: PLR2004 - conversations.0
                    self._context.skip(f"`{place(path).strip('`')}` is not an object")
                continue
            self._any = True
            where = f"message {path[3]} of `{place(path[:2]).strip('`')}`"
            if not isinstance(value, dict):
                self._context.skip(f"{where} is not an object")
            else:
                yield int(path[1]), self._message(where, value)

    def describe(self, chat: Hashable) -> ParsedChat:
        """Return a conversation without its messages."""
        facts = self._facts.get(chat, {})  # type: ignore[call-overload]  # in_pieces gives back what it was given
        key = facts.get("id", "")
        kind: ChatKind | None = (
            "direct"
            if key.startswith(("8:", "48:")) or "@unq." in key
            else "group"
            if key
            else None
        )
        title = self._context.options.chat_title or facts.get("displayName")
        return ParsedChat(Teams.name, (), key=key or None, title=title or None, kind=kind)

    def tell(self) -> None:
        """Record a file without any message."""
        if not self._any and self._context.damage is None:
            self._context.skip("there is no `MessageList` with messages in it")

    def _message(self, where: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        kind, about = as_text(raw.get("messagetype")), object_at(raw, "properties")
        media = _MEDIA.get(kind)
        if kind not in _TEXTS and media is None:
            self._context.system_lines += 1
            return None
        said = _Content(as_text(raw.get("content")), kind)
        deleted = bool(about.get("deletetime")) or (not said.text and "isdeleted" in about)
        edited_at = self._context.edited_at(cell(about.get("edittime"))) // _MILLISECONDS
        files = [] if media is None else [Attachment(said.file_name(), media)]
        files += _files(about.get("files"))
        return self._context.message(
            where,
            self._context.iso(raw.get("originalarrivaltime")),
            self._name(raw.get("from"), raw.get("displayName")),
            said.text if media in (None, "location", "poll") else "",
            () if deleted else files,
            deleted=deleted,
            source_id=as_text(raw.get("id")) or None,
            reply_to=said.parent or None,
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
            key, users = as_text(item.get("key")), _listed(item.get("users"))
            for user in users:
                yield Reaction(_EMOJI.get(key, key), self._name(user.get("mri")))


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


def _files(value: object) -> list[Attachment]:
    names = (as_text(item.get("fileName") or item.get("title")) for item in _listed(value))
    return [Attachment(name, "file") for name in names]


class _Content:
    """The parsed content of a message: its text, the answered message, whether it was edited."""

    def __init__(self, content: str, kind: str) -> None:
        self.text, self.parent = content, ""
        self.edited, self.edited_at = False, ""
        self._tree: etree._Element | None = None
        if kind == "Text" or not ("<" in content or "&" in content):
            return
        # Line breaks are characters in Skype's markup, and elements in Teams' HTML.
        markup = content if kind == "RichText/Html" else content.replace("\n", "<br>")
        self._tree = markup_tree(markup)
        if self._tree is not None:
            self._take_apart(self._tree)
            self.text = text_of(self._tree)

    def _take_apart(self, tree: etree._Element) -> None:
        """Remove everything except the sender's own words from the tree."""
        for element in list(tree.iter("quote", "blockquote", "e_m", "img", "emoji", "legacyquote")):
            tag = element.tag
            if tag in ("img", "emoji"):
                alt = element.get("alt") or ""
                element.text = alt if len(alt) <= _LONGEST_EMOJI else ""
                continue
            if tag == "e_m":
                self.edited, self.edited_at = True, element.get("ts") or ""
            elif tag in ("quote", "blockquote"):
                self.parent = element.get("messageid") or element.get("itemid") or self.parent
                if tag == "blockquote" and "Reply" not in (element.get("itemtype") or ""):
                    continue  # a quotation that the sender typed
            element.clear(keep_tail=True)

    def file_name(self) -> str:
        """Return the name of the file in the content."""
        if self._tree is None:
            return ""
        for element in self._tree.iter("originalname", "meta", "c", "uriobject"):
            name = element.get("v") or element.get("originalname") or element.get("f")
            if name:
                return str(name)
        return ""

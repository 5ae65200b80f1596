"""Reads DiscordChatExporter's pages of HTML, in the dark and the light design, of old and new versions."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename
from typing import NamedTuple

from lxml import etree

from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.discord import Discord, channel_of_file, channel_title
from minirag_chat.importers.html_tree import (
    classes,
    elements,
    first,
    outermost,
    put_in_place,
    text_of,
    with_class,
)
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.moments import MomentReader
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_OWN = lazy(r"chatlog__message-group|DiscordChatExporter")
_GROUP, _PREAMBLE = "chatlog__message-group", "preamble__entry"
_ID = "data-message-id"
_AUTHOR = ("chatlog__author", "chatlog__author-name")
_TIME = ("chatlog__timestamp", "chatlog__short-timestamp")
_NOT_SAID = (
    "chatlog__edited-timestamp",
    "chatlog__attachment",
    "chatlog__embed",
    "chatlog__reactions",
)
_PARENT = lazy(r"\d{4,}")
_PRIVATE = "direct message"
_AFTER_GUILD = 2  # entries at the top of the page: the server, and the category and channel


class DiscordHtml(Importer):
    """The importer for DiscordChatExporter's pages."""

    name = "discord-html"
    title = "Discord (DiscordChatExporter HTML)"
    files = "Server - channel [id].html"
    how = (
        "DiscordChatExporter, a free program: format HTML; JSON says more and is the better choice."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a page of DiscordChatExporter."""
        if not sample.text.lstrip().startswith("<"):
            return "it is not HTML"
        return (
            None
            if _OWN.search(sample.text)
            else "it has no `chatlog` as DiscordChatExporter's pages"
        )

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces. It is read twice, first for the order of the dates."""
        top: list[str] = []
        times = MomentReader(dict.fromkeys(item.time for item in _items(context, [])), context)
        return one_chat_in_pieces(
            (_message(item, times, context) for item in _items(context, top)),
            lambda: _describe(context, top),
        )


class _Item(NamedTuple):
    """A message's element, with its author and time, which may be those of its group."""

    element: etree._Element
    sender: str
    time: str


def _describe(context: ImportContext, top: list[str]) -> ParsedChat:
    title = top[1].rpartition(" / ")[2] if len(top) >= _AFTER_GUILD else ""
    private = bool(top) and top[0].casefold().startswith(_PRIVATE)
    return context.chat(
        Discord.name,
        key=channel_of_file(context.name),
        title=channel_title(title, top[0] if top else "", direct=private),
        kind=None if private else "group",
    )


def _items(context: ImportContext, top: list[str]) -> Iterator[_Item]:
    """Yield the messages; the texts at the top of the page are added to ``top``."""
    sender = ""
    for element in elements(context, with_class(_GROUP, _PREAMBLE)):
        if _PREAMBLE in classes(element):
            top.append(" ".join(text_of(element).split()))
            continue
        sender = _author(element) or sender
        time = _time(element)
        for message in outermost(element, lambda e: e.get(_ID) is not None):
            sender = _author(message) or sender
            time = _time(message) or time
            yield _Item(message, sender, time)


def _author(element: etree._Element) -> str:
    return next((text for name in _AUTHOR if (text := text_of(first(element, name)))), "")


def _time(element: etree._Element) -> str:
    found = first(element, *_TIME)
    return "" if found is None else (found.get("title") or text_of(found)).strip()


def _message(item: _Item, times: MomentReader, context: ImportContext) -> ParsedMessage | None:
    element = item.element
    if first(element, "chatlog__system-notification-content") is not None:
        context.system_lines += 1
        return None
    files, reactions = tuple(_attachments(element)), tuple(_reactions(element))
    edited = first(element, "chatlog__edited-timestamp") is not None
    embeds = _embeds(element)
    identity = element.get(_ID) or ""
    return context.message(
        f"message `{identity}`",
        times.read(item.time),
        item.sender,
        _text(element) or embeds,
        files,
        source_id=identity or None,
        reply_to=_parent(element),
        edited=edited,
        forwarded_from="another chat" if first(element, "chatlog__forwarded") is not None else None,
        reactions=reactions,
    )


def _text(element: etree._Element) -> str:
    content = first(element, "chatlog__content")
    if content is None:
        return ""
    for gone in outermost(content, with_class(*_NOT_SAID)):
        put_in_place(gone)
    for emoji in list(content.iter("img")):
        put_in_place(emoji, emoji.get("alt") or "")
    return text_of(content, keep=True).strip()


def _embeds(element: etree._Element) -> str:
    """Return the titles and texts of a message's embeds, which stand in for a missing text."""
    shown = with_class("chatlog__embed-title", "chatlog__embed-description")
    return "\n".join(map(text_of, outermost(element, shown)))


def _parent(element: etree._Element) -> str | None:
    link = first(element, "chatlog__reply-link")
    found = None if link is None else _PARENT.search(f"{link.get('onclick')} {link.get('href')}")
    return found[0] if found else None


def _attachments(element: etree._Element) -> Iterator[Attachment]:
    for holder in outermost(element, with_class("chatlog__attachment")):
        parts = [part for part in holder.iter() if part.get("src") or part.get("href")]
        place = next((part.get("href") or part.get("src") or "" for part in parts), "")
        name = basename(place.partition("?")[0])
        yield Attachment(name, file_kind(name))
    for holder in outermost(element, with_class("chatlog__sticker")):
        yield Attachment(holder.get("title") or "", "sticker")


def _reactions(element: etree._Element) -> Iterator[Reaction]:
    for holder in outermost(element, with_class("chatlog__reaction")):
        emoji = next(holder.iter("img"), None)
        yield Reaction((emoji is not None and emoji.get("alt")) or holder.get("title") or "")

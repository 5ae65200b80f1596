"""Reads Messenger's and Instagram's downloads in HTML: ``message_1.html``, newest message first.

The classes of its elements are short and meaningless, and changed in 2021; the order in a message has not
changed: sender, text with files and reactions, time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename
from typing import NamedTuple

from lxml import etree

from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.html_tree import (
    elements,
    first,
    outermost,
    page_title,
    put_in_place,
    text_of,
    with_class,
)
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.messenger import Messenger, thread_key
from minirag_chat.importers.messenger_own import OwnLines
from minirag_chat.importers.moments import MomentReader
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

_HTML = lazy(r"\s*(?:<!doctype html|<html)", re.IGNORECASE)
# A message's text is the second of several elements; other pages of the download have no such list.
_OWN = lazy(r'class="[^"]*(?:_a6-p|_2let)[^"]*">\s*<div>\s*<div>\s*</div>\s*<div>')
_MESSAGE = ("_a6-g", "uiBoxWhite")
_SENDER, _CONTENT, _TIME = ("_a6-i", "_2lel"), ("_a6-p", "_2let"), ("_a6-o", "_2lem")
_MEDIA = {"img": "photo", "video": "video", "audio": "audio"}
_REACTED_AT = lazy(r"\s*\([^()]*\d[^()]*\)$")  # Instagram has the time behind the name
_WORD = lazy(r"\w")
_DIRECT = 2  # people in a direct chat
_FOLDERS = 3  # inbox, the chat's folder, the file


class MessengerHtml(Importer):
    """The importer for both apps' pages."""

    name = "messenger-html"
    title = "Messenger or Instagram (HTML)"
    files = "message_1.html, message_2.html … in one folder per chat, or the zip of them all"
    how = (
        "Accounts Centre, Your information and permissions, Export your information; choose "
        "Messages. HTML is what is offered first; JSON has times to the second and is the better choice."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a page of messages of the download."""
        if _HTML.match(sample.text) is None:
            return "it is not HTML"
        if _OWN.search(sample.text) is None:
            return "it has no messages as the pages of Messenger's and Instagram's downloads"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces. It is read twice, first for the order of the dates."""
        own, stamps = OwnLines(), []
        for _, raw in _raw_messages(context):
            own.see(raw.sender, 0, raw.text, with_file=bool(raw.files))
            if raw.spaced:
                own.see_template(raw.text)
            for reaction in raw.reactions:
                own.see_reaction_of_page(reaction.sender, reaction.emoji)
            stamps.append(raw.time)
        times = MomentReader(reversed(dict.fromkeys(stamps)), context)
        title = context.options.chat_title or page_title(context)
        senders: set[str] = set()
        yield from one_chat_in_pieces(
            _messages(context, times, own, senders),
            lambda: _describe(context, title, senders),
            newest_first=True,
        )


class _Raw(NamedTuple):
    """A message as the page has it."""

    sender: str
    time: str
    text: str
    files: tuple[Attachment, ...]
    reactions: tuple[Reaction, ...]
    spaced: bool  # whether a space is at the end of the text


def _describe(context: ImportContext, title: str, senders: set[str]) -> ParsedChat:
    others = senders - {title}
    kind: ChatKind | None = "group" if len(senders) > _DIRECT else None
    if title in senders and len(others) < _DIRECT:
        kind = "direct"
        context.owner = next(iter(others), "")
    parts = context.file.inside.split("/")
    key = thread_key(parts[-2]) if len(parts) >= _FOLDERS else None
    return ParsedChat(Messenger.name, (), key=key, title=title or None, kind=kind)


def _raw_messages(context: ImportContext) -> Iterator[tuple[int, _Raw]]:
    """Yield the messages with their numbers; the box with the participants has no time."""
    for number, element in enumerate(elements(context, with_class(*_MESSAGE)), 1):
        time, content = first(element, *_TIME), first(element, *_CONTENT)
        if time is None or content is None:
            continue
        sender = " ".join(text_of(first(element, *_SENDER)).split())
        written = next(iter(text_of(time).split("\n")), "").strip()
        reactions = tuple(_reactions(content))
        files = tuple(_attachments(content))
        text = _text(content)
        spaced = any(
            part.endswith(" ") and part.strip() == text for part in map(str, content.itertext())
        )
        yield number, _Raw(sender, written, text, files, reactions, spaced)


def _messages(
    context: ImportContext, times: MomentReader, own: OwnLines, senders: set[str]
) -> Iterator[ParsedMessage | None]:
    for number, raw in _raw_messages(context):
        found = own.without_own_sentence(raw.sender, 0, raw.text, raw.files)
        if found is None:
            context.system_lines += 1
            continue
        place, sent_at = f"message {number}", times.read(raw.time)
        message = context.message(place, sent_at, raw.sender, *found, reactions=raw.reactions)
        if message is not None:
            senders.add(message.sender)
        yield message


def _reactions(content: etree._Element) -> Iterator[Reaction]:
    """Yield the reactions of a message, and take them out of it."""
    for listed in outermost(content, lambda e: e.tag == "ul"):
        for item in listed.iter("li"):
            written = _REACTED_AT.sub("", text_of(item).strip())
            begin = _WORD.search(written)
            at = begin.start() if begin else len(written)
            if written[:at].strip():
                yield Reaction(written[:at].strip(), written[at:].strip())
        put_in_place(listed)


def _attachments(content: etree._Element) -> Iterator[Attachment]:
    """Yield the files of a message, and take them out of it."""
    for holder in outermost(content, _holds_file):
        found = next((e for e in holder.iter() if e.tag in _MEDIA and e.get("src")), None)
        place = (holder if found is None else found).get("src") or holder.get("href") or ""
        name = basename(place)
        yield Attachment(name, file_kind(name) if found is None else _MEDIA[str(found.tag)])
        put_in_place(holder)


def _holds_file(element: etree._Element) -> bool:
    if element.tag in _MEDIA:
        return bool(element.get("src"))
    place = element.get("href") or "" if element.tag == "a" else ""
    return bool(place) and "://" not in place and not place.startswith(("#", "mailto:"))


def _text(content: etree._Element) -> str:
    """Return the text; a link that it already contains is not repeated below it."""
    said = text_of(content).strip()
    before, _, last = said.rpartition("\n")
    return before.rstrip() if "://" in last and last.strip() in before else said

"""Reads Telegram Desktop's HTML exports: ``messages.html``, ``messages2.html`` and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from posixpath import basename

from lxml import etree

from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.html_tree import (
    classes,
    elements,
    first,
    outermost,
    text_of,
    with_class,
)
from minirag_chat.importers.limits import cell
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_HTML = lazy(r"\s*(?:<!doctype html|<html|<\?xml)", re.IGNORECASE)
_OWN = lazy(r'class="page_wrap|class="message (?:default|service)[ "]|class="history"')
_STAMP = lazy(
    r"(?P<day>\d\d)\.(?P<month>\d\d)\.(?P<year>\d{4}) (?P<time>\d\d:\d\d:\d\d)"
    r"(?: UTC(?P<sign>[+-])(?P<hours>\d\d):(?P<minutes>\d\d))?"
)
_GO_TO = lazy(r"#go_to_message(\d+)|GoToMessage\((\d+)\)")
_MEDIA = lazy(r"\bmedia_(?!wrap)(\w+)")
_SPOT = lazy(r"[?&]q=(-?\d[\d.]*),(-?\d[\d.]*)")  # coordinates in the link to a map
_KINDS = {"venue": "location", "live_location": "live location"}  # as in JSON
_WRAPPED = {"animated": "animation", "sticker": "sticker", "photo": "photo", "video": "video"}
"""The kinds of files that are shown on the page, by their class: a GIF has the sign of a video too."""
_TITLED = {"Sticker": "sticker", "Animation": "animation", "Video message": "video message"}
"""The kinds of files that are not shown, by their title: their class is that of a photo or a video."""
_NO_FILES = ("location", "live location", "contact")
_VCARD = " - vCard"
_BY_BOT = lazy(r" via @\w{1,64}\Z")  # the bot that a message was made with
_NO_NAME = "Deleted Account"
_CHAT = lazy(r"chat_\d+")
"""A folder in an export of all chats; other exports give them other numbers."""


class TelegramHtml(Importer):
    """The importer for Telegram Desktop's HTML."""

    name = "telegram-html"
    title = "Telegram HTML"
    files = "messages.html, messages2.html … in one folder per chat"
    how = (
        "Telegram Desktop: a chat's menu, Export chat history, format: HTML; JSON says more and is "
        "the better choice."
    )
    companions = ("script.js", "style.css", "export_results.html")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a page of Telegram's export."""
        if _HTML.match(sample.text) is None:
            return "it is not HTML"
        if _OWN.search(sample.text) is None:
            return "it has no `div` of the class `message` as Telegram's; export as JSON"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces; its other files are other parts of it."""
        title: list[str] = []
        folder = context.file.path.parent
        own = folder if _CHAT.fullmatch(folder.name) else None

        def describe() -> ParsedChat:
            named = next((name for name in title if name != _NO_NAME), None)
            return context.chat("telegram", title=named, folder=own)

        return one_chat_in_pieces(_messages(context, title), describe)


def _messages(context: ImportContext, title: list[str]) -> Iterator[ParsedMessage | None]:
    sender = ""
    for number, element in enumerate(elements(context, with_class("message", "page_header"))):
        kinds = classes(element)
        if "page_header" in kinds:
            name = text_of(first(element, "text"))
            title.extend([name] if name else [])
        elif "service" in kinds:
            context.system_lines += 1
        else:
            place = f"`{element.get('id')}`" if element.get("id") else f"message {number}"
            sender = _sender(element, sender)
            yield _message(element, place, sender, context)


def _body(element: etree._Element) -> etree._Element:
    return next((child for child in element if "body" in classes(child)), element)


def _sender(element: etree._Element, last: str) -> str:
    """Return the sender of a message; one that is joined to the message before has the same."""
    named = _BY_BOT.sub("", text_of(_direct(_body(element), "from_name")))
    return named or (last if "joined" in classes(element) else _NO_NAME)


def _message(
    element: etree._Element, place: str, sender: str, context: ImportContext
) -> ParsedMessage | None:
    body = _body(element)
    forwarded = next((e for e in body if {"forwarded", "body"} <= classes(e)), None)
    holder = body if forwarded is None else forwarded
    text = text_of(_direct(holder, "text"))
    if not text and first(holder, "media_call") is not None:
        context.system_lines += 1
        return None
    identity = (element.get("id") or "").removeprefix("message")
    date = _direct(body, "date")
    return context.message(
        place,
        _sent_at(None if date is None else date.get("title"), context),
        sender,
        text or _poll(holder),
        _attachments(holder),
        source_id=identity or None,
        reply_to=_parent(body),
        forwarded_from=_forwarder(forwarded),
        reactions=tuple(_reactions(body)),
    )


def _direct(body: etree._Element, name: str) -> etree._Element | None:
    """Return the direct child of a message's body with a class; forwarded messages are nested."""
    return next((child for child in body if name in classes(child)), None)


def _sent_at(title: str | None, context: ImportContext) -> datetime | None:
    """Return the time as written: the wall-clock time of the person who exported."""
    match = _STAMP.search(cell(title))
    if match is None:
        return None
    day = f"{match['year']}-{match['month']}-{match['day']}T{match['time']}"
    written = context.iso(day)
    if written is None or match["sign"] is None or not context.options.time_zone:
        return written
    offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"]))
    if offset >= timedelta(days=1):  # not a valid offset: only the wall-clock time counts
        return written
    zone = timezone(-offset if match["sign"] == "-" else offset) if offset else UTC
    return context.wall_clock(written.replace(tzinfo=zone))


def _parent(body: etree._Element) -> str | None:
    reply = _direct(body, "reply_to")
    for link in () if reply is None else reply.iter("a"):
        match = _GO_TO.search(f"{link.get('href')} {link.get('onclick')}")
        if match is not None:
            return match[1] or match[2]
    return None


def _forwarder(forwarded: etree._Element | None) -> str | None:
    name = None if forwarded is None else _direct(forwarded, "from_name")
    if name is None:
        return None
    return _BY_BOT.sub("", (name.text or "").strip() or text_of(name)) or None


def _attachments(holder: etree._Element) -> Iterator[Attachment]:
    wrap = _direct(holder, "media_wrap")
    if wrap is None or first(wrap, "media_poll") is not None:
        return
    link = next(wrap.iter("a"), None)
    source = "" if link is None else (link.get("href") or "")
    kinds = " ".join(e.get("class") or "" for e in wrap.iter() if isinstance(e.tag, str))
    match = _MEDIA.search(kinds)
    if match:
        shown = _TITLED.get(text_of(first(wrap, "title"))) if match[1] in _WRAPPED else None
        kind = shown or _KINDS.get(match[1], match[1]).replace("_", " ")
    else:
        kind = next((what for mark, what in _WRAPPED.items() if mark in kinds), "media")
    if kind in _NO_FILES or "://" in source:
        name = _shown(wrap, kind, source)
    else:
        name = basename(source) or text_of(first(wrap, "title"))
    yield Attachment(name, kind)


def _shown(wrap: etree._Element, kind: str, link: str) -> str:
    """Return what is shown of a place, a contact or a link: its title, and an address or number."""
    title = text_of(first(wrap, "title"))
    more = text_of(first(wrap, "description"))
    spot = _SPOT.search(link)
    if spot is None:
        more = more or text_of(first(wrap, "status")).removesuffix(_VCARD)
    parts = ["" if title.casefold() == kind else title, more, *(spot.groups() if spot else ())]
    return (" " if kind == "contact" else ", ").join(part for part in parts if part)


def _poll(holder: etree._Element) -> str:
    poll = first(holder, "media_poll")
    if poll is None:
        return ""
    answers = map(text_of, outermost(poll, with_class("answer")))
    return "\n".join([text_of(first(poll, "question")), *answers])


def _reactions(body: etree._Element) -> Iterator[Reaction]:
    holder = first(body, "reactions")
    if holder is None:
        return
    for element in outermost(holder, with_class("reaction", tag="span")):
        people = [e.get("title") or "" for e in element.iter("div") if e.get("title")]
        for person in people or [""]:
            yield Reaction(text_of(first(element, "emoji")), person)

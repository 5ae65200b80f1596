"""Reads the HTML files of imessage-exporter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
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
from minirag_chat.importers.imessage import REPLY, UNSENT, Parents, described, parsed_time
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import MADE_UP, Attachment, ParsedChat, ParsedMessage, Reaction

_HTML = lazy(r"\s*(?:<!doctype html|<html|<meta|<\?xml)", re.IGNORECASE)
_NOT_TEXT = {"tapbacks", "reply_context", "expressive", "replies", "edited_timestamp"}


class IMessageHtml(Importer):
    """The importer for imessage-exporter's html files."""

    name = "imessage-html"
    title = "iMessage (imessage-exporter html)"
    files = "Name or number.html, one per chat"
    how = "imessage-exporter, a free program, on a Mac: `imessage-exporter -f html -o FOLDER`."
    companions = ("orphaned.html",)

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a page of imessage-exporter."""
        if _HTML.match(sample.text) is None:
            return "it is not HTML"
        _, _, rest = sample.text.partition('class="message"')
        if 'class="timestamp"' not in rest and 'class="announcement"' not in sample.text:
            return "it has no `div` of the class `message` with a `timestamp`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        chat = described(context)
        return one_chat_in_pieces(_messages(context), lambda: chat)


def _messages(context: ImportContext) -> Iterator[ParsedMessage | None]:
    parents = Parents()
    for number, element in enumerate(elements(context, with_class("message", "announcement")), 1):
        if "announcement" in classes(element) or _is_notice(element):
            context.system_lines += 1
        else:
            yield _message(element, f"message {number}", parents, context)


def _message(
    element: etree._Element, place: str, parents: Parents, context: ImportContext
) -> ParsedMessage | None:
    sent_at, sender = _head(element)
    identity = f"{MADE_UP}{sent_at.isoformat()} {sender}" if sent_at else None
    nested = outermost(element, with_class("reply", tag="div"))
    for reply in nested:
        parents.add(*_head(reply), identity or "")
    replying = REPLY.rstrip(".") in text_of(first(element, "reply_context"))
    for gone in outermost(element, with_class(*_NOT_TEXT)):
        if "tapbacks" not in classes(gone):
            gone.getparent().remove(gone)
    said = _said(element)
    return context.message(
        place,
        sent_at,
        sender,
        said,
        _attachments(element),
        deleted=UNSENT.fullmatch(said) is not None or first(element, "deleted") is not None,
        source_id=identity,
        reply_to=parents.find(sent_at, sender) if replying and sent_at else None,
        edited=first(element, "edited") is not None,
        reactions=tuple(_tapbacks(element)),
    )


def _is_notice(element: etree._Element) -> bool:
    """Whether a message only says that SharePlay ended, or the sharing of a location began or ended."""
    own = first(element, "bubble", "attachment", "edited", "app", "subject")
    return own is None and first(element, "shareplay", "shared_location") is not None


def _head(element: etree._Element) -> tuple[datetime | None, str]:
    return parsed_time(text_of(first(element, "timestamp"))), text_of(first(element, "sender"))


def _said(element: etree._Element) -> str:
    bubbles = outermost(element, with_class("bubble"))
    edits = first(element, "edited")
    if edits is not None:
        bubbles = outermost(edits, with_class("bubble"))
        if bubbles:
            return text_of(bubbles[-1])
        # each version has a row: when it was written, and its text
        texts = [text_of(cell) for cell in edits.iter("td") if first(cell, "timestamp") is None]
        return next(filter(None, reversed(texts)), "") or text_of(edits)
    if bubbles:
        return "\n".join(filter(None, map(text_of, bubbles)))
    return "\n".join(map(text_of, outermost(element, with_class("subject", "announcement", "app"))))


def _attachments(element: etree._Element) -> Iterator[Attachment]:
    for holder in outermost(element, with_class("attachment", tag="div")):
        for part in holder.iter("img", "video", "audio", "source", "a", "embed"):
            source = part.get("src") or part.get("href") or part.get("data-src")
            if source:
                name = basename(source)
                yield Attachment(name, file_kind(name))
                break


def _tapbacks(element: etree._Element) -> Iterator[Reaction]:
    for tapback in outermost(element, with_class("tapback", tag="div")):
        for span in tapback.iter("span"):
            kind, by, who = (span.get("title") or text_of(span)).partition(" by ")
            if by or kind:
                yield Reaction(text_of(span) if span.get("title") else kind, who)
                break

"""Reads Google Voice from Takeout: a page of HTML for each exchange of texts, call and voicemail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename

from lxml import etree

from minirag_chat.importers.base import OWNER, Importer, Sample, clean_name
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.html_tree import (
    classes,
    elements,
    first,
    outermost,
    page_title,
    text_of,
    with_class,
)
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_OWN = lazy(r'class="(?:hChatLog hfeed|haudio)"')
_OF_CALL = lazy(r"^(?:Voicemail|Recorded call|.{0,40} call) (?:from|to|with) ", re.IGNORECASE)
_ONLY_MEDIA = ("MMS Sent", "MMS Received")  # in place of a text
_KINDS = {"img": "photo", "video": "video", "audio": "audio"}


class GoogleVoice(Importer):
    """The importer for Google Voice's pages."""

    name = "google-voice"
    title = "Google Voice (Takeout)"
    files = "Name - Text - date.html, Group Conversation - date.html, in Voice/Calls, or the Takeout zip"
    how = "takeout.google.com: deselect all, select Google Voice, create the export."
    companions = ("Phones.vcf", "Bills.html", "archive_browser.html")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a page of texts or of a call."""
        return (
            None
            if _OWN.search(sample.text)
            else "it has no `hChatLog` or `haudio` as Google Voice's pages"
        )

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the chat of the page; those of one person, or of one group, are one chat."""
        page = _Page(context)
        return one_chat_in_pieces(page.messages(), page.describe)


class _Page:
    """A page, with the people of its chat."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._title = _OF_CALL.sub("", page_title(context))
        self._group: dict[str, str] = {}  # numbers and names of a group
        self._others: dict[str, str] = {}  # of those who wrote

    def messages(self) -> Iterator[ParsedMessage | None]:
        """Yield the texts and voicemails of the page."""
        wanted = elements(self._context, with_class("message", "participants", "haudio"))
        for number, element in enumerate(wanted, 1):
            kinds = classes(element)
            if "participants" in kinds:
                self._group |= dict(_people(element))
            elif "haudio" in kinds:
                yield self._voicemail(number, element)
            else:
                yield self._text(number, element)

    def describe(self) -> ParsedChat:
        """Return the chat without its messages."""
        people = self._group or self._others
        names = ", ".join(name or number for number, name in people.items())
        return self._context.chat(
            GoogleVoice.name,
            # A direct chat has none: a page may hold only what the owner wrote, and a number may get a name.
            key="~".join(sorted(self._group)),
            title=names if people else self._title,
            kind="group" if self._group else "direct",
        )

    def _text(self, number: int, element: etree._Element) -> ParsedMessage | None:
        stamp, said = first(element, "dt"), next(element.iter("q"), None)
        tel, sender = next(iter(_people(element)), ("", ""))
        if sender != OWNER and (tel or sender):
            self._others.setdefault(tel, sender)
        text = text_of(said).strip()
        return self._context.message(
            f"message {number}",
            self._context.iso(None if stamp is None else stamp.get("title")),
            sender or tel,
            "" if text in _ONLY_MEDIA else text,
            _attachments(element),
        )

    def _voicemail(self, number: int, element: etree._Element) -> ParsedMessage | None:
        text = text_of(first(element, "full-text")).strip()
        if not text and next(element.iter("audio"), None) is None:
            self._context.system_lines += 1  # a call without a voicemail
            return None
        tel, sender = next(iter(_people(element)), ("", ""))
        self._others.setdefault(tel, sender)
        stamp = first(element, "published")
        return self._context.message(
            f"message {number}",
            self._context.iso(None if stamp is None else stamp.get("title")),
            sender or tel,
            text,
            [Attachment("", "voicemail")],
        )


def _people(element: etree._Element) -> Iterator[tuple[str, str]]:
    """Yield the numbers and names in an element."""
    for link in outermost(element, with_class("tel", tag="a")):
        number = (link.get("href") or "").removeprefix("tel:")
        yield number, clean_name(text_of(first(link, "fn")))


def _attachments(element: etree._Element) -> Iterator[Attachment]:
    for part in element.iter(*_KINDS):
        name = basename(part.get("src") or "")
        yield Attachment(name, _KINDS[str(part.tag)])
    for card in outermost(element, with_class("vcard", tag="a")):
        yield Attachment(basename(card.get("href") or ""), "contact")

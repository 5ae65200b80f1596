"""Reads Element's plain text export of a Matrix room."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from minirag_chat.importers.base import DateOrder, ExportFile, Importer, Sample, clean_name
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.dates import OrderChooser, order_note, to_datetime
from minirag_chat.importers.entries import Entry, entries
from minirag_chat.importers.kinds import chat_kind, file_kind
from minirag_chat.importers.matrix import Matrix
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.importers.quotes import Quotes
from minirag_chat.importers.whatsapp import stamped
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import MADE_UP, Attachment, ParsedChat, ParsedMessage

_SAID = lazy(r"(?P<sender>[^\n:]{1,200}(?::[^\s:]{1,200})?): (?P<said>.*)", re.DOTALL)
_REPLY = lazy(
    r"<@[^\s<>:\"]{1,255}:[^\s<>\"]{1,255}(?: \"(?P<quoted>[^\n]{0,40})\")?> (?P<said>.*)",
    re.DOTALL,
)
_MEDIA = lazy(
    r" \((?:Media omitted(?: - file size limit exceeded)?|File Attached|Error fetching file)\)\Z"
)
_SENT = lazy(r"(?P<sender>[^\n]{1,200}) sent (?:an (?P<image>image)|a (?P<sticker>sticker))\.")
_DELETED = lazy(r"Message deleted(?: by [^\n]{1,200})?")
# Before a colon: what a notice says of the room, a member or a poll, and no name.
_NOTICE = lazy(
    r".{1,200}? (?:(?:changed|set|made|removed|updated|upgraded|pinned|invited|added|banned|sent) |"
    r"has (?:started|ended) a poll)"
)
_OF_ROOM = lazy(
    r"[^\n:]{1,200} (?:(?:joined|left) the room|created (?:and configured the|this) room)\.?"
)
_JOINED = lazy(r"(?P<name>[^\n:]{1,200}) joined the room\.?")
_EMOTE = "* "
_TITLES = (
    lazy(r"[^\n]{1,60}? - (?P<room>[^\n]{1,250}) - Chat Export\b.*"),
    lazy(r"matrix-(?P<room>[^\n]{1,250})-export-.*"),
)
_QUOTED = 32  # characters of a quotation
_SAMPLE_LINES = 300


class MatrixText(Importer):
    """The importer for Element's "Export chat" as plain text."""

    name = "matrix-text"
    title = "Matrix (Element text)"
    files = "matrix - room - Chat Export - date.txt, or the zip with export.txt"
    how = (
        "Element on the desktop or the web: the room's info, Export chat, format Plain Text; JSON says more "
        "and is the better choice."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first line has a time, and one of the first is of Element's own words."""
        lines = [line for line in sample.text.split("\n") if line.strip()][:_SAMPLE_LINES]
        rests = [found.rest for line in lines if (found := stamped(line)) and found.style == "-"]
        if not rests or stamped(lines[0]) is None:
            return "its first line is not `31/12/2021, 18:00:00 - Ann: text`"
        if not any(map(_is_of_element, rests)):
            return "it has no reply, attachment or notice as Element writes them"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one room of the file. It is read twice, first for the order of dates and the names."""
        room = _Room(context)
        title = _title(context.file)
        return one_chat_in_pieces(
            room.messages(),
            lambda: context.chat(Matrix.name, title=title, kind=chat_kind(len(room.people))),
        )


def _is_of_element(rest: str) -> bool:
    """Whether what follows a time is a reply, an attachment or a notice of the room in Element's words."""
    said = _SAID.fullmatch(rest)
    if _MEDIA.search(rest) or _OF_ROOM.fullmatch(rest):
        return True
    return said is not None and _REPLY.fullmatch(said["said"]) is not None


def _title(file: ExportFile) -> str | None:
    """Return the room in the name of the file, or of its zip or folder."""
    for name in (file.path.name, file.container):
        bare = re.sub(r"\.(txt|zip)$", "", name)
        found = next(filter(None, (pattern.fullmatch(bare) for pattern in _TITLES)), None)
        if found is not None:
            return found["room"]
    return None


class _Room:
    """The messages of a room, and the people who wrote or joined."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._quotes = Quotes()
        self.people: set[str] = set()
        self._order = self._decide()

    def _decide(self) -> DateOrder:
        """Return the order of the dates; puts those who wrote or joined into ``people``."""
        context, chooser = self._context, OrderChooser()
        for line in context.lines():
            found = stamped(line, context.options.clock)
            if found is None or found.style != "-":
                continue
            chooser.see(found.date, text=found.rest)
            by = _JOINED.fullmatch(found.rest)
            name = _sender(found.rest) or (by["name"] if by else "")
            if name:
                self.people.add(clean_name(name))
        decision = chooser.decide(context.options.date_order)
        context.date_order = chooser.proven(decision)
        if not decision.certain:
            note = order_note(context.name, decision.order)
            context.decide("date order", decision.order, "date_order", note, chooser.ambiguous)
        return decision.order

    def messages(self) -> Iterator[ParsedMessage | None]:
        """Yield the messages; notices are counted."""
        return map(self._message, entries(self._context, self._head))

    def _head(self, line: str) -> tuple[datetime, str] | None:
        found = stamped(line, self._context.options.clock)
        if found is None or found.style != "-":
            return None
        sent_at = to_datetime(found.date, self._order, found.clock)
        return None if sent_at is None else (sent_at, found.rest)

    def _message(self, entry: Entry[tuple[datetime, str]]) -> ParsedMessage | None:
        sent_at, first = entry.head
        written = "\n".join([first, *entry.more]).rstrip()
        sender, said, files = self._parts(written)
        if not sender:
            self._context.system_lines += 1
            return None
        identity = f"{MADE_UP}{sent_at.isoformat()} {sender}"
        reply = _REPLY.fullmatch(said)
        said = reply["said"] if reply else said
        parent = self._quotes.find(_beginning(reply["quoted"] or "")) if reply else None
        self._quotes.remember(_beginning(said), identity)
        return self._context.message(
            entry.line,
            sent_at,
            sender,
            said,
            files,
            deleted=_DELETED.fullmatch(said) is not None,
            source_id=identity,
            reply_to=parent,
        )

    def _parts(self, written: str) -> tuple[str, str, list[Attachment]]:
        """Return the sender, the text and the files of a message; no sender for a notice."""
        bare = _MEDIA.sub("", written)
        sent = _SENT.fullmatch(bare)
        if sent is not None:
            return sent["sender"], "", [Attachment("", "photo" if sent["image"] else "sticker")]
        if bare.startswith(_EMOTE):
            return self._emote(bare.removeprefix(_EMOTE))
        sender = _sender(bare)
        said = bare[len(sender) + 2 :] if sender else ""
        if sender and bare != written and "\n" not in said:
            return sender, "", [Attachment(said, file_kind(said))]
        return sender, said, []

    def _emote(self, said: str) -> tuple[str, str, list[Attachment]]:
        """Return the parts of ``Ann waves``; a name of several words is known from other messages."""
        words = said.split(" ")
        ends = range(min(len(words) - 1, 6), 0, -1)
        names = (" ".join(words[:end]) for end in ends)
        name = next((name for name in names if clean_name(name) in self.people), words[0])
        return name, said[len(name) :].strip(), []


def _sender(rest: str) -> str:
    """Return the name before a text; empty for a notice."""
    found = _SAID.fullmatch(rest)
    if found is None or rest.startswith(_EMOTE) or _NOTICE.match(found["sender"]):
        return ""
    return found["sender"]


def _beginning(text: str) -> str:
    """Return as much of a text as a quotation of it has."""
    line = next(filter(str.strip, text.split("\n")), "")
    return line[:_QUOTED].rstrip("….")

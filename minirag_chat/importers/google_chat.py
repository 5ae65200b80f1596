"""Reads Google Chat from Takeout: ``messages.json`` with dates in words."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from minirag_chat.importers.base import ExportFile, Sample, as_text, object_at, objects
from minirag_chat.importers.beside import parts_beside
from minirag_chat.importers.limits import cell
from minirag_chat.importers.moments import MomentReader
from minirag_chat.importers.one_object import one_chat
from minirag_chat.importers.quotes import Quotes
from minirag_chat.records import Attachment, ChatKind, ParsedChat, ParsedMessage, Reaction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from minirag_chat.importers.context import ImportContext

_MESSAGES = re.compile(r'"messages"\s*:\s*\[')
_FIELDS = re.compile(r'"created_date"\s*:')
_ENGLISH = re.compile(
    r"\w+, (?P<month>\w+) (?P<day>\d{1,2}), (?P<year>\d{4})(?: at|,)? "
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d):(?P<second>\d\d)\s?(?P<half>[AP]M)? UTC"
)
_EASTERN = re.compile(
    r"(?P<year>\d{4})[年년] ?(?P<month>\d{1,2})[月월] ?(?P<day>\d{1,2})[日일][^\d]*?"
    r"(?P<half>午前|午後|上午|下午|오전|오후)? ?(?P<hour>\d{1,2})[:時时시] ?(?P<minute>\d\d)[:分분] ?"
    r"(?P<second>\d\d)[秒초]?.*"
)
_WEEKDAY = re.compile(r"^[^\d,]+?(?:-feira)?,? (?:den )?(?=\d)")
_JOINTS = re.compile(
    r"\s(?:at|um|à|às|a las|alle(?: ore)?|om|เวลา|kl\.?|klo|o|в|saat)\s(?=\d)|,(?=\s\d{1,2}:)",
    re.IGNORECASE,
)
_DOTTED_CLOCK = re.compile(r"\b(\d{1,2})\.(\d\d)\.(\d\d)(?= UTC|$)")
_THAI_YEAR = re.compile(r"พ\.ศ\. ?(\d{4})")
_MONTHS = {
    name: number
    for number, name in enumerate(
        "January February March April May June July August September October November December".split(),
        1,
    )
}
_AFTERNOON = ("PM", "午後", "下午", "오후")
_NOON = 12


class GoogleChat:
    """The importer for Google Chat's Takeout."""

    name = "google-chat"
    title = "Google Chat (Takeout)"
    files = "messages.json with group_info.json in a folder a chat, or the Takeout zip"
    how = "takeout.google.com: deselect all, select Google Chat, create the export."
    companions = ("group_info.json", "user_info.json")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with messages that have a ``created_date``."""
        if not sample.text.lstrip().startswith("{"):
            return "it is not a JSON object"
        if not (_MESSAGES.search(sample.text) and _FIELDS.search(sample.text)):
            return "it has no `messages` with a `created_date`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        chat = _describe(context.file, context)
        return one_chat(context, _Reader(context).message, lambda _: chat)


class _Reader:
    """Reads messages, and keeps the date parser of the export's language."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._other = MomentReader((), context)
        self._quotes = Quotes()

    def message(self, place: str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        """The message of an object; None if a required field is missing."""
        creator = object_at(raw, "creator")
        deleted = raw.get("message_state") == "DELETED"
        identity = as_text(raw.get("message_id")) or None
        text = as_text(raw.get("text"))
        quoted = object_at(raw, "quoted_message_metadata")
        parent = as_text(quoted.get("message_id")) or self._quotes.find(as_text(quoted.get("text")))
        if identity:
            self._quotes.remember(text, identity)
        return self._context.message(
            place,
            self._sent_at(cell(raw.get("created_date"))),
            creator.get("name") or creator.get("email"),
            text,
            _attachments(raw),
            deleted=deleted,
            source_id=identity,
            reply_to=parent or None,
            edited=bool(raw.get("previous_message_versions")),
            reactions=tuple(_reactions(raw.get("reactions"))),
        )

    def _sent_at(self, written: str) -> datetime | None:
        written = " ".join(written.split())  # also the narrow space before PM
        match = _ENGLISH.fullmatch(written) or _EASTERN.match(written)
        if match is None:
            plain = _JOINTS.sub(" ", _WEEKDAY.sub("", _THAI_YEAR.sub(_our_year, written)))
            plain = _DOTTED_CLOCK.sub(r"\1:\2:\3", plain)
            return self._other.read(plain)
        month, hour = match["month"], int(match["hour"])
        if match["half"]:
            hour = hour % _NOON + (_NOON if match["half"] in _AFTERNOON else 0)
        try:
            moment = datetime(
                int(match["year"]),
                _MONTHS[month] if month in _MONTHS else int(month),
                int(match["day"]),
                hour,
                int(match["minute"]),
                int(match["second"]),
                tzinfo=UTC,
            )
            return self._context.wall_clock(moment)
        except (ValueError, OverflowError):
            return None


def _our_year(match: re.Match[str]) -> str:
    return str(int(match[1]) - 543)


def _describe(file: ExportFile, context: ImportContext) -> ParsedChat:
    info = dict(parts_beside(file.near("group_info.json"), context.options))
    folder = file.holder
    kind: ChatKind | None = None
    if folder.startswith(("DM ", "Space ")):
        kind = "direct" if folder.startswith("DM ") else "group"
    named = as_text(info.get("name"))
    title = context.options.chat_title or (named if named != "Group Chat" else "") or None
    return ParsedChat(GoogleChat.name, (), folder if kind else None, title, kind)


def _attachments(raw: Mapping[str, Any]) -> Iterator[Attachment]:
    for item in objects(raw.get("attached_files")):
        yield Attachment(as_text(item.get("original_name") or item.get("export_name")), "file")


def _reactions(value: object) -> Iterator[Reaction]:
    for item in objects(value):
        match item:
            case {"emoji": {"unicode": emoji}, "reactor_emails": list(people)}:
                for person in people:
                    yield Reaction(as_text(emoji), as_text(person))
            case {"emoji": {"unicode": emoji}}:
                yield Reaction(as_text(emoji))

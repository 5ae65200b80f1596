"""Reads the XML of SMS Backup & Restore. XML that declares entities is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from xml.parsers import expat

from minirag_chat.errors import UnreadableFile
from minirag_chat.importers.base import OWNER, Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.kinds import chat_kind, kind_of_mime
from minirag_chat.importers.limits import LARGEST_PART
from minirag_chat.importers.phone_numbers import ContactNames, NumberedChats, Numbers
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.importers.tapbacks import with_tapbacks
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

Attributes = dict[str, str]

_ROOT = lazy(r"<smses[\s>]")
_REFERENCE = lazy(r"(?:&#\d{1,7};)+")
_NUMBER = lazy(r"\d+")
_BLANK = lazy(r"[\t\n\r]")
_NO_XML = lazy(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LAST = 0x10FFFF  # Unicode's last character
_END = lazy(r"(?:&#(?P<code>\d{1,7});)?(?P<begun>(?:&(?:#\d{0,7})?)?)\Z")
_LONGEST_END = 20  # characters that it matches
_FIRST_HALVES = range(0xD800, 0xDC00)
_IN, _OUT = "1", "2"
_FROM = "137"
_UNKNOWN = ("", "null", "(Unknown)")
_NO_SUBJECT = ("", "null", "nosubject")
_RCS = "proto:"  # before data of the app in place of a subject


@dataclass(slots=True)
class _Mms:
    """An MMS that is still being read: its attributes, parts and numbers."""

    line: int
    own: Attributes
    texts: list[str] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    sender: str = ""


class Sms(Importer):
    """The importer for SMS Backup & Restore."""

    name = "sms"
    title = "SMS Backup & Restore XML"
    files = "sms-….xml"
    how = "SMS Backup & Restore on Android: Back up now, Messages; then share the file."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the XML's root is ``smses``."""
        if not sample.text.lstrip().startswith("<"):
            return "it is not XML"
        return None if _ROOT.search(sample.text) else "it has no element `smses`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield one chat for each number or group of numbers, in pieces."""
        reader = _Reader(context)
        yield from in_pieces(with_tapbacks(reader.messages()), reader.describe)


class _Reader:
    """Handles the events of the XML parser, and collects the numbers with their names."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._titles: dict[Numbers, str] = {}
        # the numbers that never wrote, as they are written
        self._silent: dict[Numbers, list[str]] = {}
        self._names = ContactNames()
        self._chats = NumberedChats()
        self._found: list[tuple[Numbers, ParsedMessage]] = []
        self._mms: _Mms | None = None
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._parser.ExternalEntityRefHandler = self._refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    def messages(self) -> Iterator[tuple[Numbers, ParsedMessage]]:
        """Yield the messages with the numbers of their chat."""
        fed = 0
        try:
            for chunk in _chunks(self._context):
                data = chunk.encode("utf-8", "replace")
                self._parser.Parse(data, False)  # noqa: FBT003 - positional only
                fed += len(data)
                if fed - max(self._parser.CurrentByteIndex, 0) > LARGEST_PART:
                    self._context.damage = self._too_large()
                    return
                yield from self._found
                self._found.clear()
            self._parser.Parse(b"", True)  # noqa: FBT003 - positional only
        except expat.ExpatError as error:
            self._context.damage = (
                f"{self._context.name} is cut off or damaged XML at line {error.lineno}; "
                "make the backup again."
            )
        yield from self._found

    def _too_large(self) -> str:
        return (
            f"{self._context.name} has an element of more than {LARGEST_PART:,} bytes at line "
            f"{self._parser.CurrentLineNumber}; make the backup again without media."
        )

    def describe(self, chat: Numbers) -> ParsedChat:
        """Return a chat without its messages."""
        silent = ", ".join(self._names.of(number) or number for number in self._silent[chat])
        title = self._titles.get(chat) or silent
        kind = chat_kind(len(chat) + 1)
        return self._context.chat(Sms.name, key=self._chats.key(chat), title=title, kind=kind)

    def _refuse(self, *_: object) -> int:
        line = self._parser.CurrentLineNumber
        raise UnreadableFile(
            f"{self._context.name} declares entities at line {line}, which no backup of messages "
            "does and which can do harm; make the backup again."
        )

    def _start(self, tag: str, own: Attributes) -> None:
        if tag == "sms":
            self._sms(own)
        elif tag == "mms":
            self._mms = _Mms(self._parser.CurrentLineNumber, own)
        elif self._mms is not None and tag == "part":
            _add_part(self._mms, own)
        elif self._mms is not None and tag == "addr" and own.get("type") == _FROM:
            self._mms.sender = own.get("address", "")

    def _end(self, tag: str) -> None:
        if tag == "mms" and self._mms is not None:
            mms, self._mms = self._mms, None
            self._add(mms, mms.own.get("msg_box", ""))

    def _sms(self, own: Attributes) -> None:
        sms = _Mms(self._parser.CurrentLineNumber, own, [own.get("body", "")])
        self._add(sms, own.get("type", ""))

    def _add(self, item: _Mms, box: str) -> None:
        own, line = item.own, item.line
        if box not in (_IN, _OUT):
            self._context.skip("a draft, or a message that was not sent", line)
            return
        numbers = [number.strip() for number in own.get("address", "").split("~") if number.strip()]
        contact = _contact(own)
        chat = self._chats.of(numbers, contact)
        if box == _IN:
            self._silent[chat] = []
        self._silent.setdefault(chat, numbers)
        if contact:
            self._titles[chat] = contact
            if len(numbers) == 1:
                self._names.put(numbers[0], contact)
            else:
                names = [name.strip() for name in contact.split(",")]
                self._names.put_all(numbers, ["" if name in _UNKNOWN else name for name in names])
        message = self._context.message(
            line,
            self._context.since_1970(own.get("date"), milliseconds=True),
            self._sender(item, box, numbers),
            with_subject(own.get("sub", ""), "\n".join(_said(item))),
            item.files,
        )
        if message is not None:
            self._found.append((chat, message))

    def _sender(self, item: _Mms, box: str, numbers: list[str]) -> str:
        if box == _OUT:
            return OWNER
        if len(numbers) > 1:
            return self._names.of(item.sender) or item.sender
        return _contact(item.own) or item.sender or "".join(numbers)


def with_subject(subject: str, text: str) -> str:
    """Return the text of an MMS below its subject, if it has one."""
    subject = subject.strip()
    if subject.casefold() in _NO_SUBJECT or subject.startswith(_RCS) or subject == text.strip():
        return text
    return f"{subject}\n{text}"


def _contact(own: Attributes) -> str:
    name = own.get("contact_name", "")
    return "" if name in _UNKNOWN else name


def _add_part(mms: _Mms, part: Attributes) -> None:
    kind = part.get("ct", "")
    if kind == "text/plain":
        mms.texts.append(part.get("text", ""))
    elif kind != "application/smil":
        names = (part.get(name, "") for name in ("name", "cl", "fn"))
        name = next((name for name in names if name not in ("", "null")), "")
        mms.files.append(Attachment(name, kind_of_mime(kind)))


def _chunks(context: ImportContext) -> Iterator[str]:
    """Yield the text with the app's references to surrogate pairs repaired.

    A reference at the end of a block waits for the next one if it is cut or is a first half.
    """
    waiting = ""
    for block in context.blocks():
        text = waiting + block
        waiting = _unfinished(text[-_LONGEST_END:])
        yield _whole(text[: len(text) - len(waiting)])
    yield _whole(waiting)


def _unfinished(end: str) -> str:
    match = _END.search(end)
    if match is None:
        return ""
    return match[0] if int(match["code"] or 0) in _FIRST_HALVES else match["begun"]


def _whole(text: str) -> str:
    return _NO_XML.sub("\ufffd", _REFERENCE.sub(_mended, text))


def _said(item: _Mms) -> list[str]:
    """Return the texts of a message; "null" counts only if it is the only one."""
    texts = [text for text in item.texts if text]
    alone = len(texts) == 1 and not item.files
    return texts if alone else [text for text in texts if text != "null"]


def _mended(match: re.Match[str]) -> str:
    """Repair an emoji written as references to its two UTF-16 surrogates, which is invalid XML."""
    codes = (int(code) for code in _NUMBER.findall(match.group()))
    text = "".join(chr(code) if code <= _LAST else "\ufffd" for code in codes)
    if not _NO_XML.search(text) and "\ufffd" not in text:
        return match.group()
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    plain = escape(_NO_XML.sub("\ufffd", whole), quote=True)
    return _BLANK.sub(lambda blank: f"&#{ord(blank.group())};", plain)

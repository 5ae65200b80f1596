"""Reads the JSON Lines of SMS Import / Export, a free Android program: each line an SMS or an MMS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import OWNER, Importer, Sample, as_text, object_at, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import object_in
from minirag_chat.importers.kinds import chat_kind, kind_of_mime
from minirag_chat.importers.phone_numbers import NumberedChats, Numbers, digits_of
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.importers.sms import Sms, with_subject
from minirag_chat.importers.tapbacks import with_tapbacks
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_IN, _OUT = "1", "2"
_FROM = "137"
_NAME = "__display_name"
_LAYOUT = "application/smil"


class SmsLines(Importer):
    """The importer for SMS Import / Export."""

    name = "sms-lines"
    title = "SMS Import / Export"
    files = "messages.ndjson, or messages-….zip"
    how = "SMS Import / Export, a free program for Android: Export messages."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first line is an SMS or an MMS as Android stores it."""
        record = object_in(sample.text.lstrip().split("\n", maxsplit=1)[0])
        keys = set() if isinstance(record, str) else set(record)
        if keys >= {"address", "body", "date", "type"} or keys >= {"__parts", "msg_box", "date"}:
            return None
        return "line 1 has neither `address`, `body` and `type` nor `__parts` and `msg_box`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield one chat for each number or group of numbers, in pieces."""
        reader = _Reader(context)
        return in_pieces(with_tapbacks(reader.messages()), reader.describe)


class _Reader:
    """Reads the records, with the names of numbers and the number of the owner."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._names: dict[str, str] = {}
        self._chats = NumberedChats()
        self._titles: dict[Numbers, str] = {}
        got: Counter[str] = Counter()
        for line in context.lines():
            record = object_in(line) if line.strip() else ""
            if isinstance(record, str):
                continue
            for who in (record, *_addresses(record)):
                name = as_text(who.get(_NAME))
                if name:
                    self._names.setdefault(digits_of(as_text(who.get("address"))), name)
            if as_text(record.get("msg_box")) == _IN:
                got.update(_recipients(record))
        self._own = got.most_common(1)[0][0] if got else ""  # the recipient of most received MMS

    def messages(self) -> Iterator[tuple[Numbers, ParsedMessage | None]]:
        """Yield the messages with the numbers of their chat."""
        for line, record in self._context.records():
            box = as_text(record.get("msg_box") or record.get("type"))
            if box not in (_IN, _OUT):
                self._context.skip("a draft, or a message that was not sent", line)
                continue
            is_mms = "msg_box" in record
            sender = _sender(record) if is_mms else digits_of(as_text(record.get("address")))
            numbers = {*_recipients(record), sender} if is_mms else {sender}
            others = numbers - {self._own, ""} if len(numbers) > 1 else numbers
            texts, files = _parts(record)
            chat = self._chat(sorted(others))
            yield (
                chat,
                self._context.message(
                    line,
                    self._context.since_1970(record.get("date"), milliseconds=not is_mms),
                    OWNER if box == _OUT else self._names.get(sender) or sender,
                    with_subject(
                        as_text(record.get("sub")), as_text(record.get("body")) or "\n".join(texts)
                    ),
                    files,
                ),
            )

    def _chat(self, numbers: list[str]) -> Numbers:
        names = [self._names.get(number, "") for number in numbers]
        chat = self._chats.of(numbers, "\n".join(names))
        pairs = zip(numbers, names, strict=True)
        self._titles.setdefault(chat, ", ".join(name or number for number, name in pairs))
        return chat

    def describe(self, chat: Numbers) -> ParsedChat:
        """Return a chat without its messages."""
        key, title = self._chats.key(chat), self._titles[chat]
        return self._context.chat(Sms.name, key=key, title=title, kind=chat_kind(len(chat) + 1))


def _addresses(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the sender and the recipients of an MMS, by its newer or its older fields."""
    newer = [object_at(record, "__sender_address"), *objects(record.get("__recipient_addresses"))]
    return [who for who in newer if who] or objects(record.get("__addresses"))


def _sender(record: Mapping[str, Any]) -> str:
    numbers = (who for who in _addresses(record) if as_text(who.get("type")) == _FROM)
    return next((digits_of(as_text(who.get("address"))) for who in numbers), "")


def _recipients(record: Mapping[str, Any]) -> list[str]:
    others = (who for who in _addresses(record) if as_text(who.get("type")) != _FROM)
    return [digits_of(as_text(who.get("address"))) for who in others]


def _parts(record: Mapping[str, Any]) -> tuple[list[str], list[Attachment]]:
    """Return the texts and the files of an MMS."""
    texts, files = [], []
    for part in objects(record.get("__parts")):
        kind = as_text(part.get("ct"))
        if kind == "text/plain":
            texts.append(as_text(part.get("text")))
        elif kind != _LAYOUT:
            names = (as_text(part.get(key)) for key in ("name", "cl", "fn", "_data"))
            name = next((name for name in names if name), "")
            files.append(Attachment(basename(name), kind_of_mime(kind)))
    return [text for text in texts if text], files

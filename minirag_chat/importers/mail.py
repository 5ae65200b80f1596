"""Reads e-mail: a mailbox as mbox, or single mails as .eml; each thread is a chat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.kinds import chat_kind
from minirag_chat.importers.mail_headers import bare, ids_in, moment_in, people_in, words_in
from minirag_chat.importers.mail_parts import parts_of
from minirag_chat.importers.mail_reading import Mail, mails
from minirag_chat.importers.mail_text import own_words
from minirag_chat.importers.mail_threads import Threads
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import MADE_UP, ParsedChat, ParsedMessage

_STAMP = lazy(r"From .{0,200}?\d{1,2}:\d\d[^\n]{0,100}\n[!-9;-~]{1,100}:")
_HEADER = lazy(r"(?:[!-9;-~]{1,100}:|[ \t])")
_NEEDED = lazy(
    r"^(?:(?P<sender>from)|(?P<other>date|message-id|received|mime-version|return-path|delivered-to)):",
    re.IGNORECASE,
)
_LOOK = 200  # lines of headers that are checked
_MAY_BE_OTHERS = 0.2  # share of these lines that may be damaged
_DELETED = 0x0008  # Thunderbird's flag of a deleted mail that is still in the file


class Email(Importer):
    """The importer for mbox and .eml."""

    name = "email"
    title = "E-mail (mbox, eml)"
    files = "a mailbox as .mbox, or mails as .eml, one or a folder of them"
    how = (
        "Gmail: takeout.google.com, select Mail only; Thunderbird: a folder's menu, or the file of "
        "the folder in the profile; Apple Mail: Mailbox, Export Mailbox; other programs: save or "
        "drag mails out as .eml."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for a mailbox, or for headers of a mail at the beginning."""
        text = sample.text.lstrip()
        if _STAMP.match(text):
            return None
        head = text.partition("\n\n")[0].split("\n")[:_LOOK]
        found = [match for line in head if (match := _NEEDED.match(line[:100])) is not None]
        others = sum(_HEADER.match(line) is None for line in head)
        kinds = {match.lastgroup for match in found}
        if kinds != {"sender", "other"} or others > _MAY_BE_OTHERS * len(head):
            return "it does not begin with the headers of a mail, such as `From:` and `Date:`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield each thread, in pieces. The file is read twice: first for threads and names."""
        threads = Threads()
        for mail in mails(context):
            mail.text()
            threads.see(_Envelope(mail))
        threads.join()
        reader = _Reader(context, threads)
        yield from in_pieces(reader.messages(), reader.describe)
        reader.record_notes()


class _Envelope:
    """The parsed headers of a mail."""

    def __init__(self, mail: Mail) -> None:
        headers = mail.headers
        self.subject, self.replies = bare(words_in(headers.get("subject", "")))
        self.people = [p for key in ("from", "to", "cc") for p in people_in(headers.get(key, ""))]
        self.sender = next(
            iter(people_in(headers.get("from") or headers.get("sender", ""))), ("", "")
        )
        self.sent_at = self._moment(mail)
        own = ids_in(headers.get("message-id", ""))
        made_up = f"{MADE_UP}{self.sent_at} {self.sender[1]}"
        self.identity = own[0] if own else made_up
        self.answers = ids_in(headers.get("in-reply-to", ""))[:1]
        self.before = [i for i in ids_in(headers.get("references", "")) if i != self.identity]
        self.before = self.before or self.answers

    @staticmethod
    def _moment(mail: Mail) -> datetime | None:
        """Return when a mail was sent; without a date, when it was received."""
        received = mail.headers.get("received", "").rpartition(";")[2]
        stamp = mail.stamp.strip().split(" ", 2)[-1]
        found = (moment_in(raw) for raw in (mail.headers.get("date", ""), received, stamp))
        return next((moment for moment in found if moment is not None), None)


class _Reader:
    """Turns mails into messages of their threads."""

    def __init__(self, context: ImportContext, threads: Threads) -> None:
        self._context, self._threads = context, threads
        self._encrypted = self._deleted = 0
        self._any = False

    def messages(self) -> Iterator[tuple[str, ParsedMessage]]:
        """Yield the messages with the ids of their threads."""
        for mail in mails(self._context):
            self._any = True
            data = mail.text()
            self._context.cut += mail.cut
            if self._is_deleted(mail):
                self._deleted += 1
                continue
            envelope = _Envelope(mail)
            message = self._message(mail, envelope, data)
            if message is not None:
                yield self._threads.of(envelope), message

    def describe(self, thread: str) -> ParsedChat:
        """Return a thread without its mails."""
        title, people = self._threads.described(thread)
        kind = chat_kind(len(people))
        return self._context.chat(Email.name, key=thread, title=title, kind=kind)

    def record_notes(self) -> None:
        """Record mails that were not read, and a file without any mail."""
        context = self._context
        if self._encrypted:
            context.notes.append(
                f"{self._encrypted:,} mails in {context.name} are encrypted and were not read; save "
                "them decrypted and import them again."
            )
        if self._deleted:
            context.notes.append(
                f"{self._deleted:,} mails in {context.name} were deleted in the mail program and "
                "are only still in its file; they were left out."
            )
        if not self._any:
            context.skip("there is no mail in the file")

    @staticmethod
    def _is_deleted(mail: Mail) -> bool:
        mark = mail.headers.get("x-mozilla-status", "")[:8]
        try:
            return bool(int(mark or "0", 16) & _DELETED)
        except ValueError:
            return False

    def _message(self, mail: Mail, envelope: _Envelope, data: bytes) -> ParsedMessage | None:
        context = self._context
        parts = parts_of(data, context.options.encoding)
        if parts.encrypted and not parts.text:
            self._encrypted += 1
            return None
        text, forwarded = own_words(parts.text, page=parts.page)
        if not parts.text and not parts.files:
            text = envelope.subject  # the subject is the only text
        name, address = envelope.sender
        sent_at = envelope.sent_at
        return context.message(
            mail.line,
            None if sent_at is None else context.wall_clock(sent_at),
            name or self._threads.name(address) or address,
            text,
            parts.files,
            source_id=envelope.identity,
            reply_to=next(iter(envelope.answers or envelope.before[-1:]), None),
            forwarded_from=forwarded,
        )

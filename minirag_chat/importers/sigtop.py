"""Reads the text of sigtop, a free program that reads Signal Desktop, in its long and its short form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, pairwise

from minirag_chat.importers.base import OWNER, Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.entries import Entry, entries
from minirag_chat.importers.kinds import kind_of_mime
from minirag_chat.importers.limits import KeptLines
from minirag_chat.importers.mail_headers import moment_in
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import MADE_UP, Attachment, ParsedChat, ParsedMessage, Reaction

_CHAT, _QUOTE, _VERSION = "Conversation: ", "> ", "Version: "
_FROM, _TYPE = lazy(r"From: .+"), lazy(r"Type: [\w-]{1,60}")
_TIMED = lazy(r"(?:Sent|Received): .+")
_FILE = lazy(r"(?P<name>.{0,500}) \((?P<mime>[^\s(),]{0,100}), \d{1,19} bytes\)")
_REACTION = lazy(r"(?P<emoji>\S{1,40}) from (?P<who>.{1,300})")
_DETAIL = lazy(r" \([^\s()]{1,200}\)\Z")  # behind a name: a number, or the id of a person or group
_PHONE = lazy(r" \(\+\d{5,20}\)\Z")
_SHORT = lazy(r"(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d) (?P<sender>[^\n:]{1,200}):(?: (?P<text>.*))?")
_OWN_SHORT = lazy(r"^\d{4}-\d\d-\d\d \d\d:\d\d You:(?: |$)", re.MULTILINE)
_MARKS = lazy(
    r"\[(?=reply to |edited|\d)"
    r"(?:reply to (?P<who>[^\n]{1,200}?) on (?P<time>\d{4}-\d\d-\d\d \d\d:\d\d|unknown))?(?:, )?"
    r"(?P<edited>edited)?(?:, )?(?:(?P<files>\d{1,4}) attachments?)?\](?: |\Z)"
)
_NOTICE = lazy(r"\[[\w-]{1,60} message\]")
_YOU, _NO_NAME = "You", "no filename"
_MOST_FILES = 100
_TOP = 20  # lines in which the first message begins


class Sigtop(Importer):
    """The importer for sigtop's formats ``text`` and ``text-short``."""

    name = "sigtop"
    title = "Signal (sigtop text)"
    files = "Name (number).txt, one per chat"
    how = "sigtop, a free program, reads Signal Desktop: `sigtop export-messages -f text FOLDER`."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if it begins as the long form, or as the short one, with messages of one's own."""
        lines = [line for line in sample.text.lstrip("\ufeff").split("\n") if line.strip()]
        top = pairwise(lines[1:_TOP])
        if lines and lines[0].startswith(_CHAT) and any(_begins(a, b) for a, b in top):
            return None
        if lines and _SHORT.fullmatch(lines[0]) and _OWN_SHORT.search(sample.text):
            return None
        return "it does not begin with `Conversation: Ann (+447700900123)` or `2024-03-10 08:15 Ann: text`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file."""
        first = next((line for line in context.lines() if line.strip()), "").lstrip("\ufeff")
        long = first.startswith(_CHAT)
        written = first.removeprefix(_CHAT) if long else context.file.path.stem
        chat = context.chat("signal", title=_DETAIL.sub("", written.strip()))
        if long:
            messages = (_message(entry, context) for entry in _entries(context))
        else:
            messages = (_short(entry, context) for entry in entries(context, _SHORT.fullmatch))
        return one_chat_in_pieces(messages, lambda: chat)


def _begins(line: str, following: str) -> bool:
    """Whether two lines begin a message: its sender and type, or the type of a notice and its time."""
    if _FROM.fullmatch(line):
        return _TYPE.fullmatch(following) is not None
    return _TYPE.fullmatch(line) is not None and _TIMED.fullmatch(following) is not None


@dataclass(frozen=True, slots=True)
class _Entry:
    """The lines of a message, and the number of the first."""

    line: int
    lines: KeptLines


def _entries(context: ImportContext) -> Iterator[_Entry]:
    """Yield the messages; a blank line is before each."""
    entry: _Entry | None = None
    blank = True
    for number, (line, following) in enumerate(pairwise(chain(context.lines(), [""])), 1):
        if blank and _begins(line, following):
            if entry is not None:
                yield entry
            entry = _Entry(number, KeptLines(context))
        blank = not line.strip()
        if entry is not None:
            entry.lines.append(line)
        elif not blank and number > 1:
            context.skip("text before the first message", number)
    if entry is not None:
        yield entry


@dataclass(frozen=True, slots=True)
class _Parts:
    """What is in the lines of a message: its fields in order, the lines of its quotation, and its text."""

    fields: tuple[tuple[str, str], ...]
    quote: tuple[str, ...]
    text: str

    def value(self, key: str) -> str:
        """Return the first value of a field; empty if there is none."""
        return next((value for name, value in self.fields if name == key), "")


def _parts(lines: Sequence[str]) -> _Parts:
    end = next((n for n, line in enumerate(lines) if not line.strip()), len(lines))
    fields = tuple((key, value) for key, _, value in (line.partition(": ") for line in lines[:end]))
    rest = lines[end + 1 :]
    quoted = 0
    if rest and rest[0].startswith(f"{_QUOTE}From: "):
        quoted = next((n for n, line in enumerate(rest) if not line.startswith(">")), len(rest))
    return _Parts(fields, tuple(rest[:quoted]), "\n".join(rest[quoted:]).strip("\n"))


def _message(entry: _Entry, context: ImportContext) -> ParsedMessage | None:
    parts = _parts(entry.lines)
    if parts.value("Type") not in ("incoming", "outgoing"):
        context.system_lines += 1
        return None
    head = parts
    edited = bool(parts.value("Edited"))
    if edited:
        parts = _parts(_newest(parts.text))
    sent_at, sender = _time(head.value("Sent"), context), _name(head.value("From"))
    quote = dict(line.removeprefix(_QUOTE).partition(": ")[::2] for line in reversed(parts.quote))
    quoted_at = _time(quote.get("Sent", ""), context) if quote else None
    return context.message(
        entry.line,
        sent_at,
        sender,
        parts.text,
        _files([value for key, value in parts.fields if key == "Attachment"]),
        source_id=_identity(sent_at, sender) if sent_at else None,
        reply_to=_identity(quoted_at, _name(quote["From"])) if quoted_at else None,
        edited=edited,
        reactions=tuple(
            Reaction(match["emoji"], _name(match["who"]))
            for key, value in head.fields
            if key == "Reaction" and (match := _REACTION.fullmatch(value))
        ),
    )


def _newest(text: str) -> list[str]:
    """Return the lines of the newest version of an edited message, which comes first."""
    lines = [line.removeprefix("|").removeprefix(" ") for line in text.split("\n")]
    begin = [n for n, line in enumerate(lines) if line.startswith(_VERSION)]
    return lines[: begin[1]] if len(begin) > 1 else lines


def _short(entry: Entry[re.Match[str]], context: ImportContext) -> ParsedMessage | None:
    head = entry.head
    text = "\n".join([head["text"] or "", *entry.more]).strip("\n")
    if _NOTICE.fullmatch(text):
        context.system_lines += 1
        return None
    marks = _MARKS.match(text)
    sent_at, sender = context.iso(head["time"]), _name(head["sender"], detailed=False)
    quoted_at = context.iso(marks["time"]) if marks else None
    count = min(int(marks["files"] or 0), _MOST_FILES) if marks else 0
    return context.message(
        entry.line,
        sent_at,
        sender,
        text[marks.end() :] if marks else text,
        [Attachment("", "file")] * count,
        source_id=_identity(sent_at, sender) if sent_at else None,
        reply_to=_identity(quoted_at, _name(marks["who"], detailed=False))
        if marks and quoted_at
        else None,
        edited=bool(marks and marks["edited"]),
    )


def _time(written: str, context: ImportContext) -> datetime | None:
    moment = moment_in(written)
    return None if moment is None else context.wall_clock(moment)


def _name(written: str, *, detailed: bool = True) -> str:
    name = (_DETAIL if detailed else _PHONE).sub("", written)
    return OWNER if name == _YOU else name


def _identity(sent_at: datetime, sender: str) -> str:
    return f"{MADE_UP}{sent_at.isoformat()} {sender}"


def _files(written: Sequence[str]) -> list[Attachment]:
    found = (match for value in written if (match := _FILE.fullmatch(value)))
    return [
        Attachment("" if match["name"] == _NO_NAME else match["name"], kind_of_mime(match["mime"]))
        for match in found
    ]

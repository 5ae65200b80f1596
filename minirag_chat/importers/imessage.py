"""Reads the text files of imessage-exporter: time, sender and text, with a blank line between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.limits import KeptLines
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import MADE_UP, Attachment, ParsedChat, ParsedMessage, Reaction

STAMP = lazy(
    r"(?P<written>(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d, \d{4} +"
    r"\d{1,2}:\d\d:\d\d\s[AP]M)(?: \(Read by .*\))?"
)
REPLY = "This message responded to an earlier message."
EDITED = lazy(r"^Edited .{1,40} later: ")
UNSENT = lazy(r"^(?:You|.{1,60}) unsent (?:a|this) message(?: part)?(?: .{1,60} after sending)?!?$")
DELETED_HERE = "This message was deleted from the conversation!"
_MISSING = "Attachment missing!"
_NOTICES = (
    "SharePlay Message\nEnded",
    "Started sharing location!",
    "Stopped sharing location!",
    "Shared location!",
)
_TAPBACK = lazy(r"(?P<kind>.{1,40}) by (?P<who>.+)")
_STICKER = lazy(r"Sticker from .{1,60}?: (?P<path>\S.*)|(?P<file>\S.*\.\w{2,5}) from .{1,60}")
_FILE = lazy(r"(?:~?/[^/\n]+/|[A-Za-z]:\\|attachments/)[^\n]*\.\w{2,5}")
_EXPRESSIVE = lazy(
    "Sent with (?:Balloons|Confetti|Echo|Fireworks|Gentle|Heart|Invisible Ink|Lasers|Loud|"
    "Shooting Start?|Slam|Sparkles|Spotlight)"
)
_INDENT = "    "
_NUMBERED = lazy(r"(?<=.) - \d{1,6}$")


@dataclass(slots=True)
class _Entry:
    """A message whose lines are still being read; ``nested`` are the replies printed below it."""

    line: int
    sent_at: datetime
    lines: KeptLines
    nested: KeptLines
    sender: str | None = None


class IMessageText(Importer):
    """The importer for imessage-exporter's txt files."""

    name = "imessage"
    title = "iMessage (imessage-exporter txt)"
    files = "Name or number.txt, one per chat"
    how = "imessage-exporter, a free program, on a Mac: `imessage-exporter -f txt -o FOLDER`."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first line is a time in imessage-exporter's format."""
        first = next((line for line in sample.text.split("\n") if line.strip()), "")
        if STAMP.match(first.strip()) is None:
            return "its first line is not a time as `May 17, 2022  5:29:42 PM`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file."""
        parents, chat = Parents(), described(context)
        messages = (_message(entry, parents, context) for entry in _entries(context))
        return one_chat_in_pieces(messages, lambda: chat)


def described(context: ImportContext) -> ParsedChat:
    """Return the chat without messages. The file of a named group is such as ``Boat crew - 12.txt``."""
    name = re.sub(r"\.\w+$", "", context.name)
    title = _NUMBERED.sub("", name)
    # Two groups in one folder may have the same name.
    folder = context.file.path.with_name(name) if title != name else None
    return context.chat("imessage", title=title, folder=folder)


class Parents:
    """Finds the parents of replies: each reply is printed below its parent, and again at its own time."""

    def __init__(self) -> None:
        self._parent_of: dict[tuple[datetime, str], str] = {}

    def add(self, sent_at: datetime | None, sender: str, parent: str) -> None:
        """Add a reply printed below ``parent``."""
        if sent_at is not None:
            self._parent_of[sent_at, sender] = parent

    def find(self, sent_at: datetime, sender: str) -> str | None:
        """Return the parent of a reply, or None."""
        return self._parent_of.pop((sent_at, sender), None)


def parsed_time(text: str) -> datetime | None:
    """Return the time at the beginning of a line, or None."""
    match = STAMP.match(text.strip())
    if match is None:
        return None
    try:
        return datetime.strptime(match["written"], "%b %d, %Y %I:%M:%S %p")
    except ValueError:
        return None


def _entries(context: ImportContext) -> Iterator[_Entry]:
    """Yield the messages that are not indented. A time after the end of a message begins the next.

    A time with an announcement in the same line is a system line: ``… PM You renamed the conversation``.
    """
    entry: _Entry | None = None
    blank = True
    for number, line in enumerate(context.lines(), 1):
        alone = STAMP.fullmatch(line.strip()) is not None
        when = parsed_time(line) if blank and alone else None
        if blank and not alone and STAMP.match(line):
            context.system_lines += 1
        elif when is not None and not line.startswith(_INDENT):
            if entry is not None:
                yield entry
            entry = _Entry(number, when, KeptLines(context), KeptLines(context))
        elif entry is None:
            if line.strip():
                context.skip("text before the first message", number)
        elif line.startswith(_INDENT) and (entry.nested or parsed_time(line)):
            entry.nested.append(line.strip())
        elif entry.sender is None:
            entry.sender = line.strip()
        else:
            entry.lines.append(line)
        blank = not line.strip()
    if entry is not None:
        yield entry


def _message(entry: _Entry, parents: Parents, context: ImportContext) -> ParsedMessage | None:
    sender = entry.sender or ""
    if not any(line.strip() for line in entry.lines) and not entry.nested:
        if _announces(sender):
            context.system_lines += 1
        else:
            context.skip(f"a message of {sender or 'an unknown sender'} without text", entry.line)
        return None
    identity = f"{MADE_UP}{entry.sent_at.isoformat()} {sender}"
    for line, following in zip(entry.nested, entry.nested[1:], strict=False):
        parents.add(parsed_time(line), following, identity)
    text, reactions = _without_tapbacks(entry.lines)
    if "\n".join(text).strip() in _NOTICES:
        context.system_lines += 1
        return None
    replying = REPLY in text
    files = [file for line in text if (file := _file(line))]
    kept = [
        line
        for line in text
        if line != REPLY and _file(line) is None and not _EXPRESSIVE.fullmatch(line)
    ]
    edits = [at for at, line in enumerate(kept) if EDITED.match(line)]
    last = kept[edits[-1] :] if edits else kept  # each version is printed below the one before it
    said = EDITED.sub("", "\n".join(last)).strip()
    return context.message(
        entry.line,
        entry.sent_at,
        sender,
        said,
        files,
        deleted=UNSENT.fullmatch(said) is not None or text[:1] == [DELETED_HERE],
        source_id=identity,
        reply_to=parents.find(entry.sent_at, sender) if replying else None,
        edited=bool(edits),
        reactions=reactions,
    )


def _announces(text: str) -> bool:
    """Whether a single line is an announcement rather than a sender without text."""
    return len(text.split()) > 2  # noqa: PLR2004 - "Ann left the conversation."


def _without_tapbacks(lines: list[str]) -> tuple[list[str], tuple[Reaction, ...]]:
    if "Tapbacks:" in lines or "Reactions:" in lines:
        at = next(n for n, line in enumerate(lines) if line in ("Tapbacks:", "Reactions:"))
        end = next((n for n in range(at, len(lines)) if not lines[n].strip()), len(lines))
        listed = list(takewhile(_reacts, map(str.strip, lines[at + 1 : end])))
        found = [match for line in listed if (match := _TAPBACK.fullmatch(line))]
        rest = [*lines[:at], *lines[at + 1 + len(listed) :]]
        return rest, tuple(Reaction(m["kind"], m["who"]) for m in found)
    return lines, ()


def _file(line: str) -> Attachment | None:
    """The file or sticker that a line of a message stands for."""
    if line == _MISSING:
        return Attachment("", "file")
    if _FILE.fullmatch(line):
        return Attachment(re.split(r"[/\\]", line)[-1], file_kind(line))
    sticker = _STICKER.fullmatch(line)
    if sticker is None or not sticker["path"]:
        return None
    return Attachment(re.split(r"[/\\]", sticker["path"])[-1], "sticker")


def _reacts(line: str) -> bool:
    """Whether a line below "Tapbacks:" is a reaction, or a sticker that was put on the message."""
    return bool(_TAPBACK.fullmatch(line) or _STICKER.fullmatch(line))

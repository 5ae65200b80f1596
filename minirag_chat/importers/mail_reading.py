"""Splits a mailbox into mails, or reads a single one; only headers and text are kept in memory.

Lines are decoded as Latin-1, so that each character is a byte: every part of a mail has its own
character set. Of attachments only the headers are kept.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from minirag_chat.importers.base import readable
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.limits import LONGEST_LINE
from minirag_chat.lazy_patterns import lazy

_BLOCK = 1024 * 1024
_LONGEST_STAMP = 300
_LONGEST_HEADER = 16_000  # characters of one header
_LONGEST_HEADERS = 256_000  # characters of all headers of a mail, with those of its parts
_MOST_BOUNDARIES = 20  # nested parts; mail clients make three or four
_STAMP = lazy(r"From .{0,200}?\b\d{1,2}:\d\d\b")
_EXACT = lazy(
    r"From \S{1,200} {1,3}\w{3} \w{3} [ \d]\d \d\d:\d\d(?::\d\d)?(?: [+-]?\w{1,5})? \d{4}(?: [+-]\d{4})?\s*"
)
_HEADER = lazy(r"([!-9;-~]{1,100}):")
_KNOWN_HEADER = lazy(
    r"(?:from|to|date|subject|sender|received|return-path|delivered-to|message-id|mime-version|content-type|"
    r"status|arc-[a-z-]{1,40}|dkim-signature|x-[!-9;-~]{1,90}):",
    re.IGNORECASE,
)
_BOUNDARY = lazy(r'\bboundary\s?=\s?(?:"([^"]{1,200})"|([^\s;"]{1,200}))', re.IGNORECASE)
_ESCAPED = lazy(r">{1,50}From ")


class Mail:
    """One mail that is still being read: its headers by name, and its lines of text."""

    def __init__(self, line: int, stamp: str = "") -> None:
        self.line, self.stamp = line, stamp
        self.headers: dict[str, str] = {}
        self.cut = 0
        self._kept: list[str] = []
        self._room = LONGEST_LINE
        self._header_room = _LONGEST_HEADERS
        self._block: list[str] = []  # the current block of headers, unfolded
        self._in_headers = True
        self._drops = False
        self._boundaries: set[str] = set()

    def text(self) -> bytes:
        """Return the mail as bytes, without the parts left out."""
        if self._in_headers:
            self._end_headers()
        return "".join(self._kept).encode("latin-1", "replace")

    def feed(self, line: str, *, begins: bool) -> None:
        """Add a line, or a part of a long one; ``begins``: it is the beginning of a line."""
        if begins and line.startswith("--") and self._is_boundary(line):
            if self._in_headers:
                self._end_headers()
            self._in_headers, self._drops = not line.rstrip().endswith("--"), False
            self._kept.append(line)
        elif self._in_headers:
            self._header(line, begins=begins)
        elif not self._drops:
            part = line[: self._room]
            self.cut += len(line) - len(part)
            self._room -= len(part)
            self._kept.append(part)

    def _is_boundary(self, line: str) -> bool:
        name = line[2:].rstrip()
        return name in self._boundaries or name.removesuffix("--") in self._boundaries

    def _header(self, line: str, *, begins: bool) -> None:
        if begins and not line.strip():
            self._end_headers()
            self._in_headers = False
            return
        self._header_room -= len(line)
        if self._header_room < 0 or not begins:
            return
        if line[0] in " \t":
            if self._block and len(self._block[-1]) < _LONGEST_HEADER:
                self._block[-1] += " " + line.strip()[:_LONGEST_HEADER]
        elif _HEADER.match(line):
            self._block.append(line.rstrip("\n")[:_LONGEST_HEADER])

    def _end_headers(self) -> None:
        """Keep a block of headers, and find out from it which part follows."""
        found: dict[str, str] = {}
        for header in self._block:
            name, _, value = header.partition(":")
            found.setdefault(name.lower(), value.strip())
        if not self._kept:
            self.headers = found
        self._kept += [f"{header}\n" for header in self._block] + ["\n"]
        self._block = []
        kind = found.get("content-type", "text/plain").strip().lower()
        attached = found.get("content-disposition", "").lower().startswith("attachment")
        if kind.startswith("multipart/"):
            boundary = _BOUNDARY.search(found["content-type"])
            if boundary is not None and len(self._boundaries) < _MOST_BOUNDARIES:
                self._boundaries.add((boundary[1] or boundary[2]).rstrip())
        else:
            self._drops = attached or not kind.startswith("text/")


def mails(context: ImportContext) -> Iterator[Mail]:
    """Yield the mails of a mailbox, or the single mail of the file."""
    mail: Mail | None = None
    waiting = ""  # a line that may begin a mail; the next line decides
    blank_before = True
    in_mailbox = False
    for number, line, begins in _lines(context):
        if waiting:
            if _is_header(line, waiting, first=mail is None):
                if mail is not None:
                    yield mail
                mail, in_mailbox = Mail(number, waiting), True
            elif mail is not None:
                mail.feed(waiting, begins=True)
            waiting = ""
        is_first = mail is None
        if begins and (is_first or in_mailbox) and _may_begin_mail(line, exactly=not blank_before):
            waiting = line
        elif mail is not None:
            escaped = in_mailbox and begins and _ESCAPED.match(line)
            mail.feed(line[1:] if escaped else line, begins=begins)
        elif line.strip():
            mail = Mail(number)
            mail.feed(line, begins=begins)
        blank_before = begins and not line.strip()
    if mail is not None:
        yield mail


def _is_header(line: str, stamp: str, *, first: bool) -> bool:
    """Whether the line below ``stamp`` is a header; if ``stamp`` is not exact, it must be a known header.

    "From 10:30 on we meet" may be in a mail, with a line such as "Agenda: the boat" below.
    """
    if first or _EXACT.fullmatch(stamp):
        return _HEADER.match(line) is not None or line.startswith((">From ", "From "))
    return _KNOWN_HEADER.match(line) is not None


def _may_begin_mail(line: str, *, exactly: bool) -> bool:
    """Whether a line may begin a mail; without a blank line before, it must match the format exactly."""
    if not line.startswith("From ") or len(line) > _LONGEST_STAMP:
        return False
    return (_EXACT.fullmatch(line) if exactly else _STAMP.match(line)) is not None


def _lines(context: ImportContext) -> Iterator[tuple[int, str, bool]]:
    """Yield each line's number, the line or a part of it, and whether this is its beginning."""
    number, begins = 0, True
    with readable(context.name):
        stream = io.TextIOWrapper(context.file.open(), encoding="latin-1", newline=None)
        with stream:
            while line := stream.readline(_BLOCK):
                number += begins
                yield number, line.removeprefix("\xef\xbb\xbf") if number == 1 else line, begins
                begins = line.endswith("\n")

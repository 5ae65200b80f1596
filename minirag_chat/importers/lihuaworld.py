"""Reads the logs of LiHua-World: a ``Time:`` header, then ``Name: text`` lines without times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from minirag_chat.errors import UnreadableFile
from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.speakers import SpeakerRules
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import ParsedChat, ParsedMessage

_HEADER = lazy(
    r"\ufeff?(?P<prefix>Time:)?\s*"
    r"(?P<stamp>(?P<day>\d{8})[_ T](?P<hour>\d{2}):?(?P<minute>\d{2}))\s*",
    re.IGNORECASE,
)
_LARGEST = 16 * 1024 * 1024  # bytes; a file is read as a whole to find its speakers


@dataclass(frozen=True, slots=True)
class _Section:
    """One session: its header, and its lines with the number of the first in the file."""

    header: str
    sent_at: datetime
    first_line: int
    lines: tuple[str, ...]
    rules: SpeakerRules


class LiHuaWorld(Importer):
    """The importer for LiHua-World logs. A file has one session, or one for each header in it."""

    name = "lihuaworld"
    title = "LiHua-World log"
    files = "YYYYMMDD_HHMM.txt, one per session, or their folder or zip"
    how = "`minirag-chat corpus get lihuaworld` fetches the corpus of the MiniRAG paper."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first line that is not empty is a header with a real date."""
        first = next((line for line in sample.text.split("\n") if line.strip()), "")
        if _header(first) is None:
            return "its first line is not `Time: YYYYMMDD_HH:MM`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield one chat a session; every message has the time of the session's header."""
        if context.file.size > _LARGEST:
            raise UnreadableFile(
                f"{context.name} has {context.file.size:,} bytes, more than the "
                f"{_LARGEST:,} of a log; cut it into files of fewer sessions."
            )
        sections = _sections([*context.lines()])
        if not sections:
            raise UnreadableFile(
                f"{context.name} has no line `Time: YYYYMMDD_HH:MM`; "
                "leave out the option format to have the format recognised."
            )
        speakers = frozenset[str]().union(*(section.rules.speakers() for section in sections))
        for part, section in enumerate(sections):
            messages, left = _messages(section, speakers, context.file.path.stem)
            for line, reason in left:
                context.skip(reason, line)
            if messages:
                yield ParsedChat(self.name, messages, title=context.options.chat_title, part=part)
            elif not left:
                context.skip("no message follows this header", section.first_line - 1)


def _header(line: str, *, prefixed: bool = False) -> tuple[str, datetime] | None:
    """Return a header's text without ``Time:`` and its time; None if the line is no header."""
    match = _HEADER.fullmatch(line)
    if match is None or (prefixed and not match["prefix"]):
        return None
    try:
        when = datetime.strptime(match["day"] + match["hour"] + match["minute"], "%Y%m%d%H%M")
    except ValueError:
        return None
    return match["stamp"], when


def _sections(lines: Sequence[str]) -> list[_Section]:
    """Cut a file at its headers; after the first, only lines with ``Time:`` are headers."""
    headers: list[tuple[int, tuple[str, datetime]]] = []
    for number, line in enumerate(lines):
        found = _header(line, prefixed=bool(headers))
        if found is not None:
            headers.append((number, found))
    ends = [*(number for number, _ in headers[1:]), *([len(lines)] if headers else [])]
    return [
        _section(stamp, when, number + 1, lines[number + 1 : end])
        for (number, (stamp, when)), end in zip(headers, ends, strict=True)
    ]


def _section(header: str, sent_at: datetime, above: int, lines: Sequence[str]) -> _Section:
    return _Section(header, sent_at, above + 1, tuple(lines), SpeakerRules(lines))


def _messages(
    section: _Section, speakers: frozenset[str], stem: str
) -> tuple[tuple[ParsedMessage, ...], list[tuple[int, str]]]:
    """Return a section's messages, and the lines that belong to none with the reason."""
    session = f"{section.header} {stem}"
    messages: list[ParsedMessage] = []
    skipped: list[tuple[int, str]] = []
    for sender, number, text in _turns(section, speakers):
        if sender is None:
            skipped.append((number, "text before the first sender"))
        elif not text:
            skipped.append((number, f"a message of {sender} without text"))
        else:
            messages.append(ParsedMessage(section.sent_at, sender, text, session=session))
    return tuple(messages), skipped


def _turns(section: _Section, speakers: frozenset[str]) -> Iterator[tuple[str | None, int, str]]:
    """Yield sender, line number and text of each message; the sender is None before the first."""
    sender: str | None = None
    begun, text = section.first_line, list[str]()
    for number, line in enumerate(section.lines, section.first_line):
        label = section.rules.labels.get(number - section.first_line)
        if label is not None and label.name in speakers:
            if sender is not None or any(text):
                yield sender, begun, "\n".join(text).strip()
            sender, begun, text = label.name, number, [label.rest]
        elif sender is not None or line.strip():
            begun = begun if text or sender is not None else number
            text.append(line)
    if sender is not None or any(text):
        yield sender, begun, "\n".join(text).strip()

"""Reads WhatsApp's exports of one chat, from Android and iOS, as ``.txt`` or in a zip."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from minirag_chat.importers.base import MARKS, ExportFile, ImportOptions, Sample, clean_name
from minirag_chat.importers.dates import (
    CLOCK,
    DATE,
    OrderDecision,
    Triple,
    decide_order,
    order_note,
    to_datetime,
    to_time,
)
from minirag_chat.importers.whatsapp_phrases import (
    is_deleted,
    is_group_notice,
    is_notice,
    media_part,
    title_in,
    without_edit_mark,
)
from minirag_chat.records import (
    ChatKind,
    MessageKind,
    ParsedChat,
    ParsedExport,
    ParsedMessage,
    Skipped,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime, time

_M = f"[{MARKS}]*"
_WHEN = rf"{DATE}[,،]?\s+(?:(?:um|at|às|klo|kl\.?)\s+)?{CLOCK}"
_IOS = re.compile(rf"{_M}\[{_M}{_WHEN}{_M}\](?:\s|$)(?P<rest>.*)", re.DOTALL)
_ANDROID = re.compile(rf"{_M}{_WHEN}{_M}\s+[-–—](?:\s|$)(?P<rest>.*)", re.DOTALL)  # noqa: RUF001
_SIGNAL = re.compile(r"\[\d{4}-\d\d-\d\d, \d\d:\d\d\] ")
_LEFT_TO_RIGHT = "\u200e"
_SAMPLE_LINES = 60
_ENOUGH_LINES = 2
_DIRECT = 2


class _Stamped(NamedTuple):
    """A line that begins like a message; its date waits for the order of day and month."""

    date: Triple
    clock: time
    rest: str


@dataclass(slots=True)
class _Entry:
    """A message or system line being put together."""

    line: int
    sent_at: datetime
    first: str
    more: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Account:
    """Everything read so far."""

    messages: list[ParsedMessage] = field(default_factory=list)
    system: list[str] = field(default_factory=list)
    skipped: list[tuple[int, str]] = field(default_factory=list)
    media: int = 0


class WhatsApp:
    """The importer for WhatsApp's own text exports."""

    name = "whatsapp"
    title = "WhatsApp export"

    def refusal(self, sample: Sample) -> str | None:
        """Return None if the first lines begin with a date, a time and a sender or notice."""
        lines = [line for line in sample.text.split("\n") if line.strip()][:_SAMPLE_LINES]
        stamped = [line for line in lines if _stamped(line) is not None]
        if not stamped:
            return "no line begins with a date and a time as `31/12/21, 18:00 - Ann: text`"
        if all(_SIGNAL.match(line) for line in stamped):
            return "its lines are those of a Signal export"
        begun = sum(": " in stamp.rest for line in stamped if (stamp := _stamped(line)))
        if stamped[0] is not lines[0] and begun < _ENOUGH_LINES:
            return "it does not begin with a date and a time as `31/12/21, 18:00 - Ann: text`"
        return None

    def read(self, file: ExportFile, options: ImportOptions) -> ParsedExport:
        """Return the one chat of the file."""
        decoded = file.text(options)
        lines = decoded.text.split("\n")
        stamps = [_stamped(line) for line in lines]
        order = decide_order((s.date for s in stamps if s is not None), options.date_order)
        account = _Account()
        entries = list(_entries(lines, stamps, order, account))
        names = _Names(entry.first for entry in entries)
        for entry in entries:
            _read_entry(entry, names, account)
        name = file.path.name
        title = options.chat_title or _title(file)
        messages = tuple(account.messages)
        chat = ParsedChat(self.name, messages, title=title, kind=_kind(account))
        return ParsedExport(
            self.name,
            (chat,) if messages else (),
            system_lines=len(account.system),
            media=account.media,
            skipped=tuple(Skipped(name, reason, line) for line, reason in account.skipped),
            notes=decoded.notes + (() if order.certain else (order_note(name),)),
        )


def _stamped(line: str) -> _Stamped | None:
    """Return the parts of a line that begins with a date and a clock time, or None."""
    match = _IOS.fullmatch(line) or _ANDROID.fullmatch(line)
    if match is None:
        return None
    clock = to_time(match)
    if clock is None:
        return None
    return _Stamped((match["d1"], match["d2"], match["d3"]), clock, match["rest"])


def _entries(
    lines: Sequence[str],
    stamps: Sequence[_Stamped | None],
    order: OrderDecision,
    account: _Account,
) -> Iterator[_Entry]:
    """Yield entries with their continuation lines; a line whose date is none continues one."""
    entry: _Entry | None = None
    for number, (line, stamp) in enumerate(zip(lines, stamps, strict=True), 1):
        sent_at = stamp and to_datetime(stamp.date, order.order, stamp.clock)
        if stamp is not None and sent_at is not None:
            if entry is not None:
                yield entry
            entry = _Entry(number, sent_at, stamp.rest)
        elif entry is not None:
            entry.more.append(line)
        elif line.strip():
            account.skipped.append((number, "text before the first message"))
    if entry is not None:
        yield entry


class _Names:
    """Which parts before a colon are senders, by how often they come, over the whole file.

    A part that comes once may be a notice with a colon in it: it is one if it opens a quotation
    that the colon is in (``Ann changed the subject to "Rome: plan"``). ``speaks_as_system`` holds
    names, such as a group's on iOS, all of whose texts begin with WhatsApp's own mark.
    """

    def __init__(self, firsts: Iterable[str]) -> None:
        self._count: Counter[str] = Counter()
        marked: Counter[str] = Counter()
        for first in firsts:
            name, found, text = _at_colon(first)
            if found:
                self._count[clean_sender(name)] += 1
                marked[clean_sender(name)] += _is_own_words(text)
        self.speaks_as_system = frozenset(
            name for name, count in self._count.items() if marked[name] == count
        )

    def split(self, first: str) -> tuple[str, str] | None:
        """Return sender and text of an entry's first line, or None for a system line."""
        name, found, text = _at_colon(first)
        if not found:
            name, found, text = first.partition(":")
            if self._count[clean_sender(name)] == 0:
                return None
        sender = clean_sender(name)
        if not sender or (self._count[sender] == 1 and _is_cut_notice(name)):
            return None
        return sender, text


def _at_colon(first: str) -> tuple[str, str, str]:
    """Part a line at its first colon that a space or nothing follows."""
    name, found, text = first.partition(": ")
    return (first[:-1], ":", "") if not found and first.endswith(":") else (name, found, text)


@lru_cache(maxsize=4096)
def clean_sender(name: str) -> str:
    """Return a sender's name without marks and without the ``~`` of people not in the contacts."""
    return clean_name(clean_name(name).removeprefix("~"))


def _is_own_words(text: str) -> bool:
    """Say whether WhatsApp says something itself: not media, a link or the head of a poll."""
    if not text.startswith(_LEFT_TO_RIGHT) or media_part(text) is not None:
        return False
    return "://" not in text and not text.rstrip().endswith(":")


def _is_cut_notice(name: str) -> bool:
    """Say whether what is before a colon is part of a notice: in a quotation, or its words."""
    return (
        is_notice(name)
        or name.count('"') % 2 == 1
        or any(name.count(opening) > name.count(closing) for opening, closing in ("“”", "„“", "«»"))
    )


def _read_entry(entry: _Entry, names: _Names, account: _Account) -> None:
    """Put an entry into the account: as a message, a system line, or skipped."""
    split = names.split(entry.first)
    if split is None:
        account.system.append(entry.first)
        return
    sender, first = split
    text, edited = without_edit_mark("\n".join([first, *entry.more]).strip())
    if _is_system(sender, text, names):
        account.system.append(text)
        return
    media = _placeholder(text)
    account.media += media is not None
    text = text.strip(_LEFT_TO_RIGHT).strip()
    if not text:
        account.skipped.append((entry.line, f"a message of {sender} without text"))
        return
    kind: MessageKind = "media" if media == text else "text"
    account.messages.append(ParsedMessage(entry.sent_at, sender, text, kind, edited=edited))


def _is_system(sender: str, text: str, names: _Names) -> bool:
    if is_deleted(text):
        return True
    if not text.startswith(_LEFT_TO_RIGHT) or _placeholder(text) is not None:
        return False
    if sender in names.speaks_as_system:
        return True
    return is_notice(text) or text.lstrip(MARKS).startswith(f"{sender} ")


def _placeholder(text: str) -> str | None:
    """Return what stands for media in a message's first or last line, where captions leave it."""
    lines = text.split("\n")
    found = media_part(lines[0]) or media_part(lines[-1])
    return None if found is None else found.strip(_LEFT_TO_RIGHT).strip()


def _kind(account: _Account) -> ChatKind:
    senders = {message.sender for message in account.messages}
    grouped = any(map(is_group_notice, account.system))
    return "direct" if len(senders) <= _DIRECT and not grouped else "group"


def _title(file: ExportFile) -> str | None:
    """Return the chat's title from the file's name, or from that of its zip or folder."""
    for name in (file.path.name, file.container):
        title = title_in(re.sub(r"\.(txt|zip)$", "", name, flags=re.IGNORECASE))
        if title is not None:
            return title
    return None

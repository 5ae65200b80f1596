"""The import context: an importer records in it everything in the file except the messages."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from minirag_chat.importers.base import (
    DELETED,
    ExportFile,
    ImportOptions,
    as_text,
    clean_name,
    readable,
)
from minirag_chat.importers.csv_rows import csv_rows
from minirag_chat.importers.decode import choose_codec
from minirag_chat.importers.jsonwalk import DamagedJson, Step, object_in, walk
from minirag_chat.importers.limits import LONGEST_LINE, LONGEST_NAME, cell
from minirag_chat.names import OWNER_WORDS, spelling_key
from minirag_chat.records import (
    Attachment,
    ChatKind,
    Decision,
    MessageKind,
    ParsedChat,
    ParsedExport,
    ParsedMessage,
    Skipped,
)
from minirag_chat.ui_text import cut

MOST_SKIPPED = 1000  # skipped places listed one by one; a limit, since a broken file has many
_BLOCK = 1024 * 1024
_LARGEST = 2**62  # integer that the database accepts


@dataclass(slots=True)
class ImportContext:
    """Counts, skipped places and decisions of one file.

    ``moments`` counts instants that were converted to wall-clock times, ``cut`` characters left out of long
    messages. ``damage`` says where the file is damaged; the messages before that place are kept. ``owner`` is
    the name of the person who made the export; empty if the file does not say. ``calls_owner`` are words such
    as "Me" that a file of a format without a fixed word for its owner has instead of that name.
    ``date_order`` is the order of day, month and year that its dates prove.
    """

    file: ExportFile
    options: ImportOptions
    system_lines: int = 0
    media: int = 0
    moments: int = 0
    cut: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    damage: str | None = None
    owner: str = ""
    calls_owner: set[str] = field(default_factory=set)
    date_order: str = ""
    half_days: bool = False  # whether the importer supports the option ``clock`` 12
    zone: tzinfo = field(init=False)
    _codec: str | None = None
    _more_skipped: int = 0
    _beyond: int = 0  # characters left out of long lines, in the pass that found most

    def __post_init__(self) -> None:
        self.zone = self.options.zone()

    @property
    def name(self) -> str:
        """The file's name in reports."""
        return self.file.path.name

    def skip(self, reason: str, line: int | None = None) -> None:
        """Record something that was skipped; ``line`` counts from 1."""
        if len(self.skipped) < MOST_SKIPPED:
            self.skipped.append(Skipped(self.name, cut(reason, LONGEST_NAME), line))
        else:
            self._more_skipped += 1

    def decide(
        self,
        what: str,
        chosen: str,
        option: str,
        note: str,
        messages: int = 0,
        *,
        certain: bool = False,
    ) -> None:
        """Record a decision for the whole file; ``note`` is the sentence for the user."""
        self.decisions.append(
            Decision(self.name, what, chosen, certain=certain, option=option, messages=messages)
        )
        self.notes.append(note)

    def message(
        self,
        place: int | str,
        sent_at: datetime | None,
        sender: object,
        text: object,
        attachments: Iterable[Attachment] = (),
        *,
        deleted: bool = False,
        **marks: Any,
    ) -> ParsedMessage | None:
        """Return a message, or None if a required field is missing, which is recorded.

        ``place`` is a line, or a path of keys; ``marks`` are further fields of the message.
        """
        said = as_text(text).replace("\r\n", "\n").strip()
        name, files = clean_name(as_text(sender)), tuple(attachments)
        reason = None
        if sent_at is None:
            reason = "no time that can be read"
        elif not name:
            reason = "no sender"
        elif not said and not files and not deleted:
            reason = f"a message of {name} without text"
        if reason is not None or sent_at is None:
            line, where = (place, "") if isinstance(place, int) else (None, f"{place}: ")
            self.skip(f"{where}{reason}", line)
            return None
        self.media += bool(files)
        if deleted:
            said = DELETED
        kind: MessageKind = "text" if said else "media"
        said = said or " ".join(f"[{f.kind} {f.name}]" if f.name else f"[{f.kind}]" for f in files)
        return ParsedMessage(sent_at, name, said, kind, deleted=deleted, attachments=files, **marks)

    def chat(
        self,
        platform: str,
        *,
        key: str | None = None,
        title: str | None = None,
        kind: ChatKind | None = None,
        folder: Path | None = None,
    ) -> ParsedChat:
        """Return a chat without its messages; an empty ``key`` or ``title`` counts as None.

        The option ``chat_title`` replaces the title.
        """
        title = self.options.chat_title or title or None
        return ParsedChat(platform, (), key or None, title, kind, folder=folder)

    # --- times -----------------------------------------------------------------------------------

    def wall_clock(self, moment: datetime) -> datetime:
        """Return the wall-clock time; a time without a zone is returned unchanged."""
        if moment.tzinfo is None:
            return moment
        self.moments += 1
        return moment.astimezone(self.zone).replace(tzinfo=None)

    def since_1970(self, value: object, *, milliseconds: bool = False) -> datetime | None:
        """Return the wall-clock time of seconds, or of milliseconds, since 1970."""
        try:
            moment = datetime.fromtimestamp(float(cell(value)) / (1000 if milliseconds else 1), UTC)
            return self.wall_clock(moment) if moment.year > 1970 else None  # noqa: PLR2004 - 0 is no time
        except (ValueError, OverflowError, OSError):
            return None

    def iso(self, value: object) -> datetime | None:
        """Return the wall-clock time of an ISO date and time, or None if it is invalid."""
        if not isinstance(value, str):
            return None
        try:
            return self.wall_clock(datetime.fromisoformat(cell(value)))
        except (ValueError, OverflowError):
            return None

    def edited_at(self, value: object) -> int:
        """Return a time, given in ISO format or as a number, in seconds since 1970; 0 if invalid."""
        written = cell(value)
        try:
            if isinstance(value, str) and not written.replace(".", "", 1).isdecimal():
                return max(int(datetime.fromisoformat(written).timestamp()), 0)
            return max(int(float(written or 0)), 0) % _LARGEST
        except (ValueError, OverflowError, OSError):
            return 0

    # --- reading ---------------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file without their ends; can be called again for another pass.

        A line longer than ``LONGEST_LINE`` is truncated.
        """
        beyond = 0
        with readable(self.name), self._text() as text:
            while line := text.readline(LONGEST_LINE):
                part = line
                while len(part) == LONGEST_LINE and not part.endswith("\n"):
                    part = text.readline(LONGEST_LINE)
                    beyond += len(part)
                yield line.removesuffix("\n")
        self.cut += max(beyond - self._beyond, 0)
        self._beyond = max(beyond, self._beyond)

    def blocks(self) -> Iterator[str]:
        """Yield the text of the file in blocks, for formats that do not depend on lines."""
        with readable(self.name), self._text() as text:
            while block := text.read(_BLOCK // 4):
                yield block

    def values(self, enter: Callable[[tuple[Step, ...]], bool]) -> Iterator[tuple[Any, Any]]:
        """Yield ``(path, value)`` of a JSON file; see :func:`~minirag_chat.importers.jsonwalk.walk`.

        If the file is truncated or damaged, the values before are yielded, and ``damage`` is set.
        """
        with readable(self.name), self._text() as text:
            try:
                yield from walk(text, enter, self._leave_out)
            except DamagedJson as error:
                self.damage = (
                    f"{self.name} is cut off or damaged JSON at {error.where}; "
                    "export the chat again."
                )

    def values_first_pass(
        self, enter: Callable[[tuple[Step, ...]], bool]
    ) -> Iterator[tuple[Any, Any]]:
        """Like ``values``, for the first of two passes: does not count characters left out."""
        cut = self.cut
        yield from self.values(enter)
        self.cut = cut

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield ``(line, object)`` of a JSON Lines file; other lines are skipped."""
        for number, line in enumerate(self.lines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            found = object_in(line)
            if isinstance(found, str):
                self.skip(found, number)
            else:
                yield number, found

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Yield ``(line, cells by column)`` of a CSV file; invalid rows are skipped."""
        for row in csv_rows(self.lines(), columns):
            if row.reason:
                self.skip(row.reason, row.line)
            else:
                yield row.line, row.cells

    def _leave_out(self, characters: int) -> None:
        self.cut += characters

    def _text(self) -> io.TextIOWrapper:
        if self._codec is None:
            self._codec = self._choose_codec()
        stream = self.file.open()
        return io.TextIOWrapper(stream, encoding=self._codec, errors="replace", newline=None)

    def _choose_codec(self) -> str:
        start = self.file.head(_BLOCK, self.options)
        codec, notes = choose_codec(start, self._blocks, self.name, self.options.encoding)
        for note in notes:
            self.decide("encoding", codec, "encoding", note)
        return codec

    def _blocks(self) -> Iterator[bytes]:
        with readable(self.name), self.file.open() as stream:
            while block := stream.read(_BLOCK):
                yield block

    # --- the end ---------------------------------------------------------------------------------

    def finish(self, format_name: str) -> ParsedExport:
        """Return the counts, notes and decisions as a record without chats."""
        if self.damage is not None:
            self.skip(self.damage)
        if self._more_skipped:
            more = f"{self._more_skipped:,} more lines or messages, for reasons like those above"
            self.skipped.append(Skipped(self.name, more))
        if self.options.clock == "12" and not self.half_days:
            self.notes.append(
                f"The option clock has no effect on {self.name}: only in WhatsApp's exports 12 tells morning "
                "from afternoon. Elsewhere write AM and PM behind the times."
            )
        if self.moments:
            zone = self.options.time_zone or str(self.zone)
            self.decide(
                "time zone",
                zone,
                "time_zone",
                f"{self.name} has absolute times; they are shown in the time zone "
                f"{zone}, which the option time_zone changes.",
                self.moments,
                certain=True,  # the times are; only how they are shown was chosen
            )
        unnamed = {self.owner} if spelling_key(self.owner) in OWNER_WORDS else set[str]()
        return ParsedExport(
            format_name,
            (),
            system_lines=self.system_lines,
            media=self.media,
            skipped=tuple(self.skipped),
            notes=tuple(self.notes),
            decisions=tuple(self.decisions),
            owner="" if unnamed else self.owner,
            date_order=self.date_order,
            calls_owner=frozenset({*self.calls_owner, *unnamed}),
        )

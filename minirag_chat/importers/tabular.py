"""Reads tables of messages, CSV with any delimiter or JSON Lines, by their column names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from posixpath import basename
from string import punctuation

from minirag_chat.errors import UnreadableFile
from minirag_chat.importers.base import COLUMNS, OWNER, Importer, ImportOptions, Sample, clean_name
from minirag_chat.importers.clocks import CLOCK, to_time
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.csv_rows import Row, columns_in, csv_rows
from minirag_chat.importers.directions import COLUMNS as DIRECTIONS
from minirag_chat.importers.directions import Directions, direction_in, read_directions
from minirag_chat.importers.discord import Discord, channel_of_file
from minirag_chat.importers.jsonwalk import object_in
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.limits import cell as short_cell
from minirag_chat.importers.moments import MomentReader
from minirag_chat.importers.phone_numbers import ContactNames
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.importers.table_records import (
    columns_of_records,
    other_messages,
    record_rows,
    sampled_lines,
    table_lines,
)
from minirag_chat.importers.table_words import (
    CLOCKS,
    COUNTED,
    FILES,
    KEYS,
    NUMBERS,
    RECIPIENTS,
    SUBJECTS,
    SYNONYMS,
    plain,
)
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_OF_DISCORD = frozenset({"AuthorID", "Author", "Date", "Content"})
"""Columns of DiscordChatExporter, which writes the channel into the file's name."""
_NEEDED = ("sent_at", "sender", "text")
_DELIMITERS = ",;\t|"
_FEWEST = 3
_FULL, _SPARSE = 0.9, 0.2  # shares of the rows that have a sender
_MARK = lazy(r"\ufeff?\"?sep=.\"?\s*", re.IGNORECASE)
_MOST_SHOWN, _LONGEST_SHOWN = 12, 40
_FILE = lazy(r"[^/\\]{1,200}\.\w{1,5}")
_LINK = lazy(r"[^\s,;|]+://[^\s,;|]+|[^\s,;|]+\.\w{1,5}")
_TIME_OF_DAY = lazy(CLOCK)
_WRITTEN_TIME = lazy(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ ,T].*)?|\d{9,11}(?:\.\d+)?|\d{12,13}")
_SHORTEST_NUMBER = 5  # characters of a number that is not that of a row
_MOST_NUMBERS = 100_000  # whose names are known
_LONGEST_HEADER = 2000  # characters of a header that are searched for delimiters


@dataclass(frozen=True, slots=True)
class _Table:
    """A recognised table: its columns, and the meaning of each.

    ``clock`` is the column with the time of day, if ``sent_at`` only has dates; ``direction`` the column
    that says whether the owner sent a message, and ``directions`` what it says; ``files`` the column of
    attachments, ``key`` that of the chats' ids, if chats have no titles; ``recipient`` that of recipients, if
    only these tell chats apart, and ``groups`` those of them that are groups; ``subject`` that of subjects;
    ``number`` that of the senders' phone numbers or ids, and ``names`` the names that rows give these.
    """

    columns: tuple[str, ...]
    mapping: Mapping[str, str]
    delimiter: str | None
    clock: str | None = None
    direction: str | None = None
    directions: Directions | None = None
    files: str | None = None
    key: str | None = None
    recipient: str | None = None
    groups: frozenset[str] = frozenset()
    subject: str | None = None
    number: str | None = None
    names: ContactNames = field(default_factory=ContactNames)

    def attachments(self, cells: Mapping[str, str]) -> list[Attachment]:
        """The files of a row."""
        written = cells.get(self.files or "", "")
        parts = _LINK.findall(written) if "://" in written else re.split(r"[,;|\n]", written)
        names = [basename(part.partition("?")[0]).strip() for part in parts]
        return [Attachment(name, file_kind(name)) for name in names if _FILE.fullmatch(name)]

    def direction_of(self, cells: Mapping[str, str]) -> str:
        """The direction of a row, such as ``sent``, in the table's own words."""
        column = self.direction or ""
        return direction_in(plain(column), cells.get(column, ""))

    def sender(self, cells: Mapping[str, str]) -> str:
        """The sender of a row; empty if there is none."""
        named = cells.get(self.mapping["sender"], "")
        if self.directions is not None:
            named = self.directions.sender(self.direction_of(cells), named)
        return clean_name(named) or self.person(cells)

    def person(self, cells: Mapping[str, str]) -> str:
        """Who is in the column of senders: a name, else that of the row's number, else the number."""
        number = cells.get(self.number or "", "").strip()
        if plain(self.number or "") == COUNTED and len(number) < _SHORTEST_NUMBER:
            number = ""
        named = clean_name(cells.get(self.mapping["sender"], ""))
        return named or clean_name(self.names.of(number) or number)

    def text(self, cells: Mapping[str, str]) -> str:
        """The text of a row, below its subject if it has one."""
        subject, said = cells.get(self.subject or "", ""), cells.get(self.mapping["text"], "")
        return f"{subject}\n{said}" if subject.strip() else said

    def chat(self, cells: Mapping[str, str]) -> str:
        """The title of a row's chat: from a column, or the contact in the column of senders."""
        if self.key is not None:
            return cells.get(self.key, "").strip()
        if "chat" in self.mapping:
            return cells.get(self.mapping["chat"], "").strip()
        if self.recipient is not None:
            sender, recipient = self.person(cells), cells.get(self.recipient, "")
            if self.directions is None:
                return self.between(sender, clean_name(recipient))
            return clean_name(self.directions.other(self.direction_of(cells), sender, recipient))
        contacts = self.directions is not None and self.directions.contacts
        return self.person(cells) if contacts else ""

    def between(self, sender: str, recipient: str) -> str:
        """The title of the chat of two people, or of a group; empty if there is no recipient."""
        if not recipient or recipient in self.groups:
            return recipient
        return ", ".join(sorted({sender, recipient} - {""}))

    def moment(self, cells: Mapping[str, str]) -> str:
        """The text of a row's time."""
        day = cells.get(self.mapping["sent_at"], "")
        return f"{day} {cells.get(self.clock, '')}".strip() if self.clock else day


class Tabular(Importer):
    """The importer for CSV and JSON Lines with columns for time, sender and text."""

    name = "table"
    title = "CSV, JSON Lines or JSON list"
    files = "any .csv, .tsv, .jsonl or .json with columns, or in each object keys, for time, sender and text"
    how = (
        "Name the columns sent_at, sender, text and chat, or map yours with --column. A column Type "
        "or Direction (Sent, Received …) or isFromMe says which messages are yours, and To whose chat they "
        "are in. `ChatMemory.add` takes a pandas frame too."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first row names columns for time, sender and text."""
        found = _table(sampled_lines(sample.text, _fits(sample.options)), sample.options)
        return found if isinstance(found, str) else None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield one chat for each value of the chat column, or a single one without that column."""
        options = context.options
        table = _table(_lines(context), options)
        if isinstance(table, str):
            raise UnreadableFile(f"{context.name} cannot be read as a table: {table}.")
        table = _with_sender(table, context)
        table = replace(table, clock=_clock(table, context))
        table = _with_others(_with_directions(_with_numbers(table, context), context))
        table = _with_groups(table, context)
        if table.directions is not None:
            context.calls_owner.add(OWNER)
            if len(table.directions.own) == 1:
                (context.owner,) = table.directions.own
        other_messages(context, _fits(options))
        times = MomentReader(
            (table.moment(row.cells) for row in _rows(_lines(context), table)), context
        )
        _note_unread(table, context)
        yield from in_pieces(
            _messages(table, times, context),
            lambda chat: _described(chat, table, context),
        )


def _note_unread(table: _Table, context: ImportContext) -> None:
    """Record the columns that are not read."""
    single = (table.clock, table.direction, table.files, table.key, table.recipient)
    known = {*table.mapping.values(), *single, table.subject, table.number}
    unread = [name for name in table.columns if name not in known]
    if unread:
        shown = ", ".join(column[:_LONGEST_SHOWN] for column in unread[:_MOST_SHOWN])
        more = " …" if len(unread) > _MOST_SHOWN else ""
        context.notes.append(f"These columns of {context.name} were not read: {shown}{more}.")


def _described(chat: str, table: _Table, context: ImportContext) -> ParsedChat:
    """Return a chat without its messages, by its title, or by its id in a table without titles."""
    title = context.options.chat_title
    if table.key is not None:
        return ParsedChat(Tabular.name, (), key=chat or None, title=title)
    if not chat and {*table.columns} >= _OF_DISCORD and (channel := channel_of_file(context.name)):
        name = re.sub(r".* - | ?\[\d+\].*", "", context.name)
        direct = context.name.startswith("Direct Messages")
        return context.chat(
            Discord.name, key=channel, title=title or name, kind="direct" if direct else "group"
        )
    return ParsedChat(Tabular.name, (), title=chat or title)


def _lines(context: ImportContext) -> Iterator[str]:
    return table_lines(context, _fits(context.options))


def _fits(options: ImportOptions) -> Callable[[Sequence[str]], bool]:
    return lambda columns: not isinstance(_mapping(columns, options.columns), str)


def _messages(
    table: _Table, times: MomentReader, context: ImportContext
) -> Iterator[tuple[str, ParsedMessage]]:
    for row in _rows(_lines(context), table):
        read = row.reason or _message(row.cells, table, times, context)
        if isinstance(read, str):
            context.skip(read, row.line)
        else:
            yield table.chat(row.cells), read
    if times.unreadable and not times.readable:
        raise UnreadableFile(
            f"No time in {context.name} can be read, such as {times.unreadable[:_LONGEST_SHOWN]!r}: write "
            "day, month and year, as in 2026-05-03 18:00, or name another column: `--column sent_at=NAME`."
        )


def _table(lines: Iterable[str], options: ImportOptions) -> _Table | str:
    """Return the recognised table, or the reason why the text is not one."""
    lines = _without_mark(lines)
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith("{"):
        if isinstance(object_in(first), str):
            return "line 1 is no JSON object, and no list of messages in an object begins the file"
        columns = columns_of_records(chain((first,), lines))
        mapping = _mapping(columns, options.columns)
        return mapping if isinstance(mapping, str) else _Table(columns, mapping, None)
    reasons = []
    for delimiter in [*_DELIMITERS, *_other_marks(first)]:
        columns = columns_in(first, delimiter)
        mapping = _mapping(columns, options.columns)
        if not isinstance(mapping, str):
            return _Table(columns, mapping, delimiter)
        reasons.append((-len(columns), _without_header(columns, delimiter) or mapping))
    return min(reasons)[1]


def _without_header(cells: Sequence[str], delimiter: str) -> str | None:
    """Return the reason if the first row is a message: it has a time, and no names of columns.

    The names that are proposed are those of most tables: the text is last, and the sender before it.
    """
    if len(cells) < _FEWEST or len(cells) > _MOST_SHOWN:
        return None
    at = next(
        (n for n, cell in enumerate(cells) if _WRITTEN_TIME.fullmatch(short_cell(cell))), None
    )
    if at is None:
        return None
    names = ["chat" if len(cells) == _FEWEST + 1 else "other"] * (len(cells) - _FEWEST)
    names += ["sender", "text"]
    names.insert(at, "sent_at")
    return (
        f"line 1 is a message, for no line above it names the columns: add one, such as "
        f"`{delimiter.join(names)}`"
    )


def _other_marks(line: str) -> list[str]:
    """Other punctuation in the header that may be the delimiter. csv.Sniffer can take minutes."""
    known = {*_DELIMITERS, *"\"'_- "}
    return sorted({mark for mark in line[:_LONGEST_HEADER] if mark in punctuation} - known)


def _mapping(columns: Sequence[str], chosen: Mapping[str, str]) -> Mapping[str, str] | str:
    """Return the meaning of each column, or a reason that names the columns found."""
    by_name = {plain(column): column for column in columns}
    mapping: dict[str, str] = {}
    for role in COLUMNS:
        names = (plain(chosen[role]),) if role in chosen else SYNONYMS[role]
        exact = chosen[role] if chosen.get(role) in columns else None
        found = exact or next(
            (by_name[n] for n in names if n in by_name and by_name[n] not in mapping.values()), None
        )
        if found is not None:
            mapping[role] = found
    if len(columns) < _FEWEST:
        return "line 1 is no row of columns"
    missing = [
        role for role in COLUMNS if role not in mapping and (role in _NEEDED or role in chosen)
    ]
    if not missing:
        return mapping
    shown = ", ".join(column[:_LONGEST_SHOWN] for column in columns[:_MOST_SHOWN])
    more = " …" if len(columns) > _MOST_SHOWN else ""
    how = f"name them: `--column {missing[0]}=NAME`, in Python columns={{'{missing[0]}': NAME}}"
    return f"no column for {', '.join(missing)} among {shown}{more} ({how})"


def _clock(table: _Table, context: ImportContext) -> str | None:
    """The column with the time of day, if the first date has no time: by its name, else by what it holds."""
    dates = (row.cells.get(table.mapping["sent_at"], "") for row in _rows(_lines(context), table))
    first = next((date.strip() for date in dates if date.strip()), ":")
    if ":" in first or first.isdigit():
        return None
    free = {
        plain(column): column for column in table.columns if column not in table.mapping.values()
    }
    if named := next((free[name] for name in CLOCKS if name in free), None):
        return named
    clocks, seen = dict.fromkeys(free.values()), set[str]()
    for row in _rows(_lines(context), table):
        written = {column: row.cells.get(column, "").strip() for column in clocks}
        seen.update(column for column, cell in written.items() if cell)
        clocks = {column: None for column, cell in written.items() if not cell or _is_clock(cell)}
    found = [column for column in clocks if column in seen]
    return found[0] if len(found) == 1 else None


def _is_clock(cell: str) -> bool:
    match = _TIME_OF_DAY.fullmatch(short_cell(cell))
    return match is not None and to_time(match) is not None


def _with_sender(table: _Table, context: ImportContext) -> _Table:
    """The table with another column of senders if its own is mostly empty and the other full.

    A key such as ``name`` may be another thing of a few rows: of a message's file, or of who joined.
    """
    own = table.mapping["sender"]
    if "sender" in context.options.columns:
        return table
    named = {
        plain(column): column for column in table.columns if column not in table.mapping.values()
    }
    found = [own, *(named[n] for n in SYNONYMS["sender"] if n in named and n not in NUMBERS)]
    if len(found) == 1:
        return table
    rows, filled = 0, dict.fromkeys(found, 0)
    for row in _rows(_lines(context), table):
        rows += row.reason is None
        for column in found:
            filled[column] += bool(row.cells.get(column, "").strip())
    full = [c for c in found if filled[c] >= _FULL * rows]
    mostly_empty = rows and filled[own] < _SPARSE * rows
    return (
        replace(table, mapping={**table.mapping, "sender": full[0]})
        if mostly_empty and full
        else table
    )


def _with_numbers(table: _Table, context: ImportContext) -> _Table:
    """The table with its columns of subjects and of the senders' numbers, and the names of these.

    A number that several names have, such as a chat's, is nobody's.
    """
    free = {plain(c): c for c in table.columns if c not in table.mapping.values()}
    subject = next((free[name] for name in SUBJECTS if name in free), None)
    number = next((free[name] for name in NUMBERS if name in free), None)
    table, sender = replace(table, subject=subject, number=number), table.mapping["sender"]
    found: dict[str, str] = {}
    for row in _rows(_lines(context), table) if number else ():
        key, name = row.cells.get(number or "", "").strip(), clean_name(row.cells.get(sender, ""))
        if key and name and (key in found or len(found) < _MOST_NUMBERS):
            found[key] = name if found.get(key, name) == name else ""
    for key, name in found.items():
        table.names.put(key, name)
    return table


def _with_directions(table: _Table, context: ImportContext) -> _Table:
    """The table with the first of its columns that says what its owner sent and received."""
    named = {plain(column): column for column in table.columns}
    for column in (named[name] for name in DIRECTIONS if name in named):
        if column in table.mapping.values():
            continue
        tried = replace(table, direction=column)
        rows = (row.cells for row in _rows(_lines(context), table) if row.reason is None)
        found = read_directions((tried.direction_of(cells), tried.person(cells)) for cells in rows)
        if found is not None:
            return replace(tried, directions=found)
    return table


def _with_others(table: _Table) -> _Table:
    """The table with its columns of files and, if nothing names the chats, of their ids."""
    taken = {*table.mapping.values(), table.number, table.subject}
    free = {plain(c): c for c in table.columns if c not in taken}
    files = next((free[name] for name in FILES if name in free), None)
    titled = "chat" in table.mapping or (table.directions is not None and table.directions.contacts)
    key = None if titled else next((free[name] for name in KEYS if name in free), None)
    apart = titled or key is not None
    recipient = None if apart else next((free[name] for name in RECIPIENTS if name in free), None)
    return replace(table, files=files, key=key, recipient=recipient)


def _with_groups(table: _Table, context: ImportContext) -> _Table:
    """The table with those recipients that are groups: several people write to them, and they never write."""
    if table.recipient is None or table.directions is not None:
        return table
    writers: set[str] = set()
    written: dict[str, set[str]] = {}
    for row in _rows(_lines(context), table):
        sender, to = table.person(row.cells), clean_name(row.cells.get(table.recipient, ""))
        writers.add(sender)
        if to in written or len(written) < _MOST_NUMBERS:
            written.setdefault(to, set()).add(sender)
    groups = {to for to, senders in written.items() if len(senders - {""}) > 1} - writers
    return replace(table, groups=frozenset(groups))


def _rows(lines: Iterable[str], table: _Table) -> Iterator[Row]:
    if table.delimiter is None:
        sender, chat = table.mapping["sender"], table.mapping.get("chat")
        return record_rows(lines, sender, lambda key: key == chat or plain(key) in RECIPIENTS)
    return csv_rows(_without_mark(lines), table.columns, table.delimiter)


def _without_mark(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with a blank one in place of Excel's ``sep=;``, which names the delimiter."""
    lines = iter(lines)
    first = next(lines, "")
    yield "" if _MARK.fullmatch(first) else first
    yield from lines


def _message(
    cells: Mapping[str, str], table: _Table, times: MomentReader, context: ImportContext
) -> ParsedMessage | str:
    """Return a row's message, or the reason why it is invalid."""
    written = table.moment(cells)
    sender, text = table.sender(cells), table.text(cells)
    sent_at = times.read(written)
    if sent_at is None:
        return f"the time {written[:60]!r} cannot be read" if written.strip() else "no time"
    if not sender:
        return "no sender"
    files = table.attachments(cells)
    if not text.strip() and not files:
        return "no text"
    return context.message(0, sent_at, sender, text, files) or "no text"

"""Reads LINE's text exports: date lines, then ``HH:MM<TAB>Name<TAB>text``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import NamedTuple

from minirag_chat.importers.base import DateOrder, Importer, Sample, without_marks
from minirag_chat.importers.cldr_months import is_weekday
from minirag_chat.importers.clocks import clock_time
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.dates import OrderChooser, Triple, order_note, to_date
from minirag_chat.importers.limits import KeptLines
from minirag_chat.importers.line_names import SPACED, names_in, with_tabs
from minirag_chat.importers.line_words import MEDIA, NOTICE
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.importers.weekdays import order_by_weekdays
from minirag_chat.lazy_patterns import lazy, lazy_regex
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_HEADER = lazy(r"\ufeff?\[LINE\]\s*(?P<title>.+)")
_TITLES = (
    lazy(r"Chat history (?:with|in) (?P<title>.+)"),
    lazy(r"(?P<title>.+?)(?:との|の)トーク履歴.*"),
    lazy(r"[与與和]?(?P<title>.+?)的[聊对對]天[记記][录錄].*"),
    lazy(r"(?P<title>.+?)(?:님과|와|과)의? (?:대화|채팅).*"),
    lazy(r"ประวัติการ(?:สนทนา|แชท)(?:กับ|ใน(?:กลุ่ม)?)\s?(?P<title>.+)"),
    lazy(r"Riwayat obrolan (?:dengan|di|dalam) (?P<title>.+)", re.IGNORECASE),
)
# One word, or two as in Vietnamese "Thứ 2" and in Hebrew, whose second one ends with a mark.
_WEEKDAY = r"\p{L}[\p{L}\p{M}.]{0,20}(?: [\p{L}\p{M}\d]{1,12}\u05f3?)?"
_SEPARATOR = r"[./-] ?"
# Dates as phones write them with a weekday: CLDR's pattern "yMEd" of each language.
_DATE = lazy_regex(
    rf"(?:(?P<before>{_WEEKDAY})[,،፣]?\s)?(?P<d1>\d{{1,4}})(?:{_SEPARATOR}|年 ?)"
    rf"(?P<d2>\d{{1,2}})(?:{_SEPARATOR}|月 ?)(?P<d3>\d{{4}}|\d{{1,2}})(?:[.日]|\s\u0433\.)?"
    rf"(?: ?[(（](?P<within>{_WEEKDAY})[)）]|(?P<gap>,? ?)(?P<after>{_WEEKDAY}))?"  # noqa: RUF001 - Chinese brackets
)
_LONGEST_DATE = 60
_ENTRY = lazy(
    r"(?P<pre>[^\W\d_]{2}) ?(?P<h1>\d{1,2}):(?P<m1>\d\d)\t(?P<rest1>.*)|"
    r"(?P<h2>\d{1,2}):(?P<m2>\d\d) ?(?P<post>[AaPp]\.?[Mm]\.?)?\t(?P<rest2>.*)"
)
_AROUND = ' "“”「」'  # what may stand around a title
_CALL = "☎"
_HOURS = 24
_SAMPLE_LINES = 20


@dataclass(slots=True)
class _Entry:
    """A message whose lines are still being read; ``begun`` and ``ended`` are its first and last line."""

    line: int
    sent_at: datetime
    rest: str
    more: KeptLines
    begun: str = ""
    ended: str = ""

    def __post_init__(self) -> None:
        self.begun = self.ended = self.rest.partition("\t")[2].strip()

    def add(self, line: str) -> None:
        """Add a further line of the text."""
        self.more.append(line)
        self.ended = line.strip() or self.ended
        self.begun = self.begun or self.ended

    @property
    def open(self) -> bool:
        """Whether a quotation mark that began the text has not been closed."""
        alone = self.begun == self.ended == '"'
        return self.begun.startswith('"') and (alone or not self.ended.endswith('"'))


class Line(Importer):
    """The importer for LINE's text exports."""

    name = "line"
    title = "LINE export"
    files = "[LINE] Chat with ….txt"
    how = "In the chat: menu, Settings (or Other settings), Export chat history."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if it has LINE's header, or a date line and below it a line with tabs."""
        lines = [line for line in sample.text.split("\n") if line.strip()]
        if lines and _HEADER.match(lines[0]):
            return None
        for above, below in pairwise(lines[:_SAMPLE_LINES]):
            if _day(above) and (_ENTRY.fullmatch(below) or SPACED.fullmatch(below)):
                return None
        return "it has no `[LINE]` header, and no date with `18:00<TAB>Name<TAB>text` below"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file. It is read twice: once to decide the order of dates."""
        order = _order(context)
        chat = context.chat(self.name, title=_title(next(context.lines(), ""), context.name))
        tabs = any(_ENTRY.fullmatch(line) for line in context.lines())
        names = {} if tabs else names_in(context)
        messages = (
            _message(entry, context, bare=bool(names)) for entry in _entries(context, order, names)
        )
        return one_chat_in_pieces(messages, lambda: chat)


def _title(line: str, name: str) -> str | None:
    """Return the title in the header, or in the name of a file that LINE for computers wrote."""
    header = _HEADER.match(line)
    if header is None:
        named = _HEADER.match(re.sub(r"\.txt$", "", name, flags=re.IGNORECASE))
        return named["title"].strip() if named else None
    text = header["title"].strip()
    found = (pattern.fullmatch(text) for pattern in _TITLES)
    return next((match["title"].strip(_AROUND) for match in found if match), None)


class _Day(NamedTuple):
    """The parts of a date that has a line of its own, and the weekday beside it; empty without one."""

    parts: Triple
    weekday: str


def _day(line: str) -> _Day | None:
    """Return the date in a line of its own; None if there is none, or no weekday but other words beside it.

    Of a single word after a space, or in brackets, it is not asked whether it names one: programs have words
    of their own.
    """
    written = without_marks(line.strip())
    match = _DATE.fullmatch(written) if len(written) <= _LONGEST_DATE else None
    if match is None:
        return None
    named = match["before"] or match["within"] or match["after"] or ""
    usual = " " not in named and match["gap"] in {None, " "}
    if named and not usual and not is_weekday(named):
        return None
    return _Day((match["d1"], match["d2"], match["d3"]), named)


def _order(context: ImportContext) -> DateOrder:
    chooser = OrderChooser()
    weekdays: dict[tuple[str, Triple], None] = {}
    for line in context.lines():
        day = _day(line)
        if day is not None:
            chooser.see(day.parts)
            weekdays |= {(day.weekday, day.parts): None} if day.weekday else {}
    decision = chooser.decide(context.options.date_order)
    by_weekday = None if decision.certain or not weekdays else order_by_weekdays(weekdays)
    if by_weekday is not None and context.options.date_order is None:
        context.date_order = by_weekday
        return by_weekday
    context.date_order = chooser.proven(decision)
    if not decision.certain:
        note = order_note(context.name, decision.order)
        context.decide("date order", decision.order, "date_order", note)
    return decision.order


def _entries(
    context: ImportContext, order: DateOrder, names: Mapping[str, int]
) -> Iterator[_Entry]:
    """Yield the messages with their continuation lines; a blank line before a date ends one."""
    day: date | None = None
    entry: _Entry | None = None
    for number, line in enumerate(context.lines(), 1):
        match = _begins(line, names, within=entry is not None and entry.open)
        sent_at = _sent_at(match, day, context) if match else None
        if match is not None and sent_at is not None:
            if entry is not None:
                yield entry
            rest = match["rest1"] or match["rest2"] or ""
            entry = _Entry(number, sent_at, rest, KeptLines(context))
            continue
        stamp = _day(line)
        new_day = to_date(stamp.parts, order) if stamp else None
        if new_day is not None and not (entry is not None and entry.open):
            day = new_day
            if entry is not None:
                yield entry
            entry = None
        elif entry is not None:
            entry.add(line)
        elif line.strip() and day is not None:
            context.skip("text before the first message of a day", number)
        elif match is not None:
            context.skip("a message before the first date", number)
    if entry is not None:
        yield entry


def _begins(line: str, names: Mapping[str, int], *, within: bool) -> re.Match[str] | None:
    """Match a line that begins a message; a time ``within`` a quoted text does not, without a known name."""
    match = _ENTRY.fullmatch(with_tabs(line, names))
    if match is None or not (names and within):
        return match
    return match if names.get((match["rest2"] or "").partition("\t")[0], 0) > 1 else None


def _sent_at(match: re.Match[str], day: date | None, context: ImportContext) -> datetime | None:
    """Return the time on ``day``; hours from 24 on are in the next morning."""
    if day is None:
        return None
    hour = int(match["h1"] or match["h2"])
    later, hour = divmod(hour, _HOURS) if hour >= _HOURS else (0, hour)
    mark = None if context.options.clock == "24" else match["pre"] or match["post"]
    clock: time | None = clock_time(str(hour), match["m1"] or match["m2"], None, mark)
    try:
        return None if clock is None else datetime.combine(day + timedelta(days=later), clock)
    except OverflowError:
        return None


def _message(entry: _Entry, context: ImportContext, *, bare: bool) -> ParsedMessage | None:
    """Return the message; with ``bare`` the app's own words have no brackets and no sign of a telephone."""
    sender, tab, first = entry.rest.partition("\t")
    text = "\n".join([first, *entry.more]).strip()
    if not tab or not sender.strip() or text.startswith(_CALL) or (bare and NOTICE.fullmatch(text)):
        context.system_lines += 1
        return None
    text = _unquoted(text)
    bracketed = text.startswith("[") and text.endswith("]")
    kind = MEDIA.get(text[1:-1] if bracketed else text) if bracketed or bare else None
    if kind is not None:
        return context.message(entry.line, entry.sent_at, sender, "", [Attachment("", kind)])
    return context.message(entry.line, entry.sent_at, sender, text)


def _unquoted(text: str) -> str:
    """Return a text of several lines without the quotation marks around it."""
    lines = text.split("\n")
    last = max((n for n, line in enumerate(lines) if line.endswith('"')), default=0)
    if last == 0 or not text.startswith('"'):
        return text
    inside = "\n".join(lines[: last + 1])[1:-1].replace('""', '"')
    return "\n".join([inside, *lines[last + 1 :]])

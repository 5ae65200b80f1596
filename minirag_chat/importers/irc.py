"""Reads logs of IRC as its programs write them: WeeChat, irssi, ZNC, HexChat, mIRC and others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from minirag_chat.errors import UnreadableFile
from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.cldr_months import ENGLISH as MONTHS
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.limits import KeptLines
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import ParsedChat, ParsedMessage

_MONTH = "|".join(MONTHS)
_CLOCK = r"(?P<hour>[0-2]\d):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d+)?)?"
_STAMP = lazy(
    rf"\[?(?:(?P<day>\d{{4}}-\d\d-\d\d)[T ]+|(?P<month>{_MONTH}) (?P<of_month>[ \d]\d) )?{_CLOCK}"
    r"(?P<offset>Z|[+-]\d\d:?[0-5]\d)?\]?(?P<gap>[ \t]+)"
)
_PREFIX = "@+%&~! "  # marks of operators and others before their names
_SAID = lazy(rf"<[{_PREFIX}]?(?P<nick>[^\s<>][^<>\t]{{0,59}})>(?:\s(?P<text>.*))?")
_TABBED = lazy(rf"[{_PREFIX}]?(?P<nick>[^\s\t]{{1,60}})\t(?P<text>.*)")
_ACTION = lazy(r"\*\s+(?P<nick>[^\s*]{1,60})\s(?P<text>.*)")
_NOTICE = lazy(rf"{_STAMP.pattern}\*\*\* [A-Z][a-z]+: ")
_NOTICES = frozenset(("--", "-->", "<--", "=!=", "*", "-", "⚡", "***", "-!-"))
_NOT_SAID = lazy(
    r"(?:\([^)]*@[^)]*\) )?(?:has |have )?(?:joined|left|quit|sets? mode|is now known as|was kicked|"
    r"changed? |gives |removes )"
)
# A line that gives the day of those below, in the forms of irssi, of HexChat and XChat, and of mIRC.
_DAY_LINE = lazy(
    rf"(?:--- (?:Log opened|Day changed)|\*\*\*\* BEGIN LOGGING AT|Session (?:Start|Time):) \w{{3}},? "
    rf"(?:(?P<month>{_MONTH}) +(?P<of_month>\d{{1,2}})|(?P<of_month2>\d{{1,2}}) (?P<month2>{_MONTH}))"
    r"(?: [\d:]+)? (?P<year>\d{4})"
)
_END_LINE = lazy(r"--- Log closed|\*\*\*\* ENDING LOGGING|Session (?:Close|Ident|End)")
_DAY_IN_NAME = lazy(r"(?<!\d)(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
# Where a log is of one day, this is behind the channel: "#python.20250113.log", "#python.01-13.log".
_CHANNEL = lazy(
    r"[#&][^\s,/\\]{1,60}?(?=[._-](?:(?:\d{4}-)?\d\d-\d\d|\d{8})(?!\d)|_\d{6}|\.(?:log|txt|weechatlog)|$|\s|/)"
)
_CHANNELS = ("#", "&")  # how the names of channels begin
_MARKS = lazy(r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
_SAMPLE_LINES, _FEWEST = 200, 2
_SHARE = 0.1  # of the stamped lines at least are of people
_A_DAY = timedelta(days=1)


class Irc(Importer):
    """The importer for logs of IRC."""

    name = "irc"
    title = "IRC log"
    files = "#channel.log, .weechatlog, or .txt"
    how = "IRC programs keep them in a folder for logs; irssi with the command /log."

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if lines begin with a time and `<name>`, or as those of WeeChat."""
        lines = [line for line in sample.text.split("\n") if line.strip()][:_SAMPLE_LINES]
        stamped = [line for line in lines if _STAMP.match(line)]
        said = sum(_said(line) is not None for line in stamped)
        begins = bool(lines) and (lines[0] in stamped or _DAY_LINE.match(lines[0]) is not None)
        enough = said >= min(_FEWEST, len(stamped)) and said > _SHARE * len(stamped)
        if begins and (enough or _NOTICE.match(lines[0])):
            return None
        return "no line is as `10:05 <ann> text`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the channel of the file, in pieces. It is read twice, first for the nicks."""
        log = _Log(context)
        title = _channel(context) or re.sub(r"\.\w+$", "", context.name)
        chat = context.chat(
            Irc.name, title=title, kind="group" if title.startswith(_CHANNELS) else None
        )
        return one_chat_in_pieces(log.messages(), lambda: chat)


class _Said(NamedTuple):
    """A line that somebody wrote."""

    nick: str
    text: str


def _said(line: str, nicks: frozenset[str] | set[str] = frozenset()) -> _Said | None:
    """Return the nick and text of a line; None for a notice. Only ``nicks`` can act: `* ann waves`."""
    stamp = _STAMP.match(line)
    if stamp is None:
        return None
    rest = _MARKS.sub("", line[stamp.end() :])
    found = _SAID.match(rest)
    if found is not None:
        return _Said(found["nick"], found["text"] or "")
    tabbed = _TABBED.match(rest) if "\t" in stamp["gap"] and stamp["day"] else None
    if tabbed is not None and tabbed["nick"] not in _NOTICES:
        return _Said(tabbed["nick"], tabbed["text"])
    action = _ACTION.match(rest.strip())
    if action is not None and action["nick"] in nicks and not _NOT_SAID.match(action["text"]):
        return _Said(action["nick"], action["text"])
    return None


def _channel(context: ImportContext) -> str | None:
    for name in (context.name, context.file.holder):
        found = _CHANNEL.search(name)
        if found is not None:
            return found[0]
    return None


@dataclass(slots=True)
class _Clock:
    """The day of the current line, and the time of the line before."""

    day: date | None
    given: bool = False  # whether the lines themselves give the day
    last: time = time()


class _Log:
    """The lines of a log with their times."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        found = (_said(line) for line in context.lines())
        self._nicks = {said.nick for said in found if said is not None}
        named = _DAY_IN_NAME.search(context.name)
        self._clock = _Clock(None if named is None else _date(*map(int, named.groups())))

    def messages(self) -> Iterator[ParsedMessage | None]:
        """Yield the messages, and count the notices. A line without a time continues the message above."""
        waiting: tuple[int, str, re.Match[str], KeptLines] | None = None
        for number, line in enumerate(self._context.lines(), 1):
            day_line, stamp = _DAY_LINE.match(line), _STAMP.match(line)
            if day_line is None and stamp is None and not _END_LINE.match(line):
                if waiting is not None:
                    waiting[3].append(line)
                elif line.strip():
                    self._context.skip("a line before the first one with a time", number)
                continue
            if waiting is not None:
                yield self._message(*waiting)
            waiting = None if stamp is None else (number, line, stamp, KeptLines(self._context))
            if day_line is not None:
                self._begin(day_line)
        if waiting is not None:
            yield self._message(*waiting)

    def _begin(self, line: re.Match[str]) -> None:
        month = line["month"] or line["month2"]
        of_month = int(line["of_month"] or line["of_month2"])
        day = _date(int(line["year"]), MONTHS.index(month) + 1, of_month)
        if day is not None:
            self._clock = _Clock(day, given=True)

    def _message(
        self, number: int, line: str, stamp: re.Match[str], more: KeptLines
    ) -> ParsedMessage | None:
        sent_at = self._time(stamp)
        said = _said(line, self._nicks)
        if said is None:
            self._context.system_lines += 1
            return None
        if sent_at is None and stamp["day"] is None:
            raise UnreadableFile(
                f"{self._context.name} is a log without a date at line {number}; "
                "export the chat with dates, or write the first day into the file's name, such as 2026-01-31."
            )
        return self._context.message(number, sent_at, said.nick, "\n".join([said.text, *more]))

    def _time(self, stamp: re.Match[str]) -> datetime | None:
        """Return the time of a line. If lines give no day, a new one begins where hours run backwards."""
        now = time(int(stamp["hour"]) % 24, int(stamp["minute"]), int(stamp["second"] or 0))
        clock = self._clock
        if stamp["day"]:
            clock.day, clock.given = _date(*map(int, stamp["day"].split("-"))), True
        elif stamp["month"] and clock.day is not None:
            month = MONTHS.index(stamp["month"]) + 1
            year = clock.day.year + (month < clock.day.month)
            clock.day, clock.given = _date(year, month, int(stamp["of_month"])) or clock.day, True
        elif not clock.given and clock.day is not None and now < clock.last:
            clock.day += _A_DAY
        clock.last = now
        if clock.day is None:
            return None
        there = datetime.combine(clock.day, now)
        try:
            zone = datetime.strptime(stamp["offset"], "%z").tzinfo if stamp["offset"] else None
            return self._context.wall_clock(there.replace(tzinfo=zone))
        except (ValueError, OverflowError):  # no such offset, or before the first year
            return there


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None

"""Reads KakaoTalk's exports, as Windows, Mac, Android and the iPhone write them, in Korean or English.

Written from descriptions of the format, and not tested on a real export.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.clocks import clock_time
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.limits import LONGEST_NAME, KeptLines
from minirag_chat.importers.month_names import MonthNames
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_TITLES = (
    lazy(r"\ufeff?(?P<title>.{1,200}?) ?(?: \d{1,5})? ?(?:님과의? )?카카오톡 대화"),
    lazy(r"\ufeff?(?P<title>.{1,200}?)(?: \d{1,5})?(?: with)? KakaoTalk Chats?"),
    lazy(r"\ufeff?KakaoTalk Chats? with (?P<title>.{1,200}?)(?: \d{1,5})?"),
    lazy(r"KakaoTalk_Chat_(?P<title>.{1,200})_\d{4}(?:-\d\d){5}\.csv"),
)
_SAVED = lazy(r"(?:저장한 날짜|Date Saved) ?:")
_KOREAN = r"(?P<year>\d{4})(?:년|\.) ?(?P<month>\d{1,2})(?:월|\.) ?(?P<day>\d{1,2})(?:일|\.)"
_ENGLISH = r"(?P<english>[A-Z][a-z]{2,8} \d{1,2}, \d{4})"
_TIME = (
    r"(?:(?P<pre>오전|오후|[AaPp]\.?[Mm]\.?) )?(?P<hour>\d{1,2}):(?P<minute>\d\d)"
    r"(?:[ \u202f\u00a0]?(?P<post>[AaPp]\.?[Mm]\.?))?"
)
_NAME = rf"(?P<sender>.{{0,{LONGEST_NAME}}}?)"  # empty in notices
_SAYING = rf"(?:, {_NAME} : (?P<text>.*)|[,:] (?P<event>.*))"
_SAID = f"{_SAYING}?"
_PATTERNS = (
    lazy(rf"{_KOREAN} {_TIME}{_SAID}"),
    lazy(rf"{_ENGLISH}(?: at|,)? {_TIME}{_SAID}"),
    lazy(rf"\[{_NAME}\] \[{_TIME}\] ?(?P<text>.*)"),
    lazy(rf"-{{5,40}} {_KOREAN}(?: \w요일)? -{{5,40}}"),
    lazy(rf"-{{5,40}} (?:[A-Z][a-z]{{5,8}}, )?{_ENGLISH} -{{5,40}}"),
)
"""Lines on phones: a time, then a sender and text, or an event. On computers: a sender, a time and text."""
_TIMED = lazy(rf"{_TIME}{_SAYING}")
"""A line on an iPhone whose day is in the heading above."""
_DAY = lazy(rf"{_KOREAN}(?: (?P<weekday>\w)요일)?|(?:[A-Z][a-z]{{5,8}}, )?{_ENGLISH}")
"""The heading of a day on an iPhone, after an empty line."""
_WEEKDAYS = "월화수목금토일"
_EVENTS = (
    "님이 들어왔습니다.", "님이 나갔습니다.", "님을 초대했습니다.", "님을 초대하였습니다.",
    "님을 내보냈습니다.", "님이 방장이 되었습니다.", "님이 부방장이 되었습니다.",
    "님이 부방장에서 해제되었습니다.",
)  # fmt: skip
_OPEN_CHAT = lazy(
    rf".{{1,{LONGEST_NAME}}}?님이 들어왔습니다\.\s*운영정책을 위반한 .*|채팅방 관리자가 메시지를 가렸습니다\."
    r"|메시지가 삭제되었습니다\."
    r"|불법촬영물등 식별 및 게재제한 조치 안내|그룹 오픈채팅방에서 .*"
)
"""Notices in an open chat."""
_ENGLISH_EVENT = lazy(
    rf"(?P<who>.{{1,{LONGEST_NAME}}}?) (?:(?:has )?(?:joined|left)|(?:was )?removed|invited)\b"
    r".*?(?P<sure> chatroom)?\."
)
_INVITED = lazy(rf"(?P<who>.{{1,{LONGEST_NAME}}}?) invited (?P<guests>.{{1,400}})\.")
_GUEST = lazy(r"(?:, | and )")
_LONGEST_EVENT = 500
_FEW = 0.2  # share of a file's messages: a rarer form of line is quoted from another export
_DELETED = {"삭제된 메시지입니다.", "This message was deleted.", "This message has been deleted."}
_CALL = lazy(
    r"(?:보이스톡|페이스톡|그룹콜|라이브톡|Voice [Cc]all|Video [Cc]all)"
    r"(?: (?:해요|취소|부재중|거절|종료|[Cc]anceled|[Mm]issed|[Dd]eclined|[Ee]nded|\d{1,2}:\d\d(?::\d\d)?))?"
)
_MEDIA = {
    "photo": lazy(r"사진(?: \d{1,3}장)?|(?:\d{1,3} )?[Pp]hotos?"),
    "video": lazy(r"동영상|(?:\d{1,3} )?[Vv]ideos?"),
    "sticker": lazy(r"이모티콘|\(이모티콘\)|[Ee]moticons?|[Ss]ticker"),
    "voice message": lazy(r"음성메시지|[Vv]oice (?:[Nn]ote|[Mm]essage)"),
    "location": lazy(r"(?:지도|Map): ?(?P<name>.+)"),
    "contact": lazy(r"(?:연락처|Contact): ?(?P<name>.+)"),
    "file": lazy(r"(?:파일|[Ff]ile): ?(?P<name>.+)"),
}
_UNREAD = lazy(r"[<‹](?P<what>[^<>‹›]{1,30}) (?:읽지 않음|unread|not read)[>›]", re.IGNORECASE)  # noqa: RUF001 - as the app writes it
"""Media that the exporting phone did not open."""
_SAMPLE_LINES = 40
_TABLE = lazy(r'\ufeff?Date,User,Message\r?\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,".*?",".*', re.DOTALL)
"""The form of a Mac; other tables with this header quote all cells, or only those that need it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A message whose lines are still being read."""

    line: int
    sent_at: datetime
    sender: str
    text: KeptLines

    def message(self, context: ImportContext) -> ParsedMessage | None:
        """Return the message with all of its lines."""
        return _message(self.line, self.sent_at, self.sender, "\n".join(self.text).strip(), context)


class KakaoTalk(Importer):
    """The importer for KakaoTalk's text exports, and its tables from a Mac."""

    name = "kakaotalk"
    title = "KakaoTalk export"
    files = "KakaoTalk_….txt, Talk_….txt, KakaoTalk_….csv"
    how = (
        "In the chat: menu, Settings, Export chat messages (phones), "
        "or menu, Chat, Save chat (computers)."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if there is a line with the date of saving, and a message below."""
        if _TABLE.match(sample.text):
            return None
        lines = [line for line in sample.text.split("\n") if line.strip()][:_SAMPLE_LINES]
        saved = any(_SAVED.match(line) for line in lines[:3])
        if saved and any("sender" in (_parts(line) or _timed(line) or ()) for line in lines):
            return None
        return "it has no line `저장한 날짜 :` or `Date Saved :` with messages below"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file."""
        first, messages = next(context.lines(), "").strip(), _messages(context)
        if _is_table(context):
            first, messages = context.name, _rows(context)
        found = next((match for title in _TITLES if (match := title.fullmatch(first))), None)
        chat = context.chat(self.name, title=found["title"].strip() if found else None)
        return one_chat_in_pieces(messages, lambda: chat)


def _is_table(context: ImportContext) -> bool:
    return _TABLE.match("\n".join(islice(context.lines(), 2))) is not None


def _is_event(text: str, people: Container[str]) -> bool:
    """Whether a text is a notice. One that a person may have written must be about one of ``people``."""
    if len(text) > _LONGEST_EVENT:
        return False
    english = _ENGLISH_EVENT.fullmatch(text)
    if english is not None:
        return english["sure"] is not None or english["who"] in people
    return text.endswith(_EVENTS) or _OPEN_CHAT.fullmatch(text) is not None


def _rows(context: ImportContext) -> Iterator[ParsedMessage | None]:
    """Yield the messages of a table."""
    for line, cells in context.rows(("Date", "User", "Message")):
        sender, text = cells["User"], cells["Message"].strip()
        if text.startswith(sender) and _is_event(text, (sender,)):
            context.system_lines += 1
        else:
            yield _message(line, context.iso(cells["Date"]), sender, text, context)


def _parts(line: str, *, after_blank: bool = False) -> dict[str, str | None] | None:
    """The parts of a line that begins a message or a day; None for a further line."""
    for pattern in _PATTERNS:
        if match := pattern.fullmatch(line):
            return match.groupdict()
    if after_blank and (match := _DAY.fullmatch(line)):
        return match.groupdict()
    return None


def _timed(line: str) -> dict[str, str | None] | None:
    """The parts of a line with a time of the morning or afternoon, but without a date."""
    match = _TIMED.fullmatch(line)
    return match.groupdict() if match and (match["pre"] or match["post"]) else None


def _is_timed(context: ImportContext) -> bool:
    """Whether lines without a date begin messages: no computer writes so, and phones that do, do it often."""
    timed = dated = 0
    for line in context.lines():
        parts = _timed(line)
        if parts is not None:
            timed += parts["text"] is not None
        elif parts := _parts(line):
            dated += parts.get("text") is not None
            if "text" in parts and "event" not in parts:
                return False
    return timed > _FEW * (timed + dated)


class _Lines:
    """Tells the lines that begin a message, a notice or a day from further lines of a text."""

    def __init__(self, context: ImportContext) -> None:
        self._month_names = MonthNames("mdy")
        self._timed = _is_timed(context)
        self._after_blank = False
        self._people: set[str] = set()
        self.day: date | None = None

    def parts(self, line: str, *, within: bool) -> dict[str, str | None] | None:
        """The parts of a line; None for a further line. ``within`` tells that a message is above it."""
        after_blank, self._after_blank = self._after_blank, not line.strip()
        parts = _parts(line, after_blank=after_blank)
        if parts is None and self._timed:
            parts = self._timed_parts(line) or self._heading(line)
        if parts is None and self._is_notice(line.strip(), within=within):
            return {"event": line}
        if parts is not None:
            self.day = _date(parts, self._month_names) or self.day
            self._people.add(parts.get("sender") or "")
        return parts

    def _timed_parts(self, line: str) -> dict[str, str | None] | None:
        """The parts of a line without a date, where it has a sender or is surely a notice."""
        parts = _timed(line)
        if parts is None or parts["event"] is None or _is_event(parts["event"], self._people):
            return parts
        return None

    def _heading(self, line: str) -> dict[str, str | None] | None:
        """The parts of a later day with its right weekday."""
        match = _DAY.fullmatch(line)
        parts = match.groupdict() if match else {}
        day = _date(parts, self._month_names) if parts.get("weekday") else None
        if day is None or _WEEKDAYS[day.weekday()] != parts["weekday"]:
            return None
        return parts if self.day is None or day > self.day else None

    def _is_notice(self, text: str, *, within: bool) -> bool:
        """Whether a line is a notice. The guests of an invitation are people from then on."""
        invited = _INVITED.fullmatch(text) if len(text) <= _LONGEST_EVENT else None
        if invited is None or (within and invited["who"] not in self._people):
            return _is_event(text, self._people)
        self._people.update(_GUEST.split(invited["guests"]))
        return True


def _messages(context: ImportContext) -> Iterator[ParsedMessage | None]:
    """Yield each message with the lines that follow it."""
    lines = _Lines(context)
    entry: _Entry | None = None
    for number, line in enumerate(context.lines(), 1):
        parts = lines.parts(line, within=entry is not None)
        if parts is None:
            if entry is not None:
                entry.text.append(line)
            continue
        if entry is not None:
            yield entry.message(context)
            entry = None
        sent_at, sender = _sent_at(parts, lines.day), parts.get("sender")
        if sender and sent_at is not None:
            entry = _Entry(number, sent_at, sender, KeptLines(context, parts["text"] or ""))
        elif sender:
            context.skip("a message without a time that can be read", number)
        else:
            context.system_lines += bool(parts.get("event") or parts.get("text"))
    if entry is not None:
        yield entry.message(context)


def _date(parts: Mapping[str, str | None], names: MonthNames) -> date | None:
    if english := parts.get("english"):
        found = names.read(english)
        return None if found is None else found.date()
    if not parts.get("year"):
        return None
    try:
        return date(*(int(parts[part] or 0) for part in ("year", "month", "day")))
    except ValueError:
        return None


def _sent_at(parts: Mapping[str, str | None], day: date | None) -> datetime | None:
    if day is None or not parts.get("hour"):
        return None
    mark = parts["pre"] or parts["post"]
    clock = clock_time(parts["hour"] or "", parts["minute"] or "", None, mark)
    return None if clock is None else datetime.combine(day, clock)


def _message(
    line: int, sent_at: datetime | None, sender: str, text: str, context: ImportContext
) -> ParsedMessage | None:
    """Return a message; None for a call, or if a field is missing."""
    about = line, sent_at, sender
    if _CALL.fullmatch(text):
        context.system_lines += 1
        return None
    unread = _UNREAD.fullmatch(text)
    for kind, pattern in _MEDIA.items():
        if match := pattern.fullmatch(unread["what"] if unread else text):
            file = Attachment(match.groupdict().get("name") or "", kind)
            return context.message(*about, "", [file])
    return context.message(*about, text, deleted=text in _DELETED)

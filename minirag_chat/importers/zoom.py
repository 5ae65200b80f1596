"""Reads the chat of a Zoom meeting. Its lines have a time of day; a file's or folder's name has the day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from minirag_chat.errors import UnreadableFile
from minirag_chat.importers.base import Importer, Sample, clean_name
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.entries import entries
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.importers.quotes import Quotes
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import MADE_UP, ParsedChat, ParsedMessage

_DAY = r"(?:(?P<day>\d{4}-\d\d-\d\d) )?"  # since 2026
_CLOCK = r"(?P<hour>\d\d):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)"
# "From … to …" in the languages of the program; the text follows a colon, or is on the next line.
_FROM = r"(?:From|Von|De|Da|Van|От|Від|Od|Från|Fra|Dari|Từ|发件人|來自|来自)"
_TO = r"(?:to|an|à|a|para|per|aan|для|кому|do|till|til|kepada|đến|收件人|至|到)"
_LOCAL = lazy(
    rf"{_DAY}{_CLOCK}\s+{_FROM}\s+(?P<name>\S.{{0,99}}?)\s+{_TO}\s+(?P<whom>\S.{{0,99}}?)\s*:(?:\s(?P<text>.*))?"
)
_TO_ALL = lazy(rf"{_CLOCK}\t\s?{_FROM}\s+(?P<name>\S.{{0,99}}?) : (?P<text>.*)")
_CLOUD = lazy(rf"{_CLOCK}\t(?P<name>[^\t]{{1,100}}?)\s?:\t(?P<text>.*)")
_STARTED = lazy(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?: (\d\d)\.(\d\d)\.(\d\d))?(?!\d)")
_STARTED_UTC = lazy(r"GMT(\d{8}-\d{6})")
_TOPIC = lazy(r"^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d (?P<topic>.+?)(?: \d{9,11})?$")
_REPLY = lazy(r'\s*Replying to "(?P<quoted>.*)"\s*')
_REACTION = lazy(r"\s*(?:Reacted to|Removed a .+ reaction from) \".*|\s*(?:Reacted to) .* with .*")
_CUT = "..."
_SAMPLE_LINES, _FEWEST = 60, 2
_A_DAY = timedelta(days=1)


class Zoom(Importer):
    """The importer for Zoom's saved chats."""

    name = "zoom"
    title = "Zoom meeting chat"
    files = "meeting_saved_chat.txt in its folder, or GMT…newChat.txt of a recording in the cloud"
    how = (
        "In the meeting: Chat, …, Save chat; it is in Documents/Zoom. The folder's name has the day, so "
        "import the folder, or the file in it."
    )
    companions = ("meeting_saved_closed_caption.txt", "closed_caption.txt")

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if its lines begin with a time and who writes to whom."""
        lines = [line for line in sample.text.split("\n") if line.strip()][:_SAMPLE_LINES]
        cloud = sum(_CLOUD.fullmatch(line) is not None for line in lines)
        if lines and (_LOCAL.fullmatch(lines[0]) or _TO_ALL.fullmatch(lines[0])):
            return None
        if lines and _CLOUD.fullmatch(lines[0]) and cloud >= min(_FEWEST, len(lines)):
            return None
        return "it does not begin as `10:05:12 From Ann to Everyone: text`"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the chat of the meeting."""
        start = _start(context)
        found = _TOPIC.match(context.file.holder)
        title = context.options.chat_title or (found["topic"] if found else None)
        key = f"{title or ''} {start.isoformat()}".strip()
        chat = context.chat(
            Zoom.name, key=key, title=title or f"Zoom {start:%Y-%m-%d}", kind="group"
        )
        return one_chat_in_pieces(_messages(context, start), lambda: chat)


def _start(context: ImportContext) -> datetime:
    """Return when the meeting began, or the beginning of its day. Raises ``UnreadableFile``."""
    for name in (context.name, context.file.holder):
        utc = _STARTED_UTC.search(name)
        try:
            if utc is not None:
                return context.wall_clock(datetime.strptime(f"{utc[1]}+0000", "%Y%m%d-%H%M%S%z"))
            local = _STARTED.search(name)
            if local is not None:
                return datetime(*(int(part or 0) for part in local.groups()))  # type: ignore[arg-type]  # no zone among them
        except ValueError:
            continue
    dated = next(filter(None, map(_LOCAL.fullmatch, context.lines())), None)
    if dated is not None and dated["day"]:
        return datetime.fromisoformat(f"{dated['day']} {dated['hour']}:{dated['minute']}")
    raise UnreadableFile(
        f"{context.name} is a chat of a Zoom meeting without its day; export the chat again and import the "
        "folder that Zoom made, or put the day before the file's name, such as 2026-01-31."
    )


def _head(line: str) -> re.Match[str] | None:
    return _CLOUD.fullmatch(line) or _LOCAL.fullmatch(line) or _TO_ALL.fullmatch(line)


def _sent_at(head: re.Match[str], start: datetime, last: datetime) -> datetime:
    """Return the time of a line: on its own day, since the start in the cloud, or the time of day."""
    hour, minute, second = map(int, head.group("hour", "minute", "second"))
    past = timedelta(hours=hour, minutes=minute, seconds=second)
    if head.re.pattern == _CLOUD.pattern:
        return start + past
    day = head.groupdict().get("day")
    midnight = datetime.fromisoformat(day) if day else start.replace(hour=0, minute=0, second=0)
    sent_at = midnight + past
    past_midnight = not day and sent_at < last - _A_DAY / 2
    return sent_at + _A_DAY if past_midnight else sent_at


def _messages(context: ImportContext, start: datetime) -> Iterator[ParsedMessage | None]:
    quotes, last = Quotes(), start.replace(hour=0, minute=0, second=0)
    for entry in entries(context, _head):
        last = max(last, sent_at := _sent_at(entry.head, start, last))
        lines = [entry.head["text"] or "", *(line.removeprefix("\t") for line in entry.more)]
        if any(_REACTION.fullmatch(line) for line in lines[:2]):
            context.system_lines += 1
            continue
        quoted = next((m for line in lines[:2] if (m := _REPLY.fullmatch(line))), None)
        said = "\n".join(line for line in lines if quoted is None or line != quoted.string).strip()
        sender = clean_name(entry.head["name"])
        identity = f"{MADE_UP}{sent_at.isoformat()} {sender}"
        parent = quotes.find(quoted["quoted"].removesuffix(_CUT)) if quoted else None
        quotes.remember(said, identity)
        yield context.message(
            entry.line, sent_at, sender, said, source_id=identity, reply_to=parent
        )

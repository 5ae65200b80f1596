"""Reads text with a line of time and name above each message, as QQ, Teams and exporters of WeChat write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.limits import KeptLines
from minirag_chat.importers.moments import MomentReader
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?"
_HALF = r"(?:[ \u202f]?[AaPp][Mm])?"
_DAY = r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?"
_NAME = r"(?P<name>[^\s:：\[\]][^:：\n]{0,59}?)"  # noqa: RUF001 - these very marks
_NUMBER = r"(?:\((?P<number>\d{5,12})\)|<[^<>\s]+@[^<>\s]+>)?"  # of QQ
_HEADS = (
    lazy(rf"(?P<time>{_DAY} +{_CLOCK}{_HALF}) +'?{_NAME}'?{_NUMBER}\s*"),
    lazy(rf"\[(?P<time>\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{2,4}},? +{_CLOCK}{_HALF})\] +{_NAME}\s*"),
    lazy(rf"{_NAME}{_NUMBER} +(?P<time>{_DAY} +{_CLOCK}{_HALF})\s*"),
)
_QUOTED = lazy(rf"{_DAY} +{_CLOCK} +'[^'\n]{{1,60}}'")  # only exporters write names so
_PARTNER = lazy(r"消息对象[:：]\s*(?P<title>.+)")  # noqa: RUF001 - these very marks
_PREAMBLE = lazy(r"=+|消息(?:记录|分组|对象).*")
_MEDIA = {
    "[图片]": "photo",
    "[表情]": "sticker",
    "[语音]": "voice message",
    "[视频]": "video",
    "[文件]": "file",
}
_PERSON = lazy(
    r"(?:[^\W\d_a-z][\w.'-]{0,30},? ){1,3}[^\W\d_a-z][\w.'-]{0,30}"
)  # such as Stone, Bob
_LEVEL = lazy(r"【[^【】]{1,12}】")  # of a member of a group of QQ, before the name
_OF_QQ = frozenset({"10000", "1000000"})  # whose messages are the app's own
_TOP, _SAMPLE_LINES = 12, 400
_FEWEST, _AGAIN, _SPARSE = 2, 2, 5
_FEW = 5  # messages that may all be of different people
_BARE = 0.2  # largest share of these lines that may have no text below


class Headed(Importer):
    """The importer for text with a line of time and name above each message."""

    name = "headed-text"
    title = "QQ, WeChat or Teams text"
    files = "any .txt with a line such as `2024-03-10 08:15:16 Ann` above each message"
    how = (
        "QQ: message manager, export as text. Programs that export WeChat write such text, and it is what "
        "one copies out of Teams."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if there are several such lines, with recurring names."""
        lines = [line.strip() for line in sample.text.split("\n") if line.strip()][:_SAMPLE_LINES]
        above = next((n for n, line in enumerate(lines[:_TOP]) if not _PREAMBLE.fullmatch(line)), 0)
        heads = list(map(_head, lines))
        if not lines or heads[above] is None:
            return "it does not begin with a line such as `2024-03-10 08:15:16 Ann`"
        if (
            above
            or _QUOTED.fullmatch(lines[0])
            or _returning([head for head in heads if head is not None], heads)
            or _copied(lines, heads)
        ):
            return None
        return "it has no lines such as `2024-03-10 08:15:16 Ann` above its messages"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the chats of the file. It is read twice, first for the order of the dates."""
        stamps = (head.time for line in context.lines() if (head := _head(line)) is not None)
        times = MomentReader(stamps, context)
        names: dict[str, str] = {}
        return in_pieces(
            ((entry.chat, _message(entry, times, names, context)) for entry in _entries(context)),
            lambda chat: context.chat(Headed.name, title=chat),
        )


def _returning(found: list[_Head], lines: list[_Head | None]) -> bool:
    """Whether the lines have text below them, and recurring names or at least times to the second."""
    bare = sum(line is not None and below is not None for line, below in pairwise(lines))
    if len(found) < _FEWEST or bare > _BARE * len(found):
        return False
    names = Counter(head.name for head in found)
    exact = all(head.time.count(":") > 1 for head in found) and len(found) * _SPARSE >= len(lines)
    return exact or (max(names.values()) >= _AGAIN and len(names) <= max(len(found) / 2, _AGAIN))


def _copied(lines: list[str], heads: list[_Head | None]) -> bool:
    """Whether the lines are a few messages copied out of Teams: above each a time in brackets and a name."""
    found = [(line, head.name) for line, head in zip(lines, heads, strict=True) if head is not None]
    above = sum(head is not None and below is None for head, below in pairwise(heads))
    return (
        _FEWEST <= len(found) == above <= _FEW
        and len(found) * _SPARSE >= len(lines)
        and all(line.startswith("[") and _PERSON.fullmatch(name) for line, name in found)
    )


class _Head(NamedTuple):
    """The line above a message; ``number`` is the sender's in QQ, where names change."""

    time: str
    name: str
    number: str = ""


@dataclass(slots=True)
class _Entry:
    """A message that is still being read."""

    line: int
    chat: str
    head: _Head
    lines: KeptLines


def _head(line: str) -> _Head | None:
    found = next((match for one in _HEADS if (match := one.fullmatch(line))), None)
    if found is None:
        return None
    name, number = found["name"].strip(), found.groupdict().get("number") or ""
    return _Head(found["time"], (_LEVEL.sub("", name, count=1) if number else "") or name, number)


def _entries(context: ImportContext) -> Iterator[_Entry]:
    chat = ""
    entry: _Entry | None = None
    for number, line in enumerate(context.lines(), 1):
        head, partner = _head(line), _PARTNER.fullmatch(line.strip())
        if entry is not None and (head is not None or partner is not None):
            yield entry
            entry = None
        if head is not None:
            entry = _Entry(number, chat, head, KeptLines(context))
        elif partner is not None:
            chat = partner["title"].strip()
        elif entry is not None:
            if not line.startswith("========"):
                entry.lines.append(line)
        elif line.strip() and not _PREAMBLE.match(line.strip()):
            context.skip("text before the first message", number)
    if entry is not None:
        yield entry


def _message(
    entry: _Entry, times: MomentReader, names: dict[str, str], context: ImportContext
) -> ParsedMessage | None:
    """Return the message; ``names`` are the first names of the numbers so far, and are added to."""
    head = entry.head
    if head.number in _OF_QQ:
        context.system_lines += 1
        return None
    name = names.setdefault(head.number, head.name) if head.number else head.name
    text = "\n".join(entry.lines).strip()
    kind = _MEDIA.get(text)
    files = [Attachment("", kind)] if kind else []
    return context.message(entry.line, times.read(head.time), name, "" if kind else text, files)

"""Reads WeChat exports of third-party programs, CSV or JSON. The app itself has no export."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from posixpath import basename
from typing import Any

from minirag_chat.importers.base import OWNER, ExportFile, Importer, Sample, as_text, json_mismatch
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.csv_rows import columns_in
from minirag_chat.importers.jsonwalk import place
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage

_MEMOTRACE = {"IsSender", "CreateTime", "StrContent", "Type"}
_CHINESE = {"类型", "发送人", "时间", "内容"}
_DUMP = {"is_sender", "talker", "CreateTime", "type_name"}
_OBJECT = lazy(r'"(?:isSend|is_sender|IsSender)"\s*:')
_TIME = lazy(r'"(?:createTime|CreateTime|create_time)"\s*:')
_HOW = (
    "WeChat exports nothing itself: programs such as MemoTrace, WeFlow or PyWxDump write your own "
    "chats as CSV or JSON."
)
_SYSTEM = ("10000", "10002", "系统消息", "系统通知", "系統訊息", "system", "拍一拍")
_KINDS = {
    **dict.fromkeys(("3", "图片", "图片消息", "image"), "photo"),
    **dict.fromkeys(("34", "语音", "语音消息", "voice"), "voice message"),
    **dict.fromkeys(("43", "视频", "视频消息", "video"), "video"),
    **dict.fromkeys(("47", "动画表情", "表情", "表情包", "emoji", "sticker"), "sticker"),
    **dict.fromkeys(("48", "位置", "位置消息", "location"), "location"),
    **dict.fromkeys(("42", "名片", "名片消息", "card"), "contact"),
    **dict.fromkeys(("文件", "文件消息", "file"), "file"),
    **dict.fromkeys(("50", "语音通话", "音视频通话", "通话", "call", "voip"), "call"),
}
_LONG_DIGITS = 11
_TRIED_ROWS = 50  # whose width is compared with the header's


class WeChatCsv(Importer):
    """The importer for the CSV of MemoTrace, WeFlow and PyWxDump."""

    name = "wechat"
    title = "WeChat CSV (third-party)"
    files = "a .csv with IsSender, CreateTime, StrContent; is_sender, talker, msg; or 发送人, 时间, 内容"
    how = _HOW

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first row has the columns of one of the programs."""
        columns = set(columns_in(sample.text.split("\n", maxsplit=1)[0]))
        is_dump = columns >= _DUMP and columns & {"msg", "content"}
        if columns >= _MEMOTRACE or columns >= _CHINESE or is_dump:
            return None
        return "its columns are not those of a WeChat CSV"

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        reader = _Reader(context, _stem(context.file))
        return one_chat_in_pieces(reader.from_rows(), reader.describe)


class WeChatJson(Importer):
    """The importer for the JSON of WeFlow, CipherTalk and PyWxDump."""

    name = "wechat-json"
    title = "WeChat JSON (third-party)"
    files = "a .json with messages that have createTime and isSend, or CreateTime and is_sender"
    how = _HOW

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for messages with a creation time and a field for whether the owner sent them."""
        missing = "it has no messages with `isSend` and `createTime`"
        return json_mismatch(sample, "{[", (_OBJECT, _TIME), missing)

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces."""
        reader = _Reader(context, _stem(context.file))
        return one_chat_in_pieces(reader.from_json(), reader.describe)


def _stem(file: ExportFile) -> str:
    return re.sub(r"(?:_\d+)*\.\w+$", "", file.path.name)


class _Reader:
    """Reads rows or objects, and collects facts about the chat."""

    def __init__(self, context: ImportContext, stem: str) -> None:
        self._context = context
        self._stem = stem
        self._others: dict[str, None] = {}
        self._session: Mapping[str, Any] = {}
        self._group = False
        self._own_named = False  # whether the owner's messages have the owner's name

    def from_rows(self) -> Iterator[ParsedMessage | None]:
        """Yield the messages of a CSV file."""
        header = next((line for line in self._context.lines() if line.strip()), "")
        columns = columns_in(header)
        self._own_named = not _CHINESE - set(columns)
        columns += ("",) * _surplus(self._context.lines(), len(columns))
        for line, cells in self._context.rows(columns):
            yield self._message(line, cells)

    def from_json(self) -> Iterator[ParsedMessage | None]:
        """Yield the messages of a list, or of an object with ``messages``."""
        for path, value in self._context.values(lambda path: path in ((), ("messages",))):
            is_message = path and isinstance(path[-1], int)
            if path == ("session",) and isinstance(value, dict):
                self._session = value
            elif is_message and isinstance(value, dict):
                yield self._message(_place(path), value)
            elif is_message:
                self._context.skip(f"{_place(path)} is not an object")
            elif not path:
                self._context.skip(
                    "the file is neither a JSON list nor a JSON object with `messages`"
                )

    def describe(self) -> ParsedChat:
        """Return the chat without its messages."""
        named = _pick(self._session, "displayName", "remark", "nickname")
        people = len(self._others) - self._own_named
        other = next(iter(self._others)) if people == 1 and not self._own_named else ""
        group = self._group or people > 1
        other = "" if group else other
        return self._context.chat(
            "wechat",
            key=_pick(self._session, "wxid", "username"),
            title=named or other or self._stem,
            kind="group" if group else "direct",
        )

    def _message(self, place: int | str, raw: Mapping[str, Any]) -> ParsedMessage | None:
        kind = _pick(raw, "type_name", "Type", "localType", "type", "类型")
        text = _pick(raw, "StrContent", "msg", "content", "parsedContent", "内容")
        if kind in _SYSTEM:
            self._context.system_lines += 1
            return None
        media = _KINDS.get(kind)
        self._group = self._group or bool(_pick(raw, "room_name"))
        return self._context.message(
            place,
            self._sent_at(raw),
            self._sender(raw),
            "" if media else _plain(text),
            [Attachment(basename(_pick(raw, "src")), media)] if media else [],
            source_id=_pick(raw, "MsgSvrID", "serverId", "platformMessageId", "消息ID") or None,
        )

    def _sender(self, raw: Mapping[str, Any]) -> str:
        mine = _pick(raw, "IsSender", "is_sender", "isSend") in ("1", "True", "true")
        named = _pick(
            raw,
            "Remark",
            "NickName",
            "senderDisplayName",
            "talker",
            "Sender",
            "senderUsername",
            "发送人",
        )
        if mine:
            self._context.calls_owner.add(OWNER)
            return _pick(raw, "senderDisplayName") or OWNER
        if named:
            self._others[named] = None
        return named

    def _sent_at(self, raw: Mapping[str, Any]) -> Any:
        made = _pick(raw, "CreateTime", "createTime", "create_time")
        if made.isdecimal():
            return self._context.since_1970(made, milliseconds=len(made) > _LONG_DIGITS)
        written = _pick(raw, "StrTime", "formattedTime", "时间")
        return self._context.iso(made) or self._context.iso(written)


def _surplus(lines: Iterable[str], width: int) -> int:
    """How many cells the rows have beyond the header's: those of an older MemoTrace all have one."""
    rows = csv.reader(f"{line}\n" for line in lines)
    try:
        widths = {len(row) for row in islice(filter(None, rows), 1, _TRIED_ROWS)}
    except csv.Error:
        return 0
    return max(widths.pop() - width, 0) if len(widths) == 1 else 0


def _pick(raw: Mapping[str, Any], *names: str) -> str:
    """Return the first of these fields that is present; true and false as 1 and 0."""
    for name in names:
        value = raw.get(name)
        text = str(int(value)) if isinstance(value, bool) else as_text(value).strip()
        if text:
            return text
    return ""


def _place(path: tuple[str | int, ...]) -> str:
    """Return the path of a message in a list, or in an object with ``messages``."""
    return f"message {place(path)}" if len(path) == 1 else place(path)


def _plain(text: str) -> str:
    """Return the title of a link or quotation, which is stored as XML."""
    if not text.startswith(("<?xml", "<msg")):
        return text
    title, closed, _ = text.partition("<title>")[2].partition("</title>")
    return title.removeprefix("<![CDATA[").removesuffix("]]>").strip() if closed else ""

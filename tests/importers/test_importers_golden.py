"""Every format, several dialects of one small conversation, one golden result. All made up."""
# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

import csv
import html
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from minirag_chat.importers import ImportOptions, read_export
from minirag_chat.records import ParsedExport

Conversation = tuple[tuple[datetime, str, str], ...]
Plain = Callable[[ParsedExport], list[tuple[datetime, str, str]]]
Files = dict[str, str]

IDS = {"Ann Miller": "1001", "Bob": "1002"}


def seconds(when: datetime) -> int:
    return int(when.replace(tzinfo=UTC).timestamp())


def mojibake(text: str) -> str:
    return text.encode().decode("latin-1")


def lines(records: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records)


def table(header: str, rows: list[list[object]]) -> str:
    out = StringIO()
    csv.writer(out).writerows([header.split(","), *rows])
    return out.getvalue()


# --- Signal ---------------------------------------------------------------------------------------


def signal_markdown(talk: Conversation) -> Files:
    text = "\n".join(f"[{t:%Y-%m-%d, %H:%M}] {who}: {said}\n" for t, who, said in talk)
    return {"Ann/chat.md": text}


def signal_markdown_seconds(talk: Conversation) -> Files:
    text = "\n".join(f"[{t:%Y-%m-%d %H:%M:%S}] {who}: {said}\n" for t, who, said in talk)
    return {"Ann/chat.md": text}


def signal_json(talk: Conversation) -> Files:
    return {"Ann/data.json": lines([
        {"date": t.isoformat(), "sender": who, "body": said, "quote": "", "sticker": None,
         "reactions": [], "attachments": []} for t, who, said in talk
    ])}  # fmt: skip


def signal_app(talk: Conversation) -> Files:
    head: list[dict[str, Any]] = [
        {"version": "1", "backupTimeMs": "1700000000000"},
        {"account": {"givenName": "Bob"}},
        {"recipient": {"id": "1001", "contact": {"systemGivenName": "Ann", "systemFamilyName": "Miller"}}},
        {"recipient": {"id": "1002", "contact": {"profileGivenName": "Bob"}}},
        {"chat": {"id": "7", "recipientId": "1001"}},
    ]  # fmt: skip
    items = [
        {"chatItem": {"chatId": "7", "authorId": IDS[who], "dateSent": str(seconds(t) * 1000),
                      "incoming": {}, "standardMessage": {"text": {"body": said}}}}
        for t, who, said in talk
    ]  # fmt: skip
    return {"export/main.jsonl": lines([*head, *items]), "export/metadata.json": "{}"}


# --- Discord and Slack ------------------------------------------------------------------------------


def discord(talk: Conversation, zone: str = "+00:00", *, nickname: bool = True) -> Files:
    return {"Server - general.json": json.dumps({
        "guild": {"id": "0", "name": "Direct Messages"},
        "channel": {"id": "77", "type": "DirectTextChat", "name": "Ann"},
        "messages": [
            {"id": str(n), "type": "Default", "timestamp": f"{t.isoformat()}.123{zone}",
             "content": said, "author": {"id": IDS[who], "name": who if not nickname else who.lower(),
                                         "nickname": who if nickname else None}, "attachments": []}
            for n, (t, who, said) in enumerate(talk)
        ],
    }, indent=2)}  # fmt: skip


def discord_without_nickname(talk: Conversation) -> Files:
    return discord(talk, nickname=False)


def slack(talk: Conversation, people: str = "users.json", folder: str = "general") -> Files:
    users = [
        {"id": f"U{IDS[who]}", "name": who.lower(), "profile": {"real_name": who}} for who in IDS
    ]
    files = {people: json.dumps(users), "channels.json": json.dumps([{"id": "C1", "name": "general"}]),
             "dms.json": json.dumps([{"id": "D1", "members": ["U1001", "U1002"]}])}  # fmt: skip
    for day in {t.date() for t, _, _ in talk}:
        files[f"{folder}/{day}.json"] = json.dumps([
            {"type": "message", "user": f"U{IDS[who]}", "ts": f"{seconds(t)}.000200",
             "text": html.escape(said, quote=False).replace("https://example.org/?a=1:2", "<https://example.org/?a=1:2>")}
            for t, who, said in talk if t.date() == day
        ])  # fmt: skip
    return files


def slack_direct(talk: Conversation) -> Files:
    return slack(talk, "org_users.json", "D1")


# --- Messenger, Instagram -----------------------------------------------------------------------------


def messenger(talk: Conversation) -> Files:
    return {"inbox/ann_1/message_1.json": json.dumps({
        "participants": [{"name": mojibake(who)} for who in IDS],
        "messages": [
            {"sender_name": mojibake(who), "timestamp_ms": seconds(t) * 1000, "content": mojibake(said)}
            for t, who, said in reversed(talk)
        ],
        "title": "Ann Miller", "thread_path": "inbox/ann_1",
    })}  # fmt: skip


def messenger_two_files(talk: Conversation) -> Files:
    newer, older = messenger(talk[2:]), messenger(talk[:2])
    return {"inbox/ann_1/message_1.json": next(iter(newer.values())),
            "inbox/ann_1/message_2.json": next(iter(older.values()))}  # fmt: skip


def messenger_already_repaired(talk: Conversation) -> Files:
    text = next(iter(messenger(talk).values()))
    fixed = json.dumps(json.loads(text, object_hook=_repair_all), ensure_ascii=False)
    return {"message_1.json": fixed}


def _repair_all(found: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value.encode("latin-1").decode() if isinstance(value, str) else value
        for key, value in found.items()
    }


def messenger_e2ee(talk: Conversation) -> Files:
    return {"Ann Miller_12.json": json.dumps({
        "participants": list(IDS), "threadName": "Ann Miller_12",
        "messages": [
            {"isUnsent": False, "media": [], "reactions": [], "senderName": who, "text": said,
             "timestamp": seconds(t) * 1000, "type": "text"} for t, who, said in talk
        ],
    }, ensure_ascii=False)}  # fmt: skip


# --- Google Chat --------------------------------------------------------------------------------------

GOOGLE_DATES: dict[str, Callable[[datetime], str]] = {
    "english": lambda t: f"{t:%A, %B} {t.day}, {t.year} at {t:%I:%M:%S %p} UTC",
    "english, narrow space": lambda t: f"{t:%A, %B} {t.day}, {t.year} at {t:%I:%M:%S}\u202f{t:%p} UTC",
    "english, british": lambda t: f"{t:%A}, {t.day} {t:%B} {t.year} at {t:%H:%M:%S} UTC",
    "german": lambda t: f"{GERMAN[t.month]}, {t.day}. {GERMAN[t.month + 100]} {t.year} um {t:%H:%M:%S} UTC",
    "french": lambda t: f"{FRENCH[t.month]} {t.day} {FRENCH[t.month + 100]} {t.year} à {t:%H:%M:%S} UTC",
    "spanish": lambda t: f"{SPANISH[t.month]}, {t.day} de {SPANISH[t.month + 100]} de {t.year}, {t:%H:%M:%S} UTC",
    "japanese": lambda t: f"{t.year}年{t.month}月{t.day}日金曜日 {t.hour}時{t:%M}分{t:%S}秒 UTC",
    "chinese": lambda t: (
        f"{t.year}年{t.month}月{t.day}日星期五 UTC {'下午' if t.hour > 11 else '上午'}{(t.hour - 1) % 12 + 1}:{t:%M:%S}"
    ),
}  # fmt: skip
GERMAN = {12: "Freitag", 1: "Sonntag", 112: "Dezember", 101: "Januar"}
FRENCH = {12: "vendredi", 1: "dimanche", 112: "décembre", 101: "janvier"}
SPANISH = {12: "viernes", 1: "domingo", 112: "diciembre", 101: "enero"}


def google_chat(talk: Conversation, written: Callable[[datetime], str]) -> Files:
    return {
        "Google Chat/Groups/DM abc/messages.json": json.dumps({"messages": [
            {"creator": {"name": who, "email": f"{who}@example.org", "user_type": "Human"},
             "created_date": written(t), "text": said, "topic_id": "t", "message_id": f"abc/t/{n}"}
            for n, (t, who, said) in enumerate(talk)
        ]}, ensure_ascii=False),
        "Google Chat/Groups/DM abc/group_info.json": json.dumps({"members": []}),
    }  # fmt: skip


# --- iMessage -----------------------------------------------------------------------------------------


def imessage(talk: Conversation) -> Files:
    blocks = [f"{t:%b %d, %Y}  {t:%I:%M:%S %p}\n{who}\n{said}\n" for t, who, said in talk]
    return {"Ann.txt": "\n".join(blocks)}


def imessage_read_receipts(talk: Conversation) -> Files:
    blocks = [
        f"{t:%b %d, %Y} {t.hour % 12 or 12:2}:{t:%M:%S %p} (Read by you after 5 seconds)\n{who}\n{said}\n"
        for t, who, said in talk
    ]
    return {"Ann.txt": "\n".join(blocks)}


def imessage_html(talk: Conversation) -> Files:
    parts = [
        f'<div class="message"><div class="{"sent iMessage" if who == "Bob" else "received"}"><p>'
        f'<span class="timestamp"><a title="Reveal" href="sms://open?message-guid=g">{t:%b %d, %Y}'
        f'  {t:%I:%M:%S %p}</a> (Read by them after 1 minute)</span>\n<span class="sender">{who}</span>'
        f'</p>\n<hr><div class="message_part"><span class="bubble">{html.escape(said)}</span></div></div></div>'
        for t, who, said in talk
    ]
    page = f'<html><head><meta charset="UTF-8"></head><body>{"".join(parts)}</body></html>'
    return {
        "Ann.html": page.replace("Bring:\n", "Bring:<br>")
        .replace("!\n\n", "!<br><br>")
        .replace("blanket\n", "blanket<br>")
    }


# --- LINE ---------------------------------------------------------------------------------------------

LINE_DATES: dict[str, tuple[str, Callable[[datetime], str], Callable[[datetime], str]]] = {
    "english": ("[LINE] Chat history with Ann\nSaved on: 2022/01/21, 18:00\n",
                lambda t: f"{t:%Y/%m/%d(%a)}", lambda t: f"{t:%H:%M}"),
    "japanese": ("[LINE] Annとのトーク履歴\n保存日時：2022/01/21 18:00\n",
                 lambda t: f"{t:%Y/%m/%d}(金)",
                 lambda t: f"{'午後' if t.hour > 11 else '午前'}{t.hour % 12}:{t:%M}"),
    "chinese": ("[LINE] 與Ann的聊天記錄\n儲存日期：2022/01/21 18:00\n",
                lambda t: f"{t:%Y/%m/%d}（五）".replace("（", "(").replace("）", ")"),
                lambda t: f"{'下午' if t.hour > 11 else '上午'}{(t.hour - 1) % 12 + 1:02}:{t:%M}"),
    "dots": ("", lambda t: f"{t:%Y.%m.%d %A}", lambda t: f"{t:%H:%M}"),
    "month first": ("[LINE] Chat history with Ann\nSaved on: 1/21/2022, 18:00\n",
                    lambda t: f"{t:%a, %m/%d/%Y}", lambda t: f"{t.hour % 12 or 12}:{t:%M%p}"),
    "past midnight": ("[LINE] Chat history with Ann\nSaved on: 2022/01/21, 18:00\n",
                      lambda t: "2022/01/12(Wed)" if t.day == 13 else f"{t:%Y/%m/%d(%a)}",
                      lambda t: f"24:{t:%M}" if t.day == 13 else f"{t:%H:%M}"),
}  # fmt: skip


def line(talk: Conversation, dialect: str) -> Files:
    head, date, clock = LINE_DATES[dialect]
    parts, last = [head], ""
    for t, who, said in talk:
        if date(t) != last:
            last = date(t)
            parts.append(f"\n{last}" if parts[-1] else last)
        quoted = f'"{said}"' if "\n" in said else said
        parts.append(f"{clock(t)}\t{who}\t{quoted}")
    return {"[LINE] Chat.txt": "\n".join(part for part in parts if part)}


# --- SMS, WeChat, ChatLab --------------------------------------------------------------------------------


def attributes(**values: object) -> str:
    return " ".join(
        f'{key}="{html.escape(str(value)).replace(chr(10), "&#10;")}"'
        for key, value in values.items()
    )


def sms(talk: Conversation) -> Files:
    rows = "\n".join(
        f"  <sms {attributes(protocol=0, address='+1 555 0100', date=seconds(t) * 1000, type=2 if who == 'Me' else 1, body=said, contact_name=who)} />"
        for t, who, said in talk
    ).replace("😀", "&#55357;&#56832;")
    return {
        "sms-2022.xml": f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<smses count=\"4\">\n{rows}\n</smses>"
    }


def mms(talk: Conversation) -> Files:
    rows = "\n".join(
        f"<mms {attributes(date=seconds(t) * 1000, msg_box=1, address='+1 555 0100', contact_name=who)}>"
        f"<parts><part {attributes(seq=-1, ct='application/smil', text='<smil/>')}/>"
        f"<part {attributes(seq=0, ct='text/plain', text=said)}/></parts></mms>"
        for t, who, said in talk
    )
    return {"sms-2022.xml": f"<?xml version='1.0' encoding='UTF-8'?><smses>{rows}</smses>"}


def wechat_memotrace(talk: Conversation) -> Files:
    header = "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender"
    return {"Ann.csv": "\ufeff" + table(header, [
        [n, 7, 1, 0, 0, seconds(t), "", said, f"{t:%Y-%m-%d %H:%M:%S}", who, who.lower(), f"wxid_{n}"]
        for n, (t, who, said) in enumerate(talk)
    ])}  # fmt: skip


def wechat_weflow(talk: Conversation) -> Files:
    return {"Ann.csv": table("id,MsgSvrID,type_name,is_sender,talker,msg,src,CreateTime", [
        [n, 9000 + n, "text", 0, who, said, "", f"{t.isoformat()}.000Z"]
        for n, (t, who, said) in enumerate(talk)
    ])}  # fmt: skip


def wechat_json(talk: Conversation) -> Files:
    return {"Ann.json": json.dumps({
        "session": {"wxid": "wxid_a", "displayName": "Ann", "type": "私聊"},
        "messages": [
            {"localId": n, "createTime": seconds(t), "type": "文本消息", "localType": 1, "content": said,
             "isSend": 0, "senderUsername": IDS[who], "senderDisplayName": who}
            for n, (t, who, said) in enumerate(talk)
        ],
    }, ensure_ascii=False)}  # fmt: skip


def wechat_json_list(talk: Conversation) -> Files:
    return {"Ann.json": json.dumps([
        {"id": n, "MsgSvrID": str(n), "type_name": "文本", "is_sender": 0, "talker": who,
         "room_name": "", "msg": said, "src": "", "CreateTime": f"{t:%Y-%m-%d %H:%M:%S}"}
        for n, (t, who, said) in enumerate(talk)
    ])}  # fmt: skip


def chatlab(talk: Conversation) -> Files:
    return {"chat.json": json.dumps({
        "chatlab": {"version": "0.0.2", "exportedAt": 1703001600},
        "meta": {"name": "Ann", "platform": "wechat", "type": "private"},
        "members": [{"platformId": IDS[who], "accountName": who} for who in IDS],
        "messages": [chatlab_message(*entry) for entry in talk],
    }, ensure_ascii=False)}  # fmt: skip


def chatlab_message(when: datetime, who: str, said: str) -> dict[str, Any]:
    return {
        "sender": IDS[who],
        "accountName": who,
        "timestamp": seconds(when),
        "type": 0,
        "content": said,
    }


def chatlab_lines(talk: Conversation) -> Files:
    head = {
        "_type": "header",
        "chatlab": {"version": "0.0.2"},
        "meta": {"name": "Ann", "platform": "qq", "type": "group"},
    }
    return {
        "chat.jsonl": "# a remark\n"
        + lines([head, *({"_type": "message", **chatlab_message(*e)} for e in talk)])
    }


# --- Telegram HTML -------------------------------------------------------------------------------------


def telegram_html(talk: Conversation, offset: str = " UTC+01:00") -> Files:
    parts, last = [], ""
    for n, (t, who, said) in enumerate(talk):
        name = "" if who == last else f'<div class="from_name">\n{who}\n </div>'
        body = (
            html.escape(said)
            .replace("\n", "<br>")
            .replace(
                "https://example.org/?a=1:2",
                '<a href="https://example.org/?a=1:2">https://example.org/?a=1:2</a>',
            )
        )
        parts.append(
            f'<div class="message default clearfix{" joined" if who == last else ""}" id="message{n}">'
            f'<div class="pull_left userpic_wrap"><div class="initials" style="line-height: 42px">A</div></div>'
            f'<div class="body"><div class="pull_right date details" title="{t:%d.%m.%Y %H:%M:%S}{offset}">\n'
            f'{t:%H:%M}\n</div>{name}<div class="text">\n{body}\n</div></div></div>'
        )  # fmt: skip
        last = who
    return {"ChatExport/messages.html": (
        '<!DOCTYPE html><html><head><meta charset="utf-8"/></head><body><div class="page_wrap">'
        '<div class="page_header"><div class="content"><div class="text bold">\nAnn Miller\n</div></div></div>'
        '<div class="page_body chat_page"><div class="history">'
        '<div class="message service" id="message-1"><div class="body details">31 December 2021</div></div>'
        f'{"".join(parts)}</div></div></div></body></html>'
    )}  # fmt: skip


def telegram_html_old(talk: Conversation) -> Files:
    return telegram_html(talk, "")


DIALECTS: dict[str, Callable[[Conversation], Files]] = {
    f.__name__: f
    for f in (
        signal_markdown, signal_markdown_seconds, signal_json, signal_app, discord,
        discord_without_nickname, slack, slack_direct, messenger, messenger_two_files,
        messenger_already_repaired, messenger_e2ee, imessage, imessage_read_receipts, imessage_html,
        sms, mms, wechat_memotrace, wechat_weflow, wechat_json, wechat_json_list, chatlab,
        chatlab_lines, telegram_html, telegram_html_old,
    )
}  # fmt: skip
DIALECTS |= {
    f"google_chat, {name}": lambda talk, written=written: google_chat(talk, written)  # type: ignore[misc]  # a default binds
    for name, written in GOOGLE_DATES.items()
}
DIALECTS |= {f"line, {name}": lambda talk, name=name: line(talk, name) for name in LINE_DATES}  # type: ignore[misc]  # the same
PACKED = [
    "signal_app",
    "slack",
    "slack_direct",
    "messenger_two_files",
    "google_chat, english",
    "telegram_html",
]


def write(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def exports(path: Path, **options: Any) -> Iterator[ParsedExport]:
    for _, found in read_export(path, ImportOptions(time_zone="UTC", **options)):
        if isinstance(found, ParsedExport):
            yield found


def talked(path: Path) -> list[tuple[datetime, str, str]]:
    return sorted(
        (m.sent_at.replace(microsecond=0), m.sender, m.text)
        for export in exports(path)
        for chat in export.chats
        for m in chat.messages
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_gives_the_golden_conversation(
    tmp_path: Path, conversation: Conversation, dialect: str
) -> None:
    zone_shift = dialect == "telegram_html"
    path = write(tmp_path, DIALECTS[dialect](conversation))
    if zone_shift:  # the offset is part of the time, so it is read without a zone asked for
        found = [
            (m.sent_at, m.sender, m.text)
            for _, export in read_export(path)
            if isinstance(export, ParsedExport)
            for chat in export.chats
            for m in chat.messages
        ]
        assert found == list(conversation)
    else:
        assert talked(path) == list(conversation)
    for export in exports(path):
        assert not export.skipped
        assert all(chat.messages for chat in export.chats)


@pytest.mark.parametrize("dialect", PACKED)
def test_a_zip_is_read_as_its_folder(
    tmp_path: Path, conversation: Conversation, dialect: str
) -> None:
    import shutil

    folder = write(tmp_path / "folder", DIALECTS[dialect](conversation))
    packed = shutil.make_archive(str(tmp_path / "export"), "zip", folder)
    assert talked(Path(packed)) == talked(folder)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_do_not_matter(
    tmp_path: Path, conversation: Conversation, dialect: str, ending: str
) -> None:
    files = DIALECTS[dialect](conversation)
    write(tmp_path / "a", files)
    write(tmp_path / "b", {name: text.replace("\n", ending) for name, text in files.items()})
    assert talked(tmp_path / "b") == talked(tmp_path / "a")


@pytest.mark.parametrize(
    ("sample", "target"),
    [("instagram/test_export.json", "instagram/target.json"),
     ("signal/test_export.txt", "signal/target.json")],
)  # fmt: skip
def test_chat_miner_samples(shared: Path, sample: str, target: str) -> None:
    folder = shared / "exports" / "chat-miner"
    expected = json.loads((folder / target).read_text(encoding="utf-8"))
    # chat-miner joins the lines of a message; a line break is kept here
    assert [
        (t.isoformat(), who, "".join(said.split())) for t, who, said in talked(folder / sample)
    ] == sorted((m["timestamp"], m["author"], "".join(m["message"].split())) for m in expected)
